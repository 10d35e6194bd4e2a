"""The database of a house: an SQLite file, or PostgreSQL.

>>> database = Database("sqlite://")
>>> migrate(database)
>>> with database.reading() as connection:
...     connection.exec_driver_sql("SELECT count(*) FROM log").scalar()
0
>>> Database("mysql://localhost/x")
Traceback (most recent call last):
sabot.store.database.DatabaseError: 'mysql://localhost/x' is not a database: write sqlite:///FILE or postgresql://USER@HOST/NAME
"""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool, StaticPool

from sabot.store.errors import UnreachableError, is_unreachable
from sabot.store.postgres import READER, WRITER, connect, lift_limits, limit_transactions, options_of

#: The newest revision of the schema, in `migrations/versions`.
REVISION = "0001"
#: Advisory lock of migrations on PostgreSQL.
_MIGRATION_LOCK = 7_245_301
#: Seconds to wait for a lock on the file: of tools, and of a house, where two fit into its deadline.
_LOCK_SECONDS, _HOUSE_LOCK_SECONDS = 10.0, 2.0

#: Connections to PostgreSQL that a house keeps, one for each of its threads, and those that it opens for a moment: to
#: open one costs more than what it is mostly opened for.
_KEPT, _MORE = 10, 5

#: Text in place of a password, and options of an address that may hold one.
_HIDDEN = "***"
_SECRET_OPTIONS = {"password", "sslpassword", "passfile", "sslkey"}


class DatabaseError(ValueError):
    """A database that cannot be used; the message says what would be right."""


class Database:
    """The database of a house. A reader sees one moment; a writer has one transaction."""

    def __init__(self, url: str, *, durable: bool = True, deadline: float | None = None) -> None:
        """`durable=False` does not wait for the disk: for simulations, never for a house.

        `deadline` is how many seconds the writer of a house waits for a transaction; tools wait for ever.
        """
        self.url = _parse(url)
        self.deadline = deadline
        #: Whether the writer got no answer; until it does, nobody else asks. Always false without a deadline.
        self.unreachable = False
        self._local = threading.local()
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            lock = _LOCK_SECONDS if deadline is None else _HOUSE_LOCK_SECONDS
            self._writer = _sqlite(self.url, "BEGIN IMMEDIATE", durable, lock)
            self._reader = self._writer if _in_memory(self.url) else _sqlite(self.url, "BEGIN", durable, lock)
        else:
            self._writer = self._postgres(WRITER)
            self._reader = self._writer if deadline is None else self._postgres(READER)

    def _postgres(self, timeouts: Mapping[str, int]) -> Engine:
        create = partial(sqlalchemy.create_engine, self.url, pool_pre_ping=True, hide_parameters=True)
        if self.deadline is None:
            return create()
        kept = {"pool_size": _KEPT, "max_overflow": _MORE, "pool_timeout": self.deadline}
        engine = create(**kept, connect_args=options_of(self.url, timeouts))

        @event.listens_for(engine, "do_connect")
        def _connect(_dialect: Any, _record: Any, args: Any, options: Any) -> Any:
            connection = connect(self._gives_up, args, options)
            if timeouts is WRITER:
                limit_transactions(connection)
            return connection

        return engine

    def _gives_up(self) -> bool:
        """Whether this thread must stop waiting: its deadline is over, or the database is unreachable."""
        until: float | None = getattr(self._local, "until", None)
        return self.unreachable if until is None else time.monotonic() > until

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one moment; `UnreachableError` while the database does not answer."""
        self._check()
        level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self._reader.connect().execution_options(**level) as connection, connection.begin():
            yield connection

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """A connection for one statement, which sees one moment without a transaction: fewer messages on PostgreSQL."""
        if self.is_sqlite:
            with self.reading() as connection:
                yield connection
            return
        self._check()
        with self._reader.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; `UnreachableError` while the database does not answer."""
        self._check()
        with self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _stating(self) -> Iterator[Connection]:
        self._check()
        level = {"isolation_level": "AUTOCOMMIT"}
        with self._writer.connect().execution_options(**level) as connection, connection.begin():
            yield connection

    def writing_in_time(self) -> AbstractContextManager[Connection]:
        """A transaction of the writer, within the deadline; notes whether the database answers."""
        return self._in_time(self.writing)

    def stating_in_time(self) -> AbstractContextManager[Connection]:
        """The same for single statements: on PostgreSQL each is a transaction of its own, which is fewer messages."""
        return self._in_time(self.writing if self.is_sqlite else self._stating)

    @contextmanager
    def _in_time(self, connect: Callable[[], AbstractContextManager[Connection]]) -> Iterator[Connection]:
        self._local.until = float("inf") if self.deadline is None else time.monotonic() + self.deadline
        try:
            with connect() as connection:
                yield connection
            self.unreachable = False
        except Exception as error:
            self.unreachable = self.deadline is not None and is_unreachable(error)
            raise
        finally:
            self._local.until = None

    def _check(self) -> None:
        if self.unreachable and getattr(self._local, "until", None) is None:
            raise UnreachableError("the database does not answer")

    def close(self) -> None:
        """Close all connections."""
        self._writer.dispose()
        self._reader.dispose()


