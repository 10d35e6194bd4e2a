"""A rolling restart under play: `python -m tests.faults.nodes.rolling --solo 300 --live 500` (CLU-21).

Every node of three is told to stop and started again, one after the other, while people play at tables of their own and
at live tables. No round is voided, and every bet that was acknowledged is settled.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg

from tests.faults.nodes.campaign import Campaign, three_nodes
from tests.faults.nodes.crowd import Crowd, check_acknowledged, settings
from tools.cluster.processes import LocalCluster

#: Players at one live table.
_EACH = 50
#: Seconds that solo players think, and that betting at live tables is open.
_PACE, _BETTING = 3.0, 6.0


async def roll(campaign: Campaign, solo: int, live: int) -> list[float]:
    """Let everyone come, restart each node, and send everyone home; gives the seconds that each restart took."""
    crowd = campaign.crowd
    await campaign.wait_for_owners()
    await crowd.come(solo, campaign.tables, live // len(campaign.tables))
    await crowd.see_bets()
    seconds = []
    for name in campaign.cluster.nodes:
        began = time.monotonic()
        await campaign.restart(name)
        await campaign.wait_for_owners()
        seconds.append(time.monotonic() - began)
        await crowd.see_bets()
    await crowd.go_home()
    return seconds


def check_rounds(cluster: LocalCluster, crowd: Crowd) -> Counter[str]:
    """No round was voided, and none that was acknowledged is lost."""
    with psycopg.connect(cluster.database) as connection:
        voided = connection.execute("SELECT code FROM rounds WHERE state = 'voided'").fetchall()
    assert not voided, f"voided: {voided}"
    return check_acknowledged(cluster.database, crowd)


def main() -> None:
    """Roll once, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solo", type=int, default=300)
    parser.add_argument("--live", type=int, default=500)
    asked = parser.parse_args()
    tables = {f"table-{number}": "majority-eu" for number in range(max(asked.live // _EACH, 1))}
    timers = settings(tables, betting=_BETTING)
    with TemporaryDirectory() as folder, three_nodes(Path(folder), timers) as (cluster, network):
        campaign = Campaign(cluster, network, Random(0), tables, pace=_PACE)
        seconds = asyncio.run(roll(campaign, asked.solo, asked.live))
        ends = check_rounds(cluster, campaign.crowd)
    took = ", ".join(f"{one:.0f}" for one in seconds)
    print(
        f"{asked.solo} solo and {asked.live} live players, each of 3 nodes restarted in {took} s:"
        f" no round voided, acknowledged rounds {dict(ends)}"
    )


if __name__ == "__main__":
    main()
