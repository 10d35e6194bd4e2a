"""One node in simulation: the server's own registry, links and lease, in a simulated process that can die or stand still.

Real are the store and its guards, leases, placement, links, hand-over and everything at the tables. Simulated are time,
threads, sockets and the bus; and SQLite stands for PostgreSQL, with the clock of the simulation as the database's, so
transactions of two nodes never run at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from random import Random
from typing import Any, TypeVar, cast
from unittest.mock import Mock

from sabot.rounds.codes import secure_code
from sabot.server.accounts.logins import Login
from sabot.server.accounts.player_lock import PlayerLock, PlayerLocks
from sabot.server.cluster.lease import Lease
from sabot.server.cluster.node import ClusterNode
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.http.services import Services
from sabot.server.tables.player_changes import PlayerChanges
from sabot.server.tables.registry import TableRegistry
from sabot.server.tables.runtime import TableRuntime
from sabot.server.ws.connection import Connection
from sabot.server.ws.dispatch import Dispatcher
from sabot.store.cashier import Cashier
from sabot.store.kinds import Role
from sabot.store.nodes.joining import ANYONE
from sabot.store.nodes.membership import Membership
from sabot.store.nodes.node import Node, TakenError
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from sabot.tables.config import Tools
from tests.faults.live.network import Line
from tests.faults.live.process import LiveWriter, NoRates, WriterQueue
from tests.faults.simulated.crash import CrashingDatabase
from tests.faults.simulated.house import Memory
from tests.faults.simulated.loop import DiedError, SimulatedProcess, VirtualClock, VirtualLoop
from tests.faults.simulated.nodes.wire import FaultyWire
from tests.support.cluster.bus import LocalBus

T = TypeVar("T")

#: Seconds that something takes which a thread does.
_WORK = (0.0, 0.001, 0.005, 0.05)
#: Seconds for which a node that stands still is taken for dead.
PAST_LEASE = 9.5
#: Milliseconds by which the clock of a node is wrong.
_WRONG = (-900, -100, 0, 0, 300, 900)


class _NodeClock(VirtualClock):
    """The clock of one machine."""

    def __init__(self, loop: VirtualLoop, wrong_ms: int) -> None:
        super().__init__(loop)
        self._wrong_ms = wrong_ms

    def wall_ms(self) -> int:
        return super().wall_ms() + self._wrong_ms


class _NodeDatabase(CrashingDatabase):
    """The connections of one node; where another process would crash, only this node dies."""

    def __init__(self, memory: Memory, process: SimulatedProcess) -> None:
        super().__init__(memory.url, memory.commits)
        self._process = process

    def _check(self) -> None:
        if self._process.dead:
            raise DiedError("the process is dead")
        super()._check()

    def _crash(self) -> Any:
        return self._process.die()

    def _hold(self) -> None:
        self._process.hold_for(PAST_LEASE)


class _NodeLease(Lease):
    """A lease whose thread is simulated."""

    house: _NodeHouse

    async def work(self, act: Callable[[], T]) -> T:
        return await self.house.work(act)


class _NodeHouse(House):
    """A house without threads: what they would do is done a little later."""

    def __init__(
        self, memory: Memory, process: SimulatedProcess, loop: VirtualLoop, config: Config, rng: Random
    ) -> None:
        database = _NodeDatabase(memory, process)
        clock = _NodeClock(loop, rng.choice(_WRONG))
        super().__init__(config, database, memory.shoes, clock, memory.price, memory.codes)
        self.membership = Membership(
            database,
            clock=clock.wall_ms,
            monotonic=clock.monotonic,
            database_clock=VirtualClock(loop).wall_ms,
        )
        self.inline = LiveWriter(database, rng)
        self._rng = rng
        #: What threads would be doing now.
        self.working = 0

    async def open(self) -> None:
        """Join the house, as soon as the last node of this name is dead."""
        membership, config = self.membership, self.config
        assert membership is not None
        self.writer = cast(GroupWriter, WriterQueue(self.inline))
        while True:
            with suppress(TakenError):
                node = await self.work(lambda: membership.join(config.bus.node, "1", "the same"))
                break
            await asyncio.sleep(0.25)
        self.lease = _NodeLease(membership, node, ANYONE)
        self.lease.house = self
        self.store = await self.work(lambda: Store(self.database, self.inline, node))
        shoes, price, codes = self._parts
        self.tools = Tools(self.store, shoes, price, codes or secure_code)
        self._cashier = await self.work(lambda: Cashier.open(self.store, self.clock.wall_ms()))

    def be(self, node: Node) -> None:
        """Go on as another node; the codes of rounds are those of the simulation."""
        tools = self.tools
        super().be(node)
        self.tools = tools

    async def _run(self, threads: ThreadPoolExecutor, act: Callable[[], T]) -> T:  # type: ignore[override]
        self.working += 1
        try:
            await asyncio.sleep(self._rng.choice(_WORK))
            result = act()
            await asyncio.sleep(self._rng.choice(_WORK))
        finally:
            self.working -= 1
        return result


class _NodePlayers:
    """What a node's connections ask of its players: every login holds, and nobody has limits."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._bets = PlayerLocks()
        self.on_change: list[Callable[[int], None]] = []

    async def confirm(self, login: Login) -> bool:
        return True

    async def role_of(self, login: Login, *, anew: bool) -> Role:
        return login.role

    def turn_to_bet(self, player: int, currency: str) -> AbstractAsyncContextManager[PlayerLock]:
        return self._bets.turn(player)

    async def may_bet(self, *_: object) -> None:
        await asyncio.sleep(self._rng.choice(_WORK))

    def forget(self, player: int) -> None:
        pass

    async def changed_elsewhere(self, player: int) -> None:
        pass


