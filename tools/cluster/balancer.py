"""A small load balancer: each new connection goes to the next node that is ready, and stays there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

Address = tuple[str, int]

#: Seconds between two looks at a node, and bytes that are passed on at once.
_LOOK, _CHUNK = 0.5, 65_536


class Balancer:
    """Passes connections on to nodes; which one is none of its players' business."""

    def __init__(self, nodes: Sequence[Address]) -> None:
        self._nodes = list(nodes)
        self._ready: list[Address] = []
        self._turn = 0
        self._server: asyncio.Server | None = None
        self._watching: asyncio.Task[None] | None = None
        self._passing: set[asyncio.Task[None]] = set()

    async def open(self, port: int = 0) -> int:
        """Listen on a port of this machine; gives its number."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self._watching = asyncio.create_task(self._watch())
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """End every connection, and take no more."""
        if self._server is not None:
            self._server.close()
        tasks = [*self._passing, *([self._watching] if self._watching else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            ready = await asyncio.gather(*map(_is_ready, self._nodes))
            self._ready = [node for node, answers in zip(self._nodes, ready, strict=True) if answers]
            await asyncio.sleep(_LOOK)

    def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connect(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(len(self._nodes)):
            choice = self._ready or self._nodes
            self._turn += 1
            try:
                there = await asyncio.open_connection(*choice[self._turn % len(choice)])
            except OSError:
                continue
            await asyncio.gather(_pass_on(reader, there[1]), _pass_on(there[0], writer))
            return
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass bytes on until one end closes."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


async def _is_ready(node: Address) -> bool:
    """Whether a node says that it is ready."""
    try:
        async with asyncio.timeout(1):
            reader, writer = await asyncio.open_connection(*node)
            writer.write(
                f"GET /readyz HTTP/1.1\r\nHost: {node[0]}:{node[1]}\r\nConnection: close\r\n\r\n".encode()
            )
            status = await reader.readline()
            writer.close()
            return b" 200 " in status
    except (OSError, TimeoutError):
        return False
