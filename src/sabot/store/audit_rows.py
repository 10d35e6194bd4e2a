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
from sabot.store.nul_text import original

#: A cell that is not in the log: name, salt, date of birth, sealed seed.
UNTOLD = ("untold", "untold", "untold")

Key = tuple[object, ...]
Rows = dict[Key, tuple[object, ...]]


class Fold:
    """Rows rebuilt from facts."""

    def __init__(self) -> None:
        self.rows: dict[str, Rows] = defaultdict(dict)

    def take(self, target: Table | str, values: Sequence[object]) -> None:
        """Apply a change."""
        if isinstance(target, Table):
            self.rows[target.name][key_of(target, values)] = tuple(
                UNTOLD if value is UNTOLD or value == "untold" else value for value in values
            )
            return
        statement = STATEMENTS[target]
        *news, key = values
        row = self.rows[statement.table.name].get((key,))
        if row is None:
            return  # the comparison finds a missing row
        cells = list(row)
        names = [column.name for column in statement.table.columns]
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
        told = [
            (i, movement.key, movement.debit, movement.credit, movement.amount)
            for i, movement in enumerate(body.movements)
        ]
        found = [tuple(map(original, row))[2:] for row in here if row.n == n]
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
    names = [column.name for column in table.columns]
    return tuple(row[names.index(column.name)] for column in table.primary_key)


def keyed(table: Table, rows: Iterable[sqlalchemy.Row[Any]]) -> Rows:
    """Rows by primary key."""
    plain = (tuple(map(original, row)) for row in rows)
    return {key_of(table, row): row for row in plain}


def name_of(table: Table, row: Sequence[object]) -> str:
    """The name of a row in a finding."""
    return f"{table.name} {text_of(key_of(table, row))}"


def text_of(key: Key) -> str:
    """A key as text.

    >>> text_of((7, "loss-day", 111))
    '7/loss-day/111'
    """
    return "/".join(str(part) for part in key)
