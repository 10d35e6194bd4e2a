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


class AwayError(SQLAlchemyError):
    """The database did not answer when it was last asked, and is not asked again until it does."""


class SilentError(psycopg.OperationalError):
    """PostgreSQL did not answer in time."""


def cause_of(error: BaseException) -> BaseException:
    """The driver's own error, where SQLAlchemy has wrapped it."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def is_silent(error: BaseException) -> bool:
    """Whether the time was over before anything was done: to try again at once would take as long again."""
    cause = cause_of(error)
    return isinstance(cause, SilentError) or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def is_away(error: BaseException) -> bool:
    """Whether PostgreSQL cannot be reached at all: it is stopped, frozen, or the line is cut."""
    cause = cause_of(error)
    state = cause.sqlstate if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError) else ""
    return state is None or state.startswith(("08", "57P"))


def reason_of(error: BaseException) -> str:
    """What the database itself says, without the values of rows, which PostgreSQL tells on further lines."""
    return next(iter(str(cause_of(error)).splitlines()), "").strip()


def is_unusable(error: BaseException) -> bool:
    """Whether an error says no more than that the database cannot be used just now.

    >>> is_unusable(sqlite3.OperationalError("database is locked")), is_unusable(sqlite3.IntegrityError())
    (True, False)
    """
    away = AwayError | PoolTimeoutError | OperationalError | InterfaceError
    return isinstance(error, away) or isinstance(cause_of(error), _UNUSABLE)
