"""Bets of one player at two tables in the same instant: the player's own limit holds, while the writer is held back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import aiohttp
import pytest

from sabot.client import PlayerClient, RequestError, demo_token, post
from sabot.client.connection import new_id
from sabot.protocol import requests
from sabot.rounds.audit import audit_house
from sabot.store.database import Database
from tests.support.clock import PATIENCE
from tests.support.served import Served, main, served
from tests.support.shoes import StackedShoes
from tests.support.site import NEWCOMER, PASSWORD
from tests.support.store.held import held_back

#: The kind of database makes no difference here.
KIND = "sqlite"

GAMES = ("surrender", "cashback")
OPEN = "10 9 K 8"


class Pages:
    """One player, with a page at each of two tables."""

    def __init__(self, house: Served, session: aiohttp.ClientSession, token: str) -> None:
        self.house = house
        self._session = session
        self._token = token
        self.clients: list[PlayerClient] = []
        self.tables: list[str] = []

    async def sit(self, page: PlayerClient, game: str, currency: str) -> None:
        """Sit down with 100.00."""
        table = await page.open(game, currency)
        await page.sit(table, 10_000)
        self.clients.append(page)
        self.tables.append(table)

    def deals(self, *stakes: int) -> list[asyncio.Task[None]]:
        """A deal at each table, all on their way at once."""
        asks = zip(self.clients, self.tables, stakes, strict=False)
        return [asyncio.create_task(page.deal(table, main(stake))) for page, table, stake in asks]

    async def look_around(self) -> None:
        """Ask things that are answered without the writer, one after the other, so that what can go on has gone on."""
        headers = {"Authorization": f"Bearer {self._token}"}
        for _ in range(10):
            async with self._session.get(f"{self.house.url}/api/v1/me", headers=headers) as answer:
                assert answer.status == 200


@asynccontextmanager
async def at_two_tables(house: Served, currency: str) -> AsyncIterator[Pages]:
    """With euros: a registered player who may lose 10.00 a day."""
    async with aiohttp.ClientSession() as session:
        if currency == "FUN":
            token = await demo_token(session, house.url)
        else:
            token = await _limited(session, house.url)
        pages = Pages(house, session, token)
        async with PlayerClient(house.url, token) as one, PlayerClient(house.url, token) as other:
            for page, game in zip((one, other), GAMES, strict=True):
                await pages.sit(page, game, currency)
            yield pages


async def _limited(session: aiohttp.ClientSession, url: str) -> str:
    admitted = await post(
        session, url, "/register", {"name": "ada", "password": PASSWORD, "bearer": True, **NEWCOMER}
    )
    token = str(admitted["token"])
    await post(session, url, "/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 50_000}, token)
    headers = {"Authorization": f"Bearer {token}"}
    async with session.put(f"{url}/api/v1/protections", json={"loss_day": 1_000}, headers=headers) as answer:
        assert answer.status == 200
    return token


async def results(deals: Sequence[asyncio.Task[None]]) -> list[str]:
    """How each deal was answered: its code, empty if it was dealt."""
    async with asyncio.timeout(PATIENCE):
        answers = await asyncio.gather(*deals, return_exceptions=True)
    return [answer.code if isinstance(answer, RequestError) else "" for answer in answers]


@asynccontextmanager
async def playing(database: Database, currency: str) -> AsyncIterator[Pages]:
    async with served(database, StackedShoes(*[OPEN] * 4)) as house:
        async with at_two_tables(house, currency) as pages:
            yield pages
        report = await house.house.work(lambda: audit_house(house.house.database, replay=False))
        assert report.findings == []


async def test_two_bets_at_once_do_not_pass_the_limit_together(database: Database) -> None:
    """6.00 and 6.00 of 10.00: the second is looked at when the first is stored, and refused."""

    async with playing(database, "EUR") as pages, held_back(pages.house.house) as held:
        deals = pages.deals(600, 600)
        await held.holds(2)  # the bets and the deal of the first
        await pages.look_around()
        assert len(held.units) == 2
        held.let_go()
        assert sorted(await results(deals)) == ["", "protection/loss-limit"]


async def test_two_bets_that_the_limit_allows_are_both_dealt(database: Database) -> None:
    async with playing(database, "EUR") as pages:
        assert await results(pages.deals(600, 400)) == ["", ""]


async def test_play_money_does_not_wait(database: Database) -> None:
    async with playing(database, "FUN") as pages, held_back(pages.house.house) as held:
        deals = pages.deals(600, 600)
        await held.holds(4)  # both deals are on their way, and neither is stored
        held.let_go()
        assert await results(deals) == ["", ""]


@pytest.mark.parametrize("why", ["the rules", "the limit", "the database"])
async def test_a_bet_that_was_refused_ends_its_turn(database: Database, why: str) -> None:
    async with playing(database, "EUR") as pages:
        if why == "the database":
            async with held_back(pages.house.house) as held:
                deals = pages.deals(600)
                await held.holds(2)
                held.refuse()
                assert await results(deals) == ["house/down"]
        else:
            refused = "bet/below-minimum" if why == "the rules" else "protection/loss-limit"
            assert await results(pages.deals(1 if why == "the rules" else 1_100)) == [refused]
        pages.clients.reverse()
        pages.tables.reverse()
        assert await results(pages.deals(1_000)) == [""]


async def test_a_bet_asked_again_is_answered_again_and_not_counted_twice(database: Database) -> None:
    """The line broke after 6.00 of 10.00 were staked: the same question gets the same answer, at once or later."""

    async with playing(database, "EUR") as pages:
        ask = requests.DealRequest(new_id(), pages.tables[0], tuple(main(600)), "seed")
        await pages.clients[1].open(GAMES[0], "EUR")
        async with held_back(pages.house.house) as held:
            asked = [asyncio.create_task(pages.clients[0].send(ask))]
            await held.holds(2)
            asked.append(asyncio.create_task(pages.clients[1].send(ask)))
            await pages.look_around()
            held.let_go()
            assert await results(asked) == ["", ""]
        await pages.clients[0].send(ask)
