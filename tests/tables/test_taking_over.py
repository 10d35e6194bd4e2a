"""A table goes from process to process, whose ids do not come in order."""

from __future__ import annotations

from sabot.games import find
from sabot.store.database import Database
from sabot.tables.config import TableConfig
from sabot.tables.opening import open_table
from tests.support.house import House

LIVE = TableConfig(name="live", game=find("majority-eu"))


def test_the_shoe_in_use_is_the_last_one_committed_to(database: Database, database_url: str) -> None:
    """The first process has low ids in hand and takes over from the second, which left an unused shoe behind."""
    first, second = House(database), House(Database(database_url), counted=1_000)
    low = first.store.ids.take("shoe")
    ada = second.player("ada")
    before = open_table(LIVE, second.tools, at=0)
    second.store.store(before.sit(ada, 10_000, at=0))
    second.store.store(before.shoes.shuffle(at=0))
    table = open_table(LIVE, first.tools, at=1)
    first.shuffle(table, at=1)
    assert before.shoes.shoe is not None
    assert table.shoes.shoe is not None
    assert low < table.shoes.shoe.id < before.shoes.shoe.id
    first.store.store(table.open_round(at=2))
    third = House(Database(database_url), counted=2_000)
    again = open_table(LIVE, third.tools, at=3)
    assert (again.shoes.shoe, again.shoes.seeded, again.in_round) == (table.shoes.shoe, True, True)
    for house in (second, third):
        house.store.database.close()
