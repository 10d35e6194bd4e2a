"""The shoe of a live table, checked while it is in use and when it is done, over HTTP alone (ASR-02, ASR-03)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sabot.cards import Card
from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.engine.events import CardBurnt, HoleDealt, HoleShown
from sabot.fairness.live import CardOpening, LiveShoe, ShoePromise, check_shoe
from sabot.server.http.handlers.live import PAGE
from sabot.store.database import Database
from sabot.tables.live.timers import Timers
from tests.support.hall import MAJORITY, Hall, open_hall
from tests.support.house import VAULT, CountedShoes
from tests.support.openings import check_opening
from tests.support.shoes import StackedShoes

TWO = "live/two"
#: A hole card, a burnt card, and a cut card after a few rounds.
US = replace(MAJORITY, game="majority-us", options={"burn": True, "cut": 30})


async def shoes(hall: Hall) -> dict[str, Any]:
    body: dict[str, Any] = (await hall.nobody.get("/tables/two/shoe")).body
    return body


async def proofs(hall: Hall) -> tuple[str, list[CardOpening]]:
    """The root and every opening, page after page, each checked."""
    openings: list[CardOpening] = []
    known = 0
    while True:
        page = (await hall.nobody.get(f"/tables/two/proofs?from={known}")).body
        for proof in page["proofs"]:
            opening = CardOpening(proof["position"], Card(proof["card"]), proof["salt"], tuple(proof["path"]))
            check_opening(page["root"], page["cards"], opening)
            openings.append(opening)
        known = page["next"]
        if known == page["turned"]:
            return page["root"], openings


def promise_of(told: dict[str, Any]) -> ShoePromise:
    return ShoePromise(
        told["decks"], told["commitment"], tuple(told["seeds"]), told["client_seed"], told["root"]
    )


async def playing(hall: Hall) -> PlayerClient:
    """A player at the table, with a seed in the shuffle."""
    ada = await hall.member("ada")
    client = await hall.at(ada, TWO)
    await client.consent(TWO, double=True, split=True)
    await client.seed(TWO, "Ferrara")
    return client


@pytest.mark.rule("ASR-02", "ASR-03", "MAJ-07")
async def test_every_card_turned_is_proved_at_once_and_no_other(database: Database) -> None:
    """At every step of every round of a shoe; when it is done, its seed makes every card that was seen."""

    async with open_hall(database, CountedShoes(VAULT, 0), US) as hall:
        client = await playing(hall)
        now = (await shoes(hall))["now"]
        assert now["promise"] == {"decks": 8, "commitment": client.tables[TWO].commitment} | {
            "client_seed": "",
            "seeds": [],
            "root": "",
        }
        assert (now["dealt"], now["cut"]) == (0, 30)
        assert await proofs(hall) == ("", [])
        await hall.until(TWO, "betting")
        promised = (await shoes(hall))["now"]["promise"]
        assert (promised["seeds"], promised["commitment"]) == (["Ferrara"], now["promise"]["commitment"])
        seen: dict[int, int] = {}
        rounds: set[str] = set()
        downs = 0
        while hall.desk(TWO).table.phases.phase != "shuffle":
            if hall.desk(TWO).table.phases.phase == "betting":
                await client.bet(TWO, [Bet(0, "main", 100), Bet(1, "main", 100)])
            await hall.tick(TWO)
            await hall.heard(TWO)
            live = hall.desk(TWO).table
            if live.phases.phase == "shuffle":
                break
            root, openings = await proofs(hall)
            assert root == promised["root"]
            seen = {opening.position: opening.card for opening in openings}
            assert len(seen) == len(openings)
            assert live.play.round is not None
            log, shoe = live.play.round.log, live.play.round.shoe
            assert isinstance(shoe, LiveShoe)
            assert (await shoes(hall))["now"]["dealt"] == shoe.dealt
            hole_down = sum(isinstance(event, HoleDealt) for event in log) - sum(
                isinstance(event, HoleShown) for event in log
            )
            # What is dealt and has no proof: a burnt card of each round, and the hole card until it is turned.
            missing = set(range(shoe.dealt)) - set(seen)
            rounds.add(live.play.code)
            downs += hole_down
            assert isinstance(log[0], CardBurnt)
            assert live.play.round.tape.start in missing
            assert len(missing) == len(rounds) + hole_down
        assert len(rounds) > 1
        assert downs > 0
        await hall.heard(TWO)
        done = await shoes(hall)
        before = done["before"]
        assert before["promise"] == promised
        order = check_shoe(promise_of(promised), bytes.fromhex(before["server_seed"]), seen)
        assert len(order) == 416
        assert done["now"]["promise"]["commitment"] not in (promised["commitment"], "")
        assert done["now"]["promise"]["root"] == ""
        assert (await proofs(hall))[1] == []
        await hall.check(replay=True)


@pytest.mark.rule("FRB-30", "ASR-02")
@pytest.mark.slow
async def test_two_shoes_that_alternate_are_proved_each_at_its_own_time(database: Database) -> None:
    """The next one is known by its commitment; in use it is proved against its own root, and then revealed."""

    section = replace(US, timers=Timers(shuffling_table=True))
    async with open_hall(database, CountedShoes(VAULT, 0), section) as hall:
        client = await playing(hall)
        assert (await shoes(hall))["next"] is None
        for number in range(3):
            await hall.until(TWO, "betting")
            told = await shoes(hall)
            promised, waits = told["now"]["promise"], told["next"]["commitment"]
            state = client.tables[TWO]
            assert state.live is not None
            assert (promised["commitment"], waits) == (state.commitment, state.live.next_commitment)
            assert promised["root"] == state.root
            assert promised["seeds"] == [f"{number}" if number else "Ferrara"]
            unknown = {"client_seed": "", "seeds": [], "root": ""}
            assert told["next"] == {"decks": 8, "commitment": waits} | unknown
            await client.seed(TWO, f"{number + 1}")
            seen: dict[int, int] = {}
            while (await shoes(hall))["next"]["commitment"] == waits:
                if hall.desk(TWO).table.phases.phase == "betting":
                    await client.bet(TWO, [Bet(0, "main", 100), Bet(1, "main", 100)])
                root, openings = await proofs(hall)
                assert root == promised["root"]
                seen = {opening.position: opening.card for opening in openings}
                await hall.tick(TWO)
                await hall.heard(TWO)
            assert len(seen) > 10
            assert hall.desk(TWO).table.phases.phase == "betting"
            after = await shoes(hall)
            assert after["before"]["promise"] == promised
            check_shoe(promise_of(promised), bytes.fromhex(after["before"]["server_seed"]), seen)
            assert after["now"]["promise"]["commitment"] == waits
            assert (await proofs(hall))[1] == []
        await hall.check(replay=True)


async def test_proofs_outlive_the_house(database: Database) -> None:
    """Killed in the middle of a shoe: what was turned before is still proved, and the promise is the same."""
    url = database.url.render_as_string(hide_password=False)

    async def before() -> tuple[str, list[CardOpening]]:
        async with open_hall(database, CountedShoes(VAULT, 0), replace(US, options={"burn": True})) as hall:
            client = await playing(hall)
            for _ in range(8):
                await hall.until(TWO, "betting")
                await client.bet(TWO, [Bet(0, "main", 100), Bet(1, "main", 100)])
                await hall.until(TWO, "payout")
            return await proofs(hall)

    async def after(known: tuple[str, list[CardOpening]]) -> None:
        async with open_hall(
            Database(url), CountedShoes(VAULT, 9), replace(US, options={"burn": True})
        ) as hall:
            assert len(known[1]) > PAGE
            assert await proofs(hall) == known
            ada = await hall.member("ada", path="/login")
            client = await hall.at(ada, TWO, bring=0)
            await client.consent(TWO, double=True, split=True)
            await hall.until(TWO, "betting")
            await client.bet(TWO, [Bet(0, "main", 100)])
            await hall.until(TWO, "payout")
            root, openings = await proofs(hall)
            assert root == known[0]
            assert openings[: len(known[1])] == known[1]
            assert len(openings) > len(known[1])

    await after(await before())


async def test_a_table_without_a_shoe_and_a_shoe_without_proofs(database: Database) -> None:
    """Before anyone comes there is nothing to promise; a shoe that is not sealed card by card proves nothing."""

    async with open_hall(database, StackedShoes("10 9 10 8"), MAJORITY) as hall:
        assert await shoes(hall) == {"now": None, "before": None, "next": None}
        empty = {"commitment": "", "root": "", "cards": 416, "turned": 0, "proofs": [], "next": 0}
        assert (await hall.nobody.get("/tables/two/proofs")).body == empty
        client = await playing(hall)
        await hall.until(TWO, "betting")
        await client.bet(TWO, [Bet(0, "main", 100)])
        await hall.until(TWO, "payout")
        page = (await hall.nobody.get("/tables/two/proofs")).body
        assert (page["turned"], page["proofs"], page["next"]) == (4, [], 4)
        for path in ("/tables/none/shoe", "/tables/none/proofs", "/tables/none/proofs?from=3"):
            answer = await hall.nobody.get(path)
            assert (answer.status, answer.code) == (404, "table/not-open")
        for path in ("proofs?from=-1", "proofs?from=x", "proofs?till=3", "shoe?x=1"):
            assert (await hall.nobody.get(f"/tables/two/{path}")).code == "request/bad"
