"""The overview: today and the last thirty days, and how the nodes are (OFF-01)."""

from collections import Counter, defaultdict
from typing import get_args

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.reports.figures import Figures
from sabot.reports.report import day_number, day_of, today
from sabot.rounds.sums import ROUND, VOIDED
from sabot.store import schema
from sabot.store.kinds import Currency
from sabot.store.nodes.node import NodeState, node_states

DAYS = 30


class OverviewDay(Struct, frozen=True):
    """What people played on a day in a currency: hold is staked less paid; tables are places with a finished round."""

    day: str
    currency: Currency
    rounds: int
    voided: int
    staked: int
    paid: int
    hold: int
    players: int
    tables: int


class OverviewNow(Struct, frozen=True):
    """How many people sit at tables of a currency, and in how many open rounds they play."""

    currency: Currency
    seated: int
    open_rounds: int


class Overview(Struct, frozen=True):
    """`today` is the last of the thirty days; `now` is what people play at this moment, by currency."""

    today: str
    days: tuple[OverviewDay, ...]
    now: tuple[OverviewNow, ...]
    nodes: tuple[NodeState, ...]


def overview(connection: Connection, now: int) -> Overview:
    """The overview at a moment."""
    last = day_number(today(now))
    first = last - DAYS + 1
    figures = Figures(connection)
    sums: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0] * 4)
    tables: dict[tuple[int, str], set[str]] = defaultdict(set)
    for key, (rounds, _, staked, paid) in figures.tallies(first, last).items():
        line = sums[key.day, key.currency]
        if key.bet == ROUND:
            line[0], line[2], line[3] = line[0] + rounds, line[2] + staked, line[3] + paid
        elif key.bet == VOIDED:
            line[1] += rounds
    for day, currency, place in figures.places(first, last):
        tables[day, currency].add(place)
    active = figures.active_players(first, last)
    days = tuple(
        OverviewDay(
            day_of(day).isoformat(),
            currency,  # type: ignore[arg-type]  # the tallies hold no other
            rounds,
            voided,
            staked,
            paid,
            staked - paid,
            active.get((day, currency), 0),
            len(tables[day, currency]),
        )
        for (day, currency), (rounds, voided, staked, paid) in sorted(sums.items())
    )
    return Overview(day_of(last).isoformat(), days, _now(connection), tuple(node_states(connection)))


def _now(connection: Connection) -> tuple[OverviewNow, ...]:
    """What people play at this moment; a round in which only bots play is none of theirs."""
    sittings, rounds, accounts, profiles = (
        table.c for table in (schema.sittings, schema.rounds, schema.accounts, schema.profiles)
    )
    people = (
        sqlalchemy.select(accounts.currency, sittings.player, sittings.stream)
        .join_from(schema.sittings, schema.accounts, sittings.account == accounts.id)
        .join(schema.profiles, profiles.player == sittings.player)
        .where(sittings.closed_at.is_(None), sqlalchemy.not_(profiles.bot))
    )
    opened = (
        sqlalchemy.select(rounds.stream, rounds.currency)
        .select_from(schema.rounds)
        .where(sqlalchemy.text(schema.UNSETTLED), rounds.state == "open")
    )
    seated: dict[str, set[int]] = defaultdict(set)
    places = set[int]()
    for currency, player, stream in connection.execute(people):
        seated[currency].add(player)
        places.add(stream)
    playing = Counter(row.currency for row in connection.execute(opened) if row.stream in places)
    return tuple(OverviewNow(money, len(seated[money]), playing[money]) for money in get_args(Currency))
