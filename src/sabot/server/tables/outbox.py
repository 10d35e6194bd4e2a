"""What there is to see of a live table, kept back until it is durable and then shown in its order.

Each step of the table is an entry: a frame for everyone, own parts, and what is done after them (answers, arrivals). An
entry whose rows are not stored yet holds back all that come after it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from sabot.engine.commands import Player
from sabot.server.logs import failed
from sabot.server.tables.subscribers import Subscribers
from sabot.store.commit import Committed, Lost, Outcome
from sabot.store.entry import LogEntry
from sabot.store.writer import Done

#: Frames kept for those who come back.
KEPT_FRAMES = 512
#: Bytes of frames that are sent again to one who comes back.
MOST_REPLAYED = 32 * 1024
#: Frames that are sent before others are served.
SLICE = 500

_DONE = object()


class Outgoing:
    """What there is to see of a step, once its rows are durable."""

    __slots__ = ("durable", "frame", "seq", "shown", "then", "units", "waits")

    def __init__(self, units: tuple[LogEntry, ...] = ()) -> None:
        self.units = units
        self.seq = 0
        self.frame: bytes | None = None
        #: Own parts, by player.
        self.shown: list[tuple[Player, bytes]] = []
        #: What is done first, and last: who has the answer has seen everything.
        self.durable: Callable[[], None] | None = None
        self.then: Callable[[], None] | None = None
        #: What it still waits for: its rows, its frames.
        self.waits = 0


class Outbox:
    """The queue of what is to be shown; when a row is not stored nothing more is, and `lost` hears of it."""

    def __init__(
        self,
        store: Callable[[LogEntry, Done], None],
        subscribers: Subscribers,
        lost: Callable[[Outcome], None],
    ) -> None:
        """`store` takes rows and says when they are durable."""
        self._store = store
        self._onlookers = subscribers
        self._lost = lost
        self._broken = False
        self._queue: deque[Outgoing] = deque()
        self._showing: Iterator[None] | None = None
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEPT_FRAMES)

    @property
    def busy(self) -> bool:
        """Whether something waits."""
        return bool(self._queue)

    def submit(self, entry: Outgoing, *, filled: bool = True) -> None:
        """Queue what there is to see behind the rows it tells of; what is not `filled` yet waits for that too."""
        entry.waits = bool(entry.units) + (not filled)
        self._queue.append(entry)
        for unit in entry.units:
            self._store(unit, partial(self._stored, entry if unit is entry.units[-1] else None))
        self._go_on()

    def filled(self, entry: Outgoing) -> None:
        """An entry that was queued before it was ready is ready."""
        entry.waits -= 1
        self._go_on()

    def stop(self) -> None:
        """Show nothing more."""
        self._broken = True

    def since(self, seq: int) -> bytes:
        """The frames after one that was seen."""
        return b"".join(frame for number, frame in self._frames if number > seq)

    def can_replay(self, since: int, last: int) -> bool:
        """Whether all frames from one that was seen to the last are kept, and fewer bytes than are worth it."""
        first = self._frames[0][0] if self._frames else last + 1
        if not first - 1 <= since <= last:
            return False
        return sum(len(frame) for seq, frame in self._frames if seq > since) <= MOST_REPLAYED

    def _stored(self, entry: Outgoing | None, outcome: Outcome) -> None:
        if self._broken:
            return
        if not isinstance(outcome, Committed):
            self.stop()
            self._lost(outcome)
        elif entry is not None:
            self.filled(entry)

    def _go_on(self) -> None:
        """Show what is durable, in order; a crowd in slices, between which others are served."""
        if self._showing is None:
            self._showing = self._show()
            self._show_more()

    def _show_more(self) -> None:
        if self._showing is None:
            return
        try:
            over = next(self._showing, _DONE) is _DONE
        except Exception as error:  # nothing would ever be shown again: the table is opened anew
            failed("a live table cannot be shown", error)
            self._showing = None
            self.stop()
            self._lost(Lost("it cannot be shown"))
            return
        if over:
            self._showing = None
        else:
            asyncio.get_running_loop().call_soon(self._show_more)

    def _show(self) -> Iterator[None]:
        """Send what is ready; stops for a moment after each slice."""
        subscribers, queue, sent = self._onlookers, self._queue, 0
        while queue and not queue[0].waits and not self._broken:
            entry = queue.popleft()
            if entry.durable is not None:
                entry.durable()
            if entry.frame is not None:
                self._frames.append((entry.seq, entry.frame))
                for subscriber in subscribers.everyone():
                    if subscribers.sees(subscriber):  # and has not gone since the last slice
                        subscriber.send_packed(entry.frame)
                    sent += 1
                    if sent % SLICE == 0:
                        yield
            for player, own in entry.shown:
                for subscriber in subscribers.of(player):
                    subscriber.send_packed(own)
                sent += 1
                if sent % SLICE == 0:
                    yield
            if entry.then is not None:
                _try(entry.then)


def _try(then: Callable[[], None]) -> None:
    """Answer one who asked; whatever fails there is nobody else's matter."""
    try:
        then()
    except Exception as error:
        failed("an answer failed at a live table", error)
