"""Whatever fails in the handling of one request fails that request alone (ASR-32)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from sabot.client import PlayerClient
from sabot.errors import Refusal
from sabot.protocol import requests
from sabot.server.tables import live
from sabot.server.tables.solo import SoloAdapter
from sabot.store.database import Database
from sabot.tables.live.table import LiveTable
from tests.support.hall import FREEBET, Hall, open_hall, until
from tests.support.refused import ask_refused
from tests.support.served import Served, seated, served
from tests.support.shoes import StackedShoes

TABLE = "live/one"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class UnforeseenError(Exception):
    """A fault of ours."""


async def pair(hall: Hall) -> tuple[PlayerClient, PlayerClient]:
    """Two players at the table."""
    ada, bob = await hall.member("ada"), await hall.member("bob")
    return await hall.at(ada, TABLE, spot=0), await hall.at(bob, TABLE, spot=1)


def consent(id: str) -> requests.ConsentRequest:
    return requests.ConsentRequest(id, TABLE, True, True)


@pytest.mark.rule("ASR-32")
async def test_a_request_that_fails_at_a_live_table_fails_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, bob = await pair(hall)
        desk, kept = hall.desk(TABLE), live.carry_out
        table = desk.table

        def fail(live: LiveTable, ask: requests.AnyRequest, *more: Any) -> None:
            if ask.id == "bad":
                raise UnforeseenError
            kept(live, ask, *more)

        monkeypatch.setattr(live, "carry_out", fail)
        with capture_logs() as lines:
            good = asyncio.gather(bob.send(consent("b")), ada.send(consent("a")))
            await ask_refused("house/error", ada.send(consent("bad")))
            await good
        assert hall.desk(TABLE).table is table
        assert not desk.broken
        (line,) = lines
        assert (line["error"], line["half_done"]) == ("UnforeseenError", False)


async def test_a_request_that_fails_half_way_leaves_nothing_in_memory(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row it made is not in the log: the table is read back, and both players go on."""

    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, bob = await pair(hall)
        table, kept = hall.desk(TABLE).table, live.carry_out

        def fail(live: LiveTable, ask: requests.AnyRequest, *more: Any) -> None:
            kept(live, ask, *more)
            if ask.id == "bad":
                raise UnforeseenError

        monkeypatch.setattr(live, "carry_out", fail)
        rows = await hall.rows()
        await ask_refused("house/error", ada.send(consent("bad")))
        await until(lambda: hall.desk(TABLE).table is not table)
        await bob.send(consent("b"))
        assert await hall.rows() == rows + 2, "a new owner, and the good request"
        await hall.check()


async def test_an_order_or_an_arrival_that_fails_fails_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, _ = await pair(hall)
        desk = hall.desk(TABLE)
        table = desk.table

        def fail(*_: object) -> None:
            raise UnforeseenError

        with pytest.raises(Refusal) as error:
            await desk.order(fail)
        assert error.value.code == "house/error"
        eve = await hall.member("eve")
        with monkeypatch.context() as patch:
            patch.setattr(desk.wallets, "read", fail)
            await ask_refused("house/error", hall.at(eve, TABLE))
        await hall.at(eve, TABLE)
        await ada.send(consent("a"))
        assert hall.desk(TABLE).table is table


@pytest.mark.rule("ASR-32")
async def test_a_request_waits_for_no_look_at_the_log(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that does not answer reads stops neither requests nor the clock."""

    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, bob = await pair(hall)
        desk = hall.desk(TABLE)
        table, phase = desk.table, desk.table.phases.phase

        async def away(ask: Callable[..., Any]) -> Any:
            raise ConnectionError("the database is away")

        monkeypatch.setattr(hall.house.house, "read", away)
        await bob.send(consent("b"))
        await ada.send(consent("a"))
        hall.clock.ms += 60_000
        desk.wake()
        await until(lambda: table.phases.phase != phase)
        await bob.send(consent("b"))
        assert hall.desk(TABLE).table is table


@pytest.mark.parametrize("half_way", [False, True])
async def test_a_request_that_fails_at_a_solo_table(
    database: Database, monkeypatch: pytest.MonkeyPatch, half_way: bool
) -> None:
    async with served(database, StackedShoes()) as house, seated(house, "surrender") as (client, table):
        desk, kept = house.registry.find(table, client_player(house, table)), SoloAdapter.handle

        def fail(self: SoloAdapter, ask: requests.AnyRequest, *more: Any) -> Any:
            if half_way:
                kept(self, ask, *more)
            raise UnforeseenError

        monkeypatch.setattr(SoloAdapter, "handle", fail)
        await ask_refused("house/error", client.send(requests.AddMoneyRequest("bad", table, 100)))
        monkeypatch.undo()
        assert desk.broken is half_way
        if half_way:
            await client.open("surrender")
        await client.send(requests.AddMoneyRequest("good", table, 100))  # the player's turn was given back
        me = client.tables[table].me
        assert me is not None
        assert me.balance == 10_100


def client_player(house: Served, table: str) -> int:
    return int(table.split("/")[1])
