"""Every route of the table, with a wrong, an expired, a revoked and no login, and with another player's (ASR-31)."""

from __future__ import annotations

import re

import pytest

from sabot.server.config import DeviceSection, TableSection
from sabot.server.http.dispatch import ROLES, Access, Route
from sabot.server.http.routes import ROUTES
from sabot.store.kinds import Role
from tests.support.clock import HOUR
from tests.support.site import NEWCOMER, PASSWORD, Caller, Site

#: The kind of database makes no difference here.
KIND = "sqlite"

#: A body that each route takes, by its path.
BODIES: dict[tuple[str, str], dict[str, object]] = {
    ("POST", "/register"): {"name": "newcomer", "password": PASSWORD, "bearer": True, **NEWCOMER},
    ("POST", "/terms"): {"version": "1"},
    ("POST", "/tables/{table}/call"): {"reason": "a card fell"},
    ("POST", "/login"): {"name": "ada", "password": PASSWORD, "bearer": True},
    ("POST", "/demo"): {"bearer": True},
    ("PUT", "/password"): {"old": PASSWORD, "new": "another password"},
    ("PUT", "/settings"): {"focus": True},
    ("POST", "/cashier/deposit"): {"id": "one", "currency": "EUR", "amount": 100},
    ("POST", "/cashier/withdraw"): {"id": "two", "currency": "EUR", "amount": 100},
    ("PUT", "/protections"): {"loss_day": 1000},
    ("POST", "/players/{name}/role"): {"role": "presenter", "reason": "hired"},
    ("POST", "/players/{name}/vip"): {"vip": 1, "reason": "plays a lot"},
    ("POST", "/players/{name}/golden"): {
        "id": "three",
        "currency": "EUR",
        "value": 500,
        "count": 1,
        "reason": "a gift",
    },
    ("POST", "/tables/{table}/pause"): {"reason": "a card fell"},
    ("POST", "/tables/{table}/resume"): {"reason": "all is well"},
    ("POST", "/tables/{table}/void"): {"reason": "a malfunction"},
    ("POST", "/tables/{table}/mute"): {"player": "ada", "minutes": 1, "reason": "an insult"},
    ("POST", "/tables/{table}/unsay"): {"id": 1, "reason": "an insult"},
    ("POST", "/rounds/{code}/void"): {"reason": "a malfunction"},
    ("POST", "/office/proposals"): {
        "change": {"kind": "office", "key": "large_win", "value": 900_000},
        "reason": "a test",
    },
    ("POST", "/office/proposals/{id}/approve"): {"reason": "a test"},
    ("POST", "/office/proposals/{id}/reject"): {"reason": "a test"},
    ("POST", "/office/self-check/accept"): {"reason": "a test"},
    ("POST", "/office/monitoring/seen"): {
        "place": "solo/link",
        "game": "link",
        "rules": "0" * 64,
        "currency": "EUR",
        "bet": "main",
        "reason": "a test",
    },
    ("POST", "/office/players/{player}/lock"): {"reason": "a fraud"},
    ("POST", "/office/players/{player}/unlock"): {"reason": "no fraud"},
    ("POST", "/office/players/{player}/notes"): {"line": "calls often"},
    ("POST", "/office/players/{player}/adjust"): {
        "id": "four",
        "currency": "EUR",
        "amount": 100,
        "reason": "a mistake",
    },
    ("POST", "/studio/{table}/orders"): {"type": "touch"},
    ("POST", "/studio/{table}/cards"): {"scan": 1, "card": "10h"},
    ("POST", "/studio/{table}/scans"): {"scan": 1, "code": "x7f2c09a"},
    ("POST", "/office/prove"): {"password": PASSWORD},
    ("POST", "/office/second-factor"): {"password": PASSWORD},
    ("POST", "/office/second-factor/confirm"): {"code": "000000"},
    ("POST", "/office/recovery-codes"): {"password": PASSWORD},
    ("POST", "/office/users/{name}/reset-second-factor"): {"reason": "a lost phone"},
    ("POST", "/office/users/{name}/unlock"): {"reason": "it was her"},
}
#: What stands in a path.
NAMES = {
    "id": "1",
    "player": "2",
    "code": "260829-104000-AAAA",
    "game": "surrender",
    "name": "ada",
    "table": "one",
}
TABLES = (TableSection(name="one", game="freebet", currency="FUN"),)
GUARDED = [route for route in ROUTES if route.access not in ("anyone", "device")]
DEVICES = [route for route in ROUTES if route.access == "device"]
OPEN = [route for route in ROUTES if route.access == "anyone"]


