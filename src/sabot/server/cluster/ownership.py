"""The live tables that this node owns, and those that it shall own: taken, handed over between rounds, given up (CLU-04)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from sabot.errors import Refusal
from sabot.server.cluster.lease import Lease
from sabot.server.cluster.placement import place
from sabot.server.logs import failed
from sabot.server.tables.opening import LIVE
from sabot.server.tables.registry import LiveRuntime, TableRegistry
from sabot.store.nodes.node import BuriedError, Node

#: Seconds that a node which closes waits for the ends of its rounds; what is open then goes on at the next owner.
LONGEST_ROUND = 120.0
#: Seconds between two looks at the rounds of a node that closes.
LOOK = 0.25
#: Seconds without a bus after which other nodes, which have one, get the live tables of a node.
LONGEST_CUT = 15.0


class Ownership:
    """Owns what falls to this node, of the nodes that live."""

    def __init__(self, registry: TableRegistry, lease: Lease) -> None:
        self._registry = registry
        self._house = registry.house
        self._lease = lease
        self._taking: set[str] = set()

    async def place(self, living: Mapping[int, Node]) -> None:
        """Take live tables that fall to this node and are free; hand one over that falls to another."""
        named = {LIVE + section.name: section for section in self._house.config.table}
        sections = named | self._registry.live_tables.leftovers
        me = self._lease.node.id
        placed = place(sections, able(living.values()) or [me])
        for name, section in sections.items():
            runtime = self._registry.live.get(name)
            if runtime is None and placed[name] == me:
                await self.take(name, partial(self._registry.live_tables.open, section))
            elif runtime is not None and placed[name] != me and name in named and _is_at_rest(runtime):
                await self._hand_over(runtime)

    async def take(self, name: str, open: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Open a table here, unless another node owns it."""
        if name in self._taking:
            return
        self._taking.add(name)
        try:
            await open()
        except Refusal as error:
            if error.code not in ("stream/owned", "node/buried"):
                failed("a table cannot be taken", error, table=name)
        finally:
            self._taking.discard(name)

    async def give_up(self, name: str) -> None:
        """Give up a live table that this node owns and does not run: a hand-over that the database did not answer."""
        if name not in self._registry.live and name not in self._taking:
            await self._house.work(partial(self._house.store.release_named, name))

    async def _hand_over(self, runtime: LiveRuntime) -> None:
        """Let a table go between two rounds; the node that it falls to takes it."""
        if self._registry.live.get(runtime.name) is runtime:
            self._registry.depart(runtime)
            try:
                await self._registry.chat.flush()  # the next owner shows what was said here
                await self._house.work(partial(self._house.store.release, runtime.adapter.base.stream))
            except (
                Exception
            ) as error:  # it is given up when the database answers; other tables are handed over
                failed("a table cannot be given up yet", error, table=runtime.name)

    async def retire(self) -> None:
        """Hand the live tables over as their rounds end, before this node closes (CLU-21)."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_ROUND):
                await self._drain()
                await self._hand_all_over()

    async def _drain(self) -> None:
        """Say that this node takes no more tables, as soon as the database answers."""
        while True:
            try:
                await self._lease.work(self._lease.membership.drain)
                return
            except BuriedError:  # it has no tables any more
                return
            except Exception as error:
                failed("a node cannot say yet that it closes", error)
            await asyncio.sleep(LOOK)

    async def _hand_all_over(self) -> None:
        while self._registry.live:
            for runtime in list(self._registry.live.values()):
                if _is_at_rest(runtime):
                    await self._hand_over(runtime)
            await asyncio.sleep(LOOK)


def able(living: Collection[Node]) -> list[int]:
    """The nodes that may own live tables: they stay, have a bus if any has, and the settings of the one here longest."""
    first = min(living, key=lambda node: node.id, default=None)
    staying = [
        node for node in living if first is not None and not node.draining and node.settings == first.settings
    ]
    joined = [node.id for node in staying if node.load.get("cut_off", 0) < LONGEST_CUT]
    return joined or [node.id for node in staying]


def _is_at_rest(runtime: LiveRuntime) -> bool:
    """Whether a table can be handed over: between two rounds, with nothing on its way."""
    return not (runtime.table.table.in_round or runtime.busy or len(runtime.in_flight))
