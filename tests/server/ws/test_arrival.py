"""What was read from the socket before the end of a phase counts, however long it waits in a queue (ASR-20)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import pytest
import sqlalchemy
from msgspec.structs import replace

from sabot.client import PlayerClient, RequestError
from sabot.engine import Bet
from sabot.server.accounts.players import Players
from sabot.server.tables.clock import LONGEST_WAIT
from sabot.server.ws.dispatch import Dispatcher
from sabot.store import schema
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, Hall, open_hall, until
from tests.support.house import VAULT, CountedShoes

ONE, TWO = "live/one", "live/two"
BET = [Bet(0, "main", 1000)]


class Limits:
    """The check of a player's own limits, which takes as long as the test wants."""

    def __init__(self) -> None:
        self.asked = 0
        self.answer = asyncio.Event()

    async def may_bet(self, *_: object) -> None:
        """Wait for the test."""
        self.asked += 1
        await self.answer.wait()


async def outcome(asked: Awaitable[None]) -> str:
    """The code with which a request was refused; nothing if it was not."""
    try:
        await asked
    except RequestError as error:
        return error.code
    return ""


async def at_boxes(hall: Hall, name: str = "ada") -> tuple[str, PlayerClient]:
    """A player at the table with boxes, while bets are open."""
    member = await hall.member(name)
    client = await hall.at(member, TWO)
    await client.consent(TWO, double=True, split=True)
    await hall.until(TWO, "betting")
    return str(member.player), client


def near_the_close(hall: Hall, table: str, seconds: float) -> None:
    """Put the clock to so many seconds after the end of the phase, or before it."""
    due = hall.desk(table).table.phases.due
    assert due is not None
    hall.clock.steady = due + seconds
    hall.desk(table).wake()


async def settle(hall: Hall, table: str) -> None:
    """Let the owner of a table do all that it can do now."""
    desk = hall.desk(table)
    for _ in range(3):
        await desk.order(lambda live: None)


async def late_bets(hall: Hall) -> list[dict[str, Any]]:
    """What the log says of bets that came too late."""
    await hall.heard(TWO)
    query = sqlalchemy.select(schema.log.c.body).where(schema.log.c.kind == "late-bet")
    bodies = await hall.house.house.read(lambda connection: connection.execute(query).scalars().all())
    return [json.loads(bytes(body))["detail"] for body in bodies]


@asynccontextmanager
async def slow_limits(url: str) -> AsyncIterator[tuple[Hall, Limits]]:
    """A hall with a table of each kind; every new bet waits for its limit check until the test lets it go on."""
    limits, tables = Limits(), (FREEBET, replace(MAJORITY, currency="EUR"))
    async with open_hall(Database(url), CountedShoes(VAULT, 0), *tables) as hall:
        with patch.object(Players, "may_bet", limits.may_bet):
            yield hall, limits


@pytest.mark.rule("ASR-20")
async def test_a_bet_that_came_in_time_and_waits_counts(file_url: str) -> None:
    """It is read 64 ms before the close; its limits are known only 300 ms after it. Another, read after, is late."""

    async with slow_limits(file_url) as (hall, limits):
        (first, ada), (second, bob) = await at_boxes(hall), await at_boxes(hall, "bob")
        live = hall.desk(TWO).table
        near_the_close(hall, TWO, -0.064)
        early = asyncio.create_task(outcome(ada.bet(TWO, BET)))
        await until(lambda: limits.asked == 1)
        near_the_close(hall, TWO, 0.3)
        late = asyncio.create_task(outcome(bob.bet(TWO, BET)))
        await until(lambda: limits.asked == 2)
        await settle(hall, TWO)
        assert live.phases.phase == "betting"
        limits.answer.set()
        assert (await early, await late) == ("", "bet/late")
        await until(lambda: live.phases.phase == "closing")
        assert [bet.stake for bet in live.play.bets_of(first)] == [1000]
        assert live.play.bets_of(second) == ()
        assert len(await late_bets(hall)) == 1


