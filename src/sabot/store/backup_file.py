"""The file of a backup: JSON lines, compressed with gzip.

First a header, then for each table a line with its name and columns and a line for each row, at the end a line with
the counts and the SHA-256 of all lines before. Bytes are in base64. The same contents make the same file from any
database.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from types import GenericAlias
from typing import IO, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.json import Decoder
from sqlalchemy import BigInteger, Boolean, LargeBinary, Table, Text

from sabot.store import schema
from sabot.store.database import REVISION
from sabot.store.facts import Row

FORMAT = "sabot-backup"
VERSION = 1
#: Rows in a batch.
BATCH = 1_000
TABLES: tuple[Table, ...] = tuple(schema.metadata.sorted_tables)
_TYPES: dict[type, Any] = {
    BigInteger: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)],
    Text: str,
    LargeBinary: bytes,
    Boolean: bool,
}

T = TypeVar("T")


class BackupError(Exception):
    """A backup that cannot be made or restored: a code with its params."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: dict[str, object] = params


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
    #: Cells escaped by the restore.
    escaped: int = 0


_HEADER, _TABLE_LINE, _END = Decoder(Header), Decoder(TableLine), Decoder(End)


def write_backup(file: IO[bytes], header: Header, rows: Iterable[tuple[Table, Iterable[Row]]]) -> Backup:
    """Write every table with its rows, in the order of `TABLES`."""
    digest = hashlib.sha256()
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:

        def put(line: object) -> None:
            text = msgspec.json.encode(line) + b"\n"
            digest.update(text)
            packed.write(text)

        put(header)
        for table, lines in rows:
            put(_section(table))
            for line in lines:
                put(line)
        sha256 = digest.hexdigest()
        put(End(header.tables, sha256))
    return Backup(header, sha256)


def _section(table: Table) -> TableLine:
    return TableLine(str(table.name), tuple(map(str, table.columns.keys())))


class BackupReader:
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
