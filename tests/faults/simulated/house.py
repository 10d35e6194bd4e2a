"""A simulated process: a house on a database that fails, and all that is lost when it dies."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import msgspec
import psycopg
import sqlalchemy
from sqlalchemy.exc import SQLAlchemyError

from sabot.engine import Price
from sabot.errors import Refusal
from sabot.rounds import stored
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed, Lost, Outcome, Refused, Repeated
from sabot.store.database import Database
from sabot.store.entry import LogEntry, decode_body
from sabot.store.store import Store
from sabot.store.writer import write_group
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table
from tests.faults.simulated.crash import Commits, CrashingDatabase, CrashingWriter
from tests.faults.simulated.loop import VirtualClock, VirtualLoop
from tests.faults.simulated.shoes import DrawnCodes, DrawnShoes

#: What the drivers raise when the database is not there.
DATABASE_ERRORS = (SQLAlchemyError, sqlite3.Error, psycopg.Error)
#: Refusals that say nothing of the command itself: the owner takes up the table again, and the client asks again.
PASSING = frozenset(
    {
        "house/bus-down",
        "house/busy",
        "house/down",
        "stream/fenced",
        "table/unreachable",
        "unit/conflict",
        "unit/lost",
    }
)


class TryAgainError(Exception):
    """No answer: the client asks again, under the same id."""


class Shown(NamedTuple):
    """A row whose events were shown: it must be there for ever."""

    stream: int
    n: int
    hash: bytes


class Memory:
    """What outlives a process: the database's address, what clients were shown, and where chance stands."""

    def __init__(
        self, url: str, seed: int | str, commits: Commits, shoes: DrawnShoes, price: Price | None
    ) -> None:
        self.url = url
        self.seed = seed
        self.commits = commits
        self.shoes = shoes
        self.price = price
        self.codes = DrawnCodes(Random(f"codes/{seed}"))
        #: How often a table is opened by another release, which cannot go on with an open round.
        self.other_engines = 0.0
        self.now = 0.0
        self.lives = 0
        #: Units that the last process had not written when it died.
        self.ghosts: list[LogEntry] = []
        self.shown: list[Shown] = []
        #: The events of each round that were shown, as they stand in the log.
        self.events: dict[str, list[bytes]] = {}
        #: What was worked out for each request, whether it was stored or not.
        self.worked_out: dict[tuple[int, str], set[bytes]] = {}


class Asking(NamedTuple):
    """Who asks, and under which id."""

    player: int
    id: str


