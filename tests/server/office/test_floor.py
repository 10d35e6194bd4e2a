"""The live floor on one page, and what happens there as significant events (OFF-05, OFF-11)."""

from __future__ import annotations

import pytest
import sqlalchemy

from sabot.rounds.tally import BetLine, FinishedRound
from sabot.server.office.health import HealthWatch
from sabot.server.office.round_events import RoundEvents
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.kinds import Role
from tests.support.clock import HandClock
from tests.support.hall import FREEBET, MAJORITY, open_hall
from tests.support.shoes import StackedShoes
from tests.support.site import Site

ONE, TWO = "live/one", "live/two"


@pytest.mark.rule("OFF-05", "OFF-11")
async def test_the_floor_shows_every_table(database: Database) -> None:
    async with open_hall(database, StackedShoes(), FREEBET, MAJORITY) as hall:
        ada, anna = await hall.member("ada"), await hall.member("anna", "presenter")
        boss, carla = await hall.member("boss", "supervisor"), await hall.member("carla", "auditor")
        await hall.at(ada, ONE, spot=0)
        await hall.at(anna, ONE, bring=0)
        assert (await anna.post("/tables/one/call", {"reason": "a card fell"})).status == 204
        await hall.house.house.events.flush()
        for who in (anna, boss, carla):
            one, two = (await who.get("/office/floor")).body["tables"]
            assert (one["table"], one["title"], one["viewers"], one["presenters"]) == (
                ONE,
                "Table one",
                1,
                ["anna"],
            )
            assert (one["head"]["paused"], one["head"]["humans"], one["down"], one["alarms"]) == (
                True,
                1,
                False,
                1,
            )
            assert (two["table"], two["viewers"], two["presenters"], two["alarms"]) == (TWO, 0, [], 0)
        assert (await ada.get("/office/floor")).code == "login/role"
        assert (await boss.post("/tables/one/resume", {"reason": "all is well"})).status == 204
        assert (await boss.post("/tables/two/pause", {"reason": "a card fell"})).status == 204
        await hall.house.house.events.flush()
        told = (await boss.get("/office/events")).body["events"]
        assert {(event["kind"], event["table"], event["detail"]["by"]) for event in told} == {
            ("supervisor-called", ONE, anna.player),
            ("resume", ONE, boss.player),
            ("pause", TWO, boss.player),
        }


@pytest.mark.rule("PLT-72")
async def test_who_looks_on_for_the_house_is_no_player(database: Database) -> None:
    """Not in the lobby, at the table, on the floor or in the count of a table of boxes; ada is, with two pages."""
    async with open_hall(database, StackedShoes(), FREEBET, MAJORITY) as hall:
        ada = await hall.member("ada")
        for table in (ONE, TWO):
            await hall.at(ada, table, bring=0)
            roles: dict[str, Role] = {"anna": "presenter", "boss": "supervisor", "carla": "auditor"}
            for name, role in roles.items():
                operator = await hall.member(f"{name}-{table[-3:]}", role)
                await hall.at(operator, table, bring=0)
            page = await hall.at(ada, table, bring=0)
            (shown,) = (one for one in (await ada.get("/tables")).body["tables"] if one["table"] == table)
            seen = page.tables[table].live
            assert seen is not None
            assert (shown["humans"], shown["bots"], seen.crowd.players, seen.crowd.bots) == (1, 0, 1, 0)
            found = (await operator.get("/office/floor")).body["tables"]
            assert [one["viewers"] for one in found if one["table"] == table] == [1]


