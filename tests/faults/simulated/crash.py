"""A database that fails at chosen commits, and a writer that goes with a virtual loop.

Only commits last, so these are all the points at which a process can die: before a commit and after it. Two more are
for a process that lives on: the database failed before the commit, or after it with the answer lost on the way.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Literal, Protocol, get_args

from sqlalchemy import Connection

from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.store.writer import Done, write_group

Fault = Literal["before", "after", "failed", "lost", "held"]
#: The process dies before or after a commit; or it lives, and the commit failed or its answer was lost.
FAULTS: tuple[Fault, ...] = ("before", "after", "failed", "lost")
#: A node may also stand still after a commit, for longer than its lease.
NODE_FAULTS: tuple[Fault, ...] = get_args(Fault)


def in_turn(commit: int) -> Fault:
    """The fault to try at a commit where only one of them is: after four commits each moves on to another place."""
    return FAULTS[(commit + commit // len(FAULTS)) % len(FAULTS)]


class CrashError(SystemExit):
    """The process is dead. It is a `SystemExit`, the one thing besides Ctrl-C that a loop lets through at once."""


class Faults(Protocol):
    """Says what goes wrong at a commit, by its number from 1 on over all lives of a process."""

    def at(self, commit: int) -> Fault | None: ...


class Planned:
    """Faults at given commits."""

    def __init__(self, plan: Mapping[int, Fault] | None = None) -> None:
        self._plan = plan or {}

    def at(self, commit: int) -> Fault | None:
        return self._plan.get(commit)


class Drawn:
    """Faults by chance, one in so many commits, until there were enough."""

    def __init__(self, rng: Random, one_in: int, most: int, kinds: tuple[Fault, ...] = FAULTS) -> None:
        self._rng = rng
        self._kinds = kinds
        self._one_in = one_in
        self._left = most

    def at(self, commit: int) -> Fault | None:
        if not self._left or self._rng.randrange(self._one_in):
            return None
        self._left -= 1
        return self._rng.choice(self._kinds)


class Commits:
    """Counts the commits of a simulation, over all its lives, and what went wrong at which."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self.count = 0
        self.happened: list[tuple[int, Fault]] = []

    def next(self) -> Fault | None:
        """What goes wrong at the next commit."""
        self.count += 1
        fault = self._faults.at(self.count)
        if fault is not None:
            self.happened.append((self.count, fault))
        return fault


class CrashingDatabase(Database):
    """The database of one life of the process; it fails as it is told, and when the process is dead it is shut."""

    def __init__(self, url: str, commits: Commits) -> None:
        super().__init__(url, durable=False)
        self._commits = commits
        self._dead = False

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, and what goes wrong with it."""
        if self._dead:
            raise CrashError("the process is dead")
        fault = self._commits.next()
        with super().writing() as connection:
            yield connection
            if fault == "before":
                raise self._crash()
            if fault == "failed":
                raise sqlite3.OperationalError("simulated: the database went away before the commit")
        if fault == "after":
            raise self._crash()
        if fault == "held":
            self._hold()
        if fault == "lost":
            raise sqlite3.OperationalError("simulated: the answer to the commit was lost")

    def _hold(self) -> None:
        """Stand still for a while, where there are others to go on."""

    def _crash(self) -> CrashError:
        self._dead = True
        return CrashError("the process died here")


class CrashingWriter:
    """A writer on a virtual loop: what is queued waits a while and is written in groups, in the loop's own thread.

    `submit` is for those who wait for their answer on the spot: all that waits is written first, then theirs.
    """

    def __init__(self, database: Database, rng: Random) -> None:
        self._database = database
        self._rng = rng
        self._waiting: list[tuple[LogEntry, Done]] = []
        self._due = False

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Write a unit now."""
        while self._waiting:
            self._write()
        done(write_group(self._database, [unit])[0])

    def queue(self, unit: LogEntry, done: Done) -> None:
        """Let a unit wait for its group."""
        self._waiting.append((unit, done))
        self._wake(asyncio.get_running_loop())

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._due:
            self._due = True
            loop.call_later(self._rng.choice((0.0, 0.002, 0.02)), self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = False
        if self._waiting:
            self._write()
        if self._waiting:
            self._wake(loop)

    @property
    def left(self) -> list[LogEntry]:
        """What waits; of a process that died, what it would still write if it had only been held up."""
        return [unit for unit, _ in self._waiting]

    def _write(self) -> None:
        """Write a group: some or all of what waits."""
        size = self._rng.randint(1, len(self._waiting))
        outcomes = write_group(self._database, [unit for unit, _ in self._waiting[:size]])
        group, self._waiting = self._waiting[:size], self._waiting[size:]
        for (_, done), outcome in zip(group, outcomes, strict=True):
            done(outcome)
