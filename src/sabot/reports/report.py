"""What a report is: a name, a house, an interval of days, columns and rows."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Literal, NamedTuple

from msgspec import Struct

from sabot.rounds.day_close import GRACE_MS
from sabot.rounds.sums import DAY_MS

#: What a column holds; money is cents, a share a fraction, a moment milliseconds of UTC, a period `2026-08` or a day.
ColumnKind = Literal["text", "count", "money", "share", "moment", "player", "round"]
#: By which periods of the interval figures are given.
By = Literal["total", "day", "month", "year"]
Cell = str | int | float | None
Row = tuple[Cell, ...]

_EPOCH = date(1970, 1, 1)


class Column(Struct, frozen=True):
    """A column: the key of its title, and what it holds."""

    name: str
    kind: ColumnKind = "text"


class Interval(NamedTuple):
    """Days of UTC, both included; without a first day, since the beginning."""

    first: date | None
    last: date

    @property
    def days(self) -> tuple[int, int]:
        """The numbers of both days, as the stored sums count them."""
        return 0 if self.first is None else day_number(self.first), day_number(self.last)

    @property
    def moments(self) -> tuple[int, int]:
        """The first moment, and the first one after the interval."""
        first, last = self.days
        return first * DAY_MS, (last + 1) * DAY_MS

    def made_at(self, now: int) -> int:
        """The time that a report is made at.

        Figures of an interval that is over never change again, so its report is of the moment its books were complete, a
        minute after its end, whenever it is printed: that makes it the same byte for byte (OFF-22).
        """
        return min(now, self.moments[1] + GRACE_MS)

    def is_closed(self, now: int) -> bool:
        """Whether the interval is over, with the minute in which its last rounds may still be stored."""
        return now >= self.moments[1] + GRACE_MS


class Threshold(Struct, frozen=True):
    """A threshold from which something is listed: the name of its setting, and its value."""

    name: str
    kind: ColumnKind
    value: int


class Report(Struct, frozen=True):
    """A report; no rows mean no activity in the interval."""

    name: str
    house: str
    first: str | None
    last: str
    by: By
    made_at: int
    #: Whether the interval is over, so that the report never changes again.
    closed: bool
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    #: From where on something is listed, where that is a setting.
    thresholds: tuple[Threshold, ...] = ()
    #: Whether there are more rows than are given.
    more: bool = False


class Lines(NamedTuple):
    """The columns and rows of a report."""

    columns: tuple[Column, ...]
    rows: list[Row]


def day_number(day: date) -> int:
    """Days since 1970.

    >>> day_number(date(2026, 8, 29))
    20694
    """
    return (day - _EPOCH).days


def day_of(number: int) -> date:
    """The day of a number.

    >>> day_of(20694).isoformat()
    '2026-08-29'
    """
    return _EPOCH + timedelta(days=number)


def today(now: int) -> date:
    """The day of a moment."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


@cache
def period_of(number: int, by: By) -> str:
    """The period of a day, as it is written.

    >>> [period_of(20694, by) for by in ("total", "day", "month", "year")]
    ['', '2026-08-29', '2026-08', '2026']
    """
    return "" if by == "total" else day_of(number).isoformat()[: {"day": 10, "month": 7, "year": 4}[by]]


def periods(interval: Interval, first: int, by: By) -> list[tuple[str, int]]:
    """The periods of an interval that begins on day `first` or later, each with its last day."""
    begin, end = max(first, interval.days[0]), interval.days[1]
    found: dict[str, int] = {}
    for day in range(begin, end + 1) if by != "total" else (end,):
        found[period_of(day, by)] = day
    return list(found.items())
