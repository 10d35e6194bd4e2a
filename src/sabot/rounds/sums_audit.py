"""The audit of the stored sums: they must be what the rows of the log come to, as far as they are folded."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Table

from sabot.rounds.sums import Batch, Sums
from sabot.store import schema
from sabot.store.audit import AuditReport
from sabot.store.audit_rows import text_of

#: Rows that are read at once.
_ROWS = 2_000


def check_sums(connection: Connection, report: AuditReport) -> None:
    """Sum up all rows that are folded, and compare each line."""
    sums, streams = Sums(), schema.streams.c
    names = dict(connection.execute(sqlalchemy.select(streams.id, streams.name)).all())
    for stream, n in connection.execute(sqlalchemy.select(schema.folded)).all():
        try:
            done = _add_stream(connection, sums, stream, names[stream], n)
        except (LookupError, ValueError, StopIteration) as error:
            report.find(
                "folded", f"the rows of stream {names.get(stream, stream)} cannot be summed up: {error}"
            )
            return
        if done < n:
            place = f"stream {names[stream]} is folded up to row {n}"
            report.find("folded", f"{place}, the log ends with {done}")
    _compare(connection, report, schema.tallies, sums.tallies.items())
    _compare(connection, report, schema.player_days, sums.player_days.items())
    _compare(connection, report, schema.flows, [(key, [amount]) for key, amount in sums.flows.items()])


def _add_stream(connection: Connection, sums: Sums, stream: int, name: str, upto: int) -> int:
    """Add the rows of a stream; returns the number of the last."""
    done, before = 0, -1
    while before < done < upto:
        before, batch = done, Batch(connection)
        done = batch.read(stream, name, done, upto, _ROWS)
        batch.add_to(sums)
    return done


def _compare(
    connection: Connection,
    report: AuditReport,
    table: Table,
    expected: Iterable[tuple[tuple[Any, ...], Iterable[int]]],
) -> None:
    keys = len(table.primary_key)
    names = table.columns.keys()[keys:]
    stored = {tuple(row[:keys]): tuple(row[keys:]) for row in connection.execute(sqlalchemy.select(table))}
    rebuilt = {tuple(key): tuple(numbers) for key, numbers in expected}
    for key in sorted(stored.keys() | rebuilt.keys()):
        found, told = stored.get(key), rebuilt.get(key)
        if found is None:
            report.find(table.name, f"the row {text_of(key)} is missing")
        elif told is None:
            report.find(table.name, f"the row {text_of(key)} is not in the log")
        else:
            for name, actual, wanted in zip(names, found, told, strict=True):
                if actual != wanted:
                    report.find(f"{table.name}, {text_of(key)}", f"{name} is {actual}, the log says {wanted}")
