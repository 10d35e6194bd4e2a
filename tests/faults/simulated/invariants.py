"""What is true of a house at every moment, by plain sums over its tables (ASR-10).

Nothing here uses the code that writes or audits; the audit of the house itself is asked last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from sabot.rounds.audit import audit_house
from sabot.store.database import Database
from tests.faults.simulated.shoes import VAULT

#: More than any shoe has.
ALL_CARDS = 1_000
#: Each query finds what must not be there.
_NEVER = {
    "a balance is not the sum of its transfers": """
        SELECT id, name, balance, net FROM (
            SELECT a.id, a.name, a.balance,
                coalesce((SELECT sum(amount) FROM transfers WHERE credit = a.id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit = a.id), 0) AS net
            FROM accounts a) AS sums
        WHERE balance IS NOT NULL AND balance <> net""",
    "a balance is below zero": "SELECT id, name, balance FROM accounts WHERE balance < 0",
    "an account keeps no balance, or one too many": """
        SELECT id, name FROM accounts WHERE (balance IS NULL) = (kind IN ('player', 'session'))""",
    "a transfer goes to or from an account that is not there": """
        SELECT t.key FROM transfers t
        WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = t.debit)
           OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = t.credit)""",
    "a transfer crosses currencies": """
        SELECT t.key FROM transfers t JOIN accounts d ON d.id = t.debit JOIN accounts c ON c.id = t.credit
        WHERE d.currency <> c.currency OR t.amount <= 0""",
    "a transfer stands in no row of the log": """
        SELECT t.key FROM transfers t
        WHERE NOT EXISTS (SELECT 1 FROM log WHERE log.stream = t.stream AND log.n = t.n)""",
    "a round that is over left something in the escrow": """
        SELECT r.code, sum(CASE WHEN t.credit = a.id THEN t.amount ELSE -t.amount END) AS rest
        FROM rounds r JOIN log l ON l.round = r.code
        JOIN transfers t ON t.stream = l.stream AND t.n = l.n
        JOIN accounts a ON a.kind = 'escrow' AND a.id IN (t.debit, t.credit)
        WHERE r.state <> 'open' GROUP BY r.code
        HAVING sum(CASE WHEN t.credit = a.id THEN t.amount ELSE -t.amount END) <> 0""",
    "an escrow holds more than its open round": """
        SELECT a.name FROM accounts a
        WHERE a.kind = 'escrow'
        AND coalesce((SELECT sum(CASE WHEN t.credit = a.id THEN t.amount ELSE -t.amount END)
                FROM transfers t WHERE a.id IN (t.debit, t.credit)), 0)
         <> coalesce((SELECT sum(CASE WHEN t.credit = a.id THEN t.amount ELSE -t.amount END)
                FROM transfers t JOIN log l ON l.stream = t.stream AND l.n = t.n
                JOIN rounds r ON r.code = l.round AND r.state = 'open'
                WHERE a.id IN (t.debit, t.credit)), 0)""",
    "an escrow owes": """
        SELECT a.name FROM accounts a WHERE a.kind = 'escrow'
        AND (SELECT sum(CASE WHEN t.credit = a.id THEN t.amount ELSE -t.amount END)
             FROM transfers t WHERE a.id IN (t.debit, t.credit)) < 0""",
    "a table plays two rounds": """
        SELECT stream FROM rounds WHERE state = 'open' GROUP BY stream HAVING count(*) > 1""",
    "a round that is over moved other money than it told its player": """
        SELECT code, player, sum(amount) FROM (
            SELECT code, player, staked - paid AS amount FROM played
            UNION ALL
            SELECT l.round, s.player, CASE WHEN t.credit = s.id THEN t.amount ELSE -t.amount END
            FROM transfers t JOIN log l ON l.stream = t.stream AND l.n = t.n
            JOIN rounds r ON r.code = l.round AND r.state <> 'open'
            JOIN accounts s ON s.kind = 'session' AND s.id IN (t.debit, t.credit)
            JOIN accounts e ON e.kind = 'escrow' AND e.id IN (t.debit, t.credit)) AS both_sides
        GROUP BY code, player HAVING sum(amount) <> 0""",
    "a round is told that is not over": """
        SELECT p.code FROM played p JOIN rounds r ON r.code = p.code WHERE r.state = 'open'""",
    "a round that was voided kept or paid something": """
        SELECT p.code FROM played p JOIN rounds r ON r.code = p.code
        WHERE r.state = 'voided' AND (p.staked <> 0 OR p.paid <> 0)""",
    "money was left in a sitting that is over": """
        SELECT s.id, a.balance FROM sittings s JOIN accounts a ON a.id = s.account
        WHERE s.closed_at IS NOT NULL AND a.balance <> 0""",
    "a sitting was brought other money than it says": """
        SELECT s.id FROM sittings s WHERE s.brought <> coalesce(
            (SELECT sum(t.amount) FROM transfers t JOIN accounts p ON p.id = t.debit AND p.kind = 'player'
             WHERE t.credit = s.account), 0)""",
    "a sitting took other money away than it says": """
        SELECT s.id FROM sittings s WHERE coalesce(s.taken, 0) <> coalesce(
            (SELECT sum(t.amount) FROM transfers t JOIN accounts p ON p.id = t.credit AND p.kind = 'player'
             WHERE t.debit = s.account), 0)""",
    "a player sits twice at a table": """
        SELECT stream, player FROM sittings WHERE closed_at IS NULL
        GROUP BY stream, player HAVING count(*) > 1""",
    "a stream has other rows than it says": """
        SELECT s.name FROM streams s WHERE s.n <> (SELECT count(*) FROM log WHERE stream = s.id)
        OR s.n <> coalesce((SELECT max(n) FROM log WHERE stream = s.id), 0)
        OR (s.n > 0 AND s.head <> (SELECT hash FROM log WHERE stream = s.id AND n = s.n))
        OR (s.n > 0 AND s.epoch <> (SELECT epoch FROM log WHERE stream = s.id AND n = s.n))""",
    "an owner wrote after it was fenced": """
        SELECT l.stream, l.n FROM log l JOIN log b ON b.stream = l.stream AND b.n = l.n - 1
        WHERE l.epoch < b.epoch OR l.epoch > b.epoch + 1
        OR (l.epoch > b.epoch) <> (l.kind = 'stream-owned')""",
}


def check_house(database: Database) -> None:
    """Fail on anything that must never be."""
    with database.reading() as connection:
        for name, query in _NEVER.items():
            found = _all(connection, query)
            assert not found, f"{name}: {found[:5]}"
        total = _all(connection, "SELECT sum(balance) FROM accounts")[0][0] or 0
        others = _all(
            connection,
            """SELECT coalesce(sum(CASE WHEN c.balance IS NULL THEN t.amount ELSE 0 END), 0)
                - coalesce(sum(CASE WHEN d.balance IS NULL THEN t.amount ELSE 0 END), 0)
            FROM transfers t JOIN accounts d ON d.id = t.debit JOIN accounts c ON c.id = t.credit""",
        )[0][0]
        assert total + others == 0, f"all accounts together hold {total + others}"
        _check_shoes(connection)


def check_audit(database: Database) -> None:
    """Fail on anything the house's own audit finds; every round is played again."""
    report = audit_house(database, vault=VAULT)
    assert not report.findings, report.findings[:5]