async def test_a_table_waits_for_nobody_for_long(file_url: str) -> None:
    """A check that takes too long does not hold the table up; the bet is then refused as late, and written down."""

    async with slow_limits(file_url) as (hall, limits):
        _, ada = await at_boxes(hall)
        live = hall.desk(TWO).table
        near_the_close(hall, TWO, -0.064)
        asked = asyncio.create_task(outcome(ada.bet(TWO, BET)))
        await until(lambda: limits.asked == 1)
        near_the_close(hall, TWO, LONGEST_WAIT - 0.5)
        await settle(hall, TWO)
        assert live.phases.phase == "betting"
        hall.clock.ms += 500
        hall.desk(TWO).wake()
        await until(lambda: live.phases.phase == "closing")
        limits.answer.set()
        assert await asked == "bet/late"
        assert [late["phase"] for late in await late_bets(hall)] == ["closing"]


async def test_what_waits_behind_another_request_of_the_same_page_counts_too(file_url: str) -> None:
    """The second bet of the page is read in time while the first is being checked, and stands in the end."""

    async with slow_limits(file_url) as (hall, limits):
        player, ada = await at_boxes(hall)
        live = hall.desk(TWO).table
        near_the_close(hall, TWO, -0.064)
        asked = [asyncio.create_task(outcome(ada.bet(TWO, [Bet(0, "main", stake)]))) for stake in (500, 700)]
        await until(lambda: len(hall.desk(TWO).in_flight) == 2)
        near_the_close(hall, TWO, 0.3)
        limits.answer.set()
        assert await asyncio.gather(*asked) == ["", ""]
        assert [bet.stake for bet in live.play.bets_of(player)] == [700]


async def test_nobody_is_waited_for_who_is_gone(file_url: str) -> None:
    """The socket is cut while its requests wait: what was read is handled, and then nothing is in flight."""

    async with slow_limits(file_url) as (hall, limits):
        _, ada = await at_boxes(hall)
        desk = hall.desk(TWO)
        asked = [asyncio.create_task(outcome(ada.bet(TWO, BET))) for _ in range(5)]
        await until(lambda: limits.asked == 1 and len(desk.in_flight) == 5)
        for task in asked:
            task.cancel()
        await ada.close()
        limits.answer.set()
        await until(lambda: len(desk.in_flight) == 0)
        near_the_close(hall, TWO, 0.0)
        await until(lambda: desk.table.phases.phase == "closing")


async def test_a_decision_that_came_in_time_counts(file_url: str) -> None:
    """A hit is read before the end of its window, behind another request that takes its time; the hand is not stood."""

    async with slow_limits(file_url) as (hall, limits):
        ada = await hall.at(await hall.member("ada"), ONE, spot=0)
        desk, reading = hall.desk(ONE), asyncio.Event()
        limits.answer.set()
        while desk.table.phases.phase != "decisions":  # a round without a decision for her is not the one
            await hall.until(ONE, "betting")
            await ada.bet(ONE, BET)
            while desk.table.phases.phase not in ("decisions", "payout"):
                await hall.tick(ONE)
            await hall.heard(ONE)
        turn = desk.table.play.turn

        async def slow_look(*_: object) -> None:
            await reading.wait()

        with patch.object(Dispatcher, "_subscribe", slow_look):
            near_the_close(hall, ONE, -0.01)
            entering = asyncio.create_task(ada.enter(ONE))
            asked = asyncio.create_task(outcome(ada.decide(ONE, "hit")))
            await until(lambda: len(desk.in_flight) == 2)
            near_the_close(hall, ONE, 0.2)
            await settle(hall, ONE)
            assert desk.table.play.turn == turn
            reading.set()
            assert await asked == ""
            entering.cancel()
        assert desk.table.play.round is not None
        assert [type(command).__name__ for command in desk.table.play.round.commands][-1] == "Hit"


@pytest.mark.rule("ASR-20")
async def test_a_frame_that_was_read_and_not_taken_up_yet_counts(file_url: str) -> None:
    """The owner's turn in the loop comes between the reading of a frame and the reader who takes it up."""

    async with slow_limits(file_url) as (hall, _):
        await at_boxes(hall)
        desk, loop = hall.desk(TWO), asyncio.get_running_loop()
        await settle(hall, TWO)
        due = desk.table.phases.due
        assert due is not None
        near_the_close(hall, TWO, 0.01)  # wakes the owner
        loop.call_soon(
            desk.in_flight.add, "bet", due - 0.01
        )  # as a reader does who was woken in the same moment
        await settle(hall, TWO)
        assert desk.table.phases.phase == "betting"
        desk.landed("bet")
        await until(lambda: desk.table.phases.phase == "closing")
