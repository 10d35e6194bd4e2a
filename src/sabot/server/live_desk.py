"""A live table as the server runs it: one owner, who takes questions one after the other and never waits for the disk.

What a question or the clock brings about is carried out in memory at once; its rows go to the writer, and what there is
to see waits in a queue until they are durable. Everything leaves that queue in its order: frames for everyone, own
parts, answers, and the snapshots of those who come. If a row is refused or lost the desk is broken: it is thrown away,
and the table is opened again from the log under a new epoch.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, Protocol

import msgspec

from sabot.engine.commands import Player
from sabot.live.stage import Told
from sabot.live.table import LiveTable
from sabot.server import wire
from sabot.server.house import House
from sabot.server.live_asks import carry_out
from sabot.server.live_telling import live_me, live_snapshot
from sabot.server.refusals import REFUSALS, Refusal, answer
from sabot.store.commit import Committed, Outcome, Refused
from sabot.store.errors import StoreError
from sabot.store.unit import Request, Unit
from sabot.store.writer import CAPACITY

#: Frames kept for those who come back, and answers for those who ask again.
KEPT_FRAMES = 512
KEPT_ANSWERS = 65_536
#: Bytes of frames that are sent again to one who comes back.
MOST_REPLAYED = 32 * 1024
#: Counts and tallies are told four times a second at most.
CROWD_SECONDS = 0.25
#: Frames that are sent before others are served.
SLICE = 500
#: From so many players in a round on, what may take long is done in a thread.
HEAVY = 1_000
#: The part of the writer's queue that crowds leave free, so that tables can go on.
_RESERVE = CAPACITY // 4


_DONE = object()


class Watcher(Protocol):
    """A socket that looks at the table."""

    def send(self, frame: bytes) -> None:
        """Send a frame; never waits."""
        ...

    def send_packed(self, packed: bytes) -> None:
        """Send bytes that are packed for the wire already, the same for everyone."""
        ...


class Visitor(NamedTuple):
    """Who looks at the table."""

    player: Player
    name: str
    bot: bool = False


class _Answered(NamedTuple):
    digest: bytes
    stored: bool


class _Entry:
    """What there is to see of a step, once its rows are durable."""

    __slots__ = ("frame", "ready", "seq", "shown", "then", "units")

    def __init__(self) -> None:
        self.seq = 0
        self.frame: bytes | None = None
        #: Own parts, by player.
        self.shown: list[tuple[Player, bytes]] = []
        self.units: tuple[Unit, ...] = ()
        #: What else is done then: answers, arrivals.
        self.then: Callable[[], None] | None = None
        self.ready = False


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
        self._pack = pack
        #: Whether the table must be opened again.
        self.broken = False
        self.watchers: dict[Watcher, Visitor] = {}
        self._by_player: dict[Player, list[Watcher]] = {}
        #: Players' money that is not at this table, as it was last seen.
        self.accounts: dict[Player, int] = {}
        self._seq = 0
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEPT_FRAMES)
        self._queue: deque[_Entry] = deque()
        self._showing: Iterator[None] | None = None
        self._answers: OrderedDict[tuple[Player, str], _Answered] = OrderedDict()
        #: Who asked the same while it was on its way.
        self._again: dict[tuple[Player, str], list[Watcher]] = {}
        self._inbox: deque[Callable[[], None]] = deque()
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
            while self._inbox and not self.broken:
                self._inbox.popleft()()
            if not self.broken and self.live.is_due():
                await self._advance(self.live.tick)
            if not self.broken:
                self._tell_crowd()

    def ring(self) -> None:
        """There is something to do."""
        self._bell.set()

    def _set_alarm(self) -> None:
        """Wake up when the phase ends, or when the crowd is to be told of."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        now = self.house.clock.monotonic()
        dues = [] if self.live.due is None or self.live.paused else [self.live.due]
        if self.live.crowd_changed:
            dues.append(self._crowd_told + CROWD_SECONDS)
        if dues:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.001, min(dues) - now), self.ring)

    async def _advance(self, act: Callable[[], None]) -> None:
        """Let the table go on; with a crowd in a thread, so that others are served meanwhile."""

        def acted() -> _Entry:
            act()
            return self._prepare(self.live.take())

        round = self.live.round
        heavy = round is not None and not round.over and len(round.book.bets) >= HEAVY
        self._submit(await self.house.work(acted) if heavy else acted())

    def _tell_crowd(self) -> None:
        now = self.house.clock.monotonic()
        if self.live.crowd_changed and now - self._crowd_told >= CROWD_SECONDS:
            self._crowd_told = now
            self.live.tell_crowd()
            self._submit(self._prepare(self.live.take()))

    def close(self) -> None:
        """The owner goes."""
        if self._alarm is not None:
            self._alarm.cancel()

    # Coming and going

    def enter(
        self,
        watcher: Watcher,
        visitor: Visitor,
        account: int,
        answered: Mapping[str, bytes],
        since: tuple[int, int] | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show the table to a socket, in its turn: the frames since an epoch's seq, or all of it (ASR-21)."""
        self._inbox.append(partial(self._enter, watcher, visitor, account, answered, since, then))
        self.ring()

    def _enter(
        self,
        watcher: Watcher,
        visitor: Visitor,
        account: int,
        answered: Mapping[str, bytes],
        since: tuple[int, int] | None,
        then: Callable[[], None] | None,
    ) -> None:
        player = visitor.player
        self.accounts[player] = account
        for id, digest in answered.items():
            self._answers.setdefault((player, id), _Answered(digest, stored=True))
        if watcher not in self.watchers:
            self.watchers[watcher] = visitor
            self.live.come(player, visitor.name, bot=visitor.bot)
        entry = self._prepare(self.live.take())
        replays = since is not None and self._can_replay(*since)
        snapshot = b"" if replays else self._packed_snapshot()
        me = self._pack(wire.encode(self.me(player)))

        def arrive() -> None:
            if watcher not in self.watchers:  # gone before it came
                return
            if since is not None and replays:
                watcher.send_packed(b"".join(frame for seq, frame in self._frames if seq > since[1]))
            else:
                watcher.send_packed(snapshot)
            watcher.send_packed(me)
            watchers = self._by_player.setdefault(player, [])
            if watcher not in watchers:
                watchers.append(watcher)
            if then is not None:
                then()

        entry.then = arrive
        self._submit(entry)

    def _can_replay(self, epoch: int, since: int) -> bool:
        """Whether the frames since are kept; where they are more than a snapshot, that is sent instead."""
        first = self._frames[0][0] if self._frames else self._seq + 1
        if epoch != self.live.table.stream.epoch or not first - 1 <= since <= self._seq:
            return False
        return sum(len(frame) for seq, frame in self._frames if seq > since) <= MOST_REPLAYED

    def _packed_snapshot(self) -> bytes:
        if self._snapshot is None:
            self._snapshot = self._pack(wire.encode(live_snapshot(self.live, self.title, self._seq)))
        return self._snapshot

    def exit(self, watcher: Watcher) -> None:
        """A socket looks away; what it did not hear of yet it will not."""
        visitor = self.watchers.pop(watcher, None)
        if visitor is None:
            return
        watchers = self._by_player.get(visitor.player, [])
        if watcher in watchers:
            watchers.remove(watcher)
            if not watchers:
                del self._by_player[visitor.player]
        self._inbox.append(partial(self._gone, visitor.player))
        self.ring()

    def _gone(self, player: Player) -> None:
        self.live.go(player)
        self._submit(self._prepare(self.live.take()))

    def farewell(self, player: Player) -> None:
        """A login has ended: the player leaves, with bets in play after the round (PLT-04, ASR-41)."""
        self._inbox.append(partial(self._farewell, player))
        self.ring()

    def _farewell(self, player: Player) -> None:
        if player in self.live.table.sittings:
            self.live.leave(player)
            self._submit(self._prepare(self.live.take()))

    # Questions

    def ask(
        self, ask: wire.AnyAsk, player: Player, asker: Watcher, golden: dict[int, int] | None = None
    ) -> asyncio.Future[None]:
        """Put a question, which is answered when what it did is durable; the future says when."""
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._inbox.append(partial(self._hear, ask, player, asker, golden, answered))
        self.ring()
        return answered

    def _hear(
        self,
        ask: wire.AnyAsk,
        player: Player,
        asker: Watcher,
        golden: dict[int, int] | None,
        answered: asyncio.Future[None],
    ) -> None:
        digest = hashlib.sha256(msgspec.json.encode(ask)).digest()
        key = (player, ask.id)
        known = self._answers.get(key)
        if known is not None:
            self._repeat(key, known, digest, asker)
            _tell(answered)
            return
        request = Request(int(player), ask.id, digest)
        try:
            if self.house.writer.waiting > CAPACITY - _RESERVE:
                raise StoreError("house/busy")
            carry_out(self.live, ask, player, request, golden)
        except REFUSALS as error:
            self._submit(self._prepare(self.live.take()))  # a late bet is refused, and written down
            asker.send(self._answer(ask.id, error))
            _tell(answered)
            return
        self._answers[key] = _Answered(digest, stored=False)
        if len(self._answers) > KEPT_ANSWERS:
            self._answers.popitem(last=False)
        self._move_account(ask, player)
        entry = self._prepare(self.live.take(), player)

        def stored() -> None:
            if key in self._answers:
                self._answers[key] = _Answered(digest, stored=True)
            told = self._answer(ask.id)
            for one in (asker, *self._again.pop(key, ())):
                one.send(told)
            _tell(answered)

        entry.then = stored
        self._submit(entry)

    def knows(self, player: Player, id: str) -> bool:
        """Whether a question was asked before."""
        return (player, id) in self._answers

    def _repeat(self, key: tuple[Player, str], known: _Answered, digest: bytes, asker: Watcher) -> None:
        """The same id again: for the same contents the same answer, once it is durable."""
        if known.digest != digest:
            asker.send(self._answer(key[1], StoreError("command/reused", id=key[1])))
        elif known.stored:
            asker.send(self._answer(key[1]))
        else:
            self._again.setdefault(key, []).append(asker)

    def _move_account(self, ask: wire.AnyAsk, player: Player) -> None:
        if isinstance(ask, wire.Sit | wire.AddMoney):
            self.accounts[player] = self.accounts.get(player, 0) - ask.amount

    async def order(self, act: Callable[[LiveTable], None]) -> None:
        """Let a supervisor do something to the table; over when it is durable and was shown."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def obey() -> None:
            try:
                act(self.live)
            except REFUSALS as error:
                done.set_exception(error)
                return
            entry = self._prepare(self.live.take())
            entry.then = partial(_tell, done)
            self._submit(entry)

        self._inbox.append(obey)
        self.ring()
        await done

    def _answer(self, id: str, error: Refusal | None = None) -> bytes:
        return answer(id, error, self.live.now)

    # What is shown

    def me(self, player: Player) -> wire.Me:
        """A player's own part."""
        return live_me(self.live, player, self.accounts.get(player, 0))

    def _prepare(self, told: Told, *also: Player) -> _Entry:
        """Everything there is to see, encoded once; also in a thread."""
        entry = _Entry()
        entry.units = told.units
        for player, amount in told.taken.items():
            self.accounts[player] = self.accounts.get(player, 0) + amount
        if told.events:
            self._seq += 1
            entry.seq = self._seq
            table = self.live.table
            frame = wire.Frame(
                self.name,
                table.stream.epoch,
                self._seq,
                self.live.now,
                self.live.code,
                self.live.turn,
                told.events,
            )
            entry.frame = self._pack(wire.encode(frame))
            self._snapshot = None
        for player in dict.fromkeys((*told.touched, *also)):
            if player in self._by_player:
                entry.shown.append((player, self._pack(wire.encode(self.me(player)))))
        return entry

    def _submit(self, entry: _Entry) -> None:
        """Queue what there is to see behind the rows it tells of."""
        self._queue.append(entry)
        if not entry.units:
            entry.ready = True
            self._release()
            return
        for unit in entry.units:
            self.house.writer.submit(unit, partial(self._stored, entry if unit is entry.units[-1] else None))

    def _stored(self, entry: _Entry | None, outcome: Outcome) -> None:
        if self.broken:
            return
        if not isinstance(outcome, Committed):
            self._break(outcome)
        elif entry is not None:
            entry.ready = True
            self._release()

    def _release(self) -> None:
        """Show what is durable, in order; a crowd in slices, between which others are served."""
        if self._showing is None:
            self._showing = self._show()
            self._go_on_showing()

    def _go_on_showing(self) -> None:
        if self._showing is not None and next(self._showing, _DONE) is _DONE:
            self._showing = None
        else:
            asyncio.get_running_loop().call_soon(self._go_on_showing)

    def _show(self) -> Iterator[None]:
        """Send what is ready; stops for a moment after each slice."""
        queue, sent = self._queue, 0
        while queue and queue[0].ready and not self.broken:
            entry = queue.popleft()
            if entry.frame is not None:
                self._frames.append((entry.seq, entry.frame))
                for watcher in self._everyone():
                    watcher.send_packed(entry.frame)
                    sent += 1
                    if sent % SLICE == 0:
                        yield
            for player, me in entry.shown:
                for watcher in self._by_player.get(player, ()):
                    watcher.send_packed(me)
                sent += 1
                if sent % SLICE == 0:
                    yield
            if entry.then is not None:
                entry.then()  # last: who has the answer has seen everything

    def _everyone(self) -> list[Watcher]:
        """Everyone who has arrived."""
        return [watcher for watchers in self._by_player.values() for watcher in watchers]

    def tell(self, frame: bytes) -> None:
        """Something that is neither stored nor counted: what people say."""
        packed = self._pack(frame)
        for watcher in self._everyone():
            watcher.send_packed(packed)

    def _break(self, outcome: Outcome) -> None:
        """A row was not stored: what the table holds in memory is not so."""
        self.broken = True
        code = outcome.code if isinstance(outcome, Refused) else "unit/lost"
        self.tell(wire.encode(wire.Closed(self.name, code)))
        self.ring()


def _tell(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
