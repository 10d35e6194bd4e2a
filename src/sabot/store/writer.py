"""The one writer: units go in, and each comes back with its outcome once its group is durable.

A group is whatever waits when the writer is free: one hop to its thread, one transaction, one hop back. When the
database fails the group is tried again unit by unit; a unit that fails alone is lost, the writer is down, and from
then on every unit is refused until the database answers again. In an open house it is asked also when nothing waits.
"""

from __future__ import annotations

import itertools
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

import psycopg
import structlog
from sqlalchemy import Connection

from sabot.store.commit import Lost, Outcome, Refused, commit_group
from sabot.store.database import Database
from sabot.store.driver import ConflictError
from sabot.store.entry import LogEntry
from sabot.store.errors import DATABASE_ERRORS, driver_error, is_timeout

#: Units waiting for the writer; beyond that it is busy.
CAPACITY = 4096
#: The most units of one group.
GROUP = 256
#: Seconds between two looks at a database: at one that did not answer, and in a house where nothing is to be written.
_PROBE, _IDLE_PROBE = 0.5, 1.0
#: How often one of these looks is for room on the disk too.
_ROOM_EVERY = 30
#: What is written to see whether anything can be, and leaves nothing: a row that stays as it is SQLite would not write.
_SIGN_OF_LIFE = (
    "INSERT INTO counters (name, next) VALUES ('sign of life', 1)",
    "DELETE FROM counters WHERE name = 'sign of life'",
)

BUSY = Refused("house/busy")
DOWN = Refused("house/down")

Done = Callable[[Outcome], None]

_log = structlog.get_logger()


class Writer(Protocol):
    """Takes units; `done` hears the outcome when it is durable."""

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Queue a unit. Units of one stream are written in the order they come."""
        ...


def write(writer: Writer, unit: LogEntry) -> Outcome:
    """Hand in a unit and wait for what becomes of it."""
    future: Future[Outcome] = Future()
    writer.submit(unit, future.set_result)
    return future.result()


class InlineWriter:
    """Writes each unit at once, in the caller's thread: for simulations and tools."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Write the unit and tell."""
        done(write_group(self._database, [unit])[0])


class _Queued(NamedTuple):
    unit: LogEntry
    done: Done


