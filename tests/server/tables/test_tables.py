"""The lobby over HTTP: every live table with its state (PLT-44)."""

from __future__ import annotations

import msgspec
import pytest

from sabot.store.database import Database
from sabot.tables.live.timers import Timers
from tests.support.hall import FREEBET, MAJORITY, open_hall
from tests.support.shoes import StackedShoes
from tests.support.site import Answer

#: The kind of database makes no difference here.
KIND = "sqlite"


@pytest.mark.rule("PLT-44", "MAJ-01")
async def test_the_lobby_shows_every_table_with_its_state(database: Database) -> None:
    async with open_hall(database, StackedShoes(), FREEBET, MAJORITY) as hall:
        freebet = {
            "table": "live/one",
            "title": "Table one",
            "game": "freebet",
            "currency": "FUN",
            "closed": "",
            "eu": False,
            "phase": "idle",
            "paused": False,
            "taken": 0,
            "seats": 7,
            "bots": 0,
            "humans": 0,
            "minimum": 100,
            "maximum": 500_000,
            "side_minimum": 100,
            "side_maximum": 10_000,
            "max_win": None,
            "vip": 0,
            "held": [None] * 7,
            "results": [],
            "video": [],
        }
        one, two = (await hall.nobody.get("/tables")).body["tables"]
        assert one == freebet
        assert (two["title"], two["eu"], two["seats"]) == (
            "Majority Rules Speed Blackjack Live (EU)",
            True,
            0,
        )
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        await hall.at(ada, "live/one", spot=3)
        await hall.at(boss, "live/one", bring=0)
        await boss.post("/tables/one/pause", {"reason": "a card fell"})
        one, two = (await hall.nobody.get("/tables")).body["tables"]
        assert one == freebet | {
            "phase": "shuffle",
            "paused": True,
            "taken": 1,
            "bots": 0,
            "humans": 1,
            "held": [None, None, None, "person", None, None, None],
        }
        assert (two["phase"], two["humans"]) == ("idle", 0)


async def test_a_house_without_live_tables_has_an_empty_lobby(database: Database) -> None:
    async with open_hall(database, StackedShoes()) as hall:
        assert (await hall.nobody.get("/tables")).body == {"tables": []}
        assert (await hall.nobody.get("/tables/one/shoe")).code == "table/not-open"


@pytest.mark.rule("PLT-66")
@pytest.mark.slow
async def test_the_guide_of_a_live_table_states_what_is_in_force_there(database: Database) -> None:
    slow = msgspec.structs.replace(FREEBET, timers=Timers(decision=33), options={"cut": 199})

    async with open_hall(database, StackedShoes(), slow) as hall:

        def words(answer: Answer) -> str:
            return "\n".join(line for section in answer.body["guide"]["it"] for line in section["lines"])

        usual = words(await hall.nobody.get("/games/freebet"))
        here = words(await hall.nobody.get("/games/freebet?table=one"))
        assert "hai 12 secondi" in usual
        assert "hai 33 secondi" in here
        assert "dopo 199 carte" in here
        other = await hall.nobody.get("/games/surrender?table=one")
        assert other.code == "table/not-open"
        assert (await hall.nobody.get("/games/freebet?table=nine")).code == "table/not-open"


@pytest.mark.rule("MAJ-06", "PLT-61")
async def test_a_table_whose_dealer_stops_shows_the_return_of_buster_there(database: Database) -> None:
    """Beside it nothing is published, and the table's rules say it."""
    stops = msgspec.structs.replace(MAJORITY, options={"buster_keeps_dealer": False})
    async with open_hall(database, StackedShoes(), stops) as hall:

        async def buster(query: str) -> tuple[float | None, str, bool]:
            page = (await hall.nobody.get(f"/games/majority-eu{query}")).body
            row = next(row for row in page["returns"] if row["bet"] == "buster")
            return row["published"], f"{row['per_stake']:.4f}", page["rules"]["buster_keeps_dealer"]

        assert await buster("") == (0.9387, "0.9387", True)
        assert await buster("?table=two") == (None, "0.8199", False)
