"""TableRuntime: owns one table, solo or live.

Requests are carried out in memory one after the other and never wait for the disk. Their log entries go to the writer;
frames and responses wait in the outbox until they are committed. If an entry is lost the table is broken: it is read
back from the log. If the store refuses the entry of one request, because the id was used before or money is not there,
only that request fails: the table is read back, and what came after it is done again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.protocol import codec, messages
from sabot.server.accounts.queries import answered_among
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.server.refusals import refusal_of
from sabot.server.studio.alarms import note_alarms
from sabot.server.tables import queries
from sabot.server.tables.adapter import TableAdapter
from sabot.server.tables.clock import TableClock
from sabot.server.tables.outbox import Outbox, Outgoing, Task
from sabot.server.tables.request_handler import InFlight, RequestHandler
from sabot.server.tables.subscribers import Subscribers, Wallets
from sabot.store.commit import Outcome, Repeated, failure
from sabot.store.entry import LogEntry, Stream
from sabot.tables.live.phases import PhaseTime
from sabot.tables.live.step import LiveStep

#: The table in memory.
T = TypeVar("T")

#: Tasks that are done before others are served.
AT_ONCE = 25
#: Refusals that are not the store's decision: what comes before may not be stored either.
_UNDECIDED = ("house/busy", "house/down", "stream/fenced", "unit/lost")


class TableRuntime(Generic[T]):
    """The owner of one table."""

    def __init__(
        self,
        house: House,
        adapter: TableAdapter[T],
        reopen: Callable[[Stream | None], Awaitable[TableAdapter[T]]],
        broke: Callable[[TableRuntime[Any]], None],
        clock: Callable[[TableRuntime[Any]], TableClock] | None = None,
        ended: Callable[[TableRuntime[Any]], None] = lambda runtime: None,
    ) -> None:
        """`reopen` reads the table back from the log; `broke` is called when that has to be done.

        `ended` is called when a live table is closed for good.
        """
        self.house = house
        self.adapter = adapter
        self.name = adapter.base.config.name
        self._open = reopen
        self._broke = broke
        self._ended = ended
        #: Whether the table has to be read back; and the stream to go on with, if nothing was lost.
        self.broken = False
        self.rest: Stream | None = None
        #: Whether it was closed for good: it is another node's, or gone.
        self.closed = False
        #: The phase before a request that was taken back.
        self._before: PhaseTime | None = None
        #: Whether the table is in the hands of a thread.
        self.held = False
        self.subscribers = Subscribers(self)
        self.wallets = Wallets()
        #: The number of the last frame.
        self.seq = 0
        self.outbox = Outbox(house, self.subscribers, self._lost)
        self.requests = RequestHandler(self)
        self._inbox: deque[Task] = deque()
        self._scheduled = False
        #: Requests for this table, from the socket to the inbox and in it.
        self.in_flight = InFlight()
        #: When a player last used the table.
        self.used_at = house.clock.monotonic()
        self.clock = None if clock is None else clock(self)

    @property
    def table(self) -> T:
        """The table in memory."""
        return self.adapter.table

    @property
    def lost(self) -> bool:
        """Whether entries were lost; which ones is known when the table is read back."""
        return self.broken and self.rest is None

    # The inbox

    def put(self, task: Task) -> None:
        """Do something at the table, in its turn."""
        self._inbox.append(task)
        self.schedule()

    def schedule(self) -> None:
        """Empty the inbox soon."""
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._empty_inbox)

    def _empty_inbox(self) -> None:
        """Do what is in the inbox, in order; a few tasks at a time, between which others are served."""
        self._scheduled = False
        for _ in range(AT_ONCE):
            if not self._inbox or self.broken or self.held:
                break
            self._do(self._inbox.popleft())
        if self._inbox and not self.broken and not self.held:
            self.schedule()
        self.wake()

    def _do(self, task: Task) -> None:
        """Do one task. If it fails in a way that nobody foresaw it fails alone (ASR-32).

        Only if it was half done is the table read back: what it holds in memory must not be ahead of the log.
        """
        before, moment = self._mark(), self.adapter.moment
        try:
            outgoing = task.act()
            if outgoing is not None:
                outgoing.task, outgoing.before = task, moment
                self.outbox.submit(outgoing)
        except Exception as error:
            step = self.adapter.take()
            half_done = bool(step.entries or step.events) or self._mark() != before
            failed("a request failed at a table", error, table=self.name, half_done=half_done)
            task.failed(refusal_of(error))
            if half_done:
                self.throw_away("unit/lost")

    def _mark(self) -> tuple[int, str, int]:
        """The place of the table in its log; every change moves it."""
        base = self.adapter.base
        return base.stream.n, base.code, len(base.current.round.commands) if base.current else 0

    def wake(self) -> None:
        """Let the clock check the table."""
        if self.clock is not None:
            self.clock.wake()

    @property
    def busy(self) -> bool:
        """Whether something is to be done or to be sent."""
        waits = self.held or (self.clock is not None and self.clock.woken)
        return waits or bool(self._inbox) or self._scheduled or self.outbox.busy

    def landed(self, request: Hashable) -> None:
        """A request is not in flight any more; the end of the phase may have waited for it."""
        at = self.in_flight.discard(request)
        if self.clock is not None:
            self.clock.landed(at)

    # What is done

    async def order(self, act: Callable[[T], None]) -> None:
        """Let an operator do something to the table; over when it is committed and was shown."""
        if self.lost:
            raise Refusal("unit/lost")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def acted() -> LiveStep:
            try:
                act(self.table)
            except Refusal as error:
                refused.append(error)
            return self.adapter.take()  # a refused reading of a card is written down

        def obey() -> Outgoing | None:
            refused.clear()
            outgoing = Outgoing(task=task, then=(lambda: _end(done, *refused),))
            if self.clock is not None and self.clock.has_crowd:
                self.clock.carry_out(acted, outgoing)
                return None
            self.fill(outgoing, acted())
            return outgoing

        refused: list[Refusal] = []
        task = Task(obey, partial(_end, done))
        self.put(task)
        await done

    def change(self, act: Callable[[TableAdapter[T]], None], *, again: bool = True) -> None:
        """Change the table in its turn, and show it."""

        def change() -> Outgoing:
            act(self.adapter)
            return self.prepare(self.adapter.take())

        self.put(Task(change, again=again))

    # What is shown

    def me(self, player: Player) -> messages.OwnPart:
        """A player's own part."""
        return self.adapter.me(player, self.wallets.of(player))

    def show(self, step: LiveStep) -> None:
        """Send a step when it is committed."""
        self.outbox.submit(self.prepare(step))

    def prepare(self, step: LiveStep, *also: Player) -> Outgoing:
        """What a step sends, encoded once."""
        outgoing = Outgoing()
        self.fill(outgoing, step, *also)
        return outgoing

    def fill(self, outgoing: Outgoing, step: LiveStep, *also: Player) -> None:
        """Encode what a step sends; of a crowd in a thread."""
        outgoing.entries = step.entries
        if step.over:
            outgoing.then += (partial(self._ended, self),)
        for player, amount in step.taken.items():
            self.wallets.move(player, amount)
        moved = self.wallets.take_moving()
        if moved:
            outgoing.committed += (partial(self.wallets.settle, moved),)
        if step.alarms:
            about = (self.house.events, self.name, self.adapter.base.code, step.alarms)
            outgoing.committed += (partial(note_alarms, *about),)
        if step.events:
            self.seq += 1
            outgoing.seq = self.seq
            base, at = self.adapter.base, self.house.clock.wall_ms()
            moment = (self.name, base.stream.epoch, self.seq, at, base.code, self.adapter.turn)
            outgoing.frame = codec.pack(messages.Frame(*moment, step.events))
        for player in dict.fromkeys((*step.touched, *also)):
            if self.subscribers.has(player):  # also one who is about to be shown the table
                outgoing.own.append((player, codec.pack(self.me(player))))

    def broadcast(self, message: messages.Message) -> None:
        """Send what is neither stored nor counted: what people say."""
        packed = codec.pack(message)
        self.subscribers.publish(0, packed)
        for subscriber in self.subscribers.everyone():
            subscriber.send(packed)

    # Failure

    def _lost(self, outgoing: Outgoing, entry: LogEntry | None, outcome: Outcome) -> None:
        """An entry was not stored; a repeated request was carried out before, which is no error (ASR-11)."""
        task, error = outgoing.task, None if isinstance(outcome, Repeated) else failure(outcome)
        pending = None if task is None else task.pending
        if entry is not None and pending is not None and (error is None or error.code not in _UNDECIDED):
            self._take_back(outgoing, entry, error)
            return
        if task is not None and pending is not None:
            task.failed(error)
        self.throw_away("unit/conflict" if error is None else error.code)

    def _take_back(self, refused: Outgoing, entry: LogEntry, error: Refusal | None) -> None:
        """The store refused one request: go on from the entry before it, and do again what came after it."""
        stream = self.adapter.base.stream
        self.rest = Stream(stream.id, stream.name, stream.epoch, entry.n - 1)
        self.broken = True
        first, *after = [one.task for one in self.outbox.drop(refused) if one.task is not None]
        again = [task for task in (*after, *self._inbox) if task.again]
        self._before = refused.before
        if first.pending is not None:
            self.requests.take_back(first.pending, [task.pending for task in after if task.pending], error)

        respond = Task(lambda: Outgoing(then=(partial(first.failed, error),)), first.failed)
        self._inbox = deque((respond, *again))
        self._broke(self)

    def throw_away(self, code: str) -> None:
        """Close the table for everyone, fail what is under way, and have the table read back from the log."""
        if self.lost:
            return
        self.broken, self.rest, self._before = True, None, None
        self.outbox.finish()  # nothing of the old table comes after its end
        self.broadcast(messages.Closed(self.name, code))
        self._fail_all()
        self._broke(self)

    def _fail_all(self) -> None:
        """Fail every pending request."""
        tasks = [*(one.task for one in self.outbox.drop() if one.task is not None), *self._inbox]
        self._inbox.clear()
        for task in tasks:
            if task.again:
                task.failed(Refusal("unit/lost"))

    async def reopen(self) -> None:
        """Read the table back from the log; those who are there are shown it again.

        If the table was closed meanwhile it stays closed, and the stream that was just taken is released.
        """
        rest, read = self.rest, self.house.read
        adapter = await self._open(rest)
        unstored = [] if rest else self.requests.cache.unstored()
        stored = partial(answered_among, stream=adapter.base.stream.id, requests=unstored)
        found = await read(stored) if unstored else []
        accounts: dict[Player, int] = {}
        while coming := self.subscribers.players() - accounts.keys():  # some came while the books were read
            accounts |= await read(partial(queries.accounts_of, config=adapter.base.config, players=coming))
        if self.closed:
            await self.house.work(partial(self.house.store.release, adapter.base.stream))
            return
        self.adapter, self.wallets = adapter, Wallets()
        self.requests.cache.forget(unstored)
        self.requests.cache.learn(found)
        self.seq += 1
        self.outbox.forget_frames()
        self.broken, self.rest = False, None
        waiting, self._inbox = self._inbox, deque()
        self.subscribers.show_again(accounts)
        self._inbox += waiting
        self.start()

    def start(self) -> None:
        """Begin to run the table."""
        if self.clock is not None:
            self.clock.start(self._before)
            self._before = None
        self.schedule()

    def close(self) -> None:
        """Stop the table for good and fail its pending requests; an open round stays in the log."""
        self.broken, self.rest, self.closed = True, None, True
        self.outbox.finish()  # whoever looks at it sees the next owner's frames from now on
        if self.clock is not None:
            self.clock.close()
        self._fail_all()
        self.subscribers.turn_all_away(Refusal("unit/lost"))


def _end(future: asyncio.Future[None], error: Refusal | None = None) -> None:
    """An order was carried out, or refused."""
    if future.done():  # who waited may be gone
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
