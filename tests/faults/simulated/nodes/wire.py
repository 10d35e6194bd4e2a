"""A bus in virtual time that loses, repeats, delays and reorders what it carries (CLU-02)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from random import Random
from typing import NamedTuple

Receive = Callable[[bytes], None]

#: Seconds that a message is on its way, and those of one that is late.
_WAY, _LATE = (0.0005, 0.001, 0.003), (0.02, 0.3, 2.0)


class _Ear(NamedTuple):
    """Where a node hears, in its own process."""

    receive: Receive
    context: Context


class FaultyWire:
    """Carries messages between nodes: in order where nothing goes wrong, which it does with some likelihood."""

    def __init__(self, rng: Random, fault: float) -> None:
        self._rng = rng
        #: How likely each trouble is, of a message.
        self.fault = fault
        self._ears: dict[int, _Ear] = {}
        #: Nodes that are cut off.
        self.cut: set[int] = set()
        #: When the last message of each way arrives.
        self._last: dict[tuple[int, int], float] = {}

    def listen(self, node: int, receive: Receive) -> None:
        """Let a node hear."""
        self._ears[node] = _Ear(receive, copy_context())

    def forget(self, node: int) -> None:
        """A node does not hear any more."""
        self._ears.pop(node, None)

    def carry(self, sender: int, to: int, packed: bytes) -> None:
        """Bring bytes to a node."""
        if to not in self._ears:
            return
        chance = self._rng.random() if self.fault else 1.0
        if chance < self.fault:  # lost
            return
        if chance < 2 * self.fault:  # overtaken by those after it
            self._deliver(sender, to, packed, self._rng.choice(_LATE))
            return
        loop = asyncio.get_running_loop()
        due = max(loop.time() + self._rng.choice(_WAY), self._last.get((sender, to), 0.0) + 1e-6)
        self._last[sender, to] = due
        self._deliver(sender, to, packed, due - loop.time())
        if chance < 3 * self.fault:  # comes twice
            self._deliver(sender, to, packed, self._rng.choice(_LATE))

    def _deliver(self, sender: int, node: int, packed: bytes, after: float) -> None:
        def arrive() -> None:
            if node in self._ears and not self.cut & {node, sender}:
                self._ears[node].receive(packed)

        asyncio.get_running_loop().call_later(after, arrive, context=self._ears[node].context)
