"""Ids for new players, accounts and so on: never given twice, sometimes skipped."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

import sqlalchemy
from sqlalchemy import Connection, bindparam
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.errors import DATABASE_ERRORS

#: Ids of a block; the next block is fetched when half of them are left: two seconds before a fast house needs it.
BLOCK = 4_000
#: Every block is a multiple of this: the audit checks the counters by it.
SMALLEST_BLOCK = 500


class Ids:
    """Takes ids from the database in blocks.

    Blocks can be fetched in the background: then an event loop never waits, and gets `house/busy` if it uses up a block
    before the next has come.
    """

    def __init__(self, database: Database, block: int = BLOCK) -> None:
        self._database = database
        self._block = block
        self._left: dict[str, deque[int]] = {}
        self._lock = threading.Lock()
        self._background: Callable[[Callable[[], None]], object] | None = None
        self._fetching: set[str] = set()

    def fetch_in(self, background: Callable[[Callable[[], None]], object], kinds: Iterable[str]) -> None:
        """Fetch a block of each kind now, and later blocks with `background`."""
        for kind in kinds:
            self._fetch(kind)
        self._background = background

    def take(self, kind: str) -> int:
        """An unused id; `house/down` if the database does not answer."""
        while (number := self._pop(kind)) is None:
            if self._background is not None and _on_a_loop():
                raise Refusal("house/busy")
            self._fetch(kind)
        return number

    def _pop(self, kind: str) -> int | None:
        """The next id at hand; starts fetching before a block ends."""
        with self._lock:
            left = self._left.setdefault(kind, deque())
            number = left.popleft() if left else None
            few = len(left) < self._block // 2 and kind not in self._fetching
            waits = number is None and not _on_a_loop()  # and fetches a block itself
            if few and not waits and self._background is not None:
                self._fetching.add(kind)
                self._background(partial(self._fetch_ahead, kind))
            return number

    def _fetch(self, kind: str) -> None:
        end = self._reserve(kind)
        with self._lock:
            self._left.setdefault(kind, deque()).extend(range(end - self._block, end))

    def _fetch_ahead(self, kind: str) -> None:
        """Runs in a thread; after a failure the next `take` tries again."""
        try:
            with suppress(Refusal):
                self._fetch(kind)
        finally:
            self._fetching.discard(kind)

    def _reserve(self, kind: str) -> int:
        """The end of a new block."""
        try:
            with self._database.writing() as connection:
                return reserve(connection, kind, self._block)
        except DATABASE_ERRORS:
            raise Refusal("house/down") from None


def reserve(connection: Connection, kind: str, block: int = SMALLEST_BLOCK) -> int:
    """Reserve a block of ids; returns its end. Ids begin at 1."""
    table = schema.counters
    start = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    more = (
        sqlalchemy.update(table)
        .where(table.c.name == bindparam("kind"))
        .values(next=table.c.next + bindparam("block"))
        .returning(table.c.next)
    )
    connection.execute(start.on_conflict_do_nothing(), {"name": kind, "next": 1})
    return int(connection.execute(more, {"kind": kind, "block": block}).scalar_one())


def _on_a_loop() -> bool:
    """Whether this thread runs an event loop, which must not wait."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
