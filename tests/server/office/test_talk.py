"""What is said at tables is kept 90 days, readable by the office, shown by the next owner of the table (OFF-15)."""

from __future__ import annotations

import pytest

from sabot.client import PlayerClient
from sabot.server.office.talk import KEPT_MS
from sabot.store.database import Database
from tests.support.hall import FREEBET, Hall, open_hall
from tests.support.shoes import StackedShoes

ONE = "live/one"
REASON = {"reason": "an insult"}


async def say(hall: Hall, client: PlayerClient, *texts: str) -> None:
    for text in texts:
        hall.clock.ms += 2_000
        await client.say(ONE, text)


@pytest.mark.rule("OFF-15")
async def test_what_is_said_is_kept_and_read_by_the_office(database: Database) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, bob = await hall.member("ada"), await hall.member("bob")
        boss, carla = await hall.member("boss", "supervisor"), await hall.member("carla", "auditor")
        hers, his = await hall.at(ada, ONE, bring=0), await hall.at(bob, ONE, bring=0)
        await say(hall, hers, "hello", "a very bad line")
        await say(hall, his, "good day")
        bad = next(line.id for line in hall.house.registry.chat.before(ONE) if "bad" in line.text)
        assert (await boss.post("/tables/one/unsay", {"id": bad, **REASON})).status == 204
        muting = {"player": "ada", "minutes": 5, **REASON}
        assert (await boss.post("/tables/one/mute", muting)).status == 204
        await hall.house.registry.chat.flush()

        async def read(query: str = "") -> list[str]:
            answer = await carla.get(f"/office/talk?{query}")
            assert answer.status == 200, answer.text
            return [line["line"] for line in answer.body["lines"]]

        assert await read() == ["good day", "a very bad line", "hello"]
        assert await read(f"player={ada.player}") == ["a very bad line", "hello"]
        assert await read("removed=true") == ["a very bad line"]
        assert await read("removed=false") == ["good day", "hello"]
        assert await read("table=live/two") == []
        lines = (await boss.get("/office/talk")).body["lines"]
        assert [line["removed_by"] for line in lines] == [None, boss.player, None]
        muted = hall.clock.ms + 5 * 60_000
        assert [line["muted_until"] for line in lines] == [None, muted, muted]
        assert await read(f"since={lines[1]['at']}&until={lines[0]['at']}") == ["a very bad line"]
        found: list[str] = []
        after: str | None = ""
        while after is not None:
            page = (await carla.get(f"/office/talk?limit=1{after}")).body
            found += [line["line"] for line in page["lines"]]
            after = None if page["next"] is None else f"&before={page['next']}"
        assert found == ["good day", "a very bad line", "hello"]
        for wrong in ("before=x", "before=1-2-3", "player=0", "table=a%00", "removed=2"):
            assert (await boss.get(f"/office/talk?{wrong}")).code == "request/bad"
        assert (await bob.get("/office/talk")).code == "login/role"


@pytest.mark.rule("OFF-15")
async def test_the_next_owner_shows_the_last_lines_and_old_ones_are_deleted(database: Database) -> None:
    url = database.url.render_as_string(hide_password=False)
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        hers = await hall.at(await hall.member("ada"), ONE, bring=0)
        boss = await hall.member("boss", "supervisor")
        await say(hall, hers, *(f"line {number}" for number in range(40)))
        last = hall.house.registry.chat.before(ONE)[-1].id
        assert (await boss.post("/tables/one/unsay", {"id": last, **REASON})).status == 204
        at = hall.clock.ms
    async with open_hall(Database(url), StackedShoes(), FREEBET) as hall:
        chat = hall.house.registry.chat
        assert [line.text for line in chat.before(ONE)] == [f"line {number}" for number in range(9, 39)]
        hers = await hall.at(await hall.member("ada", path="/login"), ONE, bring=0)
        await say(hall, hers, "once more")
        ids = [line.id for line in chat.before(ONE)]
        assert ids == sorted(set(ids))
        hall.clock.ms = at + KEPT_MS
        await chat.sweep()
        await chat.open(ONE)
        assert [line.text for line in chat.before(ONE)] == []  # the last line was removed from the screens
        boss = await hall.member("boss", path="/login")
        kept = (await boss.get("/office/talk?limit=100")).body["lines"]
        assert [line["line"] for line in kept] == ["line 39"]
