"""The live tables of other nodes as the lobby and the floor show them (CLU-12): kept as they came, read when they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from sabot.protocol.messages import TableHead
from sabot.server.cluster.messages import Heads
from sabot.server.metrics import BUS_REFUSED
from sabot.server.tables.floor import FloorState
from sabot.tables.live.timers import Clock

T = TypeVar("T")

#: Seconds after which a table that was not heard of is not shown in the lobby.
HEADS_OLD = 15.0

_encode = msgspec.msgpack.Encoder().encode
_HEADS = msgspec.msgpack.Decoder(tuple[TableHead, ...])
_FLOOR = msgspec.msgpack.Decoder(tuple[FloorState, ...])


def heads_of(heads: tuple[TableHead, ...], floor: tuple[FloorState, ...]) -> Heads:
    """What a node tells of its tables."""
    return Heads(msgspec.Raw(_encode(heads)), msgspec.Raw(_encode(floor)))


@dataclass(slots=True)
class _Told:
    """What a node has told, and when; its bytes are read when they are first shown."""

    at: float
    message: Heads
    heads: tuple[TableHead, ...] | None = None
    floor: tuple[FloorState, ...] | None = None

    def read_heads(self) -> tuple[TableHead, ...]:
        if self.heads is None:
            self.heads = _read(_HEADS, self.message.heads)
        return self.heads

    def read_floor(self) -> tuple[FloorState, ...]:
        if self.floor is None:
            self.floor = _read(_FLOOR, self.message.floor)
        return self.floor


class OtherHeads:
    """What the other nodes have told of their live tables."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: dict[int, _Told] = {}

    def keep(self, node: int, message: Heads) -> None:
        """The live tables of another node, as they are now."""
        now, told = self._clock.monotonic(), self._told.get(node)
        if told is not None and told.message == message:
            told.at = now
        else:
            self._told[node] = _Told(now, message)

    def forget(self, node: int) -> None:
        """A node is dead."""
        self._told.pop(node, None)

    def heads(self) -> list[TableHead]:
        """The live tables of other nodes that were heard of lately."""
        return [head for _, told in self._lately() for head in told.read_heads()]

    def floor(self) -> list[tuple[int, FloorState]]:
        """The same tables as the floor shows them, each with its node."""
        return [(node, state) for node, told in self._lately() for state in told.read_floor()]

    def _lately(self) -> Iterable[tuple[int, _Told]]:
        since = self._clock.monotonic() - HEADS_OLD
        return ((node, told) for node, told in self._told.items() if told.at > since)


def _read(decoder: msgspec.msgpack.Decoder[tuple[T, ...]], packed: msgspec.Raw) -> tuple[T, ...]:
    """Read what was told; what another release says and this one does not know is counted, and not shown (CLU-22)."""
    try:
        return decoder.decode(packed)
    except ValueError:
        BUS_REFUSED.labels("unknown").inc()
        return ()
