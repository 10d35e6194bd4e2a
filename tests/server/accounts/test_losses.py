"""A player's own loss limit bounds every stake of a round, the added ones too (ASR-41)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from msgspec.structs import replace

from sabot.client import PlayerClient, post
from sabot.engine import Bet
from sabot.engine.events import Option, TurnStarted
from sabot.rounds.audit import audit_house
from sabot.server.accounts.queries import day_of
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, open_hall
from tests.support.refused import ask_refused
from tests.support.served import Served, main, served
from tests.support.shoes import StackedShoes
from tests.support.site import NEWCOMER, PASSWORD

#: A hand of 11 against a ten; a pair of eights; a hand of 15 against an ace.
ELEVEN, EIGHTS, ACE_UP = "6 10 5 10", "8 10 8 9", "10 A 5 9"
LIMIT = 1_000


class Page:
    """A player with a loss limit of 10.00, on one socket."""

    def __init__(self, http: aiohttp.ClientSession, house: Served, token: str, client: PlayerClient) -> None:
        self._http = http
        self.house = house
        self.token = token
        self.client = client

    async def limit(self, amount: int) -> None:
        """Set the loss limit of the day."""
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"{self.house.url}/api/v1/protections"
        async with self._http.put(url, json={"loss_day": amount}, headers=headers) as answer:
            assert answer.status == 200

    async def sit(self, game: str) -> str:
        """Sit down with 100.00 of real money."""
        table = await self.client.open(game, "EUR")
        await self.client.sit(table, 10_000)
        return table

    def options(self, table: str) -> dict[str, Option]:
        """What the hand in turn may do."""
        turns = [event for event in self.client.tables[table].events if isinstance(event, TurnStarted)]
        return {option.action: option for option in turns[-1].options}

    async def lost(self) -> int:
        """What today's rounds cost."""
        player = next(iter(self.client.tables)).split("/")[1]
        at = self.house.clock.wall_ms()
        day = await self.house.house.read(lambda connection: day_of(connection, int(player), at))
        return day.lost


@asynccontextmanager
async def page(house: Served, name: str = "ada", limit: int | None = LIMIT) -> AsyncIterator[Page]:
    """A registered player."""
    async with aiohttp.ClientSession() as http:
        admitted = await post(
            http, house.url, "/register", {"name": name, "password": PASSWORD, "bearer": True, **NEWCOMER}
        )
        token = str(admitted["token"])
        money = {"id": "a", "currency": "EUR", "amount": 50_000}
        await post(http, house.url, "/cashier/deposit", money, token)
        async with PlayerClient(house.url, token) as client:
            made = Page(http, house, token, client)
            if limit is not None:
                await made.limit(limit)
            yield made


@asynccontextmanager
async def playing(database: Database, *rounds: str, limit: int | None = LIMIT) -> AsyncIterator[Page]:
    """A player with a limit, for rounds of these cards."""
    async with served(database, StackedShoes(*rounds)) as house:
        async with page(house, limit=limit) as made:
            yield made
        report = await house.house.work(lambda: audit_house(house.house.database, replay=False))
        assert report.findings == []


@pytest.mark.rule("ASR-41", "PLT-50")
@pytest.mark.parametrize(("cards", "action"), [(ELEVEN, "double"), (EIGHTS, "split")])
async def test_a_stake_added_in_a_round_counts_for_the_loss_limit(
    database: Database, cards: str, action: str
) -> None:
    """10.00 of 10.00 are staked: nothing more is offered, with the reason; the round can be finished."""

    async with playing(database, cards + " 10", ELEVEN) as page:
        table = await page.sit("surrender")
        await page.client.deal(table, main(1_000))
        assert page.options(table)[action].unavailable == "limit/loss"
        me = page.client.tables[table].me
        assert me is not None
        assert me.part is not None
        assert (me.part.left, me.part.balance) == (0, 9_000)
        error = await ask_refused("limit/loss", page.client.decide(table, action))
        assert error.params == {"cost": 1_000, "left": 0}
        await page.client.decide(table, "stand")
        assert await page.lost() == 1_000
        await ask_refused("protection/loss-limit", page.client.deal(table, main(100)))


@pytest.mark.rule("ASR-41", "COM-24")
async def test_insurance_counts_for_the_loss_limit(database: Database) -> None:
    async with playing(database, ACE_UP) as page:
        table = await page.sit("surrender")
        await page.client.deal(table, main(800))
        me = page.client.tables[table].me
        assert me is not None
        assert me.part is not None
        assert [offer.affordable for offer in me.part.offers] == [False]
        error = await ask_refused("limit/loss", page.client.insure(table, accept=True, spot=0))
        assert error.params == {"cost": 400, "left": 200}
        await page.client.insure(table, accept=False, spot=0)


@pytest.mark.rule("ASR-41")
async def test_what_the_limit_leaves_may_be_added(database: Database) -> None:
    async with playing(database, ELEVEN + " 2") as page:
        table = await page.sit("surrender")
        await page.client.deal(table, main(500))
        assert page.options(table)["double"].unavailable is None
        await page.client.decide(table, "double")
        assert await page.lost() == 1_000


