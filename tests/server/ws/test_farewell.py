"""Real logins at the socket: who is let in, how fast, and what happens to a table when a login ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from sabot.client import PlayerClient, RequestError, demo_token, post
from sabot.client.connection import new_id
from sabot.protocol import requests
from sabot.rounds.audit import audit_house
from sabot.server.config import Config, ServerConfig
from sabot.server.tables.abandoned import sweep
from sabot.store.database import Database
from tests.support.clock import PATIENCE
from tests.support.served import Served, main, served
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

MONEY = 500_000


@asynccontextmanager
async def guest(house: Served) -> AsyncIterator[tuple[aiohttp.ClientSession, str, PlayerClient, str]]:
    """A demo player who sits at a table with 100.00."""
    async with aiohttp.ClientSession() as session:
        token = await demo_token(session, house.url)
        async with PlayerClient(house.url, token) as client:
            table = await client.open("surrender")
            await client.sit(table, 10_000)
            yield session, token, client, table


async def money(house: Served, table: str) -> int:
    player = int(table.split("/")[1])
    return await house.house.cashier(lambda cashier: cashier.balance(player, "FUN"))


async def test_a_logout_closes_the_sockets_and_gives_the_money_back(database: Database) -> None:
    async with (
        served(database, StackedShoes("10 10 9 8")) as house,
        guest(house) as (session, token, client, table),
    ):
        assert await money(house, table) == MONEY - 10_000
        await post(session, house.url, "/logout", token=token)
        await asyncio.wait_for(client._reader, PATIENCE)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with PlayerClient(house.url, token):
                pass
        await house.house.cashier(lambda cashier: cashier.deposit(1, "FUN", 1, "after", 1))
        assert await money(house, table) == MONEY + 1


async def test_a_round_that_has_begun_outlives_its_login(database: Database) -> None:
    async with served(database, StackedShoes("10 10 9 8")) as house:
        async with guest(house) as (session, token, client, table):
            await client.deal(table, main(1000))
            await post(session, house.url, "/logout", token=token)
            await asyncio.wait_for(client._reader, PATIENCE)
            assert await money(house, table) == MONEY - 10_000
        house.clock.ms += 25 * 3_600_000
        await sweep(house.registry)
        assert await money(house, table) == MONEY + 1000
        assert (
            await house.house.work(lambda: audit_house(house.house.database, replay=False))
        ).findings == []


async def test_questions_that_come_too_fast_are_refused(database: Database) -> None:
    usual_rates = Config(table=(), server=ServerConfig(argon_memory_kib=8))
    async with (
        served(database, StackedShoes(), config=usual_rates) as house,
        guest(house) as (_, _, client, table),
    ):
        asks = (client.send(requests.Sit(new_id(), table, 100)) for _ in range(100))
        results = await asyncio.gather(*asks, return_exceptions=True)
        codes = {error.code for error in results if isinstance(error, RequestError)}
        assert codes == {"sitting/open", "rate/limited"}
