"""Backups: the whole store at one moment in one file, made while the house runs.

The file is the same for SQLite and PostgreSQL, so a house can move from one to the other. It does not hold the vault's
keys. It is JSON lines, compressed with gzip: first a header, then for each table a line with its name and columns and a
line for each row, at the end a line with the counts and the SHA-256 of all lines before. Bytes are in base64.
"""

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import GenericAlias
from typing import IO, Annotated, Any, TypeVar

import msgspec
import sqlalchemy
from msgspec import Meta, Struct
from msgspec.json import Decoder
from sqlalchemy import BigInteger, Boolean, Connection, LargeBinary, Table, Text

from sabot.errors import CodedError
from sabot.store import schema
from sabot.store.database import REVISION, Database, migrate, revision
from sabot.store.driver import driver_of
from sabot.store.errors import DATABASE_ERRORS, reason_of
from sabot.store.facts import Row
from sabot.store.nodes.joining import HOUSE_ID

FORMAT = "sabot-backup"
VERSION = 1
#: Rows in a batch.
BATCH = 1_000
#: Rates mean nothing later, and a standby of PostgreSQL cannot read them.
TABLES: tuple[Table, ...] = tuple(
    table for table in schema.metadata.sorted_tables if table is not schema.rates
)
_TYPES: dict[type, Any] = {
    BigInteger: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)],
    Text: str,
    LargeBinary: bytes,
    Boolean: bool,
}

T = TypeVar("T")


class BackupError(CodedError):
    """A backup that cannot be made or restored."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    version: int
    revision: str
    #: Time of the backup, in milliseconds of UTC.
    created: int
    #: Row counts.
    tables: dict[str, int]


class TableLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The line before the rows of a table."""

    table: str
    columns: tuple[str, ...]


