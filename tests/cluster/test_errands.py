"""What is asked over HTTP of a table while it goes from one node to another is done by its owner, once (CLU-12)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sabot.server.cluster.placement import place
from sabot.server.cluster.remote_tables import RemoteTables
from tests.cluster.test_remote_tables import TABLE, supervisor, two_nodes
from tests.support.cluster.house import NodeUnderTest, cluster
from tests.support.hall import FREEBET, until

WHY = {"reason": "a look"}


def elsewhere_of(node: NodeUnderTest) -> RemoteTables:
    elsewhere = node.registry.elsewhere
    assert elsewhere is not None
    return elsewhere


@pytest.mark.rule("CLU-12", "CLU-20")
async def test_an_order_waits_for_a_table_that_comes_to_the_node_that_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        calls = other.caller(await supervisor(owner))
        may_open, waits = asyncio.Event(), asyncio.Event()
        tables = other.registry.live_tables
        open_table, owner_of = tables.open, elsewhere_of(other).owner_of

        async def late(section: Any) -> None:
            await may_open.wait()
            await open_table(section)

        async def noted(name: str) -> int | None:
            waits.set()
            return await owner_of(name)

        monkeypatch.setattr(tables, "open", late)
        monkeypatch.setattr(elsewhere_of(other), "owner_of", noted)
        await owner.close()
        await until(lambda: TABLE in elsewhere_of(other).ownerless())
        asked = asyncio.create_task(calls.post("/tables/one/pause", WHY))
        await waits.wait()
        may_open.set()
        assert (await asked).status == 204
        assert other.registry.live[TABLE].table.table.paused


@pytest.mark.rule("CLU-12", "CLU-21")
async def test_an_order_to_a_node_that_has_let_the_table_go_is_done_by_the_next_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        nodes = [*await two_nodes(house), await house.open("c")]
        falls_to = place([TABLE], [node.id for node in nodes])[TABLE]
        owner, other, former = sorted(nodes, key=lambda node: node.id != falls_to)
        await until(lambda: TABLE in owner.registry.live)
        await until(lambda: all(elsewhere_of(node).knows(TABLE) for node in (other, former)))
        calls = other.caller(await supervisor(owner))
        monkeypatch.setattr(elsewhere_of(other), "correct", lambda owners: None)
        elsewhere_of(other).found(TABLE, former.id)  # as it was read just before
        assert (await calls.post("/tables/one/pause", WHY)).status == 204
        assert owner.registry.live[TABLE].table.table.paused
