"""One life of the server: the house's own registry, floor, desks and sockets, on a virtual loop and a database that fails."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from random import Random
from typing import Any, Protocol, TypeVar, cast
from unittest.mock import Mock, patch

import structlog

from sabot.errors import Refusal
from sabot.rounds import stored
from sabot.rounds.codes import secure_code
from sabot.rounds.face_down import CardSeal
from sabot.rounds.stored import OtherEngineError
from sabot.server.accounts.logins import Login
from sabot.server.accounts.player_lock import PlayerLock, PlayerLocks
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.tables.player_changes import PlayerChanges
from sabot.server.tables.registry import LiveRuntime, TableRegistry
from sabot.server.tables.runtime import TableRuntime
from sabot.server.ws.connection import Connection
from sabot.store.cashier import Cashier
from sabot.store.commit import Lost, Outcome
from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.store.kinds import Role
from sabot.store.store import Store
from sabot.store.writer import DOWN, Done, GroupWriter
from sabot.tables.config import Tools
from sabot.tables.live.table import LiveTable
from tests.faults.live.network import Line
from tests.faults.simulated.crash import CrashError, CrashingDatabase, CrashingWriter
from tests.faults.simulated.house import DATABASE_ERRORS, PASSING, Memory
from tests.faults.simulated.loop import VirtualClock, VirtualLoop
from tests.faults.simulated.shoes import VAULT

T = TypeVar("T")

#: Seconds that something takes which a thread does.
_WORK = (0.0, 0.001, 0.005, 0.05)
#: Seconds until a database that failed answers again.
_AWAY = (0.0, 0.1, 3.0)


class LiveWriter(CrashingWriter):
    """As the house's own: when a unit is lost it is down for a while, and refuses what waits and what comes."""

    def __init__(self, database: Database, rng: Random) -> None:
        super().__init__(database, rng)
        self.down = False

    @property
    def waiting(self) -> int:
        """Units that wait for their group."""
        return len(self._waiting)

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Write a unit now, if the database answers."""
        if self.down:
            done(DOWN)
        else:
            super().submit(unit, self._watched(done))

    def queue(self, unit: LogEntry, done: Done) -> None:
        """Let a unit wait for its group, if the database answers."""
        if self.down:
            done(DOWN)
        else:
            super().queue(unit, self._watched(done))

    def _watched(self, done: Done) -> Done:
        def watched(outcome: Outcome) -> None:
            if isinstance(outcome, Lost):
                self._go_down()
            done(outcome)

        return watched

    def _go_down(self) -> None:
        if not self.down:
            self.down = True
            asyncio.get_running_loop().call_later(self._rng.choice(_AWAY), self._come_back)

    def _come_back(self) -> None:
        refused, self._waiting = self._waiting, []
        for _, done in refused:
            done(DOWN)
        self.down = False


class WriterQueue:
    """The writer as desks have it: they never wait."""

    def __init__(self, writer: LiveWriter) -> None:
        self._writer = writer
        self.submit = writer.queue

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    @property
    def down(self) -> bool:
        return self._writer.down


class SimulatedHouse(House):
    """A house without threads: what they would do is done a little later."""

    def __init__(self, memory: Memory, loop: VirtualLoop, config: Config) -> None:
        database = CrashingDatabase(memory.url, memory.commits)
        super().__init__(config, database, memory.shoes, VirtualClock(loop), memory.price, memory.codes)
        self.inline = LiveWriter(database, Random(f"writer/{memory.seed}/{memory.lives}"))

    async def open(self) -> None:
        """Open the store and take the cashier's stream."""
        self.writer = cast(GroupWriter, WriterQueue(self.inline))
        self.store = Store(self.database, self.inline)
        shoes, price, codes = self._parts
        self.tools = Tools(self.store, shoes, price, codes or secure_code, CardSeal(VAULT))
        self._cashier = Cashier.open(self.store, self.clock.wall_ms())

    @staticmethod
    async def _run(threads: ThreadPoolExecutor, act: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        return await loop.work(act, _WORK)


class NoRates:
    """Lets every request through. A mock would keep each of them, and take a tenth of the time of a crowd."""

    def command(self, player: int, tokens: int) -> None:
        """Let a request through."""


class Server(Protocol):
    """What players and those who watch over them have before them: one process, or the nodes of a house."""

    memory: Memory
    loop: VirtualLoop
    rng: Random
    #: Players make no move while it is not set.
    moving: asyncio.Event
    #: Everyone goes home.
    closing: bool
    #: Tenths of a second without anything under way after which everything has come where it goes.
    quiet: int

    @property
    def database(self) -> Database:
        """Connections to its database."""

    @property
    def left(self) -> list[LogEntry]:
        """What it had not written when it ended."""

    @property
    def desks(self) -> dict[str, LiveRuntime]:
        """The tables, each in the hands of its owner."""

    def find(self, table: str) -> TableRuntime[Any] | None:
        """A table, live or not, if it is open."""

    @property
    def busy(self) -> bool:
        """Whether something is under way."""

    async def open(self) -> None:
        """Begin."""

    async def close(self) -> None:
        """End."""

    def cut(self) -> None:
        """Nothing more comes from it."""

    def connect(self, person: Login, line: Line) -> None:
        """A player's connection comes in."""

    def logout(self, player: int) -> None:
        """All logins of a player end."""

    async def order(self, table: str, act: Callable[[LiveTable], None]) -> None:
        """Let a supervisor do something to a table."""

    def people_at(self, desk: LiveRuntime) -> list[Login]:
        """Who looks at a table."""


class Process:
    """One life of the server."""

    def __init__(self, memory: Memory, loop: VirtualLoop, config: Config) -> None:
        self.memory = memory
        self.loop = loop
        self.rng = Random(f"process/{memory.seed}/{memory.lives}")
        self.house = SimulatedHouse(memory, loop, config)
        self.registry = TableRegistry(self.house)
        self._bets = PlayerLocks()
        self._lines: list[Line] = []
        self._sockets: dict[Connection, asyncio.Task[None]] = {}
        #: Players make no move while it is not set.
        self.moving = asyncio.Event()
        self.moving.set()
        #: Everyone goes home.
        self.closing = False
        self.quiet = 10

    @property
    def database(self) -> CrashingDatabase:
        """Its own connections to the database."""
        return cast(CrashingDatabase, self.house.database)

    @property
    def writer(self) -> LiveWriter:
        """What it has not written yet is there."""
        return self.house.inline

    @property
    def left(self) -> list[LogEntry]:
        """What it had not written when it died."""
        return self.writer.left

    @property
    def desks(self) -> dict[str, LiveRuntime]:
        """The tables, each in the hands of its owner."""
        return self.registry.live

    def find(self, table: str) -> TableRuntime[Any] | None:
        """A table, live or not, if it is open."""
        return self.registry.live.get(table) or self.registry.solo.get(table)

    async def open(self) -> None:
        """Open the house, now and then as a release with another engine, which must give open rounds back."""
        other = self.rng.random() < self.memory.other_engines
        try:
            await self.house.open()
            with patch.object(stored, "is_known", lambda engine: not other):
                await self.registry.open()
        except DATABASE_ERRORS as error:
            raise CrashError("the house cannot be opened") from error
        except Refusal as error:
            if error.code not in PASSING:
                raise
            raise CrashError("the house cannot be opened") from error

    async def close(self) -> None:
        """The owners go."""
        await self.registry.close()

    def connect(self, person: Login, line: Line) -> None:
        """A player's connection comes in."""
        services = Mock(house=self.house, registry=self.registry, players=self, rates=NoRates())
        login = person._replace(expires_at=2**53)
        socket = Connection(services, login, cast(Any, line), cast(Any, line))
        self._lines.append(line)
        self._sockets[socket] = self.loop.create_task(socket.run())

    def logout(self, player: int) -> None:
        """All logins of a player end."""
        PlayerChanges(self.registry).logout(player, None)

    async def order(self, table: str, act: Callable[[LiveTable], None]) -> None:
        """Let a supervisor do something to a table."""
        await self.desks[table].order(act)

    # What its connections ask of the players

    async def confirm(self, login: Login) -> bool:
        """Every login holds."""
        return True

    def turn_to_bet(self, player: int, currency: str) -> AbstractAsyncContextManager[PlayerLock]:
        """One bet of a player at a time."""
        return self._bets.turn(player)

    async def role_of(self, login: Login, *, anew: bool) -> Role:
        """Roles do not change."""
        return login.role

    async def may_bet(self, *_: object) -> None:
        """No limits, but it takes a moment to know."""
        await asyncio.sleep(self.rng.choice(_WORK))

    def people_at(self, desk: LiveRuntime) -> list[Login]:
        """Who looks at a table, as far as their sockets are still served."""
        served = [socket for socket, task in self._sockets.items() if not task.done()]
        return [socket.login for socket in served if socket in desk.subscribers]

    def cut(self) -> None:
        """The process is dead: nothing more comes from it."""
        for line in self._lines:
            if not line.closed:
                line.cut()

    @property
    def busy(self) -> bool:
        """Whether something is under way at a table, in the writer or on the lines."""
        desks = any(desk.broken or desk.busy for desk in self.desks.values())
        return (
            desks
            or bool(self.writer.waiting or self.loop.working)
            or any(not line.idle for line in self._lines if not line.closed)
        )


class Noise:
    """Takes what the server logs, and keeps what says that it met something it did not expect."""

    def __init__(self, *, other_engines: bool = False) -> None:
        """With `other_engines` some rounds are of another release, which cannot go on with them."""
        self._other_engines = other_engines
        self.found: list[str] = []
        self._before: dict[str, Any] = {}

    def __enter__(self) -> Noise:
        self._before = structlog.get_config()
        structlog.configure(processors=[self._take])
        return self

    def __exit__(self, *_: object) -> None:
        structlog.configure(**self._before)

    def is_expected(self, error: BaseException | None) -> bool:
        """Whether an error says only that the database was away, or that another release cannot go on with a round."""
        if isinstance(error, OtherEngineError):
            return self._other_engines
        return isinstance(error, Refusal) and error.code in PASSING

    def _take(self, logger: object, method: str, event: Any) -> Any:
        error = sys.exc_info()[1]
        if method == "error" and not self.is_expected(error):
            self.found.append(f"{event}\n{''.join(traceback.format_exception(error))}")
        raise structlog.DropEvent
