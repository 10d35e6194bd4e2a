"""The overview: today and the last thirty days, alarms, and how the nodes are (OFF-01)."""

from collections import defaultdict

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.reports.figures import Figures
from sabot.reports.report import day_number, day_of, today
from sabot.rounds.sums import ROUND, VOIDED
from sabot.server.office.events import EventsQuery, OfficeEvent, search_events
from sabot.store import schema
from sabot.store.kinds import Currency
from sabot.store.nodes.node import NodeState, node_states

DAYS = 30
#: Alarms that are shown, of the last so many milliseconds.
_ALARMS, _RECENT_MS = 20, 7 * 86_400_000


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


class Overview(Struct, frozen=True):
    """`today` is the last of the thirty days. `seated` is who sits at a table now, `open_rounds` what is being played."""

    today: str
    days: tuple[OverviewDay, ...]
    seated: int
    open_rounds: int
    alarms: tuple[OfficeEvent, ...]
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
    alarms = search_events(
        connection, EventsQuery(severity="alarm", since=max(0, now - _RECENT_MS), limit=_ALARMS)
    )
    return Overview(
        day_of(last).isoformat(), days, *_now(connection), alarms.events, tuple(node_states(connection))
    )


def _now(connection: Connection) -> tuple[int, int]:
    """Who sits at tables, and how many rounds are open."""
    sittings, rounds, count = schema.sittings.c, schema.rounds.c, sqlalchemy.func.count
    seated = sqlalchemy.select(count(sittings.player.distinct())).where(sittings.closed_at.is_(None))
    opened = (
        sqlalchemy.select(count())
        .select_from(schema.rounds)
        .where(sqlalchemy.text(schema.UNSETTLED), rounds.state == "open")
    )
    return connection.execute(seated).scalar_one(), connection.execute(opened).scalar_one()