def migrate(database: Database) -> None:
    """Migrate the schema, one process at a time."""
    with database.writing() as connection:
        if not database.is_sqlite:
            lift_limits(connection)  # this migration and another may take long
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        found = revision(connection)
        if found == REVISION:
            return
        if found is not None and found > REVISION:
            raise DatabaseError(
                f"the database is of revision {found}, this sabot knows {REVISION}:"
                " use the release that wrote it, or a newer one"
            )
        _upgrade(connection)


def revision(connection: Connection) -> str | None:
    """The revision of the schema; None for an empty database."""
    if not sqlalchemy.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "sabot.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def put(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write rows in place of those with the same keys."""
    if not rows:
        return
    names = table.columns.keys()
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    keys = [column.name for column in table.primary_key]
    sets = {name: insert.excluded[name] for name in names if name not in keys}
    values = [dict(zip(names, row, strict=True)) for row in rows]
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=sets), values)


def hide_password(text: str) -> str:
    """An address without its password.

    >>> hide_password("postgresql://ada:geheim@localhost/sabot?sslpassword=geheim")
    'postgresql://ada:***@localhost/sabot?sslpassword=***'
    >>> hide_password("postgresql//ada:geheim@localhost"), hide_password("postgresql://ada:ge@heim@localhost/x")
    ('postgresql//***@localhost', 'postgresql://***@localhost/x')
    """
    url = _url(text)
    if url is None:
        text = re.sub(r"^([a-z+]*:?/*)(.*)@", rf"\1{_HIDDEN}@", text, flags=re.DOTALL)
        return re.sub(r"(?i)(pass\w*=)[^&\s]*", rf"\1{_HIDDEN}", text)
    found = {name: _HIDDEN for name in url.query if name.lower() in _SECRET_OPTIONS}
    shown = url.update_query_dict(found).render_as_string(hide_password=True)
    return shown.replace("=%2A%2A%2A", f"={_HIDDEN}")


def _url(text: str) -> URL | None:
    """The parsed address; None if it cannot be read, or if part of a password looks like the host."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        return None
    return None if "@" in (url.host or "") else url


def _parse(text: str) -> URL:
    url = _url(text)
    if url is not None and url.drivername == "sqlite":
        return url
    if url is not None and url.drivername in ("postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    reason = "write sqlite:///FILE or postgresql://USER@HOST/NAME"
    if "@" in text.rpartition("@")[0]:
        reason += ", and %40 for @ in a password"
    raise DatabaseError(f"{hide_password(text)!r} is not a database: {reason}")


def _sqlite(url: URL, begin: str, durable: bool, lock: float) -> Engine:
    engine = sqlalchemy.create_engine(
        url,
        poolclass=StaticPool if _in_memory(url) else QueuePool,
        hide_parameters=True,
        connect_args={"isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "do_connect")
    def _make_file(_dialect: Any, _record: Any, _args: Any, _options: Any) -> None:
        if url.database and url.database != ":memory:" and not url.database.startswith("file:"):
            with suppress(OSError):  # SQLite uses the empty file, and reports errors itself
                os.close(os.open(url.database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * lock)}")
        _use_wal(connection, lock)
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _use_wal(connection: Any, lock: float) -> None:
    """Switch to a write-ahead log. SQLite does not wait by itself while another connection does the same."""
    until = time.monotonic() + lock
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.005)  # in the thread that opens a connection, a few times at most when a file is new


def _in_memory(url: URL) -> bool:
    return url.database in (None, "", ":memory:")
