"""Requests that were read from a socket and have not been carried out yet (ASR-20).

A table closes a phase only when every request that was read before its end has been carried out.

>>> waiting = InFlight()
>>> waiting.add("bet", 10.0)
>>> waiting.add("vote", 12.0)
>>> waiting.any_before(11.0), waiting.any_before(10.0)
(True, False)
>>> waiting.discard("bet")
10.0
>>> waiting.any_before(11.0)
False
"""

from __future__ import annotations

import math
from collections.abc import Hashable


class InFlight:
    """When each request was read. They are added about in the order of reading, so few are looked at."""

    def __init__(self) -> None:
        self._read_at: dict[Hashable, float] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._read_at)

    def add(self, request: Hashable, at: float) -> None:
        """A request was read at a moment of the steady clock."""
        self._read_at[request] = at

    def discard(self, request: Hashable) -> float:
        """A request was carried out or refused; gives when it was read."""
        return self._read_at.pop(request, math.inf)

    def any_before(self, moment: float) -> bool:
        """Whether a request that was read before a moment still waits."""
        return any(at < moment for at in self._read_at.values())
