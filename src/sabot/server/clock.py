"""Time as it is handed to the house."""

from __future__ import annotations

import time

from sabot.tables.live.clock import Clock

__all__ = ["Clock", "SystemClock"]


class SystemClock:
    """The machine's clock."""

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
