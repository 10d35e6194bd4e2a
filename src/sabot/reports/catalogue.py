"""The reports by name, and how one is made (OFF-20)."""

from typing import Literal, NamedTuple

from sqlalchemy import Connection

from sabot.reports import lists, money, performance, signals
from sabot.reports.figures import MOST_ROWS, Figures
from sabot.reports.report import By, Interval, Lines, Report, Threshold

ReportName = Literal[
    "performance",
    "liability",
    "payments",
    "changes",
    "events",
    "wins",
    "activity",
    "exclusions",
    "signals",
]
#: Reports that can be given by day, month and year; the others are lists.
BY_PERIOD: frozenset[str] = frozenset({"performance", "liability", "payments"})


class ReportRequest(NamedTuple):
    """A request for a report: its name, interval and periods, the least large win, and the thresholds of signals."""

    name: ReportName
    interval: Interval
    by: By = "total"
    large_win: int = 500_000
    thresholds: signals.Thresholds = signals.Thresholds()


def make(connection: Connection, house: str, asked: ReportRequest, now: int, most: int = MOST_ROWS) -> Report:
    """Make a report; at most `most` rows of the log are added to the stored sums."""
    figures, interval = Figures(connection, most), asked.interval
    by: By = asked.by if asked.name in BY_PERIOD else "total"
    lines = _lines(figures, asked, by)
    return Report(
        name=asked.name,
        house=house,
        first=None if interval.first is None else interval.first.isoformat(),
        last=interval.last.isoformat(),
        by=by,
        made_at=interval.made_at(now),
        closed=interval.is_closed(now),
        columns=lines.columns,
        rows=tuple(lines.rows),
        thresholds=_thresholds(asked),
    )


def _thresholds(asked: ReportRequest) -> tuple[Threshold, ...]:
    match asked.name:
        case "wins":
            return (Threshold("large_win", "money", lists.least_listed(asked.large_win)),)
        case "signals":
            return asked.thresholds.listed()
        case _:
            return ()


def _lines(figures: Figures, asked: ReportRequest, by: By) -> Lines:
    interval = asked.interval
    match asked.name:
        case "performance":
            return performance.performance(figures, interval, by)
        case "liability":
            return money.liability(figures, interval, by)
        case "payments":
            return money.payments(figures, interval, by)
        case "changes":
            return lists.changes(figures, interval)
        case "events":
            return lists.events(figures, interval)
        case "wins":
            return lists.wins(figures, interval, asked.large_win)
        case "activity":
            return lists.activity(figures, interval)
        case "exclusions":
            return lists.exclusions(figures, interval)
        case "signals":
            return signals.signals(figures, interval, asked.thresholds)
