"""Operators change the house while it runs: proposed by one, approved by another, in force from the next round on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import sqlalchemy

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.server.config import OfficeConfig
from sabot.server.http.services import SERVICES
from sabot.server.office.in_force import SettingsInForce
from sabot.store import schema
from sabot.store.database import Database
from tests.support.clock import PATIENCE
from tests.support.hall import BROUGHT, FREEBET, MAJORITY, MONEY, Hall, Member, open_hall, until
from tests.support.refused import ask_refused
from tests.support.served import main
from tests.support.shoes import StackedShoes
from tests.support.site import Answer

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
#: 20 against a nine with an eight below: it waits for the player, and wins.
OPEN = "10 9 K 8"
ALONE = OfficeConfig(two_people=False, second_factor=False)
REASON = {"reason": "the regulator asks for it"}


def limits(minimum: int, maximum: int) -> dict[str, Any]:
    """The limits of Surrender in play money: one choice for everyone."""
    both = {"minimum": minimum, "maximum": maximum}
    choice = {"name": "standard", "main": both, "side": both}
    return {"kind": "limits", "game": "surrender", "currency": "FUN", "choices": [choice]}


def table(name: str = "one", **more: Any) -> dict[str, Any]:
    """A live table of play money."""
    return {"kind": "table", "table": {"name": name, "game": "freebet", "currency": "FUN", **more}}


def switch(open: bool, what: str, **names: str) -> dict[str, Any]:
    return {"kind": "switch", "what": what, "open": open, **names}


async def propose(by: Member, change: dict[str, Any]) -> Answer:
    return await by.post("/office/proposals", {"change": change, **REASON})


async def change(by: Member, what: dict[str, Any]) -> None:
    """Change something in a house of one."""
    made = await propose(by, what)
    assert (made.status, made.body.get("state")) == (200, "approved"), made.text


async def solo(hall: Hall, ada: Member) -> tuple[PlayerClient, str]:
    """Ada at Surrender with 100.00."""
    client = await hall.at(ada, ONE, bring=0)
    name = await client.open("surrender", "FUN")
    await client.sit(name, BROUGHT)
    return client, name


@pytest.mark.rule("OFF-10", "PLT-10")
async def test_one_proposes_and_another_approves(database: Database) -> None:
    """What is proposed changes nothing; approved by someone else it is in force, with who, when, why, before and after."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann, ben = await hall.member("ann", "supervisor"), await hall.member("ben", "administrator")
        ada, eve = await hall.member("ada"), await hall.member("eve", "auditor")
        client, name = await solo(hall, ada)
        made = await propose(ann, limits(500, 2_000))
        assert (made.status, made.body["state"], made.body["by"]) == (200, "open", "ann")
        told = {each["field"]: (each["before"], each["after"]) for each in made.body["differences"]}
        assert told["standard.main.maximum"] == (50_000, 2_000)
        id = made.body["id"]
        assert client.tables[name].snapshot.options.main.maximum == 50_000
        # Nobody approves what is their own, or without the role.
        own = await ann.post(f"/office/proposals/{id}/approve", REASON)
        assert (own.status, own.code) == (403, "proposal/own")
        for stranger in (ada, eve):
            assert (await stranger.post(f"/office/proposals/{id}/approve", REASON)).code == "login/role"
            assert (await propose(stranger, limits(1, 2))).code == "login/role"
        assert (await eve.get("/office/control")).body["waiting"] == 1
        # Of two who decide at once, one does.
        answers = await asyncio.gather(
            *(ben.post(f"/office/proposals/{id}/approve", REASON) for _ in range(3))
        )
        assert sorted(answer.code for answer in answers) == ["", "proposal/decided", "proposal/decided"]
        assert (await ann.post(f"/office/proposals/{id}/reject", REASON)).code == "proposal/decided"
        found = (await eve.get(f"/office/proposals/{id}")).body
        assert (found["state"], found["decided_by"], found["decision"]) == (
            "approved",
            "ben",
            REASON["reason"],
        )
        # The player sees the new limits, and they are enforced.
        await client.wait_for(lambda: client.tables[name].snapshot.options.main.maximum == 2_000)
        error = await ask_refused("bet/above-maximum", client.deal(name, main(2_001)))
        assert (error.params["minimum"], error.params["maximum"]) == (500, 2_000)
        rows = await hall.operators()
        assert [(row["type"], row["operator"]) for row in rows] == [
            ("propose-change", ann.player),
            ("approve-change", ben.player),
        ]
        report = (await eve.get("/office/reports/changes")).body  # with the values before and after (OFF-20)
        told = report["rows"][-2:]
        assert [row[1:3] for row in told] == [["propose-change", ann.player], ["approve-change", ben.player]]
        detail = json.loads(told[0][4])
        assert detail["subject"] == "limits/surrender/FUN"
        assert {"field": "standard.main.maximum", "before": 50_000, "after": 2_000} in detail["changes"]
        await hall.check()


