"""A house that an earlier version wrote opens, plays on and audits clean."""

from __future__ import annotations

import lzma
import sqlite3
from pathlib import Path

import pytest

from sabot.engine.legal import absent_move
from sabot.fairness.vault import Vault, parse_keys
from sabot.games import find
from sabot.odds.price import price
from sabot.rounds.audit import audit_house
from sabot.rounds.codes import SecureCodes
from sabot.rounds.shoes import SecureShoes
from sabot.store.database import Database, migrate
from sabot.store.store import Store
from sabot.tables.config import TableConfig, Tools
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Timers
from sabot.tables.opening import open_table
from tests.support.clock import HandClock

#: Written by engine 2: solo and live rounds that are over, and one of surrender, cashback, link and freebet that is open.
HOUSES = Path(__file__).parent / "houses"
VAULT = Vault(*parse_keys("88dc87ccf674d9c44165a733abb925e93c2cbab29e7535e4dcb036162ba62392"))
LATER = 1_900_000_000_000


@pytest.fixture
def database(tmp_path: Path) -> Database:
    file = tmp_path / "house.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(lzma.decompress((HOUSES / "engine-2.sql.xz").read_bytes()).decode())
    connection.close()
    database = Database(f"sqlite:///{file}")
    migrate(database)
    return database


def test_every_stored_round_comes_out_as_it_was(database: Database) -> None:
    report = audit_house(database, vault=VAULT)
    assert (report.findings, report.rounds, report.sealed) == ([], 14, 0)


@pytest.mark.rule("PLT-34")
def test_open_rounds_go_on(database: Database) -> None:
    """They are neither voided nor played by later rules: the round keeps its engine."""
    tools = Tools(Store(database), SecureShoes(VAULT), price, SecureCodes())
    for number, game in enumerate(("surrender", "cashback", "link"), 1):
        config = TableConfig(name=f"solo/{number}/{game}/FUN", game=find(game), currency="FUN")
        table = open_table(config, tools, LATER)
        assert table.in_round
        while table.in_round and table.current is not None:
            assert table.current.round.engine == 2
            for entry in table.apply(absent_move(table.current.round, str(number)), LATER).entries:
                tools.store.store(entry)
    config = TableConfig(name="live/freebet", game=find("freebet"), currency="FUN")
    live = LiveTable.open(config, tools, Timers(), HandClock(LATER))
    assert live.play.round is not None
    assert (live.play.round.over, live.play.round.engine) == (False, 2)
    assert audit_house(database, vault=VAULT).findings == []
