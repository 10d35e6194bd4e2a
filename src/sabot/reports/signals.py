"""Signals of money laundering and harm, as a list with the reason of each; a person decides (OFF-21).

Nothing here changes anything for a player. Each signal says what was seen in numbers; whoever reads it opens the
player's page.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Self

import sqlalchemy
from msgspec import Struct
from msgspec.structs import asdict

from sabot.reports.figures import Figures
from sabot.reports.report import Column, Interval, Lines, Row, Threshold, day_of
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

#: Thresholds that are amounts.
_AMOUNTS = ("deposits_day", "deposits_month", "losses_day", "losses_month", "unplayed")
#: Hours of a night (UTC), as bits of a day.
_NIGHT = sum(1 << hour for hour in range(5))


class Thresholds(Struct, frozen=True):
    """Thresholds of signals, from the settings of the office; amounts in cents of real money."""

    deposits_day: int = 200_000
    deposits_month: int = 1_000_000
    losses_day: int = 200_000
    losses_month: int = 1_000_000
    #: Deposits of at least so much, of which so many per cent are withdrawn and fewer than so many were staked.
    unplayed: int = 50_000
    withdrawn_percent: int = 80
    played_percent: int = 50
    #: Deposits on a day with a loss.
    chasing_deposits: int = 3
    #: Hours with play on one day; days with play at night.
    hours: int = 10
    nights: int = 5
    #: New accounts from one address that were used for a day or less.
    accounts: int = 4

    @classmethod
    def of(cls, settings: object) -> Self:
        """The thresholds among the settings of the office."""
        return cls(**{name: getattr(settings, f"signal_{name}") for name in cls.__struct_fields__})

    def listed(self) -> tuple[Threshold, ...]:
        """Every threshold, by the name of its setting."""
        return tuple(
            Threshold(f"signal_{name}", "money" if name in _AMOUNTS else "count", value)
            for name, value in asdict(self).items()
        )


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
    least = min(thresholds.deposits_day, thresholds.losses_day)
    for day, player, _, staked, paid, hours, deposits, deposited, _, withdrawn in figures.player_days(
        *interval.days, "EUR"
    ):
        date, lost = dates[day], staked - paid
        month = months[player, date[:7]]
        month[0] += deposited
        month[1] += lost
        all_of_it = whole[player]
        all_of_it[0] += deposited
        all_of_it[1] += withdrawn
        all_of_it[2] += staked
        if hours & _NIGHT:
            all_of_it[3] += 1
        # Most days have no signal: they are left without a closer look.
        if (
            deposited >= least
            or lost >= least
            or deposits >= thresholds.chasing_deposits
            or hours.bit_count() >= thresholds.hours
        ):
            found.update(_of_day(player, date, thresholds, deposits, deposited, lost, hours))
    for (player, date), (deposited, lost) in months.items():
        if deposited >= thresholds.deposits_month:
            found.add(("deposits-month", player, "EUR", date, None, deposited, thresholds.deposits_month))
        if lost >= thresholds.losses_month:
            found.add(("losses-month", player, "EUR", date, None, lost, thresholds.losses_month))
    for player, (deposited, withdrawn, staked, nights) in whole.items():
        if nights >= thresholds.nights:
            found.add(("nights", player, "EUR", "", nights, None, None))
        enough = deposited >= thresholds.unplayed
        enough = enough and 100 * withdrawn >= thresholds.withdrawn_percent * deposited
        if enough and 100 * staked < thresholds.played_percent * deposited:
            found.add(("withdrawn-unplayed", player, "EUR", "", None, withdrawn, staked))
    found |= set(_short_lived(figures, interval))
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


def _short_lived(figures: Figures, interval: Interval) -> Iterator[Row]:
    """Accounts that were used for a day or less, several of them from one address, as the house has noted them.

    Addresses are deleted after some days: what follows from them is noted as an event when it is seen.
    """
    events, (first, end) = schema.events.c, interval.moments
    query = sqlalchemy.select(events.at, events.player, events.times).where(
        events.kind == "short-lived", events.at >= first, events.at < end
    )
    for at, player, times in figures.connection.execute(query):
        yield ("short-lived", player, "", day_of(at // DAY_MS).isoformat(), times, None, None)
