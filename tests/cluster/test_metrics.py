"""Metrics of a node (CLU-24)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

import sabot
from sabot.store.database import Database
from sabot.store.nodes.membership import Membership
from sabot.store.nodes.node import node_states
from tests.support.clock import PATIENCE, HandClock
from tests.support.cluster.house import cluster
from tests.support.databases import sqlite_url
from tests.support.hall import FREEBET, until
from tests.support.house import VAULT, CountedShoes
from tests.support.served import OPENED, seated, served


@pytest.mark.rule("CLU-24")
async def test_a_node_says_what_it_owns_and_whether_it_reaches_the_others(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        node = await house.open("north")
        await until(lambda: bool(node.registry.live))

        async def metrics() -> list[str]:
            async with node.http.get(node.url + "/metrics") as response:
                return (await response.text()).splitlines()

        found = await metrics()
        assert f'sabot_node_info{{name="north",release="{sabot.__version__}",slot="0"}} 1.0' in found
        assert {"sabot_live_tables 1.0", "sabot_solo_tables 0.0", "sabot_bus_up 1.0"} <= set(found)
        client = await house.client(node, await node.served.player())
        await client.open("surrender")
        house.wire.cut.add(node.id)
        found = await metrics()
        assert {"sabot_solo_tables 1.0", "sabot_bus_up 0.0"} <= set(found)
        names = {line.split()[0].split("{")[0] for line in found if line and line[0] != "#"}
        assert {"sabot_bus_sent_total", "sabot_bus_heard_total", "sabot_loop_lag_seconds"} <= names


@pytest.mark.rule("CLU-24")
async def test_the_only_node_says_how_much_it_has_to_do(tmp_path: Path) -> None:
    """What a node writes beside its lease, which `sabot nodes` and the overview show, is what its metrics say."""
    database, clock = Database(sqlite_url(tmp_path / "house.db")), HandClock(OPENED)
    member = Membership(database, lease_ms=60, clock=clock.wall_ms, monotonic=clock.monotonic)
    async with (
        served(database, CountedShoes(VAULT, 0), clock=clock, member=member) as house,
        aiohttp.ClientSession() as http,
    ):

        async def metrics() -> set[str]:
            async with http.get(house.url + "/metrics") as response:
                return set((await response.text()).splitlines())

        async def until_it_says(sockets: int, solo: int) -> None:
            async with asyncio.timeout(PATIENCE):
                while [(node.sockets, node.solo) for node in await house.house.read(node_states)] != [
                    (sockets, solo)
                ]:
                    pass

        async with seated(house, "surrender"), seated(house, "surrender"), house.client(await house.player()):
            assert {"sabot_sockets 3.0", "sabot_solo_tables 2.0"} <= await metrics()
            await until_it_says(sockets=3, solo=2)
        await until_it_says(sockets=0, solo=2)
        assert "sabot_sockets 0.0" in await metrics()
