"""Figures of the return monitoring: what each bet returned, what theory says, and its alarm (OFF-13)."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import isfinite
from typing import Annotated, Any, NamedTuple

import numpy as np
import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.games.rules import Rules
from sabot.odds.payoffs import RULES, theoretical_return, too_high
from sabot.odds.sequential import evidence, expected_rounds, net_bounds
from sabot.odds.watched import capital_of, watched, watched_bets
from sabot.protocol.fields import Form, GameName, Name, Reason, whole
from sabot.rounds.sums import DAY_MS
from sabot.server.office.watching import LineKey
from sabot.store import schema
from sabot.store.kinds import Currency

#: Days of the long figures, today included.
DAYS = 30
#: The chance of a result beyond each bound.
BOUND = 0.001
#: The fault whose discovery is predicted: every win is paid too high by this part.
FAULT = 0.02

RulesHash = Annotated[str, Meta(pattern=whole("[0-9a-f]{64}", "the SHA-256 of a rule set"))]
Bet = Annotated[str, Meta(pattern=whole(r"[a-z0-9+-]{1,32}", "1 to 32 small letters, digits, + and -"))]


class _Day(NamedTuple):
    """A day of a line as it is stored."""

    day: int
    rounds: int
    initial: int
    staked: int
    paid: int
    cumulants: bytes


class MonitoringQuery(Form, frozen=True):
    """Which lines: what is not given takes all."""

    game: GameName | None = None
    currency: Currency | None = None


class LineQuery(Form, frozen=True):
    """One line; `place` is `live/TABLE`, or `solo/GAME`."""

    place: Name
    game: GameName
    rules: RulesHash
    currency: Currency
    bet: Bet

    @property
    def key(self) -> LineKey:
        """The key of the line."""
        return LineKey(self.place, self.game, self.rules, self.currency, self.bet)


class AlarmSeen(LineQuery, frozen=True):
    """What became of an alarm."""

    reason: Reason


class ReturnFigures(Struct, frozen=True):
    """Rounds, stakes and payments, in cents, of bets without golden chips.

    `actual` is the return per stake; `least` and `most` bound it with a chance of 0.1 % on each side, by the exact
    distribution of the bet and the stakes of each round. Of a main bet they hold for the best table.
    """

    rounds: int
    initial: int
    staked: int
    paid: int
    actual: float | None
    least: float | None
    most: float | None


class AlarmFigures(Struct, frozen=True):
    """The alarm of a line: raised at an evidence of 1; `found_after` is in how many rounds it finds a return 2 % too high."""

    evidence: float
    rounds: int
    alarms: int
    raised_at: int | None
    seen_at: int | None
    found_after: int | None


class ReturnLine(Struct, frozen=True):
    """A bet: today, the last 30 days, its theoretical return per stake, its alarm; `current` if they are rules of this release."""

    place: str
    game: str
    rules: str
    currency: str
    bet: str
    current: bool
    theory: float | None
    today: ReturnFigures
    month: ReturnFigures
    alarm: AlarmFigures | None


class ReturnLines(Struct, frozen=True):
    """All lines with play in the last 30 days; an open alarm is always among them."""

    day: int
    lines: tuple[ReturnLine, ...]
    #: How many alarms wait for an operator.
    alarms: int


class ReturnDay(Struct, frozen=True):
    """One day of a line; the day is the number of days since 1970."""

    day: int
    figures: ReturnFigures


class ReturnDays(Struct, frozen=True):
    """The last 30 days of a line, those with play, the oldest first."""

    theory: float | None
    days: tuple[ReturnDay, ...]


class LineRows(NamedTuple):
    """What is stored of lines: read first, because theory may take longer than a request may use the database."""

    today: int
    days: Sequence[Any]
    alarms: Sequence[Any]


def read_lines(connection: Connection, query: MonitoringQuery, at: int) -> LineRows:
    """Read every line with play in the last 30 days, and every alarm."""
    today = at // DAY_MS
    days = connection.execute(_days(today, query.game, query.currency)).all()
    return LineRows(today, days, connection.execute(_alarms(query.game, query.currency)).all())


def return_lines(read: LineRows) -> ReturnLines:
    """Every line, with its figures and its alarm."""
    today = read.today
    days: dict[tuple[Any, ...], list[_Day]] = defaultdict(list)
    for day, *cells, rounds, initial, staked, paid, sums in read.days:
        days[tuple(cells)].append(_Day(day, rounds, initial, staked, paid, sums))
    alarms = {tuple(row[:5]): row for row in read.alarms}
    waiting = {key for key, row in alarms.items() if row.raised_at is not None and row.seen_at is None}
    lines = []
    for line in sorted(days.keys() | waiting):
        key, played = LineKey(*line), days.get(line, [])
        lines.append(
            ReturnLine(
                *key,
                key.rules in RULES,
                theoretical_return(key.rules, key.bet),
                _figures(key, [day for day in played if day.day == today]),
                _figures(key, played),
                _alarm(key, alarms.get(line)),
            )
        )
    return ReturnLines(today, tuple(lines), len(waiting))


def read_days(connection: Connection, key: LineKey, at: int) -> list[_Day]:
    """The days of one line; a line that has never been played is refused."""
    table = schema.return_days.c
    where = [table[name] == value for name, value in key._asdict().items()]
    found = connection.execute(_days(at // DAY_MS).where(*where).order_by(table.day))
    rows = [_Day(row[0], *row[6:]) for row in found]
    if not rows and connection.execute(sqlalchemy.select(table.day).where(*where).limit(1)).first() is None:
        raise Refusal("monitoring/unknown")
    return rows


def return_days(key: LineKey, rows: Sequence[_Day]) -> ReturnDays:
    """The days of one line with their figures."""
    return ReturnDays(
        theoretical_return(key.rules, key.bet),
        tuple(ReturnDay(row.day, _figures(key, [row])) for row in rows),
    )


def check_waiting(connection: Connection, key: LineKey) -> None:
    """Refuse a line without an alarm that waits for an operator."""
    if connection.execute(sqlalchemy.select(schema.return_alarms).where(*_waiting(key))).first() is None:
        raise Refusal("monitoring/no-alarm")


def mark_seen(connection: Connection, key: LineKey, at: int) -> None:
    """Note that an operator has looked at an alarm."""
    connection.execute(sqlalchemy.update(schema.return_alarms).where(*_waiting(key)).values(seen_at=at))


def _waiting(key: LineKey) -> list[sqlalchemy.ColumnElement[bool]]:
    alarms = schema.return_alarms.c
    where = [alarms[name] == value for name, value in key._asdict().items()]
    return [*where, alarms.raised_at.is_not(None), alarms.seen_at.is_(None)]


def _days(today: int, game: str | None = None, currency: str | None = None) -> sqlalchemy.Select[Any]:
    table = schema.return_days
    query = sqlalchemy.select(table).where(table.c.day > today - DAYS, table.c.day <= today)
    return _narrow(query, table, game, currency)


def _alarms(game: str | None, currency: str | None) -> sqlalchemy.Select[Any]:
    return _narrow(sqlalchemy.select(schema.return_alarms), schema.return_alarms, game, currency)


def _narrow(
    query: sqlalchemy.Select[Any], table: sqlalchemy.Table, game: str | None, currency: str | None
) -> sqlalchemy.Select[Any]:
    equal = ((table.c.game, game), (table.c.currency, currency))
    return query.where(*(column == value for column, value in equal if value is not None))


def _figures(key: LineKey, days: Sequence[_Day]) -> ReturnFigures:
    if not days:
        return ReturnFigures(0, 0, 0, 0, None, None, None)
    _, *numbers, cumulants = zip(*days, strict=True)
    rounds, initial, staked, paid = map(sum, numbers)
    actual = paid / staked
    if key.rules not in RULES:
        return ReturnFigures(rounds, initial, staked, paid, actual, None, None)
    sums = np.frombuffer(b"".join(cumulants)).reshape(len(days), -1).sum(axis=0)
    least, most = (1 + bound / staked for bound in net_bounds(sums, BOUND))
    return ReturnFigures(rounds, initial, staked, paid, actual, max(least, 0.0), most)


def _alarm(key: LineKey, row: Any) -> AlarmFigures | None:
    rules = RULES.get(key.rules)
    if row is None or rules is None or key.bet not in watched_bets(rules):
        return None
    expected = _found_after(rules, key.bet)
    return AlarmFigures(
        evidence(np.frombuffer(row.capitals)),
        row.rounds,
        row.alarms,
        row.raised_at,
        row.seen_at,
        round(expected) if isfinite(expected) else None,
    )


@cache
def _found_after(rules: Rules, bet: str) -> float:
    """The rounds after which the alarm is expected to find that every win is paid 2 % too high."""
    payoffs, test = watched(rules, bet)
    return expected_rounds(test, too_high(payoffs, FAULT), capital_of(rules))
