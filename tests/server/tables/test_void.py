"""A supervisor voids a solo round over HTTP: every stake back once, the player told, the order in the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
import sqlalchemy

from sabot.client import PlayerClient, RequestError, demo_token, post
from sabot.engine.events import RoundVoided
from sabot.errors import Refusal
from sabot.games import find
from sabot.rounds.audit import audit_house
from sabot.rounds.history import history
from sabot.server.tables.opening import SoloName
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.register import OPERATORS, Register
from sabot.tables.config import TableConfig
from sabot.tables.live.events import ShoeCommitted, ShoeRevealed
from sabot.tables.opening import open_table
from tests.support.ledger import rows
from tests.support.refused import ask_refused
from tests.support.served import Served, main, served, until_over
from tests.support.shoes import StackedShoes
from tests.support.site import NEWCOMER, PASSWORD

MONEY, BROUGHT = 500_000, 10_000
#: 20 against a nine: it waits for the player.
OPEN = "10 9 K 8"
REASON = {"reason": "the lights went out"}


class Office:
    """A supervisor with a token, and a demo player in the middle of a round."""

    def __init__(self, house: Served, session: aiohttp.ClientSession) -> None:
        self.house = house
        self._session = session

    async def begin(self, path: str) -> None:
        """The supervisor comes in."""
        more = NEWCOMER if path == "/register" else {}
        body = {"name": "boss", "password": PASSWORD, "bearer": True, **more}
        admitted = await post(self._session, self.house.url, path, body)
        self.boss = admitted["player"]
        self._token = admitted["token"]
        await self.house.house.work(self._appoint)

    def _appoint(self) -> None:
        register = Register.open(self.house.house.store, 1)
        register.give_role(None, self.boss, "supervisor", "hired", 1)

    async def void(self, code: str) -> None:
        """Void a round."""
        await post(self._session, self.house.url, f"/rounds/{code}/void", REASON, self._token)

    @asynccontextmanager
    async def player(self) -> AsyncIterator[tuple[PlayerClient, str]]:
        """A demo player who has dealt a round of 10.00 and did not play it out."""
        token = await demo_token(self._session, self.house.url)
        async with PlayerClient(self.house.url, token) as client:
            table = await client.open("surrender")
            await client.sit(table, BROUGHT)
            await client.deal(table, main(1_000), "mine")
            yield client, table

    async def told(self) -> list[object]:
        """What the operators' stream says of rounds."""
        log, streams = schema.log.c, schema.streams.c
        query = (
            sqlalchemy.select(log.body)
            .join_from(schema.log, schema.streams, log.stream == streams.id)
            .where(streams.name == OPERATORS, log.kind == "void-round")
        )
        bodies = await self.house.house.read(lambda connection: connection.execute(query).scalars().all())
        return [json.loads(body)["command"] for body in bodies]

    async def check(self) -> None:
        """The books are in order; the cards of stacked shoes are not the seeds'."""
        report = await self.house.house.work(lambda: audit_house(self.house.house.database, replay=False))
        assert report.findings == []


@asynccontextmanager
async def in_office(
    database: Database, shoes: StackedShoes, path: str = "/register"
) -> AsyncIterator[Office]:
    async with served(database, shoes) as house, aiohttp.ClientSession() as session:
        office = Office(house, session)
        await office.begin(path)
        yield office


async def balance(client: PlayerClient, table: str) -> int | None:
    """The money at the table that is not staked, as a page that opens it now is told."""
    await client.open("surrender")
    me = client.tables[table].me
    return None if me is None else me.balance


def stakes_back(database: Database, code: str) -> list[int]:
    """What went from the round's escrow to the player, and how often."""
    transfers = schema.transfers.c
    query = sqlalchemy.select(transfers.amount).where(transfers.key.like(f"{code}/%/back"))
    with database.reading() as connection:
        return list(connection.execute(query).scalars())


