"""Rows outside the log that are stored soon, in batches: who adds one never waits and is never refused."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from prometheus_client import Counter
from sqlalchemy import Connection

from sabot.server.logs import failed

Row = TypeVar("Row")

#: Rows that may wait while the database is away; others are dropped and counted.
MOST_WAITING = 10_000
#: Rows of one transaction.
_AT_ONCE = 500

DROPPED = Counter("sabot_rows_dropped", "Events and chat lines that were not stored because too many waited")

#: Runs a write in a transaction, off the event loop.
Write = Callable[[Callable[[Connection], None]], Awaitable[Any]]


class Batches(Generic[Row]):
    """Stores rows in the order in which they were added, on the event loop's time and off its thread.

    `store` must not mind rows that it has stored before: what the database did not answer is stored again.
    """

    def __init__(self, write: Write, store: Callable[[Connection, list[Row]], None]) -> None:
        self._write = write
        self._store = store
        self._waiting: list[Row] = []
        self._task: asyncio.Task[None] | None = None

    def add(self, row: Row) -> None:
        """Store a row soon."""
        if len(self._waiting) >= MOST_WAITING:
            DROPPED.inc()
            return
        self._waiting.append(row)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def flush(self) -> None:
        """Store what waits; after a failure it waits for the next row, or the next flush."""
        if self._task is None and self._waiting:
            self._task = asyncio.create_task(self._run())
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        try:
            while self._waiting:
                some = self._waiting[:_AT_ONCE]
                await self._write(lambda connection, rows=some: self._store(connection, rows))  # type: ignore[misc]
                del self._waiting[: len(some)]
        except Exception as error:
            failed("events or chat lines are not stored yet", error)
        finally:
            self._task = None
