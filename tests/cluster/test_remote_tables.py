"""A player at one node plays at a table that another node owns (CLU-04, CLU-05, CLU-12, CLU-20)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from sabot.client import PlayerClient
from sabot.protocol import codec
from sabot.server.cluster.placement import place
from sabot.server.config import TableSection
from tests.support.cluster.bus import Wire
from tests.support.cluster.house import Cluster, NodeUnderTest, cluster
from tests.support.hall import FREEBET, until
from tests.support.refused import ask_refused
from tests.support.served import main
from tests.support.shoes import StackedShoes

TABLE = "live/one"


async def two_nodes(house: Cluster) -> tuple[NodeUnderTest, NodeUnderTest]:
    """The owner of the live table, and another node."""
    nodes = [await house.open("a"), await house.open("b")]
    falls_to = place([TABLE], [node.id for node in nodes])[TABLE]
    nodes.sort(key=lambda node: node.id != falls_to)
    await until(lambda: TABLE in nodes[0].registry.live)
    await until(lambda: all(node.registry.heads() for node in nodes))
    return nodes[0], nodes[1]


async def supervisor(node: NodeUnderTest) -> int:
    """A player who may give orders."""
    boss = await node.served.player()
    await node.served.house.register(
        lambda register, at: register.give_role(None, boss, "supervisor", "hired", at)
    )
    return boss


def seq(client: PlayerClient) -> int:
    return client.tables[TABLE].seq if TABLE in client.tables else -1


def refused_on_the_bus() -> float:
    """How many messages were not understood."""
    return REGISTRY.get_sample_value("sabot_bus_refused_total", {"why": "unknown"}) or 0.0


@pytest.mark.rule("CLU-04", "CLU-05")
async def test_a_player_sits_down_at_a_table_of_another_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        ada, bob = await owner.served.player(), await owner.served.player()
        far, near = await house.client(other, ada), await house.client(owner, bob)
        await far.enter(TABLE)
        await near.enter(TABLE)
        await far.sit(TABLE, 10_000, 2)
        await near.sit(TABLE, 10_000, 4)
        assert str(ada) in owner.registry.live[TABLE].table.table.sittings
        await until(lambda: seq(far) == seq(near))
        live = far.tables[TABLE].live
        assert live is not None
        assert [seat.player for seat in live.seats if seat] == [str(ada), str(bob)]


@pytest.mark.rule("CLU-05")
async def test_a_frame_crosses_the_bus_once_for_all_connections_of_a_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        clients = []
        for _ in range(5):
            clients.append(await house.client(other, await owner.served.player()))
            await clients[-1].enter(TABLE)
        relays = owner.registry.live[TABLE].subscribers.relays()
        assert len(relays) == 1
        await clients[0].sit(TABLE, 10_000, 0)
        await until(lambda: len({seq(client) for client in clients}) == 1)


@pytest.mark.rule("CLU-04")
async def test_a_second_page_of_the_same_player_at_another_node(tmp_path: Path) -> None:
    async with cluster(tmp_path) as house:
        one, two = await house.open("a", StackedShoes("10s 9h Kd 8c 5c")), await house.open("b")
        ada = await one.served.player()
        first, second = await house.client(one, ada), await house.client(two, ada)
        table = await first.open("surrender")
        await first.sit(table, 10_000)
        assert await second.open("surrender") == table
        assert table not in two.registry.solo
        await second.deal(table, main(1_000))
        await until(lambda: first.tables[table].round is not None)
        assert first.tables[table].round == second.tables[table].round


@pytest.mark.rule("CLU-04")
async def test_a_solo_table_goes_to_the_node_of_its_player(tmp_path: Path) -> None:
    """The player comes back elsewhere, in the middle of a round: the same hand goes on there."""
    shoes = StackedShoes("10s 9h 4d 8c 5c")
    async with cluster(tmp_path) as house:
        one, two = await house.open("a", shoes), await house.open("b", shoes)
        ada = await one.served.player()
        async with one.served.client(ada) as first:
            table = await first.open("surrender")
            await first.sit(table, 10_000)
            await first.deal(table, main(1_000))
            dealt = first.tables[table]
        await until(lambda: not one.registry.solo[table].subscribers.players())
        second = await house.client(two, ada)
        await second.open("surrender")
        assert table in two.registry.solo
        assert table not in one.registry.solo
        now = second.tables[table]
        assert (now.round, now.turn, now.view) == (dealt.round, dealt.turn, dealt.view)


@pytest.mark.rule("CLU-22")
async def test_a_request_of_a_newer_release_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its node knows it, and the owner of the table does not."""
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        client = await house.client(other, await owner.served.player())
        await client.enter(TABLE)
        encode = codec.encode
        monkeypatch.setattr(
            codec, "encode", lambda request: encode(request).replace(b'"exit"', b'"teleport"')
        )
        before = refused_on_the_bus()
        await ask_refused("release/unknown", client.exit(TABLE))
        assert refused_on_the_bus() == before + 1


