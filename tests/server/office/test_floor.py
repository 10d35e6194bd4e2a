"""The live floor on one page, and what happens there as significant events (OFF-05, OFF-11)."""

from __future__ import annotations

import pytest
import sqlalchemy

from sabot.rounds.tally import BetLine, FinishedRound
from sabot.server.office.health import HealthWatch
from sabot.server.office.round_events import RoundEvents
from sabot.store import schema
from sabot.store.database import Database
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
                2,
                ["anna"],
            )
            assert (one["head"]["paused"], one["head"]["humans"], one["down"], one["alarms"]) == (
                True,
                2,
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
