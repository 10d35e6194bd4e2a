"""This process as one of the nodes of a house: its lease, its links, and the live tables that it shall own (CLU)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from sabot.server.cluster import messages
from sabot.server.cluster.errands import Errands
from sabot.server.cluster.heads import heads_of
from sabot.server.cluster.lease import Lease, repeat, whenever
from sabot.server.cluster.links import Bus, Links
from sabot.server.cluster.ownership import Ownership
from sabot.server.cluster.remote_connections import RemoteConnections
from sabot.server.cluster.remote_tables import RemoteTables
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.tables.opening import LIVE, SoloName
from sabot.store.nodes.node import Node, owners_of

#: Seconds between two beats, at which the others are told and looked at, and between two looks for the owners of tables.
BEAT, FIND = 1.0, 0.2
#: Seconds between two reads of what may have been lost on the bus: logins that have ended, and mutes.
REPAIR = 30.0
#: Seconds after which a node that is not heard is taken to have lost its connections here.
SILENT = 5.0


class OpenBus(Bus, Protocol):
    """A bus that is opened and closed with the house."""

    @property
    def key(self) -> bytes:
        """The key of the house's messages."""

    async def open(self, node: int, receive: Callable[[bytes], None]) -> None:
        """Connect, and hand on what comes for a node."""

    async def close(self) -> None:
        """Disconnect."""


