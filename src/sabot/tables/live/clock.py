"""Time as tables ask for it: handed in, so that a test can put it on."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """A wall clock for what is stored and sent, and a steady one for deadlines."""

    def wall_ms(self) -> int:
        """Milliseconds of UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        ...
