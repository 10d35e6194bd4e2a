"""How databases fail: which errors are theirs, and which of them only say that they cannot be used just now."""

from __future__ import annotations

import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

#: Every error of a database. The drivers' own cursors raise errors that SQLAlchemy does not wrap.
DATABASE_ERRORS = (SQLAlchemyError, sqlite3.Error, psycopg.Error)

#: What is raised when a server is stopped, frozen or full, a file is locked, or a disk is.
_UNUSABLE = (psycopg.OperationalError, psycopg.InterfaceError, sqlite3.OperationalError)


class UnreachableError(SQLAlchemyError):
    """The database did not answer when it was last asked, and is not asked again until it does."""


class NoAnswerError(psycopg.OperationalError):
    """PostgreSQL did not answer in time."""


def driver_error(error: BaseException) -> BaseException:
    """The driver's own error, where SQLAlchemy has wrapped it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def is_timeout(error: BaseException) -> bool:
    """Whether the time was over before anything was done: to try again at once would take as long again."""
    cause = driver_error(error)
    return isinstance(cause, NoAnswerError) or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def is_unreachable(error: BaseException) -> bool:
    """Whether PostgreSQL cannot be reached at all: it is stopped, frozen, or the line is cut."""
    cause = driver_error(error)
    state = cause.sqlstate if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError) else ""
    return state is None or state.startswith(("08", "57P"))


def reason_of(error: BaseException) -> str:
    """What the database itself says, without the values of rows, which PostgreSQL tells on further lines."""
    return next(iter(str(driver_error(error)).splitlines()), "").strip()


def is_unavailable(error: BaseException) -> bool:
    """Whether an error says no more than that the database cannot be used just now.

    >>> is_unavailable(sqlite3.OperationalError("database is locked")), is_unavailable(sqlite3.IntegrityError())
    (True, False)
    """
    away = UnreachableError | PoolTimeoutError | OperationalError | InterfaceError
    return isinstance(error, away) or isinstance(driver_error(error), _UNUSABLE)
