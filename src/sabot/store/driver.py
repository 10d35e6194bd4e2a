"""Statements of the writer, on the driver's own cursor, in bulk where the database can.

SQLite runs a statement for each row inside the process. PostgreSQL takes rows as arrays, or many of them by COPY; what
need not wait for another statement's result is sent with it, since a small group costs little but its ways to the server.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Column, Connection, Table
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

#: A player and the id of a request.
Asked = tuple[int, str]


class Found(NamedTuple):
    """What a group touches: heads of streams, accounts, rows of requests that are stored already."""

    heads: dict[int, Head]
    accounts: Sequence[Account]
    answered: list[Answered]


class Driver(ABC):
    """A database's cursor, inside a transaction."""

    def __init__(self, cursor: Any) -> None:
        self.cursor = cursor

    @abstractmethod
    def find(self, streams: Collection[int], accounts: Collection[int], requests: Collection[Asked]) -> Found:
        """Heads of streams, accounts, and the rows of all streams whose requests have these players and ids.

        Streams and accounts of players are locked until the transaction ends. A session account needs no lock: only the
        owner of its table's stream writes it.
        """

    def owners(self, streams: Collection[int]) -> dict[int, int | None]:
        """The owners of streams that this transaction has locked."""
        return dict(self._select("SELECT id, owner FROM streams WHERE id", streams))

    def nodes(self, ids: Collection[int]) -> dict[int, bool]:
        """Whether nodes live; a number that is not theirs is left out. A dead one never lives again."""
        found = self._select("SELECT id, dead_at IS NULL FROM nodes WHERE id", ids)
        return {id: bool(alive) for id, alive in found}

    def golden(self, accounts: Collection[int]) -> dict[tuple[int, int], int]:
        """The golden chips of accounts, by account and value."""
        query = "SELECT account, value, CAST(sum(count) AS bigint) FROM golden WHERE account"
        found = self._select(query, accounts, "GROUP BY account, value")
        return {(account, value): count for account, value, count in found}

    @contextmanager
    def together(self, rows: int) -> Iterator[None]:
        """Write so many rows in a block; what it does may be sent, and its guards be checked, at the end of it."""
        yield

    @abstractmethod
    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Add rows to a table."""

    @abstractmethod
    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        """Change balances; none may fall below zero."""

    @abstractmethod
    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        """Advance stream heads by compare-and-set."""

    @abstractmethod
    def run(self, name: str, rows: Sequence[Row]) -> None:
        """Run a guarded statement for each row of values."""

    @abstractmethod
    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        """Plain rows of a query that ends with the column in which to find the ids."""


def _check_changed(cursor: Any, count: int) -> None:
    if cursor.rowcount != count:
        raise ConflictError(f"{cursor.rowcount} rows changed where {count} were to")


class SqliteDriver(Driver):
    """Driver of an SQLite file, which has one writer."""

    def find(self, streams: Collection[int], accounts: Collection[int], requests: Collection[Asked]) -> Found:
        heads = self._select("SELECT id, epoch, n, head FROM streams WHERE id", streams)
        found: list[Answered] = []
        for request in requests:
            self.cursor.execute(
                "SELECT player, request, kind, stream, n, digest FROM log WHERE player = ? AND request = ?",
                request,
            )
            found += map(Answered._make, self.cursor.fetchall())
        moved = self._select("SELECT id, currency, balance FROM accounts WHERE id", accounts)
        return Found(_heads(heads), moved, found)

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        self.cursor.executemany(_sqlite_insert(table), rows)

    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        self._change(
            "UPDATE accounts SET balance = balance + ? WHERE id = ? AND balance + ? >= 0",
            [(amount, id, amount) for id, amount in sums.items()],
        )

    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        self._change(
            "UPDATE streams SET epoch = ?, n = ?, head = ? WHERE id = ? AND epoch = ? AND n = ?",
            [(*new, id, old.epoch, old.n) for id, old, new in moves],
        )

    def run(self, name: str, rows: Sequence[Row]) -> None:
        self._change(STATEMENTS[name].sql("?"), rows)

    def _change(self, statement: str, rows: Sequence[Row]) -> None:
        self.cursor.executemany(statement, rows)
        _check_changed(self.cursor, len(rows))

    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        values = msgspec.json.encode(list(ids)).decode()
        self.cursor.execute(f"{query} IN (SELECT value FROM json_each(?)) {end}", (values,))
        found: list[Any] = self.cursor.fetchall()
        return found


#: Locks rows in the order of ids, so that processes cannot deadlock.
_LOCKED = "ORDER BY id FOR UPDATE"
#: Rows that are sent as arrays, together with other statements; more of them go by COPY, which must wait.
FEW = 400


class PostgresDriver(Driver):
    """Driver of PostgreSQL."""

    def __init__(self, cursor: Any) -> None:
        super().__init__(cursor)
        #: Inside `together`: statements on their way, and how many rows each must change.
        self._guarded: list[tuple[Any, int]] | None = None

    def find(self, streams: Collection[int], accounts: Collection[int], requests: Collection[Asked]) -> Found:
        connection = self.cursor.connection
        heads, moved, answered = connection.cursor(), connection.cursor(), connection.cursor()
        with connection.pipeline():
            heads.execute(
                _select_in("SELECT id, epoch, n, head FROM streams WHERE id", _LOCKED), (_array(streams),)
            )
            moved.execute(_ACCOUNTS, (_array(accounts),))
            players, ids = zip(*requests, strict=True) if requests else ((), ())
            answered.execute(_ANSWERED, (_array(players), _array(ids)))
            heads_found, accounts_found, rows = heads.fetchall(), moved.fetchall(), answered.fetchall()
        kept: list[Account] = [row[:3] for row in accounts_found if not row[3]]
        if shared := [row[0] for row in accounts_found if row[3]]:
            kept += self._select("SELECT id, currency, balance FROM accounts WHERE id", shared, _LOCKED)
        return Found(_heads(heads_found), kept, list(map(Answered._make, rows)))

    @contextmanager
    def together(self, rows: int) -> Iterator[None]:
        if rows > FEW:
            yield
            return
        self._guarded = []
        with self.cursor.connection.pipeline() as pipeline:
            yield
            pipeline.sync()  # the first error is raised, and not those of what came after it
        for cursor, count in self._guarded:
            _check_changed(cursor, count)
        self._guarded = None

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        if self._guarded is not None:
            self._execute(_insert(table), rows)
            return
        text, types = _copy(table)
        with self.cursor.copy(text) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def add_to_balances(self, sums: Mapping[int, int]) -> None:
        self._change(
            "UPDATE accounts SET balance = balance + moved.amount"
            " FROM unnest(%s::bigint[], %s::bigint[]) AS moved(id, amount)"
            " WHERE accounts.id = moved.id AND balance + moved.amount >= 0",
            list(sums.items()),
        )

    def move_heads(self, moves: Sequence[tuple[int, Head, Head]]) -> None:
        self._change(
            "UPDATE streams SET epoch = moved.epoch, n = moved.n, head = moved.head"
            " FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bytea[])"
            " AS moved(id, old_epoch, old_n, epoch, n, head)"
            " WHERE streams.id = moved.id AND streams.epoch = old_epoch AND streams.n = old_n",
            [(id, old.epoch, old.n, *new) for id, old, new in moves],
        )

    def run(self, name: str, rows: Sequence[Row]) -> None:
        alone = len({row[-1] for row in rows}) < len(rows)  # an update changes a row once
        for some in [[row] for row in rows] if alone else [rows]:
            self._change(_update(name), some)

    def _change(self, statement: str, rows: Sequence[Row]) -> None:
        """Change one row for each row of values."""
        cursor = self._execute(statement, rows)
        if self._guarded is None:
            _check_changed(cursor, len(rows))
        else:
            self._guarded.append((cursor, len(rows)))

    def _execute(self, statement: str, rows: Sequence[Row]) -> Any:
        """Run a statement on rows, which it takes as an array for each column."""
        cursor = self.cursor.connection.cursor()
        return cursor.execute(statement, tuple(map(_array, zip(*rows, strict=True))))

    def _select(self, query: str, ids: Collection[int], end: str = "") -> list[Any]:
        self.cursor.execute(_select_in(query, end), (_array(ids),))
        found: list[Any] = self.cursor.fetchall()
        return found


def driver_of(connection: Connection) -> Driver:
    """The driver of a connection, inside its transaction."""
    cursor = connection.connection.cursor()
    return SqliteDriver(cursor) if connection.dialect.name == "sqlite" else PostgresDriver(cursor)


def _heads(found: Iterable[Any]) -> dict[int, Head]:
    return {id: Head(epoch, n, bytes(head)) for id, epoch, n, head in found}


def _select_in(query: str, end: str) -> str:
    return f"{query} = ANY(%s::bigint[]) {end}"


_ACCOUNTS = _select_in("SELECT id, currency, balance, kind = 'player' FROM accounts WHERE id", "")
_ANSWERED = (
    "SELECT log.player, log.request, kind, stream, n, digest FROM log"
    " JOIN unnest(%s::bigint[], %s::text[]) AS sent(player, request)"
    " ON log.player = sent.player AND log.request = sent.request"
)


def _array(cells: Iterable[object]) -> str:
    r"""Cells as a PostgreSQL array; faster than the driver, and of one type whatever the size of its numbers.

    >>> print(_array([7, None, True, 'a "b" \\', b"\x00\xff"]))
    {7,NULL,true,"a \"b\" \\","\\x00ff"}
    """
    return "{" + ",".join(map(_cell, cells)) + "}"


def _cell(cell: object) -> str:
    if isinstance(cell, str):
        return '"' + cell.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(cell, bytes):
        return f'"\\\\x{cell.hex()}"'
    if cell is None:
        return "NULL"
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


@cache
def _sqlite_insert(table: Table) -> str:
    return str(table.insert().compile(dialect=sqlite.dialect()))


@cache
def _copy(table: Table) -> tuple[str, tuple[str, ...]]:
    """The COPY statement of a table, and the types of its columns."""
    types = tuple(_type_of(column) for column in table.columns)
    return f"COPY {table.name} ({_columns(table)}) FROM STDIN (FORMAT BINARY)", types


@cache
def _insert(table: Table) -> str:
    """The statement that adds rows from an array for each column."""
    return f"INSERT INTO {table.name} ({_columns(table)}) SELECT * FROM {_unnest(table.columns)}"


@cache
def _update(name: str) -> str:
    """A guarded statement for several rows, from an array for each value; the key comes last."""
    statement = STATEMENTS[name]
    table = statement.table
    (key,) = table.primary_key
    sets = ", ".join(f"{name} = {f'{name} + ' * statement.adds}new_{name}" for name in statement.sets)
    columns = [*(table.columns[name] for name in statement.sets), key]
    names = ", ".join(f"new_{column.name}" for column in columns)
    return (
        f"UPDATE {table.name} SET {sets} FROM {_unnest(columns)} AS changed({names})"
        f" WHERE {key.name} = new_{key.name} AND {statement.guard}"
    )


def _unnest(columns: Iterable[Column[Any]]) -> str:
    return f"unnest({', '.join(f'%s::{_type_of(column)}[]' for column in columns)})"


def _columns(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)


def _type_of(column: Column[Any]) -> str:
    return column.type.compile(dialect=_POSTGRES).lower()


_POSTGRES = psycopg.dialect()
