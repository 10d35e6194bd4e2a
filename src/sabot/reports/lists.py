"""Reports that are lists: changes by operators, significant events, large wins, players' activity, exclusions (OFF-20).

Players have their numbers here, never their names: a name can be erased, and a closed report stays as it is.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import Select

from sabot.errors import Refusal
from sabot.reports.changes import change_rows
from sabot.reports.figures import Figures
from sabot.reports.report import Column, Interval, Lines, Row
from sabot.store import schema
from sabot.store.register import OPERATORS, is_of

#: Rows of a list: of more an operator asks for a shorter interval, because a report that lacks rows is none.
MOST_ROWS = 100_000
#: Rows of operators that change nothing: a look at a player.
_LOOKS = ("look-at-player",)

CHANGES = (
    Column("at", "moment"),
    Column("change"),
    Column("operator", "player"),
    Column("reason"),
    Column("detail"),
)
EVENTS = (
    Column("at", "moment"),
    Column("severity"),
    Column("event"),
    Column("player", "player"),
    Column("round", "round"),
    Column("table"),
    Column("times", "count"),
    Column("detail"),
)
WINS = (
    Column("at", "moment"),
    Column("round", "round"),
    Column("game"),
    Column("currency"),
    Column("player", "player"),
    Column("staked", "money"),
    Column("paid", "money"),
    Column("won", "money"),
)
ACTIVITY = (
    Column("player", "player"),
    Column("currency"),
    Column("days", "count"),
    Column("rounds", "count"),
    Column("staked", "money"),
    Column("paid", "money"),
    Column("won", "money"),
    Column("deposits", "count"),
    Column("deposited", "money"),
    Column("withdrawals", "count"),
    Column("withdrawn", "money"),
)
EXCLUSIONS = (
    Column("at", "moment"),
    Column("player", "player"),
    Column("exclusion"),
    Column("until", "moment"),
)


def changes(figures: Figures, interval: Interval) -> Lines:
    """What operators did: adjustments, roles, settings, pauses, voids; who, when and why."""
    log, (first, end) = schema.log.c, interval.moments
    streams = list(
        figures.connection.execute(sqlalchemy.select(schema.streams.c.id).where(is_of(OPERATORS))).scalars()
    )
    query = (
        sqlalchemy.select(log.at, log.kind, log.body)
        .where(
            log.stream.in_(streams),  # operators have few rows: they are looked through, not those of a time
            log.at + 0 >= first,
            log.at + 0 < end,
            log.kind != "stream-owned",
            log.kind.not_in(_LOOKS),
        )
        .order_by(log.at, log.stream, log.n)
        .limit(MOST_ROWS + 1)
    )
    return Lines(CHANGES, change_rows(figures.connection, _whole(figures, query)))


def _whole(figures: Figures, query: Select[Any]) -> Sequence[Any]:
    """All rows of a list; more than it may have are refused."""
    rows = figures.connection.execute(query).all()
    if len(rows) > MOST_ROWS:
        raise Refusal("report/too-long", most=MOST_ROWS)
    return rows


def events(figures: Figures, interval: Interval) -> Lines:
    """Significant events in order of time; addresses are in the page of events alone."""
    found, (first, end) = schema.events.c, interval.moments
    columns = (found.at, found.severity, found.kind, found.player, found.round, found.place)
    query = (
        sqlalchemy.select(*columns, found.times, found.detail)
        .where(found.at >= first, found.at < end)
        .order_by(found.at, found.id)
        .limit(MOST_ROWS + 1)
    )
    rows: list[Row] = [(*row[:-1], bytes(row.detail).decode()) for row in _whole(figures, query)]
    return Lines(EVENTS, rows)


def least_listed(threshold: int) -> int:
    """The least win that is listed for a threshold: smaller ones have no index."""
    return max(threshold, schema.LEAST_LARGE_WIN)


def wins(figures: Figures, interval: Interval, threshold: int) -> Lines:
    """Players who won as much as the threshold or more in a round, for money."""
    played, rounds, (first, end) = schema.played.c, schema.rounds.c, interval.moments
    won = played.paid - played.staked
    columns = (
        played.at,
        played.code,
        rounds.game,
        rounds.currency,
        played.player,
        played.staked,
        played.paid,
    )
    query = (
        sqlalchemy.select(*columns, won)
        .join_from(schema.played, schema.rounds, played.code == rounds.code)
        .where(
            sqlalchemy.text(f"played.paid - played.staked >= {schema.LEAST_LARGE_WIN}"),  # its index
            won >= least_listed(threshold),
            rounds.currency == "EUR",
            played.at >= first,
            played.at < end,
        )
        .order_by(played.at, played.code, played.player)
        .limit(MOST_ROWS + 1)
    )
    return Lines(WINS, [tuple(row) for row in _whole(figures, query)])


def activity(figures: Figures, interval: Interval) -> Lines:
    """What each player did; those who staked most come first."""
    rows: list[Row] = []
    found = figures.players(*interval.days)
    for (player, currency), numbers in sorted(found.items(), key=lambda item: (-item[1][2], item[0])):
        days, rounds, staked, paid, *payments = numbers
        if any(numbers):
            rows.append((player, currency, days, rounds, staked, paid, paid - staked, *payments))
    return Lines(ACTIVITY, rows)


def exclusions(figures: Figures, interval: Interval) -> Lines:
    """Time-outs and self-exclusions that players set."""
    protections, (first, end) = schema.protections.c, interval.moments
    query = (
        sqlalchemy.select(protections.set_at, protections.player, protections.kind, protections.value)
        .where(
            protections.kind.in_(("time-out", "self-exclusion")),
            protections.set_at >= first,
            protections.set_at < end,
        )
        .order_by(protections.set_at, protections.player, protections.kind)
        .limit(MOST_ROWS + 1)
    )
    return Lines(EXCLUSIONS, [tuple(row) for row in _whole(figures, query)])
