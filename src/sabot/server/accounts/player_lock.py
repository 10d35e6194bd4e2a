"""Per-player locks: what is checked for a player is stored before the next check, however many pages are open.

>>> async def play() -> list[str]:
...     turns, order = PlayerLocks(), []
...     async def wait() -> None:
...         async with turns.turn(7):
...             order.append("and then the same one")
...     async with turns.turn(7) as turn:
...         other = asyncio.create_task(wait())
...         async with turns.turn(8):
...             order.append("another player does not wait")
...         turn.keep()
...     turn.end()
...     await other
...     return order
>>> asyncio.run(play())
['another player does not wait', 'and then the same one']
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class PlayerLocks:
    """One lock for each player, as long as someone holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, player: int) -> AsyncIterator[PlayerLock]:
        """Wait for the player's lock; it is released after the block, unless the block calls `keep`."""
        lock = self._locks.setdefault(player, asyncio.Lock())
        await lock.acquire()
        turn = PlayerLock(lock)
        try:
            yield turn
        except BaseException:
            turn.end()
            raise
        if not turn.kept:
            turn.end()


class PlayerLock:
    """A lock that is held; it is released once, however often `end` is called."""

    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = lock
        self.kept = False

    def keep(self) -> None:
        """Hold the lock after its block, until `end` is called: the request is on its way."""
        self.kept = True

    def end(self) -> None:
        """Release the lock."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()
