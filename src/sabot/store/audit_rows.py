"""Rows rebuilt from facts, and transfers beside the log, for the audit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table

from sabot.store import schema
from sabot.store.entry import Body
from sabot.store.facts import STATEMENTS, Change

Key = tuple[object, ...]
Rows = dict[Key, tuple[object, ...]]


class _Unknown:
    """A secret that is not in the log, or a cell of it; equal to every value."""

    def __eq__(self, other: object) -> bool:
        return True

    def __iter__(self) -> Iterator[_Unknown]:
        return iter((self, self, self))  # name, salt and date of birth of a player


UNKNOWN = _Unknown()


class Fold:
    """Rows rebuilt from facts, by table and key."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = defaultdict(dict)

    def take(self, change: Change) -> None:
        """Apply a change."""
        target, values = change
        if isinstance(target, Table):
            self.rows[target.name][key_of(target, values)] = values
            return
        statement = STATEMENTS[target]
        *news, key = values
        row = self.rows[statement.table.name].get((key,))
        if row is None:
            return  # the comparison finds a missing row
        cells = list(row)
        names = statement.table.columns.keys()
        for name, value in zip(statement.sets, news, strict=True):
            at = names.index(name)
            cells[at] = cells[at] + value if statement.adds else value  # type: ignore[operator]  # both are amounts
        self.rows[statement.table.name][key,] = tuple(cells)


class Ledger:
    """The transfers of a stream, read beside its log."""

    def __init__(self, connection: Connection, stream: int) -> None:
        transfers = schema.transfers.c
        query = sqlalchemy.select(schema.transfers).where(transfers.stream == stream)
        ordered = query.order_by(transfers.n, transfers.i).execution_options(yield_per=1000)
        self._rows = iter(connection.execute(ordered))
        self._next = next(self._rows, None)

    def compare(self, n: int, body: Body) -> Iterator[str]:
        """Differences between the transfers and a row of the log."""
        here = list(self._take(n))
        told = [(i, m.key, m.debit, m.credit, m.amount) for i, m in enumerate(body.movements)]
        found = [tuple(row)[2:] for row in here if row.n == n]
        yield from (f"transfer {row.key} belongs to no row of the log" for row in here if row.n != n)
        if found != told:
            lost = [str(one[1]) for one in told if one not in found]
            strange = [str(one[1]) for one in found if one not in told]
            yield f"the log moves {lost or 'the same'}, the ledger {strange or 'nothing for it'}"

    def rest(self) -> Iterator[tuple[int, str]]:
        """Transfers after the last row of the log."""
        for row in self._take(None):
            yield row.n, f"transfer {row.key} belongs to no row of the log"

    def _take(self, last: int | None) -> Iterator[sqlalchemy.Row[Any]]:
        while self._next is not None and (last is None or self._next.n <= last):
            yield self._next
            self._next = next(self._rows, None)


def table_of(change: Change) -> Table:
    """The table of a change."""
    target = change.target
    return STATEMENTS[target].table if isinstance(target, str) else target


def key_of(table: Table, row: Sequence[object]) -> Key:
    """The primary key of a row."""
    names = table.columns.keys()
    return tuple(row[names.index(column.name)] for column in table.primary_key)


def keyed(table: Table, rows: Iterable[sqlalchemy.Row[Any]]) -> Rows:
    """Rows by primary key."""
    plain = map(tuple, rows)
    return {key_of(table, row): row for row in plain}


def text_of(key: Key) -> str:
    """A key as text, `7/loss-day/111`."""
    return "/".join(str(part) for part in key)
