"""What is changed at one node is in force on all: switches, limits, tables opened and closed (OFF-02, CLU-12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.server.app import NODE
from sabot.server.config import OfficeConfig
from sabot.server.http.services import SERVICES
from tests.support.cluster.house import Cluster, NodeUnderTest, cluster
from tests.support.hall import FREEBET, until
from tests.support.refused import ask_refused
from tests.support.served import main

ONE, NEW = "live/one", "live/new"
WHY = {"reason": "the regulator asks for it"}


async def open_two(house: Cluster) -> list[NodeUnderTest]:
    """Two nodes of a house of one operator."""
    house._config = msgspec.structs.replace(
        house._config, office=OfficeConfig(two_people=False, second_factor=False)
    )
    nodes = [await house.open("a"), await house.open("b")]
    await until(lambda: len(nodes[0].served.app[NODE].living) == len(nodes[1].served.app[NODE].living) == 2)
    return nodes


async def change(node: NodeUnderTest, boss: int, what: dict[str, Any]) -> None:
    made = await node.caller(boss).post("/office/proposals", {"change": what, **WHY})
    assert (made.status, made.body.get("state")) == (200, "approved"), made.text


def owner_of(nodes: list[NodeUnderTest], table: str) -> NodeUnderTest | None:
    return next((node for node in nodes if table in node.registry.live), None)


@pytest.mark.rule("OFF-02", "CLU-12")
async def test_a_change_at_one_node_is_in_force_on_all(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        nodes = await open_two(house)
        await until(lambda: owner_of(nodes, ONE) is not None)
        boss, ada = await nodes[0].served.player(), await nodes[0].served.player()
        await nodes[0].served.house.register(
            lambda register, at: register.give_role(None, boss, "supervisor", "hired", at)
        )
        # A switch and limits: at the other node too.
        far = await house.client(nodes[1], ada)
        solo = await far.open("surrender", "FUN")
        await far.sit(solo, 10_000)
        both = {"minimum": 500, "maximum": 2_000}
        choices = [{"name": "standard", "main": both, "side": both}]
        await change(
            nodes[0], boss, {"kind": "limits", "game": "surrender", "currency": "FUN", "choices": choices}
        )
        await far.wait_for(lambda: far.tables[solo].snapshot.options.main.maximum == 2_000)
        await change(nodes[0], boss, {"kind": "switch", "what": "game", "name": "surrender", "open": False})
        await far.wait_for(lambda: far.tables[solo].snapshot.closed == "game")
        await ask_refused("closed/game", far.deal(solo, main(1_000)))
        # A table is opened by one of them, and both show it.
        table = {"name": "new", "game": "freebet", "currency": "FUN"}
        await change(nodes[1], boss, {"kind": "table", "table": table})
        await until(lambda: owner_of(nodes, NEW) is not None)
        await until(lambda: all(len(node.registry.heads()) == 2 for node in nodes))
        # It is closed at the node that does not own it, while someone sits there with a bet.
        owner = owner_of(nodes, NEW)
        other = next(node for node in nodes if node is not owner)
        assert owner is not None
        bob = await nodes[0].served.player()
        guest = await house.client(other, bob)
        told: list[bytes] = []
        guest.on_message = told.append
        await guest.enter(NEW)
        await guest.sit(NEW, 10_000, 0)
        await change(other, boss, {"kind": "close-table", "name": "new"})
        await until(lambda: owner_of(nodes, NEW) is None)  # nothing was dealt yet
        await until(lambda: any(b"closed/table" in frame for frame in told))
        assert any(b"money-returned" in frame for frame in told)
        await until(lambda: all(len(node.registry.heads()) == 1 for node in nodes))
        elsewhere = other.registry.elsewhere
        assert elsewhere is not None
        await until(lambda: not elsewhere.knows(NEW))
        await ask_refused("table/not-open", guest.enter(NEW))
        # A node that starts later has all of it.
        third = await house.open("c")
        assert third.served.app[SERVICES].house.switches.why_closed("surrender") == "game"
        assert [section.name for section in third.served.house.config.table] == ["one"]