@pytest.mark.rule("ASR-41")
async def test_a_bet_at_another_table_takes_the_room_of_a_double(database: Database) -> None:
    """5.00 here and 5.00 there of 10.00: the double that was offered here is not any more, and says so."""

    async with playing(database, ELEVEN, ELEVEN) as page:
        one, other = await page.sit("surrender"), await page.sit("cashback")
        await page.client.deal(one, main(500))
        assert page.options(one)["double"].unavailable is None
        await page.client.deal(other, main(500))
        assert page.options(one)["double"].unavailable == "limit/loss"
        assert page.options(other)["double"].unavailable == "limit/loss"
        await ask_refused("limit/loss", page.client.decide(one, "double"))
        await page.client.decide(one, "stand")
        await page.client.decide(other, "stand")
        assert await page.lost() == 1_000


@pytest.mark.rule("ASR-41", "PLT-50")
async def test_a_limit_set_in_a_round_bounds_what_is_added_at_once(database: Database) -> None:
    async with playing(database, ELEVEN, limit=None) as page:
        table = await page.sit("surrender")
        await page.client.deal(table, main(1_000))
        assert page.options(table)["double"].unavailable is None
        await page.limit(1_500)
        await page.client.wait_for(lambda: page.options(table)["double"].unavailable == "limit/loss")
        error = await ask_refused("limit/loss", page.client.decide(table, "double"))
        assert error.params == {"cost": 1_000, "left": 500}
        await page.client.decide(table, "stand")


@pytest.mark.rule("ASR-41", "PLT-34")
async def test_a_round_that_was_left_is_bounded_by_what_was_lost_since(database: Database) -> None:
    """The house opens again; the player loses elsewhere before coming back to the round."""
    token: list[str] = []
    shoes = StackedShoes(ELEVEN, ELEVEN)

    async with served(database, shoes) as house, page(house) as made:
        table = await made.sit("surrender")
        await made.client.deal(table, main(500))
        token.append(made.token)
    async with (
        served(database, shoes) as house,
        aiohttp.ClientSession() as http,
        PlayerClient(house.url, token[0]) as client,
    ):
        made = Page(http, house, token[0], client)
        other = await made.sit("cashback")
        await client.deal(other, main(500))
        await client.decide(other, "stand")
        table = await client.open("surrender", "EUR")
        view = client.tables[table].view
        assert view is not None
        doubles = [option.unavailable for option in view.options if option.action == "double"]
        assert doubles == ["limit/loss"]
        await client.decide(table, "stand", spot=0, hand=0)
        assert await made.lost() == 1_000


# At live tables

ONE, TWO = "live/one", "live/two"
SEATS, BOXES = replace(FREEBET, currency="EUR"), replace(MAJORITY, currency="EUR")


@pytest.mark.rule("ASR-41", "FRB-42", "PLT-49")
async def test_a_seat_and_a_bet_behind_are_bounded_by_the_loss_limit(database: Database) -> None:
    """Ada doubles; Bob behind her may lose no more: his single stake plays on, and he is told why."""

    async with open_hall(database, StackedShoes("8 10 7 10 10" + " 2" * 60), SEATS) as hall:
        ada, bob = await hall.member("ada"), await hall.member("bob")
        for member, limit in ((ada, 2_000), (bob, 1_500)):
            assert (await member.put("/protections", {"loss_day": limit})).status == 200
        seat, behind = await hall.at(ada, ONE, spot=0), await hall.at(bob, ONE)
        await behind.consent(ONE, double=True, split=True)
        await hall.until(ONE, "betting")
        await seat.bet(ONE, [Bet(0, "main", 1_000)])
        await behind.bet(ONE, [Bet(0, "behind", 1_000)])
        await ask_refused("protection/loss-limit", behind.bet(ONE, [Bet(0, "behind", 1_501)]))
        await hall.until(ONE, "decisions")
        await seat.decide(ONE, "double")
        await hall.heard(ONE)
        me = behind.tables[ONE].me
        assert me is not None
        assert me.part is None or [one.reason for one in me.part.declined] == ["limit/loss"]
        assert me.results.paid is not None
        assert (me.results.paid.staked, me.results.paid.paid) == (1_000, 0)
        own = seat.tables[ONE].me
        assert own is not None
        assert own.results.paid is not None
        assert own.results.paid.staked == 2_000
        await hall.until(ONE, "betting")
        await ask_refused("protection/loss-limit", seat.bet(ONE, [Bet(0, "main", 100)]))
        code = seat.tables[ONE].round
        assert code
        await hall.check()


@pytest.mark.rule("ASR-41", "MAJ-41", "MAJ-42")
async def test_followers_of_a_box_are_bounded_by_the_loss_limit(database: Database) -> None:
    """The box doubles; who may lose no more keeps the single stake and is told so."""

    async with open_hall(database, StackedShoes("6 10 5 2 10" + " 2" * 60), BOXES) as hall:
        people = {}
        for name, limit in (("ada", 1_999), ("bob", 2_000), ("carla", None)):
            member = await hall.member(name)
            if limit is not None:
                assert (await member.put("/protections", {"loss_day": limit})).status == 200
            people[name] = await hall.at(member, TWO)
            await people[name].consent(TWO, double=True, split=True)
        await hall.until(TWO, "betting")
        for client in people.values():
            await client.bet(TWO, [Bet(0, "main", 1_000)])
        await hall.until(TWO, "decisions")
        for name in ("ada", "bob"):  # two of three are enough
            await people[name].vote(TWO, "double")
        await hall.until(TWO, "dealer")
        staked = {}
        for name, client in people.items():
            me = client.tables[TWO].me
            assert me is not None
            assert me.results.paid is not None
            staked[name] = me.results.paid.staked
        assert staked == {"ada": 1_000, "bob": 2_000, "carla": 2_000}
        await hall.check()
