"""This process as one of the nodes of a house: its lease, its links, and the live tables that it shall own (CLU)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from sabot.errors import Refusal
from sabot.server.cluster import messages
from sabot.server.cluster.errands import Errands
from sabot.server.cluster.lease import Lease, repeat
from sabot.server.cluster.links import Bus, Links
from sabot.server.cluster.placement import place
from sabot.server.cluster.remote_connections import RemoteConnections
from sabot.server.cluster.remote_tables import RemoteTables
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.tables.opening import LIVE, SoloName
from sabot.server.tables.registry import LiveRuntime
from sabot.store.nodes import Node, owners_of

#: Seconds between two looks at the other nodes, at tables without an owner, and between two beats of a link.
WATCH, TEND, BEAT = 1.0, 0.25, 1.0
#: Seconds that a node which closes waits for the ends of its rounds; what is open then goes on at the next owner.
LONGEST_ROUND = 120.0


class OpenBus(Bus, Protocol):
    """A bus that is opened and closed with the house."""

    @property
    def key(self) -> bytes:
        """The key of the house's messages."""

    async def open(self, node: int, receive: Callable[[bytes], None]) -> None:
        """Connect, and hand on what comes for a node and for everyone."""

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
        self._taking: set[str] = set()
        #: When the last beat was, by the loop's clock, and how much too late.
        self._beat_at, self._lag_ms = 0.0, 0
        self.links = Links(bus, lease.node.id, bus.key, self._hear, self._missed)
        self.elsewhere = self._registry.elsewhere = RemoteTables(self.links, self._house.clock)
        self.guests = RemoteConnections(services, self.links)
        self.errands = Errands(services, self.links, self.elsewhere)
        self._registry.announce, self._registry.send_errand = self.links.broadcast, self.errands.send
        services.players.on_change.append(lambda player: self.links.broadcast(messages.Changed(player)))
        for section in self._house.config.table:
            self.elsewhere.expect(LIVE + section.name)

    async def open(self) -> None:
        """Join the bus, look who is there, and take the tables that fall to this node."""
        await self._bus.open(self.me.id, self.links.receive)
        await self._look()
        self._beat_at = asyncio.get_running_loop().time()
        turns = ((self._lease.every, self._renew), (WATCH, self._look), (TEND, self._tend))
        for every, act in (*turns, (BEAT, self._beat)):
            self._tasks.append(asyncio.create_task(repeat(every, act)))

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
        registry = self._registry
        load = {"solo": len(registry.solo), "sockets": len(registry.connections), "lag_ms": self._lag_ms}
        if not await self._lease.renew(load):
            await self._rejoin()

    async def _rejoin(self) -> None:
        """This node was taken for dead, and its tables are others': let them go, and begin anew."""
        for runtime in list(self._registry.live.values()):
            self._registry.depart(runtime)
        for solo in list(self._registry.solo.values()):
            solo.throw_away("stream/fenced")
        for node in self.living:
            self._part_from(node)
        self.living = {}
        await self._lease.rejoin()
        self._house.be(self.me)
        self.links.become(self.me.id)
        await self._bus.open(self.me.id, self.links.receive)

    # The other nodes

    async def _look(self) -> None:
        """See who lives, find the dead, and own what shall be owned here."""
        await self._lease.work(self._lease.membership.bury)
        living = {node.id: node for node in await self._lease.work(self._lease.membership.living)}
        for node in self.living.keys() - living.keys():
            self._part_from(node)
        self.living = living
        await self._place()

    def _part_from(self, node: int) -> None:
        """A node is dead: its connections are gone, and its tables have no owner."""
        self.links.forget(node)
        self.guests.drop_all(node)
        self.elsewhere.lose_node(node)

    async def _place(self) -> None:
        """Take live tables that fall to this node and are free; hand one over that falls to another."""
        sections = {LIVE + section.name: section for section in self._house.config.table}
        placed = place(sections, self._able() or [self.me.id])
        for name, section in sections.items():
            runtime = self._registry.live.get(name)
            if runtime is None and placed[name] == self.me.id and name not in self._taking:
                await self._take(name, partial(self._registry.open_live, section))
            elif runtime is not None and placed[name] != self.me.id and _is_at_rest(runtime):
                await self._hand_over(runtime)

    def _able(self) -> list[int]:
        """The nodes that may own live tables: those that stay, and have the settings of the one that is here longest."""
        first = min(self.living, default=None)
        return [
            node.id
            for node in self.living.values()
            if first is not None and not node.draining and node.settings == self.living[first].settings
        ]

    async def _take(self, name: str, open: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self._taking.add(name)
        try:
            await open()
        except Refusal as error:
            if error.code not in ("stream/owned", "node/buried"):
                failed("a table cannot be taken", error, table=name)
        finally:
            self._taking.discard(name)

    async def _hand_over(self, runtime: LiveRuntime) -> None:
        """Let a table go between two rounds; the node that it falls to takes it."""
        if self._registry.live.get(runtime.name) is not runtime:
            return
        self._registry.depart(runtime)
        await self._house.work(partial(self._house.store.release, runtime.adapter.base.stream))

    async def _tend(self) -> None:
        """Find the owners of tables that have none; refuse what was not answered in time."""
        self.elsewhere.give_up_late()
        names = self.elsewhere.ownerless()
        if not names:
            return
        owners = await self._house.read(partial(owners_of, names=names))
        for name, owner in owners.items():
            if owner is not None and owner != self.me.id:
                self.elsewhere.found(name, owner)
            elif not name.startswith(LIVE):
                await self._take(name, partial(self._take_home, name))

    async def _take_home(self, name: str) -> None:
        """Open a player's own table here, where the player is."""
        await self._registry.open_solo(SoloName.parse(name), self.elsewhere.vip_at(name))

    async def retire(self) -> None:
        """Hand the live tables over as their rounds end, before this node closes (CLU-21)."""
        await self._lease.work(self._lease.membership.drain)
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_ROUND):
                await self._hand_all_over()

    async def _hand_all_over(self) -> None:
        while self._registry.live:
            for runtime in list(self._registry.live.values()):
                if _is_at_rest(runtime):
                    await self._hand_over(runtime)
            await asyncio.sleep(TEND)

    # Messages

    async def _beat(self) -> None:
        """Give every other node a sign of life, and the lobby what it shows of this one's tables."""
        now = asyncio.get_running_loop().time()
        self._lag_ms = max(0, round(1000 * (now - self._beat_at - BEAT)))
        self._beat_at = now
        for node in self.living:
            if node != self.me.id:
                self.links.post(node, messages.Beat())
        self.links.broadcast(messages.Heads(self._registry.own_heads()))

    def _missed(self, node: int) -> None:
        """Something that a node sent was lost: both sides attach their connections again."""
        self.guests.drop_all(node)
        self.links.post(node, messages.Missed())
        self.elsewhere.missed(node)

    def _hear(self, node: int, message: messages.AnyMessage) -> None:
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
            case messages.Beat():
                pass
            case messages.Heads(heads=heads):
                self.elsewhere.keep_heads(node, heads)
            case messages.LoggedOut(player=player, token=token):
                self._services.players.forget(player)
                self._registry.log_out_here(player, token)
            case messages.Preferred(player=player, settings=settings):
                self._registry.prefer_here(player, settings)
            case messages.Changed(player=player):
                self._spawn(self._services.players.changed_elsewhere(player))
            case messages.Granted(player=player, currency=currency):
                self._spawn(self._registry.bring_granted_here(player, currency))
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


def _is_at_rest(runtime: LiveRuntime) -> bool:
    """Whether a table can be handed over: between two rounds, with nothing on its way."""
    return not (runtime.table.table.in_round or runtime.busy or runtime.held or len(runtime.in_flight))
