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

In a house of several nodes a lock can be widened: then no other node holds it either (CLU-10).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeAlias
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.store.advisory import MOST_LOCKS, PATIENCE_MS, AdvisoryLocks, release
from sabot.store.database import Database

#: Waits for a player's lock in the whole house; gives what releases it.
Widen: TypeAlias = Callable[[int], Awaitable[Callable[[], None]]]


class PlayerLocks:
    """One lock for each player, as long as someone holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        #: Set in a house of several nodes.
        self.widen: Widen | None = None

    @asynccontextmanager
    async def turn(self, player: int) -> AsyncIterator[PlayerLock]:
        """Wait for the player's lock; it is released after the block, unless the block calls `keep`."""
        lock = self._locks.setdefault(player, asyncio.Lock())
        await lock.acquire()
        turn = PlayerLock(lock, self.widen and partial(self.widen, player))
        try:
            yield turn
        except BaseException:
            turn.end()
            raise
        if not turn.kept:
            turn.end()


class PlayerLock:
    """A lock that is held; it is released once, however often `end` is called."""

    def __init__(
        self,
        lock: asyncio.Lock | None = None,
        widen: Callable[[], Awaitable[Callable[[], None]]] | None = None,
    ) -> None:
        self._lock = lock
        self._widen = widen
        self._release: Callable[[], None] | None = None
        self.kept = False

    async def widen(self, tries: int = 1) -> None:
        """Hold the lock in the whole house; nothing is to be done if one process serves it.

        `house/busy` if another node holds it all the time.
        """
        while self._widen is not None:
            try:
                self._release, self._widen = await self._widen(), None
            except Refusal as error:
                tries -= 1
                if tries == 0 or error.code != "house/busy":
                    raise

    def narrow(self) -> None:
        """Let other nodes have the lock; here it is still held."""
        release, self._release = self._release, None
        if release is not None:
            release()

    def keep(self) -> None:
        """Hold the lock after its block, until `end` is called: the request is on its way."""
        self.kept = True

    def end(self) -> None:
        """Release the lock."""
        self.narrow()
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()


class HouseLocks:
    """Locks of players in the whole house, taken and released in threads."""

    def __init__(self, database: Database) -> None:
        self._locks = AdvisoryLocks(database)
        #: A thread for each connection: a lock is never released behind others that are waited for.
        self._free = asyncio.Semaphore(MOST_LOCKS)
        self._threads = ThreadPoolExecutor(MOST_LOCKS, "sabot-lock")

    async def take(self, kind: int, player: int) -> Callable[[], None]:
        """Wait for a player's lock of a kind; `house/busy` if that takes too long. Gives what releases it."""
        try:
            async with asyncio.timeout(PATIENCE_MS / 1000):
                await self._free.acquire()
                taking = self._run(partial(self._locks.take, kind, player))
                try:
                    held = await asyncio.shield(taking)
                except BaseException:
                    taking.add_done_callback(self._put_back)  # the thread may still get it
                    raise
        except TimeoutError:
            raise Refusal("house/busy") from None
        return partial(self._release, held)

    def close(self) -> None:
        """Stop the threads, after what they are doing."""
        self._threads.shutdown(wait=False)
        self._locks.close()

    def _run(self, act: Callable[[], Connection]) -> asyncio.Future[Connection]:
        return asyncio.get_running_loop().run_in_executor(self._threads, act)

    def _put_back(self, taking: asyncio.Future[Connection]) -> None:
        """Nobody waits for a lock any more."""
        if taking.cancelled() or taking.exception() is not None:
            self._free.release()
        else:
            self._release(taking.result())

    def _release(self, held: Connection) -> None:
        with suppress(RuntimeError):  # the house is closed, and its connections with it
            done = asyncio.get_running_loop().run_in_executor(self._threads, release, held)
            done.add_done_callback(lambda _: self._free.release())
