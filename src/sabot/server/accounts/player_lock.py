"""One thing of a player's at a time, however many pages are open: what is checked must be stored before the next check.

>>> async def play() -> list[str]:
...     turns, told = PlayerLocks(), []
...     async def wait() -> None:
...         async with turns.turn(7):
...             told.append("and then the same one")
...     async with turns.turn(7) as turn:
...         other = asyncio.create_task(wait())
...         async with turns.turn(8):
...             told.append("another player does not wait")
...         turn.keep()
...     turn.end()
...     await other
...     return told
>>> asyncio.run(play())
['another player does not wait', 'and then the same one']
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class PlayerLocks:
    """A lock for each player, kept as long as someone holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, player: int) -> asyncio.Lock:
        """The player's lock."""
        lock = self._locks.get(player)
        if lock is None:
            lock = self._locks[player] = asyncio.Lock()
        return lock

    @asynccontextmanager
    async def turn(self, player: int) -> AsyncIterator[PlayerLock]:
        """The player's turn, when it comes: it ends with the block, unless that has kept it."""
        lock = self.of(player)
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
    """A player's turn, which is ended once, however often `end` is called."""

    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = lock
        self.kept = False

    def keep(self) -> None:
        """Let the turn go on after its block, until `end` is called: what was asked is on its way."""
        self.kept = True

    def end(self) -> None:
        """The next one's turn."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()
