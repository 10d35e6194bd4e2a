"""One WebSocket: a page that a player has open, with any number of tables on it."""

import asyncio
import socket
from contextlib import suppress

from aiohttp import WSCloseCode, WSMsgType, web

from sabot.errors import Refusal
from sabot.protocol import codec
from sabot.server.accounts.logins import Login
from sabot.server.http.connections import HttpConnection
from sabot.server.http.services import Services
from sabot.server.metrics import SLOW
from sabot.server.ws.dispatch import Dispatcher

#: Bytes that may wait for a socket that does not read; beyond, it is closed and may come back.
MOST_WAITING = 48 * 1024
#: What the system may take for a socket beside that.
KERNEL_BUFFER = 128 * 1024
#: Seconds that a socket has to close.
GOODBYE = 1.0
#: Seconds between two signs of life.
HEARTBEAT = 20.0
#: Frames in vain after which a socket is closed, and how many are forgiven in a second.
MOST_VAIN, VAIN_FORGIVEN = 100, 2.0
#: The first byte of a pong.
_PONG = 0x8A


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
        self.dispatcher = Dispatcher(services, self, services.registry.route)
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

    def tell(self, table: str, packed: bytes) -> None:
        """Send what only this connection sees of a table."""
        self.send(packed)

    def show(self, table: str, epoch: int, seq: int, since: int | None, packed: bytes) -> None:
        """Show a table; what happens there from now on is sent."""
        self.send(packed)

    def respond(self, id: str, error: Refusal | None = None) -> None:
        """Send the response to a request."""
        self.send(codec.pack_response(id, error, self._clock.wall_ms()))

    def close_for_logout(self) -> None:
        """The login has ended: close the socket."""
        self._close(WSCloseCode.POLICY_VIOLATION, b"the login has ended")

    def relay(self, table: str) -> None:
        """The socket is here."""

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
                if self.dispatcher.is_full:
                    await self._finish_queue()
            await self._finish_queue()
        finally:
            del self._registry.connections[self]
            self.dispatcher.close()

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
            self.respond(codec.id_of(frame), Refusal("command/malformed", reason=str(error)))
            return
        self.dispatcher.put(request, at)

    async def _finish_queue(self) -> None:
        """Wait until every request that was read has been handled."""
        if self.dispatcher.handling is None:
            return
        if self._http is not None:
            self._http.stalled = True
        await self.dispatcher.handling
        if self._http is not None:
            self._http.stalled = False


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
