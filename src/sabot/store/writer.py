"""The one writer: takes log entries, writes them in groups, and reports each outcome once it is durable.

A group is whatever waits when the writer is free: one hop to its thread, one transaction, one hop back. If the database
fails, the group is tried again entry by entry; an entry that fails alone is lost, the writer is down, and it refuses
everything until the database answers again. The two entries of a deal are written together in any case: a node that ends
between them would leave bets without cards. An idle writer of a house checks the database too.
"""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import psycopg
import structlog

from sabot.store.commit import Lost, Outcome, Refused, commit_group
from sabot.store.database import Database
from sabot.store.driver import ConflictError
from sabot.store.entry import LogEntry
from sabot.store.errors import DATABASE_ERRORS, driver_error, is_timeout

#: Most waiting entries; beyond that the writer is busy.
CAPACITY = 4096
#: Most entries of a group.
GROUP = 256
#: Seconds between two checks of a database that did not answer, and of an idle house.
_PROBE, _IDLE_PROBE = 0.5, 1.0
#: Every so many checks look for room on the disk too.
_ROOM_EVERY = 30
#: Statements that check writing and leave nothing; SQLite would not write an unchanged row.
_SIGN_OF_LIFE = (
    "INSERT INTO counters (name, next) VALUES ('sign of life', 1)",
    "DELETE FROM counters WHERE name = 'sign of life'",
)
#: Writes a megabyte that is dropped at once: a row of the same length would fit on a full disk.
_TAKE_ROOM = "CREATE TEMPORARY TABLE sabot_room ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, 1000)"

BUSY = Refused("house/busy")
DOWN = Refused("house/down")
CONFLICT = Refused("unit/conflict")

Done = Callable[[Outcome], None]

_log = structlog.get_logger()


class Writer(Protocol):
    """Takes entries; calls `done` with the outcome when it is durable."""

    def submit(self, entry: LogEntry, done: Done) -> None:
        """Queue an entry; entries of a stream are written in order."""


