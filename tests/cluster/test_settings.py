"""Settings of a house of several nodes that cannot be right are refused at the start, with one line."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

import sabot
from sabot.server.config import BusConfig, Config, DatabaseConfig, HouseConfig
from sabot.server.config_sources import ConfigError, load_config
from sabot.server.house import House, join_rule
from sabot.server.run import secure_house
from sabot.store.database import Database, DatabaseError, migrate
from sabot.store.nodes.membership import Membership
from sabot.store.nodes.node import NodeError, TakenError
from tests.support.clock import HandClock
from tests.support.databases import sqlite_url
from tests.support.house import VAULT, CountedShoes


@pytest.mark.rule("CLU-02")
@pytest.mark.parametrize("bus", [BusConfig(url=("nats://127.0.0.1:4222",)), BusConfig(node="north")])
def test_nodes_need_postgresql(tmp_path: Path, bus: BusConfig) -> None:
    config = Config(
        house=HouseConfig(key=str(tmp_path / "key")),
        database=DatabaseConfig(url=sqlite_url(tmp_path / "house.db")),
        bus=bus,
    )
    with pytest.raises(DatabaseError, match="share a PostgreSQL: set"):
        secure_house(config)
    assert not (tmp_path / "key").exists()


NORTH, SOUTH = BusConfig(node="north"), BusConfig(node="south")
ON_NATS = BusConfig(node="south", url=("nats://127.0.0.1:4222",))


class Second(NamedTuple):
    """What differs at the process that comes second, and what it is told."""

    told: str
    bus: BusConfig = SOUTH
    name: str = "sabot"
    release: str = sabot.__version__
    others: tuple[BusConfig, ...] = (NORTH,)


@pytest.mark.rule("CLU-02", "CLU-22")
@pytest.mark.parametrize(
    "second",
    [
        Second("'north' serves this database already: .* has a bus.node of its own", bus=BusConfig()),
        Second("serves this database with bus = 'alone', this one has 'notify'", others=(BusConfig(),)),
        Second("serves this database with bus = 'notify', this one has 'nats'", bus=ON_NATS),
        Second("named 'north' serves this house already: give each node a name", bus=NORTH),
        Second("serves this database with house.name = 'sabot', this one has 'Casino'", name="Casino"),
        Second("'north' is of release .*, this one of 9.0.0: only adjacent releases", release="9.0.0"),
        Second("is of release .*, this one of unknown: only adjacent releases", release="unknown"),
        Second(
            "'north', 'east', 'west' serve this house already: more nodes need a bus .* set bus.url",
            others=(NORTH, BusConfig(node="east"), BusConfig(node="west")),
        ),
    ],
)
def test_a_process_that_does_not_belong_to_the_others_is_refused(database: Database, second: Second) -> None:
    """The others live: they renew their leases while it waits. It has changed nothing, and stands in nobody's way."""
    others = []
    for bus in second.others:
        rule = join_rule(Config(bus=bus))
        others.append(Membership(database))
        others[-1].join(bus.node or "lone", sabot.__version__, "", rule)

    def wait(_: float) -> None:
        for other in others:
            other.lease_ms += 1  # a renewal within the same millisecond is one too
            other.renew()

    config = Config(bus=second.bus, house=HouseConfig(name=second.name))
    with pytest.raises(TakenError, match=second.told) as refused:
        Membership(database).claim(
            second.bus.node or "other", second.release, "", join_rule(config), wait=wait
        )
    assert "\n" not in str(refused.value)
    assert [node.name for node in others[0].living()] == [bus.node or "lone" for bus in second.others]


@pytest.mark.rule("CLU-22")
def test_a_house_that_was_closed_may_open_with_other_settings(database: Database) -> None:
    """Another name, another bus, another release: nobody is there who would be misread."""
    for config, release in (
        (Config(bus=NORTH), "1.0.0"),
        (Config(bus=ON_NATS, house=HouseConfig(name="Casino")), "7.0.0"),
        (Config(), "1.0.0"),
    ):
        member = Membership(database)
        member.join("north", release, "", join_rule(config))
        member.leave()


@pytest.mark.rule("CLU-22")
def test_nodes_of_adjacent_releases_and_one_name_form_a_house(database: Database) -> None:
    major, minor, _ = sabot.__version__.split(".")
    for node, release in (("north", sabot.__version__), ("south", f"{major}.{int(minor) + 1}.4")):
        bus = BusConfig(node=node)
        Membership(database).join(node, release, "", join_rule(Config(bus=bus)))


@pytest.mark.rule("CLU-22")
def test_a_release_that_does_not_know_the_schema_does_not_start(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "house.db"))
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        DatabaseError, match=r"of revision 9999, this sabot knows .*: use the release that wrote it"
    ):
        migrate(database)


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
