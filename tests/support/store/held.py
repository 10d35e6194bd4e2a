"""A writer that is held back: what tables hand in waits until the test lets it go, or refuses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sabot.server.house import House
from sabot.store.commit import Refused
from sabot.store.entry import LogEntry
from sabot.store.writer import Done, GroupWriter
from tests.support.clock import PATIENCE


class HeldWriter:
    """Keeps units back until they are let go, or refused."""

    def __init__(self, house: House) -> None:
        self._writer = house.writer
        self._open = False
        self.units: list[tuple[LogEntry, Done]] = []
        self._came = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Units that wait for their group."""
        return self._writer.waiting

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Keep a unit."""
        if self._open:
            self._writer.submit(unit, done)
            return
        self.units.append((unit, done))
        self._came.set()

    async def holds(self, count: int) -> None:
        """Wait until so many units are kept."""
        async with asyncio.timeout(PATIENCE):
            while len(self.units) < count:
                self._came.clear()
                await self._came.wait()

    def let_go(self) -> None:
        """Write what was kept, and from now on everything at once."""
        self._open = True
        for unit, done in self.units:
            self._writer.submit(unit, done)
        self.units.clear()

    def refuse(self) -> None:
        """The database is away: nothing of it is written."""
        for _, done in self.units:
            done(Refused("house/down"))
        self.units.clear()


@asynccontextmanager
async def held_back(house: House) -> AsyncIterator[HeldWriter]:
    """For the time of a block nothing is written that tables hand in."""
    writer, held = house.writer, HeldWriter(house)
    assert isinstance(writer, GroupWriter)
    house.writer = held  # type: ignore[assignment]  # tables only submit
    try:
        yield held
    finally:
        house.writer = writer
        held.let_go()