class GroupWriter:
    """Writes groups in a thread of its own. `post` is how its answers come back: by default, in that thread.

    An event loop hands in `loop.call_soon_threadsafe` and hears of a whole group in one call.
    """

    def __init__(
        self,
        database: Database,
        *,
        post: Callable[[Callable[[], None]], object] | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        self._database = database
        self._post = post or (lambda answer: answer())
        self._queue: queue.Queue[_Queued | None] = queue.Queue(capacity)
        self._closing = threading.Event()
        self._door = threading.Lock()
        #: Whether the database did not answer when it was last asked.
        self.down = False
        self._thread = threading.Thread(target=self._run, name="sabot-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Units that wait for their group."""
        return self._queue.qsize()

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Queue a unit; refused at once when too many wait or the database is down."""
        if refused := self._put(_Queued(unit, done)):
            done(refused)

    def _put(self, waiting: _Queued) -> Refused | None:
        with self._door:  # nothing comes after the end
            if self.down or self._closing.is_set():
                return DOWN
            try:
                self._queue.put_nowait(waiting)
            except queue.Full:
                return BUSY
            return None

    def close(self) -> None:
        """Write what waits and stop."""
        with self._door:
            first = not self._closing.is_set()
            self._closing.set()
        if first:
            self._queue.put(None)
        self._thread.join()

    # In the writer's thread

    def _run(self) -> None:
        while (group := self._next_group()) is not None:
            outcomes = write_group(self._database, [waiting.unit for waiting in group])
            if any(isinstance(outcome, Lost) for outcome in outcomes):
                self.down = True
            self._answer(group, outcomes)
            if self.down:
                self._wait_for_database()

    def _next_group(self) -> list[_Queued] | None:
        """All that waits, up to a group; None when the writer is closed."""
        first = self._wait_for_unit()
        if first is None:
            return None
        group = [first]
        while len(group) < GROUP:
            try:
                more = self._queue.get_nowait()
            except queue.Empty:
                break
            if more is None:
                self._queue.put(None)
                break
            group.append(more)
        return group

    def _wait_for_unit(self) -> _Queued | None:
        """The next unit. While there is none a house looks whether one could be written (ASR-24)."""
        if self._database.patience is None:
            return self._queue.get()
        for look in itertools.count(1):
            try:
                return self._queue.get(timeout=_IDLE_PROBE)
            except queue.Empty:
                if not _answers(self._database, room=look % _ROOM_EVERY == 0):
                    self.down = True
                    self._wait_for_database()
        raise AssertionError("unreachable")

    def _answer(self, group: Sequence[_Queued], outcomes: Iterable[Outcome]) -> None:
        pairs = list(zip(group, outcomes, strict=True))

        def answer() -> None:
            for waiting, outcome in pairs:
                try:
                    waiting.done(outcome)
                except Exception as error:  # the others of the group are told all the same
                    _log.error("an outcome could not be told", error=type(error).__name__)

        self._post(answer)

    def _wait_for_database(self) -> None:
        """Refuse what waits, then look from time to time whether the database is there again."""
        _log.warning("nothing can be stored")
        while True:
            refused: list[_Queued] = []
            while not self._queue.empty():
                waiting = self._queue.get_nowait()
                if waiting is None:
                    self._queue.put(None)
                    break
                refused.append(waiting)
            self._answer(refused, [DOWN] * len(refused))
            if self._closing.is_set() or _answers(self._database, room=True):
                self.down = False
                _log.info("everything can be stored again")
                return
            self._closing.wait(_PROBE)


def write_group(database: Database, units: Sequence[LogEntry]) -> list[Outcome]:
    """Write units in one transaction, or each in its own if that fails."""
    try:
        with database.writing_in_time() as connection:
            return commit_group(connection, units)
    except Exception as error:  # whatever it is, the writer goes on with the next unit
        if len(units) > 1 and not is_timeout(error):
            return _write_singly(database, units)
        return [_failed(error)] * len(units)


def _write_singly(database: Database, units: Sequence[LogEntry]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for unit in units:
        if outcomes and isinstance(outcomes[-1], Lost):
            outcomes.append(outcomes[-1])  # the whole group may have been stored before its answer was lost
        else:
            outcomes += write_group(database, [unit])
    return outcomes


def _failed(error: Exception) -> Outcome:
    """A unit that failed alone: a guard or a constraint refuses it, or it holds what cannot be stored.

    Any other error of the database leaves it unknown.
    """
    if isinstance(error, ConflictError):
        return Refused("unit/conflict")
    cause = driver_error(error)
    if isinstance(cause, sqlite3.IntegrityError | psycopg.IntegrityError):
        return Refused("unit/conflict")
    if isinstance(cause, psycopg.DataError) or not isinstance(error, DATABASE_ERRORS):
        return Refused("unit/unwritable")  # a NUL in a text, a number too large: it never came to a commit
    return Lost(str(cause))


def _answers(database: Database, *, room: bool) -> bool:
    """Whether something can be written, and with `room` whether there is more of it on PostgreSQL's disk."""
    try:
        with database.writing_in_time() as connection:
            for statement in _SIGN_OF_LIFE:
                connection.exec_driver_sql(statement)
            if room and not database.is_sqlite:
                _take_room(connection)
    except Exception as error:  # whatever it is, the writer looks again
        return isinstance(
            driver_error(error), psycopg.errors.InsufficientPrivilege
        )  # who may make no table has no say
    return True


def _take_room(connection: Connection) -> None:
    """A megabyte that is given back at once: a row that is as long as before finds room on a full disk."""
    connection.exec_driver_sql(
        "CREATE TEMPORARY TABLE sabot_room ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 1000)"
    )
