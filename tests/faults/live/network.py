"""The wire between a player and the house, in virtual time: it is slow, it stalls, it breaks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from functools import lru_cache
from random import Random
from typing import NamedTuple

import msgspec
from aiohttp import WSMsgType

from sabot.protocol import messages

#: Seconds that something is on its way.
LATENCIES = (0.001, 0.004, 0.02, 0.15)

_MESSAGE: msgspec.json.Decoder[messages.AnyMessage] = msgspec.json.Decoder(messages.AnyMessage)


class Message(NamedTuple):
    """What a player sent, as the server's socket gets it."""

    data: str | bytes
    type: WSMsgType = WSMsgType.TEXT


class Line:
    """A connection. What is written at one end comes out at the other after a while, in its order.

    To the server it is both the WebSocket it reads and the transport it writes to.
    """

    def __init__(
        self, rng: Random, hear: Callable[[messages.AnyMessage], None], ended: Callable[[Line], None]
    ) -> None:
        self._rng = rng
        self._hear = hear
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()  # what was written arrives, whatever becomes of the house's process
        self._down: deque[bytes] = deque()
        self._flying: deque[Message | None] = deque()
        self._up: deque[Message | None] = deque()
        self._came = asyncio.Event()
        self._due = False
        self.closed = False
        #: The player's end does not read.
        self.stalled = False

    def _later(self, act: Callable[[], object]) -> None:
        self._loop.call_later(self._rng.choice(LATENCIES), act, context=self._context)

    # The player's end

    def send(self, data: str | bytes) -> None:
        """Send something to the house."""
        self._fly(Message(data))

    def _fly(self, message: Message | None) -> None:
        self._flying.append(message)
        self._later(self._arrive)

    def _arrive(self) -> None:
        self._up.append(self._flying.popleft())
        self._came.set()

    def drop(self) -> None:
        """Break the connection off; what was sent before still arrives, what comes back is not heard."""
        if not self.closed:
            self.closed = True
            self._down.clear()
            self._fly(None)

    def read_on(self) -> None:
        """Read again after a stall."""
        self.stalled = False
        self._deliver()
        if self.closed:
            self._ended(self)

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way."""
        return not (self._down or self._flying or self._up)

    # The house's end, as a transport

    def is_closing(self) -> bool:
        """Whether nothing can be written any more."""
        return self.closed

    def get_write_buffer_size(self) -> int:
        """Bytes that wait for a player who does not read."""
        return sum(map(len, self._down)) if self.stalled else 0

    def write(self, packed: bytes) -> None:
        """Write to the player."""
        self._down.append(packed)
        if not self._due and not self.stalled:
            self._due = True
            self._later(self._deliver)

    def abort(self) -> None:
        """Break the connection off; what waits is lost."""
        if self.closed:
            return
        self._down.clear()
        self.closed = True
        self._up.append(None)
        self._came.set()
        if not self.stalled:
            self._later(lambda: self._ended(self))

    def _deliver(self) -> None:
        self._due = False
        while self._down and not self.stalled:
            for heard in unpacked(self._down.popleft()):
                self._hear(heard)

    def cut(self) -> None:
        """The process is dead: what it has written still comes, and nothing more."""
        self._deliver()
        self.closed = True
        self._ended(self)

    # The house's end, as a WebSocket

    def __aiter__(self) -> Line:
        return self

    async def __anext__(self) -> Message:
        while not self._up:
            self._came.clear()
            await self._came.wait()
        message = self._up.popleft()
        if message is None:
            raise StopAsyncIteration
        return message

    async def close(self, *, code: int, message: bytes) -> None:
        """The house closes the connection."""
        self._deliver()
        self.abort()


@lru_cache(maxsize=512)
def unpacked(packed: bytes) -> tuple[messages.AnyMessage, ...]:
    """The frames that were packed together (RFC 6455, section 5.2); the same bytes for many are read once."""
    heard: list[messages.AnyMessage] = []
    at = 0
    while at < len(packed):
        assert packed[at] == 0x81, f"no text frame: {packed[at : at + 20]!r}"
        length, start = packed[at + 1], at + 2
        if length >= 126:
            start += 2 if length == 126 else 8
            length = int.from_bytes(packed[at + 2 : start], "big")
        text = packed[start : start + length]
        assert len(text) == length, "a frame was cut off"
        heard.append(_MESSAGE.decode(text))
        at = start + length
    return tuple(heard)
