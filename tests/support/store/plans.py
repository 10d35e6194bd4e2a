"""How SQLite would look for what is read: a house has millions of rows, and a test has few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, event


def plans_of(connection: Connection, read: Callable[[], object]) -> list[list[str]]:
    """The plan of each statement that is carried out to read something."""
    asked: list[tuple[str, Any]] = []

    def listen(connection: Any, cursor: Any, statement: str, params: Any, *rest: Any) -> None:
        asked.append((statement, params))

    event.listen(connection.engine, "before_cursor_execute", listen)
    read()
    event.remove(connection.engine, "before_cursor_execute", listen)
    return [
        [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", params)]
        for statement, params in asked
    ]
