"""Bots play real rounds over real sockets: no cent is lost, they are marked, and a broken connection does not end them."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from random import Random

import pytest

from sabot.bots.character import Character
from sabot.bots.group import BotGroup, BotLogin, NoTableError, find_table
from sabot.bots.player import BotPlayer, Place, Tally
from sabot.client import PlayerClient, RequestError, demo_token
from sabot.rounds.day_close import day_sums
from sabot.server.config import Rate
from sabot.server.http.services import SERVICES
from sabot.store.database import Database
from sabot.tables.live.timers import Timers
from tests.bots.house import Open, open_house, quick_sleep, running, table
from tests.support.clock import HandClock
from tests.support.hall import until
from tests.support.ledger import rows

#: The kind of database makes no difference here.
KIND = "sqlite"

pytestmark = pytest.mark.slow  # rounds on a real clock

LIVELY = Character(pace=0.05, sides=0.7, insures=0.5, starts=0.5, ahead=0.5, talks=0.5, rounds=(5, 8))


def group(house: Open, name: str, players: int, character: Character = LIVELY) -> tuple[BotGroup, Tally]:
    """Bots who think fast, at a table."""
    log_in = BotLogin(house.session, house.url)
    place = Place(house.url, f"live/{name}", house.session)
    made = BotGroup(place, log_in, 0, Random(1))
    made.bots += [
        BotPlayer(place, log_in, Random(n), made.tally, character=character, sleep=quick_sleep)
        for n in range(players)
    ]
    return made, made.tally


@pytest.mark.parametrize("game", ["freebet", "majority-us", "majority-eu"])
async def test_bots_play_a_game(database: Database, game: str) -> None:
    """They bet, decide or vote, talk, stand up and come back; afterwards the books are in order."""

    async with open_house(database, table(game)) as house:
        bots, tally = group(house, game, 4)
        deciding = "decide" if game == "freebet" else "vote"
        async with running(bots.run):
            await until(lambda: tally.rounds >= 40 and tally.moves["leave"] and tally.moves[deciding])
        assert tally.errors == {}
        assert tally.moves["bet"] >= 40
        assert tally.moves["talk"]
        assert tally.staked > 0
        assert tally.there == 0
    assert rows(database, "SELECT count(*) FROM played")[0][0] != 0


async def test_bots_are_marked_and_left_out_of_payout_reports(database: Database) -> None:
    async with open_house(database, table("freebet")) as house:
        token = await demo_token(house.session, house.url)
        async with PlayerClient(house.url, token, house.session) as person:
            await person.enter("live/freebet")
            state = person.tables["live/freebet"]
            heard: list[bytes] = []
            person.on_message = heard.append
            bots, tally = group(house, "freebet", 3)
            async with running(bots.run):
                await person.wait_for(lambda: len(state.seats) == 3)
                seats = state.seats.values()
                assert all(seat.bot and seat.name.startswith("bot-") for seat in seats)
                taken = [json.loads(frame) for frame in heard if b'"seat-taken"' in frame]
                events = [event for frame in taken for event in frame["events"]]
                assert [event["bot"] for event in events if event["type"] == "seat-taken"] == [True] * 3
                await until(lambda: tally.rounds >= 6)
    profiles = "SELECT demo, bot FROM profiles ORDER BY player"
    assert [tuple(map(bool, row)) for row in rows(database, profiles)] == [(True, False), *[(True, True)] * 3]
    with database.reading() as connection:
        (line,) = day_sums(connection, datetime.now(UTC).date())
    assert line.rounds > 0
    assert (line.staked, line.paid) == (0, 0)


async def test_a_broken_connection_is_opened_again(database: Database) -> None:
    async with open_house(database, table("majority-us")) as house:
        bots, tally = group(house, "majority-us", 3)
        async with running(bots.run):
            for _ in range(3):
                before = tally.rounds
                await until(lambda before=before: tally.rounds >= before + 3)  # type: ignore[misc]
                house.break_connections()
            await until(lambda: tally.reconnected >= 3 and tally.rounds >= 15)
        assert tally.errors == {}


async def test_a_move_refused_because_nothing_can_be_stored_is_made_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty table stays in one phase: there is no later occasion to sit down."""
    codes = ["house/down", "unit/lost", "house/busy"]
    refusals, sit = iter(codes), PlayerClient.sit

    async def sit_at_last(client: PlayerClient, table: str, amount: int, spot: int | None = None) -> None:
        if code := next(refusals, None):
            raise RequestError(code)
        await sit(client, table, amount, spot)

    monkeypatch.setattr(PlayerClient, "sit", sit_at_last)
    async with open_house(database, table("majority-eu")) as house:
        bots, tally = group(house, "majority-eu", 1)
        async with running(bots.run):
            await until(lambda: tally.rounds >= 1)
        assert tally.errors == dict.fromkeys(codes, 1)


