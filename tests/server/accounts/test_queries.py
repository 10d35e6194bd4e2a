"""Reads on a player's requests."""

from __future__ import annotations

import pytest

from sabot.server.accounts.queries import answered_among, answered_by
from sabot.store.database import Database
from sabot.store.store import Store
from tests.support.store.plans import plans_of


@pytest.mark.rule("ASR-32")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_requests_are_found_without_reading_the_rows_of_a_table(database: Database) -> None:
    """Whoever uses ids again has each looked up: at a table with many rows that must cost little."""
    Store(database)

    def read() -> None:
        answered_among(connection, 1, [("7", "a"), ("8", "b")])
        answered_by(connection, 1, 7)

    with database.reading() as connection:
        for plan in plans_of(connection, read):
            assert any("SEARCH log USING INDEX" in step and "player=?" in step for step in plan)
