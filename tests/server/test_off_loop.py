"""Nothing waits for the database on the event loop, and nothing that fails keeps a player waiting.

The houses of these tests are watched (`off_loop.py`): whatever uses the database in the loop's thread fails its test.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest

from sabot.client import PlayerClient, RequestError
from sabot.client.connection import new_id
from sabot.errors import Refusal
from sabot.protocol import requests
from sabot.server.accounts.player_lock import PlayerLocks
from sabot.server.config import TableSection
from sabot.server.run import calm_collector
from sabot.server.tables.request_handler import RequestHandler
from sabot.store.database import Database
from sabot.store.ids import Ids
from tests.support.clock import PATIENCE
from tests.support.hall import MAJORITY, open_hall
from tests.support.served import main
from tests.support.shoes import StackedShoes

TABLE = f"live/{MAJORITY.name}"


async def test_a_table_is_played_at_while_the_database_is_busy(file_url: str) -> None:
    """Another holds the write lock: sitting down waits for it, and the loop does not."""

    database = Database(file_url)
    async with open_hall(database, StackedShoes(), MAJORITY) as hall:
        client = await hall.at(await hall.member("ada"), TABLE, bring=0)
        table = await client.open("surrender")
        with database.writing() as connection:
            connection.exec_driver_sql("UPDATE counters SET next = next")
            sat = [asyncio.create_task(client.sit(name, 1_000)) for name in (table, TABLE)]
            for _ in range(5):
                assert (await hall.nobody.get("/games")).status == 200
            assert not any(task.done() for task in sat)
        await asyncio.gather(*sat)


async def test_blocks_are_fetched_before_the_last_one_ends(database: Database) -> None:
    """On a loop numbers never wait: blocks come while half of the one before is left; without them the house is busy."""
    fetches: list[Callable[[], None]] = []
    ids = Ids(database, block=10)
    ids.fetch_in(fetches.append, ["sitting"])

    async def take(count: int) -> list[int]:
        return [ids.take("sitting") for _ in range(count)]

    assert (await take(5)) == [1, 2, 3, 4, 5]
    assert fetches == []
    assert (await take(1)) == [6]
    (fetch,) = fetches
    fetches.clear()
    fetch()
    assert (await take(14)) == list(range(7, 21))
    with pytest.raises(Refusal, match="busy"):
        (await take(1))
    with ThreadPoolExecutor(1) as pool:  # a thread may wait
        assert pool.submit(ids.take, "sitting").result() == 21
    assert len(fetches) == 1


@pytest.mark.parametrize("kept", [False, True])
async def test_a_turn_ends_whatever_becomes_of_its_block(kept: bool) -> None:
    """It fails, it is cancelled while it waits, it is cancelled before its turn has come."""

    async def fail(turns: PlayerLocks, error: type[BaseException]) -> None:
        async with turns.turn(7) as turn:
            if kept:
                turn.keep()
            raise error

    async def wait(turns: PlayerLocks, for_ever: asyncio.Future[None]) -> None:
        async with turns.turn(7):
            await for_ever

    turns = PlayerLocks()
    for error in (RuntimeError, asyncio.CancelledError):
        with pytest.raises(error):
            await fail(turns, error)
    waiting = [asyncio.create_task(wait(turns, asyncio.Future())) for _ in range(3)]
    await asyncio.sleep(0)
    for task in reversed(waiting):
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with asyncio.timeout(PATIENCE), turns.turn(7):
        pass


def late_bet(table: str) -> requests.PlaceBetsRequest:
    """Bets in a round of long ago."""
    return requests.PlaceBetsRequest(new_id(), table, "260829-104000-ABCD", tuple(main(1_000)))


Asking = Callable[[PlayerClient, str], Awaitable[None]]


@pytest.mark.parametrize(
    ("kind", "asking"),
    [
        ("solo", lambda client, table: client.sit(table, 1_000)),
        ("solo", lambda client, table: client.add_money(table, 1_000)),
        ("solo", lambda client, table: client.deal(table, main(1_000))),
        ("live", lambda client, table: client.sit(table, 1_000)),
        ("live", lambda client, table: client.add_money(table, 1_000)),
        ("live", lambda client, table: client.send(late_bet(table))),
    ],
)
async def test_a_request_that_fails_keeps_no_other_waiting(file_url: str, kind: str, asking: Asking) -> None:
    """Nobody expected it, and it is answered as such; the player's next request is carried out all the same."""

    section = TableSection(name=MAJORITY.name, game=MAJORITY.game, currency="EUR")
    async with open_hall(Database(file_url), StackedShoes("10 10 9 8"), section) as hall:
        client = await hall.at(await hall.member("ada"), TABLE, bring=0)
        table = TABLE if kind == "live" else await client.open("surrender", "EUR")
        with (
            patch.object(RequestHandler, "handle", side_effect=RuntimeError),
            pytest.raises(RequestError) as error,
        ):
            await asking(client, table)
        assert error.value.code == "house/error"
        async with asyncio.timeout(PATIENCE):
            await client.sit(table, 10_000)
            if kind == "live":
                await hall.until(table, "betting")
            else:
                await client.deal(table, main(1_000))


def test_much_that_stays_makes_nobody_wait_for_the_garbage_collector() -> None:
    """A look at all objects would hold the loop up: there is none while play makes a hundred thousand of them."""
    looks = []
    usual = gc.get_threshold()
    with calm_collector():
        gc.callbacks.append(note := lambda phase, info: looks.append(info["generation"]))
        try:
            kept = [[number] for number in range(100_000)]
        finally:
            gc.callbacks.remove(note)
    assert len(kept) == 100_000
    assert looks
    assert max(looks) == 1
    assert gc.get_threshold() == usual
