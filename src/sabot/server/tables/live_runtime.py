"""A live table as the server runs it: one owner, who takes questions one after the other and never waits for the disk.

What a question or the clock brings about is carried out in memory at once; its rows go to the writer, and what there is
to see waits in a queue until they are durable. Everything leaves that queue in its order: frames for everyone, own
parts, answers, and the snapshots of those who come. If a row is refused or lost the desk is broken: it is thrown away,
and the table is opened again from the log under a new epoch.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import msgspec

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.protocol import codec, messages, requests
from sabot.server.accounts.queries import answered_among
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.server.refusals import answer
from sabot.server.tables.in_flight import InFlight
from sabot.server.tables.live_messages import live_me, live_snapshot
from sabot.server.tables.live_requests import carry_out
from sabot.server.tables.outbox import Outbox, Outgoing
from sabot.server.tables.request_cache import CachedRequest, RequestCache
from sabot.server.tables.shoes import ShoeWatch
from sabot.server.tables.subscribers import Subscriber, Subscribers, Visitor
from sabot.server.tables.wallets import Moves, Wallets
from sabot.store.commit import Lost, Outcome, Refused
from sabot.store.entry import LogEntry, RequestKey
from sabot.store.writer import CAPACITY, Done
from sabot.tables.live.presence import Preferences
from sabot.tables.live.step import LiveStep
from sabot.tables.live.table import LiveTable

#: Questions that are remembered; older ones are asked of the log.
KEPT_ANSWERS = 65_536
#: Counts and tallies are told four times a second at most.
CROWD_SECONDS = 0.25
#: Questions that are taken up before others are served.
AT_ONCE = 25
#: From so many players at the table on, what may take long is done in a thread.
HEAVY = 1_000
#: Seconds that the end of a phase waits for the next of the requests that were read before it, and for all (ASR-20).
LONGEST_WAIT, LONGEST_CROWD = 2.0, 10.0
#: The part of the writer's queue that crowds leave free, so that tables can go on.
_RESERVE = CAPACITY // 4

#: Whose question, and its id.
Key = tuple[Player, str]


class Task(NamedTuple):
    """Something to do at the table, and what hears that it failed."""

    act: Callable[[], None]
    failed: Callable[[Refusal], None] = lambda error: None


@dataclass(frozen=True, eq=False)
class Arrival:
    """A socket that wants to look at the table: what its player has and has asked before, and what it saw last."""

    subscriber: Subscriber
    visitor: Visitor
    account: int
    answered: Mapping[str, bytes]
    since: tuple[int, int] | None
    #: Hears that the table was shown, or why it cannot be.
    then: Callable[[Refusal | None], None] | None
    #: What the table had moved of the account when it was looked at.
    moves: Moves | None


class LiveDesk:
    """The owner of one live table."""

    def __init__(
        self, house: House, live: LiveTable, title: str, pack: Callable[[bytes], bytes] = bytes
    ) -> None:
        """`pack` makes of a frame the bytes that go over the wire."""
        self.house = house
        self.live = live
        self.title = title
        self.name = live.table.config.name
        #: What can be checked of the shoe in use.
        self.shoes = ShoeWatch(live.table)
        self._pack = pack
        #: Whether the table must be opened again.
        self.broken = False
        self.subscribers = Subscribers()
        self.wallets = Wallets()
        #: The number of the last frame.
        self.seq = 0
        self._outbox = Outbox(self._store, self.subscribers, self._break)
        self._requests: RequestCache[Key, asyncio.Future[None]] = RequestCache(KEPT_ANSWERS)
        self._inbox: deque[Task] = deque()
        #: How many of the inbox can be done: the rest waits until the log has said what of it was asked before.
        self._ready = 0
        self._reading: asyncio.Task[None] | None = None
        #: Requests for this table, from the socket to the inbox and in it.
        self.in_flight = InFlight()
        #: When the last of those that the end of a phase waits for was carried out.
        self._landed_at = 0.0
        #: Those who come and were not shown the table yet.
        self.arrivals: dict[Arrival, None] = {}
        #: Questions that wait and are not known; the log may know them.
        self._unknown: list[Key] = []
        #: Those of which the log did not say whether it knows them.
        self._unread: frozenset[Key] = frozenset()
        #: Players and operators who wait until what they asked for is durable; a question is answered once.
        self._asked: dict[asyncio.Future[None], tuple[Subscriber, str]] = {}
        self._orders: set[asyncio.Future[None]] = set()
        self._bell = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._crowd_told = 0.0
        #: The snapshot for those who come, until something changes.
        self._snapshot: bytes | None = None

    # The owner's task

    async def run(self) -> None:
        """Own the table until it is broken."""
        await self._advance(self.live.begin)
        while not self.broken:
            self._set_alarm()
            await self._bell.wait()
            self._bell.clear()
            self.live.draining = self.house.draining
            self._look_up()
            await self._empty_inbox()
            if self._inbox and self._reading is None:
                self.ring()  # came meanwhile
            if not self.broken and await self._is_over():
                await self._advance(self.live.tick)
            if not self.broken:
                self._tell_crowd()

    async def _is_over(self) -> bool:
        """Whether the phase may end, also after those who were woken by what was read before have taken it up."""
        if not self._may_advance():
            return False
        await asyncio.sleep(0)
        return not self.broken and self._may_advance()

    def _may_advance(self) -> bool:
        """Whether the phase is over and what was read before its end has been carried out, or has taken too long."""
        due, now = self.live.due, self.house.clock.monotonic()
        if due is None or now < due:
            return False
        return now >= self._last_moment(due) or not self.in_flight.any_before(due)

    def _last_moment(self, due: float) -> float:
        """When the end of a phase waits no longer; as long as a crowd's requests land one after the other it does."""
        return min(max(due, self._landed_at) + LONGEST_WAIT, due + LONGEST_CROWD)

    def landed(self, request: Hashable) -> None:
        """A request is not in flight any more; the end of the phase may have waited for it."""
        at, due = self.in_flight.discard(request), self.live.due
        if due is not None and self.live.phases.is_due():
            if at < due:
                self._landed_at = self.house.clock.monotonic()
            self.ring()

    async def _empty_inbox(self) -> None:
        """Do what is ready, in its order; of a crowd a few at a time, between which others are served."""
        ready, self._ready = self._ready, 0
        for done in range(1, ready + 1):
            if self.broken:
                return
            self._do(self._inbox.popleft())
            if done % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _do(self, task: Task) -> None:
        """Do one thing. If it fails in a way that nobody foresaw it fails alone (ASR-32).

        Only if it was half done is the table thrown away: what it holds in memory must not be ahead of the log.
        """
        before = self._mark()
        try:
            task.act()
        except Exception as error:
            told = self.live.take()
            half_done = bool(told.units or told.events) or self._mark() != before
            failed("a request failed at a live table", error, table=self.name, half_done=half_done)
            task.failed(Refusal("house/error"))
            if half_done:
                self._break(Lost("a request failed half way"))

    def _mark(self) -> tuple[object, ...]:
        """Where the table is: what has changed it has moved this."""
        table = self.live.table
        round = table.current.round if table.current else None
        return table.stream.n, self.live.code, len(round.commands) if round else 0, self.live.phase

    def _look_up(self) -> None:
        """Ask the log which questions were answered before and forgotten: a row that repeats one is refused.

        The desk would be broken by it, and one player could have a table thrown away at will. The table does not wait
        for the log; only what is in the inbox does.
        """
        if self._reading is None and not self._ready:
            waiting, unknown, self._unknown = len(self._inbox), self._unknown, []
            if unknown:
                self._reading = asyncio.create_task(self._read(unknown, waiting))
            else:
                self._ready = waiting

    async def _read(self, unknown: list[Key], waiting: int) -> None:
        """Look questions up; if the log does not answer, they are refused and nothing else is."""
        self._unread = frozenset()
        try:
            self._requests.learn(await self.house.read(partial(answered_among, asked=unknown)))
        except Exception as error:
            failed("the log does not say what was asked before", error, table=self.name)
            self._unread = frozenset(unknown)
        self._ready, self._reading = waiting, None
        self.ring()

    def ring(self) -> None:
        """There is something to do."""
        self._bell.set()

    @property
    def busy(self) -> bool:
        """Whether something is to be done or to be shown."""
        return self._bell.is_set() or bool(self._inbox) or self._outbox.busy

    def _set_alarm(self) -> None:
        """Wake up when the phase ends or has waited long enough, or when the crowd is to be told of."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        now = self.house.clock.monotonic()
        due = self.live.due
        dues = []
        if due is not None and not self.live.paused:
            waits = now >= due and self.in_flight.any_before(due)
            dues.append(self._last_moment(due) if waits else due)
        if self.live.attendance.changed:
            dues.append(self._crowd_told + CROWD_SECONDS)
        if dues:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.001, min(dues) - now), self.ring)

    async def _advance(self, act: Callable[[], None]) -> None:
        """Let the table go on; with a crowd in a thread, so that others are served meanwhile."""

        def acted() -> LiveStep:
            act()
            return self.live.take()

        if len(self.live.table.sittings) < HEAVY:
            self._submit(acted())
            return
        told = await self.house.work(acted)
        entry = Outgoing(told.units)
        self._outbox.submit(entry, filled=False)  # the rows are on their way while the frames are made
        await self.house.work(lambda: self._fill(entry, told))
        self._outbox.filled(entry)

    def _tell_crowd(self) -> None:
        now = self.house.clock.monotonic()
        if self.live.attendance.changed and now - self._crowd_told >= CROWD_SECONDS:
            self._crowd_told = now
            self.live.tell_crowd()
            self._submit(self.live.take())

    def close(self) -> None:
        """The owner goes, and nobody waits for it any longer."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._reading is not None:
            self._reading.cancel()
        if self.broken:
            self._outbox.stop()
        for answered in list(self._asked):
            self._tell(answered, Refusal("unit/lost"))
        for done in list(self._orders):
            if not done.done():
                done.set_exception(Refusal("unit/lost"))

    # Coming and going

    def enter(
        self,
        subscriber: Subscriber,
        visitor: Visitor,
        account: int,
        answered: Mapping[str, bytes],
        since: tuple[int, int] | None = None,
        then: Callable[[Refusal | None], None] | None = None,
        moves: Moves | None = None,
    ) -> None:
        """Show the table to a socket, in its turn: the frames since an epoch's seq, or all of it (ASR-21)."""
        arrival = Arrival(subscriber, visitor, account, answered, since, then, moves)
        self.arrivals[arrival] = None
        self._inbox.append(Task(partial(self._enter, arrival), partial(self._turn_away, arrival)))
        self.ring()

    def expects(self, subscriber: Subscriber) -> bool:
        """Whether a socket looks at the table, or is on its way in."""
        return subscriber in self.subscribers or any(
            arrival.subscriber is subscriber for arrival in self.arrivals
        )

    def _enter(self, arrival: Arrival) -> None:
        if arrival not in self.arrivals:  # gone before it came
            return
        subscriber, visitor, since = arrival.subscriber, arrival.visitor, arrival.since
        player = visitor.player
        self.wallets.read(player, arrival.account, arrival.moves)
        self._requests.learn(((player, id), digest) for id, digest in arrival.answered.items())
        new = subscriber not in self.subscribers
        if new:
            self.live.enter(player, visitor.name, bot=visitor.bot)
            self.live.spots.set_preferences(player, visitor.preferences, changed=False)
            self.subscribers.add(subscriber, visitor)
        entry = self._prepare(self.live.take())
        # To one who is there already, frames are on their way: they would come twice.
        replays = new and since is not None and self._can_replay(*since)
        snapshot = b"" if replays else self._packed_snapshot()
        me = self._pack(codec.encode(self.me(player)))

        def arrive() -> None:
            if arrival not in self.arrivals:
                return
            del self.arrivals[arrival]
            subscriber.send_packed(
                self._outbox.since(since[1]) if since is not None and replays else snapshot
            )
            subscriber.send_packed(me)
            self.subscribers.show(subscriber)
            if arrival.then is not None:
                arrival.then(None)

        entry.then = arrive
        self._outbox.submit(entry)

    def _turn_away(self, arrival: Arrival, error: Refusal) -> None:
        """A socket cannot be shown the table."""
        self.arrivals.pop(arrival, None)
        self.exit(arrival.subscriber)
        if arrival.then is not None:
            arrival.then(error)

    def _can_replay(self, epoch: int, since: int) -> bool:
        """Whether the frames since are kept; where they are more than a snapshot, that is sent instead."""
        return epoch == self.live.table.stream.epoch and self._outbox.can_replay(since, self.seq)

    def _packed_snapshot(self) -> bytes:
        if self._snapshot is None:
            self._snapshot = self._pack(codec.encode(live_snapshot(self.live, self.title, self.seq)))
        return self._snapshot

    def exit(self, subscriber: Subscriber) -> None:
        """A socket looks away; what it did not hear of yet it will not."""
        for arrival in [arrival for arrival in self.arrivals if arrival.subscriber is subscriber]:
            del self.arrivals[arrival]
            if arrival.then is not None:
                arrival.then(None)
        visitor = self.subscribers.remove(subscriber)
        if visitor is not None:
            self._inbox.append(Task(partial(self._gone, visitor.player)))
            self.ring()

    def _gone(self, player: Player) -> None:
        self.live.exit(player)
        self._submit(self.live.take())

    def farewell(self, player: Player) -> None:
        """A login has ended: the player leaves, with bets in play after the round (PLT-04, ASR-41)."""
        self._inbox.append(Task(partial(self._farewell, player)))
        self.ring()

    def prefer(self, player: Player, preferences: Preferences) -> None:
        """A player has changed the settings: they act at the seats held (FRB-43)."""
        self._inbox.append(Task(partial(self._prefer, player, preferences)))
        self.ring()

    def _prefer(self, player: Player, preferences: Preferences) -> None:
        if player in self.live.attendance.players:
            self.live.spots.set_preferences(player, preferences, changed=True)
            self._submit(self.live.take())

    def _farewell(self, player: Player) -> None:
        if player in self.live.table.sittings:
            self.live.leave(player)
            self._submit(self.live.take())

    def players(self) -> list[Player]:
        """Those who look at the table, or are about to."""
        coming = (arrival.visitor for arrival in self.arrivals)
        return list(
            dict.fromkeys(visitor.player for visitor in (*self.subscribers.visitors.values(), *coming))
        )

    def follow(
        self, lost: LiveDesk, found: Iterable[tuple[Key, bytes]], accounts: Mapping[Player, int]
    ) -> None:
        """Come after a desk that is broken: know what it has answered, and what of the rest was found in the log."""
        self._requests.follow(lost._requests)
        self._requests.learn(found)
        for subscriber, visitor in lost.subscribers.visitors.items():
            self.enter(subscriber, visitor, accounts[visitor.player], {})
        for one in lost.arrivals:
            account = accounts[one.visitor.player]
            self.enter(one.subscriber, one.visitor, account, one.answered, None, one.then)

    # Questions

    def ask(
        self,
        ask: requests.AnyRequest,
        player: Player,
        asker: Subscriber,
        golden: dict[int, int] | None = None,
        at: float | None = None,
        most: int | None = None,
    ) -> asyncio.Future[None]:
        """Put a request into the inbox; it is answered when what it did is durable, and the future says when.

        `at` is when it was read from the socket (ASR-20); nothing says now.
        """
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.broken:
            # The table is opened again when the database answers; only what was asked before may have been done.
            code = "unit/lost" if self.knows(player, ask.id) else "house/down"
            asker.send(self._answer(ask.id, Refusal(code)))
            answered.set_result(None)
            return answered
        # Before the log is looked at: an id that is on its way elsewhere would break the table.
        let_go = self.house.claims.take(int(player), ask.id, self.name)
        answered.add_done_callback(lambda _: let_go())
        self._asked[answered] = (asker, ask.id)
        if not self.knows(player, ask.id):
            self._unknown.append((player, ask.id))
        read_at = self.house.clock.monotonic() if at is None else at
        self.in_flight.add(answered, read_at)
        hear = partial(self._hear, ask, player, golden, most, answered, read_at)
        self._inbox.append(Task(hear, partial(self._tell, answered)))
        self.ring()
        return answered

    def _hear(
        self,
        ask: requests.AnyRequest,
        player: Player,
        golden: dict[int, int] | None,
        most: int | None,
        answered: asyncio.Future[None],
        at: float,
    ) -> None:
        self.landed(answered)
        digest = hashlib.sha256(msgspec.json.encode(ask)).digest()
        key = (player, ask.id)
        if key in self._unread:
            self._tell(answered, Refusal("house/down"))
            return
        known = self._requests.find(key)
        if known is not None:
            self._repeat(key, known, digest, answered)
            return
        request = RequestKey(int(player), ask.id, digest)
        try:
            if self.house.writer.waiting > CAPACITY - _RESERVE:
                raise Refusal("house/busy")
            self.live.table.prepare()  # what is refused after the first of several rows would be half done
            carry_out(self.live, ask, player, request, golden, at, most)
        except Refusal as error:
            self._submit(self.live.take())  # a late bet is refused, and written down
            self._tell(answered, error)
            return
        self._requests.add(key, digest)
        if isinstance(ask, requests.Sit | requests.AddMoney):
            self.wallets.move(player, -ask.amount)
        entry = self._prepare(self.live.take(), player)

        def stored() -> None:
            self._requests.store(key)
            for one in (answered, *self._requests.take_waiting(key)):
                self._tell(one)

        entry.then = stored
        self._outbox.submit(entry)

    def knows(self, player: Player, id: str) -> bool:
        """Whether a question was asked before."""
        return (player, id) in self._requests

    def unanswered(self) -> list[Key]:
        """Questions that were carried out, and may be stored or not."""
        return self._requests.unstored()

    def _repeat(self, key: Key, known: CachedRequest, digest: bytes, answered: asyncio.Future[None]) -> None:
        """The same id again: for the same contents the same answer, once it is durable."""
        if known.digest != digest:
            self._tell(answered, Refusal("command/reused", id=key[1]))
        elif known.stored:
            self._tell(answered)
        else:
            self._requests.wait(key, answered)

    def _tell(self, answered: asyncio.Future[None], error: Refusal | None = None) -> None:
        """Answer a question, once."""
        if answered not in self._asked:
            return
        asker, id = self._asked.pop(answered)
        asker.send(self._answer(id, error))
        _finish(answered)

    async def order(self, act: Callable[[LiveTable], None]) -> None:
        """Let an operator do something to the table; over when it is durable and was shown."""
        if self.broken:
            raise Refusal("unit/lost")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def obey() -> None:
            try:
                act(self.live)
            except Refusal as error:
                _refuse(done, error)
                return
            entry = self._prepare(self.live.take())
            entry.then = partial(_finish, done)
            self._outbox.submit(entry)

        self._orders.add(done)
        done.add_done_callback(self._orders.discard)
        self._inbox.append(Task(obey, partial(_refuse, done)))
        self.ring()
        await done

    def _answer(self, id: str, error: Refusal | None = None) -> bytes:
        return answer(id, error, self.live.now)

    # What is shown

    def me(self, player: Player) -> messages.Me:
        """A player's own part."""
        return live_me(self.live, player, self.wallets.of(player))

    def _submit(self, told: LiveStep) -> None:
        """Show a step when it is durable."""
        self._outbox.submit(self._prepare(told))

    def _prepare(self, told: LiveStep, *also: Player) -> Outgoing:
        """Everything there is to see, encoded once."""
        entry = Outgoing(told.units)
        self._fill(entry, told, *also)
        return entry

    def _fill(self, entry: Outgoing, told: LiveStep, *also: Player) -> None:
        """Encode what there is to see of a step; of a crowd in a thread."""
        for player, amount in told.taken.items():
            self.wallets.move(player, amount)
        moved = self.wallets.take_moving()
        if moved:
            entry.durable = partial(self.wallets.settle, moved)
        if told.events:
            self.seq += 1
            entry.seq = self.seq
            table = self.live.table
            frame = messages.Frame(
                self.name,
                table.stream.epoch,
                self.seq,
                self.live.now,
                self.live.code,
                self.live.turn,
                told.events,
            )
            entry.frame = self._pack(codec.encode(frame))
            self._snapshot = None
        for player in dict.fromkeys((*told.touched, *also)):
            presence = self.live.attendance.players.get(player)
            if presence is not None and presence.sockets:  # also one who is about to be shown the table
                entry.shown.append((player, self._pack(codec.encode(self.me(player)))))

    def _store(self, unit: LogEntry, done: Done) -> None:
        self.house.writer.submit(unit, done)

    def tell(self, frame: bytes) -> None:
        """Something that is neither stored nor counted: what people say."""
        packed = self._pack(frame)
        for subscriber in self.subscribers.everyone():
            subscriber.send_packed(packed)

    def _break(self, outcome: Outcome) -> None:
        """A row was not stored: what the table holds in memory is not so."""
        self.broken = True
        code = outcome.code if isinstance(outcome, Refused) else "unit/lost"
        self.tell(codec.encode(messages.Closed(self.name, code)))
        self.ring()


def _finish(future: asyncio.Future[None]) -> None:
    if not future.done():  # who waited may be gone
        future.set_result(None)


def _refuse(future: asyncio.Future[None], error: Refusal) -> None:
    if not future.done():
        future.set_exception(error)