@pytest.mark.rule("CLU-12")
async def test_orders_reach_a_table_of_another_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        boss = await supervisor(owner)
        calls = other.caller(boss)
        answer = await calls.post("/tables/one/pause", {"reason": "a look"})
        assert answer.status == 204, answer.text
        assert owner.registry.live[TABLE].table.table.paused
        assert (await calls.post("/tables/one/pause", {"reason": "again"})).code == "table/paused"
        assert (await calls.get("/tables/one/shoe")).status == 200
        assert (await calls.post("/tables/one/resume", {"reason": "all well"})).status == 204
        assert not owner.registry.live[TABLE].table.table.paused


@pytest.mark.rule("CLU-24")
async def test_the_office_sees_every_node(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        boss = await supervisor(owner)
        found = (await other.caller(boss).get("/office/nodes")).body["nodes"]
        tables = {node["name"]: node["tables"] for node in found}
        assert tables == {owner.name: [TABLE], other.name: []}
        async with other.http.get(other.url + "/readyz") as ready:
            assert ready.status == 200
        house.wire.cut.add(other.id)
        async with other.http.get(other.url + "/readyz") as ready:
            assert ready.status == 503


@pytest.mark.rule("CLU-12")
async def test_the_lobby_is_the_same_at_every_node(tmp_path: Path) -> None:
    tables = tuple(TableSection(name=f"t{number}", game="freebet", currency="FUN") for number in range(4))
    async with cluster(tmp_path, *tables) as house:
        nodes = [await house.open(name) for name in ("a", "b")]
        await until(lambda: [len(node.registry.live) for node in nodes] == [2, 2])
        await until(lambda: all(len(node.registry.heads()) == 4 for node in nodes))
        names = [[head.table for head in node.registry.heads()] for node in nodes]
        assert names[0] == names[1] == [f"live/t{number}" for number in range(4)]


@pytest.mark.rule("CLU-20", "CLU-05")
async def test_a_player_goes_on_when_the_owner_leaves(tmp_path: Path) -> None:
    """The table moves to the player's own node; the same connection sees every frame once."""
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        ada = await owner.served.player()
        client = await house.client(other, ada)
        await client.enter(TABLE)
        await client.sit(TABLE, 10_000, 2)
        await owner.close()
        await until(lambda: TABLE in other.registry.live)
        await client.leave(TABLE)
        assert str(ada) not in other.registry.live[TABLE].table.table.sittings


@pytest.mark.rule("CLU-21", "CLU-05")
async def test_a_node_that_stops_hands_its_tables_over_and_its_players_stay(tmp_path: Path) -> None:
    """The player's socket is at the node that stops: the table is played through the bus until the page moves on."""
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        ada = await owner.served.player()
        client = await house.client(owner, ada)
        await client.enter(TABLE)
        await client.sit(TABLE, 10_000, 2)
        await owner.retire()
        assert not owner.registry.live
        await until(lambda: TABLE in other.registry.live)
        assert str(ada) in other.registry.live[TABLE].table.table.sittings
        await client.add_money(TABLE, 500)
        assert other.registry.live[TABLE].table.table.sittings[str(ada)].brought == 10_500
        async with owner.http.get(owner.url + "/readyz") as ready:
            assert ready.status == 503


@pytest.mark.slow  # two nodes over a bad bus
@pytest.mark.rule("CLU-02")
@pytest.mark.parametrize("seed", range(3))
async def test_a_bus_that_loses_repeats_and_reorders_changes_nothing(tmp_path: Path, seed: int) -> None:
    """Players at both nodes bring money in small amounts; each request is carried out once."""
    wire = Wire(seed, fault=0.1)
    async with cluster(tmp_path, FREEBET, wire=wire) as house:
        owner, other = await two_nodes(house)
        players = [await owner.served.player() for _ in range(3)]
        clients = [await house.client(other, player) for player in players]
        for spot, client in enumerate(clients):
            await client.enter(TABLE)
            await client.sit(TABLE, 1_000, spot)
        for _ in range(5):
            for client in clients:
                await client.add_money(TABLE, 100)
        brought = Counter(
            {
                player: owner.registry.live[TABLE].table.table.sittings[str(player)].brought
                for player in players
            }
        )
        assert brought == dict.fromkeys(players, 1_500)
        await until(lambda: {seq(client) for client in clients} == {owner.registry.live[TABLE].seq})