async def test_one_with_no_money_left_comes_as_somebody_else(database: Database) -> None:
    reckless = Character(pace=0.02, stake=5.0, sides=1.0, rests=0.0, rounds=(1000, 1000))
    section = table("majority-eu", options={"main": {"minimum": 500, "maximum": 400_000}})
    async with open_house(database, section, demo_money=12_000) as house:
        bots, tally = group(house, "majority-eu", 2, reckless)
        async with running(bots.run):
            await until(lambda: len(rows(database, "SELECT player FROM profiles")) > 2)
        assert tally.errors == {}


async def test_a_table_that_is_too_dear_is_left_alone(database: Database) -> None:
    async with open_house(database, table("majority-eu"), demo_money=1_000) as house:
        bots, tally = group(house, "majority-eu", 1)
        async with running(bots.run):
            await until(lambda: tally.errors["funds/insufficient"] >= 3)
        assert len(rows(database, "SELECT player FROM profiles")) == 1


async def test_a_login_that_has_ended_is_followed_by_another(database: Database) -> None:
    async with open_house(database, table("majority-eu")) as house:
        bots, tally = group(house, "majority-eu", 1)
        async with running(bots.run):
            await until(lambda: tally.rounds >= 2)
            [(player,)] = rows(database, "SELECT player FROM profiles")
            assert isinstance(player, int)
            await house.app[SERVICES].players.log_out(player)
            house.break_connections()
            before = tally.rounds
            await until(lambda: tally.rounds >= before + 2)
        assert len(rows(database, "SELECT player FROM profiles")) == 2


async def test_bots_leave_the_table_when_they_are_stopped(database: Database) -> None:
    section = table("freebet", timers=Timers(betting=30, shuffle=0.05))
    async with open_house(database, section) as house:
        bots, tally = group(house, "freebet", 2, Character(pace=0.01, rests=1.0))
        async with running(bots.run):
            await until(lambda: len(house.desk("freebet").table.table.seats) == 2)
        await until(lambda: not house.desk("freebet").table.attendance.players)
        assert house.desk("freebet").table.table.sittings == {}
        assert tally.there == 0


async def test_a_house_that_lets_few_in_is_waited_for(database: Database) -> None:
    waited: list[float] = []
    clock = HandClock()

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        clock.steady += seconds
        await asyncio.sleep(0)

    told: list[int] = []
    few = Rate(2, 1.0)
    async with open_house(database, table("freebet"), clock=clock, rate_demo_address=few) as house:
        log_in = BotLogin(house.session, house.url, sleep=wait, waits=told.append)
        tokens = await asyncio.gather(*(log_in() for _ in range(5)))
    assert len(set(tokens)) == 5
    assert told == waited
    assert set(told) == {1}


async def test_a_table_is_looked_for(database: Database) -> None:
    euros = table("freebet", "gold", currency="EUR")
    async with open_house(database, table("freebet"), euros) as house:
        assert await find_table(house.session, house.url, "freebet") == "live/freebet"
        assert await find_table(house.session, house.url, "live/freebet") == "live/freebet"
        for name, there in (("gold", True), ("silver", False)):
            with pytest.raises(NoTableError) as refused:
                await find_table(house.session, house.url, name)
            assert (refused.value.head is not None, refused.value.known) == (there, ("freebet",))
