"""What a house of several nodes does when messages are lost, renewals fail or a player goes elsewhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from sabot.protocol import codec, requests
from sabot.server.app import NODE
from sabot.server.cluster.messages import AnyMessage, Ask, Reply, TableMoved
from sabot.server.http.services import SERVICES
from sabot.server.tables.abandoned import sweep
from sabot.server.tables.player_changes import PlayerChanges
from sabot.store.nodes.membership import Membership
from tests.cluster.test_remote_tables import TABLE, supervisor, two_nodes
from tests.support.cluster.house import cluster
from tests.support.hall import FREEBET, until
from tests.support.refused import ask_refused
from tests.support.served import main
from tests.support.shoes import StackedShoes


@pytest.mark.rule("CLU-10")
async def test_a_mute_and_a_logout_that_were_lost_on_the_bus_are_read_again(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        boss, loud, gone = await supervisor(owner), await owner.served.player(), await owner.served.player()
        client = await house.client(owner, loud)
        await client.enter(TABLE)
        left = await house.client(owner, gone)
        house.wire.cut.add(owner.id)
        about = {"player": loud, "minutes": 5}
        await other.served.house.register(
            lambda register, at: register.order("mute-player", boss, "loud", at, **about)
        )
        await other.served.app[SERVICES].players.log_out(gone)
        await client.say(TABLE, "hello")
        await PlayerChanges(owner.registry).repair()
        await ask_refused("chat/muted", client.say(TABLE, "hello"))
        await until(lambda: left.closed)


@pytest.mark.slow  # a lease has to end
@pytest.mark.rule("CLU-03", "CLU-24")
async def test_a_node_that_cannot_renew_its_lease_takes_no_more_requests(tmp_path: Path) -> None:
    """After four of six seconds: before another node can have found it dead."""
    async with cluster(tmp_path) as house:
        node = await house.open("a", StackedShoes("10s 9h Kd 8c 5c"))
        client = await house.client(node, await node.served.player())
        table = await client.open("surrender")
        await client.sit(table, 10_000)
        with patch.object(Membership, "renew", side_effect=OSError("cut off")):
            house.clock.ms += 3_900
            await client.add_money(table, 100)
            house.clock.ms += 200
            await ask_refused("house/down", client.add_money(table, 100))
            async with node.http.get(node.url + "/readyz") as ready:
                assert ready.status == 503
        await until(lambda: node.served.house.is_sure)
        await client.add_money(table, 100)


@pytest.mark.rule("CLU-02", "ASR-11")
async def test_a_request_that_is_asked_again_before_it_was_answered_is_handled_once(tmp_path: Path) -> None:
    """What is refused first would be carried out afterwards if what forbids it is over by then."""
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        ada = await owner.served.player()
        client = await house.client(other, ada)
        await client.enter(TABLE)
        node = owner.served.app[NODE]
        posted: list[AnyMessage] = []
        with patch.object(node.links, "post", lambda to, message: posted.append(message)):
            bring = requests.Sit("bring", TABLE, 10_000, 2)
            login = next(iter(other.registry.connections)).login
            for attempt in (1, 2, 3):
                at = owner.served.house.clock.wall_ms()
                node.guests.ask(other.id, Ask(1, login, TABLE, codec.encode(bring), at, attempt))
            await until(lambda: any(isinstance(message, Reply) for message in posted))
            (reply,) = [message for message in posted if isinstance(message, Reply)]
            assert (reply.id, reply.refused, reply.attempt) == ("bring", False, 3)
            # One that comes after the response is answered again, as it is carried out once.
            node.guests.ask(other.id, Ask(1, login, TABLE, codec.encode(bring), at, 4))
            await until(lambda: isinstance(posted[-1], Reply) and posted[-1].attempt == 4)
        assert owner.registry.live[TABLE].table.table.balance(str(ada)) == 10_000


@pytest.mark.rule("CLU-02")
async def test_a_request_that_was_not_handled_is_handled_when_it_is_asked_again(tmp_path: Path) -> None:
    """Its connection was not at the table, or the table was not here."""
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        client = await house.client(other, await owner.served.player())
        await client.enter(TABLE)
        node, login = owner.served.app[NODE], next(iter(other.registry.connections)).login
        desk, posted = owner.registry.live[TABLE], list[AnyMessage]()
        with patch.object(node.links, "post", lambda to, message: posted.append(message)):

            def ask(attempt: int, kind: type[requests.Sit] | type[requests.Enter], *more: Any) -> None:
                packed = codec.encode(kind("x", TABLE, *more))
                node.guests.ask(other.id, Ask(77, login, TABLE, packed, 0, attempt))

            ask(1, requests.Sit, 10_000, 2)
            await until(lambda: not node.guests._of(other.id).connections[77].attempts)
            assert not any(isinstance(message, Reply) for message in posted)
            del owner.registry.live[TABLE]
            ask(2, requests.Enter)
            await until(lambda: any(isinstance(message, TableMoved) for message in posted))
            owner.registry.live[TABLE] = desk
            ask(3, requests.Enter)
            await until(lambda: any(isinstance(message, Reply) for message in posted))
        (reply,) = [message for message in posted if isinstance(message, Reply)]
        assert (reply.refused, reply.attempt) == (False, 3)


@pytest.mark.rule("CLU-04")
async def test_a_solo_table_follows_its_player_from_one_page_to_the_other(tmp_path: Path) -> None:
    """Played through the bus while both pages are open; when the first is closed it goes to the node of the second."""
    shoes = StackedShoes("10s 9h 4d 8c 5c", "10s 9h 4d 8c 5c")
    async with cluster(tmp_path) as house:
        one, two = await house.open("a", shoes), await house.open("b", shoes)
        ada = await one.served.player()
        second = await house.client(two, ada)
        async with one.served.client(ada) as first:
            table = await first.open("surrender")
            await first.sit(table, 10_000)
            await second.open("surrender")
            await second.deal(table, main(1_000))
            assert table in one.registry.solo
        await until(lambda: not one.registry.connections)
        await second.decide(table, "stand")
        assert table in two.registry.solo
        assert table not in one.registry.solo


async def test_a_sweep_leaves_tables_of_other_nodes_alone(tmp_path: Path) -> None:
    """A sitting that was left at a table which another node owns ends there; the sweep here goes on."""
    async with cluster(tmp_path) as house:
        one, two = await house.open("a"), await house.open("b")
        async with one.served.client(await one.served.player()) as client:
            table = await client.open("surrender")
            await client.sit(table, 10_000)
        await until(lambda: not one.registry.connections)
        house.clock.ms += 24 * 3_600_000
        await sweep(two.registry)
        assert table in one.registry.solo
        await sweep(one.registry)
        assert table not in one.registry.solo


@pytest.mark.rule("CLU-12")
async def test_lines_of_the_chat_have_other_ids_where_the_table_goes(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        client = await house.client(other, await owner.served.player())
        await client.enter(TABLE)
        await client.say(TABLE, "here")
        house.clock.ms += 5_000
        before = owner.registry.chat.before(TABLE)
        await owner.close()
        await until(lambda: TABLE in other.registry.live)
        await until(lambda: TABLE in other.registry.live and client.tables[TABLE].epoch > 1)
        await client.say(TABLE, "there")
        after = other.registry.chat.before(TABLE)
        assert [line.text for line in after] == ["here", "there"]  # it has read what was said before
        assert before[0].id == after[0].id < after[1].id


@pytest.mark.rule("CLU-05", "ASR-32")
async def test_a_solo_table_that_nobody_looks_at_any_more_is_not_taken(tmp_path: Path) -> None:
    """Its player went while the database was asked for its owner; the other tables of that look are still found."""
    async with cluster(tmp_path, FREEBET) as house:
        node = await house.open("a")
        client = await house.client(node, await node.served.player())
        name = await client.open("surrender", "FUN")
        await client.close()
        runtime = node.registry.solo.pop(name)
        runtime.close()
        await node.served.house.work(partial(node.served.house.store.release, runtime.adapter.base.stream))
        await node.served.app[NODE]._find([name])
        assert name not in node.registry.solo
