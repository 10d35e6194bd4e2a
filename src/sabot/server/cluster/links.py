"""Ordered links between nodes, over a bus that may lose, repeat, delay and reorder what it carries (CLU-02).

Each message has the number of its link and a digest under a key of the house. A message that was heard before or comes
from outside the house is dropped (CLU-25); a gap in the numbers is told, and connections are then attached again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, Protocol

import msgspec

from sabot.server.cluster.messages import AnyMessage
from sabot.server.logs import failed
from sabot.server.metrics import BUS_HEARD, BUS_REFUSED, BUS_SENT

#: The format of messages; another one is refused, never guessed (CLU-22).
FORMAT = 1
_DIGEST = 32


class Bus(Protocol):
    """Carries bytes between nodes. Nothing of value lives in it."""

    @property
    def up(self) -> bool:
        """Whether what is posted can arrive."""

    def post(self, node: int, packed: bytes) -> None:
        """Send to a node; dropped while the bus is down. Never waits."""


class Envelope(NamedTuple):
    """A message on its way."""

    format: int
    sender: int
    to: int
    number: int
    body: msgspec.Raw


_ENVELOPE = msgspec.msgpack.Decoder(Envelope)
_MESSAGE: msgspec.msgpack.Decoder[AnyMessage] = msgspec.msgpack.Decoder(AnyMessage)
_encode = msgspec.msgpack.Encoder().encode


def bus_key(vault_key: bytes) -> bytes:
    """The key of a house's messages, from the key of its vault."""
    return hmac.digest(vault_key, b"sabot bus", hashlib.sha256)


class Links:
    """The links of one node to all others."""

    def __init__(
        self,
        bus: Bus,
        me: int,
        key: bytes,
        heard: Callable[[int, AnyMessage], None],
        missed: Callable[[int], None],
    ) -> None:
        """`heard` is called with each message and its sender, `missed` before it if something was lost in between."""
        self._bus = bus
        self.me = me
        #: Copied for each message: to begin a digest anew costs as much as the digest.
        self._mac = hmac.new(key, digestmod=hashlib.sha256)
        self._heard = heard
        self._missed = missed
        self._sent: dict[int, int] = {}
        #: The last number heard of each sender that may be alive.
        self.last: dict[int, int] = {}
        #: The nodes that live, as last seen, and the greatest id among all that were seen: ids are given in order.
        self._living: frozenset[int] = frozenset()
        self._newest = 0

    @property
    def up(self) -> bool:
        """Whether what is posted can arrive."""
        return self._bus.up

    def post(self, node: int, message: AnyMessage) -> None:
        """Send a message to a node, after those sent before."""
        self.post_all((node,), message)

    def post_all(self, nodes: Iterable[int], message: AnyMessage) -> None:
        """Send a message to some nodes, encoded once."""
        body = msgspec.Raw(_encode(message))
        for node in nodes:
            number = self._sent[node] = self._sent.get(node, 0) + 1
            packed = _encode(Envelope(FORMAT, self.me, node, number, body))
            BUS_SENT.inc()
            self._bus.post(node, self._digest(packed) + packed)

    def become(self, me: int) -> None:
        """This process is another node from now on."""
        self.me = me
        self._sent.clear()
        self.last.clear()
        self._living, self._newest = frozenset(), 0

    def know(self, living: Collection[int]) -> None:
        """Which nodes live: what others say is not obeyed any more, but for one that has come since."""
        self._living = frozenset(living)
        self._newest = max(self._newest, *living, 0)
        for numbers in (self._sent, self.last):
            for node in [node for node in numbers if self._is_dead(node)]:
                del numbers[node]

    def _is_dead(self, node: int) -> bool:
        return node not in self._living and node <= self._newest

    def receive(self, packed: bytes) -> None:
        """Take what the bus has brought; bytes of strangers and of another format are counted, not obeyed."""
        digest, rest = packed[:_DIGEST], packed[_DIGEST:]
        if not hmac.compare_digest(digest, self._digest(rest)):
            BUS_REFUSED.labels("stranger").inc()
            return
        try:
            envelope = _ENVELOPE.decode(rest)
            if envelope.format != FORMAT:
                raise ValueError(f"format {envelope.format}")
            message = _MESSAGE.decode(envelope.body)
        except ValueError:
            BUS_REFUSED.labels("unknown").inc()
            return
        if envelope.to == self.me:
            self._take(envelope, message)

    def _digest(self, packed: bytes) -> bytes:
        mac = self._mac.copy()
        mac.update(packed)
        return mac.digest()

    def _take(self, envelope: Envelope, message: AnyMessage) -> None:
        last = self.last.get(envelope.sender, 0)
        if envelope.number <= last or self._is_dead(envelope.sender):
            return
        self.last[envelope.sender] = envelope.number
        BUS_HEARD.inc()
        try:
            if envelope.number > last + 1:
                self._missed(envelope.sender)
            self._heard(envelope.sender, message)
        except Exception as error:  # the next message is heard all the same
            failed("a message was not obeyed", error, kind=type(message).__name__)
