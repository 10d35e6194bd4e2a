"""An oracle for the figures of the back office: plain sums over the bodies of the log, and over nothing else.

It knows the log as docs/store.md describes it, as JSON, and none of the code that folds or reports.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import Any, NamedTuple

from sqlalchemy import text

from sabot.store.database import Database

DAY_MS = 86_400_000
_MAIN = ("initial", "double", "split")


class Bet(NamedTuple):
    """What a player's bets of one kind came to in a round."""

    lines: int
    staked: int
    paid: int


class RawRound(NamedTuple):
    """A finished round, as the rows say it."""

    code: str
    day: int
    table: str
    game: str
    rules: str
    currency: str
    end: str
    bets: dict[tuple[int, str], Bet]


class RawLog:
    """Everything that the log says of rounds, money and people."""

    def __init__(self, database: Database) -> None:
        with database.reading() as connection:
            rows = connection.execute(
                text(
                    "SELECT name, log.n, at, kind, round, log.player, body FROM log"
                    " JOIN streams ON id = stream ORDER BY stream, log.n"
                )
            ).all()
        self.rows = [(*row[:6], json.loads(bytes(row[6]))) for row in rows]
        self.accounts: dict[int, tuple[str, str, int | None]] = {}
        self.bots: set[int] = set()
        for _, _, _, _, _, _, body in self.rows:
            for fact in body.get("facts", ()):
                if fact["fact"] == "account-opened":
                    account = (fact["kind"], fact["currency"], fact.get("player"))
                    self.accounts[fact["account"]] = account
                elif fact["fact"] == "player-registered" and fact.get("bot"):
                    self.bots.add(fact["player"])

    def rounds(self) -> list[RawRound]:
        """The finished rounds."""
        opened: dict[str, tuple[Any, str]] = {}
        settled: dict[str, list[Any]] = defaultdict(list)
        found = []
        for name, _, at, _, code, _, body in self.rows:
            settled[code] += body.get("events", ())
            for fact in body.get("facts", ()):
                if fact["fact"] == "round-opened":
                    opened[code] = (body["detail"], fact["currency"])
                elif fact["fact"] == "round-closed":
                    detail, currency = opened[code]
                    bets = _bets(settled[code]) if fact["end"] == "settled" else {}
                    game, rules = detail["game"], detail["rules_sha256"]
                    found.append(RawRound(code, at // DAY_MS, name, game, rules, currency, fact["end"], bets))
        return found

    def balances(self, before: int | None = None) -> Counter[tuple[str, str]]:
        """Money by kind of account and currency, of the movements before a moment."""
        sums: Counter[tuple[str, str]] = Counter()
        for _, _, at, _, _, _, body in self.rows:
            if before is None or at < before:
                for _, debit, credit, amount in body.get("movements", ()):
                    sums[self.accounts[debit][:2]] -= amount
                    sums[self.accounts[credit][:2]] += amount
        return sums

    def payments(self) -> Counter[tuple[int, str, str]]:
        """Money paid in and out of players' accounts, by player, currency and kind of row."""
        sums: Counter[tuple[int, str, str]] = Counter()
        for _, _, _, kind, _, player, body in self.rows:
            if kind in ("deposit", "withdraw", "rollback"):
                for _, debit, _, amount in body.get("movements", ()):
                    sums[player, self.accounts[debit][1], kind] += amount
        return sums


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
