"""Whoever has a socket and bad intentions: odd requests to every route, people without the role any more, two logins of one."""

from __future__ import annotations

import asyncio
import csv
from typing import Any
from urllib.parse import urlencode

import pytest

from sabot.server.config import TableSection
from sabot.server.http.routes import ROUTES
from tests.server.http.test_access import BODIES, path_of
from tests.support.site import Caller, Site

TABLES = (TableSection(name="one", game="freebet", currency="FUN"),)
REASON = {"reason": "a test of strangers"}
#: Values that a field or a parameter does not expect.
ODD: tuple[Any, ...] = (
    None,
    -1,
    2**63,
    0.5,
    "\x00",
    "\ud83d",
    "' OR 1=1 --",
    "x" * 5_000,
    {},
    [[]] * 50,
)
CHANGE = {"change": {"kind": "office", "key": "large_win", "value": 900_000}, **REASON}


async def settled(caller: Caller, method: str, path: str, body: object = None, **options: Any) -> int:
    """The status of an answer; none is a failure of the house."""
    answer = await caller(method, path, body, **options)
    assert answer.status < 500, (method, path, body, answer.text)
    return answer.status


@pytest.mark.slow  # requests drawn for every route
@pytest.mark.rule("ASR-32", "OFF-06")
async def test_odd_requests_to_every_route_of_operators_are_refused(file_url: str) -> None:
    """Wrong types, huge pages, foreign cursors, other ids: refused, and the house goes on."""
    async with Site(file_url, tables=TABLES) as site:
        boss = await site.administrator()
        await site.join("ada")
        operators = [route for route in ROUTES if route.access not in ("anyone", "player")]
        for route in operators:
            path = path_of(route)
            good = BODIES.get((route.method, route.path))
            for field in good or ():
                for odd in ODD:
                    await settled(boss, route.method, path, {**(good or {}), field: odd})
            if route.method == "GET":
                fields = () if route.query is None else route.query.__struct_fields__
                needed = {name: value for name, value in NEEDED.items() if name in fields}
                for name in fields:
                    for text in ODD_TEXTS:
                        await settled(boss, "GET", f"{path}?{urlencode({**needed, name: text})}")
                for query in ("x=1", "limit=1&limit=2", "since=2000&until=1000", "%F0%9F=%FF"):
                    await settled(boss, "GET", f"{path}?{query}")
            for odd in ("0", "-1", str(2**63), "%00", "..%2f..", "x" * 300, "%F0%9F%98%80"):
                await settled(boss, route.method, path_of(route, **dict.fromkeys(NAMED, odd)), good)
        raw = {"headers": {"Content-Type": "application/json"}}
        for data in (
            b"",
            b"{",
            b"[]",
            b"null",
            b'"x"',
            b"\xff\xfe",
            b"{" * 2_000,
            b'{"a":1,"a":2}',
            b" " * 70_000,
        ):
            await settled(boss, "POST", "/office/proposals", data=data, **raw)
        assert (await boss.get("/office/control")).status == 200


ODD_TEXTS = (
    "",
    "0",
    "-1",
    "x",
    str(2**63),
    "9" * 16 + "-" + "9" * 13,
    "1-1-live/one",
    f"{2**63 - 1}/" + "Z" * 18,
    str(10**30),
    "1e9",
    "null",
    "\x00",
    "'",
    "=1+1",
    "é",
    "A" * 81,
    "1-2-3-4",
    "0001-01-01",
    "9999-12-31",
    "2026-02-30",
)
#: What some routes cannot do without.
NEEDED = {
    "currency": "EUR",
    "place": "solo/link",
    "game": "link",
    "rules": "0" * 64,
    "bet": "main",
    "format": "csv",
}
NAMED = ("id", "player", "code", "name", "table", "game")


@pytest.mark.rule("OFF-10")
async def test_two_logins_of_one_person_are_one_person(database_url: str) -> None:
    """Nobody approves an own proposal from a second login; of two others who do at once, one does."""
    async with Site(database_url, office={"two_people": True}) as site:
        ann, ben, eve = [await site.join(name) for name in ("ann", "ben", "eve")]
        for name in ("ann", "ben", "eve"):
            await site.give_role(name, "supervisor", "hired")
        again = Caller(site, (await site.come("ann")).body["token"])
        id = (await ann.post("/office/proposals", CHANGE)).body["id"]
        for login in (ann, again):
            assert (await login.post(f"/office/proposals/{id}/approve", REASON)).code == "proposal/own"
        answers = await asyncio.gather(
            *(login.post(f"/office/proposals/{id}/approve", REASON) for login in (ben, eve, ben, eve))
        )
        assert sorted(answer.code for answer in answers) == ["", *["proposal/decided"] * 3]
        assert site.house.config.office.large_win == 900_000


@pytest.mark.rule("OFF-06")
async def test_who_loses_a_role_loses_the_office_at_once(database_url: str) -> None:
    """An operator who is demoted while logged in opens nothing more, and approves nothing that was begun before."""
    async with Site(database_url, office={"two_people": True}) as site:
        boss, other = await site.administrator(), await site.administrator("other")
        ann = await site.join("ann")
        await site.give_role("ann", "supervisor", "hired")
        id = (await boss.post("/office/proposals", CHANGE)).body["id"]
        assert (await ann.get("/office/control")).status == 200
        demoted = {"change": {"kind": "role", "player": "ann", "role": "player"}, **REASON}
        role = (await boss.post("/office/proposals", demoted)).body["id"]
        assert (await ann.post(f"/office/proposals/{role}/reject", REASON)).code == "login/role"
        assert (await other.post(f"/office/proposals/{role}/approve", REASON)).status == 200
        for path in ("/office/control", "/office/players", "/office/floor", "/office/access"):
            assert (await ann.get(path)).code == "login/role"
        assert (await ann.post(f"/office/proposals/{id}/approve", REASON)).code == "login/role"
        assert (await boss.get(f"/office/proposals/{id}")).body["state"] == "open"


@pytest.mark.rule("OFF-11", "OFF-20")
async def test_no_file_holds_a_formula(file_url: str) -> None:
    """What people write begins with = + - @ in no cell of a file, and markup stays text."""
    async with Site(file_url) as site:
        boss = await site.administrator()
        ada = await site.join("ada")
        player = (await ada.get("/me")).body["player"]
        for start in ("=", "+", "-", "@"):
            reason = {"reason": f'{start}HYPERLINK("http://x","<img src=x onerror=alert(1)>")'}
            assert (await boss.post("/players/ada/vip", {"vip": 1, **reason})).status == 200
            assert (await boss.post("/players/ada/vip", {"vip": 0, **reason})).status == 200
        site.house.events.note("login-failed", "info", player=player, address="=1+1", table="@live")
        await site.house.events.flush()
        for path in ("/office/events.csv", "/office/reports/changes/file?format=csv"):
            rows = list(csv.reader((await boss.get(path)).text.lstrip("\ufeff").splitlines()))
            cells = [cell for row in rows for cell in row]
            assert any("HYPERLINK" in cell or "ada" in cell for cell in cells)
            assert [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t")] == [], path
