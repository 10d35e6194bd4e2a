"""The overview, the search for rounds, their steps, and reports over HTTP."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from sabot.reports import lists
from sabot.rounds.queries import stakes_of
from sabot.server.http.dispatch import PREFIX
from sabot.server.office import events
from sabot.store.database import Database, migrate
from sabot.store.register import voidings
from tests.support.clock import HOUR
from tests.support.site import Caller, Site
from tests.support.store.plans import plans_of


async def get(caller: Caller, path: str, **query: object) -> Any:
    """The body of a response that must be good."""
    answer = await caller.get(f"{path}?{urlencode(query)}" if query else path)
    assert answer.status == 200, answer.text
    return answer.body


async def at_work(site: Site) -> tuple[Caller, int, list[str]]:
    """An auditor, and a player with four rounds."""
    boss = await site.join("boss")
    await site.give_role("boss", "auditor", "reads the books")
    ada = await site.join("ada")
    await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500_000})
    player = (await ada.get("/me")).body["player"]
    codes = [await site.play(player) for _ in range(4)]
    return boss, player, codes


@pytest.mark.rule("OFF-01")
async def test_the_overview_shows_today(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, _, codes = await at_work(site)
        found = await get(boss, "/office/overview")
        heads = (await get(boss, "/office/rounds"))["rounds"]
        (day,) = found["days"]
        staked, paid = (sum(head[name] for head in heads) for name in ("staked", "paid"))
        assert day == {
            "day": day["day"],
            "currency": heads[0]["currency"],
            "rounds": len(codes),
            "voided": 0,
            "staked": staked,
            "paid": paid,
            "hold": staked - paid,
            "players": 1,
            "tables": 1,
        }
        assert found["today"] == day["day"] == "2026-08-29"
        (node,) = found["nodes"]  # a house alone has a node without a lease
        assert (node["solo"], node["sockets"], node["draining"]) == (0, 0, False)
        assert node["left_ms"] > 0
        nothing = {"seated": 0, "open_rounds": 0}
        assert found["now"] == [{"currency": money, **nothing} for money in ("EUR", "FUN")]


@pytest.mark.rule("OFF-01")
async def test_what_is_played_now_is_of_people_and_of_each_currency(database_url: str) -> None:
    """Who sits at a table and the open rounds, apart for euros and play money; a bot counts in neither."""
    async with Site(database_url) as site:
        boss, player, _ = await at_work(site)
        tables = [await site.open_round(player)]
        bot = await site.house.cashier(lambda cashier: cashier.register("bot-1", 1, demo=True, bot=True))
        await site.house.cashier(lambda cashier: cashier.deposit(bot, "EUR", 500_000, "first", 1))
        tables.append(await site.open_round(bot))
        found = await get(boss, "/office/overview")
        assert found["now"] == [
            {"currency": "EUR", "seated": 1, "open_rounds": 1},
            {"currency": "FUN", "seated": 0, "open_rounds": 0},
        ]
        for table, who in zip(tables, (player, bot), strict=True):
            await site.finish(table, who)
        assert [now["open_rounds"] for now in (await get(boss, "/office/overview"))["now"]] == [0, 0]


@pytest.mark.rule("OFF-04")
async def test_rounds_are_searched_sorted_and_paged(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, player, codes = await at_work(site)

        async def search(**query: object) -> list[str]:
            """The codes of all pages, two rounds each."""
            found: list[str] = []
            after: dict[str, object] = {}
            while True:
                page = await get(boss, "/office/rounds", limit=2, **query, **after)
                found += [head["code"] for head in page["rounds"]]
                if page["next"] is None:
                    return found
                after = {"after": page["next"]}

        heads = {head["code"]: head for head in (await get(boss, "/office/rounds"))["rounds"]}
        assert heads.keys() == set(codes)
        assert await search() == sorted(codes, reverse=True)
        assert await search(order="up") == sorted(codes)
        for name in ("staked", "paid"):
            by_amount = sorted(codes, key=lambda code: (heads[code][name], code))
            assert await search(sort=name, order="up") == by_amount
            assert await search(sort=name) == by_amount[::-1]
            least = heads[by_amount[2]][name]
            expected = sorted((code for code in codes if heads[code][name] >= least), reverse=True)
            assert await search(**{f"least_{name}": least}) == expected
            expected = sorted((code for code in codes if heads[code][name] <= least), reverse=True)
            assert await search(**{f"most_{name}": least}) == expected
            between = sorted((code for code in codes if heads[code][name] == least), reverse=True)
            assert await search(**{f"most_{name}": least, f"least_{name}": least, "sort": name}) == between
        assert await search(player=player) == sorted(codes, reverse=True)
        assert await search(player=player + 1) == []
        assert await search(code=codes[0]) == [codes[0]]
        assert await search(code=codes[0][:6], table=heads[codes[0]]["table"]) == sorted(codes, reverse=True)
        assert await search(table="live/nowhere") == []
        opened = heads[codes[0]]["opened_at"]
        assert codes[0] in await search(since=opened - 1_000, until=opened + 1_000)
        assert await search(until=opened - 1_000_000) == []
        assert await search(since=2**53 - 1) == []
        assert (
            await search(since=0) == await search(until=2**53 - 1) == await search()
        )  # codes have no century
        assert await search(until=0) == []
        assert await search(outcome="voided") == await search(outcome="open") == []
        won = [code for code in codes if heads[code]["paid"] > heads[code]["staked"]]
        assert await search(outcome="won") == sorted(won, reverse=True)
        for wrong in ({"after": "1/x"}, {"sort": "name"}, {"code": "ab%"}, {"least_paid": -1}, {"limit": 0}):
            assert (await boss.get(f"/office/rounds?{urlencode(wrong)}")).code == "request/bad"


@pytest.mark.rule("OFF-04")
async def test_a_round_has_its_steps_who_decided_and_its_proof(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, _, codes = await at_work(site)
        found = await get(boss, f"/office/rounds/{codes[0]}/steps")
        first, *_ = found["steps"]
        assert first["kind"] == "place-bets"
        assert {step["by"] for step in found["steps"]} <= {"player", "platform", "time-out"}
        # What is told of the round names the row that it is of.
        round = await get(boss, f"/rounds/{codes[0]}")
        done = {step["n"]: step["kind"] for step in found["steps"]}
        for n, moment in zip(round["rows"], round["moments"], strict=True):
            for event in moment["events"]:
                if event["type"] in ("acted", "betting-closed"):
                    assert done[n] == event.get("action", "deal")
        proof = found["proof"]
        assert len(proof["commitment"]) == 64
        assert len(proof["seed"]) == 64
        record = await boss.get(f"/office/rounds/{codes[0]}/record")
        assert proof["commitment"] in record.text
        assert (await boss.get("/office/rounds/260101-000000-AAAA/steps")).code == "round/unknown"


@pytest.mark.rule("OFF-20", "OFF-22")
async def test_reports_as_pages_and_files(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, player, codes = await at_work(site)
        page = await get(boss, "/office/reports/performance")
        names = [column["name"] for column in page["columns"]]
        whole = dict(zip(names, page["rows"][0], strict=True))
        assert (whole["bet"], whole["rounds"]) == ("all", len(codes))
        assert (page["house"], page["first"], page["closed"]) == (site.house.config.house.name, None, False)
        figure = {name: whole[name] for name in ("game", "currency", "bet", "rules")}
        rounds = (await get(boss, "/office/figures/rounds", **figure))["lines"]
        assert sorted(line["code"] for line in rounds) == sorted(codes)
        assert sum(line["staked"] for line in rounds) == whole["staked"]
        moved = (await get(boss, "/office/figures/movements", currency="EUR", payments="true"))["lines"]
        assert [(line["cause"], line["player"], line["amount"]) for line in moved] == [
            ("deposit", player, 500_000)
        ]
        for format, begin in (("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK")):
            url = f"{site.url}{PREFIX}/office/reports/activity/file?format={format}&lang=en"
            async with site.http.get(url, headers={"Authorization": f"Bearer {boss.token}"}) as file:
                assert (await file.read()).startswith(begin)
                assert f'.{format}"' in file.headers["Content-Disposition"]
        for wrong in (
            "nothing",
            "performance?first=2026-02-30",
            "performance?by=week",
            "performance?first=x",
        ):
            assert (await boss.get(f"/office/reports/{wrong}")).code == "request/bad"
        backwards = await boss.get("/office/reports/performance?first=2026-02-02&last=2026-02-01")
        assert (backwards.status, backwards.code) == (400, "report/backwards")
        # Days to come are no part of a report: nothing has happened on them.
        today = datetime.fromtimestamp(site.clock.ms / 1000, UTC).date().isoformat()
        for last in ("2026-12-31", "9999-12-31"):
            made = await get(boss, "/office/reports/liability", by="day", first=today, last=last)
            assert (made["last"], made["closed"], len(made["rows"])) == (today, False, 1)
        cursor = await boss.get("/office/figures/movements?currency=EUR&after=1-2")
        assert cursor.code == "history/no-place"
        for wrong in ("player=1", "game=link", "game=link&held=escrow&first=2026-01-01"):
            assert (await boss.get(f"/office/figures/movements?currency=EUR&{wrong}")).code == "request/bad"
        assert json.loads((await boss.get("/office/reports/payments")).text)["rows"]


@pytest.mark.rule("OFF-11", "OFF-20")
async def test_a_list_that_is_too_long_is_refused_and_never_cut(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that lacks rows would be believed: the refusal asks for a shorter interval."""
    async with Site(file_url) as site:
        boss, *_ = await at_work(site)
        for name in (lists, events):
            monkeypatch.setattr(name, "MOST_ROWS" if name is lists else "MOST_EXPORTED", 3)
        for _ in range(3):
            site.house.events.note("pause", "info", table="live/one")
        await site.house.events.flush()
        paths = ("/office/reports/events", "/office/reports/events/file?format=csv", "/office/events.csv")
        assert {(await boss.get(path)).status for path in paths} == {200}
        site.house.events.note("resume", "info", table="live/one")
        await site.house.events.flush()
        for path in paths:
            answer = await boss.get(path)
            assert (answer.status, answer.code) == (409, "report/too-long"), path
        assert (await boss.get("/office/events.csv?kind=pause")).status == 200


