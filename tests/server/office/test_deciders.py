"""Who decided each step of a round: player, player in advance, clock, vote, best strategy, operator, platform (OFF-04)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
#: Twice 20 against a nine with an eight.
BOTH = "10 10 9 K K 8 "


async def deciders(hall: Hall, boss: Member, code: str) -> set[tuple[str, int | None, str]]:
    """The decisions of a round, with its deal and its void: kind, seat or box, who decided."""
    found = (await boss.get(f"/office/rounds/{code}/steps")).body
    kinds = ("deal", "stand", "void", "insure")
    return {(step["kind"], step["spot"], step["by"]) for step in found["steps"] if step["kind"] in kinds}


def turn_of(client: PlayerClient, table: str) -> int:
    """The seat or box whose turn it is."""
    view = client.tables[table].view
    assert view is not None
    assert view.turn is not None
    return view.turn[0]


@pytest.mark.rule("OFF-04")
async def test_who_decided_at_seats(database: Database) -> None:
    async with open_hall(database, StackedShoes(BOTH * 4), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await client.sit(ONE, 0, 1)

        async def dealt() -> str:
            await hall.until(ONE, "betting")
            await client.bet(ONE, [Bet(0, "main", 1_000), Bet(1, "main", 1_000)])
            await hall.until(ONE, "decisions")
            return client.tables[ONE].round

        code = await dealt()
        first = turn_of(client, ONE)
        await client.pre_decide(ONE, 1 - first, "stand")
        await client.decide(ONE, "stand")
        await hall.until(ONE, "payout")
        assert await deciders(hall, boss, code) == {
            ("deal", None, "platform"),
            ("stand", first, "player"),
            ("stand", 1 - first, "in-advance"),
        }
        code = await dealt()
        await hall.until(ONE, "payout")
        assert await deciders(hall, boss, code) == {
            ("deal", None, "platform"),
            ("stand", 0, "time-out"),
            ("stand", 1, "time-out"),
        }
        code = await dealt()
        assert (await boss.post("/tables/one/void", {"reason": "a card fell"})).status == 204
        assert await deciders(hall, boss, code) == {("deal", None, "platform"), ("void", None, "operator")}
        await hall.check()


@pytest.mark.rule("OFF-04")
async def test_who_decided_in_boxes(database: Database) -> None:
    """Two players vote in the first box; the second has one, who is played for by best strategy."""
    table = replace(MAJORITY, options={"vote_threshold": 2})
    async with open_hall(database, StackedShoes(BOTH), table) as hall:
        boss = await hall.member("boss", "supervisor")
        clients = [await hall.at(await hall.member(name), TWO) for name in ("ada", "bob")]
        for client in clients:
            await client.consent(TWO, True, True)
        await hall.until(TWO, "betting")
        await clients[0].bet(TWO, [Bet(0, "main", 1_000), Bet(1, "main", 1_000)])
        await clients[1].bet(TWO, [Bet(0, "main", 1_000)])
        await hall.until(TWO, "decisions")
        code = clients[0].tables[TWO].round
        while turn_of(clients[0], TWO) != 0:
            await hall.tick(TWO)
            await hall.heard(TWO)
        for client in clients:
            await client.vote(TWO, "stand")
        await hall.until(TWO, "payout")
        assert await deciders(hall, boss, code) == {
            ("deal", None, "platform"),
            ("stand", 0, "vote"),
            ("stand", 1, "best-strategy"),
        }
        await hall.check()
