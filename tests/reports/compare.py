"""Reports of figures against plain sums over the raw log of a whole house, by day and in total, to the cent.

`python -m tests.reports.compare sqlite:///year.db` compares a house of any size, such as a generated year.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator

from sabot.reports.catalogue import ReportName, ReportRequest, make
from sabot.reports.report import By, Interval, Report, day_of
from sabot.store.database import Database
from tests.support.store.raw_log import DAY_MS, PAYMENTS, RawLog, RawRound, RawRounds, RawRow

LARGE_WIN = 50_000
_HELD = ("player", "session", "escrow")
Line = tuple[object, ...]


class Expected:
    """What the reports must say, from one pass over the log: a line and its numbers."""

    def __init__(self, database: Database) -> None:
        self._log = RawLog(database)
        self.days: set[int] = set()
        self.performance: Counter[Line] = Counter()
        self.payments: Counter[Line] = Counter()
        self.activity: Counter[Line] = Counter()
        self.wins: list[Line] = []
        self._changes: dict[int, Counter[Line]] = defaultdict(Counter)
        self._played: set[Line] = set()
        rounds = RawRounds()
        for row in self._log.rows():
            self._add_money(row)
            for round in rounds.take(row):
                self._add_round(round)
        self.wins.sort()

    def liability(self) -> Iterator[tuple[str, Counter[Line]]]:
        """What is held after each day, by currency and kind of account."""
        held: Counter[Line] = Counter()
        for day in range(min(self._changes), max(self._changes) + 1):
            held.update(self._changes.get(day, {}))
            yield day_of(day).isoformat(), held.copy()

    def _add_money(self, row: RawRow) -> None:
        day, payment = row.at // DAY_MS, row.kind in PAYMENTS
        for _, debit, credit, amount in row.body.get("movements", ()):
            for account, change in ((debit, -amount), (credit, amount)):
                kind, currency, player = self._log.accounts[account]
                if kind in _HELD:
                    self._changes[day][currency, kind] += change
                if payment and kind == "player" and player not in self._log.bots:
                    self._add_payment(day_of(day).isoformat(), player, currency, row.kind, change)

    def _add_payment(self, period: str, player: int | None, currency: str, kind: str, change: int) -> None:
        """A payment that came back is taken away from those of its kind."""
        undone = kind == "rollback"
        paid_in = (change > 0) is not undone
        sign = -1 if undone else 1
        for sums, line in ((self.payments, (period, currency)), (self.activity, (player, currency))):
            sums[*line, "deposits" if paid_in else "withdrawals"] += sign
            sums[*line, "deposited" if paid_in else "withdrawn"] += sign * abs(change)

    def _add_round(self, round: RawRound) -> None:
        self.days.add(round.day)
        head = (day_of(round.day).isoformat(), round.game, round.rules[:12], round.currency)
        people = {key: bet for key, bet in round.bets.items() if key[0] not in self._log.bots}
        self.performance[*head, "all", "voided"] += round.end == "voided"
        self.performance[*head, "all", "rounds"] += bool(people)
        for name in {bet for _, bet in people}:
            self.performance[*head, name, "rounds"] += 1
        for (player, name), bet in people.items():
            for line in ((*head, "all"), (*head, name)):
                self.performance[*line, "bets"] += bet.lines
                self.performance[*line, "staked"] += bet.staked
                self.performance[*line, "paid"] += bet.paid
            self.activity[player, round.currency, "staked"] += bet.staked
            self.activity[player, round.currency, "paid"] += bet.paid
        for player in {player for player, _ in round.bets}:
            staked = sum(bet.staked for (who, _), bet in round.bets.items() if who == player)
            paid = sum(bet.paid for (who, _), bet in round.bets.items() if who == player)
            if paid - staked >= LARGE_WIN and round.currency == "EUR":
                self.wins.append((round.at, round.code, player, staked, paid))
            if player not in self._log.bots:
                self.activity[player, round.currency, "rounds"] += 1
                if (round.day, player, round.currency) not in self._played:
                    self._played.add((round.day, player, round.currency))
                    self.activity[player, round.currency, "days"] += 1


def numbers(report: Report, *line: str) -> Counter[Line]:
    """The whole numbers of a report by line and column; the line is named by these columns."""
    at = {column.name: i for i, column in enumerate(report.columns)}
    counted = [column for column in report.columns if column.kind in ("count", "money")]
    found: Counter[Line] = Counter()
    for row in report.rows:
        for column in counted:
            number = row[at[column.name]]
            if isinstance(number, int) and number:
                found[*(row[at[name]] for name in line), column.name] += number
    return found


def only(found: Counter[Line], columns: tuple[str, ...]) -> dict[Line, int]:
    """What is not zero, of some columns."""
    return {line: number for line, number in found.items() if line[-1] in columns and number}


def without_period(sums: Counter[Line]) -> Counter[Line]:
    """All periods together."""
    found: Counter[Line] = Counter()
    for (_, *line), number in sums.items():
        found[tuple(line)] += number
    return found


def compare(database: Database, now: int) -> Expected:
    """Compare every report of figures with the log; says at the first difference which it is."""
    expected = Expected(database)
    last = day_of(now // DAY_MS)

    def report(name: ReportName, by: By = "total") -> Report:
        with database.reading() as connection:
            return make(connection, "House", ReportRequest(name, Interval(None, last), by, LARGE_WIN), now)

    def same(what: str, found: object, wanted: object) -> None:
        assert found == wanted, f"{what}: {found} instead of {wanted}"

    line = ("game", "rules", "currency", "bet")
    counted = ("rounds", "voided", "bets", "staked", "paid")
    by_day = only(numbers(report("performance", "day"), "period", *line), counted)
    same("performance by day", by_day, only(expected.performance, counted))
    total = only(numbers(report("performance"), *line), counted)
    same("performance", total, only(without_period(expected.performance), counted))
    paid = ("deposits", "deposited", "withdrawals", "withdrawn")
    by_day = only(numbers(report("payments", "day"), "period", "currency"), paid)
    same("payments by day", by_day, only(expected.payments, paid))
    total = only(numbers(report("payments"), "currency"), paid)
    same("payments", total, only(without_period(expected.payments), paid))
    done = ("days", "rounds", "staked", "paid", *paid)
    total = only(numbers(report("activity"), "player", "currency"), done)
    same("activity", total, only(expected.activity, done))
    held = numbers(report("liability", "day"), "period", "currency")
    names = dict(zip(_HELD, ("accounts", "at_tables", "open"), strict=True))
    for period, balances in expected.liability():
        for currency in {str(currency) for currency, _ in balances}:
            for kind, name in names.items():
                found = held[period, currency, name]
                same(f"liability of {period}, {currency}, {name}", found, balances[currency, kind])
    wins = report("wins")
    at = [
        [column.name for column in wins.columns].index(name)
        for name in ("at", "round", "player", "staked", "paid")
    ]
    same("wins", sorted(tuple(row[i] for i in at) for row in wins.rows), expected.wins)
    return expected


def main() -> None:
    """Compare the house of a database."""
    database, begun = Database(sys.argv[1]), time.monotonic()
    expected = compare(database, int(time.time() * 1000))
    rounds = sum(number for line, number in expected.performance.items() if line[-2:] == ("all", "rounds"))
    print(
        f"{rounds:,} rounds with people's bets on {len(expected.days)} days, {len(expected.activity):,} numbers of players, "
        f"{len(expected.wins):,} large wins: the reports are the sums of the log ({time.monotonic() - begun:.0f} s)"
    )


if __name__ == "__main__":
    main()
