"""Who decided each step of a round: player, player in advance, clock, vote, best strategy, operator, platform (OFF-04)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.server.tables.opening import SoloName, end_solo
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.served import main
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
#: Twice 20 against a nine with an eight.
BOTH = "10 10 9 K K 8 "


async def steps(boss: Member, code: str) -> list[tuple[str, str, int | None]]:
    """All steps of a round: kind, who decided, and whose it was."""
    found = (await boss.get(f"/office/rounds/{code}/steps")).body
    return [(step["kind"], step["by"], step["player"]) for step in found["steps"]]


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
        (told,) = (await boss.get(f"/office/rounds?code={code}")).body["rounds"]
        assert (told["players"], told["staked"], told["paid"]) == (1, 2_000, 0)
        assert told["voided"] == {"operator": boss.player, "reason": "a card fell"}
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


@pytest.mark.rule("OFF-04")
async def test_who_decided_when_one_plays_alone(database: Database) -> None:
    """The player: also the bets, which are a part of the deal. Of a round that nobody came back to: the time-out."""
    async with open_hall(database, StackedShoes(*["10 A K 9"] * 2)) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        async with PlayerClient(hall.url, ada.token, hall.http) as client:
            table = await client.open("surrender")
            await client.sit(table, 10_000)
            await client.deal(table, main(1_000), "mine")
            await client.insure(table, False)
            code = client.tables[table].round
            await client.decide(table, "stand")
            kinds = ("place-bets", "deal", "insure", "stand")
            assert await steps(boss, code) == [(kind, "player", ada.player) for kind in kinds]
            await client.deal(table, main(1_000), "mine")
            code = client.tables[table].round
        del hall.house.registry.solo[table]
        await hall.house.house.work(lambda: end_solo(hall.house.house, SoloName.parse(table)))
        assert await steps(boss, code) == [
            ("place-bets", "player", ada.player),
            ("deal", "player", ada.player),
            ("insure", "time-out", ada.player),
            ("stand", "time-out", None),
        ]


@pytest.mark.rule("OFF-04")
async def test_who_decided_while_bets_were_open(database: Database) -> None:
    """Bets and coming in are the player's; offers that nobody answered end with the time."""
    async with open_hall(database, StackedShoes("10 A K 9 8 8"), FREEBET) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        bob = await hall.member("bob")
        await hall.at(bob, ONE)
        await client.bet(ONE, [Bet(0, "main", 1_000)])
        code = client.tables[ONE].round
        await hall.until(ONE, "insurance")
        await hall.until(ONE, "decisions")
        assert await steps(boss, code) == [
            ("round-opened", "platform", None),
            ("join", "player", bob.player),
            ("place-bets", "player", ada.player),
            ("deal", "platform", None),
            ("close-offers", "time-out", None),
        ]