class _NodeChanges(PlayerChanges):
    """What changes for players whose logins are not in the database, and hold."""

    async def end_logins(self) -> None:
        """End none."""


class SimulatedNode:
    """A node from its start to its end; another one takes its place."""

    def __init__(
        self, memory: Memory, loop: VirtualLoop, config: Config, wire: FaultyWire, rng: Random
    ) -> None:
        self.process = SimulatedProcess(loop)
        self.name = config.bus.node
        self._loop = loop
        self._wire = wire
        self.house = _NodeHouse(memory, self.process, loop, config, rng)
        self.registry = TableRegistry(self.house)
        parts = Mock(
            house=self.house,
            registry=self.registry,
            players=_NodePlayers(rng),
            changes=_NodeChanges(self.registry),
            rates=NoRates(),
        )
        self._services = cast(Services, parts)
        self.cluster: ClusterNode | None = None
        self.lines: list[Line] = []
        self.sockets: dict[Connection, asyncio.Task[None]] = {}
        #: Whether it serves, and whether it was told to stop.
        self.is_open = self.stopping = False

    def begin(self, work: Any) -> asyncio.Task[Any]:
        """Let the node do something."""
        with self.process.running():
            return self._loop.create_task(work)

    async def open(self) -> None:
        """As `create_app` puts a node together."""
        await self.house.open()
        assert self.house.lease is not None
        self.cluster = ClusterNode(self._services, LocalBus(self._wire), self.house.lease)
        await self.registry.open()
        await self.cluster.open()
        self.is_open = True

    async def stop(self) -> None:
        """As SIGTERM stops it: its tables are handed over, its sockets closed, its lease ends."""
        assert self.cluster is not None
        assert self.house.lease is not None
        self.stopping = self.house.draining = True
        await self.cluster.retire()
        self.is_open = False
        for connection in list(self.registry.connections):
            connection.close_for_shutdown()
        await self.registry.close()
        await self.cluster.close()
        while self.house.inline.waiting:
            await asyncio.sleep(0.01)
        await self.house.lease.close()
        self.kill()

    def kill(self) -> None:
        """End it at once; what it has written on its lines still comes."""
        self.process.die()
        self.bury()

    def bury(self) -> None:
        """It is dead: its sockets are closed, and the bus does not reach it."""
        self.is_open = False
        if self.cluster is not None:
            self._wire.forget(self.cluster.links.me)
        for line in self.lines:
            if not line.closed:
                line.cut()

    def connect(self, person: Login, line: Line) -> None:
        """A player's connection comes in."""
        with self.process.running():
            login = person._replace(expires_at=2**53)
            socket = Connection(self._services, login, cast(Any, line), cast(Any, line))
            self.lines.append(line)
            self.sockets[socket] = self._loop.create_task(socket.run())

    def viewers_of(self, table: str) -> set[Dispatcher]:
        """The connections here that look at a table of another node."""
        assert self.cluster is not None
        found = self.cluster.elsewhere._tables.get(table)
        return set() if found is None else {viewer.dispatcher for viewer in found.viewers}

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        assert self.cluster is not None
        runtimes: list[TableRuntime[Any]] = [*self.registry.live.values(), *self.registry.solo.values()]
        return (
            self.process.held
            or self.stopping
            or bool(self.house.inline.waiting)
            or any(viewer.waiting for viewer in self.cluster.elsewhere._viewers.values())
            or any(runtime.broken or runtime.busy for runtime in runtimes)
            or any(not line.idle for line in self.lines if not line.closed)
        )
