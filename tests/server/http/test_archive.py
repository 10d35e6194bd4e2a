"""Games and rounds: what help and history show is what the engine ran and the log keeps."""

from __future__ import annotations

import pytest
import sqlalchemy

from sabot.games import CATALOGUE
from sabot.record import loads, replay
from sabot.server.http.dispatch import PREFIX
from sabot.store import schema
from tests.support.site import Site


@pytest.mark.parametrize("name", ["surrender", "link"])
async def test_help_is_read_from_the_rules(name: str, file_url: str) -> None:
    async with Site(file_url) as site:
        heads = (await site.nobody.get("/games")).body["games"]
        assert [head["name"] for head in heads] == list(CATALOGUE)
        page = (await site.nobody.get(f"/games/{name}")).body
        game = CATALOGUE[name]
        assert (page["game"]["title"], page["game"]["sha256"]) == (game.title, game.rules.sha256)
        assert page["rules"]["decks"] == game.rules.decks
        prizes = {bet["name"]: bet["prizes"] for bet in page["rules"]["side_bets"]}
        assert prizes == {bet.name: [list(prize) for prize in bet.prizes] for bet in game.rules.side_bets}
        returns = {row["bet"]: row for row in page["returns"]}
        assert list(returns) == ["main", *(bet.name for bet in game.rules.side_bets)]
        published = float(game.published["main"]) / 100
        assert returns["main"]["published"] == pytest.approx(published)
        assert returns["main"]["per_stake"] == pytest.approx(published, abs=1e-4)
        assert len(page["best"]["hard"]["16"]) == 10
        yours = [(limit["currency"], limit["name"]) for limit in page["limits"] if limit["yours"]]
        assert yours == [(currency, name) for currency in ("EUR", "FUN") for name in ("low", "standard")]


async def test_long_responses_are_compressed_for_those_who_accept_it(file_url: str) -> None:
    async with Site(file_url) as site:

        async def ask(path: str, accepted: str) -> tuple[str | None, int, object]:
            headers = {"Accept-Encoding": accepted}
            async with site.http.get(f"{site.url}{PREFIX}{path}", headers=headers) as answer:
                coding = answer.headers.get("Content-Encoding")
                return coding, int(answer.headers["Content-Length"]), await answer.json()

        plain, packed = await ask("/games", "identity"), await ask("/games", "gzip")
        assert (plain[0], packed[0]) == (None, "gzip")
        assert packed[1] < plain[1] / 3
        assert packed[2] == plain[2]
        short = await ask("/operator", "gzip, deflate")
        assert (short[0], short[1] <= 1_024) == (None, True)


async def test_an_unknown_game(file_url: str) -> None:
    async with Site(file_url) as site:
        answer = await site.nobody.get("/games/blackjack")
        assert (answer.status, answer.code) == (404, "game/unknown")


async def test_history_pages_rounds_and_records(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, boss = await site.join("ada"), await site.administrator()
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 1_000_000})
        player = (await ada.get("/me")).body["player"]
        codes = []
        for _ in range(3):
            site.clock.ms += 1000
            codes.append(await site.play(player))
        first = (await ada.get("/history?limit=2")).body
        assert [line["code"] for line in first["lines"]] == codes[:0:-1]
        second = (await ada.get(f"/history?limit=2&before={first['next']}")).body
        assert ([line["code"] for line in second["lines"]], second["next"]) == (codes[:1], None)
        view = (await ada.get(f"/history/{codes[0]}")).body
        assert view["line"].items() <= second["lines"][0].items()  # the list has its cards, too
        assert (first["totals"][0]["rounds"], second["totals"]) == (3, None)
        since = first["lines"][0]["at"]
        found = (await ada.get(f"/history?game=surrender&currency=EUR&since={since}")).body
        assert [line["code"] for line in found["lines"]] == codes[2:]
        assert (await ada.get(f"/history?until={since}&game=link")).body["lines"] == []
        assert (
            sum(moment["moved"] for moment in view["moments"])
            == view["line"]["paid"] - view["line"]["staked"]
        )
        record = await ada.get(f"/records/{codes[0]}")
        assert record.headers["Content-Type"].startswith("text/plain")
        replay(loads(record.text))
        # The back office sees it too, and others do not.
        seen = (await boss.get(f"/rounds/{codes[0]}")).body
        assert (seen["state"], seen["table"]) == ("settled", f"solo/{player}/surrender/EUR")
        assert seen["shares"] == [
            {
                "player": player,
                "staked": view["line"]["staked"],
                "paid": view["line"]["paid"],
                "golden": False,
            }
        ]
        assert (await boss.get(f"/history/{codes[0]}")).code == "round/unknown"


async def test_a_player_is_led_back_to_an_open_round(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, boss = await site.join("ada"), await site.administrator()
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 1_000_000})
        player = (await ada.get("/me")).body["player"]
        assert (await ada.get("/me")).body["seats"] == []
        table = await site.open_round(player)
        (seat,) = (await ada.get("/me")).body["seats"]
        assert table.current is not None
        code = table.current.code
        assert (seat["table"], seat["round"], seat["game"]) == (table.config.name, code, "surrender")
        assert (seat["brought"], seat["currency"]) == (100_000, "EUR")
        assert seat["balance"] == table.balance(str(player))
        assert (await ada.get(f"/records/{code}")).code == "round/unknown"  # it is not over
        assert (await boss.get(f"/rounds/{code}")).body["state"] == "open"
        await site.finish(table, player)
        assert (await ada.get("/me")).body["seats"] == []
        assert (await ada.get(f"/records/{code}")).status == 200


@pytest.mark.rule("PLT-43")
async def test_settings_follow_the_player(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, bob = await site.join("ada"), await site.join("bob")
        usual = (await ada.get("/settings")).body
        assert usual["sound"] == {"muted": False, "voice": 80, "game": 80}
        changed = {"language": "it", "sound": {"muted": True}, "four_colours": True}
        told = (await ada.put("/settings", changed)).body
        assert told == usual | changed | {"sound": {"muted": True, "voice": 80, "game": 80}}
        elsewhere = (await site.come("ada")).body["token"]
        assert (await site.page(elsewhere).get("/settings")).body == told
        assert (await bob.get("/settings")).body == usual
        for wrong in ({"sound": {"voice": 101}}, {"language": "fr"}, {"x": 1}, {"client_seed": "\0"}):
            assert (await ada.put("/settings", wrong)).code == "request/bad"
        # Kept by another release: what is no longer known goes, the rest stays; what cannot be read is as usual.
        for kept, read in (('{"video":"low","focus":true}', usual | {"focus": True}), ('{"focus":1}', usual)):
            with site.database.writing() as connection:
                connection.execute(sqlalchemy.update(schema.settings).values(value=kept.encode()))
            assert (await ada.get("/settings")).body == read
        assert "video" not in usual
