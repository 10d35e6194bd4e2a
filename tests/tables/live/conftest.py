"""A hall for each test, whose books must be right when the test is over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from sabot.store.database import Database
from tests.support.databases import sqlite_url
from tests.support.live_hall import FreshDatabase, Hall, OpenHall


@pytest.fixture(scope="session")
def fresh_database(tmp_path_factory: pytest.TempPathFactory) -> FreshDatabase:
    """Makes databases, each a copy of one that was migrated once."""
    folder = tmp_path_factory.mktemp("halls")
    numbers = count(1)

    def fresh() -> Database:
        return Database(sqlite_url(folder / f"{next(numbers)}.db"), durable=False)

    return fresh


@pytest.fixture
def open_hall(fresh_database: FreshDatabase) -> Iterator[OpenHall]:
    """Open a hall: `open_hall("freebet", "10 9 10 8 …", players=2)`."""
    opened: list[Hall] = []

    def open_one(game: str, *cards: str, **settings: Any) -> Hall:
        opened.append(Hall(fresh_database(), game, *cards, **settings))
        return opened[-1]

    yield open_one
    for hall in opened:
        hall.check()
        hall.database.close()