@pytest.mark.rule("OFF-10", "ASR-32")
@pytest.mark.parametrize("key", ["__class__", "__struct_fields__", "__dict__", "none_of_these", "two_people"])
async def test_a_setting_that_there_is_not_cannot_be_proposed(database: Database, key: str) -> None:
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann = await hall.member("ann", "supervisor")
        made = await propose(ann, {"kind": "office", "key": key, "value": 5})
        assert (made.status, made.code) == (409, "change/unusable")


@pytest.mark.rule("OFF-16")
async def test_one_person_stops_and_two_go_on(database: Database) -> None:
    """A supervisor alone closes all games, a game, a table or a side bet at once; to open again a second person is needed."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann, ben = await hall.member("ann", "supervisor"), await hall.member("ben", "administrator")
        eve, ada = await hall.member("eve", "auditor"), await hall.member("ada")
        client, name = await solo(hall, ada)
        for stranger in (eve, ada):
            assert (await propose(stranger, switch(False, "all"))).code == "login/role"
        assert (await ann.post("/office/proposals", {"change": switch(False, "all")})).code == "request/bad"
        assert not hall.house.house.switches.closed
        stops = [
            switch(False, "bet", name="surrender", bet="player-pair"),
            switch(False, "game", name="surrender"),
            switch(False, "table", name="one"),
            switch(False, "all"),
        ]
        for stop in stops:
            made = await propose(ann, stop)
            assert (made.status, made.body["state"], made.body["decided_by"]) == (200, "approved", "ann")
        closed = {"all", "game/surrender", "table/one", "bet/surrender/player-pair"}
        assert hall.house.house.switches.closed == closed
        await ask_refused("closed/house", client.deal(name, main(1_000)))
        # A supervisor cannot open again alone.
        made = await propose(ann, switch(True, "all"))
        assert (made.status, made.body["state"]) == (200, "open")
        id = made.body["id"]
        assert (await ann.post(f"/office/proposals/{id}/approve", REASON)).code == "proposal/own"
        assert hall.house.house.switches.closed == closed
        assert (await ben.post(f"/office/proposals/{id}/approve", REASON)).body["state"] == "approved"
        assert hall.house.house.switches.closed == closed - {"all"}
        # A stop comes through whatever else is decided at the same time.
        opening = (await propose(ben, switch(True, "game", name="surrender"))).body["id"]
        answers = await asyncio.gather(
            ann.post(f"/office/proposals/{opening}/approve", REASON),
            *(propose(ben, switch(False, "game", name=game)) for game in ("surrender", "link")),
        )
        assert answers[0].code in ("", "proposal/outdated")
        assert answers[1].code in ("", "change/none")  # it was still closed when it was asked
        assert answers[2].code == ""
        assert ("game/surrender" in hall.house.house.switches.closed) == (
            answers[1].code == "" or answers[0].code != ""
        )
        assert "game/link" in hall.house.house.switches.closed
        kinds = [row["type"] for row in await hall.operators()]
        assert kinds[:4] == ["propose-change"] * 4
        await hall.check()


@pytest.mark.rule("OFF-10")
async def test_a_proposal_whose_ground_has_moved_is_made_again(database: Database) -> None:
    """Of two proposals for the same setting one is approved; the other says what was there before, and is refused."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann, ben = await hall.member("ann", "supervisor"), await hall.member("ben", "supervisor")
        first, second = [(await propose(ann, limits(100, most))).body["id"] for most in (2_000, 3_000)]
        withdrawn = (await propose(ann, limits(100, 4_000))).body["id"]
        assert (await ann.post(f"/office/proposals/{withdrawn}/reject", REASON)).body["state"] == "rejected"
        answers = await asyncio.gather(
            *(ben.post(f"/office/proposals/{id}/approve", REASON) for id in (first, second))
        )
        assert sorted(answer.code for answer in answers) == ["", "proposal/outdated"]
        assert (
            await propose(ann, limits(100, 2_000 if not answers[0].code else 3_000))
        ).code == "change/none"
        assert (await ben.post("/office/proposals/99/approve", REASON)).code == "proposal/unknown"
        pages = [
            (await ann.get(f"/office/proposals?limit=2{more}")).body for more in ("", f"&before={second}")
        ]
        assert [[each["id"] for each in page["proposals"]] for page in pages] == [
            [withdrawn, second],
            [first],
        ]
        assert [page["next"] for page in pages] == [second, None]
        waiting = (await ann.get("/office/proposals?state=open")).body["proposals"]
        assert [each["id"] for each in waiting] == [second if not answers[0].code else first]
        await hall.check()


