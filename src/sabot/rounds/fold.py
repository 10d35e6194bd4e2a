"""Folding: adds what the log has beyond the stored sums to them, each row once.

Rows are read and summed up without a lock; then a short transaction checks that nobody else has folded them meanwhile
and adds the sums.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from sabot.rounds.sums import Sums, unfolded
from sabot.rounds.tally import FinishedRound
from sabot.store import schema
from sabot.store.database import Database

#: Rows of the log folded in one transaction.
BATCH = 2_000
#: Advisory lock on PostgreSQL, so that one node folds at a time.
_FOLD_LOCK = 7_245_303
#: Columns whose bits are collected; the others are added up.
_BITS = ("hours",)

#: Takes the rounds of a batch inside its transaction, so that each is taken once.
TakeRounds = Callable[[Connection, Sequence[FinishedRound]], None]


def fold(database: Database, take_rounds: TakeRounds | None = None, most: int = BATCH) -> bool:
    """Fold a batch of rows; says whether there are more. Does nothing while another process folds."""
    with database.reading() as connection:
        sums = unfolded(connection, most)
    if not sums.marks:
        return False
    with database.writing() as connection:
        if not _is_first(connection, sums):
            return False
        _write(connection, sums)
        if take_rounds is not None:
            take_rounds(connection, sums.rounds)
    return sums.more


def fold_all(database: Database, take_rounds: TakeRounds | None = None) -> None:
    """Fold everything that is there."""
    while fold(database, take_rounds):
        pass


def _is_first(connection: Connection, sums: Sums) -> bool:
    """Whether the streams are still folded as far as they were; on PostgreSQL, with the lock of those who fold."""
    if connection.dialect.name != "sqlite":
        free = connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_FOLD_LOCK})").scalar()
        if not free:
            return False
    folded = schema.folded.c
    ids = [mark.stream for mark in sums.marks]
    query = sqlalchemy.select(folded.stream, folded.n).where(folded.stream.in_(ids))
    found = dict(connection.execute(query).all())
    return all(found.get(mark.stream, 0) == mark.before for mark in sums.marks)


def _write(connection: Connection, sums: Sums) -> None:
    _upsert(connection, schema.tallies, ((*key, *numbers) for key, numbers in sums.tallies.items()))
    _upsert(connection, schema.player_days, ((*key, *numbers) for key, numbers in sums.player_days.items()))
    _upsert(connection, schema.flows, ((*key, amount) for key, amount in sums.flows.items()))
    _upsert(connection, schema.folded, ((mark.stream, mark.after - mark.before) for mark in sums.marks))


def _upsert(connection: Connection, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
    """Add rows to a table, or their numbers to those of the rows that are there."""
    names = table.columns.keys()
    values = [dict(zip(names, row, strict=True)) for row in rows]
    if not values:
        return
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    keys = [column.name for column in table.primary_key]
    sets = {
        name: table.c[name].op("|" if name in _BITS else "+")(insert.excluded[name])
        for name in names
        if name not in keys
    }
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=sets), values)
