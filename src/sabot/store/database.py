"""A database to keep the house in: an SQLite file, or PostgreSQL.

>>> database = Database("sqlite://")
>>> migrate(database)
>>> with database.reading() as connection:
...     connection.exec_driver_sql("SELECT count(*) FROM log").scalar()
0
>>> Database("mysql://localhost/x")
Traceback (most recent call last):
sabot.store.database.DatabaseError: 'mysql://localhost/x' will not do: write sqlite:///FILE or postgresql://USER@HOST/NAME
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool, StaticPool

from sabot.store.errors import UnreachableError, is_unreachable
from sabot.store.postgres import connect, options_of

#: The revision of the schema this package writes; the newest file of `migrations/versions`.
REVISION = "0006"
#: The number of the advisory lock that migrations hold on PostgreSQL.
_MIGRATION_LOCK = 7_245_301
#: Seconds that a statement waits for another process's lock on the file; in a house two of them fit into its patience.
_LOCK_SECONDS, _HOUSE_LOCK_SECONDS = 10.0, 2.0


#: What stands in a password's place, and the names by which an address may hold one among its options.
_HIDDEN = "***"
_SECRET_OPTIONS = {"password", "sslpassword", "passfile", "sslkey"}


class DatabaseError(ValueError):
    """A database that cannot be used as it is; says what would be right."""


class Database:
    """Where the house is kept. Reading sees one moment; writing is one transaction, alone on an SQLite file."""

    def __init__(self, url: str, *, durable: bool = True, patience: float | None = None) -> None:
        """`durable=False` leaves out the wait for the disk: for simulations, never for a house.

        `patience` are the seconds that the writer of an open house waits for one transaction; tools wait for ever.
        """
        self.url = _parse(url)
        self.patience = patience
        #: Whether it did not answer the writer; until it does, nobody else asks it. Always false without patience.
        self.away = False
        self._here = threading.local()
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            lock = _LOCK_SECONDS if patience is None else _HOUSE_LOCK_SECONDS
            self._writer = _sqlite(self.url, "BEGIN IMMEDIATE", durable, lock)
            in_memory = self.url.database in (None, "", ":memory:")
            self._reader = self._writer if in_memory else _sqlite(self.url, "BEGIN", durable, lock)
        else:
            self._writer = self._reader = self._postgres()

    def _postgres(self) -> Engine:
        if self.patience is None:
            return sqlalchemy.create_engine(self.url, pool_pre_ping=True, hide_parameters=True)
        engine = sqlalchemy.create_engine(
            self.url,
            pool_pre_ping=True,
            hide_parameters=True,
            pool_timeout=self.patience,
            connect_args=options_of(self.url),
        )

        @event.listens_for(engine, "do_connect")
        def _connect(_dialect: Any, _record: Any, args: Any, options: Any) -> Any:
            return connect(self._gives_up, args, options)

        return engine

    def _gives_up(self) -> bool:
        """Whether this thread is not to wait any longer: for its own deadline, or because the database is away."""
        until: float | None = getattr(self._here, "until", None)
        return self.away if until is None else time.monotonic() > until

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the database at one moment; `UnreachableError` while it does not answer."""
        self._check()
        level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self._reader.connect().execution_options(**level) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: everything in it, or nothing; `UnreachableError` while the database does not answer."""
        self._check()
        with self._writer.begin() as connection:
            yield connection

    @contextmanager
    def writing_in_time(self) -> Iterator[Connection]:
        """As `writing`, within the house's patience: the writer finds out whether the database answers."""
        self._here.until = float("inf") if self.patience is None else time.monotonic() + self.patience
        try:
            with self.writing() as connection:
                yield connection
            self.away = False
        except Exception as error:
            self.away = self.patience is not None and is_unreachable(error)
            raise
        finally:
            self._here.until = None

    def _check(self) -> None:
        if self.away and getattr(self._here, "until", None) is None:
            raise UnreachableError("the database does not answer")

    def close(self) -> None:
        """Let go of every connection."""
        self._writer.dispose()
        self._reader.dispose()


def migrate(database: Database) -> None:
    """Bring the schema up to date, one process at a time; free when it is."""
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another's migration may take long
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        found = revision(connection)
        if found == REVISION:
            return
        if found is not None and found > REVISION:
            raise DatabaseError(
                f"the database is of revision {found}, this sabot knows {REVISION}: install a newer one"
            )
        _upgrade(connection)


def revision(connection: Connection) -> str | None:
    """The revision of the schema, or None of an empty database."""
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


def hide_password(text: str) -> str:
    """An address without its password; of one that cannot be read, without whatever may be one.

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
    """The parts of an address; None where they cannot be told, or where a part of a password is taken for the host."""
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
    raise DatabaseError(f"{hide_password(text)!r} will not do: {reason}")


def _sqlite(url: URL, begin: str, durable: bool, lock: float) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    engine = sqlalchemy.create_engine(
        url,
        poolclass=StaticPool if in_memory else QueuePool,
        hide_parameters=True,
        connect_args={"isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "do_connect")
    def _make_file(_dialect: Any, _record: Any, _args: Any, _options: Any) -> None:
        if url.database and url.database != ":memory:" and not url.database.startswith("file:"):
            _make_private(url.database)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout = {int(1000 * lock)}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _make_private(path: str) -> None:
    """Make an empty file for its owner alone, which SQLite then fills; the files it puts beside it follow its mode.

    One that is there stays as it is. What cannot be made is told by SQLite, when it tries.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