@pytest.mark.rule("OFF-22", "OFF-21")
async def test_a_report_keeps_the_thresholds_of_its_time(file_url: str) -> None:
    """A threshold is changed the day after: the report of a day that is over stays as it was, byte for byte."""
    async with Site(file_url) as site:
        boss = await site.join("boss")
        await site.give_role("boss", "supervisor", "runs the house")
        first = datetime.fromtimestamp(site.clock.ms / 1000, UTC).date()

        async def files(day: date) -> list[str]:
            query = f"file?format=csv&first={day}&last={day}"
            return [(await boss.get(f"/office/reports/{name}/{query}")).text for name in ("wins", "signals")]

        async def thresholds(name: str, day: date) -> dict[str, int]:
            found = (await get(boss, f"/office/reports/{name}", first=day, last=day))["thresholds"]
            return {each["name"]: each["value"] for each in found}

        site.clock.ms += 24 * HOUR
        boss = Caller(site, (await site.come("boss")).body["token"])
        before = await files(first)
        assert "5000.00" in before[0]
        for key, value in (("large_win", 900_000), ("signal_hours", 12)):
            change = {"change": {"kind": "office", "key": key, "value": value}, "reason": "the law"}
            assert (await boss.post("/office/proposals", change)).status == 200
        assert await files(first) == before
        second = first + timedelta(days=1)
        assert (await thresholds("wins", second))["large_win"] == 900_000
        assert (await thresholds("signals", second))["signal_hours"] == 12
        wrong = {"change": {"kind": "office", "key": "signal_hours", "value": 25}, "reason": "a test"}
        refused = await boss.post("/office/proposals", wrong)
        assert (refused.code, refused.body["error"]["params"]) == ("change/bounds", {"least": 1, "most": 24})


