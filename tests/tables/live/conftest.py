"""A hall for each test, whose books must be right when the test is over.

Tests of modules with `BOTH_KINDS` run twice, dealt by the house and by a person (STU-01), but for those marked `by_house`,
which speak of the house's shoe or of its dealer's pace, and those marked `by_hand`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from sabot.store.database import Database
from sabot.tables.config import Dealing
from tests.support.databases import sqlite_url
from tests.support.hand_dealt import HandDealtHall
from tests.support.live_hall import FreshDatabase, Hall, OpenHall


@pytest.fixture(scope="session")
def fresh_database(tmp_path_factory: pytest.TempPathFactory) -> FreshDatabase:
    """Makes databases, each a copy of one that was migrated once."""
    folder = tmp_path_factory.mktemp("halls")
    numbers = count(1)

    def fresh() -> Database:
        return Database(sqlite_url(folder / f"{next(numbers)}.db"), durable=False)

    return fresh


#: In daily work the half that the house deals is enough; `make test` runs both.
BOTH = ("house", pytest.param("studio", marks=pytest.mark.slow))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if not getattr(metafunc.module, "BOTH_KINDS", False) or "dealing" not in metafunc.fixturenames:
        return
    marks = {"house": "by_hand", "studio": "by_house"}
    kinds = [kind for kind, other in marks.items() if metafunc.definition.get_closest_marker(other) is None]
    metafunc.parametrize("dealing", BOTH if len(kinds) == len(marks) else kinds, indirect=True)


@pytest.fixture
def dealing(request: pytest.FixtureRequest) -> Dealing:
    """Who deals in the hall."""
    found: Dealing = getattr(request, "param", "house")
    return found


@pytest.fixture
def open_hall(fresh_database: FreshDatabase, dealing: Dealing) -> Iterator[OpenHall]:
    """Open a hall: `open_hall("freebet", "10 9 10 8 …", players=2)`."""
    opened: list[Hall] = []

    def open_one(game: str, *cards: str, **settings: Any) -> Hall:
        kind = HandDealtHall if dealing == "studio" else Hall
        opened.append(kind(fresh_database(), game, *cards, **settings))
        return opened[-1]

    yield open_one
    for hall in opened:
        hall.check()
        hall.database.close()