class ClusterNode:
    """A node of the house. Everything but the lease runs on the event loop."""

    def __init__(self, services: Services, bus: OpenBus, lease: Lease) -> None:
        self._services = services
        self._house = services.house
        self._registry = services.registry
        self._bus = bus
        self._lease = lease
        self._tasks: list[asyncio.Task[None]] = []
        self._spawned: set[asyncio.Task[None]] = set()
        #: The nodes that live, as last seen.
        self.living: dict[int, Node] = {}
        self._own = Ownership(self._registry, lease)
        #: When each node was last heard, and since when there is no bus, by the loop's clock.
        self._heard_at: dict[int, float] = {}
        self._cut_at: float | None = None
        #: Set at each beat: a process that does all it has to do at one moment is woken up less.
        self._beaten = asyncio.Event()
        self.links = Links(bus, lease.node.id, bus.key, self._hear, self._missed)
        self.elsewhere = self._registry.elsewhere = RemoteTables(self.links, self._house.clock)
        self.guests = RemoteConnections(services, self.links)
        self.errands = Errands(services, self.links, self.elsewhere)
        self._registry.announce, self._registry.send_errand = self._tell_others, self.errands.send
        self._registry.moved = lambda table: self._tell_others(messages.TableMoved(table))
        services.players.on_change.append(lambda player: self._tell_others(messages.Changed(player)))
        services.settings.announce = partial(self._tell_others, messages.SettingsMade())
        for section in self._house.config.table:
            self.elsewhere.expect(LIVE + section.name)

    async def open(self) -> None:
        """Join the bus, look who is there, and take the tables that fall to this node."""
        await self._bus.open(self.me.id, self.links.receive)
        await self._look()
        turns = (
            (self._lease.every, self._renew),
            (BEAT, self._beat),
            (REPAIR, self._services.changes.repair),
        )
        works = [repeat(every, act) for every, act in turns]
        works += [whenever(self._beaten, self._look), whenever(self.elsewhere.lost, self._find_owners)]
        self._tasks += map(asyncio.create_task, works)

    async def close(self) -> None:
        """Leave the house: its tables can be taken at once."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self._bus.close()

    # The lease

    @property
    def me(self) -> Node:
        """This node."""
        return self._lease.node

    async def _renew(self) -> None:
        cut_off = 0.0 if self._cut_at is None else self._now() - self._cut_at
        if not await self._lease.renew({**self._registry.load(), "cut_off": cut_off}):
            await self._rejoin()

    async def _rejoin(self) -> None:
        """This node was taken for dead, and its tables are others': let them go, and begin anew."""
        self._let_tables_go()
        for node in self.living:
            self._part_from(node)
        self.living = {}
        await self._lease.rejoin()
        self._house.be(self.me)
        self._let_tables_go()  # that were opened meanwhile
        self.links.become(self.me.id)
        await self._bus.open(self.me.id, self.links.receive)

    def _let_tables_go(self) -> None:
        for runtime in list(self._registry.live.values()):
            self._registry.depart(runtime)
        for solo in list(self._registry.solo.values()):
            solo.throw_away("stream/fenced")

    # The other nodes

    async def _look(self) -> None:
        """See who lives, find the dead, and own what shall be owned here."""
        look = partial(self._lease.membership.look, self.elsewhere.names())
        nodes, owners = await self._lease.work(look)
        known = {*self.living, *self._heard_at}  # one that was buried and still speaks is dead all the same
        living = {node.id: node for node in nodes}
        for node in known - living.keys():
            self._part_from(node)
        self.living = living
        self.links.know(living)
        self.elsewhere.correct(owners)
        await self._own.place(living)

    def _part_from(self, node: int) -> None:
        """A node is dead: its connections are gone, and its tables have no owner."""
        self._heard_at.pop(node, None)
        self.guests.drop_all(node)
        self.elsewhere.lose_node(node)

    async def _find_owners(self) -> None:
        """Find the owners of tables that have lost theirs."""
        while self.elsewhere.ownerless():
            await asyncio.sleep(FIND)  # the one before may be about to let it go
            await self._find(self.elsewhere.ownerless())

    async def _find(self, names: list[str]) -> None:
        owners = await self._house.read(partial(owners_of, names=names))
        for name, owner in owners.items():
            if not self.elsewhere.knows(name):  # nobody looks at it any more
                continue
            if owner is not None and owner != self.me.id:
                self.elsewhere.found(name, owner)
            elif not name.startswith(LIVE):
                await self._own.take(name, partial(self._take_home, name))
            elif owner is not None:
                await self._own.give_up(name)

    async def _take_home(self, name: str) -> None:
        """Open a player's own table here, where the player is."""
        await self._registry.open_solo(SoloName.parse(name), self.elsewhere.vip_at(name))

    async def retire(self) -> None:
        """Hand the live tables over as their rounds end, before this node closes (CLU-21)."""
        await self._own.retire()

    # Messages

    async def _beat(self) -> None:
        """Give every other node a sign of life, and the lobby what it shows of this one's tables."""
        now = self._now()
        self._tell_others(heads_of(self._registry.own_heads(), self._registry.own_floor()))
        self._notice_silence(now)
        self.elsewhere.tend()
        self._beaten.set()

    def _notice_silence(self, now: float) -> None:
        """Without a bus, or of a node that is not heard, connections are gone until they are attached again (CLU-23)."""
        if self.links.up:
            self._cut_at = None
        else:
            self._cut_at = self._cut_at or now
            self.elsewhere.cut_off()
        for node, heard_at in list(self._heard_at.items()):
            if now - heard_at > SILENT and self.guests.has(node):
                self.guests.drop_all(node)
                self.links.post(node, messages.Missed())

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _tell_others(self, message: messages.AnyMessage) -> None:
        """Tell every other node something."""
        self.links.post_all([node for node in self.living if node != self.me.id], message)

    def _missed(self, node: int) -> None:
        """Something that a node sent was lost: both sides attach their connections again."""
        self.guests.drop_all(node)
        self.links.post(node, messages.Missed())
        self.elsewhere.missed(node)

    def _hear(self, node: int, message: messages.AnyMessage) -> None:
        self._heard_at[node] = self._now()
        match message:
            case messages.Ask():
                self.guests.ask(node, message)
            case messages.Attach():
                self.guests.attach(node, message)
            case messages.Gone(connection=number):
                self.guests.gone(node, number)
            case messages.Errand():
                self.errands.take(node, message)
            case messages.ErrandDone():
                self.errands.done(message)
            case messages.Missed():
                self.elsewhere.missed(node)
            case messages.Heads():
                self.elsewhere.heads.keep(node, message)
            case messages.LoggedOut(player=player, token=token):
                self._services.players.forget(player)
                self._services.changes.log_out_here(player, token)
            case messages.Preferred(player=player, settings=settings):
                self._services.changes.prefer_here(player, settings)
            case messages.Changed(player=player):
                self._spawn(self._services.players.changed_elsewhere(player))
            case messages.Granted(player=player, currency=currency):
                self._spawn(self._services.changes.bring_granted_here(player, currency))
            case messages.SettingsMade():
                self._spawn(self._services.settings.refresh())
            case messages.Muted(player=player, minutes=minutes):
                self._registry.chat.mute(player, minutes)
            case _:
                self.elsewhere.hear(node, message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that a message asks for; a failure is logged."""
        task = asyncio.create_task(_logged(work))
        self._spawned.add(task)
        task.add_done_callback(self._spawned.discard)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception as error:
        failed("a message was not obeyed", error)
