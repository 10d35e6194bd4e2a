"""The health of a node as significant events: database and bus away and back, a clock that was set (OFF-11)."""

import asyncio
from collections.abc import Callable

from sabot.server.house import House

#: Seconds between two looks.
EVERY = 1.0
#: Milliseconds that a clock may jump between two looks before it is told.
JUMP_MS = 2_000


class HealthWatch:
    """Looks at the parts of a node, and notes what has changed since the last look."""

    def __init__(self, house: House, bus_up: Callable[[], bool]) -> None:
        self._house = house
        writer = house.writer
        self._parts = {"database": lambda: not writer.down, "bus": bus_up}
        #: Since when each part is away, by the house's clock.
        self._away: dict[str, int] = {}
        self._ahead = self._difference()

    def look(self) -> None:
        """Note what has changed."""
        events, now = self._house.events, self._house.clock.wall_ms()
        for part, is_up in self._parts.items():
            up = is_up()
            if not up and part not in self._away:
                self._away[part] = now
                events.note("unavailable", "alarm", part=part)
            elif up and part in self._away:
                seconds = (now - self._away.pop(part)) // 1000
                events.note("available", "info", part=part, seconds=seconds)
        ahead = self._difference()
        if abs(ahead - self._ahead) >= JUMP_MS:
            events.note("clock", "warning", ms=ahead - self._ahead)
        self._ahead = ahead

    def _difference(self) -> int:
        """How far the clock of the day is before the one that only goes on."""
        return self._house.clock.wall_ms() - int(1000 * self._house.clock.monotonic())


async def watch_health(house: House, bus_up: Callable[[], bool]) -> None:
    """Look every second, for as long as the house is open."""
    watch = HealthWatch(house, bus_up)
    while True:
        await asyncio.sleep(EVERY)
        watch.look()
