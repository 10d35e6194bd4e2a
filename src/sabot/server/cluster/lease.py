"""The lease of this process: renewed again and again, as long as its event loop runs (CLU-03)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from sabot.server.logs import failed
from sabot.store.nodes.joining import JoinRule
from sabot.store.nodes.membership import RENEWALS_PER_LEASE, Membership
from sabot.store.nodes.node import BuriedError, Node

T = TypeVar("T")

#: Seconds after which work that failed is tried again.
AGAIN = 0.5


class Lease:
    """Renews a lease in a thread of its own; a process that was found dead meanwhile joins again."""

    def __init__(self, membership: Membership, node: Node, rule: JoinRule) -> None:
        self.membership = membership
        self.node = node
        self._rule = rule
        self._thread = ThreadPoolExecutor(1, "sabot-lease")

    @property
    def every(self) -> float:
        """Seconds between two renewals."""
        return self.membership.lease_ms / 1000 / RENEWALS_PER_LEASE

    @property
    def is_sure(self) -> bool:
        """Whether no other node can have taken this one's place; the only node of a house is always sure."""
        return self._rule.most == 1 or self.membership.is_sure

    async def renew(self, load: Mapping[str, float]) -> bool:
        """Renew the lease; False if this node was found dead."""
        try:
            await self.work(partial(self.membership.renew, load))
        except BuriedError:
            return False
        return True

    async def rejoin(self) -> Node:
        """Become a new node, after this one was found dead."""
        old = self.node
        join = partial(self.membership.join, old.name, old.release, old.settings, self._rule)
        self.node = await self.work(join)
        return self.node

    async def work(self, act: Callable[[], T]) -> T:
        """Do something in the thread of the lease."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, act)

    async def close(self) -> None:
        """Leave: what this node owns can be taken at once."""
        with suppress(Exception):  # whoever cannot leave is found dead later
            await self.work(self.membership.leave)
        await self.work(self.membership.close)
        self._thread.shutdown(wait=False)


async def repeat(every: float, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something again and again; what fails is logged, and tried again the next time."""
    while True:
        await asyncio.sleep(every)
        await _try(act)


async def whenever(happened: asyncio.Event, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something each time that an event happens; what fails is logged, and tried again a moment later."""
    while True:
        await happened.wait()
        happened.clear()
        if not await _try(act):
            await asyncio.sleep(AGAIN)
            happened.set()


async def _try(act: Callable[[], Coroutine[Any, Any, None]]) -> bool:
    try:
        await act()
    except Exception as error:
        failed("a node's work failed", error)
        return False
    return True