def path_of(route: Route, **names: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: (NAMES | names)[found[1]], route.path)


def id_of(route: Route) -> str:
    return f"{route.method} {route.path}"


async def ask(caller: Caller, route: Route, **names: str) -> tuple[int, str]:
    answer = await caller(route.method, path_of(route, **names), BODIES.get((route.method, route.path)))
    return answer.status, answer.code


def test_the_table_above_has_every_body() -> None:
    assert BODIES.keys() == {(route.method, route.path) for route in ROUTES if route.body is not None}


@pytest.mark.slow  # every route, many logins
@pytest.mark.rule("ASR-31")
async def test_no_route_of_a_player_opens_without_a_login_that_holds(database_url: str) -> None:
    """Without a token, with a wrong one, with one that has expired, with one that was revoked; as cookie too."""

    async with Site(database_url) as site:
        ada = await site.join("ada")
        revoked = Caller(site, (await site.come("ada")).body["token"])
        await revoked.post("/logout")
        strangers = [Caller(site, token) for token in ("", "x", "A" * 43, "è", ada.token[:-1], "A" * 5000)]
        strangers += [revoked, site.page(), site.page("A" * 43), site.page(revoked.token)]
        for route in GUARDED:
            for stranger in strangers:
                assert await ask(stranger, route) == (401, "login/required"), id_of(route)
        site.clock.ms += 24 * HOUR
        for route in GUARDED:
            for stranger in (ada, site.page(ada.token)):
                assert await ask(stranger, route) == (401, "login/required"), id_of(route)
        with site.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM protections").scalar() == 0
            assert connection.exec_driver_sql("SELECT count(*) FROM transfers").scalar() == 0


@pytest.mark.rule("ASR-31", "STU-04")
async def test_a_route_of_devices_opens_for_a_token_of_the_settings_and_nobody_else(file_url: str) -> None:
    """Not for an operator either; a device's token opens nothing else, and nothing at another table."""
    tokens = ["shoe-token-of-thirty-two-letters", "S" * 200]
    devices = [
        DeviceSection(name="shoe", table=table, token=token)
        for table, token in zip(("one", "two"), tokens, strict=True)
    ]
    async with Site(file_url, tables=TABLES, devices=tuple(devices)) as site:
        boss = await site.administrator()
        wrong = ("", "x", tokens[0][:-1], tokens[0] + "x", "è" * 32, "A" * 5000, boss.token)
        strangers = [*(Caller(site, token) for token in wrong), site.page(boss.token), site.page(tokens[0])]
        shoe, other = (Caller(site, token) for token in tokens)
        for route in DEVICES:
            for stranger in strangers:
                assert await ask(stranger, route) == (401, "device/unknown"), id_of(route)
            assert await ask(shoe, route) == (409, "card/by-house"), id_of(route)
            assert await ask(other, route) == (403, "device/elsewhere"), id_of(route)
        for route in GUARDED:
            assert await ask(shoe, route) == (401, "login/required"), id_of(route)


@pytest.mark.rule("ASR-31")
async def test_a_player_sees_and_moves_only_the_own(database_url: str) -> None:
    """Bob asks every route with his own login: nothing of Ada's comes back, nothing of hers changes."""

    async with Site(database_url) as site:
        ada, bob = await site.join("ada"), await site.join("bob")
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500_000})
        code = await site.play((await ada.get("/me")).body["player"])
        await ada.put("/settings", {"focus": True})
        await ada.put("/protections", {"loss_day": 777})
        assert [line["code"] for line in (await ada.get("/history")).body["lines"]] == [code]
        before = (await ada.get("/me")).body
        last = [route for route in GUARDED if route.path in ("/password", "/logout", "/logout-everywhere")]
        asked = [route for route in GUARDED if route not in last]
        answers = {id_of(route): await ask(bob, route, code=code) for route in asked}
        assert answers.pop("GET /history/{code}") == (404, "round/unknown")
        assert answers.pop("GET /records/{code}") == (404, "round/unknown")
        assert answers.pop("GET /tables/{table}/video") == (404, "table/not-open")
        assert {answers.pop(id_of(route)) for route in ROUTES if route.access in ROLES} == {
            (403, "login/role")
        }
        assert {status for status, _ in answers.values()} == {200, 204}
        for path in ("/me", "/history", "/settings", "/protections", "/cashier"):
            answer = await bob.get(path)
            assert answer.status == 200
            assert code not in answer.text
            assert "777" not in answer.text
        for route in last:
            bob = Caller(site, (await site.come("bob")).body["token"])
            assert (await ask(bob, route))[0] < 300
            bob = Caller(site, (await site.come("bob", "another password")).body.get("token", ""))
        assert (await ada.get("/me")).body == before
        assert (await ada.get(f"/history/{code}")).status == 200
        assert (await ada.get(f"/records/{code}")).status == 200
        assert (await ada.get("/settings")).body["focus"] is True


