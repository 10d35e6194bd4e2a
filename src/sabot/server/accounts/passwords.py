"""Passwords: their length, and argon2id hashes (ASR-30).

A hash takes a core and much memory, so a few threads do all of them: many attempts delay only each other.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sabot.errors import Refusal

T = TypeVar("T")

LEAST_CHARACTERS = 10
MOST_BYTES = 256
#: Passwords that may wait for a thread; beyond, requests are refused as busy.
_MOST_WAITING = 100


class Passwords:
    """Hashes and verifies, off the event loop.

    >>> async def try_some() -> tuple[bool, ...]:
    ...     passwords = Passwords(memory_kib=8)
    ...     hash = await passwords.hash("correct horse")
    ...     tried = [await passwords.fits(hash, word) for word in ("correct horse", "wrong horse")]
    ...     return (*tried, await passwords.fits(None, "correct horse"))
    >>> asyncio.run(try_some())
    (True, False, False)
    """

    def __init__(self, memory_kib: int) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=memory_kib, parallelism=1)
        #: Compared with the password of an unknown name, so that it takes as long.
        self._nobodys = self._hasher.hash("nobody's")
        self._threads = ThreadPoolExecutor(min(4, os.cpu_count() or 1), "sabot-password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The hash of a new password; refuses one that is too short or too long."""
        if len(password) < LEAST_CHARACTERS:
            raise Refusal("password/too-short", least=LEAST_CHARACTERS)
        if len(password.encode()) > MOST_BYTES:
            raise Refusal("password/too-long", most=MOST_BYTES)
        return await self._work(lambda: self._hasher.hash(password))

    async def fits(self, hash: str | None, password: str) -> bool:
        """Whether it is the password of a hash; None takes as long and is false."""
        return await self._work(lambda: self._verify(hash or self._nobodys, password)) and hash is not None

    def outdated(self, hash: str) -> bool:
        """Whether the hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(hash)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False)

    def _verify(self, hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(hash, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _work(self, act: Callable[[], T]) -> T:
        if self._waiting >= _MOST_WAITING:
            raise Refusal("house/busy")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, act)
        finally:
            self._waiting -= 1
