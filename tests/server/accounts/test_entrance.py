"""Registering, logging in and out, cookies, tokens and demo players."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.store import schema
from tests.support.clock import HOUR
from tests.support.house import VAULT
from tests.support.site import NEWCOMER, PASSWORD, Caller, Site

#: The kind of database makes no difference here.
KIND = "sqlite"

BAD_NAMES = ["ab", "a" * 25, "ada lovelace", "ada\n", "", ".ada", "àda", "a'b", "demo-7", "Bot-7", "\0ada"]


@pytest.mark.parametrize("name", BAD_NAMES)
async def test_a_name_that_will_not_do(name: str, file_url: str) -> None:
    async with Site(file_url) as site:
        answer = await site.nobody.post(
            "/register", {"name": name, "password": PASSWORD, "bearer": True, **NEWCOMER}
        )
        assert (answer.status, answer.code) == (400, "name/bad")


async def test_registering_and_coming_back(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("Ada.L")
        me = (await ada.get("/me")).body
        assert (me["name"], me["role"], me["vip"], me["demo"]) == ("Ada.L", "player", 0, False)
        assert me["balances"] == {"EUR": 0, "FUN": 0}
        answer = await site.come("ada.l")
        assert (answer.status, answer.body["name"]) == (200, "Ada.L")
        for name in ("Ada.L", "ada.l", "ADA.L"):
            taken = await site.nobody.post(
                "/register", {"name": name, "password": PASSWORD, "bearer": True, **NEWCOMER}
            )
            assert (taken.status, taken.code) == (409, "player/taken")
        assert audit_house(site.database, vault=VAULT).findings == []


async def test_passwords_that_will_not_do(file_url: str) -> None:
    async with Site(file_url) as site:
        for password, code in (("a" * 9, "too-short"), ("a" * 257, "too-long"), ("è" * 129, "too-long")):
            body = {"name": "ada", "password": password, "bearer": True, **NEWCOMER}
            answer = await site.nobody.post("/register", body)
            assert (answer.status, answer.code) == (400, f"password/{code}")
        await site.join("ada", "è" * 128)
        assert (await site.come("ada", "è" * 128)).status == 200


async def test_a_wrong_password_and_an_unknown_name_are_told_alike(file_url: str) -> None:
    async with Site(file_url) as site:
        await site.join("ada")
        await site.nobody.post("/demo", {"bearer": True})
        answers = [
            await site.come("ada", "wrong" * 3),
            await site.come("nobody"),
            await site.come("ADA", "x"),
        ]
        assert {(answer.status, answer.code, answer.text) for answer in answers} == {
            (401, "login/wrong", answers[0].text)
        }


async def test_only_hashes_are_kept(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("ada")
        with site.database.reading() as connection:
            (credential,) = connection.execute(sqlalchemy.select(schema.credentials)).all()
            (login,) = connection.execute(sqlalchemy.select(schema.logins)).all()
        assert credential.hash.startswith("$argon2id$")
        assert ada.token.encode() not in b"".join(part for part in login if isinstance(part, bytes))
        assert len(ada.token) == 43


async def test_a_new_password_ends_every_other_login(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("ada")
        elsewhere = Caller(site, (await site.come("ada")).body["token"])
        wrong = await ada.put("/password", {"old": "wrong" * 3, "new": "another password"})
        assert wrong.code == "login/wrong"
        same = await ada.put("/password", {"old": PASSWORD, "new": PASSWORD})
        assert same.code == "password/same"
        short = await ada.put("/password", {"old": PASSWORD, "new": "short"})
        assert short.code == "password/too-short"
        changed = await ada.put("/password", {"old": PASSWORD, "new": "another password"})
        assert changed.status == 200
        assert [(await caller.get("/me")).status for caller in (ada, elsewhere)] == [401, 401]
        assert (await Caller(site, changed.body["token"]).get("/me")).status == 200
        assert (await site.come("ada")).code == "login/wrong"
        assert (await site.come("ada", "another password")).status == 200


async def test_logging_out(database_url: str) -> None:
    async with Site(database_url) as site:
        ended: list[tuple[int, bool]] = []
        site.players.on_logout.append(lambda player, token: ended.append((player, token is None)))
        ada, bob = await site.join("ada"), await site.join("bob")
        player = (await ada.get("/me")).body["player"]
        second, third = [Caller(site, (await site.come("ada")).body["token"]) for _ in range(2)]
        assert (await ada.post("/logout")).status == 204
        assert [(await c.get("/me")).status for c in (ada, second, third, bob)] == [401, 200, 200, 200]
        assert (await second.post("/logout-everywhere")).status == 204
        assert [(await c.get("/me")).status for c in (second, third, bob)] == [401, 401, 200]
        assert ended == [(player, False), (player, True)]


async def test_a_login_expires(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("ada")
        site.clock.ms += 24 * HOUR - 1
        assert (await ada.get("/me")).status == 200
        site.clock.ms += 1
        answer = await ada.get("/me")
        assert (answer.status, answer.code) == (401, "login/required")


async def test_hashes_follow_the_costs_of_the_day(database_url: str) -> None:
    async with Site(database_url) as site:
        await site.join("ada")
    async with Site(database_url, server={"argon_memory_kib": 16}) as site:
        assert (await site.come("ada")).status == 200
        with site.database.reading() as connection:
            hash = connection.execute(sqlalchemy.select(schema.credentials.c.hash)).scalar_one()
        assert "m=16," in hash
        assert (await site.come("ada")).status == 200


# Cookies


@pytest.mark.parametrize("public_url", ["", "https://sabot.example"])
async def test_the_cookie_is_out_of_reach(public_url: str, file_url: str) -> None:
    async with Site(file_url, server={"public_url": public_url}) as site:
        origin = {"Origin": public_url or site.url}
        answer = await site.nobody.post("/demo", {}, headers=origin)
        assert answer.body["token"] is None
        cookie = SimpleCookie(answer.headers["Set-Cookie"])["sabot"]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
        assert (cookie["max-age"], bool(cookie["secure"])) == (str(24 * 3600), bool(public_url))
        headers = origin | {"Cookie": f"sabot={cookie.value}"}
        assert (await site.nobody.get("/me", headers=headers)).status == 200
        gone = await site.nobody.post("/logout", headers=headers)
        assert SimpleCookie(gone.headers["Set-Cookie"])["sabot"].value == ""
        assert (await site.nobody.get("/me", headers=headers)).status == 401


# Demo players


async def test_a_demo_player_needs_no_registration(database_url: str) -> None:
    async with Site(database_url) as site:
        answer = await site.nobody.post("/demo", {"bearer": True})
        demo = Caller(site, answer.body["token"])
        me = (await demo.get("/me")).body
        assert (me["demo"], me["balances"]) == (True, {"EUR": 0, "FUN": 500_000})
        page = (await demo.get("/cashier")).body
        assert page["currencies"] == ["FUN"]
        payment = {"id": "a", "currency": "EUR", "amount": 1000}
        refused = await demo.post("/cashier/deposit", payment)
        assert (refused.status, refused.code) == (403, "cashier/demo")
        assert (await demo.post("/cashier/deposit", payment | {"currency": "FUN"})).body["balance"] == 501_000
        new = await demo.put("/password", {"old": PASSWORD, "new": "another password"})
        assert new.code == "login/demo"
        again = await site.come(me["name"], "")
        assert again.status == 400
        # Who registers has name and password to come back with.
        await site.join("ada")
        assert (await site.come("ada")).status == 200
        assert audit_house(site.database, vault=VAULT).findings == []