@pytest.mark.rule("OFF-10")
async def test_roles_are_proposed_too(database: Database) -> None:
    """Administrators give roles, two of them; who was given another one meanwhile at the console is proposed again."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann, ben = await hall.member("ann", "administrator"), await hall.member("ben", "administrator")
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        role = {"kind": "role", "player": "ada", "role": "presenter"}
        assert (await propose(boss, role)).code == "login/role"
        made = await ann.post("/players/ada/role", {"role": "presenter", **REASON})
        assert (made.body["state"], made.body["player"]) == ("open", "ada")
        late = (await propose(ann, {**role, "role": "auditor"})).body["id"]
        path = f"/office/proposals/{made.body['id']}/approve"
        assert (await boss.post(path, REASON)).code == "login/role"
        assert (await ada.get("/me")).body["role"] == "player"
        assert (await ben.post(path, REASON)).status == 200
        assert (await ada.get("/me")).body["role"] == "presenter"
        assert (await ben.post(f"/office/proposals/{late}/approve", REASON)).code == "proposal/outdated"
        assert (await propose(ann, {**role, "player": "nobody"})).code == "player/none"
        await hall.check()


@pytest.mark.rule("MAJ-06", "OFF-02", "OFF-14")
async def test_whether_buster_keeps_the_dealer_changes_from_the_next_round(database: Database) -> None:
    """Twice the same cards: 16 takes a king against a ten. The first dealer draws 6 and 10 for Buster, the second nothing."""
    bust = "10 10 6 K"
    async with open_hall(database, StackedShoes(f"{bust} 6 10 {bust}"), MAJORITY, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, TWO)

        async def play() -> int:
            await hall.until(TWO, "betting")
            await client.consent(TWO, double=False, split=False)
            await client.bet(TWO, [Bet(0, "main", 1_000), Bet(0, "buster", 100)])
            await hall.until(TWO, "payout")
            view = client.tables[TWO].view
            assert view is not None
            return len(view.dealer.cards)

        await hall.until(TWO, "betting")
        section = {"name": "two", "game": "majority-eu", "currency": "FUN"}
        wrong = {"kind": "table", "table": {**section, "options": {"buster_keeps_dealer": "no"}}}
        assert coded((await propose(boss, wrong)).body["error"]).startswith("table/settings")
        await change(boss, {"kind": "table", "table": {**section, "options": {"buster_keeps_dealer": False}}})
        assert [await play(), await play()] == [3, 1]


@pytest.mark.rule("OFF-02", "OFF-14", "PLT-10")
async def test_limits_of_a_live_table_change_under_an_open_round(database: Database) -> None:
    """The round keeps the limits it began with, the next one has the new ones, and everyone there is shown them."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        new = {"main": {"minimum": 2_000, "maximum": 40_000}}
        await change(boss, table(options=new, title="The new one", timers={"betting": 30}))
        await client.bet(ONE, [Bet(0, "main", 1_000)])  # below the new minimum: it was wagered under the old
        snapshot = (await hall.at(boss, ONE, bring=0)).tables[ONE].snapshot
        assert (snapshot.options.main.minimum, snapshot.title) == (100, "Table one")
        await hall.until(ONE, "decisions")
        await client.decide(ONE, "stand")
        await hall.until(ONE, "payout")
        assert hall.desk(ONE).table.table.balance(str(ada.player)) == BROUGHT + 1_000
        await hall.until(ONE, "betting")
        state = client.tables[ONE]
        assert (state.snapshot.options.main.minimum, state.snapshot.title) == (2_000, "The new one")
        assert state.live is not None
        assert state.live.timers.betting == 30
        assert any(
            head.minimum == 2_000 and head.title == "The new one" for head in hall.house.registry.heads()
        )
        await ask_refused("bet/above-maximum", client.bet(ONE, [Bet(0, "main", 40_001)]))
        await hall.check()


