"""Sums: what the rows of the log add to tallies, players' days and flows (OFF-20).

Rows are taken stream by stream, each once: `folded` holds how far each stream is in the stored sums, and what comes
after it is summed up for whoever reads. So a report is complete at every moment, and no page reads millions of rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import Connection

from sabot.rounds.studio import CORRECTION
from sabot.rounds.tally import FinishedRound, finished_round, place_of
from sabot.store import schema
from sabot.store.entry import Body, decode_body
from sabot.store.facts import RoundClosed, RoundOpenedFact
from sabot.store.kinds import PAYMENTS, TABLE_ACCOUNTS

DAY_MS = 86_400_000
_HOUR_MS = 3_600_000
#: Rows of a crowd in a round: stakes come and go, nothing is paid.
_CROWD = ("consent", "vote", "join", "bound-loss", "add-money")
#: Beside them a correction: it moves no money, and tells again what was paid before it (STU-08).
_NOT_TOLD = (*_CROWD, CORRECTION)
#: Bets of a tally that are not bets: all of a round, and a round that was given back.
ROUND, VOIDED = "round", "voided"
#: Ids in one query.
_MANY = 500


class TallyKey(NamedTuple):
    """A line of the tallies."""

    day: int
    place: str
    game: str
    rules: str
    currency: str
    bot: bool
    bet: str


class FlowKey(NamedTuple):
    """Accounts of a kind on a day, at a place for sessions and escrows."""

    day: int
    currency: str
    kind: str
    place: str


class PlayerDay(NamedTuple):
    """A player's day in a currency."""

    day: int
    player: int
    currency: str


class Mark(NamedTuple):
    """How far a stream is folded, before and after."""

    stream: int
    before: int
    after: int


