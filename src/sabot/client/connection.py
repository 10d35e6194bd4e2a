"""A WebSocket to the house: requests and responses, and the state of every table."""

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import aiohttp
import msgspec

from sabot.client.state import TableState
from sabot.protocol import codec, messages, requests

T = TypeVar("T")

_MESSAGE: msgspec.json.Decoder[messages.AnyMessage] = msgspec.json.Decoder(messages.AnyMessage)

#: The refusal of a request when the socket is closed.
CLOSED = "socket/closed"


class RequestError(Exception):
    """The house refused a request."""

    def __init__(self, code: str, params: dict[str, Any] | None = None) -> None:
        super().__init__(code, params or {})
        self.code = code
        self.params = params or {}


class ClientConnection:
    """A player's WebSocket; it can be opened again with the tables it knows."""

    _socket: aiohttp.ClientWebSocketResponse
    _reader: asyncio.Task[None]

    def __init__(
        self,
        url: str,
        token: str,
        session: aiohttp.ClientSession | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`wall` is the player's own clock, in seconds of UTC."""
        self._url = url.rstrip("/")
        self._token = token
        self._session = session
        self._own_session = session is None
        self._wall = wall
        #: Requests without a response yet, with the time at which each was sent.
        self._pending: dict[str, tuple[asyncio.Future[messages.Failure | None], float]] = {}
        self._changed = asyncio.Event()
        self._opened = False
        self.closed = True
        self.tables: dict[str, TableState] = {}
        #: The live tables in the lobby, by name.
        self.lobby: dict[str, messages.TableHead] = {}
        #: Milliseconds by which the server's clock is ahead, and the duration of the request that measured it.
        self.offset = 0.0
        self._unsure = float("inf")
        #: Called with every message received.
        self.on_message: Callable[[bytes], None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self.connect()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def connect(self) -> None:
        """Open the socket, also after it broke."""
        await self._disconnect()
        self._session = self._session or aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(
            f"{self._url}/api/v1/socket",
            protocols=(codec.SUBPROTOCOL,),
            headers={"Authorization": f"Bearer {self._token}"},
            max_msg_size=0,
        )
        self._opened, self.closed = True, False
        self._reader = asyncio.create_task(self._read(self._socket))

    async def close(self) -> None:
        """Close the socket, and an own session."""
        await self._disconnect()
        if self._own_session and self._session is not None:
            await self._session.close()
            self._session = None

    async def _disconnect(self) -> None:
        if self._opened:
            self._opened = False
            await self._socket.close()
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader

    # Requests

    async def send(self, request: requests.AnyRequest) -> None:
        """Send a request and wait for its response; `RequestError` if it is refused."""
        if self.closed:
            raise RequestError(CLOSED)
        waiting = asyncio.get_running_loop().create_future(), self._now()
        future, _ = self._pending.setdefault(request.id, waiting)
        try:
            await self._socket.send_str(msgspec.json.encode(request).decode())
            failure = await future
        except ConnectionError:
            raise RequestError(CLOSED) from None
        finally:
            self._pending.pop(request.id, None)
        if failure is not None:
            raise RequestError(failure.code, failure.params)

    async def wait_for(self, ready: Callable[[], T], seconds: float | None = None) -> T:
        """Call `ready` after every message until its result is true, and return that.

        `TimeoutError` after so many seconds, `RequestError` if the socket is closed.
        """
        async with asyncio.timeout(seconds):
            while not (found := ready()):
                if self.closed:
                    raise RequestError(CLOSED)
                self._changed.clear()
                await self._changed.wait()
        return found

    def wake(self) -> None:
        """Let `wait_for` call its function again, without a message."""
        self._changed.set()

    # Time

    def left(self, table: str) -> float | None:
        """Seconds until the phase of a live table ends, by the server's clock; None if it has no end."""
        state = self.tables.get(table)
        if state is None or state.live is None or state.live.until is None:
            return None
        return (state.live.until - self._now() - self.offset) / 1000

    def _now(self) -> float:
        return 1000 * self._wall()

    def _compare_clocks(self, at: int, sent: float) -> None:
        """Measure the server's clock by a response; the quickest response is the most exact."""
        now = self._now()
        if at and now - sent <= self._unsure:
            self._unsure = now - sent
            self.offset = at - (now + sent) / 2

    # Messages

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        try:
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                data = message.data.encode()
                if self.on_message is not None:
                    self.on_message(data)
                self._handle(_MESSAGE.decode(data))
                self._changed.set()
        finally:
            self.closed = True
            for future, _ in self._pending.values():
                if not future.done():
                    future.set_result(messages.Failure(CLOSED))
            self._changed.set()

    def _handle(self, message: messages.AnyMessage) -> None:
        match message:
            case messages.Response(id=id, error=error, at=at):
                future, sent = self._pending.get(id, (None, 0.0))
                if future is not None and not future.done():
                    self._compare_clocks(at, sent)
                    future.set_result(error)
            case messages.Lobby(tables=tables):
                self.lobby = {head.table: head for head in tables}
            case messages.Closed(table=table):
                self.tables.pop(table, None)
            case messages.Snapshot(table=table) if table not in self.tables:
                self.tables[table] = TableState.of(message)
            case _ if message.table not in self.tables:
                pass  # it belongs to another client of this player
            case messages.Snapshot(table=table):
                self.tables[table].show(message)
            case messages.Frame(table=table):
                self.tables[table].advance(message)
            case messages.OwnPart(table=table):
                self.tables[table].me = message
            case messages.Said(table=table):
                self.tables[table].add_line(message)
            case messages.Unsaid(table=table, id=id):
                self.tables[table].said.pop(id, None)


def new_id() -> str:
    """A new request id."""
    return str(uuid.uuid4())
