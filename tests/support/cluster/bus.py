"""A bus inside the test's own process, as reliable as the test wants it (CLU-02)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

Receive = Callable[[bytes], None]


@dataclass
class Wire:
    """What connects the nodes. With a seed it loses, repeats and reorders messages, each with this likelihood."""

    seed: int | None = None
    fault: float = 0.05
    #: Nodes that it reaches.
    heard: dict[int, Receive] = field(default_factory=dict)
    #: Nodes that are cut off.
    cut: set[int] = field(default_factory=set)
    posted: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def listen(self, node: int, receive: Receive) -> None:
        """Let a node hear."""
        self.heard[node] = receive

    def forget(self, node: int) -> None:
        """A node does not hear any more."""
        self.heard.pop(node, None)

    def carry(self, sender: int, to: int, packed: bytes) -> None:
        """Bring bytes to a node, soon."""
        self.posted += 1
        loop, receive = asyncio.get_running_loop(), self.heard.get(to)
        if receive is None or self.cut & {to, sender}:
            return
        if self.seed is None:
            loop.call_soon(receive, packed)
            return
        chance = self._random.random()
        if chance < self.fault:  # lost
            return
        loop.call_later(self._random.random() * 0.002 if chance < 2 * self.fault else 0, receive, packed)
        if chance > 1 - self.fault:
            loop.call_later(self._random.random() * 0.002, receive, packed)


class AnyWire(Protocol):
    """What a bus needs of a wire."""

    #: Nodes that are cut off.
    cut: set[int]

    def listen(self, node: int, receive: Receive) -> None:
        """Let a node hear."""

    def forget(self, node: int) -> None:
        """A node does not hear any more."""

    def carry(self, sender: int, to: int, packed: bytes) -> None:
        """Bring bytes to a node or to everyone."""


class LocalBus:
    """One node's end of a wire."""

    def __init__(self, wire: AnyWire, key: bytes = b"of the house") -> None:
        self.key = key
        self._wire = wire
        self._node: int | None = None

    @property
    def up(self) -> bool:
        """Whether the node is not cut off."""
        return self._node is not None and self._node not in self._wire.cut

    async def open(self, node: int, receive: Receive) -> None:
        """Be a node; a process that was cut off as another one is so still."""
        if self._node in self._wire.cut:
            self._wire.cut.add(node)
        await self.close()
        self._node = node
        self._wire.listen(node, receive)

    async def close(self) -> None:
        """Be none any more."""
        if self._node is not None:
            self._wire.forget(self._node)

    def post(self, node: int, packed: bytes) -> None:
        """Send bytes."""
        if self.up and self._node is not None:
            self._wire.carry(self._node, node, packed)
