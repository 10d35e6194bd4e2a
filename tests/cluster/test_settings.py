"""Settings of a house of several nodes that cannot be right are refused at the start, with one line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from sabot.server.config import BusConfig, Config, ConfigError, DatabaseConfig, HouseConfig, load_config
from sabot.server.house import House
from sabot.server.run import secure_house
from sabot.store.database import Database, DatabaseError
from sabot.store.nodes import Membership, NodeError
from tests.support.clock import HandClock
from tests.support.databases import sqlite_url
from tests.support.house import VAULT, CountedShoes


@pytest.mark.rule("CLU-02")
def test_a_bus_needs_postgresql(tmp_path: Path) -> None:
    config = Config(
        house=HouseConfig(key=str(tmp_path / "key")),
        database=DatabaseConfig(url=sqlite_url(tmp_path / "house.db")),
        bus=BusConfig(url=("nats://127.0.0.1:4222",)),
    )
    with pytest.raises(DatabaseError, match="share a PostgreSQL: set"):
        secure_house(config)
    assert not (tmp_path / "key").exists()


@pytest.mark.rule("CLU-03")
async def test_a_clock_that_is_wrong_is_refused(tmp_path: Path) -> None:
    """Two seconds are let pass; a node that is refused stands in nobody's way."""
    database = Database(sqlite_url(tmp_path / "house.db"))
    clock = HandClock()
    for wrong, refused in ((2_001, True), (-2_001, True), (2_000, False)):
        member = Membership(
            database, clock=clock.wall_ms, database_clock=partial(int.__add__, clock.ms, wrong)
        )
        house = House(Config(table=()), database, CountedShoes(VAULT, 0), clock, None, membership=member)
        if refused:
            with pytest.raises(NodeError, match="set it right"):
                await house.open()
        else:
            await house.open()
            await house.close()


def test_settings_of_the_bus_from_the_environment() -> None:
    variables = {"SABOT_BUS_URL": "nats://one:4222, tls://two:4222", "SABOT_BUS_NODE": "north"}
    bus = load_config(None, variables, {}).config.bus
    assert (bus.url, bus.node) == (("nats://one:4222", "tls://two:4222"), "north")


@pytest.mark.parametrize(
    ("variable", "text", "right"),
    [
        ("SABOT_BUS_URL", "http://one", "an address with nats:// or tls://"),
        ("SABOT_BUS_NODE", "North 1", "up to 40 small letters, digits, . and -"),
        ("SABOT_BUS_LEASE_SECONDS", "1", ">= 3"),
    ],
)
def test_a_wrong_setting_says_what_would_be_right(variable: str, text: str, right: str) -> None:
    with pytest.raises(ConfigError, match=right):
        load_config(None, {variable: text}, {})
