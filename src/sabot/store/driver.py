"""Statements of the writer, on the driver's own cursor, in bulk where the database can.

SQLite runs a statement for each row inside the process; PostgreSQL takes rows by COPY and as arrays.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import psycopg

from sabot.store.facts import STATEMENTS, Row


class ConflictError(Exception):
    """A guarded statement changed too few rows: something was changed meanwhile."""


class Head(NamedTuple):
    """The end of a stream."""

    epoch: int
    n: int
    hash: bytes


class Answered(NamedTuple):
    """The row of a request that is stored already."""

    player: int
    request: str
    kind: str
    stream: int
    n: int
    digest: bytes


#: An account: id, currency, and its balance if it keeps one. A plain row, because there may be ten thousand.
Account = tuple[int, str, int | None]


class Driver(ABC):
    """A database's cursor, inside a transaction."""

    #: The placeholder of a value, and the end of a query that locks its rows.
    mark: str
    lock: str

    def __init__(self, cursor: Any) -> None:
        self.cursor = cursor

    def heads(self, streams: Collection[int]) -> dict[int, Head]:
        """The heads of streams, locked until the transaction ends."""
        found = self._select("SELECT id, epoch, n, head FROM streams WHERE id", streams, self.lock)
        return {id: Head(epoch, n, bytes(head)) for id, epoch, n, head in found}

    def owners(self, streams: Collection[int]) -> dict[int, int | None]:
        """The owners of streams that this transaction has locked."""
        return dict(self._select("SELECT id, owner FROM streams WHERE id", streams))

    def nodes(self, ids: Collection[int]) -> dict[int, bool]:
        """Whether nodes live; a number that is not theirs is left out. A dead one never lives again."""
        found = self._select("SELECT id, dead_at IS NULL FROM nodes WHERE id", ids)
        return {id: bool(alive) for id, alive in found}

    @abstractmethod
    def accounts(self, ids: Collection[int]) -> Sequence[Account]:
        """Accounts; those of players are locked until the transaction ends.

        A session account needs no lock: only the owner of its table's stream writes it.
        """

    def golden(self, accounts: Collection[int]) -> dict[tuple[int, int], int]:
        """The golden chips of accounts, by account and value."""
        query = "SELECT account, value, CAST(sum(count) AS bigint) FROM golden WHERE account"
        found = self._select(query, accounts, "GROUP BY account, value")
        return {(account, value): count for account, value, count in found}

    @abstractmethod
    def answered(self, requests: Collection[tuple[int, str]]) -> list[Answered]:
        """The rows of all streams whose requests have these players and ids."""

    @abstractmethod
    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Add rows to a table."""

    @abstractmethod
    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        """Change balances; none may fall below zero."""

    @abstractmethod
    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        """Advance stream heads by compare-and-set."""

    def run(self, name: str, rows: Sequence[Row]) -> None:
        """Run a guarded statement for each row of values."""
        self.cursor.executemany(STATEMENTS[name].sql(self.mark), rows)
        self._expect(len(rows))

    @abstractmethod
    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        """Plain rows of a query that ends with the column in which to find the ids."""

    def _expect(self, count: int) -> None:
        if self.cursor.rowcount != count:
            raise ConflictError(f"{self.cursor.rowcount} rows changed where {count} were to")


class SqliteDriver(Driver):
    """Driver of an SQLite file, which has one writer."""

    mark = "?"
    lock = ""

    def accounts(self, ids: Collection[int]) -> Sequence[Account]:
        return self._select("SELECT id, currency, balance FROM accounts WHERE id", ids)

    def answered(self, requests: Collection[tuple[int, str]]) -> list[Answered]:
        found: list[Answered] = []
        for request in requests:
            self.cursor.execute(
                "SELECT player, request, kind, stream, n, digest FROM log WHERE player = ? AND request = ?",
                request,
            )
            found += map(Answered._make, self.cursor.fetchall())
        return found

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        self.cursor.executemany(_sqlite_insert(table), rows)

    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        self.cursor.executemany(
            "UPDATE accounts SET balance = balance + ? WHERE id = ? AND balance + ? >= 0",
            [(amount, id, amount) for id, amount in sums.items()],
        )
        self._expect(len(sums))

    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        self.cursor.executemany(
            "UPDATE streams SET epoch = ?, n = ?, head = ? WHERE id = ? AND epoch = ? AND n = ?",
            [(*new, id, old.epoch, old.n) for id, old, new in moves],
        )
        self._expect(len(moves))

    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        values = msgspec.json.encode(list(ids)).decode()
        self.cursor.execute(f"{query} IN (SELECT value FROM json_each(?)) {end}", (values,))
        found: list[Any] = self.cursor.fetchall()
        return found


class PostgresDriver(Driver):
    """Driver of PostgreSQL; it locks rows in the order of ids, so that processes cannot deadlock."""

    mark = "%s"
    lock = "ORDER BY id FOR UPDATE"

    def accounts(self, ids: Collection[int]) -> Sequence[Account]:
        found = self._select("SELECT id, currency, balance, kind = 'player' FROM accounts WHERE id", ids)
        shared = [id for id, _, _, of_player in found if of_player]
        kept: list[Account] = [
            (id, currency, balance) for id, currency, balance, of_player in found if not of_player
        ]
        if shared:
            kept += self._select("SELECT id, currency, balance FROM accounts WHERE id", shared, self.lock)
        return kept

    def answered(self, requests: Collection[tuple[int, str]]) -> list[Answered]:
        if not requests:
            return []
        players, ids = zip(*requests, strict=True)
        self.cursor.execute(
            "SELECT log.player, log.request, kind, stream, n, digest FROM log"
            " JOIN unnest(%s::bigint[], %s::text[]) AS sent(player, request)"
            " ON log.player = sent.player AND log.request = sent.request",
            (_array(players), list(ids)),
        )
        return list(map(Answered._make, self.cursor.fetchall()))

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        text, types = _copy(table)
        with self.cursor.copy(text) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        self.cursor.execute(
            "UPDATE accounts SET balance = balance + moved.amount"
            " FROM unnest(%s::bigint[], %s::bigint[]) AS moved(id, amount)"
            " WHERE accounts.id = moved.id AND balance + moved.amount >= 0",
            (_array(sums), _array(sums.values())),
        )
        self._expect(len(sums))

    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        rows = [(id, old.epoch, old.n, *new) for id, old, new in moves]
        *numbers, hashes = zip(*rows, strict=True)
        self.cursor.execute(
            "UPDATE streams SET epoch = moved.epoch, n = moved.n, head = moved.head"
            " FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bytea[])"
            " AS moved(id, old_epoch, old_n, epoch, n, head)"
            " WHERE streams.id = moved.id AND streams.epoch = old_epoch AND streams.n = old_n",
            (*map(_array, numbers), list(hashes)),
        )
        self._expect(len(moves))

    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        self.cursor.execute(f"{query} = ANY(%s::bigint[]) {end}", (_array(ids),))
        found: list[Any] = self.cursor.fetchall()
        return found


def driver_of(connection: Connection) -> Driver:
    """The driver of a connection, inside its transaction."""
    cursor = connection.connection.cursor()
    return SqliteDriver(cursor) if connection.dialect.name == "sqlite" else PostgresDriver(cursor)


def _array(numbers: Iterable[int]) -> str:
    """Numbers as a PostgreSQL array; faster than the driver, which escapes each of them."""
    return "{" + ",".join(map(str, numbers)) + "}"


@cache
def _sqlite_insert(table: Table) -> str:
    return str(table.insert().compile(dialect=sqlite.dialect()))


@cache
def _copy(table: Table) -> tuple[str, tuple[str, ...]]:
    """The COPY statement of a table, and the types of its columns."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    types = tuple(column.type.compile(dialect=_POSTGRES).lower() for column in table.columns)
    return f"COPY {table.name} ({columns}) FROM STDIN (FORMAT BINARY)", types


_POSTGRES = psycopg.dialect()
