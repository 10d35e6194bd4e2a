"""Money of players: what the house owes them, and what they paid in and out (OFF-20)."""

from collections import defaultdict

from sabot.reports.figures import Figures
from sabot.reports.report import By, Column, Interval, Lines, Row, period_of, periods

#: Accounts whose money belongs to players: their own, what they brought to tables, what is staked in open rounds.
_OWED = ("player", "session", "escrow")

LIABILITY = (
    Column("period"),
    Column("currency"),
    Column("accounts", "money"),
    Column("at_tables", "money"),
    Column("open", "money"),
    Column("owed", "money"),
)
PAYMENTS = (
    Column("period"),
    Column("currency"),
    Column("deposits", "count"),
    Column("deposited", "money"),
    Column("withdrawals", "count"),
    Column("withdrawn", "money"),
    Column("net", "money"),
)


def liability(figures: Figures, interval: Interval, by: By) -> Lines:
    """All balances, money at tables and in open rounds, at the end of each period; bots' play money is in it."""
    flows = figures.flows(interval.days[1], *_OWED)
    if not flows:
        return Lines(LIABILITY, [])
    changes: dict[tuple[str, str], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for key, amount in flows.items():
        changes[key.currency, key.kind][key.day] += amount
    first = min(key.day for key in flows)
    rows: list[Row] = []
    for period, end in periods(interval, first, by):
        for currency in sorted({currency for currency, _ in changes}):
            parts = [_until(changes[currency, kind], end) for kind in _OWED]
            rows.append((period, currency, *parts, sum(parts)))
    return Lines(LIABILITY, rows)


def _until(changes: dict[int, int], end: int) -> int:
    """The balance after a day."""
    return sum(amount for day, amount in changes.items() if day <= end)


def payments(figures: Figures, interval: Interval, by: By) -> Lines:
    """Deposits and withdrawals of people; a withdrawal that came back is not counted."""
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 4)
    for (day, currency), numbers in figures.payments(*interval.days).items():
        total = sums[period_of(day, by), currency]
        for i, number in enumerate(numbers):
            total[i] += number
    rows: list[Row] = [
        (*key, deposits, deposited, withdrawals, withdrawn, deposited - withdrawn)
        for key, (deposits, deposited, withdrawals, withdrawn) in sorted(sums.items())
        if any((deposits, deposited, withdrawals, withdrawn))
    ]
    return Lines(PAYMENTS, rows)
