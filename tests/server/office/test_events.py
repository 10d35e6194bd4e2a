"""Significant events: noted, told in few rows, searched, exported (OFF-11)."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
import sqlalchemy

from sabot.server.office.batches import MOST_WAITING
from sabot.server.office.events import MOST_ADDRESSES
from sabot.store import schema
from tests.support.site import Site

MINUTE = 60_000


async def stored(site: Site) -> list[Any]:
    """The events of a house, in order of time."""
    await site.house.events.flush()
    events = schema.events.c
    query = sqlalchemy.select(schema.events).order_by(events.at, events.kind)
    return list(await site.house.read(lambda connection: connection.execute(query).all()))


@pytest.mark.rule("OFF-11")
async def test_events_are_searched_by_every_filter_and_in_pages(database_url: str) -> None:
    async with Site(database_url) as site:
        boss = await site.administrator()
        events, first = site.house.events, site.clock.ms
        events.note("pause", "info", table="live/one", reason="looking")
        site.clock.ms += 1
        events.note("void", "warning", round="260829-104000-AAAA", table="live/one")
        site.clock.ms += 1
        events.note("adjustment", "alarm", player=1, address="10.0.0.7")
        await events.flush()

        async def kinds(**query: object) -> list[str]:
            asked = "&".join(f"{name}={value}" for name, value in query.items())
            answer = await boss.get(f"/office/events?{asked}")
            assert answer.status == 200, answer.text
            return [event["kind"] for event in answer.body["events"]]

        assert await kinds() == ["adjustment", "void", "pause"]
        assert await kinds(order="oldest") == ["pause", "void", "adjustment"]
        assert await kinds(severity="warning") == ["void"]
        assert await kinds(kind="pause") == ["pause"]
        assert await kinds(player=1) == ["adjustment"]
        assert await kinds(player=2) == []
        assert await kinds(round="260829-104000-AAAA") == ["void"]
        assert await kinds(table="live/one") == ["void", "pause"]
        assert await kinds(since=first + 1, until=first + 2) == ["void"]
        for order, wanted in (
            ("newest", ["adjustment", "void", "pause"]),
            ("oldest", ["pause", "void", "adjustment"]),
        ):
            found: list[str] = []
            after: str | None = ""
            while after is not None:
                page = (await boss.get(f"/office/events?order={order}&limit=1{after}")).body
                found += [event["kind"] for event in page["events"]]
                after = None if page["next"] is None else f"&after={page['next']}"
            assert found == wanted
        (newest,) = (await boss.get("/office/events?limit=1")).body["events"]
        assert newest | {"id": ""} == {
            "id": "",
            "at": first + 2,
            "node": "",
            "severity": "alarm",
            "kind": "adjustment",
            "player": 1,
            "name": "boss",
            "round": None,
            "table": None,
            "address": "10.0.0.7",
            "times": 1,
            "detail": {},
        }
        for bad in (
            "kind=strange",
            "after=1",
            "limit=0",
            "limit=101",
            "player=x",
            "table=a%00",
            "since=-1",
            "x=1",
        ):
            assert (await boss.get(f"/office/events?{bad}")).code == "request/bad"


@pytest.mark.rule("OFF-11")
async def test_events_are_exported_as_a_file(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        site.house.events.note("pause", "info", table="live/one", reason='a "card", fell')
        site.house.events.note("void", "warning", round="260829-104000-AAAA")
        await site.house.events.flush()
        answer = await boss.get("/office/events.csv?kind=pause&lang=en")
        assert answer.headers["Content-Type"].startswith("text/csv")
        assert answer.headers["Content-Disposition"] == 'attachment; filename="events.csv"'
        head, *lines = csv.reader(io.StringIO(answer.text))
        assert [dict(zip(head, line, strict=True)) for line in lines] == [
            {
                "When": "2026-08-29T12:00:00.000Z",
                "Node": "",
                "Severity": "information",
                "Event": "Table paused",
                "Player": "",
                "Name": "",
                "Round": "",
                "Table": "live/one",
                "Address": "",
                "Times": "1",
                "Details": '{"reason":"a \\"card\\", fell"}',
            }
        ]
        italian = (await boss.get("/office/events.csv?kind=pause")).text
        assert italian.startswith(
            "Quando,Nodo,Gravità,Evento,Giocatore,Nome,Round,Tavolo,Indirizzo,Volte,Dettagli"
        )


@pytest.mark.rule("OFF-11")
async def test_a_flood_of_failed_logins_is_told_in_few_rows(file_url: str) -> None:
    """The first of an address and minute at once, the others of that minute in one row; many addresses in one too."""

    async with Site(file_url) as site:
        site.clock.ms -= site.clock.ms % MINUTE
        for _ in range(500):
            site.house.events.login_failed("10.0.0.7", None)
        assert [(row.address, row.times) for row in await stored(site)] == [("10.0.0.7", 1)]
        for number in range(1_000):
            site.house.events.login_failed(f"10.1.{number // 250}.{number % 250}", None)
        site.clock.ms += MINUTE
        site.house.events.login_failed("10.0.0.7", None)
        rows = await stored(site)
        assert len(rows) == MOST_ADDRESSES + 3
        assert sum(row.times for row in rows) == 1_501
        counted = {row.address: row.times for row in rows if row.times > 1}
        assert counted == {"10.0.0.7": 499, None: 1_000 - (MOST_ADDRESSES - 1)}


@pytest.mark.rule("OFF-11")
async def test_events_wait_for_a_database_that_is_away(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who notes one is not refused; what was noted meanwhile is stored once the database is back, and only so much."""

    async with Site(file_url) as site:
        with monkeypatch.context() as away:
            away.setattr(site.house.database, "unreachable", True)
            for number in range(MOST_WAITING + 10):
                site.house.events.note("pause", "info", number=number)
            await site.house.events.flush()
        rows = await stored(site)
        assert len(rows) == MOST_WAITING
        assert {row.kind for row in rows} == {"pause"}


async def test_a_house_that_closes_stores_what_was_noted(file_url: str) -> None:
    async with Site(file_url) as site:
        site.house.events.login_failed("10.0.0.7", None)
        site.house.events.login_failed("10.0.0.7", None)
    async with Site(file_url) as site:
        assert [row.times for row in await stored(site)] == [1, 1]


@pytest.mark.rule("OFF-11")
async def test_failed_logins_name_the_account(file_url: str) -> None:
    """Each account that there is, also in the row of the further ones; a password in the place of a name stands nowhere."""
    secret = "correct-horse-battery"
    async with Site(file_url) as site:
        boss, _, _ = await site.administrator(), await site.join("ada"), await site.join("bob")
        for name in ("ada", "bob", secret, "ada"):
            assert (await site.come(name, "a wrong password")).code == "login/wrong"
        site.clock.ms += 60_000
        await site.house.events.flush()
        told = await boss.get("/office/events?kind=login-failed")
        first, more = sorted(told.body["events"], key=lambda event: len(event["detail"]))
        assert (first["player"], first["name"], first["detail"]) == (2, "ada", {})
        assert (more["times"], more["detail"]) == (3, {"players": [2, 3], "unknown": 1})
        assert secret not in told.text
        assert (await site.come(secret, "a wrong password")).code == "login/wrong"
        await site.house.events.flush()
        told = await boss.get("/office/events?kind=login-failed")
        assert [None, {"unknown": 1}] in [[event["player"], event["detail"]] for event in told.body["events"]]
