"""One WebSocket: a page that a player has open, with any number of tables on it."""

import asyncio
import socket
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from aiohttp import WSCloseCode, WSMsgType, web

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.server.accounts.logins import Login
from sabot.server.http.connections import HttpConnection
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.metrics import COMMANDS, SLOW, SOCKETS
from sabot.server.refusals import refusal_of
from sabot.server.tables.registry import LiveRuntime
from sabot.server.ws.dispatch import Dispatcher

#: Bytes that may wait for a socket that does not read; beyond, it is closed and may come back.
MOST_WAITING = 48 * 1024
#: What the system may take for a socket beside that.
KERNEL_BUFFER = 128 * 1024
#: Seconds that a socket has to close.
GOODBYE = 1.0
#: Seconds between two signs of life.
HEARTBEAT = 20.0
#: Requests of one socket that may wait for those before them; while so many do, no more are read.
MOST_QUEUED = 16
#: Frames in vain after which a socket is closed, and how many are forgiven in a second.
MOST_VAIN, VAIN_FORGIVEN = 100, 2.0
#: The first byte of a pong.
_PONG = 0x8A
#: What a request counts whose answer is a whole table.
DEAR = 3


@dataclass(frozen=True, eq=False)
class _Received:
    """A request, when it was read by the steady clock (ASR-20), and its live table, which waits for it."""

    request: requests.AnyRequest
    at: float
    runtime: LiveRuntime | None