@pytest.mark.rule("OFF-07")
async def test_who_is_needed_is_told(database: Database) -> None:
    """A call lasts until the table goes on, also across a restart; an alarm is told without whom it names; a proposal is
    told to those who may approve it.
    """
    async with open_hall(database, StackedShoes(), FREEBET, MAJORITY) as hall:
        anna, ada = await hall.member("anna", "presenter"), await hall.member("ada")
        boss, sara = await hall.member("boss", "administrator"), await hall.member("sara", "supervisor")
        carla = await hall.member("carla", "auditor")
        nothing: dict[str, list[object]] = {"calls": [], "cards": [], "alarms": [], "proposals": []}
        for who in (boss, sara, carla):
            assert (await who.get("/office/needed")).body == nothing
        for stranger in (ada, anna):
            assert (await stranger.get("/office/needed")).code == "login/role"

        # A pause of the supervisor's own is no call; a presenter's is, and still after the house was restarted.
        assert (await sara.post("/tables/two/pause", {"reason": "a new deck"})).status == 204
        assert (await anna.post("/tables/one/call", {"reason": "a card fell"})).status == 204
        assert (await sara.get("/office/needed")).body == nothing | {"calls": [ONE]}
        floor = (await sara.get("/office/floor")).body["tables"]
        assert [table["called"] for table in floor] == [True, False]
    async with open_hall(database, StackedShoes(), FREEBET, MAJORITY) as hall:
        boss, sara, carla, ada = [
            await hall.member(name, path="/login") for name in ("boss", "sara", "carla", "ada")
        ]
        assert (await carla.get("/office/needed")).body["calls"] == [ONE]
        assert (await sara.post("/tables/one/resume", {"reason": "it was dry"})).status == 204
        assert (await sara.get("/office/needed")).body == nothing

        # An alarm, and not what is less.
        note = hall.house.house.events.note
        note("login-failed", "warning", player=ada.player, address="192.0.2.7")
        note("login-locked", "alarm", player=ada.player, address="192.0.2.7")
        note("shoe-miscounted", "alarm", table=TWO)
        await hall.house.house.events.flush()
        alarms = (await sara.get("/office/needed")).body["alarms"]
        assert {(alarm["kind"], alarm["table"]) for alarm in alarms} == {
            ("shoe-miscounted", TWO),
            ("login-locked", None),
        }
        assert {*alarms[0]} == {"id", "at", "kind", "table"}

        # Proposals: not the own one, and roles for administrators only.
        reason = {"reason": "for the evening"}
        change = {"kind": "office", "key": "large_win", "value": 12_300}
        made = (await sara.post("/office/proposals", {"change": change, **reason})).body["id"]
        role = {"kind": "role", "player": "ada", "role": "presenter"}
        asked = (await boss.post("/office/proposals", {"change": role, **reason})).body["id"]
        waiting = [(await who.get("/office/needed")).body["proposals"] for who in (boss, sara, carla)]
        assert waiting == [[made], [], []]
        other = await hall.member("other", "administrator")
        assert (await other.get("/office/needed")).body["proposals"] == [made, asked]
        assert (await boss.post(f"/office/proposals/{made}/approve", reason)).status == 200
        assert (await boss.get("/office/needed")).body["proposals"] == []


async def test_a_page_that_asks_by_itself_does_not_keep_an_operator_awake(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        await boss.get("/office/events")
        for minutes in (15, 14):
            site.clock.ms += minutes * 60_000
            assert (await boss.get("/office/floor")).status == 200
        site.clock.ms += 60_000
        assert (await boss.get("/office/floor")).code == "login/idle"


@pytest.mark.rule("OFF-11")
async def test_voids_and_large_stakes_and_wins_are_significant(file_url: str) -> None:
    """From the thresholds of the settings on, a player's bets of a round together; real money only."""

    def finished(
        code: str, *lines: tuple[int, int, int], currency: str = "EUR", voided: bool = False
    ) -> FinishedRound:
        bets = tuple(BetLine(player, "main", 1, staked, 0, 0, paid, staked) for player, staked, paid in lines)
        players = tuple({player for player, _, _ in lines})
        return FinishedRound(
            code, 1, "solo/link", "link", "0" * 64, currency, HandClock().ms, voided, players, bets
        )

    rounds = [
        finished("fair", (1, 999, 999 + 4_999)),
        finished("large", (1, 600, 0), (1, 400, 0), (2, 100, 5_100)),
        finished("play-money", (1, 10_000, 90_000), currency="FUN"),
        finished("void", (1, 10_000, 10_000), voided=True),
    ]
    async with Site(file_url, office={"large_stake": 1_000, "large_win": 5_000}) as site:
        await site.house.write(lambda connection: RoundEvents(site.house).take_rounds(connection, rounds))
        events = schema.events.c
        query = sqlalchemy.select(events.kind, events.round, events.player, events.detail).order_by(
            events.kind
        )
        found = await site.house.read(lambda connection: connection.execute(query).all())
        assert [tuple(row) for row in found] == [
            ("large-stake", "large", 1, b'{"amount":1000}'),
            ("large-win", "large", 2, b'{"amount":5000}'),
            ("void", "void", None, b'{"game":"link"}'),
        ]


@pytest.mark.rule("OFF-11")
async def test_a_database_a_bus_and_a_clock_are_watched(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = [True]
    async with Site(file_url) as site:
        await site.house.events.flush()
        await site.house.write(lambda connection: connection.execute(schema.events.delete()))
        watch = HealthWatch(site.house, lambda: bus[0])
        watch.look()

        def wait(seconds: int) -> None:
            site.clock.ms += 1_000 * seconds
            watch.look()

        wait(1)
        bus[0] = False
        with monkeypatch.context() as away:
            away.setattr(site.house.writer, "down", True)
            for _ in range(3):
                wait(2)
        bus[0] = True
        wait(2)
        site.clock._opened += 5_000  # the clock on the wall was set
        watch.look()
        watch.look()
        await site.house.events.flush()
        events = schema.events.c
        query = sqlalchemy.select(events.kind, events.detail).order_by(events.at, events.kind, events.detail)
        found = await site.house.read(lambda connection: connection.execute(query).all())
        told = [tuple(row) for row in found]
        assert ("clock", b'{"ms":5000}') in told
        assert [row for row in told if row[0] != "clock"] == [
            ("unavailable", b'{"part":"bus"}'),
            ("unavailable", b'{"part":"database"}'),
            ("available", b'{"part":"bus","seconds":6}'),
            ("available", b'{"part":"database","seconds":6}'),
        ]
