"""Watches the return of every bet: adds finished rounds to its days and its alarm (OFF-13; docs/operate/monitoring.md).

It gets rounds inside the transaction that folds them, each once in the whole house, so a restart or another node goes on
where the last one stopped. New rules have another hash, and begin a new line with an alarm of its own (OFF-14).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy
from sqlalchemy import Connection

from sabot.games import CATALOGUE
from sabot.odds.classes import Floats
from sabot.odds.payoffs import RULES, bet_payoffs, bets_of
from sabot.odds.sequential import ANGLES, cumulants, fold, give, no_capital
from sabot.odds.watched import capital_of, watched, watched_bets
from sabot.rounds.sums import DAY_MS
from sabot.rounds.tally import FinishedRound
from sabot.server.office.events import EventRow, Events
from sabot.store import schema
from sabot.store.database import put

#: Stakes whose cumulants are remembered.
_KEPT = 20_000


class LineKey(NamedTuple):
    """A line of the monitoring: one bet of one rule set, at a live table or at all solo tables of a game."""

    place: str
    game: str
    rules: str
    currency: str
    bet: str


class BetOutcome(NamedTuple):
    """A bet in a round, all its players together: initial stakes, all stakes, payments."""

    at: int
    initial: int
    staked: int
    paid: int


class Alarm(NamedTuple):
    """An alarm: the line, when its round ended, and how many rounds the line had then."""

    line: LineKey
    at: int
    rounds: int


class AlarmState:
    """What the gamblers of a line own (docs/operate/monitoring.md), and its alarms."""

    def __init__(self, key: LineKey, day: int, rounds: int, capitals: Floats, alarms: int) -> None:
        self.key = key
        self.rules = RULES[key.rules]
        self.day = day
        self.rounds = rounds
        self.capitals = capitals
        self.alarms = alarms
        self.raised_at: int | None = None

    def take(self, outcomes: Sequence[BetOutcome]) -> list[Alarm]:
        """Take the rounds of one day. After an alarm the gamblers have nothing until the next day."""
        test = watched(self.rules, self.key.bet).test
        day = outcomes[0].at // DAY_MS
        if day > self.day:
            self.capitals, self.day = give(test, self.capitals, capital_of(self.rules)), day
        results = np.array([(one.paid - one.staked) / one.initial for one in outcomes])
        raised: list[Alarm] = []
        begin = 0
        while begin < len(results):
            folded = fold(test, self.capitals, results[begin:])
            if folded.alarm < 0:
                self.capitals = folded.logs
                break
            begin += folded.alarm + 1
            self.capitals = no_capital(test)
            self.alarms += 1
            self.raised_at = outcomes[begin - 1].at
            raised.append(Alarm(self.key, self.raised_at, self.rounds + begin))
        self.rounds += len(results)
        return raised


class ReturnWatch:
    """Takes finished rounds; an alarm is a significant event, stored in the same transaction."""

    def __init__(self, events: Events) -> None:
        self._events = events

    def take_rounds(self, connection: Connection, rounds: Sequence[FinishedRound]) -> None:
        """Add rounds to their days and alarms."""
        outcomes = _by_day(rounds)
        _add_days(connection, outcomes)
        alarms = _Alarms(connection, {key for _, key in outcomes if _is_watched(key)})
        raised: list[Alarm] = []
        for (_, key), some in sorted(outcomes.items(), key=lambda item: item[0]):
            if _is_watched(key):
                raised += alarms.of(key).take(some)
        alarms.write()
        if raised:
            self._events.store(connection, [self._event(alarm) for alarm in raised])

    def _event(self, alarm: Alarm) -> EventRow:
        line = alarm.line._asdict()
        table = line.pop("place")
        return self._events.row(
            "return-alarm", "alarm", table=table, at=alarm.at, rounds=alarm.rounds, **line
        )


def outcomes_of(round: FinishedRound) -> dict[LineKey, BetOutcome]:
    """The bets of a round, each with all its players together.

    Bets with golden chips are left out: a chip that wins does not come back (MAJ-54). Whether there are any is known before
    the cards.
    """
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 3)
    known = bets_of(CATALOGUE[round.game].rules) if round.game in CATALOGUE else ()
    for line in round.lines:
        if line.bet in known and not line.golden:
            for i, number in enumerate((line.initial, line.staked, line.paid)):
                sums[line.bet][i] += number
    return {
        LineKey(round.place, round.game, round.rules, round.currency, bet): BetOutcome(
            round.closed_at, *numbers
        )
        for bet, numbers in sums.items()
        if numbers[0]
    }


def _by_day(rounds: Iterable[FinishedRound]) -> dict[tuple[int, LineKey], list[BetOutcome]]:
    found: dict[tuple[int, LineKey], list[BetOutcome]] = defaultdict(list)
    for round in sorted(rounds, key=lambda round: (round.closed_at, round.code)):
        for key, outcome in outcomes_of(round).items():
            found[outcome.at // DAY_MS, key].append(outcome)
    return found


def _is_watched(key: LineKey) -> bool:
    return key.rules in RULES and key.bet in watched_bets(RULES[key.rules])


# Days


@lru_cache(_KEPT)
def _cumulants(rules: str, bet: str, stake: int) -> Floats:
    return cumulants(bet_payoffs(RULES[rules], bet), stake)


def _add_days(connection: Connection, outcomes: dict[tuple[int, LineKey], list[BetOutcome]]) -> None:
    table = schema.return_days
    rows = []
    for (day, key), some in outcomes.items():
        where = (table.c[name] == value for name, value in (("day", day), *key._asdict().items()))
        found = connection.execute(sqlalchemy.select(table).where(*where)).first()
        before = found[6:] if found is not None else (0, 0, 0, 0, np.zeros(len(ANGLES)).tobytes())
        sums = np.frombuffer(before[4]) + sum(
            (_cumulants(key.rules, key.bet, one.initial) for one in some if key.rules in RULES), np.zeros(1)
        )
        numbers = (len(some), *(sum(column) for column in list(zip(*some, strict=True))[1:]))
        total = tuple(old + new for old, new in zip(before, numbers, strict=False))
        rows.append((day, *key, *total, sums.tobytes()))
    put(connection, table, rows)


# Alarms


class _Alarms:
    """The alarms of some lines, as they are stored."""

    def __init__(self, connection: Connection, keys: Iterable[LineKey]) -> None:
        self._connection = connection
        self._states: dict[LineKey, AlarmState] = {}
        self._stored: dict[LineKey, Any] = {}
        table = schema.return_alarms
        for key in keys:
            where = (table.c[name] == value for name, value in key._asdict().items())
            row = connection.execute(sqlalchemy.select(table).where(*where)).first()
            capitals = no_capital(watched(RULES[key.rules], key.bet).test)
            if row is None:
                self._states[key] = AlarmState(key, -1, 0, capitals, 0)
                continue
            self._stored[key] = row
            stored = np.frombuffer(row.capitals)
            if len(stored) == len(capitals):  # a release may have other gamblers
                capitals = stored
            self._states[key] = AlarmState(key, row.day, row.rounds, capitals, row.alarms)

    def of(self, key: LineKey) -> AlarmState:
        """The alarm of a line."""
        return self._states[key]

    def write(self) -> None:
        """Store all of them; one that was raised anew waits for an operator again."""
        rows = []
        for key, state in self._states.items():
            row = self._stored.get(key)
            raised, seen = (None, None) if row is None else (row.raised_at, row.seen_at)
            if state.raised_at is not None:
                raised, seen = state.raised_at, None
            numbers = (state.day, state.rounds, state.capitals.tobytes(), state.alarms, raised, seen)
            rows.append((*key, *numbers))
        put(self._connection, schema.return_alarms, rows)
