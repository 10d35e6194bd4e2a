"""Signals of money laundering and harm, as a list with the reason of each; a person decides (OFF-21).

Nothing here changes anything for a player. Each signal says what was seen in numbers; whoever reads it opens the
player's page.
"""

from collections import defaultdict
from collections.abc import Iterator

import sqlalchemy
from msgspec import Struct

from sabot.reports.figures import Figures
from sabot.reports.report import Column, Interval, Lines, Row, day_of
from sabot.rounds.sums import DAY_MS
from sabot.store import schema

COLUMNS = (
    Column("signal"),
    Column("player", "player"),
    Column("currency"),
    Column("day"),
    Column("value", "count"),
    Column("amount", "money"),
    Column("beside", "money"),
)

#: Hours of a night (UTC), as bits of a day.
_NIGHT = sum(1 << hour for hour in range(5))


class Thresholds(Struct, frozen=True):
    """From where on something is a signal; amounts in cents of real money."""

    #: Deposits of a day and of a month.
    deposits_day: int = 200_000
    deposits_month: int = 1_000_000
    #: Losses of a day and of a month.
    losses_day: int = 200_000
    losses_month: int = 1_000_000
    #: Deposits of at least so much, of which this part is withdrawn and less than this part was staked.
    unplayed: int = 50_000
    withdrawn_share: float = 0.8
    played_share: float = 0.5
    #: Deposits on a day with a loss.
    chasing_deposits: int = 3
    #: Hours with play on one day; days with play at night.
    hours: int = 10
    nights: int = 5
    #: New accounts from one address that were used for a day or less.
    accounts: int = 4


class _Dates(dict[int, str]):
    """Days as they are written, by number."""

    def __missing__(self, number: int) -> str:
        self[number] = day_of(number).isoformat()
        return self[number]


def signals(figures: Figures, interval: Interval, thresholds: Thresholds) -> Lines:
    """All signals of an interval, by kind, then by player and day."""
    dates = _Dates()
    found: set[Row] = set()
    months: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    whole: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for day, player, _, staked, paid, hours, deposits, deposited, _, withdrawn in figures.player_days(
        *interval.days, "EUR"
    ):
        date, lost = dates[day], staked - paid
        month = months[player, date[:7]]
        month[0], month[1] = month[0] + deposited, month[1] + lost
        all_of_it = whole[player]
        all_of_it[0] += deposited
        all_of_it[1] += withdrawn
        all_of_it[2] += staked
        all_of_it[3] += bool(hours & _NIGHT)
        found.update(_of_day(player, date, thresholds, deposits, deposited, lost, hours))
    for (player, date), (deposited, lost) in months.items():
        if deposited >= thresholds.deposits_month:
            found.add(("deposits-month", player, "EUR", date, None, deposited, thresholds.deposits_month))
        if lost >= thresholds.losses_month:
            found.add(("losses-month", player, "EUR", date, None, lost, thresholds.losses_month))
    for player, (deposited, withdrawn, staked, nights) in whole.items():
        if nights >= thresholds.nights:
            found.add(("nights", player, "EUR", "", nights, None, None))
        enough = deposited >= thresholds.unplayed and withdrawn >= thresholds.withdrawn_share * deposited
        if enough and staked < thresholds.played_share * deposited:
            found.add(("withdrawn-unplayed", player, "EUR", "", None, withdrawn, staked))
    found |= set(_short_lived(figures, interval, thresholds))
    return Lines(COLUMNS, sorted(found, key=lambda row: (str(row[0]), row[1], str(row[3]))))


def _of_day(
    player: int, date: str, thresholds: Thresholds, deposits: int, deposited: int, lost: int, hours: int
) -> Iterator[Row]:
    if deposited >= thresholds.deposits_day:
        yield ("deposits-day", player, "EUR", date, deposits, deposited, thresholds.deposits_day)
    if lost >= thresholds.losses_day:
        yield ("losses-day", player, "EUR", date, None, lost, thresholds.losses_day)
    if deposits >= thresholds.chasing_deposits and lost > 0:
        yield ("chasing", player, "EUR", date, deposits, deposited, lost)
    if hours.bit_count() >= thresholds.hours:
        yield ("long-day", player, "EUR", date, hours.bit_count(), None, None)


def _short_lived(figures: Figures, interval: Interval, thresholds: Thresholds) -> Iterator[Row]:
    """Accounts that were registered in the interval and used for a day or less, several of them from one address."""
    players, logins, profiles = schema.players.c, schema.logins.c, schema.profiles.c
    first, end = interval.moments
    query = (
        sqlalchemy.select(
            players.id, players.registered_at, logins.origin, sqlalchemy.func.max(logins.seen_at)
        )
        .join_from(schema.players, schema.logins, logins.player == players.id)
        .join(schema.profiles, profiles.player == players.id)
        .where(players.registered_at >= first, players.registered_at < end, sqlalchemy.not_(profiles.demo))
        .group_by(players.id, players.registered_at, logins.origin)
    )
    at_address: dict[str, set[int]] = defaultdict(set)
    for player, registered, origin, seen in figures.connection.execute(query):
        if seen - registered <= DAY_MS:
            at_address[origin].add(player)
    for among in at_address.values():
        if len(among) >= thresholds.accounts:
            for player in among:
                yield ("short-lived", player, "", "", len(among), None, None)