class House:
    """One life of the process."""

    def __init__(self, memory: Memory, loop: VirtualLoop) -> None:
        self.memory = memory
        self.clock = VirtualClock(loop)
        self.rng = Random(f"house/{memory.seed}/{memory.lives}")
        self.database = CrashingDatabase(memory.url, memory.commits)
        self.writer = CrashingWriter(self.database, self.rng)
        self._store: Store | None = None
        self._cashier: Cashier | None = None
        self._tables: dict[str, Table] = {}

    @property
    def store(self) -> Store:
        """The store; it is opened when the database lets it."""
        if self._store is None:
            self._store = Store(self.database, self.writer)
        return self._store

    # The cashier

    def at_cashier(self, act: Callable[[Cashier], None]) -> None:
        """Do something at the cashier; it is taken up again when it does not know where it stands."""
        try:
            if self._cashier is None:
                self._cashier = Cashier.open(self.store, self.clock.wall_ms())
            act(self._cashier)
        except DATABASE_ERRORS as error:
            self._cashier = None
            raise TryAgainError(str(error)) from None
        except Refusal as error:
            if error.code not in PASSING:
                raise
            self._cashier = None
            raise TryAgainError(error.code) from None

    # Tables

    def table(self, config: TableConfig) -> Table:
        """A table, opened again if it is not open."""
        table = self._tables.get(config.name)
        if table is not None:
            return table
        other = self.rng.random() < self.memory.other_engines
        try:
            tools = Tools(self.store, self.memory.shoes, self.memory.price, self.memory.codes)
            with patch.object(stored, "is_known", lambda engine: not other):
                table = open_table(config, tools, self.clock.wall_ms())
        except DATABASE_ERRORS as error:
            raise TryAgainError(str(error)) from None
        except Refusal as error:
            if error.code not in PASSING:
                raise
            raise TryAgainError(error.code) from None
        self._tables[config.name] = table
        self._check_rebuilt(table)
        return table

    def _check_rebuilt(self, table: Table) -> None:
        """Nothing that was shown of a round is missing from it when it is there again; from now on all is shown."""
        if table.current is not None:
            code, known = table.current.code, self.memory.events
            now = [msgspec.json.encode(event) for event in table.current.round.log]
            shown = known.get(code, [])
            assert now[: len(shown)] == shown, f"{code} was rebuilt to other events than were shown"
            known[code] = now

    async def ask(
        self, config: TableConfig, act: Callable[[Table], Step | LogEntry], asking: Asking | None = None
    ) -> bytes:
        """Do something at a table and give its events once they are stored; an answer given before is given again."""
        if asking is not None and self.rng.random() < 0.5 and (known := self.answer(asking)) is not None:
            return known
        table = self.table(config)
        try:
            step = act(table)
        except DATABASE_ERRORS as error:
            self._drop(table)
            raise TryAgainError(str(error)) from None
        except Refusal as error:
            if asking is not None and (known := self.answer(asking)) is not None:
                return known
            if error.code in PASSING:
                raise TryAgainError(error.code) from None  # what is refused has changed nothing
            raise
        if isinstance(step, LogEntry):
            step = Step((), (step,))
        events = msgspec.json.encode(step.events)
        if asking is not None:
            self.memory.worked_out.setdefault(asking, set()).add(events)
        for outcome in await asyncio.gather(*(self._write(table, unit) for unit in step.entries)):
            if not isinstance(outcome, Committed):
                return self._not_stored(outcome, asking)
        return events

    def _write(self, table: Table, unit: LogEntry) -> asyncio.Future[Outcome]:
        """Queue a unit; what it tells is released when it is stored, in the order of the stream.

        Once an answer is lost nothing more is released: what a client would see then has a gap.
        """
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Committed):
                if self._tables.get(table.config.name) is table:
                    self._show(unit, outcome)
                else:
                    outcome = Lost("the table was thrown away")
            else:
                self._drop(table)
            if not future.done():
                future.set_result(outcome)

        self.writer.queue(unit, done)
        return future

    def _show(self, unit: LogEntry, outcome: Committed) -> None:
        memory = self.memory
        memory.shown.append(Shown(unit.stream, unit.n, outcome.hash))
        if unit.round is not None and isinstance(unit.body.events, msgspec.Raw):
            events = msgspec.json.decode(unit.body.events, type=list[msgspec.Raw])
            memory.events.setdefault(unit.round, []).extend(bytes(event) for event in events)

    def _not_stored(self, outcome: Outcome, asking: Asking | None) -> bytes:
        if isinstance(outcome, Repeated):
            assert asking is not None
            known = self.answer(asking)
            assert known is not None, f"{asking} was answered before, and the answer is gone"
            return known
        if isinstance(outcome, Lost):
            raise TryAgainError(outcome.reason)
        assert isinstance(outcome, Refused)
        if outcome.code in PASSING:
            raise TryAgainError(outcome.code)
        raise Refusal(outcome.code, **outcome.params)

    def _drop(self, table: Table) -> None:
        """Throw a table away: what it believes is not what is stored."""
        if self._tables.get(table.config.name) is table:
            del self._tables[table.config.name]

    def answer(self, asking: Asking) -> bytes | None:
        """The stored answer to a request; it is what was worked out for it."""
        log = schema.log.c
        query = sqlalchemy.select(log.body).where(log.player == asking.player, log.request == asking.id)
        try:
            with self.database.reading() as connection:
                body = connection.execute(query).scalar()
        except DATABASE_ERRORS as error:
            raise TryAgainError(str(error)) from None
        if body is None:
            return None
        kept = decode_body(body).events
        events = bytes(kept) if isinstance(kept, msgspec.Raw) else b"[]"
        known = self.memory.worked_out.get(asking, set())
        assert any(_ends_with(one, events) for one in known), f"{asking}: another answer than was worked out"
        return events


async def haunt(database: Database, ghosts: Sequence[LogEntry]) -> None:
    """The process before was not dead, only held up: what it still writes comes now, whoever owns the table."""
    for moment in (0.0, 0.0, 0.001, 0.005, 0.02, 0.5):
        await asyncio.sleep(moment)
        for unit in ghosts:
            write_group(database, [unit])


def _ends_with(worked_out: bytes, stored: bytes) -> bool:
    """A command of several rows keeps its id in the last."""
    return worked_out == stored or worked_out.endswith(stored[1:])
