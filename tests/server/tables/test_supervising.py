"""A supervisor pauses a live table, lets it go on, voids its round: with a reason, and players are told (PLT-33)."""

from __future__ import annotations

import asyncio

import pytest

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.engine.events import RoundVoided
from sabot.protocol import requests
from sabot.rounds.history import history
from sabot.store.database import Database
from sabot.tables.live.timers import Phase
from tests.server.tables.test_void import stakes_back
from tests.support.hall import BROUGHT, FREEBET, MAJORITY, Hall, Member, open_hall, until
from tests.support.refused import ask_refused
from tests.support.shoes import StackedShoes
from tests.support.site import Answer, Caller

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
#: 20 against a nine with an eight below: it waits for the player, and wins.
OPEN = "10 9 K 8"
REASON = {"reason": "the presenter felt ill"}


async def seated(hall: Hall, ada: Member, phase: Phase) -> PlayerClient:
    """Ada at seat 0 with a bet of 10.00, in a phase of the round."""
    client = await hall.at(ada, ONE, spot=0)
    await hall.until(ONE, "betting")
    await client.bet(ONE, [Bet(0, "main", 1_000)])
    await hall.until(ONE, phase)
    return client


@pytest.mark.rule("PLT-33", "ASR-33")
async def test_a_paused_table_waits_and_goes_on(database: Database) -> None:
    """Everyone is told that something is being looked at, and nobody why; the time that was left is left."""

    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await seated(hall, ada, "decisions")
        state = client.tables[ONE]
        frames: list[bytes] = []
        client.on_message = frames.append
        assert (await boss.post("/tables/one/pause", REASON)).status == 204
        await client.wait_for(lambda: state.paused)
        assert (state.paused, state.live is not None and state.live.until) == ("looking", None)
        hall.clock.ms += 1_700_000
        hall.desk(ONE).wake()
        await ask_refused("table/paused", client.decide(ONE, "stand"))
        await ask_refused("table/paused", client.bet(ONE, []))
        newcomer = await hall.at(await hall.member("bob"), ONE, bring=0)
        assert (newcomer.tables[ONE].paused, newcomer.tables[ONE].phase) == ("looking", "decisions")
        again = await boss.post("/tables/one/pause", REASON)
        assert (again.status, again.code) == (409, "table/paused")
        assert (await boss.post("/tables/one/resume", {"reason": "all is well"})).status == 204
        await client.wait_for(lambda: not state.paused)
        assert state.phase == "decisions"
        assert (await boss.post("/tables/one/resume", REASON)).code == "table/not-paused"
        await client.decide(ONE, "stand")
        await hall.until(ONE, "payout")
        assert hall.desk(ONE).table.table.balance(str(ada.player)) == BROUGHT + 1_000
        assert await hall.operators() == [
            {"type": "pause-table", "operator": boss.player, "table": ONE, **REASON},
            {"type": "resume-table", "operator": boss.player, "table": ONE, "reason": "all is well"},
        ]
        assert not [frame for frame in frames if b"ill" in frame or b"well" in frame]
        await hall.check()


@pytest.mark.slow  # every phase, each in a house of its own
@pytest.mark.rule("PLT-33", "PLT-34")
@pytest.mark.parametrize("phase", ["shuffle", "betting", "closing", "decisions", "dealer", "payout"])
async def test_a_pause_outlives_the_house(database: Database, phase: Phase) -> None:
    """Killed while it is paused, the table comes back paused; it goes on when a supervisor says so, to the cent."""
    shoes = StackedShoes(OPEN)
    url = database.url.render_as_string(hide_password=False)

    async def before() -> str:
        async with open_hall(database, shoes, FREEBET) as hall:
            ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
            if phase == "shuffle":
                await hall.at(ada, ONE, spot=0)
            else:
                await seated(hall, ada, phase)
            assert (await boss.post("/tables/one/pause", REASON)).status == 204
            return ada.name

    async def after() -> None:
        async with open_hall(Database(url), shoes, FREEBET) as hall:
            hall.clock.ms += 60_000
            ada, boss = await come_back(hall, "ada"), await come_back(hall, "boss")
            (head,) = (await hall.nobody.get("/tables")).body["tables"]
            assert head["paused"] is True
            client = await hall.at(ada, ONE, bring=0)
            assert client.tables[ONE].paused == "looking"
            assert hall.desk(ONE).table.phases.due is None
            assert (await boss.post("/tables/one/pause", REASON)).code == "table/paused"
            bets = requests.PlaceBetsRequest("a", ONE, client.tables[ONE].round or "none", ())
            await ask_refused("table/paused", client.send(bets))
            assert (await boss.post("/tables/one/resume", REASON)).status == 204
            if phase in ("shuffle", "dealer", "payout"):
                won = 0 if phase == "shuffle" else 1_000
            else:
                await hall.until(ONE, "decisions")
                await client.decide(ONE, "stand")
                await hall.until(ONE, "payout")
                won = 1_000
            assert hall.desk(ONE).table.table.balance(str(ada.player)) == BROUGHT + won
            await hall.check()

    await before()
    await after()

    async def later() -> None:
        async with open_hall(Database(url), shoes, FREEBET) as hall:
            assert hall.desk(ONE).table.table.paused == ""

    await later()


