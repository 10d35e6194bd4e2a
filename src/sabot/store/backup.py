"""Backups: the whole store at one moment in one file, made while the house runs.

The file is the same for SQLite and PostgreSQL, so a house can move from one to the other. It does not hold the vault's
keys.
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
from sqlalchemy import Connection, Table, Text

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
        reader = BackupReader(file)
        for _ in reader.batches():
            pass
    assert reader.backup is not None
    return reader.backup


def restore_backup(database: Database, path: Path) -> Backup:
    """Check a backup, then write it into an empty database in one transaction.

    Text with a NUL, which an old SQLite house may hold, is escaped and counted.
    """
    checked, escaped = check_backup(path), 0
    with _database_errors():
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


def _escaped(row: Row) -> Row:
    return tuple(escape(cell) if isinstance(cell, str) and "\0" in cell else cell for cell in row)


def _count_nuls(row: Row) -> int:
    return sum(isinstance(cell, str) and "\0" in cell for cell in row)


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
