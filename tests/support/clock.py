"""A clock that stands until the test puts it on."""

from __future__ import annotations

#: Noon of a day in 2026, in milliseconds.
NOON = 1_788_004_800_000
MINUTE, HOUR = 60_000, 3_600_000


class HandClock:
    """Milliseconds that the test sets, of the calendar and of the steady clock alike."""

    def __init__(self, ms: int = NOON) -> None:
        self.ms = ms

    def wall_ms(self) -> int:
        """Milliseconds of UTC."""
        return self.ms

    def monotonic(self) -> float:
        """The same in seconds."""
        return self.ms / 1000