@pytest.mark.rule("OFF-02")
async def test_an_idle_table_is_told_only_of_what_differs(database: Database) -> None:
    """What is proposed, or read again every half minute, moves no table's public number; what is approved moves it once."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ada = await hall.member("ada")
        ann, ben = await hall.member("ann", "supervisor"), await hall.member("ben", "supervisor")
        client, name = await solo(hall, ada)
        await client.wait_for(lambda: hall.desk(ONE).table.phases.phase == "idle")
        live = hall.desk(ONE)
        desks = [live, hall.house.registry.find(name, ada.player)]
        settings = hall.house.app[SERVICES].settings

        async def numbers() -> list[int]:
            """The numbers of the tables' last frames, after all that was asked of them is done."""
            for desk in desks:
                await desk.order(lambda _: None)
            return [desk.seq for desk in desks]

        before = await numbers()
        asked = [await propose(ann, what) for what in (table(title="Other"), limits(500, 2_000))]
        for _ in range(2):
            await settings.refresh()
        assert await numbers() == before
        for made in asked:
            assert (await ben.post(f"/office/proposals/{made.body['id']}/approve", REASON)).status == 200
        after = await numbers()
        assert [a > b for a, b in zip(after, before, strict=True)] == [True, True]
        assert live.table.terms.used.title == "Other"
        await settings.refresh()
        assert await numbers() == after
        await hall.check()


