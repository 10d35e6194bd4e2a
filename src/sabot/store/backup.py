"""Backups: the whole store at one moment in one file, made while the house plays, restored into an empty database.

The file is the same for SQLite and PostgreSQL, so a house moves from one to the other by it. The vault's keys are not
in it: they are kept elsewhere, as they are from the database.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import msgspec
import sqlalchemy
from sqlalchemy import Connection, Select, Table, Text

from sabot.store.backup_file import (
    BATCH,
    FORMAT,
    TABLES,
    VERSION,
    Backup,
    BackupError,
    BackupReader,
    Header,
    write_backup,
)
from sabot.store.database import REVISION, Database, migrate, revision
from sabot.store.driver import driver_of
from sabot.store.errors import DATABASE_ERRORS, reason_of
from sabot.store.facts import Row
from sabot.store.nul_text import escape


def make_backup(database: Database, path: Path, created: int, *, overwrite: bool = False) -> Backup:
    """Write the database as it is at this moment to a file, which is there whole or not at all."""
    if path.exists() and not overwrite:
        raise BackupError("exists", path=path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for its owner's eyes only
    try:
        with os.fdopen(handle, "wb") as file:
            with _telling(), database.reading() as connection:
                made = _write(connection, file, created)
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            os.replace(name, path)
        else:
            _put(name, path)
        _sync_folder(path.parent)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
    return made


def check_backup(path: Path) -> Backup:
    """Read a backup to its end; `BackupError` unless it is whole and as it was written."""
    with path.open("rb") as file:
        reader = BackupReader(file)
        for _ in reader.batches():
            pass
    assert reader.backup is not None
    return reader.backup


def restore_backup(database: Database, path: Path) -> Backup:
    """Put a backup into an empty database, in one transaction; nothing is written before the file is checked.

    Text with a NUL, which an older house on SQLite may hold, is escaped; the answer says how many cells were.
    """
    checked, escaped = check_backup(path), 0
    with _telling():
        with database.reading() as connection:
            _check_ours(connection)
        migrate(database)
        with path.open("rb") as file, database.writing() as connection:
            _check_empty(connection)
            reader, driver = BackupReader(file), driver_of(connection)
            for table, rows in reader.batches():
                escaped += sum(map(_count_nuls, rows))
                driver.insert(table, [_escaped(row) if _count_nuls(row) else row for row in rows])
            if reader.backup != checked:
                raise BackupError("changed", path=path)
    return msgspec.structs.replace(checked, escaped=escaped)


# Making


def _write(connection: Connection, file: IO[bytes], created: int) -> Backup:
    found = revision(connection)
    if found != REVISION:
        raise BackupError("revision", found=found, known=REVISION)
    tables = {str(table.name): _count(connection, table) for table in TABLES}
    header = Header(FORMAT, VERSION, REVISION, created, tables)
    return write_backup(file, header, ((table, _rows(connection, table)) for table in TABLES))


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(table)).scalar_one()


def _rows(connection: Connection, table: Table) -> Iterator[Row]:
    """The rows in the order of the primary key, a few at a time."""
    query = _ordered(table, connection.dialect.name)
    for part in connection.execute(query, execution_options={"yield_per": BATCH}).partitions():
        yield from map(tuple, part)


def _ordered(table: Table, dialect: str) -> Select[Any]:
    """Texts are ordered by their bytes, whatever the language of the database."""
    collation = "BINARY" if dialect == "sqlite" else "C"
    key: list[Any] = [
        sqlalchemy.collate(column, collation) if isinstance(column.type, Text) else column
        for column in table.primary_key.columns
    ]
    return sqlalchemy.select(table).order_by(*key)


def _put(name: str, path: Path) -> None:
    """Give a file its name, which nothing else may have got in the meantime."""
    try:
        os.link(name, path)
    except OSError:  # it has, or the file system has no links
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


def _escaped(row: Row) -> Row:
    return tuple(escape(cell) if isinstance(cell, str) and "\0" in cell else cell for cell in row)


def _count_nuls(row: Row) -> int:
    """How many cells of a row hold text with a NUL."""
    return sum(isinstance(cell, str) and "\0" in cell for cell in row)


def _check_ours(connection: Connection) -> None:
    """A database with another program's tables is not empty."""
    if revision(connection) is None:
        found = sqlalchemy.inspect(connection).get_table_names()
        if found:
            raise BackupError("not-empty", tables=", ".join(sorted(found)))


def _check_empty(connection: Connection) -> None:
    """No table may have a row; on PostgreSQL they are locked, so that none gets one before the end."""
    if connection.dialect.name != "sqlite":
        names = ", ".join(table.name for table in TABLES)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
    full = [table.name for table in TABLES if _count(connection, table)]
    if full:
        raise BackupError("not-empty", tables=", ".join(full))


@contextmanager
def _telling() -> Iterator[None]:
    """What the database itself refuses, in its own words."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise BackupError("database", reason=reason_of(error)) from None
