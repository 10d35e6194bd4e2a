"""A WebSocket to the house: requests and responses, and the state of every table."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeVar

import aiohttp
import msgspec

from sabot.client.state import TableState
from sabot.protocol import codec, messages, requests

T = TypeVar("T")

_MESSAGE: msgspec.json.Decoder[messages.AnyMessage] = msgspec.json.Decoder(messages.AnyMessage)

#: What is answered to a question when the socket is gone.
CLOSED = "socket/closed"


class AskError(Exception):
    """The house refused a request."""

    def __init__(self, failure: messages.Failure) -> None:
        super().__init__(failure.code, failure.params)
        self.code = failure.code
        self.params = failure.params


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
        self._answers: dict[str, tuple[asyncio.Future[messages.Failure | None], float]] = {}
        self._changed = asyncio.Event()
        #: Whether there is a socket to let go of, and whether it is gone.
        self._opened = False
        self.closed = True
        self.tables: dict[str, TableState] = {}
        #: The live tables as the lobby shows them, by name.
        self.lobby: dict[str, messages.TableHead] = {}
        #: Milliseconds by which the server's clock is ahead of the own one, and how sure that is.
        self.offset = 0.0
        self._unsure = float("inf")
        #: Called with every frame as it comes.
        self.heard: Callable[[bytes], None] | None = None

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
        await self._hang_up()
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
        await self._hang_up()
        if self._own_session and self._session is not None:
            await self._session.close()
            self._session = None

    async def _hang_up(self) -> None:
        if self._opened:
            self._opened = False
            await self._socket.close()
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader

    # Asking

    async def ask(self, ask: requests.AnyRequest) -> None:
        """Send a request and wait for its response; `AskError` if it is refused."""
        if self.closed:
            raise AskError(messages.Failure(CLOSED))
        waiting = asyncio.get_running_loop().create_future(), self._now()
        future, _ = self._answers.setdefault(ask.id, waiting)
        try:
            await self._socket.send_str(msgspec.json.encode(ask).decode())
            failure = await future
        except ConnectionError:
            raise AskError(messages.Failure(CLOSED)) from None
        finally:
            self._answers.pop(ask.id, None)
        if failure is not None:
            raise AskError(failure)

    async def wait_for(self, ready: Callable[[], T], seconds: float | None = None) -> T:
        """Wait until `ready` says something that is true, and give it; it is asked again after every frame.

        `TimeoutError` after so many seconds, `AskError` if the socket is gone.
        """
        async with asyncio.timeout(seconds):
            while not (found := ready()):
                if self.closed:
                    raise AskError(messages.Failure(CLOSED))
                self._changed.clear()
                await self._changed.wait()
        return found

    def look_again(self) -> None:
        """Wake those who wait, without a frame."""
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

    def _compare_clocks(self, at: int, asked: float) -> None:
        """The server answered at some moment between then and now; the quickest answer tells most."""
        now = self._now()
        if at and now - asked <= self._unsure:
            self._unsure = now - asked
            self.offset = at - (now + asked) / 2

    # Hearing

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        try:
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                data = message.data.encode()
                if self.heard is not None:
                    self.heard(data)
                self._hear(data)
                self._changed.set()
        finally:
            self.closed = True
            for future, _ in self._answers.values():
                if not future.done():
                    future.set_result(messages.Failure(CLOSED))
            self._changed.set()

    def _hear(self, data: bytes) -> None:
        message = _MESSAGE.decode(data)
        match message:
            case messages.Response(id=id, error=error, at=at):
                future, asked = self._answers.get(id, (None, 0.0))
                if future is not None and not future.done():
                    self._compare_clocks(at, asked)
                    future.set_result(error)
            case messages.Lobby(tables=tables):
                self.lobby = {head.table: head for head in tables}
            case _:
                self._hear_at(message)

    def _hear_at(
        self,
        message: messages.Frame
        | messages.Snapshot
        | messages.OwnPart
        | messages.Closed
        | messages.Said
        | messages.Unsaid,
    ) -> None:
        """What is said of one table; one that is not known was opened by another client of this player."""
        state = self.tables.get(message.table)
        match message:
            case messages.Snapshot() if state is None:
                self.tables[message.table] = TableState.of(message)
            case messages.Snapshot() if state is not None:
                state.show(message)
            case messages.Frame() if state is not None:
                state.advance(message)
            case messages.OwnPart() if state is not None:
                state.me = message
            case messages.Said() if state is not None:
                state.hear(message)
            case messages.Unsaid(id=id) if state is not None:
                state.said.pop(id, None)
            case messages.Closed():
                self.tables.pop(message.table, None)


def new_id() -> str:
    """A new request id."""
    return str(uuid.uuid4())
