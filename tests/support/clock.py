"""A clock that stands until the test puts it on."""

from __future__ import annotations

#: Noon of a day in 2026, in milliseconds.
NOON = 1_788_004_800_000
MINUTE, HOUR = 60_000, 3_600_000
#: Seconds of the real clock: longer than anything that a test waits for takes, even on a machine with much to do.
PATIENCE = 120.0


class HandClock:
    """A wall clock in milliseconds and a steady one in seconds, which stand until either is set."""

    _START = 5_000.0

    def __init__(self, ms: int = NOON) -> None:
        self._opened = ms
        self.steady = self._START

    @property
    def ms(self) -> int:
        """The wall clock."""
        return self._opened + round(1000 * (self.steady - self._START))

    @ms.setter
    def ms(self, ms: int) -> None:
        self.steady = self._START + (ms - self._opened) / 1000

    def wall_ms(self) -> int:
        """Milliseconds of UTC."""
        return self.ms

    def monotonic(self) -> float:
        """Steady seconds."""
        return self.steady