async def test_what_is_for_anyone_opens_for_anyone(file_url: str) -> None:
    async with Site(file_url, tables=TABLES) as site:
        await site.join("ada")
        assert {(await ask(site.nobody, route))[0] for route in OPEN} == {200}


@pytest.mark.parametrize(
    ("role", "opens"),
    [
        ("player", set()),
        ("presenter", {"staff", "presenter"}),
        ("supervisor", {"staff", "presenter", "supervisor", "office"}),
        ("administrator", {"staff", "presenter", "supervisor", "administrator", "office"}),
        ("auditor", {"staff", "office"}),
    ],
)
@pytest.mark.rule("OFF-06")
async def test_a_role_opens_what_is_for_it_and_no_more(role: Role, opens: set[Access], file_url: str) -> None:
    async with Site(file_url, tables=TABLES) as site:
        ada = await site.join("ada")
        await site.join("bob")
        await site.give_role("ada", role, "hired")
        asked = [route for route in ROUTES if route.access in ROLES]
        assert {route.access for route in asked} == ROLES.keys()
        for route in asked:
            told = await ask(ada, route, name="bob")
            assert (told != (403, "login/role")) is (route.access in opens), id_of(route)


#: What is open to a self-excluded or locked player, beside what anyone may read: to withdraw, to read the own, to go.
TO_WITHDRAW = {
    "POST /logout",
    "POST /logout-everywhere",
    "POST /cashier/withdraw",
    "GET /cashier",
    "GET /cashier/movements",
    "GET /history",
    "GET /history/{code}",
    "GET /records/{code}",
    "GET /me",
    "GET /settings",
    "GET /protections",
}


@pytest.mark.rule("PLT-73", "PLT-50", "ASR-41")
@pytest.mark.parametrize(("why", "code"), [("excluded", "protection/excluded"), ("locked", "player/locked")])
async def test_who_is_let_in_to_withdraw_can_do_nothing_else(why: str, code: str, file_url: str) -> None:
    """Every route is asked: what is neither listed above nor for anyone to read is refused and changes nothing."""
    async with Site(file_url, tables=TABLES) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500})
        if why == "excluded":
            await ada.put("/protections", {"self_exclusion": "for-good"})
        else:
            await boss.post("/office/players/2/lock", {"reason": "a fraud"})
        assert (await site.come("ada")).code == code
        players = [route for route in ROUTES if route.access in ("player", "anyone")]
        before = (await site.come("ada", purpose="withdraw")).body["token"]
        for route in players:
            if id_of(route) == "POST /login":  # asked all the time here, with its purpose
                continue
            ada = Caller(site, (await site.come("ada", purpose="withdraw")).body["token"])
            told = await ask(ada, route)
            opens = id_of(route) in TO_WITHDRAW or (route.access == "anyone" and route.method == "GET")
            assert (told == (403, code)) is not opens, (id_of(route), told)
        assert (await Caller(site, before).get("/me")).status == 401  # LOGOUT EVERYWHERE was open
        me = (await ada.get("/me")).body
        assert me["balances"]["EUR"] == 400  # what was withdrawn, and nothing else
        assert (me["locked"], me["terms_due"]) == (why == "locked", False)
        with site.database.reading() as connection:
            names = connection.exec_driver_sql("SELECT name FROM players ORDER BY id").scalars().all()
        assert names == ["boss", "ada"]
