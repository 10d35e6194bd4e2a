"""The socket: one for each page a player has open, any number of tables on it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from sabot.engine import RuleError
from sabot.server import wire
from sabot.server.desk import SoloDesk, answer
from sabot.server.errors import ServerError
from sabot.server.hub import Hub
from sabot.server.metrics import COMMANDS, SOCKETS
from sabot.store.errors import StoreError
from sabot.store.facts import Currency

#: Bytes that may wait for a socket that does not read; beyond, it is closed and may come back.
MOST_WAITING = 48 * 1024
#: Seconds between two signs of life.
HEARTBEAT = 20.0


class Door(NamedTuple):
    """What stands before a question: each raises where it is not let in."""

    #: Questions come too fast.
    rate: Callable[[], None]
    #: The player's own limits forbid a stake in a currency (ASR-41).
    may_bet: Callable[[int, Currency], Awaitable[None]]


_log = structlog.get_logger()


class Visitor(Protocol):
    """Who is at the other end."""

    @property
    def player(self) -> int:
        """The player's number."""
        ...

    @property
    def vip(self) -> int:
        """The VIP level, which opens higher limits."""
        ...


class Socket:
    """A player's connection. Frames are queued and sent by a task of its own, so that nobody waits for a slow reader."""

    def __init__(
        self, hub: Hub, visitor: Visitor, response: web.WebSocketResponse, door: Door | None = None
    ) -> None:
        self._hub = hub
        self._door = door
        self.visitor = visitor
        self._response = response
        self._queue: deque[bytes] = deque()
        self._waiting = 0
        self._ready = asyncio.Event()
        self._slow = False
        self._desks: dict[str, SoloDesk] = {}

    # Out

    def send(self, frame: bytes) -> None:
        """Queue a frame; a reader that is too slow is dropped."""
        if self._slow:
            return
        self._queue.append(frame)
        self._waiting += len(frame)
        if self._waiting > MOST_WAITING and len(self._queue) > 1:
            self._slow = True
        self._ready.set()

    def dismiss(self) -> None:
        """The login has ended: close the socket."""
        self._dismissed = asyncio.create_task(
            self._response.close(code=WSCloseCode.POLICY_VIOLATION, message=b"the login has ended")
        )

    async def _send_all(self) -> None:
        while not self._slow:
            await self._ready.wait()
            self._ready.clear()
            while self._queue and not self._slow:
                frame = self._queue.popleft()
                await self._response.send_frame(frame, WSMsgType.TEXT)
                self._waiting -= len(frame)
        await self._response.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too slow")

    # In

    async def run(self) -> None:
        """Read until the other end goes away."""
        sender = asyncio.create_task(self._send_all())
        SOCKETS.inc()
        self._hub.guests.add(self)
        try:
            async for message in self._response:
                if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                await self._hear(message.data)
        finally:
            SOCKETS.dec()
            self._hub.guests.discard(self)
            sender.cancel()
            for desk in self._desks.values():
                desk.leave(self)
            with suppress(asyncio.CancelledError, ConnectionError):
                await sender

    async def _hear(self, frame: bytes | str) -> None:
        try:
            ask = wire.decode_ask(frame)
        except wire.WireError as error:
            self.send(answer("", ServerError("command/malformed", reason=str(error))))
            return
        kind = str(type(ask).__struct_config__.tag)
        with COMMANDS.labels(kind).time():
            try:
                if self._door is not None:
                    self._door.rate()
                await self._ask(ask)
            except (RuleError, StoreError, ServerError) as error:
                self.send(answer(ask.id, error))
            except Exception:
                _log.exception("a question failed", kind=kind, player=self.visitor.player)
                self.send(answer(ask.id, ServerError("house/error")))

    async def _ask(self, ask: wire.AnyAsk) -> None:
        player = self.visitor.player
        if isinstance(ask, wire.Open):
            desk = await self._hub.open(ask.game, player, ask.currency, self.visitor.vip)
            self._desks[desk.name] = desk
            desk.watch(self)
            self.send(answer(ask.id))
        elif isinstance(ask, wire.Resume):
            desk = await self._hub.resume(ask.table, player, self.visitor.vip)
            self._desks[desk.name] = desk
            desk.watch(self, ask.epoch, ask.since)
            self.send(answer(ask.id))
        else:
            desk = self._hub.find(ask.table, player)
            if isinstance(ask, wire.Deal) and self._door is not None:
                await self._door.may_bet(sum(bet.stake for bet in ask.bets), desk.table.config.currency)
            desk.ask(ask, self)


async def serve_socket(
    request: web.Request, hub: Hub, visitor: Visitor, door: Door | None = None
) -> web.WebSocketResponse:
    """The whole life of a socket."""
    response = web.WebSocketResponse(
        protocols=(wire.SUBPROTOCOL,), heartbeat=HEARTBEAT, max_msg_size=wire.LONGEST_FRAME, compress=False
    )
    await response.prepare(request)
    await Socket(hub, visitor, response, door).run()
    return response
