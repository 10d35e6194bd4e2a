"""Ways between nodes and servers that can be cut; with relays where there are no network namespaces."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import AbstractContextManager, nullcontext, suppress
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar

from tools.cluster.network import Address, Network

Way = Literal["there", "back", "both"]
THERE: Way = "there"
BACK: Way = "back"
BOTH: Way = "both"
T = TypeVar("T")
_CHUNK = 65_536


class CutNetwork(Network, Protocol):
    """A network whose ways can be cut."""

    def cut(self, node: str, server: str, way: Way) -> None:
        """Let nothing through from a node to a server, back, or both."""

    def heal(self) -> None:
        """Let everything through again."""


class Relays:
    """Everything on loopback; between each node and each server stands a relay, in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._relays: dict[tuple[str, str], _Relay] = {}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def host(self, name: str) -> str:
        """The same for all."""
        return "127.0.0.1"

    def inside(self, name: str) -> AbstractContextManager[None]:
        """Nothing to do."""
        return nullcontext()

    def way(self, node: str, server: str, address: Address) -> Address:
        """Through a relay."""
        relay = self._relays[node, server] = _Relay(address)
        return self._run(relay.open())

    def cut(self, node: str, server: str, way: Way) -> None:
        """Let bytes wait at the relay; connections stay open, and new ones are let in."""
        relay = self._relays[node, server]
        if way != BACK:
            self._run(_set(relay.there, False))
        if way != THERE:
            self._run(_set(relay.back, False))

    def heal(self) -> None:
        """Pass on what waited, and what comes."""
        for relay in self._relays.values():
            for passes in (relay.there, relay.back):
                self._run(_set(passes, True))

    def _run(self, act: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(act, self._loop).result()


class _Relay:
    def __init__(self, target: Address) -> None:
        self._target = target
        self.there, self.back = asyncio.Event(), asyncio.Event()
        self.there.set()
        self.back.set()

    async def open(self) -> Address:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()[:2]
        return host, port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection(*self._target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pass_on(reader, there[1], self.there), _pass_on(there[0], writer, self.back))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passes: asyncio.Event) -> None:
    """Pass bytes on, as long as the way is open, until one end closes."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            await passes.wait()
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


async def _set(event: asyncio.Event, value: bool) -> None:
    (event.set if value else event.clear)()
