"""Reads on a player's requests."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from sabot.server.accounts.queries import answered_among, answered_by
from sabot.store.database import Database
from sabot.store.store import Store


@pytest.mark.rule("ASR-32")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_requests_are_found_without_reading_the_rows_of_a_table(database: Database) -> None:
    """Whoever uses ids again has each looked up: at a table with many rows that must cost little."""
    Store(database)
    asked: list[tuple[str, Any]] = []

    def listen(connection: Any, cursor: Any, statement: str, params: Any, *rest: Any) -> None:
        asked.append((statement, params))

    with database.reading() as connection:
        event.listen(connection.engine, "before_cursor_execute", listen)
        answered_among(connection, 1, [("7", "a"), ("8", "b")])
        answered_by(connection, 1, 7)
        event.remove(connection.engine, "before_cursor_execute", listen)
        for statement, params in asked:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", params).all()
            assert any("SEARCH log USING INDEX" in row.detail and "player=?" in row.detail for row in plan)
