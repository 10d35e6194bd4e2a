"""The bus on PostgreSQL NOTIFY, for a house of two or three nodes that names no other (CLU-02).

It has two connections of its own, one to listen and one to post: nothing is posted inside a writing transaction. What
waits is posted as one statement. A notification is text of less than 8,000 bytes, so bytes go as base64, in parts.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import psycopg
from sqlalchemy.engine import URL

from sabot.errors import Refusal
from sabot.server.logs import failed
from sabot.server.metrics import BUS_REFUSED
from sabot.store.database import hide_password
from sabot.store.errors import reason_of
from sabot.store.postgres import options_of

#: Bytes of one part: as base64, behind its numbers, it fits into a notification.
PART = 5_850
#: Bytes that may wait to be posted, beyond which they are dropped; and that are posted at once.
MOST_WAITING, _BATCH = 8 * 1024 * 1024, 512 * 1024
#: Seconds that an answer may take, between two attempts to connect, and between two signs of life.
_PATIENCE, _AGAIN, _PING = 3.0, 0.2, 2.0
_POST = "SELECT pg_notify(node, part) FROM unnest(%s::text[], %s::text[]) AS posted (node, part)"

_Connection = psycopg.AsyncConnection[Any]
_ERRORS = (psycopg.Error, OSError, TimeoutError)


class NotifyBus:
    """Carries bytes between nodes through their database. What is posted while it is down is dropped."""

    def __init__(self, url: URL, key: bytes) -> None:
        self.key = key
        self._url = url
        self._sender = 0
        self._number = 0
        self._queue: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self._waiting = 0
        self._tasks: list[asyncio.Task[None]] = []
        #: The connections that are open: one to listen, one to post.
        self._open: set[_Connection] = set()
        self._reason = "it does not answer"

    @property
    def up(self) -> bool:
        """Whether both connections are open."""
        return len(self._open) == 2

    async def open(self, node: int, receive: Callable[[bytes], None]) -> None:
        """Connect, and hand on what comes for a node; it comes back by itself when it breaks."""
        await self.close()
        self._sender = node
        heard = _Parts(receive)
        acts = (lambda connection: self._listen(connection, node, heard), self._post_all)
        self._tasks = [asyncio.create_task(self._keep(act)) for act in acts]
        until = asyncio.get_running_loop().time() + _PATIENCE
        while not self.up:
            if asyncio.get_running_loop().time() > until:
                url = hide_password(self._url.render_as_string(hide_password=False))
                raise Refusal("bus/unreachable", url=url, reason=self._reason)
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Disconnect."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = []

    def post(self, node: int, packed: bytes) -> None:
        """Queue bytes for a node; dropped while the bus is down or too much waits."""
        if self.up and self._waiting + len(packed) <= MOST_WAITING:
            self._waiting += len(packed)
            self._queue.put_nowait((node, packed))

    async def _keep(self, act: Callable[[_Connection], Awaitable[None]]) -> None:
        """Use a connection, and another one after it broke."""
        while True:
            connection = None
            try:
                connection = await self._connect()
                await act(connection)
            except _ERRORS as error:
                self._reason = reason_of(error)
                if connection in self._open:
                    failed("the bus failed", error)
            finally:
                if connection is not None:
                    self._open.discard(connection)
                    await connection.close()
            await asyncio.sleep(_AGAIN)

    async def _connect(self) -> _Connection:
        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        connecting = psycopg.AsyncConnection.connect(plain, autocommit=True, **options_of(self._url, {}))
        return await asyncio.wait_for(connecting, _PATIENCE)

    async def _listen(self, connection: _Connection, node: int, heard: _Parts) -> None:
        await _ask(connection, f'LISTEN "{_channel(node)}"')
        self._open.add(connection)
        while True:
            async for notice in connection.notifies(timeout=_PING):
                heard.take(notice.payload)
            await _ask(connection, "SELECT 1")

    async def _post_all(self, connection: _Connection) -> None:
        """Post what is queued, in order; what was queued for a connection that broke would come late."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._waiting = 0
        self._open.add(connection)
        while True:
            try:
                batch = [await asyncio.wait_for(self._queue.get(), _PING)]
            except TimeoutError:
                await _ask(connection, "SELECT 1")
                continue
            size = len(batch[0][1])
            while size < _BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
                size += len(batch[-1][1])
            self._waiting -= size
            parts = [(_channel(node), part) for node, packed in batch for part in self._split(packed)]
            await _ask(connection, _POST, [[to for to, _ in parts], [part for _, part in parts]])

    def _split(self, packed: bytes) -> list[str]:
        """A message in parts, each with its sender, the message's number, its own and how many there are."""
        self._number += 1
        cuts = range(0, max(len(packed), 1), PART)
        return [
            f"{self._sender} {self._number} {i} {len(cuts)} {b64encode(packed[cut : cut + PART]).decode()}"
            for i, cut in enumerate(cuts)
        ]


class _Parts:
    """Puts messages together that come in parts; one of which a part is missing is dropped."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        #: The message that is coming from each sender: its number, and the parts that are here.
        self._coming: dict[str, tuple[str, list[bytes]]] = {}

    def take(self, text: str) -> None:
        """Take a part; text that is none is counted, not obeyed."""
        try:
            sender, number, index, total, packed = text.split(" ")
            part, i, last = b64decode(packed, validate=True), int(index), int(total) - 1
        except ValueError:
            BUS_REFUSED.labels("unknown").inc()
            return
        coming, parts = self._coming.pop(sender, ("", []))
        if i == 0:
            coming, parts = number, []
        if (coming, len(parts)) != (number, i):
            return
        parts.append(part)
        if i == last:
            self._receive(b"".join(parts))
        else:
            self._coming[sender] = (number, parts)


async def _ask(connection: _Connection, statement: str, values: list[list[str]] | None = None) -> None:
    """Carry out a statement; a server that does not answer in time loses its connection."""
    asking = asyncio.ensure_future(connection.execute(statement, values))
    try:
        done, _ = await asyncio.wait([asking], timeout=_PATIENCE)
        if not done:
            raise TimeoutError("the server does not answer")
        await asking
    finally:
        if not asking.done():
            await connection.close()  # else the driver would wait for the server once more
            asking.cancel()


def _channel(node: int) -> str:
    return f"sabot_{node}"