class End(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    tables: dict[str, int]
    sha256: str


class Backup(Struct, frozen=True):
    """A backup file that was written or read."""

    header: Header
    sha256: str


_HEADER, _TABLE_LINE, _END = Decoder(Header), Decoder(TableLine), Decoder(End)


def make_backup(database: Database, path: Path, created: int, *, overwrite: bool = False) -> Backup:
    """Write the database at this moment to a file, which appears only when it is complete."""
    if path.exists() and not overwrite:
        raise BackupError("exists", path=path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            with _database_errors(), database.reading() as connection:
                made = _write(connection, file, created)
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            os.replace(name, path)
        else:
            _publish(name, path)
        _sync_folder(path.parent)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
    return made


def check_backup(path: Path) -> Backup:
    """Read a backup to its end; `BackupError` unless it is complete and unchanged."""
    with path.open("rb") as file:
        reader = _Reader(file)
        for _ in reader.batches():
            pass
    assert reader.backup is not None
    return reader.backup


def restore_backup(database: Database, path: Path) -> Backup:
    """Check a backup, then write it into an empty database in one transaction.

    No node serves the restored house: those that lived are dead there, and what they owned can be taken. It gets an id
    of its own when it opens: on the bus of the other one it is a stranger (CLU-25).
    """
    checked = check_backup(path)
    with _database_errors():
        with database.reading() as connection:
            _check_ours(connection)
        migrate(database)
        with path.open("rb") as file, database.writing() as connection:
            _check_empty(connection)
            reader, driver = _Reader(file), driver_of(connection)
            for table, rows in reader.batches():
                driver.insert(table, rows)
            if reader.backup != checked:
                raise BackupError("changed", path=path)
            nodes = schema.nodes
            gone = nodes.update().where(nodes.c.dead_at.is_(None))
            connection.execute(gone.values(dead_at=checked.header.created))
            connection.execute(schema.house.delete().where(schema.house.c.name == HOUSE_ID))
    return checked


# Making


def _write(connection: Connection, file: IO[bytes], created: int) -> Backup:
    found = revision(connection)
    if found != REVISION:
        raise BackupError("revision", found=found, known=REVISION)
    tables = {str(table.name): _count(connection, table) for table in TABLES}
    header, digest = Header(FORMAT, VERSION, REVISION, created, tables), hashlib.sha256()
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:

        def put(line: object) -> None:
            text = msgspec.json.encode(line) + b"\n"
            digest.update(text)
            packed.write(text)

        put(header)
        for table in TABLES:
            put(_section(table))
            for row in _rows(connection, table):
                put(row)
        sha256 = digest.hexdigest()
        put(End(tables, sha256))
    return Backup(header, sha256)


def _section(table: Table) -> TableLine:
    return TableLine(str(table.name), tuple(map(str, table.columns.keys())))


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(table)).scalar_one()


def _rows(connection: Connection, table: Table) -> Iterator[Row]:
    """Rows in the order of the primary key, text in byte order."""
    collation = "BINARY" if connection.dialect.name == "sqlite" else "C"
    key: list[Any] = [
        sqlalchemy.collate(column, collation) if isinstance(column.type, Text) else column
        for column in table.primary_key.columns
    ]
    query = sqlalchemy.select(table).order_by(*key)
    for part in connection.execute(query, execution_options={"yield_per": BATCH}).partitions():
        yield from map(tuple, part)


def _publish(name: str, path: Path) -> None:
    """Give the file its name, unless it is taken."""
    try:
        os.link(name, path)
    except OSError:  # taken, or a file system without links
        if path.exists():
            raise BackupError("exists", path=path) from None
        os.rename(name, path)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Restoring


def _check_ours(connection: Connection) -> None:
    """Refuse a database with another program's tables."""
    if revision(connection) is None:
        found = sqlalchemy.inspect(connection).get_table_names()
        if found:
            raise BackupError("not-empty", tables=", ".join(sorted(found)))


def _check_empty(connection: Connection) -> None:
    """Refuse a database with rows; on PostgreSQL lock the tables."""
    if connection.dialect.name != "sqlite":
        names = ", ".join(table.name for table in TABLES)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
    full = [table.name for table in TABLES if _count(connection, table)]
    if full:
        raise BackupError("not-empty", tables=", ".join(full))


@contextmanager
def _database_errors() -> Iterator[None]:
    """Turn database errors into `BackupError`."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise BackupError("database", reason=reason_of(error)) from None


# Reading


class _Reader:
    """Reads a backup and checks every line."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="rb")
        self._digest = hashlib.sha256()
        self._number = 0
        #: Set at the end of the file.
        self.backup: Backup | None = None

    def batches(self) -> Iterator[tuple[Table, list[Row]]]:
        """All rows in batches of one table; `BackupError` unless the file is complete and unchanged."""
        header = self._header()
        for table in TABLES:
            if self._next(_TABLE_LINE) != _section(table):
                raise BackupError("line", line=self._number, reason=f"the table {table.name} was to come")
            decoder, left = _row_decoder(table), header.tables[table.name]
            while left > 0:
                rows = [self._next(decoder) for _ in range(min(left, BATCH))]
                left -= len(rows)
                yield table, rows
        sha256 = self._digest.hexdigest()
        end = self._next(_END)
        if end != End(header.tables, sha256):
            raise BackupError("sha256", found=sha256, told=end.sha256)
        if self._read():
            raise BackupError("line", line=self._number, reason="the file goes on after its end")
        self.backup = Backup(header, sha256)

    def _header(self) -> Header:
        header = self._next(_HEADER)
        if (header.format, header.version) != (FORMAT, VERSION):
            raise BackupError(
                "format", found=f"{header.format} {header.version}", known=f"{FORMAT} {VERSION}"
            )
        if header.revision != REVISION:
            raise BackupError("revision", found=header.revision, known=REVISION)
        if set(header.tables) != {table.name for table in TABLES}:
            raise BackupError("line", line=1, reason="the tables are not those of its revision")
        return header

    def _next(self, decoder: Decoder[T]) -> T:
        """The next line, decoded."""
        line = self._read()
        if not line.endswith(b"\n"):
            raise BackupError("truncated")
        self._digest.update(line)
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BackupError("line", line=self._number, reason=error) from None

    def _read(self) -> bytes:
        self._number += 1
        try:
            return self._file.readline()
        except EOFError:
            raise BackupError("truncated") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise BackupError("line", line=self._number, reason=error) from None


def _row_decoder(table: Table) -> Decoder[Row]:
    """Decodes rows with exactly the table's columns and types."""
    kinds = [(_TYPES[type(column.type)], column.nullable) for column in table.columns]
    return Decoder(GenericAlias(tuple, tuple(kind | None if nullable else kind for kind, nullable in kinds)))
