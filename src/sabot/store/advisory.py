"""Locks that hold for every process on one PostgreSQL, as advisory locks of transactions on connections of their own.

PostgreSQL takes a lock back when its connection is cut, and when its holder does nothing for some seconds.
"""

from __future__ import annotations

import psycopg
import sqlalchemy
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from sabot.errors import Refusal
from sabot.store.database import Database
from sabot.store.errors import DATABASE_ERRORS, driver_error
from sabot.store.postgres import options_of

#: Locks that a process holds or waits for at once; each has a connection, and some of these are kept open.
MOST_LOCKS, _KEPT_OPEN = 12, 4
#: How long to wait for a lock, and how long one is held without a sign of life, in milliseconds.
PATIENCE_MS, _FROZEN_MS = 3_000, 10_000
#: Numbers of one kind of lock; other locks of the house have lower ones.
_SPACE = 1 << 48


class AdvisoryLocks:
    """Takes and releases locks, each in the caller's thread, which waits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        settings = {"lock_timeout": PATIENCE_MS, "idle_in_transaction_session_timeout": _FROZEN_MS}
        self._engine = sqlalchemy.create_engine(
            database.url,
            pool_size=_KEPT_OPEN,
            max_overflow=MOST_LOCKS - _KEPT_OPEN,
            pool_timeout=PATIENCE_MS / 1000,
            pool_pre_ping=True,
            connect_args=options_of(database.url, settings),
        )

    def take(self, kind: int, number: int) -> Connection:
        """Wait for a lock by its kind, 1 or above, and number; `house/busy` if another holds it for too long."""
        if self._database.unreachable:
            raise Refusal("house/down")
        connection = None
        try:
            connection = self._engine.connect()
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (kind * _SPACE + number,))
        except DATABASE_ERRORS as error:
            if connection is not None:
                release(connection)
            busy = isinstance(driver_error(error), psycopg.errors.LockNotAvailable)
            raise Refusal(
                "house/busy" if busy or not isinstance(error, DBAPIError) else "house/down"
            ) from None
        return connection

    def close(self) -> None:
        """Close connections that hold no lock; the others are closed when theirs is released."""
        self._engine.dispose()


def release(connection: Connection) -> None:
    """Release a lock; one that PostgreSQL has taken back is gone already."""
    try:
        connection.rollback()
    except DATABASE_ERRORS as error:
        connection.invalidate(error)
    connection.close()
