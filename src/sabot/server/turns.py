"""One thing of a player's at a time, however many pages are open: what is checked must be stored before the next check.

>>> async def play() -> list[str]:
...     turns, told = Turns(), []
...     end = await turns.take(7)
...     other = asyncio.create_task(turns.take(7))
...     (await turns.take(8))()
...     told.append("another player does not wait")
...     end()
...     (await other)()
...     return [*told, "and then the same one"]
>>> asyncio.run(play())
['another player does not wait', 'and then the same one']
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakValueDictionary


class Turns:
    """A lock for each player, kept as long as someone holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, player: int) -> asyncio.Lock:
        """The player's lock."""
        lock = self._locks.get(player)
        if lock is None:
            lock = self._locks[player] = asyncio.Lock()
        return lock

    async def take(self, player: int) -> Callable[[], None]:
        """Wait for the player's turn; gives what ends it, once, however often it is called."""
        lock = self.of(player)
        await lock.acquire()
        held = [lock]
        return lambda: held.pop().release() if held else None


def no_turn() -> None:
    """The end of a turn that was none."""
