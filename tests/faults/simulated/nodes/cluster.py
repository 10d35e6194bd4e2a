"""The nodes of a house in simulation, with what happens to them: kills, freezes, cuts, restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.server.accounts.logins import Login
from sabot.server.config import BusConfig, Config
from sabot.server.tables.opening import LIVE
from sabot.server.tables.player_changes import PlayerChanges
from sabot.server.tables.registry import LiveRuntime
from sabot.server.tables.runtime import TableRuntime
from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.tables.live.table import LiveTable
from tests.faults.live.network import Line
from tests.faults.simulated.house import DATABASE_ERRORS, Memory
from tests.faults.simulated.invariants import check_house
from tests.faults.simulated.loop import DiedError, VirtualLoop
from tests.faults.simulated.nodes.node import SimulatedNode
from tests.faults.simulated.nodes.wire import FaultyWire

#: Seconds that a node stands still or is cut off: a moment, less than a lease, longer than one, much longer.
_STILL, _CUT_OFF = (0.5, 3.0, 9.0, 15.0), (0.3, 2.0, 7.0, 25.0)
#: Seconds before a node that has ended is started again.
_RESTART = (0.5, 4.0, 12.0)
#: Seconds within which a table has an owner again (CLU-20), if no other node ends meanwhile; and those of the opening.
TAKEN_WITHIN, OPENED_WITHIN = 10.0, 30.0
#: Seconds after which a new node can find others dead: it has renewed its lease four times.
HEALTHY_AFTER = 8.5


class Weather(NamedTuple):
    """What happens to the nodes beside faults at commits."""

    nodes: int = 3
    #: Seconds between two troubles of nodes; 0 for none.
    every: float = 0.0
    #: How likely each trouble of the bus is, of a message.
    bus: float = 0.0


class SimulatedCluster:
    """A house of several nodes, as its players have it before them: a load balancer sends them to any."""

    def __init__(self, memory: Memory, loop: VirtualLoop, config: Config, weather: Weather) -> None:
        self.memory = memory
        self.loop = loop
        self.rng = Random(f"cluster/{memory.seed}/{memory.lives}")
        self.database = Database(memory.url, durable=False)
        self.moving = asyncio.Event()
        self.moving.set()
        self.closing = False
        self.quiet = 40
        self.left: list[LogEntry] = []
        self.wire = FaultyWire(Random(f"wire/{memory.seed}"), weather.bus)
        self.nodes: list[SimulatedNode] = []
        #: What has happened, and how often.
        self.happened: dict[str, int] = {}
        self._weather = weather
        self._config = config
        self._tasks: list[asyncio.Task[None]] = []
        self._names = [f"n{number}" for number in range(weather.nodes)]
        #: When each node was first seen, by its id: one that was found dead joins again as a new one.
        self._joined: dict[int, float] = {}
        #: Since when each table has no owner that can go on with it.
        self._free: dict[str, float] = {}
        self._failed: list[BaseException] = []

    # Begin and end

    async def open(self) -> None:
        """Start the nodes, and wait until every table has an owner."""
        for name in self._names:
            self._start(name, 0.0)
        works = [self._watch()] + ([self._trouble()] if self._weather.every else [])
        self._tasks = [asyncio.create_task(self._guarded(work)) for work in works]
        async with asyncio.timeout(OPENED_WITHIN):
            while len(self.desks) < len(self._config.table):
                await asyncio.sleep(0.1)

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except Exception as error:
            self._failed.append(error)

    async def close(self) -> None:
        """Stop every node."""
        for task in self._tasks:
            task.cancel()
        for node in self.serving:
            await self._until_done(node, node.begin(node.stop()))

    def cut(self) -> None:
        """Nothing more comes from any node."""
        for node in self.nodes:
            node.bury()
        if self._failed:
            raise self._failed[0]

    def _start(self, name: str, after: float) -> None:
        config = replace(self._config, bus=BusConfig(url=("nats://simulated",), node=name))
        rng = Random(f"node/{len(self.nodes)}/{self.memory.seed}")
        node = SimulatedNode(self.memory, self.loop, config, self.wire, rng)
        self.nodes.append(node)

        async def start() -> None:
            await asyncio.sleep(after)
            try:
                await node.open()
            except (*DATABASE_ERRORS, Refusal):  # it ends with a line that says why, and is started again
                node.process.die()

        node.begin(start())

    # Nodes

    @property
    def serving(self) -> list[SimulatedNode]:
        """Nodes that are open, also those that stand still."""
        return [node for node in self.nodes if node.is_open and not node.process.dead]

    @property
    def desks(self) -> dict[str, LiveRuntime]:
        """The tables, each at the node that owns it."""
        owners = self._owners()
        found = {}
        for node in self.serving:
            assert node.cluster is not None
            for name, runtime in node.registry.live.items():
                if owners.get(name) == node.cluster.me.id:
                    found[name] = runtime
        return found

    def _owners(self) -> dict[str, int]:
        with self.database.reading() as connection:
            return {
                row.name: row.owner for row in connection.exec_driver_sql("SELECT name, owner FROM streams")
            }

    def find(self, table: str) -> TableRuntime[Any] | None:
        """A table, live or not, at the node that owns it."""
        owner = self._owners().get(table)
        for node in self.serving:
            assert node.cluster is not None
            if node.cluster.me.id == owner:
                return node.registry.live.get(table) or node.registry.solo.get(table)
        return None

    @property
    def busy(self) -> bool:
        """Whether something is under way anywhere."""
        return (
            len(self.serving) < len(self._names)
            or bool(self.wire.cut)
            or len(self.desks) < len(self._config.table)
            or any(node.busy for node in self.serving)
        )

    # What players and supervisors do

    def connect(self, person: Login, line: Line) -> None:
        """A connection comes to any node that is ready; one that has just died refuses it."""
        ready = [node for node in self.serving if not node.stopping]
        if ready:
            self.rng.choice(ready).connect(person, line)
        else:
            line.abort()

    def logout(self, player: int) -> None:
        """All logins of a player end, at any node."""
        node = self.rng.choice(self.serving or [None])
        if node is not None and not node.process.held:
            with node.process.running():
                PlayerChanges(node.registry).logout(player, None)

    async def order(self, table: str, act: Callable[[LiveTable], None]) -> None:
        """Let a supervisor do something to a table; an order to a node that dies is not answered."""
        desk = self.desks.get(table)
        owner = next((node for node in self.serving if node.registry.live.get(table) is desk), None)
        if desk is not None and owner is not None:
            await self._until_done(owner, owner.begin(desk.order(act)))

    @staticmethod
    async def _until_done(node: SimulatedNode, task: asyncio.Task[Any]) -> None:
        """Wait for something that a node does, unless it dies."""
        while not task.done() and not node.process.dead:
            await asyncio.sleep(0.1)
        if task.done() and not isinstance(task.exception(), DiedError):
            task.result()

    def people_at(self, desk: LiveRuntime) -> list[Login]:
        """Who looks at a table, from any node."""
        found = []
        for node in self.serving:
            afar = node.viewers_of(desk.name)
            found += [
                socket.login
                for socket, task in node.sockets.items()
                if not task.done() and (socket in desk.subscribers or socket.dispatcher in afar)
            ]
        return found

    # Beside

    async def _watch(self) -> None:
        """Start what has ended, look that tables are owned, and that the books are right at every moment."""
        ended: set[SimulatedNode] = set()
        for turn in count():
            await asyncio.sleep(0.1)
            self.wire.fault = self._weather.bus if self.moving.is_set() and not self.closing else 0.0
            for node in self.nodes:
                if node.process.dead and node not in ended:
                    ended.add(node)
                    node.bury()
                    self._note("ended")
                    check_house(self.database)
                    self._free.clear()
                    self._start(node.name, self.rng.choice(_RESTART))
            if turn % 5 == 0:
                self._check_owned()
            if turn % 50 == 0:
                check_house(self.database)

    def _check_owned(self) -> None:
        """A table has an owner again in time, if there is a node that can find others dead.

        While nodes end, stand still or are cut off the time begins anew.
        """
        now, owned = self.loop.time(), self.desks
        if self.wire.cut or any(node.process.held for node in self.nodes):
            self._free.clear()
        ids = [node.cluster.me.id for node in self.serving if node.cluster is not None]
        if not any(now - self._joined.setdefault(id, now) > HEALTHY_AFTER for id in ids):
            self._free.clear()
        for section in self._config.table:
            name = LIVE + section.name
            if name in owned:
                self._free.pop(name, None)
            since = self._free.setdefault(name, now) if name not in owned else now
            assert now - since < TAKEN_WITHIN, (
                f"{name} has no owner after {now - since:.1f} s, of {self._owners()}: "
                f"{[(node.name, node.cluster and node.cluster.me.id, node.is_open) for node in self.nodes]}"
            )

    async def _trouble(self) -> None:
        """Now and then something happens to a node."""
        while not self.closing:
            await asyncio.sleep(2 * self._weather.every * self.rng.random())
            await self.moving.wait()
            nodes = [node for node in self.serving if not (node.process.held or node.stopping)]
            if not nodes or self.closing:
                continue
            node = self.rng.choice(nodes)
            match self.rng.randrange(4):
                case 0:
                    self._note("killed")
                    node.kill()
                case 1:
                    self._note("held")
                    node.process.hold_for(self.rng.choice(_STILL))
                case 2:
                    self._note("cut off")
                    asyncio.get_running_loop().call_later(self.rng.choice(_CUT_OFF), self.wire.cut.clear)
                    assert node.cluster is not None
                    self.wire.cut.add(node.cluster.links.me)
                case _:
                    self._note("stopped")
                    node.begin(node.stop())

    def _note(self, what: str) -> None:
        self.happened[what] = self.happened.get(what, 0) + 1
