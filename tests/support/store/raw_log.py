"""An oracle for the figures of the back office: plain sums over the bodies of the log, and over nothing else.

It knows the log as docs/work/store.md describes it, as JSON, and none of the code that folds or reports.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import text

from sabot.store.database import Database

DAY_MS = 86_400_000
#: Rows that move money between a player's account and the outside.
PAYMENTS = ("deposit", "withdraw", "rollback")
_MAIN = ("initial", "double", "split")


class Bet(NamedTuple):
    """What a player's bets of one kind came to in a round."""

    lines: int
    staked: int
    paid: int


class RawRound(NamedTuple):
    """A finished round, as the rows say it."""

    code: str
    at: int
    table: str
    game: str
    rules: str
    currency: str
    end: str
    bets: dict[tuple[int, str], Bet]

    @property
    def day(self) -> int:
        """The day it ended on."""
        return self.at // DAY_MS


class RawRow(NamedTuple):
    """A row of the log."""

    stream: str
    at: int
    kind: str
    round: str
    player: int
    body: Any


class RawLog:
    """Everything that the log says of rounds, money and people, read anew for each question: it may be long."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.accounts: dict[int, tuple[str, str, int | None]] = {}
        self.bots: set[int] = set()
        for row in self.rows():
            for fact in row.body.get("facts", ()):
                if fact["fact"] == "account-opened":
                    account = (fact["kind"], fact["currency"], fact.get("player"))
                    self.accounts[fact["account"]] = account
                elif fact["fact"] == "player-registered" and fact.get("bot"):
                    self.bots.add(fact["player"])

    def rows(self) -> Iterator[RawRow]:
        """Every row, stream by stream."""
        query = text(
            "SELECT name, at, kind, round, log.player, body FROM log JOIN streams ON id = stream ORDER BY stream, log.n"
        )
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=1_000).execute(query):
                name, at, kind, round, player, body = row
                yield RawRow(name, at, kind, round, player, json.loads(bytes(body)))

    def rounds(self) -> list[RawRound]:
        """The finished rounds."""
        rounds = RawRounds()
        return [round for row in self.rows() for round in rounds.take(row)]

    def balances(self, before: int | None = None) -> Counter[tuple[str, str]]:
        """Money by kind of account and currency, of the movements before a moment."""
        sums: Counter[tuple[str, str]] = Counter()
        for row in self.rows():
            if before is None or row.at < before:
                for _, debit, credit, amount in row.body.get("movements", ()):
                    sums[self.accounts[debit][:2]] -= amount
                    sums[self.accounts[credit][:2]] += amount
        return sums

    def payments(self) -> Counter[tuple[int, str, str]]:
        """Money paid in and out of players' accounts, by player, currency and kind of row."""
        sums: Counter[tuple[int, str, str]] = Counter()
        for row in self.rows():
            if row.kind in PAYMENTS:
                for _, debit, _, amount in row.body.get("movements", ()):
                    sums[row.player, self.accounts[debit][1], row.kind] += amount
        return sums


class RawRounds:
    """Rounds put together from the rows of their streams."""

    def __init__(self) -> None:
        self._opened: dict[str, tuple[Any, str]] = {}
        self._events: dict[str, list[Any]] = defaultdict(list)

    def take(self, row: RawRow) -> Iterator[RawRound]:
        """Take the next row; gives the round that ended with it."""
        if row.round:
            self._events[row.round] += row.body.get("events", ())
        for fact in row.body.get("facts", ()):
            if fact["fact"] == "round-opened":
                self._opened[row.round] = (row.body["detail"], fact["currency"])
            elif fact["fact"] == "round-closed":
                detail, currency = self._opened.pop(row.round)
                events = self._events.pop(row.round)
                bets = _bets(events) if fact["end"] == "settled" else {}
                game, rules = detail["game"], detail["rules_sha256"]
                yield RawRound(row.round, row.at, row.stream, game, rules, currency, fact["end"], bets)


def _bets(events: list[Any]) -> dict[tuple[int, str], Bet]:
    bets: dict[tuple[int, str], Bet] = defaultdict(lambda: Bet(0, 0, 0))
    for event in events:
        if event["type"] == "bet-settled":
            key = (int(event["player"]), "main" if event["why"] in _MAIN else event["why"])
            lines, staked, paid = bets[key]
            bets[key] = Bet(lines + 1, staked + event["stake"]["own"], paid + event["paid"])
        elif event["type"] == "win-capped":
            key = (int(event["player"]), "max-win")
            bets[key] = bets[key]._replace(paid=bets[key].paid - event["amount"])
    return dict(bets)