async def come_back(hall: Hall, name: str) -> Member:
    """Someone who was there before the house was opened again."""
    return await hall.member(name, path="/login")


@pytest.mark.slow  # each in a house of its own
@pytest.mark.rule("PLT-32", "PLT-33", "ASR-13", "ASR-33")
@pytest.mark.parametrize("by", ["table", "code"])
@pytest.mark.parametrize("phase", ["betting", "decisions"])
@pytest.mark.parametrize("paused", [False, True], ids=["", "paused"])
async def test_a_live_round_is_voided(database: Database, by: str, phase: Phase, paused: bool) -> None:
    """Every stake back, once; everyone is told; a pause ends with it; the order stands in the operators' stream."""

    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await seated(hall, ada, phase)
        state = client.tables[ONE]
        code = state.round
        if paused:
            await boss.post("/tables/one/pause", REASON)

        async def void() -> Answer:
            if by == "table":
                return await boss.post("/tables/one/void", REASON | {"round": code})
            return await boss.post(f"/rounds/{code}/void", REASON)

        other = f"{code[:-4]}AAAA"  # a round that the operator saw before this one
        assert (await boss.post("/tables/one/void", REASON | {"round": other})).code == "round/over"
        assert (await void()).status == 204
        await client.wait_for(lambda: state.over)
        assert [event for event in state.events if isinstance(event, RoundVoided)] == [
            RoundVoided("malfunction")  # the operator's reason is the house's own
        ]
        assert (state.phase, state.paused) == ("payout", "")
        # The own part comes after the frame for everyone, in a message of its own.
        await client.wait_for(lambda: state.me is not None and state.me.balance == BROUGHT)
        assert state.me is not None
        again = await void()
        assert (again.status, again.code) == (409, "round/over")
        assert stakes_back(database, code) == [1_000]
        orders = [order for order in await hall.operators() if order["type"] == "void-round"]
        assert orders == [{"type": "void-round", "operator": boss.player, "round": code, **REASON}]
        page = await hall.house.house.read(lambda connection: history(connection, ada.player))
        assert [(line.code, line.state, line.paid) for line in page.lines] == [(code, "voided", 0)]
        # The table goes on, and the old code voids nothing of the next round.
        await hall.until(ONE, "betting")
        await client.bet(ONE, [Bet(0, "main", 2_000)])
        assert (await boss.post(f"/rounds/{code}/void", REASON)).code == "round/over"
        assert state.round != code
        assert state.me.live is not None
        assert [bet.stake for bet in state.me.live.bets] == [2_000]
        await hall.check()


async def test_two_orders_at_once_give_back_once(database: Database) -> None:
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await seated(hall, ada, "decisions")
        code = client.tables[ONE].round
        paths = ["/tables/one/void", f"/rounds/{code}/void"] * 3
        answers = await asyncio.gather(*(boss.post(path, REASON) for path in paths))
        assert sorted(answer.status for answer in answers) == [204, *[409] * 5]
        assert {answer.code for answer in answers} == {"", "round/over"}
        assert stakes_back(database, code) == [1_000]
        await hall.check()