@pytest.mark.rule("OFF-21")
async def test_short_lived_accounts_of_one_address_are_noted_once(database_url: str) -> None:
    """Addresses are deleted after some days: what follows from them stays, and one who comes back is not among them."""
    async with Site(database_url) as site:
        await site.join("boss")
        await site.give_role("boss", "auditor", "reads the books")
        numbers = [(await (await site.join(f"short-{i}")).get("/me")).body["player"] for i in range(4)]
        await site.join("long")
        await site.players.sweep()
        site.clock.ms += 25 * HOUR
        for name in ("long", "boss"):
            boss = Caller(site, (await site.come(name)).body["token"])
            assert (await boss.get("/me")).status == 200
        for _ in range(3):
            await site.players.sweep()
            site.clock.ms += 2 * HOUR
        boss = Caller(site, (await site.come("boss")).body["token"])
        found = (await get(boss, "/office/reports/signals"))["rows"]
        assert [(row[0], row[1], row[4]) for row in found] == [("short-lived", n, 4) for n in numbers]
        site.clock.ms += 20 * 24 * HOUR
        await site.players.sweep()
        boss = Caller(site, (await site.come("boss")).body["token"])
        assert (await get(boss, "/office/reports/signals"))["rows"] == found


@pytest.mark.rule("OFF-04")
async def test_open_and_voided_rounds_have_stakes_and_who_voided(database_url: str) -> None:
    """An open round has the stakes and the player of the moment; a voided one those it had, and who voided it and why."""
    async with Site(database_url) as site:
        boss, player, codes = await at_work(site)
        table = await site.open_round(player)
        assert table.current is not None
        code, staked = table.current.code, table.current.round.book.purses[str(player)].staked
        assert staked > 0

        async def told() -> tuple[dict[str, Any], dict[str, Any]]:
            """The round in the list, and its own page."""
            heads = {head["code"]: head for head in (await get(boss, "/office/rounds"))["rounds"]}
            assert all(heads[each]["voided"] is None for each in codes)
            (alone,) = (await get(boss, "/office/rounds", code=code))["rounds"]
            assert alone == heads[code]
            return alone, await get(boss, f"/rounds/{code}")

        for found in await told():
            assert (found["state"], found["players"], found["staked"], found["paid"]) == (
                "open",
                1,
                staked,
                0,
            )
            assert found["voided"] is None
        share = {"player": player, "staked": staked, "paid": 0, "golden": False}
        assert (await get(boss, f"/rounds/{code}"))["shares"] == [share]

        await site.join("super")
        await site.give_role("super", "supervisor", "runs the house")
        chief = Caller(site, (await site.come("super")).body["token"])
        by = (await chief.get("/me")).body["player"]
        order = await chief.post(f"/rounds/{code}/void", {"reason": "the lights went out"})
        assert order.status == 204, order.text
        for found in await told():
            assert (found["state"], found["players"], found["staked"], found["paid"]) == (
                "voided",
                1,
                staked,
                0,
            )
            assert found["voided"] == {"operator": by, "reason": "the lights went out"}
        assert (await get(boss, f"/rounds/{code}"))["shares"] == [share]
        (last,) = [
            step
            for step in (await get(boss, f"/office/rounds/{code}/steps"))["steps"]
            if step["kind"] == "void"
        ]
        assert (last["by"], last["player"]) == ("operator", by)
        # What counts stays nothing: neither a search by amount nor the day's figures have it.
        assert code not in {
            head["code"] for head in (await get(boss, "/office/rounds", least_staked=1))["rounds"]
        }


@pytest.mark.rule("OFF-04")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_stakes_and_voidings_are_found_without_reading_the_log(database: Database) -> None:
    """Among the rows of a million rounds those of the rounds on a page are found by their indexes."""
    migrate(database)

    def read() -> None:
        stakes_of(connection, {"260829-100000-AAAA": "open", "260829-100000-AAAB": "voided"})
        voidings(connection, {"260829-100000-AAAB": 1_788_000_000_000})

    with database.reading() as connection:
        stakes, orders = plans_of(connection, read)
    assert any("log USING" in step and "log_round" in step for step in stakes), stakes
    assert any("transfers USING" in step and "(stream=? AND n=?)" in step for step in stakes), stakes
    assert any("log_voidings" in step for step in orders), orders
    assert not any(step.startswith("SCAN") for step in stakes + orders)