class Sums:
    """What some rows of the log come to."""

    def __init__(self) -> None:
        #: Rounds, bets, staked, paid.
        self.tallies: dict[TallyKey, list[int]] = defaultdict(lambda: [0] * 4)
        #: Rounds, staked, paid, hours, deposits, deposited, withdrawals, withdrawn; hours are bits.
        self.player_days: dict[PlayerDay, list[int]] = defaultdict(lambda: [0] * 8)
        self.flows: dict[FlowKey, int] = defaultdict(int)
        self.marks: list[Mark] = []
        #: Rounds that ended in these rows, in the order of their streams.
        self.rounds: list[FinishedRound] = []
        #: Whether there are more rows than were taken.
        self.more = False

    def add_round(self, round: FinishedRound, bots: frozenset[int]) -> None:
        """Add a finished round."""
        day = round.closed_at // DAY_MS
        head = (day, round.place, round.game, round.rules, round.currency)
        kinds = {player in bots for player in round.players} or {False}
        if round.voided:
            for bot in kinds:
                self.tallies[TallyKey(*head, bot, VOIDED)][0] += 1
            return
        for bot in kinds:
            self.tallies[TallyKey(*head, bot, ROUND)][0] += 1
        betting = {(line.player in bots, line.bet) for line in round.lines}
        for bot, bet in betting:
            self.tallies[TallyKey(*head, bot, bet)][0] += 1
        hour = 1 << (round.closed_at % DAY_MS // _HOUR_MS)
        for line in round.lines:
            bot = line.player in bots
            for bet in (ROUND, line.bet):
                _add(self.tallies[TallyKey(*head, bot, bet)], (0, line.lines, line.staked, line.paid))
            own = self.player_days[PlayerDay(day, line.player, round.currency)]
            _add(own, (0, line.staked, line.paid))
            own[3] |= hour
        for player in {line.player for line in round.lines}:
            self.player_days[PlayerDay(day, player, round.currency)][0] += 1

    def add_payment(self, day: int, player: int, currency: str, amount: int, *, undone: bool) -> None:
        """Add money that came to a player's account from outside, or left it (below zero), or such a payment undone."""
        own, sign = self.player_days[PlayerDay(day, player, currency)], -1 if undone else 1
        at = 4 if sign * amount > 0 else 6
        own[at] += sign
        own[at + 1] += sign * abs(amount)


def _add(numbers: list[int], more: Iterable[int]) -> None:
    for i, number in enumerate(more):
        numbers[i] += number


class _Row(NamedTuple):
    stream: int
    place: str
    at: int
    kind: str
    body: Body


def unfolded(connection: Connection, most: int) -> Sums:
    """The sums of rows that are not folded yet: of `most` of them at most, from the first streams."""
    sums, batch = Sums(), Batch(connection)
    for stream, name, head, before in connection.execute(_BEHIND).all():
        left = most - batch.size
        if left <= 0:
            sums.more = True
            break
        after = batch.read(stream, name, before, head, left)
        sums.marks.append(Mark(stream, before, after))
        sums.more = sums.more or after < head
    batch.add_to(sums)
    return sums


def _behind() -> sqlalchemy.Select[Any]:
    streams, folded = schema.streams.c, schema.folded.c
    before = sqlalchemy.func.coalesce(folded.n, 0)
    return (
        sqlalchemy.select(streams.id, streams.name, streams.n, before)
        .join_from(schema.streams, schema.folded, streams.id == folded.stream, isouter=True)
        .where(streams.n > before)
        .order_by(streams.id)
    )


_BEHIND = _behind()


class Batch:
    """Rows of the log that are summed up together."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[_Row] = []
        #: The rounds that end in these rows, with their last rows.
        self._ended: list[tuple[str, _Row]] = []
        #: The rows of each round, and the rounds that began before them.
        self._bodies: dict[str, list[Body]] = defaultdict(list)
        self._begun_before: set[str] = set()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def read(self, stream: int, table: str, after: int, upto: int, most: int) -> int:
        """Read rows of a stream, `most` of them; returns the number of the last."""
        log = schema.log.c
        query = (
            sqlalchemy.select(log.n, log.at, log.kind, log.round, log.body)
            .where(log.stream == stream, log.n > after, log.n <= upto)
            .order_by(log.n)
            .limit(most)
        )
        for n, at, kind, code, body in self._connection.execute(query):
            row = _Row(stream, place_of(table), at, kind, decode_body(body))
            self._rows.append(row)
            after = n
            if code is not None:
                self._take(code, row)
        return after

    def _take(self, code: str, row: _Row) -> None:
        facts, bodies = row.body.facts, self._bodies[code]
        if not bodies and not any(isinstance(fact, RoundOpenedFact) for fact in facts):
            self._begun_before.add(code)
        if row.kind not in _NOT_TOLD:
            bodies.append(row.body)
        if any(isinstance(fact, RoundClosed) for fact in facts):
            self._ended.append((code, row))

    def add_to(self, sums: Sums) -> None:
        """Add everything to sums."""
        self._add_rounds(sums)
        self._add_movements(sums)

    def _add_rounds(self, sums: Sums) -> None:
        codes = [code for code, _ in self._ended]
        currencies, ended = self._currencies(codes), list[FinishedRound]()
        self._read_whole([code for code in codes if code in self._begun_before])
        for code, row in self._ended:
            bodies = self._bodies[code]
            ended.append(finished_round(code, row.stream, row.place, currencies[code], row.at, bodies))
        bots = bots_among(self._connection, {player for round in ended for player in round.players})
        for round in ended:
            sums.add_round(round, bots)
        sums.rounds += ended

    def _read_whole(self, codes: Sequence[str]) -> None:
        """Read all rows of rounds up to now."""
        log = schema.log.c
        for some in _portions(codes):
            query = sqlalchemy.select(log.round, log.body).where(
                log.round.in_(some), log.kind.not_in(_NOT_TOLD)
            )
            for code in some:
                self._bodies[code] = []
            for code, body in self._connection.execute(query.order_by(log.n)):
                self._bodies[code].append(decode_body(body))

    def _currencies(self, codes: Sequence[str]) -> dict[str, str]:
        rounds, found = schema.rounds.c, dict[str, str]()
        for some in _portions(codes):
            query = sqlalchemy.select(rounds.code, rounds.currency).where(rounds.code.in_(some))
            found |= dict(self._connection.execute(query).all())
        return found

    def _add_movements(self, sums: Sums) -> None:
        moved = {id for row in self._rows for m in row.body.movements for id in (m.debit, m.credit)}
        accounts = self._accounts(sorted(moved))
        for row in self._rows:
            day, undone = row.at // DAY_MS, row.kind == "rollback"
            for movement in row.body.movements:
                for id, amount in ((movement.debit, -movement.amount), (movement.credit, movement.amount)):
                    kind, player, currency = accounts[id]
                    place = row.place if kind in TABLE_ACCOUNTS else ""
                    sums.flows[FlowKey(day, currency, kind, place)] += amount
                    if row.kind in PAYMENTS and kind == "player" and player is not None:
                        sums.add_payment(day, player, currency, amount, undone=undone)

    def _accounts(self, ids: Sequence[int]) -> dict[int, tuple[str, int | None, str]]:
        """Kind, player and currency of accounts."""
        accounts, found = schema.accounts.c, dict[int, tuple[str, int | None, str]]()
        for some in _portions(ids):
            query = sqlalchemy.select(accounts.id, accounts.kind, accounts.player, accounts.currency)
            for id, kind, player, currency in self._connection.execute(query.where(accounts.id.in_(some))):
                found[id] = (kind, player, currency)
        return found


def bots_among(connection: Connection, players: Iterable[int]) -> frozenset[int]:
    """Which of some players are programs."""
    profiles, found = schema.profiles.c, set[int]()
    for some in _portions(sorted(players)):
        query = sqlalchemy.select(profiles.player).where(profiles.bot, profiles.player.in_(some))
        found |= set(connection.execute(query).scalars())
    return frozenset(found)


def _portions(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    for i in range(0, len(items), _MANY):
        yield items[i : i + _MANY]