@pytest.mark.rule("PLT-32", "ASR-13")
async def test_a_round_on_an_open_page_is_voided(database: Database) -> None:
    """The page hears that the round is void, sees the seed and the next promise, and can play on."""

    async with in_office(database, StackedShoes(OPEN, OPEN)) as office, office.player() as (client, table):
        state = client.tables[table]
        code, promised = state.round, state.commitment
        await office.void(code)
        await until_over(client, table)
        voided, revealed, committed = state.events[-3:]
        assert voided == RoundVoided("malfunction")  # the operator's reason is the house's own
        assert isinstance(revealed, ShoeRevealed)
        assert (revealed.commitment, revealed.client_seed) == (promised, "mine")
        assert committed == ShoeCommitted(state.commitment)
        assert state.commitment != promised
        assert await balance(client, table) == BROUGHT
        # Once, and nothing is left to void.
        await ask_refused("round/over", office.void(code))
        assert stakes_back(database, code) == [1_000]
        assert await office.told() == [
            {"type": "void-round", "operator": office.boss, "round": code, **REASON}
        ]
        await client.deal(table, main(2_000))
        await client.decide(table, "stand")
        assert await balance(client, table) == BROUGHT + 2_000
        await office.check()


@pytest.mark.parametrize("pause", ["no page", "put away", "restarted"])
async def test_a_round_nobody_looks_at_is_voided(database: Database, pause: str) -> None:
    """The table is open without a page, or not open at all, or was another process's: opened, voided, put away."""
    shoes = StackedShoes(OPEN, OPEN)
    seen: dict[str, str] = {}

    async def begin(office: Office) -> None:
        async with office.player() as (client, table):
            seen.update(table=table, code=client.tables[table].round)
        if pause == "put away":
            office.house.registry.solo.clear()
        if pause != "restarted":
            await end(office)

    async def end(office: Office) -> None:
        await office.void(seen["code"])
        assert (seen["table"] in office.house.registry.solo) is (pause == "no page")
        await ask_refused("round/over", office.void(seen["code"]))
        assert stakes_back(database, seen["code"]) == [1_000]
        player = int(seen["table"].split("/")[1])
        page = await office.house.house.read(lambda connection: history(connection, player))
        assert [(line.code, line.state, line.paid) for line in page.lines] == [(seen["code"], "voided", 0)]
        # What was brought is at the table still; a page that comes now finds the next shoe promised.
        desk = await office.house.registry.open_solo(SoloName(player, "surrender", "FUN"), 0)
        assert (desk.table.balance(str(player)), desk.table.in_round) == (BROUGHT, False)
        assert rows(database, "SELECT count(*) FROM shoes WHERE seed IS NULL") == [(1,)]
        await office.check()

    async with in_office(database, shoes) as office:
        await begin(office)
    if pause == "restarted":
        again = Database(database.url.render_as_string(hide_password=False))
        async with in_office(again, shoes, "/login") as office:
            await end(office)


async def test_what_cannot_be_voided(database: Database) -> None:
    """Unknown, over, live: refused with a code, and no order is left of it."""

    async with in_office(database, StackedShoes(OPEN)) as office:
        await ask_refused("round/unknown", office.void("260829-104000-AAAA"))
        async with office.player() as (client, table):
            await client.decide(table, "stand")
            await ask_refused("round/over", office.void(client.tables[table].round))
        live = await office.house.house.work(lambda: _live_round(office.house))
        await ask_refused("round/live", office.void(live))
        assert await office.told() == []


def _live_round(house: Served) -> str:
    """A live table with its betting open."""
    store, tools = house.house.store, house.house.tools
    table = open_table(TableConfig(name="live", game=find("majority-eu")), tools, 1)
    for unit in (table.shoes.shuffle(1), table.shoes.seed_shoe(["x"], 1), table.open_round(house.clock.ms)):
        store.store(unit)
    assert table.current is not None
    return table.current.code


async def test_a_player_who_was_faster(database: Database) -> None:
    """The last decision comes between the order and its carrying out: the round is over, and stays paid."""

    async with in_office(database, StackedShoes(OPEN)) as office, office.player() as (client, table):
        code = client.tables[table].round
        found = await office.house.registry.table_of(code)
        await client.decide(table, "stand")
        with pytest.raises(Refusal, match="The round is over"):
            await office.house.registry.void(found, code)
        assert stakes_back(database, code) == []
        await office.check()


async def test_two_orders_at_once_give_back_once(database: Database) -> None:
    async with in_office(database, StackedShoes(OPEN)) as office, office.player() as (client, table):
        code = client.tables[table].round
        results = await asyncio.gather(*(office.void(code) for _ in range(5)), return_exceptions=True)
        codes = [error.code for error in results if isinstance(error, RequestError)]
        assert (results.count(None), set(codes)) == (1, {"round/over"})
        assert stakes_back(database, code) == [1_000]
        await office.check()
