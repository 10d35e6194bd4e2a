"""Metrics of a node (CLU-24)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cluster.house import cluster
from tests.support.hall import FREEBET, until


@pytest.mark.rule("CLU-24")
async def test_a_node_says_what_it_owns_and_whether_it_reaches_the_others(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        node = await house.open("north")
        await until(lambda: bool(node.registry.live))

        async def metrics() -> list[str]:
            async with node.http.get(node.url + "/metrics") as response:
                return (await response.text()).splitlines()

        found = await metrics()
        assert 'sabot_node_info{name="north",release="0.1.0",slot="0"} 1.0' in found
        assert {"sabot_live_tables 1.0", "sabot_solo_tables 0.0", "sabot_bus_up 1.0"} <= set(found)
        client = await house.client(node, await node.served.player())
        await client.open("surrender")
        house.wire.cut.add(node.id)
        found = await metrics()
        assert {"sabot_solo_tables 1.0", "sabot_bus_up 0.0"} <= set(found)
        names = {line.split()[0].split("{")[0] for line in found if line and line[0] != "#"}
        assert {"sabot_bus_sent_total", "sabot_bus_heard_total", "sabot_loop_lag_seconds"} <= names
