"""Game performance: rounds, stakes, payments and returns of each bet by game, rules and currency (OFF-14, OFF-20)."""

from collections import defaultdict
from collections.abc import Iterable

import sqlalchemy
from sqlalchemy import Connection

from sabot.odds.payoffs import theoretical_return
from sabot.reports.figures import Figures, balances
from sabot.reports.report import By, Cell, Column, Interval, Lines, Row, period_of, periods
from sabot.rounds.sums import ROUND, VOIDED
from sabot.store import schema

#: The bet of the line that has all bets of a game.
ALL = "all"

COLUMNS = (
    Column("period"),
    Column("game"),
    Column("rules"),
    Column("currency"),
    Column("bet"),
    Column("rounds", "count"),
    Column("voided", "count"),
    Column("bets", "count"),
    Column("staked", "money"),
    Column("paid", "money"),
    Column("hold", "money"),
    Column("actual", "share"),
    Column("theoretical", "share"),
    Column("open", "money"),
)

#: Period, game, rules, currency.
_Line = tuple[str, str, str, str]


def performance(figures: Figures, interval: Interval, by: By) -> Lines:
    """What people's bets staked and paid; money in open rounds is that at the end of the period."""
    sums: dict[_Line, dict[str, list[int]]] = defaultdict(dict)
    tallies = figures.tallies(*interval.days, by_day=by != "total")
    for key, numbers in tallies.items():
        line = (period_of(key.day, by), key.game, key.rules, key.currency)
        total = sums[line].setdefault(key.bet, [0] * 4)
        for i, number in enumerate(numbers):
            total[i] += number
    first = min((key.day for key in tallies), default=interval.days[1])
    opened = _open_money(figures, periods(interval, first, by))
    shown = {(period, game, currency) for period, game, _, currency in sums}
    for period, game, currency in opened.keys() - shown:
        sums[period, game, "", currency] = {}
    last_rules = {(period, game, currency): rules for period, game, rules, currency in sorted(sums)}
    rows: list[Row] = []
    for line in sorted(sums):
        period, game, rules, currency = line
        of_game = (period, game, currency)
        rows += _rows(line, sums[line], opened.get(of_game, 0) if last_rules[of_game] == rules else 0)
    return Lines(COLUMNS, rows)


def _rows(line: _Line, bets: dict[str, list[int]], opened: int) -> Iterable[Row]:
    period, game, rules, currency = line
    rounds, lines, staked, paid = bets.get(ROUND, [0] * 4)
    voided = bets.get(VOIDED, [0])[0]
    head: tuple[Cell, ...] = (period, game, rules[:12], currency)
    theory = _theoretical(rules, bets)
    yield (
        *head,
        ALL,
        rounds,
        voided,
        lines,
        staked,
        paid,
        staked - paid,
        _share(paid, staked),
        theory,
        opened,
    )
    for bet in sorted(bets.keys() - {ROUND, VOIDED}):
        rounds, lines, staked, paid = bets[bet]
        theory = _rounded(theoretical_return(rules, bet))
        hold, actual = staked - paid, _share(paid, staked)
        yield (*head, bet, rounds, None, lines, staked, paid, hold, actual, theory, None)


def _share(part: int, whole: int) -> float | None:
    return _rounded(part / whole) if whole else None


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 6)


def _theoretical(rules: str, bets: dict[str, list[int]]) -> float | None:
    """The theoretical return of all bets together, weighted by their stakes."""
    expected, whole = 0.0, 0
    for bet, (_, _, staked, _) in bets.items():
        share = theoretical_return(rules, bet)
        if share is not None:
            expected, whole = expected + share * staked, whole + staked
    return _rounded(expected / whole) if whole else None


def _open_money(figures: Figures, ends: Iterable[tuple[str, int]]) -> dict[tuple[str, str, str], int]:
    """Money in open rounds at the end of each period, by period, game and currency."""
    ends = list(ends)
    if not ends:
        return {}
    flows = figures.flows(ends[-1][1], "escrow")
    games = _games(figures.connection, {key.place for key in flows})
    found: dict[tuple[str, str, str], int] = {}
    for period, held in balances(flows, ends, lambda key: (games[key.place], key.currency)):
        found |= {(period, *of_game): amount for of_game, amount in held.items() if amount}
    return found


def _games(connection: Connection, places: set[str]) -> dict[str, str]:
    """The game of each place: in the name of solo ones, by the rounds of a live table."""
    games = {place: place.removeprefix("solo/") for place in places}
    rounds, streams = schema.rounds.c, schema.streams.c
    for place in places:
        if not place.startswith("solo/"):
            query = sqlalchemy.select(rounds.game).join_from(
                schema.rounds, schema.streams, rounds.stream == streams.id
            )
            found = connection.execute(query.where(streams.name == place).limit(1)).scalar()
            games[place] = found or place
    return games
