"""A player's solo table as the server runs it: questions in, frames out, nothing shown that is not stored.

The desk owns its table. A question is checked and carried out in memory at once; its units go to the writer, and when
they are durable the frame is sent to everyone who looks at the table, then the answer to whoever asked. If a unit is
refused or lost, the desk is broken: it tells everyone so and is thrown away, and the table is opened again from the log.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from sabot.engine.view import player_view, table_view
from sabot.errors import Refusal
from sabot.fairness import check_client_seed
from sabot.games.options import LimitChoice, limit_choices
from sabot.protocol import codec, messages, requests
from sabot.server.accounts.player_lock import no_turn
from sabot.server.house import House
from sabot.server.metrics import STORED
from sabot.server.refusals import answer
from sabot.server.tables.commands import command_of
from sabot.server.tables.limits import choices_of, most_brought
from sabot.server.tables.outcome import public_outcome, results
from sabot.server.tables.request_cache import CachedRequest, RequestCache
from sabot.store import facts
from sabot.store.commit import Committed, Outcome, Refused, Repeated
from sabot.store.entry import LogEntry, RequestKey
from sabot.store.stream import Stream
from sabot.tables.live.events import RoundOpened, ShoeCommitted, ShoeRevealed
from sabot.tables.solo import SoloTable
from sabot.tables.table import Step

#: Frames kept for those who come back, and answers for those who ask again.
KEPT_FRAMES = 512
KEPT_ANSWERS = 256
#: The limits a table opens with, if the VIP level allows them.
USUAL_LIMITS = "standard"

#: Hears that something is stored, or why not.
Tell: TypeAlias = Callable[[Refusal | None], None]

#: What a unit is told that is not the store's decision: what comes before it may not be stored either.
_UNDECIDED = ("house/busy", "house/down", "stream/fenced", "unit/lost")

#: What a round that an operator voids is told to have died of; the operator's own reason is the house's.
MALFUNCTION = "malfunction"


class Subscriber(Protocol):
    """A socket that looks at a table."""

    def send(self, frame: bytes) -> None:
        """Send a frame; never waits."""
        ...


class _Waiting(NamedTuple):
    """Units on their way to the disk, what will be shown when they are there, and who will be told."""

    frame: messages.Frame | None
    me: bytes
    begun: float
    tell: Tell


class SoloDesk:
    """One player's table of a solo game."""

    def __init__(
        self, house: House, table: SoloTable, player: int, vip: int, answered: Mapping[str, bytes]
    ) -> None:
        """`answered` are the player's latest requests of earlier days, with the digests of their contents."""
        self.house = house
        self.table = table
        self.player = player
        self.name = table.config.name
        self.vip = vip
        self._choices = self._allowed(vip)
        self.limits = _usual(self._choices)
        #: The player's money that is not at this table, as it was last seen.
        self.account = 0
        #: Whether the table must be opened again, and the stream to go on with if nothing was lost.
        self.broken = False
        self.rest: Stream | None = None
        self._refused: _Waiting | None = None
        self.subscribers: set[Subscriber] = set()
        #: Public frames shown so far.
        self.seq = 0
        #: Questions on their way to the disk, and sockets that wait for what they will show.
        self._on_the_way = 0
        self._arrived: list[tuple[Subscriber, int | None, int]] = []
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEPT_FRAMES)
        self._requests: RequestCache[str, Subscriber] = RequestCache(KEPT_ANSWERS)
        self._requests.learn(answered.items())
        self._client_seed = table.shoe.client_seed if table.shoe else ""
        #: The seeds of the last round, once it is over.
        self._revealed: ShoeRevealed | None = None
        self._use_limits()

    # What is there

    @property
    def turn(self) -> int:
        """How many commands the round has taken: what a question must carry."""
        return len(self.table.current.round.commands) if self.table.current else 0

    @property
    def round(self) -> str:
        """The code of the round being played, or of the one before."""
        return self.table.current.code if self.table.current else ""

    def snapshot(self) -> messages.Snapshot:
        """The table as it is now."""
        current = self.table.current
        return messages.Snapshot(
            table=self.name,
            epoch=self.table.stream.epoch,
            seq=self.seq,
            at=self.house.clock.wall_ms(),
            game=self.table.rules.name,
            currency=self.table.config.currency,
            commitment=self.table.commitment,
            options=self.table.options,
            limits=tuple(
                messages.Limit(
                    choice.name,
                    (choice.main.minimum, choice.main.maximum),
                    (choice.side.minimum, choice.side.maximum),
                    self.table.config.game.options.with_limits(choice).max_win,
                    self._cap(choice),
                )
                for choice in self._choices
            ),
            sitting=self.table.config.sitting,
            round=self.round,
            turn=self.turn,
            view=table_view(current.round) if current else None,
            outcome=public_outcome(current.round, self._revealed) if current else messages.PublicOutcome(),
        )

    def me(self) -> messages.Me:
        """The player's own part."""
        name, current = str(self.player), self.table.current
        sitting = self.table.sittings.get(name)
        return messages.Me(
            table=self.name,
            balance=self.table.balance(name) if sitting else None,
            account=self.account,
            brought=sitting.brought if sitting else 0,
            limits=self.limits.name,
            part=player_view(current.round, name) if current and self.table.in_round else None,
            results=results(current.round, name) if current else messages.Results(),
        )

    def watch(self, subscriber: Subscriber, epoch: int | None = None, since: int = 0) -> None:
        """Show the table to a socket: the frames it missed, or the whole; then the player's own part.

        While something is on its way to the disk the table in memory is ahead: the socket waits for it.
        """
        if self._on_the_way:
            self._arrived.append((subscriber, epoch, since))
            return
        self.subscribers.add(subscriber)
        first = self._frames[0][0] if self._frames else self.seq + 1
        if epoch == self.table.stream.epoch and first - 1 <= since <= self.seq:
            for seq, frame in self._frames:
                if seq > since:
                    subscriber.send(frame)
        else:
            subscriber.send(codec.encode(self.snapshot()))
        subscriber.send(codec.encode(self.me()))

    def leave(self, subscriber: Subscriber) -> None:
        """A socket looks away."""
        self.subscribers.discard(subscriber)
        self._arrived = [arrival for arrival in self._arrived if arrival[0] is not subscriber]

    def log_out(self) -> None:
        """The player is gone: what is not in a round goes back to the account."""
        name = str(self.player)
        if name in self.table.sittings and not self.table.in_round:
            left, unit = self.table.balance(name), self.table.leave(name, self.house.clock.wall_ms())
            self.account += left
            self.house.writer.submit(unit, self._stored(unit, None))

    # Questions

    def knows(self, id: str) -> bool:
        """Whether a question with this id was carried out, or is on its way."""
        return id in self._requests

    def ask(
        self,
        ask: requests.AnyRequest,
        asker: Subscriber,
        done: Callable[[], None] = no_turn,
        most: int | None = None,
    ) -> None:
        """Carry out a question, or refuse it; the answer comes when it is durable, and then `done` is called.

        `most` is what the player's own loss limit lets be staked in a round that begins (ASR-41). If it fails in a way
        that nobody foresaw, half way, the table is opened again from the log (ASR-32).
        """
        before = self._mark()
        try:
            self._ask(ask, asker, done, most)
        except BaseException:
            done()
            if self._mark() != before:
                self._throw_away("unit/lost")
            raise

    def _mark(self) -> tuple[object, ...]:
        """Where the table is: what has changed it has moved this."""
        return self.table.stream.n, self.round, self.turn

    def _ask(
        self, ask: requests.AnyRequest, asker: Subscriber, done: Callable[[], None], most: int | None
    ) -> None:
        digest = hashlib.sha256(msgspec.json.encode(ask)).digest()
        known = self._requests.find(ask.id)
        if known is not None:
            self._repeat(ask, known, digest, asker)
            done()
            return
        let_go: Callable[[], None] = no_turn
        try:
            let_go = self.house.claims.take(self.player, ask.id, self.name)
            events, units = self._carry_out(ask, RequestKey(self.player, ask.id, digest), most)
        except BaseException as error:
            let_go()
            if not isinstance(error, Refusal):
                raise
            asker.send(answer(ask.id, error))
            done()
            return
        self._requests.add(ask.id, digest)
        self._store(events, units, partial(self._answer, ask.id, asker, (let_go, done)))

    def bound_loss(self, code: str, most: int) -> int | None:
        """Bound what the player may stake in the round; gives what is staked, None if the round is not played (ASR-41)."""
        current, name = self.table.current, str(self.player)
        if self.broken or current is None or self.round != code or not self.table.in_round:
            return None
        step = self.table.bound_loss(name, most, self.house.clock.wall_ms())
        self._store(self._told(step), step.units, lambda _: None)
        return current.round.book.purses[name].staked

    async def void(self, code: str) -> None:
        """A malfunction: every stake of the round goes back (PLT-32). Over when it is durable and was shown."""
        if self.round != code or not self.table.in_round:
            raise Refusal("round/over")
        step = self.table.void(MALFUNCTION, self.house.clock.wall_ms())
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def tell(error: Refusal | None) -> None:
            if stored.done():  # nobody waits any more
                return
            if error is None:
                stored.set_result(None)
            else:
                stored.set_exception(error)

        self._store(self._told(step), step.units, tell)
        await stored

    def _store(
        self, events: tuple[messages.TableEvent, ...], units: tuple[LogEntry, ...], tell: Tell
    ) -> None:
        """Send what was done on its way to the disk."""
        frame = self._frame(events) if events else None
        waiting = _Waiting(frame, codec.encode(self.me()), self.house.clock.monotonic(), tell)
        self._on_the_way += 1
        if not units:
            self._outbox(waiting)
        for unit in units:
            self.house.writer.submit(unit, self._stored(unit, waiting, unit is units[-1]))

    def _frame(self, events: tuple[messages.TableEvent, ...]) -> messages.Frame:
        at = self.house.clock.wall_ms()
        return messages.Frame(self.name, self.table.stream.epoch, 0, at, self.round, self.turn, events)

    def _repeat(
        self, ask: requests.AnyRequest, known: CachedRequest, digest: bytes, asker: Subscriber
    ) -> None:
        """The same id again: for the same contents the same answer, which may still be on its way to the disk."""
        if known.digest != digest:
            asker.send(answer(ask.id, Refusal("command/reused", id=ask.id)))
        elif known.stored:
            asker.send(answer(ask.id))
            self.watch(asker)
        else:
            self._requests.wait(ask.id, asker)

    def _carry_out(
        self, ask: requests.AnyRequest, request: RequestKey, most: int | None
    ) -> tuple[tuple[messages.TableEvent, ...], tuple[LogEntry, ...]]:
        table, at, name = self.table, self.house.clock.wall_ms(), str(self.player)
        match ask:
            case requests.Sit(amount=amount):
                self._check_covered(amount)
                unit = table.sit(self.player, amount, at, request)
                self.account -= amount
                return (), (unit,)
            case requests.AddMoney(amount=amount):
                self._check_covered(amount)
                step = table.add_money(name, amount, at, request)
                self.account -= amount
            case requests.Leave():
                left, unit = table.balance(name), table.leave(name, at, request)
                self.account += left
                return (), (unit,)
            case requests.ChooseLimits(limits=limits):
                self._choose_limits(limits)
                return (), ()
            case requests.Deal(bets=bets, client_seed=client_seed, insurance=insurance):
                if self.house.draining:
                    raise Refusal("house/draining")
                self._check_client_seed(client_seed)
                step = table.deal(self.player, bets, client_seed, at, request, insurance=insurance, most=most)
                self._client_seed, self._revealed = client_seed, None
                return (RoundOpened(self.round), *self._told(step)), step.units
            case requests.InRound():
                if ask.round != self.round or ask.turn != self.turn or not table.in_round:
                    raise Refusal("command/stale", round=self.round, turn=self.turn)
                step = table.apply(command_of(ask, name), at, request)
            case _:
                raise Refusal("command/unknown", command=type(ask).__name__)
        return self._told(step), step.units

    def _told(self, step: Step) -> tuple[messages.TableEvent, ...]:
        """The events of a step, and at the end of a round the seed with the next commitment."""
        told: list[messages.TableEvent] = list(step.events)
        for fact in step.units[-1].body.facts:
            if isinstance(fact, facts.ShoeRevealed):
                commitment = hashlib.sha256(bytes.fromhex(fact.seed)).hexdigest()
                self._revealed = ShoeRevealed(commitment, fact.seed, self._client_seed)
                told.append(self._revealed)
            elif isinstance(fact, facts.ShoeCommitted):
                told.append(ShoeCommitted(fact.commitment))
        return tuple(told)

    def _check_covered(self, amount: int) -> None:
        """The account, which was looked at in the player's turn, has what is brought to the table (PLT-03)."""
        if amount > self.account:
            raise Refusal("funds/insufficient", cost=amount, balance=self.account)

    @staticmethod
    def _check_client_seed(client_seed: str) -> None:
        try:
            check_client_seed(client_seed)
        except ValueError as error:
            raise Refusal("seed/unusable", reason=str(error)) from None

    # Limits

    def _choose_limits(self, name: str) -> None:
        if self.table.in_round:
            raise Refusal("round/open")
        known = self._choices
        found = next((choice for choice in known if choice.name == name), None)
        if found is None:
            raise Refusal("limits/unknown", name=name, known=", ".join(choice.name for choice in known))
        self.limits = found
        self._use_limits()

    def see_vip(self, vip: int) -> None:
        """The player's VIP level may be another since the table was opened: other limits can be chosen (COM-54)."""
        if vip == self.vip or self.table.in_round:
            return
        self.vip, self._choices = vip, self._allowed(vip)
        if self.limits not in self._choices:
            self.limits = _usual(self._choices)
            self._use_limits()

    def _allowed(self, vip: int) -> tuple[LimitChoice, ...]:
        config = self.table.config
        return limit_choices(vip, choices_of(self.house.config, config.game.name, config.currency))

    def _use_limits(self) -> None:
        config = self.table.config
        self.table.config = msgspec.structs.replace(
            config, options=config.game.options.with_limits(self.limits), cap=self._cap(self.limits)
        )

    def _cap(self, choice: LimitChoice) -> int | None:
        """The most to bring to a sitting at these limits (PLT-04, PLT-64)."""
        return most_brought(self.house.config, self.table.config.currency, choice.main, cap=choice.cap)

    # Answers

    def _stored(
        self, unit: LogEntry, waiting: _Waiting | None, last: bool = True
    ) -> Callable[[Outcome], None]:
        """Hears of a unit; a question is answered when its last one is stored, or its first one is not."""

        def done(outcome: Outcome) -> None:
            if self.broken:
                if waiting is not None and last and waiting is not self._refused:
                    waiting.tell(Refusal("unit/lost"))
            elif not isinstance(outcome, Committed):
                self._refused = waiting
                error = self._break(unit, outcome)
                if waiting is not None:
                    waiting.tell(error)
            elif waiting is not None and last:
                self._outbox(waiting)

        return done

    def _outbox(self, waiting: _Waiting) -> None:
        """What was asked is stored: show it."""
        self._on_the_way -= 1
        STORED.observe(self.house.clock.monotonic() - waiting.begun)
        if waiting.frame is not None:
            self.seq += 1
            frame = codec.encode(msgspec.structs.replace(waiting.frame, seq=self.seq))
            self._frames.append((self.seq, frame))
            for subscriber in self.subscribers:
                subscriber.send(frame)
        for subscriber in self.subscribers:
            subscriber.send(waiting.me)
        waiting.tell(None)  # last: who has the answer has seen everything
        if not self._on_the_way:
            arrived, self._arrived = self._arrived, []
            for arrival in arrived:
                self.watch(*arrival)

    def _answer(
        self, id: str, asker: Subscriber, done: Iterable[Callable[[], None]], error: Refusal | None
    ) -> None:
        """Tell who asked, and who asked the same since."""
        for end in done:
            end()
        if error is None:
            self._requests.store(id)
        told = answer(id, error)
        for one in (asker, *self._requests.take_waiting(id)):
            one.send(told)

    def _break(self, unit: LogEntry, outcome: Outcome) -> Refusal | None:
        """A unit was not stored: what the table holds in memory is not so. Gives the answer to what was asked.

        What the store itself has refused is the last of the table's units, so its stream can be gone on with.
        """
        error: Refusal | None = Refusal("unit/lost")
        if isinstance(outcome, Repeated):
            error = None  # it was carried out before: the same answer (ASR-11)
        elif isinstance(outcome, Refused):
            error = Refusal(outcome.code, **outcome.params)
        if error is None or error.code not in _UNDECIDED:
            stream = self.table.stream
            self.rest = Stream(stream.id, stream.name, stream.epoch, unit.n - 1)
        self._throw_away("unit/conflict" if error is None else error.code)
        return error

    def _throw_away(self, code: str) -> None:
        """The table is opened again from the log: everyone who looks at it is told."""
        self.broken = True
        closed = codec.encode(messages.Closed(self.name, code))
        for subscriber in (*self.subscribers, *(arrival[0] for arrival in self._arrived)):
            subscriber.send(closed)


def _usual(choices: tuple[LimitChoice, ...]) -> LimitChoice:
    return next((choice for choice in choices if choice.name == USUAL_LIMITS), choices[0])
