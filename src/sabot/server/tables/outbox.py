"""Outbox: sends frames in order, after their log entries are committed.

Each step of a table is one `Outgoing`: a frame for everyone, players' own parts, and what is done after them (responses,
arrivals). One whose log entries are not committed yet holds back all that come after it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from inspect import GEN_RUNNING, getgeneratorstate
from typing import TYPE_CHECKING, NamedTuple

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.server.logs import failed
from sabot.store.commit import Committed, Lost, Outcome
from sabot.store.entry import LogEntry

if TYPE_CHECKING:
    from sabot.server.house import House
    from sabot.server.tables.request_handler import Pending
    from sabot.server.tables.subscribers import Subscribers
    from sabot.tables.live.phases import PhaseTime

#: Frames kept for those who come back.
KEPT_FRAMES = 512
#: Bytes of frames that are sent again to one who comes back.
MOST_REPLAYED = 32 * 1024
#: Messages that are sent before others are served.
SLICE = 500

_DONE = object()


@dataclass(eq=False, slots=True)
class Outgoing:
    """What a step sends, once its log entries are committed."""

    entries: tuple[LogEntry, ...] = ()
    seq: int = 0
    frame: bytes | None = None
    #: Own parts, by player.
    own: list[tuple[Player, bytes]] = field(default_factory=list)
    #: What is done first, and last: who has the response has seen everything.
    committed: tuple[Callable[[], None], ...] = ()
    then: tuple[Callable[[], None], ...] = ()
    #: What it still waits for: its log entries, its frames.
    waits: int = 0
    #: What it came from, and the phase of the table before that.
    task: Task | None = None
    before: PhaseTime | None = None
    #: Whether it was taken back: it is not sent any more.
    dropped: bool = False


class Task(NamedTuple):
    """Something to do at a table."""

    act: Callable[[], Outgoing | None]
    #: Called with why it failed, or was lost; with nothing if it had been done before.
    failed: Callable[[Refusal | None], None] = lambda error: None
    #: Whether it is done again at a table that was read back from the log.
    again: bool = True
    #: The request that it carries out.
    pending: Pending | None = None


class Outbox:
    """The queue of what is to be sent. `lost` is called with the entry that is not stored."""

    def __init__(
        self,
        house: House,
        subscribers: Subscribers,
        lost: Callable[[Outgoing, LogEntry | None, Outcome], None],
    ) -> None:
        self._house = house
        self._subscribers = subscribers
        self._lost = lost
        self._queue: deque[Outgoing] = deque()
        self._sending: Generator[None, None, None] | None = None
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEPT_FRAMES)

    @property
    def busy(self) -> bool:
        """Whether something waits, or is being sent."""
        return bool(self._queue) or self._sending is not None

    def submit(self, outgoing: Outgoing, *, filled: bool = True) -> None:
        """Queue what a step sends behind its log entries; one that is not `filled` yet waits for that too."""
        outgoing.waits = bool(outgoing.entries) + (not filled)
        self._queue.append(outgoing)
        for entry in outgoing.entries:
            self._house.writer.submit(entry, partial(self._stored, outgoing, entry))
        self._go_on()

    def filled(self, outgoing: Outgoing) -> None:
        """One that was queued before it was ready is ready."""
        outgoing.waits -= 1
        self._go_on()

    def finish(self) -> None:
        """Send at once the rest of what is being sent in slices. Nothing else is ready: the queue waits for its commit."""
        sending = self._sending
        if (
            sending is None or getgeneratorstate(sending) == GEN_RUNNING
        ):  # what is being sent ends the table itself
            return
        self._sending = None
        try:
            deque(sending, 0)
        except Exception as error:  # the table ends all the same
            failed("a table cannot be shown", error)

    def drop(self, first: Outgoing | None = None) -> list[Outgoing]:
        """Take back one and all after it, or everything."""
        queue = list(self._queue)
        at = queue.index(first) if first in queue else 0
        for outgoing in queue[at:]:
            outgoing.dropped = True
        self._queue = deque(queue[:at])
        return queue[at:]

    def forget_frames(self) -> None:
        """The table was read back: frames from before are not sent again."""
        self._frames.clear()

    def since(self, seq: int) -> bytes:
        """The frames after one that was seen."""
        return b"".join(frame for number, frame in self._frames if number > seq)

    def can_replay(self, since: int, last: int) -> bool:
        """Whether all frames since one that was seen are kept, and are few enough bytes to send again."""
        first = self._frames[0][0] if self._frames else last + 1
        if not first - 1 <= since <= last:
            return False
        return sum(len(frame) for seq, frame in self._frames if seq > since) <= MOST_REPLAYED

    def _stored(self, outgoing: Outgoing, entry: LogEntry, outcome: Outcome) -> None:
        if outgoing.dropped:
            return
        if not isinstance(outcome, Committed):
            self._lost(outgoing, entry, outcome)
        elif entry is outgoing.entries[-1]:
            self.filled(outgoing)

    def _go_on(self) -> None:
        """Send what is committed, in order; to a crowd in slices, between which others are served."""
        if self._sending is None and self._queue and not self._queue[0].waits:
            self._sending = self._send()
            self._send_more()

    def _send_more(self) -> None:
        if self._sending is None:
            return
        try:
            over = next(self._sending, _DONE) is _DONE
        except Exception as error:  # nothing would ever be sent again: the table is read back
            failed("a table cannot be shown", error)
            self._sending = None
            self._lost(Outgoing(), None, Lost("it cannot be shown"))
            return
        if over:
            self._sending = None
        else:
            asyncio.get_running_loop().call_soon(self._send_more)

    def _send(self) -> Generator[None, None, None]:
        """Send what is ready; stops for a moment after each slice."""
        subscribers, sent = self._subscribers, 0
        while self._queue and not self._queue[0].waits:
            outgoing = self._queue.popleft()
            for act in outgoing.committed:
                act()
            if outgoing.frame is not None:
                self._frames.append((outgoing.seq, outgoing.frame))
                subscribers.publish(outgoing.seq, outgoing.frame)
                for subscriber in subscribers.everyone():
                    if subscribers.sees(subscriber):  # and has not gone since the last slice
                        subscriber.send(outgoing.frame)
                    sent += 1
                    if sent % SLICE == 0:
                        yield
            for player, own in outgoing.own:
                subscribers.tell(player, own)
                sent += 1
                if sent % SLICE == 0:
                    yield
            for act in outgoing.then:
                try:
                    act()
                except Exception as error:  # nobody else's matter
                    failed("a response failed at a table", error)
