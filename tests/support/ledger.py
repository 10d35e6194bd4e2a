"""What must hold of the ledger after every operation (ASR-10), asked of the database in plain SQL."""

from __future__ import annotations

import base64
import hashlib
import json

from sabot.store.database import Database

_ENTRIES = """
    SELECT credit AS account, amount FROM transfers UNION ALL SELECT debit AS account, -amount FROM transfers
"""


def rows(database: Database, query: str) -> list[tuple[object, ...]]:
    """The answer to a query."""
    with database.reading() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(query)]


def count(database: Database, table: str) -> int:
    """How many rows a table has."""
    return int(str(rows(database, f"SELECT count(*) FROM {table}")[0][0]))


def balances(database: Database) -> dict[str, int]:
    """What every account has by its entries, by name."""
    query = f"""
        SELECT name, COALESCE(sum(amount), 0) FROM accounts LEFT JOIN ({_ENTRIES}) AS entries
        ON account = id GROUP BY name
    """
    return {str(name): int(str(balance)) for name, balance in rows(database, query)}


def check_ledger(database: Database) -> None:
    """The entries of each currency sum to zero, each stored balance is the sum of its entries, none is negative."""
    sums = rows(
        database,
        f"SELECT currency, sum(amount) FROM ({_ENTRIES}) AS entries JOIN accounts ON account = id GROUP BY currency",
    )
    assert all(amount == 0 for _, amount in sums), sums
    strangers = rows(
        database,
        f"SELECT account FROM ({_ENTRIES}) AS entries LEFT JOIN accounts ON account = id WHERE id IS NULL",
    )
    assert not strangers, strangers
    stored = {
        str(name): balance
        for name, balance in rows(
            database, "SELECT name, balance FROM accounts WHERE kind IN ('player', 'session')"
        )
    }
    by_entries = balances(database)
    assert stored == {name: by_entries[name] for name in stored}
    assert all(balance >= 0 for balance in stored.values() if isinstance(balance, int))
    assert not rows(database, "SELECT key FROM transfers WHERE amount <= 0 OR debit = credit")


def check_chains(database: Database) -> None:
    """Every hash, made again from what `unit.py` says of it; every movement of the log stands in the ledger."""
    heads: dict[object, tuple[object, object]] = {}
    moved = []
    query = "SELECT stream, n, epoch, at, kind, round, player, request, digest, body, hash FROM log ORDER BY stream, n"
    for *columns, digest, body, hash in rows(database, query):
        stream, n = columns[:2]
        before_n, before = heads.get(stream, (0, bytes(32)))
        assert isinstance(before, bytes)
        assert isinstance(body, bytes)
        assert isinstance(before_n, int)
        assert n == before_n + 1
        text = base64.b64encode(digest).decode() if isinstance(digest, bytes) else None
        listed = json.dumps([*columns, text], separators=(",", ":"), ensure_ascii=False).encode()
        assert hash == hashlib.sha256(before + listed + b"\n" + body).digest()
        heads[stream] = (n, hash)
        movements = json.loads(body).get("movements", [])
        moved += [(stream, n, i, *movement) for i, movement in enumerate(movements)]
    assert heads == {id: (n, head) for id, n, head in rows(database, "SELECT id, n, head FROM streams")}
    kept = rows(
        database, "SELECT stream, n, i, key, debit, credit, amount FROM transfers ORDER BY stream, n, i"
    )
    assert kept == moved


def check_all(database: Database) -> None:
    """Ledger and chains."""
    check_ledger(database)
    check_chains(database)
