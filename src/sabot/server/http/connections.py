"""Connections: how many there may be, and how long each may take for a head, a body or a frame (ASR-32).

aiohttp closes a connection that is idle between two requests. It has no time-out for the rest, which is done here: a
connection that sends nothing, a head or a frame that comes byte by byte, a response that is read byte by byte. When no
more files can be opened, the HTTP connection whose last request is oldest makes room for a new one.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, cast

import structlog
from aiohttp import web

from sabot.errors import Refusal
from sabot.server.addresses import networks, plain_address, rate_key
from sabot.server.config import ServerConfig
from sabot.server.http.policy import BARE_HEADERS
from sabot.server.metrics import CUT
from sabot.tables.live.timers import Clock

#: Files for the database, the log and the house's own bots.
RESERVE = 192
#: Seconds that a request may take, with the sending of its response.
LONGEST_REQUEST = 120.0

#: Why a connection is closed: too slow; too many of its address; too many in all; too many requests on a socket.
Why = Literal["slow", "address", "full", "flood"]

_log = structlog.get_logger()


def raise_file_limit() -> int:
    """Raise the limit of open files as far as allowed; returns how many connections there may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard - min(RESERVE, hard // 2)


class Connections:
    """All connections of a house, counted by address, except those of loopback and of trusted proxies."""

    def __init__(self, server: ServerConfig, clock: Clock) -> None:
        self.clock = clock
        #: The most in all.
        self.most = 1_000_000
        self.patience = server.patience_seconds
        self.idle = server.idle_seconds
        self._most_address = server.connections_address
        self._most_account = server.sockets_account
        self._exempt = (*networks(server.proxies), *networks(("127.0.0.0/8", "::1")))
        self._count = 0
        self._addresses: Counter[str] = Counter()
        #: Sockets by account and by address.
        self._sockets: Counter[str] = Counter()
        #: HTTP connections, the one with the oldest request first.
        self.plain: dict[HttpConnection, None] = {}
        #: Sockets that have sent a part of a frame.
        self.partial: dict[HttpConnection, None] = {}

    def admit(self, connection: HttpConnection, address: str) -> bool:
        """Count a new connection; False if it is refused."""
        counted = self._counted(address)
        if counted and self._addresses[counted] >= self._most_address:
            self.note("address")
            return False
        if self._count >= self.most:
            self.note("full")
            if not self.plain:
                return False
            next(iter(self.plain)).cut()
        self._count += 1
        self._addresses[counted] += 1
        self.plain[connection] = None
        return True

    def leave(self, connection: HttpConnection, address: str) -> None:
        """Count an admitted connection no longer."""
        self._count -= 1
        _less(self._addresses, self._counted(address))
        self.plain.pop(connection, None)
        self.partial.pop(connection, None)

    def _counted(self, address: str) -> str:
        """The key that an address is counted under; empty if it is not counted."""
        found = plain_address(address)
        if found is None or any(found in network for network in self._exempt):
            return ""
        return rate_key(str(found))

    @contextmanager
    def socket(self, player: int, address: str) -> Iterator[None]:
        """Count a socket of an account and an address while it is open; refuse one too many."""
        account, counted = f"account {player}", self._counted(address)
        if self._sockets[account] >= self._most_account:
            raise Refusal("socket/too-many", most=self._most_account)
        if counted and self._sockets[counted] >= self._most_address:
            raise Refusal("socket/too-many", most=self._most_address)
        keys = [key for key in (account, counted) if key]
        self._sockets.update(keys)
        try:
            yield
        finally:
            for key in keys:
                _less(self._sockets, key)

    def note(self, why: Why) -> None:
        """Count and log a connection that the house closes; the log holds repeated lines back."""
        CUT.labels(why).inc()
        _log.warning("a connection is closed", error=why, open=self._count)

    async def watch(self) -> None:
        """Close connections that are too slow, as long as the house is open."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(1.0, self.patience / 4))
            now = loop.time()
            for connection in [*self.plain, *self.partial]:
                if connection.is_overdue(now):
                    self.note("slow")
                    connection.cut()


class HttpConnection(web.RequestHandler):
    """One TCP connection, before and after it becomes a WebSocket."""

    def __init__(self, all: Connections, manager: web.Server, **options: Any) -> None:
        super().__init__(manager, **options)
        self._all = all
        #: None when the connection was not admitted.
        self._address: str | None = None
        self.is_socket = False
        #: When bytes were last read from a socket, by the house's steady clock: they arrived then (ASR-20).
        self.read_at = 0.0
        #: The house itself has paused reading: nothing is overdue.
        self.stalled = False
        #: Since when a head, a response, or the rest of a frame is awaited, by the loop's clock.
        self._head_since: float | None = None
        self._request_since: float | None = None
        self._frame_since: float | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit a connection, or close it at once."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self._all.admit(self, address):
            cast(asyncio.Transport, transport).abort()
            return
        self._address = address
        self._head_since = self._loop.time()
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Count the connection no longer."""
        if self._address is not None:
            self._all.leave(self, self._address)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Note when bytes arrived, and whether more are awaited."""
        if self.is_socket:
            self.read_at = self._all.clock.monotonic()
            if self._frame_since is None:
                self._frame_since = self._loop.time()
                self._all.partial[self] = None
            super().data_received(data)
            return
        before = self._request_count
        super().data_received(data)
        if self._request_count > before:
            self._head_since, self._request_since = None, self._loop.time()
            if self._all.plain.pop(self, True) is None:
                self._all.plain[self] = None  # its request is now the newest
        elif self._head_since is None and not self._request_in_progress:
            self._head_since = self._loop.time()

    def handle_error(self, *args: Any, **options: Any) -> web.StreamResponse:
        """Respond to bytes that are no request, without naming the library."""
        response = super().handle_error(*args, **options)
        response.headers.update(BARE_HEADERS)
        return response

    def set_parser(self, parser: Any, data_received_cb: Any = None) -> None:
        """The connection becomes a socket."""
        self.is_socket = True
        self.read_at = self._all.clock.monotonic()
        self._all.plain.pop(self, None)
        super().set_parser(parser, data_received_cb)

    def frame_read(self) -> float:
        """A whole frame was read; returns when it arrived."""
        self._frame_since = None
        self._all.partial.pop(self, None)
        return self.read_at

    def is_overdue(self, now: float) -> bool:
        """Whether something has been awaited for too long."""
        if self.is_socket:
            since = None if self.stalled else self._frame_since
            return since is not None and now - since > self._all.patience
        if self._request_in_progress:
            return self._request_since is not None and now - self._request_since > LONGEST_REQUEST
        return self._head_since is not None and now - self._head_since > self._all.patience

    def cut(self) -> None:
        """Close the connection at once."""
        self._all.plain.pop(self, None)
        self._all.partial.pop(self, None)
        if self.transport is not None:
            self.transport.abort()


class HouseSite(web.BaseSite):
    """A port whose connections are watched."""

    def __init__(self, runner: web.AppRunner, host: str, port: int, all: Connections) -> None:
        super().__init__(runner, backlog=1024)
        self._host, self._port = host, port
        self._all = all
        self._watching: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The address to listen on."""
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        """Open the port."""
        await super().start()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connect, self._host, self._port, backlog=self._backlog)
        self._watching = asyncio.create_task(self._all.watch())

    async def stop(self) -> None:
        """Close the port."""
        if self._watching is not None:
            self._watching.cancel()
        await super().stop()

    def _connect(self) -> HttpConnection:
        manager = self._runner.server
        assert manager is not None, "a port is open while its house is"
        return HttpConnection(
            self._all,
            manager,
            loop=asyncio.get_running_loop(),
            access_log=None,
            keepalive_timeout=self._all.idle,
            lingering_time=self._all.patience,
        )


def _less(counts: Counter[str], key: str) -> None:
    """Count one less; a key with none is removed."""
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
