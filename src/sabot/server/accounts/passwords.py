"""Passwords: what will do as one, and argon2id (ASR-30).

A hash takes a core and its memory for a while, so a few threads of their own make all of them: who tries many
passwords waits, and nobody else does.
"""

from __future__ import annotations

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
#: Passwords that wait for a thread; beyond, the house is busy.
_MOST_WAITING = 100


class Passwords:
    """Hashes and compares, off the event loop.

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
        #: What the password of a name that nobody has is compared with: the work is the same.
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
        """Whether it is the password of a hash; with None the same work for nothing."""
        return await self._work(lambda: self._verify(hash or self._nobodys, password)) and hash is not None

    def outdated(self, hash: str) -> bool:
        """Whether the hash was made with other costs than today's."""
        return self._hasher.check_needs_rehash(hash)

    def close(self) -> None:
        """Let go of the threads."""
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