async def test_nothing_is_ordered_where_nothing_can_be_done(database: Database) -> None:
    """No such table, no round, not paused: refused with a code, and no order is left of it."""

    async with open_hall(database, StackedShoes(OPEN), FREEBET, MAJORITY) as hall:
        boss = await hall.member("boss", "supervisor")
        for path in ("/tables/none/pause", "/tables/none/resume", "/tables/none/void"):
            answer = await boss.post(path, REASON)
            assert (answer.status, answer.code) == (404, "table/not-open")
        assert (await boss.post("/tables/two/void", REASON)).code == "round/over"
        assert (await boss.post("/tables/two/resume", REASON)).code == "table/not-paused"
        assert (await boss.post("/tables/two/pause", {"reason": ""})).code == "request/bad"
        assert await hall.operators() == []
        # A table where nobody is can be paused, and does not begin when somebody comes.
        assert (await boss.post("/tables/two/pause", REASON)).status == 204
        client = await hall.at(await hall.member("ada"), TWO)
        assert client.tables[TWO].phase == "idle"
        assert (await boss.post("/tables/two/resume", REASON)).status == 204
        await client.wait_for(lambda: client.tables[TWO].phase == "shuffle")


@pytest.mark.parametrize("role", ["player", "presenter"])
async def test_players_and_presenters_order_nothing_of_the_kind(database: Database, role: str) -> None:
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        someone = await hall.member("someone", role)  # type: ignore[arg-type]
        for what in ("pause", "resume", "void"):
            for caller in (someone, Caller(hall)):
                answer = await caller.post(f"/tables/one/{what}", REASON)
                assert answer.code == ("login/role" if caller is someone else "login/required")
        assert hall.desk(ONE).table.table.paused == ""
        assert await hall.operators() == []


async def test_an_order_to_a_table_that_is_lost_is_answered(database: Database) -> None:
    """The table was taken by another owner: the order is not carried out, and nobody waits for it for ever."""

    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        await seated(hall, ada, "betting")
        store = hall.house.house.store
        await hall.house.house.work(lambda: store.take(ONE, 1))
        answer = await boss.post("/tables/one/pause", REASON)
        assert (answer.status, answer.code) == (503, "unit/lost")
        await until(lambda: not hall.desk(ONE).broken)  # the table is opened again, and takes orders
        assert (await boss.post("/tables/one/pause", REASON)).status == 204
        assert hall.desk(ONE).table.table.paused == "looking"
        assert {order["type"] for order in await hall.operators()} == {"pause-table"}


async def test_a_round_of_a_table_that_was_taken_out_of_the_settings(database: Database) -> None:
    """The table is opened once more to end its round and to give the money back: a supervisor may void it there."""
    shoes = StackedShoes(OPEN)
    codes: list[str] = []

    async with open_hall(database, shoes, FREEBET) as hall:
        codes.append((await seated(hall, await hall.member("ada"), "betting")).tables[ONE].round)
    again = Database(database.url.render_as_string(hide_password=False))
    async with open_hall(again, shoes, MAJORITY) as hall:
        boss = await hall.member("boss", "supervisor")
        assert (await boss.post(f"/rounds/{codes[0]}/void", REASON)).status == 204
        found = await boss.get(f"/rounds/{codes[0]}")
        assert (found.status, found.body["state"]) == (200, "voided")


@pytest.mark.rule("PLT-33", "PLT-60", "ASR-33")
async def test_a_presenter_calls_the_supervisor(database: Database) -> None:
    """The table waits and everyone is told; only the supervisor lets it go on."""

    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada, anna = await hall.member("ada"), await hall.member("anna", "presenter")
        boss = await hall.member("boss", "supervisor")
        client = await seated(hall, ada, "decisions")
        state = client.tables[ONE]
        assert (await ada.post("/tables/one/call", REASON)).code == "login/role"
        assert (await anna.post("/tables/one/pause", REASON)).code == "login/role"
        assert (await anna.post("/tables/one/call", REASON)).status == 204
        await client.wait_for(lambda: state.paused)
        assert state.paused == "called"
        assert (await anna.post("/tables/one/call", REASON)).code == "table/paused"
        assert (await anna.post("/tables/one/resume", REASON)).code == "login/role"
        assert (await boss.post("/tables/one/resume", REASON)).status == 204
        await client.wait_for(lambda: not state.paused)
        called, resumed = await hall.operators()
        assert called == {"type": "call-supervisor", "operator": anna.player, "table": ONE, **REASON}
        assert resumed["type"] == "resume-table"
