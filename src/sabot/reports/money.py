"""Money of players: what the house owes them, and what they paid in and out (OFF-20)."""

from collections import defaultdict

from sabot.reports.figures import Figures, balances
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
    currencies = sorted({key.currency for key in flows})
    ends = periods(interval, min(key.day for key in flows), by)
    rows: list[Row] = []
    for period, held in balances(flows, ends, lambda key: (key.currency, key.kind)):
        for currency in currencies:
            parts = [held[currency, kind] for kind in _OWED]
            rows.append((period, currency, *parts, sum(parts)))
    return Lines(LIABILITY, rows)


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