class InlineWriter:
    """Writes each entry at once in the caller's thread, for simulations and tools."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def submit(self, entry: LogEntry, done: Done) -> None:
        """Write the entry."""
        done(write_group(self._database, [entry])[0])


class _Queued(NamedTuple):
    entry: LogEntry
    done: Done


class GroupWriter:
    """Writes groups in a thread of its own.

    `post` runs the answers: by default in that thread; with `loop.call_soon_threadsafe`, a group in one call.
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
        self._lock = threading.Lock()
        #: Whether the database did not answer last time.
        self.down = False
        self._thread = threading.Thread(target=self._run, name="sabot-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Entries that wait for their group."""
        return self._queue.qsize()

    def submit(self, entry: LogEntry, done: Done) -> None:
        """Queue an entry; refused at once if too many wait or the database is down."""
        with self._lock:  # no entry after the end
            refused = DOWN if self.down or self._closing.is_set() else None
            if refused is None:
                try:
                    self._queue.put_nowait(_Queued(entry, done))
                except queue.Full:
                    refused = BUSY
        if refused is not None:
            done(refused)

    def close(self) -> None:
        """Write what waits and stop."""
        with self._lock:
            first = not self._closing.is_set()
            self._closing.set()
        if first:
            self._queue.put(None)
        self._thread.join()

    # In the writer's thread

    def _run(self) -> None:
        while (group := self._next_group()) is not None:
            outcomes = write_group(self._database, [waiting.entry for waiting in group])
            if any(isinstance(outcome, Lost) for outcome in outcomes):
                self.down = True
            self._answer(group, outcomes)
            if self.down:
                self._wait_for_database()

    def _next_group(self) -> list[_Queued] | None:
        """The next group; None when the writer is closed."""
        first = self._wait_for_entry()
        if first is None:
            return None
        group = [first, *self._drain(GROUP - 1)]
        while group[-1].entry.has_next and (following := self._wait_for_next()) is not None:
            group.append(following)
        return group

    def _wait_for_next(self) -> _Queued | None:
        """The second entry of a command, which follows the first at once; None if it was refused."""
        try:
            following = self._queue.get(timeout=_PROBE)
        except queue.Empty:
            return None
        if following is None:
            self._queue.put(None)
        return following

    def _drain(self, most: int) -> list[_Queued]:
        """Entries that wait, up to a number and to the mark that ends the queue."""
        found: list[_Queued] = []
        while len(found) < most and not self._queue.empty():
            waiting = self._queue.get_nowait()
            if waiting is None:
                self._queue.put(None)
                break
            found.append(waiting)
        return found

    def _wait_for_entry(self) -> _Queued | None:
        """The next entry; while there is none, a house checks the database (ASR-24)."""
        if self._database.deadline is None:
            return self._queue.get()
        checks = 0
        while True:
            try:
                return self._queue.get(timeout=_IDLE_PROBE)
            except queue.Empty:
                checks += 1
                if not _answers(self._database, room=checks % _ROOM_EVERY == 0):
                    self.down = True
                    self._wait_for_database()

    def _answer(self, group: Sequence[_Queued], outcomes: Iterable[Outcome]) -> None:
        pairs = list(zip(group, outcomes, strict=True))

        def answer() -> None:
            for waiting, outcome in pairs:
                try:
                    waiting.done(outcome)
                except Exception as error:  # the others still get theirs
                    _log.error("an outcome could not be delivered", error=type(error).__name__)

        self._post(answer)

    def _wait_for_database(self) -> None:
        """Refuse what waits, and check until the database answers again."""
        _log.warning("nothing can be stored")
        while True:
            refused = self._drain(self._queue.maxsize)
            self._answer(refused, [DOWN] * len(refused))
            if self._closing.is_set() or _answers(self._database, room=True):
                self.down = False
                _log.info("everything can be stored again")
                return
            self._closing.wait(_PROBE)


def write_group(database: Database, entries: Sequence[LogEntry]) -> list[Outcome]:
    """Write entries in one transaction, or one by one if that fails before the deadline.

    What another process has written in the same instant is seen by the second try, which says why an entry is refused.
    """
    begun = time.monotonic()
    try:
        with database.writing_in_time() as connection:
            return commit_group(connection, entries)
    except Exception as error:  # the writer must go on
        late = database.deadline is not None and time.monotonic() - begun >= database.deadline
        if not late and not is_timeout(error) and (len(entries) > 1 or _failed(error) == CONFLICT):
            return _write_singly(database, entries)
        return [_failed(error)] * len(entries)


def _write_singly(database: Database, entries: Sequence[LogEntry]) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for step in _steps(entries):
        if outcomes and isinstance(outcomes[-1], Lost):
            outcomes += [outcomes[-1]] * len(
                step
            )  # the whole group may have been stored before its answer was lost
        else:
            outcomes += _write_alone(database, step)
    return outcomes


def _steps(entries: Sequence[LogEntry]) -> Iterator[list[LogEntry]]:
    """Entries one by one, those of one command together."""
    step: list[LogEntry] = []
    for entry in entries:
        step.append(entry)
        if not entry.has_next:
            yield step
            step = []
    if step:
        yield step


def _write_alone(database: Database, step: Sequence[LogEntry]) -> list[Outcome]:
    try:
        with database.writing_in_time() as connection:
            return commit_group(connection, step)
    except Exception as error:  # the writer must go on
        return [_failed(error)] * len(step)


def _failed(error: Exception) -> Outcome:
    """The outcome of an entry that failed alone: refused by a guard, unstorable, or unknown."""
    cause = driver_error(error)
    if isinstance(error, ConflictError) or isinstance(cause, sqlite3.IntegrityError | psycopg.IntegrityError):
        return CONFLICT
    if isinstance(cause, psycopg.DataError) or not isinstance(error, DATABASE_ERRORS):
        return Refused("unit/unwritable")  # a NUL, or a number too large
    return Lost(str(cause))


def _answers(database: Database, *, room: bool) -> bool:
    """Whether the database can be written and, with `room`, has room on its disk (PostgreSQL)."""
    try:
        with database.writing_in_time() as connection:
            for statement in _SIGN_OF_LIFE:
                connection.exec_driver_sql(statement)
            if room and not database.is_sqlite:
                connection.exec_driver_sql(_TAKE_ROOM)
    except Exception as error:  # checked again later
        # A role without the right to make tables cannot check for room.
        return isinstance(driver_error(error), psycopg.errors.InsufficientPrivilege)
    return True
