"""The house's own bots: they come when somebody is there, leave room, go again, and cost nothing in an empty house."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

import aiohttp
import pytest
from msgspec.structs import replace

from sabot.bots import house_bots
from sabot.bots.player import Tally
from sabot.client import PlayerClient, demo_token
from sabot.server import run
from sabot.server.config import Config, DatabaseConfig, HouseConfig, ServerConfig
from sabot.server.run import BotEnvironment, bot_environment, secure_house, serve
from sabot.store.database import Database
from tests.bots.house import QUICK, Open, open_house, quick_sleep, running, table
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tests.support.ledger import count, rows

#: The kind of database makes no difference here.
KIND = "sqlite"

TABLE = "live/freebet"

pytestmark = pytest.mark.slow  # rounds on a real clock


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_bots, "PATIENCE", 5.0)


def environment(house: Open) -> BotEnvironment:
    return bot_environment(house.app, int(house.url.rpartition(":")[2]))


def keeping(house: Open, tally: Tally) -> Callable[[], Awaitable[None]]:
    return partial(house_bots.run_bots, environment(house), Random(1), tally, quick_sleep)


async def test_bots_come_with_the_first_person_and_go_after_the_last(database: Database) -> None:
    tally = Tally()
    async with open_house(database, table("freebet", bots=3)) as house, running(keeping(house, tally)):
        quiet = count(database, "log")
        await asyncio.sleep(0.3)
        assert (tally.there, count(database, "players"), count(database, "log")) == (0, 0, quiet)
        token = await demo_token(house.session, house.url)
        for _ in range(2):  # the second time they come back as the same players
            async with PlayerClient(house.url, token, house.session) as person:
                await person.enter(TABLE)
                state, before = person.tables[TABLE], tally.rounds
                await person.wait_for(lambda state=state: len(state.seats) == 3, PATIENCE)  # type: ignore[misc]
                assert {seat.name for seat in state.seats.values()} == {"bot-nino", "bot-ada", "bot-enzo"}
                await until(lambda before=before: tally.rounds >= before + 6)  # type: ignore[misc]
            await until(lambda: tally.there == 0)
            live = house.desk("freebet").table
            await until(lambda live=live: live.phases.phase == "idle")  # type: ignore[misc]
            assert (live.table.sittings, live.table.seats) == ({}, {})
        assert count(database, "players") == 4
        assert tally.errors == {}
        quiet = count(database, "log")
        await asyncio.sleep(0.3)
        assert count(database, "log") == quiet


async def test_two_seats_are_left_to_people(database: Database) -> None:
    tally = Tally()
    patient = table("freebet", bots=9, timers=replace(QUICK, idle_rounds=1_000))
    async with open_house(database, patient) as house, running(keeping(house, tally)):
        token = await demo_token(house.session, house.url)
        async with PlayerClient(house.url, token, house.session) as person:
            await person.enter(TABLE)
            state = person.tables[TABLE]
            await until(lambda: tally.there == 9 and tally.rounds >= 18)
            await person.wait_for(lambda: len(state.seats) == 5, PATIENCE)
            free = next(spot for spot in range(7) if spot not in state.seats)
            await person.sit(TABLE, 5_000, free)
            await person.wait_for(lambda: len(state.seats) == 5 and free in state.seats, PATIENCE)
            assert tally.errors == {}


async def test_a_bot_that_was_interrupted_goes_on_where_it_sat(database: Database) -> None:
    """A house that ends in the middle of a round; the next one lets the same bots play on."""

    for _ in range(2):
        tally = Tally()
        async with open_house(database, table("freebet", bots=2)) as house:
            token = await demo_token(house.session, house.url)
            async with PlayerClient(house.url, token, house.session) as person:
                await person.enter(TABLE)
                task = asyncio.ensure_future(keeping(house, tally)())
                await until(lambda tally=tally: tally.rounds >= 4)  # type: ignore[misc]
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
    assert len(rows(database, "SELECT player FROM profiles WHERE bot")) == 2


async def test_logins_of_bots_do_not_count_with_those_of_people(database: Database) -> None:
    async with open_house(database, table("freebet", bots=3), rate_demo_address=(1, 3600.0)) as house:
        tokens = [await environment(house).admit(f"{n}") for n in range(5)]
        assert len(set(tokens)) == 5
        await demo_token(house.session, house.url)


async def test_the_money_of_a_bot_is_made_up_again(database: Database) -> None:
    async with open_house(database, table("freebet"), demo_money=50_000) as house:
        for bring in (20_000, 30_000):
            token = await environment(house).admit("nino")
            async with PlayerClient(house.url, token, house.session) as bot:
                await bot.enter(TABLE)
                state = bot.tables[TABLE]
                assert state.me is not None
                assert state.me.account == 50_000
                await (bot.sit if state.me.balance is None else bot.add_money)(TABLE, bring)


async def test_a_served_house_stops_with_its_bots(
    database: Database, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "prepare", lambda rules: None)  # no prices are asked for
    config = Config(
        house=HouseConfig(key=f"{tmp_path}/sabot.key"),
        server=ServerConfig(port=0, argon_memory_kib=8),
        database=DatabaseConfig(url=database.url.render_as_string(False)),
        table=(table("majority-eu", bots=2),),
    )
    tally, stop = Tally(), asyncio.Event()
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def bots(house: BotEnvironment) -> None:
        await house_bots.run_bots(house, Random(1), tally, quick_sleep)

    house = secure_house(config).house
    serving = asyncio.create_task(serve(house, opened=opened.set_result, stop=stop, run_bots=bots))
    url = await asyncio.wait_for(opened, PATIENCE)
    async with aiohttp.ClientSession() as session:
        token = await demo_token(session, url)
        async with PlayerClient(url, token, session) as person:
            await person.enter("live/majority-eu")
            await until(lambda: tally.rounds >= 4)
        stop.set()
        await asyncio.wait_for(serving, PATIENCE)
    assert tally.there == 0
    assert tally.errors == {}
