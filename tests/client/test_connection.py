"""A client's socket: answers, waiting, the server's clock, and coming back after it broke."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sabot.client import PlayerClient, RequestError
from sabot.protocol import messages
from sabot.server.config import Config, TableSection
from sabot.server.tables import lobby
from sabot.store.database import Database
from sabot.tables.live.timers import Timers
from tests.support.clock import PATIENCE
from tests.support.databases import sqlite_url
from tests.support.house import VAULT, CountedShoes
from tests.support.served import Served, served

TABLE = "live/one"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Served]:
    """A house with one live table."""
    section = TableSection(name="one", game="freebet", currency="FUN", timers=Timers(shuffle=4))
    database = Database(sqlite_url(tmp_path / "hall.db"))
    async with served(database, CountedShoes(VAULT, 0), config=Config(table=(section,))) as open_house:
        yield open_house


async def break_off(house: Served, client: PlayerClient) -> None:
    """The network breaks every connection."""
    for guest in list(house.registry.connections):
        guest._transport.abort()
    with pytest.raises(RequestError):
        await client.wait_for(lambda: False, PATIENCE)
    assert client.closed


async def test_one_who_comes_back_is_told_what_was_missed(house: Served) -> None:
    """Within the frames that are kept, no snapshot is sent."""

    async with house.client(await house.player()) as client:
        await client.enter(TABLE)
        await break_off(house, client)
        async with house.client(await house.player()) as other:
            await other.enter(TABLE)
            await other.sit(TABLE, 5_000, 3)
            await other.say(TABLE, "hello?")
            heard: list[bytes] = []
            client.on_message = heard.append
            await client.connect()
            await client.resume(TABLE)
            state = client.tables[TABLE]
            await client.wait_for(lambda: 3 in state.seats, PATIENCE)
            assert not any(b'"snapshot"' in frame for frame in heard)
            assert [said.text for said in state.said.values()] == ["hello?"]
            assert state.picture().live == other.tables[TABLE].picture().live
            state.seq = 10_000  # a place that the house does not know
            await client.resume(TABLE)
            assert any(b'"snapshot"' in frame for frame in heard)
            assert (client.tables[TABLE].seq, len(state.said)) == (other.tables[TABLE].seq, 1)


async def test_a_broken_socket_answers_nothing(house: Served) -> None:
    async with house.client(await house.player()) as client:
        await client.enter(TABLE)
        await break_off(house, client)
        with pytest.raises(RequestError) as refused:
            await client.sit(TABLE, 5_000)
        assert refused.value.code == "socket/closed"
        await client.connect()
        await client.enter(TABLE)
        await client.sit(TABLE, 5_000)


async def test_waiting_ends(house: Served) -> None:
    async with house.client(await house.player()) as client:
        with pytest.raises(TimeoutError):
            await client.wait_for(lambda: client.lobby, 0.01)
        waiting = asyncio.create_task(client.wait_for(lambda: client.on_message))
        await asyncio.sleep(0)
        client.on_message = print
        client.wake()
        assert await asyncio.wait_for(waiting, PATIENCE) is print


async def test_a_deadline_is_by_the_clock_of_the_house(house: Served) -> None:
    """Of the answers the quickest says how far the own clock is off."""

    player = await house.player()
    async with PlayerClient(house.url, str(player), wall=lambda: 1_000.0) as client:
        await client.enter(TABLE)
        await client.sit(TABLE, 5_000, 0)
        assert client.offset == house.clock.ms - 1_000_000
        assert client.tables[TABLE].phase == "shuffle"
        assert client.left(TABLE) == 4.0
        assert client.left("live/other") is None


@pytest.mark.slow
async def test_the_lobby_counts_people(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "LOBBY_SECONDS", 0.01)

    async with house.client(await house.player()) as client:
        await client.watch_lobby()
        assert client.lobby[TABLE].humans == 0
        await client.enter(TABLE)
        await client.wait_for(lambda: client.lobby[TABLE].humans == 1, PATIENCE)
        await client.sit(TABLE, 5_000, 2)
        await client.wait_for(lambda: client.lobby[TABLE].taken == 1, PATIENCE)
        await client.exit(TABLE)
        assert (client.lobby[TABLE].humans, TABLE in client.tables) == (1, False)  # may be back (PLT-31)
        await client.enter(TABLE)
        await client.leave(TABLE)
        await client.exit(TABLE)
        await client.wait_for(lambda: client.lobby[TABLE].humans == 0, PATIENCE)


async def test_what_is_said_can_be_taken_away(house: Served) -> None:
    async with house.client(await house.player()) as client:
        await client.enter(TABLE)
        await client.say(TABLE, "good evening")
        said = client.tables[TABLE].said
        (number,) = said
        desk = house.registry.live[TABLE]
        desk.broadcast(messages.Unsaid(TABLE, number))
        await client.wait_for(lambda: not said, PATIENCE)