@pytest.mark.rule("OFF-02")
async def test_a_game_is_closed_under_play(database: Database) -> None:
    """Rounds that have begun are played to their end; new deals, bets and seats are refused in words, until it is open."""
    async with open_hall(database, StackedShoes(OPEN, OPEN, OPEN), FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client, name = await solo(hall, ada)
        await client.deal(name, main(1_000))
        await change(boss, switch(False, "game", name="surrender"))
        assert client.tables[name].snapshot.closed == ""
        await client.decide(name, "stand")
        await client.wait_for(lambda: client.tables[name].snapshot.closed == "game")
        error = await ask_refused("closed/game", client.deal(name, main(1_000)))
        assert error.params == {"game": "Blackjack Surrender Multihand"}
        await client.leave(name)
        await ask_refused("closed/game", client.sit(name, 1_000))
        live = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        await live.bet(ONE, [Bet(0, "main", 1_000)])
        await change(boss, switch(False, "all"))
        await ask_refused("closed/house", live.bet(ONE, [Bet(0, "main", 1_100)]))
        await live.bet(ONE, [Bet(0, "main", 900)])  # less is taken back
        assert [head.closed for head in hall.house.registry.heads()] == ["house"]
        await hall.until(ONE, "decisions")
        await live.decide(ONE, "stand")
        await hall.until(ONE, "idle")
        assert live.tables[ONE].snapshot.closed == "house"
        assert hall.desk(ONE).table.table.balance(str(ada.player)) == BROUGHT + 900
        bob = await hall.at(await hall.member("bob"), ONE, bring=0)
        await ask_refused("closed/house", bob.sit(ONE, 1_000, 1))
        await change(boss, switch(True, "all"))
        await hall.until(ONE, "betting")
        assert live.tables[ONE].snapshot.closed == ""
        shown = (await boss.get("/office/control")).body
        closed = {game["name"]: game["closed"] for game in shown["games"] if game["closed"]}
        assert (shown["open"], closed) == (True, {"surrender": "game"})
        await hall.check()


@pytest.mark.rule("OFF-02")
async def test_a_side_bet_is_closed(database: Database) -> None:
    """It is refused in words at once, gone from the options of the next round, and comes back."""
    async with open_hall(database, StackedShoes(OPEN, OPEN), FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client, name = await solo(hall, ada)
        live = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        side = "21+3"
        for game in ("surrender", "freebet"):
            await change(boss, switch(False, "bet", name=game, bet=side))
        await client.wait_for(lambda: client.tables[name].snapshot.options.side_bets_off == (side,))
        await ask_refused("closed/bet", client.deal(name, [*main(1_000), Bet(0, side, 500)]))
        await ask_refused("closed/bet", live.bet(ONE, [Bet(0, "main", 1_000), Bet(0, side, 500)]))
        await live.bet(ONE, [Bet(0, "main", 1_000)])
        await hall.until(ONE, "decisions")
        await live.decide(ONE, "stand")
        await hall.until(ONE, "betting")
        assert live.tables[ONE].snapshot.options.side_bets_off == (side,)
        await change(boss, switch(True, "bet", name="surrender", bet=side))
        await client.wait_for(lambda: client.tables[name].snapshot.options.side_bets_off == ())
        await hall.check()


@pytest.mark.rule("OFF-02")
async def test_a_table_is_opened_and_closed(database: Database) -> None:
    """A new table is there at once; a closed one finishes its round, returns the money, tells its players and is gone."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await change(boss, table("fresh", vip=0, title="Fresh"))
        assert [head.table for head in hall.house.registry.heads()] == [ONE, "live/fresh"]
        await client.enter("live/fresh")
        await hall.until(ONE, "betting")
        await client.bet(ONE, [Bet(0, "main", 1_000)])
        for name in ("one", "fresh"):
            await change(boss, {"kind": "close-table", "name": name})
        await until(lambda: "live/fresh" not in hall.house.registry.live)  # nobody sat there
        assert (await boss.get("/office/control")).body["closing"] == ["one"]
        await hall.until(ONE, "decisions")
        told: list[bytes] = []
        client.on_message = told.append
        await client.decide(ONE, "stand")
        await gone(hall, ONE)
        await until(lambda: any(b"closed/table" in frame for frame in told))
        assert any(b"money-returned" in frame for frame in told)
        assert await purse(ada) == MONEY + 1_000
        # Under the same name only the same game is opened again.
        other = {**table()["table"], "game": "majority-eu"}
        assert (await propose(boss, {"kind": "table", "table": other})).code == "table/settings"
        await change(boss, table())
        await client.enter(ONE)
        await hall.check()


@pytest.mark.rule("OFF-02")
async def test_a_table_closes_at_once_while_nobody_has_bet(database: Database) -> None:
    """With bets on it a table deals its round; without any nobody waits for the end of the betting."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        await client.bet(ONE, [Bet(0, "main", 1_000)])
        await change(boss, switch(False, "table", name="one"))
        assert hall.house.registry.live[ONE].table.phases.phase == "betting"
        await client.bet(ONE, [])  # what stands may be taken back
        await change(boss, switch(False, "all"))
        await client.wait_for(lambda: client.tables[ONE].snapshot.closed == "house")
        assert hall.house.registry.live[ONE].table.phases.phase == "idle"
        heads = (await boss.get("/games")).body["games"]
        assert {head["closed"] for head in heads} == {"house"}
        await change(boss, switch(True, "all"))
        await change(boss, {"kind": "close-table", "name": "one"})
        await gone(hall, ONE)
        assert await purse(ada) == MONEY
        await hall.check()


def coded(failure: dict[str, Any]) -> str:
    """The code of a refusal, and of each one that is the reason of it: none is a sentence in one language."""
    reason = failure["params"].get("reason")
    return f"{failure['code']}: {coded(reason)}" if isinstance(reason, dict) else str(failure["code"])


@pytest.mark.rule("OFF-02", "OFF-10", "PLT-64")
async def test_what_cannot_be_is_refused_at_the_proposal(database: Database) -> None:
    """Bad options, limits that contradict each other, names that do not exist: said plainly, and nothing is stored."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE, sitting_cap=30_000_000) as hall:
        boss = await hall.member("boss", "supervisor")
        euro = {**limits(100, 1_500_000), "currency": "EUR"}
        for bad, code in (
            (table("poor", options={"main": {"minimum": 5, "maximum": 1}}), "table/settings: option/limits"),
            (table("poor", options={"colour": "red"}), "table/settings"),
            (table("poor", options={"cut": 400}), "table/settings: option/cut"),
            (table("poor", options={"side_bets_off": ["moon"]}), "table/settings: option/bet"),
            (
                table("poor", currency="EUR", options={"main": {"minimum": 1, "maximum": 3_000_000}}),
                "table/settings: option/cap",
            ),
            (table("poor", game="link"), "table/settings: option/live-game"),
            (table("Poor Name"), "request/bad"),
            (table("poor", timers={"betting": -1}), "request/bad"),
            # Five hands can take 337,500.00 and more, the house lets 300,000.00 be brought.
            (euro, "limits/settings: option/at: option/cap"),
            (
                {**limits(100, 200), "choices": [{**limits(100, 200)["choices"][0], "cap": 6_699}]},
                "limits/settings: option/at: option/cap",
            ),
            (table("poor", cap=15_789_999), "table/settings: option/cap"),
            ({**limits(100, 200), "game": "freebet"}, "change/unusable: option/solo-game"),
            ({**limits(100, 200), "choices": []}, "request/bad"),
            (
                {**limits(100, 200), "choices": [{**limits(1, 2)["choices"][0], "vip": 1}]},
                "limits/settings: option/at: option/vip",
            ),
            (switch(False, "game", name="poker"), "change/unusable: option/game"),
            (switch(False, "game"), "change/unusable: option/switch"),
            (switch(False, "table", name="none"), "change/unusable: option/no-table"),
            (switch(False, "bet", name="link", bet="moon"), "change/unusable: option/bet"),
            (switch(True, "all"), "change/none"),
            ({"kind": "close-table", "name": "none"}, "change/none"),
            ({"kind": "office", "key": "two_people", "value": True}, "change/unusable"),
            ({"kind": "office", "key": "large_win", "value": -5}, "request/bad"),
            ({"kind": "moon"}, "request/bad"),
        ):
            answer = await propose(boss, bad)
            assert coded(answer.body["error"]) == code, (bad, answer.text)
        count = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.proposals)
        assert await hall.house.house.read(lambda connection: connection.execute(count).scalar_one()) == 0
        await change(boss, {"kind": "office", "key": "large_win", "value": 700_000})
        assert hall.house.house.config.office.large_win == 700_000
        assert (await boss.get("/office/control")).body["office"]["large_win"] == 700_000
        await hall.check()


@pytest.mark.rule("OFF-10", "OFF-02", "PLT-34")
async def test_the_log_decides_after_a_crash(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the approval and its effect, the house comes back with it; money of a closed table is returned."""
    url, shoes = database.url.render_as_string(hide_password=False), StackedShoes(OPEN)
    async with open_hall(database, shoes, FREEBET, office=ALONE) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "supervisor")
        client = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        await client.bet(ONE, [Bet(0, "main", 1_000)])
        await hall.until(ONE, "decisions")
        with monkeypatch.context() as patched:
            patched.setattr(SettingsInForce, "changed_here", lambda settings: asyncio.sleep(0))
            await change(boss, switch(False, "game", name="link"))
            await change(boss, {"kind": "close-table", "name": "one"})
        assert not hall.desk(ONE).table.terms.next().closing
    async with open_hall(Database(url), shoes, FREEBET, office=ALONE) as hall:
        assert hall.house.house.switches.why_closed("link") == "game"
        assert [section.name for section in hall.house.house.config.table] == []
        again = await hall.member("ada", path="/login")
        client = await hall.at(again, ONE, bring=0)
        assert client.tables[ONE].phase == "decisions"
        await client.decide(ONE, "stand")
        await gone(hall, ONE)
        assert await purse(again) == MONEY + 1_000
        await hall.check()


async def gone(hall: Hall, name: str) -> None:
    """Put the clock on until a table that is closing is gone."""
    async with asyncio.timeout(PATIENCE):
        while (desk := hall.house.registry.live.get(name)) is not None:
            if (due := desk.table.phases.due) is not None:
                hall.clock.steady = max(hall.clock.steady, due + 0.001)
                desk.wake()
            await asyncio.sleep(0.001)


async def purse(member: Member) -> int:
    """The play money in a player's account."""
    accounts: dict[str, int] = (await member.get("/me")).body["balances"]
    return accounts["FUN"]
