"""What an account does not have, or an id that was used before: the request is refused, and its table stays open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sabot.client import RequestError
from sabot.engine import Bet
from sabot.engine.commands import Hit
from sabot.protocol import requests
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, MONEY, Hall, open_hall
from tests.support.refused import ask_refused
from tests.support.shoes import StackedShoes
from tests.support.store.held import held_back

ONE, TWO = f"live/{FREEBET.name}", f"live/{MAJORITY.name}"
OPEN = "10 10 2 8 9"


@asynccontextmanager
async def playing(database: Database) -> AsyncIterator[Hall]:
    async with open_hall(database, StackedShoes(*[OPEN] * 8), FREEBET, MAJORITY) as hall:
        yield hall
        await hall.check()


@pytest.mark.rule("PLT-03", "PLT-04", "ASR-10")
async def test_more_than_the_account_has_is_refused_and_changes_nothing(database: Database) -> None:
    async with playing(database) as hall:
        ada = await hall.member("ada")
        client = await hall.at(ada, TWO, bring=0)
        table = await client.open("surrender")
        for name in (table, TWO):
            rows = await hall.rows()
            for _ in range(3):
                error = await ask_refused("funds/insufficient", client.sit(name, MONEY + 1))
                assert error.params == {"cost": MONEY + 1, "balance": MONEY}
            assert await hall.rows() == rows
            await client.sit(name, 1_000)
            rows = await hall.rows()
            error = await ask_refused("funds/insufficient", client.add_money(name, MONEY))
            assert error.params == {"cost": MONEY, "balance": MONEY - 1_000}
            assert await hall.rows() == rows
            await client.leave(name)
        assert client.tables[table].epoch == 1


@pytest.mark.rule("ASR-10")
async def test_one_account_at_four_tables_in_the_same_instant(database: Database) -> None:
    """Each brings a little more than half of what is there: one of them can, whichever is first."""

    async with playing(database) as hall:
        ada = await hall.member("ada")
        pages = [await hall.at(ada, name, bring=0) for name in (ONE, TWO)]
        tables = [ONE, TWO]
        for game in ("surrender", "link"):
            page = await hall.at(ada, ONE, bring=0)
            pages.append(page)
            tables.append(await page.open(game))
        amount = MONEY // 2 + 1
        asks = [
            page.sit(table, amount, 3 if table == ONE else None)
            for page, table in zip(pages, tables, strict=True)
        ]
        answers = await asyncio.gather(*asks, return_exceptions=True)
        codes = sorted(answer.code if isinstance(answer, RequestError) else "" for answer in answers)
        assert codes == ["", *["funds/insufficient"] * 3]
        epochs = {hall.desk(name).table.table.stream.epoch for name in (ONE, TWO)}
        assert epochs == {1}


@pytest.mark.rule("ASR-11")
@pytest.mark.parametrize("first", ["a solo table", "a live table", "the cashier"])
async def test_an_id_that_is_on_its_way_elsewhere_is_another_id_here(database: Database, first: str) -> None:
    """Ids are a table's own, and the cashier's: the same one is carried out at each of them, once."""

    async with playing(database) as hall:
        ada = await hall.member("ada")
        client, page = await hall.at(ada, ONE, bring=0), await hall.at(ada, TWO)
        table = await client.open("surrender")
        if first == "the cashier":
            await hall.house.house.cashier(lambda it: it.deposit(ada.player, "FUN", 1_000, "same", 1))
        async with held_back(hall.house.house) as held:
            asks = [page.send(requests.ConsentRequest("same", TWO, True, True))]
            if first == "a solo table":
                asks.append(client.send(requests.Sit("same", table, 1_000)))
            elif first == "a live table":
                asks.append(client.send(requests.Sit("same", ONE, 1_000, 3)))
            both = asyncio.gather(*asks)
            await held.holds(len(asks))
            held.let_go()
            await both
        for _ in range(2):
            await page.send(requests.ConsentRequest("same", TWO, True, True))
            await ask_refused("command/reused", page.send(requests.ConsentRequest("same", TWO, False, True)))
        await hall.heard(TWO)
        assert hall.desk(TWO).table.table.stream.epoch == 1
        uses = await hall.house.house.read(
            lambda connection: connection.exec_driver_sql("SELECT n FROM log WHERE request = 'same'").all()
        )
        assert len(uses) == 2


@pytest.mark.rule("ASR-11", "ASR-32")
async def test_an_id_used_at_one_table_reads_no_other_back(database: Database) -> None:
    async with playing(database) as hall:
        ada = await hall.member("ada")
        page = await hall.at(ada, TWO)
        await page.enter(ONE)
        await page.send(requests.Sit("same", ONE, 1_000, 3))
        read = hall.desk(TWO).adapter
        await page.send(requests.ConsentRequest("same", TWO, True, True))
        await hall.heard(TWO)
        assert hall.desk(TWO).adapter is read


@pytest.mark.rule("ASR-32")
async def test_a_player_makes_a_live_table_be_read_back_once_at_most(database: Database) -> None:
    """Whoever used an id again that the table had forgotten has further ids looked up before anything is done."""

    async with playing(database) as hall:
        ada = await hall.member("ada")
        page = await hall.at(ada, TWO)
        for id in ("a", "b"):
            await page.send(requests.ConsentRequest(id, TWO, True, True))
        desk = hall.desk(TWO)

        async def asks(ask: requests.AnyRequest, code: str = "") -> None:
            desk.requests.cache._known.clear()  # as after many others
            rows = await hall.rows()
            await (ask_refused(code, page.send(ask)) if code else page.send(ask))
            await hall.heard(TWO)
            assert await hall.rows() == rows

        read = desk.adapter
        await asks(requests.ConsentRequest("a", TWO, True, True))
        assert desk.adapter is not read
        read = desk.adapter
        await asks(requests.ConsentRequest("a", TWO, True, True))
        await asks(requests.ConsentRequest("b", TWO, True, True))
        await asks(requests.ConsentRequest("b", TWO, False, False), "command/reused")
        assert desk.adapter is read
        await page.send(requests.ConsentRequest("new", TWO, False, False))


@pytest.mark.rule("ASR-11")
async def test_an_id_the_table_has_forgotten_is_answered_from_the_log(database: Database) -> None:
    """The store refuses the row. The table is read again without a row of its own, and goes on."""

    async with playing(database) as hall:
        ada = await hall.member("ada")
        client = await hall.at(ada, TWO, bring=0)
        table = await client.open("surrender")
        await client.send(requests.Sit("sit", table, 10_000))
        again = requests.Sit("sit", table, 10_000)

        async def asks(ask: requests.AnyRequest, code: str) -> None:
            desk = hall.house.registry.find(table, ada.player)
            desk.requests.cache._known.clear()  # as after many others
            rows = await hall.rows()
            if code:
                await ask_refused(code, client.send(ask))
            else:
                await client.send(ask)
            await client.resume(table)
            assert await hall.rows() == rows
            assert client.tables[table].epoch == 1

        # With other contents, and the same again.
        bets = (Bet(0, "main", 1_000),)
        await asks(requests.DealRequest("sit", table, bets, "seed"), "command/reused")
        await asks(requests.AddMoneyRequest("sit", table, 1_000), "command/reused")
        await client.leave(table)
        await asks(again, "")
        await client.send(requests.Sit("new", table, 10_000))
        await client.send(requests.DealRequest("deal", table, bets, "seed"))
        state = client.tables[table]
        await asks(requests.Act("sit", table, state.round, state.turn, Hit(0)), "command/reused")
        me = client.tables[table].me
        assert me is not None
        assert (me.balance, client.tables[table].over) == (9_000, False)
        await client.decide(table, "stand")
        assert client.tables[table].over
