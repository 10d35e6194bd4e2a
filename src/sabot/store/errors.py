"""Errors of databases, and which of them only mean that a database is unavailable now."""

import sqlite3

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

#: Every error of a database; cursors of the drivers raise errors that SQLAlchemy does not wrap.
DATABASE_ERRORS = (SQLAlchemyError, sqlite3.Error, psycopg.Error)

#: A stopped, frozen or full server, or a locked file.
_UNUSABLE = (psycopg.OperationalError, psycopg.InterfaceError, sqlite3.OperationalError)


class UnreachableError(SQLAlchemyError):
    """The database did not answer last time, and is not asked again until it does."""


class NoAnswerError(psycopg.OperationalError):
    """PostgreSQL did not answer in time."""


def driver_error(error: BaseException) -> BaseException:
    """The driver's error inside SQLAlchemy's."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def is_timeout(error: BaseException) -> bool:
    """Whether time ran out before anything was done, so that trying again at once is of no use."""
    cause = driver_error(error)
    return isinstance(cause, NoAnswerError) or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def is_unreachable(error: BaseException) -> bool:
    """Whether PostgreSQL cannot be reached: stopped, frozen or cut off."""
    cause = driver_error(error)
    state = cause.sqlstate if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError) else ""
    return state is None or state.startswith(("08", "57P"))


def reason_of(error: BaseException) -> str:
    """The database's message, without the values of rows that PostgreSQL adds."""
    return next(iter(str(driver_error(error)).splitlines()), "").strip()


def is_unavailable(error: BaseException) -> bool:
    """Whether an error only means that the database is unavailable now.

    >>> is_unavailable(sqlite3.OperationalError("database is locked")), is_unavailable(sqlite3.IntegrityError())
    (True, False)
    """
    away = UnreachableError | PoolTimeoutError | OperationalError | InterfaceError
    return isinstance(error, away) or isinstance(driver_error(error), _UNUSABLE)