class Connection:
    """A player's WebSocket. A message is written at once; one that does not read is dropped, so that nobody waits for it."""

    def __init__(
        self,
        services: Services,
        login: Login,
        response: web.WebSocketResponse,
        transport: asyncio.Transport,
        http: HttpConnection | None = None,
    ) -> None:
        """`http` knows when bytes came."""
        self._services = services
        self._registry = services.registry
        self._clock = services.house.clock
        self._http = http
        self.login = login
        self._response = response
        self._transport = transport
        self._dispatcher = Dispatcher(services, self)
        #: Requests that were read and wait for those before them, and the task that handles them one by one.
        self._queue: deque[_Received] = deque()
        self._handling: asyncio.Task[None] | None = None
        #: Frames that were in vain, of late: malformed ones, pings, requests that came too fast, ids used long ago.
        self._vain = 0.0
        self._vain_at = 0.0
        #: The task that closes the socket, once it is to be closed.
        self._closing: asyncio.Task[bool] | None = None

    # Out

    def send(self, packed: bytes) -> None:
        """Send a packed frame; where too many bytes wait, the connection is broken off (ASR-22)."""
        transport = self._transport
        if transport.is_closing():
            return
        if transport.get_write_buffer_size() > MOST_WAITING:
            SLOW.inc()
            transport.abort()
        else:
            transport.write(packed)

    def close_for_logout(self) -> None:
        """The login has ended: close the socket."""
        self._close(WSCloseCode.POLICY_VIOLATION, b"the login has ended")

    def close_for_shutdown(self) -> None:
        """The house closes: the page may come back when it is open again."""
        self._close(WSCloseCode.GOING_AWAY, b"the house closes")

    def _close(self, code: WSCloseCode, message: bytes) -> None:
        self._closing = asyncio.create_task(self._response.close(code=code, message=message))

    # In

    async def _confirm(self) -> None:
        """Close the socket if its login was revoked while it was opened; from now on a logout closes it."""
        with suppress(Refusal):  # the database does not answer: the sweep looks again
            if not await self._services.players.confirm(self.login):
                self.close_for_logout()

    async def run(self) -> None:
        """Read until the other end goes away."""
        SOCKETS.inc()
        self._registry.connections[self] = None
        try:
            await self._confirm()
            async for message in self._response:
                at = self._clock.monotonic() if self._http is None else self._http.frame_read()
                if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    self._read(message.data, at)
                elif message.type in (WSMsgType.PING, WSMsgType.PONG):
                    self.count_vain()
                    if message.type is WSMsgType.PING:
                        self.send(bytes((_PONG, len(message.data))) + message.data)
                else:
                    break
                if self._closing is not None:
                    await self._closing
                    break
                if len(self._queue) >= MOST_QUEUED:
                    await self._finish_queue()
            await self._finish_queue()
        finally:
            if self._handling is not None:
                self._handling.cancel()
            SOCKETS.dec()
            del self._registry.connections[self]
            self._dispatcher.close()

    def count_vain(self, frames: int = 1) -> None:
        """Count frames that were in vain; too many close the socket, with time they are forgiven."""
        now = self._clock.monotonic()
        self._vain = max(0.0, self._vain - VAIN_FORGIVEN * (now - self._vain_at)) + frames
        self._vain_at = now
        if self._vain > MOST_VAIN and self._closing is None:
            self._services.connections.note("flood")
            self._close(WSCloseCode.POLICY_VIOLATION, b"too many requests")

    def _read(self, frame: bytes | str, at: float) -> None:
        """Queue the request of a frame behind those that are being handled; `at` is when it was read."""
        try:
            request = codec.decode(frame)
        except codec.WireError as error:
            self.count_vain()
            malformed = Refusal("command/malformed", reason=str(error))
            self.send(codec.pack_response(codec.id_of(frame), malformed))
            return
        received = _Received(request, at, self._registry.live.get(getattr(request, "table", "")))
        if received.runtime is not None:
            received.runtime.in_flight.add(received, at)
        self._queue.append(received)
        if self._handling is None:
            self._handling = asyncio.create_task(self._handle_queue())

    async def _handle_queue(self) -> None:
        """Handle requests in the order in which they were read; no table waits for those that are given up."""
        try:
            while self._queue:
                await self._handle(self._queue[0])
                self._put_down(self._queue.popleft())
        finally:
            self._handling = None
            while self._queue:
                self._put_down(self._queue.popleft())

    @staticmethod
    def _put_down(received: _Received) -> None:
        if received.runtime is not None:
            received.runtime.landed(received)

    async def _finish_queue(self) -> None:
        """Wait until every request that was read has been handled."""
        if self._handling is None:
            return
        if self._http is not None:
            self._http.stalled = True
        await self._handling
        if self._http is not None:
            self._http.stalled = False

    async def _handle(self, received: _Received) -> None:
        request = received.request
        kind = str(type(request).__struct_config__.tag)
        with COMMANDS.labels(kind).time():
            try:
                self._admit(request)
                await self._dispatcher.handle(request, received.at)
            except Refusal as error:
                self.send(codec.pack_response(request.id, error))
            except Exception as error:
                failed("a request failed", error, kind=kind, player=self.login.player)
                self.send(codec.pack_response(request.id, refusal_of(error)))

    def _admit(self, request: requests.AnyRequest) -> None:
        """Refuse requests of a login that has expired (ASR-30), and those that come too fast; no database is read."""
        if self.login.expires_at <= self._clock.wall_ms():
            self.close_for_logout()
            raise Refusal("login/required")
        dear = isinstance(request, requests.Open | requests.Resume | requests.Enter | requests.WatchLobby)
        try:
            self._services.rates.command(self.login.player, DEAR if dear else 1)
        except Refusal:
            self.count_vain()
            raise


async def serve_socket(request: web.Request, services: Services, login: Login) -> web.WebSocketResponse:
    """The whole life of a socket."""
    response = web.WebSocketResponse(
        timeout=GOODBYE,
        protocols=(codec.SUBPROTOCOL,),
        heartbeat=HEARTBEAT,
        autoping=False,  # pings are counted
        max_msg_size=codec.LONGEST_FRAME,
        compress=False,
    )
    await response.prepare(request)
    transport = request.transport
    if transport is not None:
        # The system would otherwise take megabytes for a reader who reads nothing.
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        http = request.protocol if isinstance(request.protocol, HttpConnection) else None
        await Connection(services, login, response, transport, http).run()
    return response
