"""A house that comes back without the key of its open shoes."""

from __future__ import annotations

from sabot.fairness.vault import Vault
from sabot.games import find
from sabot.rounds.audit import audit_house
from sabot.rounds.shoes import SecureShoes
from sabot.store.database import Database
from sabot.tables.config import TableConfig
from sabot.tables.opening import open_table
from tests.support.house import House

OTHER = Vault(b"another key of thirty-two bytes!")


def test_a_table_commits_anew_when_its_next_seed_does_not_open(database: Database) -> None:
    house = House(database)
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    house.play_solo(table, ada, at=1)
    promised = table.shoes.commitment
    config = TableConfig(name=table.config.name, game=find("surrender"), currency="EUR")
    again = open_table(config, house.tools._replace(shoes=SecureShoes(OTHER)), at=2)
    assert again.shoes.commitment != promised
    house.play_solo(again, ada, at=3)
    both = Vault(b"another key of thirty-two bytes!", bytes(32))
    assert audit_house(database, vault=both).findings == []
    # The old promise cannot be kept any more, and the audit says so.
    places = {finding.place for finding in audit_house(database, vault=OTHER).findings}
    assert places == {"shoes, 1", "shoes, 2"}