def _check_shoes(connection: Connection) -> None:
    """Each round goes on where the last one of its shoe ended: no card is dealt twice, none is left out.

    After a round that only its ledger could end nothing more is dealt from the shoe.
    """
    ends: dict[int, int] = {}
    rows = _all(connection, "SELECT round, kind, body FROM log WHERE round IS NOT NULL ORDER BY stream, n")
    openings: dict[str, dict[str, Any]] = {}
    for code, kind, text in rows:
        body = msgspec.json.decode(text)
        if code not in openings:
            opening = openings[code] = body["detail"]
            dealt = ends.get(opening["shoe"], 0)
            assert opening["start"] == dealt, f"{code} starts at card {opening['start']}, {dealt} are dealt"
            ends[opening["shoe"]] = ALL_CARDS
        for fact in body.get("facts", ()):
            if fact["fact"] == "round-closed":
                ends[openings[code]["shoe"]] = ALL_CARDS if kind == "refund" else fact.get("dealt", 0)


def check_over(database: Database) -> None:
    """Fail if a round is stuck, a player still sits, or money is neither in a player's hands nor the house's."""
    with database.reading() as connection:
        assert not _all(connection, "SELECT code FROM rounds WHERE state = 'open'")
        assert not _all(connection, "SELECT id FROM sittings WHERE closed_at IS NULL")
        assert not _all(connection, "SELECT name FROM accounts WHERE kind = 'session' AND balance <> 0")


def open_rounds(database: Database) -> int:
    """Rounds that are being played."""
    with database.reading() as connection:
        return int(_all(connection, "SELECT count(*) FROM rounds WHERE state = 'open'")[0][0])


def moved_by_cashier(database: Database, player: int) -> int:
    """Deposits less withdrawals of a player."""
    query = f"""
        SELECT coalesce(sum(CASE WHEN p.id = t.credit THEN t.amount ELSE -t.amount END), 0)
        FROM transfers t JOIN accounts p ON p.kind = 'player' AND p.player = {player:d} AND p.id IN (t.debit, t.credit)
        JOIN accounts c ON c.kind = 'cashier' AND c.id IN (t.debit, t.credit)"""
    with database.reading() as connection:
        return int(_all(connection, query)[0][0])


def money_of(database: Database, player: int) -> int:
    """What a player has, at home in the house and at its tables."""
    query = f"SELECT sum(balance) FROM accounts WHERE player = {player:d} AND balance IS NOT NULL"
    with database.reading() as connection:
        return int(_all(connection, query)[0][0])


def result_of(database: Database, player: int) -> int:
    """What all rounds of a player came to, as they were told."""
    query = f"SELECT coalesce(sum(paid - staked), 0) FROM played WHERE player = {player:d}"
    with database.reading() as connection:
        return int(_all(connection, query)[0][0])


def requests_of(database: Database, player: int) -> set[str]:
    """The ids under which a player's requests were answered."""
    query = f"SELECT request FROM log WHERE player = {player:d}"
    with database.reading() as connection:
        return {row[0] for row in _all(connection, query)}


def rows_of(database: Database) -> dict[tuple[int, int], bytes]:
    """The hash of every row of the log."""
    with database.reading() as connection:
        return {
            (stream, n): bytes(hash)
            for stream, n, hash in _all(connection, "SELECT stream, n, hash FROM log")
        }


def _all(connection: Connection, query: str) -> Sequence[Any]:
    return connection.exec_driver_sql(query).all()
