"""Time as it is handed to the house."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Wall time in milliseconds of UTC, which is stored and sent; monotonic seconds, for deadlines."""

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...


class SystemClock:
    """The machine's clock."""

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
