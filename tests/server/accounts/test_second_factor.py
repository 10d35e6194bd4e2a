"""The door of the back office: second factor, idleness, lock-out (OFF-06)."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
import sqlalchemy

from sabot.client import PlayerClient
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.second_factor import totp_code
from sabot.server.http.services import SERVICES
from sabot.store import schema
from tests.support.house import VAULT, CountedShoes
from tests.support.site import PASSWORD, Answer, Caller, Site, two_nodes

MINUTE = 60_000
STEP = 30_000
GUARDED: dict[str, Any] = {"second_factor": True}
OPENED = "/office/events"


def code_at(site: Site, secret: str, steps: int = 0) -> str:
    """The code that an app shows, some steps from now."""
    return totp_code(base64.b32decode(secret), site.clock.ms // STEP + steps)


async def enrol(site: Site, caller: Caller) -> tuple[str, list[str]]:
    """Set up a second factor; gives its secret and the recovery codes."""
    begun = await caller.post("/office/second-factor", {"password": PASSWORD})
    assert begun.status == 200, begun.text
    secret = begun.body["secret"]
    confirmed = await caller.post("/office/second-factor/confirm", {"code": code_at(site, secret)})
    assert confirmed.status == 200, confirmed.text
    caller.token = confirmed.body["token"]
    return secret, confirmed.body["codes"]


async def login(site: Site, name: str = "boss") -> Caller:
    answer = await site.come(name)
    assert answer.status == 200, answer.text
    return Caller(site, answer.body["token"])


async def prove(caller: Caller, code: str | None = None, password: str | None = None) -> Answer:
    said = {"code": code, "password": password}
    answer = await caller.post(
        "/office/prove", {name: text for name, text in said.items() if text is not None}
    )
    if answer.status == 200:
        caller.token = answer.body["token"]
    return answer


async def kinds(site: Site) -> list[tuple[str, str]]:
    await site.house.events.flush()
    events = schema.events.c
    query = sqlalchemy.select(events.kind, events.severity).order_by(events.at, events.kind)
    found = await site.house.read(lambda connection: connection.execute(query).all())
    return [(row.kind, row.severity) for row in found]


@pytest.mark.rule("OFF-06")
async def test_an_operator_enrols_first_and_proves_the_factor_at_each_login(database_url: str) -> None:
    async with Site(database_url, office=GUARDED) as site:
        boss = await site.administrator()
        assert (await boss.get(OPENED)).code == "factor/enrol"
        assert (await boss.get("/me")).status == 200  # what players have is open
        access = (await boss.get("/office/access")).body
        assert (access["door"], access["enrolled"], access["recovery_codes"]) == ("enrol", False, 0)
        assert (
            await boss.post("/office/second-factor/confirm", {"code": "000000"})
        ).code == "factor/not-begun"
        assert (await boss.post("/office/second-factor", {"password": "not this one"})).code == "login/wrong"
        begun = (await boss.post("/office/second-factor", {"password": PASSWORD})).body
        assert begun["uri"] == f"otpauth://totp/sabot%3Aboss?secret={begun['secret']}&issuer=sabot"
        assert begun["svg"].startswith("<svg ")
        assert (await boss.get(OPENED)).code == "factor/enrol"  # not before its first code
        secret, codes = await enrol(site, boss)
        assert len(set(codes)) == 10
        assert (await boss.get(OPENED)).status == 200
        # The next login has not proved it.
        site.clock.ms += STEP
        again = await login(site)
        assert (await again.get(OPENED)).code == "factor/needed"
        assert (await again.get("/office/access")).body["door"] == "code"
        wrong = "000000" if code_at(site, secret) != "000000" else "111111"
        assert (await prove(again, wrong)).code == "factor/wrong"
        assert (await prove(again, code_at(site, secret))).status == 200
        assert (await again.get(OPENED)).status == 200
        # The key is sealed, the codes are digests.
        with site.database.reading() as connection:
            stored = connection.execute(sqlalchemy.select(schema.second_factors)).one()
            digests = connection.execute(sqlalchemy.select(schema.recovery_codes.c.hash)).scalars().all()
        assert base64.b32decode(secret) not in stored.sealed
        assert not any(code.replace("-", "").encode() in digest for code in codes for digest in digests)


@pytest.mark.rule("OFF-06")
async def test_a_code_is_taken_once_and_holds_a_step_to_each_side(file_url: str) -> None:
    async with Site(file_url, office=GUARDED) as site:
        boss = await site.administrator()
        site.clock.ms -= site.clock.ms % STEP
        secret, _ = await enrol(site, boss)
        for waited, steps, holds in (
            (0, 0, False),
            (1, 0, True),
            (0, 0, False),
            (0, 1, True),
            (3, -1, True),
            (0, -2, False),
        ):
            site.clock.ms += waited * STEP
            caller = await login(site)
            answer = await prove(caller, code_at(site, secret, steps))
            assert (answer.status == 200) is holds, (waited, steps)
        # Two at once with the same code: one of them.
        site.clock.ms += 3 * STEP
        one, other = await login(site), await login(site)
        answers = await asyncio.gather(*(prove(each, code_at(site, secret)) for each in (one, other)))
        assert sorted(answer.status for answer in answers) == [200, 403]


@pytest.mark.rule("OFF-06")
async def test_a_recovery_code_holds_once_and_another_device_is_enrolled_with_it(database_url: str) -> None:
    async with Site(database_url, office=GUARDED) as site:
        boss = await site.administrator()
        old, codes = await enrol(site, boss)
        caller = await login(site)
        assert (await caller.post("/office/second-factor", {"password": PASSWORD})).code == "factor/needed"
        assert (await prove(caller, codes[3].replace("-", "").lower())).status == 200
        assert (await caller.get("/office/access")).body["recovery_codes"] == 9
        assert (await prove(await login(site), codes[3])).code == "factor/wrong"
        new, others = await enrol(site, caller)
        site.clock.ms += STEP
        assert (await prove(await login(site), code_at(site, old))).code == "factor/wrong"
        assert (await prove(await login(site), codes[4])).code == "factor/wrong"
        site.clock.ms += 31 * MINUTE
        assert (await prove(await login(site), code_at(site, new))).status == 200
        assert (await prove(await login(site), others[0])).status == 200


@pytest.mark.rule("OFF-06")
async def test_after_half_an_hour_of_idleness_password_and_code_are_asked_again(file_url: str) -> None:
    """A page that asks by itself is no sign of a person; what players have goes on."""
    async with Site(file_url, office=GUARDED) as site:
        boss = await site.administrator()
        secret, _ = await enrol(site, boss)
        for _ in range(3):  # busy for an hour and more
            site.clock.ms += 29 * MINUTE
            assert (await boss.get(OPENED)).status == 200
        site.clock.ms += 30 * MINUTE - 1
        assert (await boss.get("/me")).status == 200
        assert (await boss.get("/office/access")).body["door"] == "open"
        site.clock.ms += 1
        idle = await boss.get(OPENED)
        assert (idle.status, idle.code) == (403, "login/idle")
        assert idle.body["error"]["params"] == {"minutes": 30}
        assert (await boss.post("/players/boss/vip", {"vip": 1, "reason": "because"})).code == "login/idle"
        assert (await boss.get("/me")).status == 200
        assert (await prove(boss, code_at(site, secret))).code == "login/wrong"
        assert (await prove(boss, None, PASSWORD)).code == "factor/wrong"
        assert (await boss.get(OPENED)).code == "login/idle"
        assert (await prove(boss, code_at(site, secret), PASSWORD)).status == 200
        assert (await boss.get(OPENED)).status == 200


@pytest.mark.rule("OFF-06")
@pytest.mark.parametrize("page", ["/office/overview", "/office/floor"])
async def test_a_page_that_asks_by_itself_keeps_no_office_open(file_url: str, page: str) -> None:
    async with Site(file_url, office=GUARDED) as site:
        boss = await site.administrator()
        await enrol(site, boss)
        for _ in range(2):
            site.clock.ms += 10 * MINUTE
            assert (await boss.get(page)).status == 200
        site.clock.ms += 10 * MINUTE
        assert (await boss.get(page)).code == "login/idle"


@pytest.mark.rule("OFF-06")
async def test_without_a_second_factor_idleness_asks_for_the_password(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        assert (await boss.get(OPENED)).status == 200
        site.clock.ms += 31 * MINUTE
        assert (await boss.get(OPENED)).code == "login/idle"
        assert (await prove(boss, None, PASSWORD)).status == 200
        assert (await boss.get(OPENED)).status == 200


@pytest.mark.slow  # a PostgreSQL server
@pytest.mark.rule("OFF-06")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_three_failures_lock_an_operator_on_every_node(database_url: str) -> None:
    """Whether passwords or codes, here or there, one after the other or at once; an administrator unlocks."""
    shoes: ShoeSource = CountedShoes(VAULT, 0)
    async with two_nodes(database_url, shoes, office=GUARDED) as (one, other):
        boss, chief = await one.administrator(), await one.administrator("chief")
        await enrol(one, boss)
        secret, _ = await enrol(one, chief)
        one.clock.ms += STEP
        caller = await login(one, "chief")
        assert (await prove(caller, "000000")).code == "factor/wrong"
        assert (await other.come("chief", "not the password")).code == "login/wrong"
        assert (await other.come("chief")).status == 200  # the right password does not forgive wrong codes
        wrong = await asyncio.gather(*(site.come("chief", "a wrong password") for site in (one, other) * 3))
        assert sorted(answer.code for answer in wrong) == ["login/locked"] * 5 + ["login/wrong"]
        for site in (one, other):
            locked = await site.come("chief")
            assert (locked.status, locked.code) == (403, "login/locked")
            assert locked.body["error"]["params"] == {"minutes": 30, "until": one.clock.ms + 30 * MINUTE}
        assert (await prove(caller, code_at(one, secret))).code == "login/locked"
        users = {user["name"]: user for user in (await boss.get("/office/users")).body["users"]}
        assert users["chief"]["locked_until"] == one.clock.ms + 30 * MINUTE
        assert users["boss"]["locked_until"] is None
        unlocked = await boss.post("/office/users/chief/unlock", {"reason": "it was her"})
        assert unlocked.status == 204
        assert (await other.come("chief")).status == 200
        assert ("login-locked", "alarm") in [*await kinds(one), *await kinds(other)]
        assert ("login-unlocked", "info") in await kinds(one)


@pytest.mark.rule("OFF-06")
async def test_a_lock_ends_by_itself(file_url: str) -> None:
    async with Site(file_url) as site:
        await site.administrator()
        for _ in range(3):
            assert (await site.come("boss", "not the password")).code == "login/wrong"
        assert (await site.come("boss")).code == "login/locked"
        site.clock.ms += 30 * MINUTE - 1
        assert (await site.come("boss")).code == "login/locked"
        site.clock.ms += 1
        assert (await site.come("boss", "not the password")).code == "login/wrong"
        assert (await site.come("boss")).status == 200
        await kinds(site)
        events = schema.events.c
        query = sqlalchemy.select(sqlalchemy.func.sum(events.times)).where(events.kind == "login-failed")
        site.clock.ms += MINUTE
        await site.house.events.flush()
        assert await site.house.read(lambda connection: connection.execute(query).scalar()) == 4


@pytest.mark.rule("OFF-06")
async def test_a_new_key_is_confirmed_soon_and_in_the_login_that_made_it(file_url: str) -> None:
    """Nobody who has found an open login, or comes by later, puts a key in force that waits for its first code."""
    async with Site(file_url, office=GUARDED) as site:
        boss = await site.administrator()
        secret = (await boss.post("/office/second-factor", {"password": PASSWORD})).body["secret"]
        other = await login(site)
        confirm = "/office/second-factor/confirm"
        assert (await other.post(confirm, {"code": code_at(site, secret)})).code == "factor/not-begun"
        site.clock.ms += 10 * MINUTE
        assert (await boss.post(confirm, {"code": code_at(site, secret)})).code == "factor/not-begun"
        await enrol(site, boss)
        # Another key waits: a login that has proved nothing does not confirm it.
        secret = (await boss.post("/office/second-factor", {"password": PASSWORD})).body["secret"]
        assert (await other.post(confirm, {"code": code_at(site, secret)})).code == "factor/needed"
        site.clock.ms += 9 * MINUTE
        assert (await boss.post(confirm, {"code": code_at(site, secret)})).status == 200


@pytest.mark.rule("OFF-06", "ASR-30")
async def test_a_proof_renews_the_token_and_the_socket_goes_on(file_url: str) -> None:
    """Whoever has learned a token before its login proved its second factor does not come into the office with it."""
    async with Site(file_url, office=GUARDED) as site:
        boss = await site.administrator()
        learned = Caller(site, boss.token)
        async with PlayerClient(site.url, boss.token, site.http) as client:
            secret, _ = await enrol(site, boss)
            assert boss.token != learned.token
            assert (await learned.get("/me")).code == "login/required"
            assert (await boss.get(OPENED)).status == 200
            await client.watch_lobby()
            await site.app[SERVICES].changes.end_logins()
            await client.watch_lobby()  # it is the same login
        site.clock.ms += 31 * MINUTE
        before = Caller(site, boss.token)
        assert (await prove(boss, code_at(site, secret), PASSWORD)).status == 200
        assert (await before.get("/me")).code == "login/required"
        for token in (boss.token[:43], boss.token + "x", boss.token[:43] + "x" * 43):
            assert (await Caller(site, token).get("/me")).code == "login/required"
        # In a browser it is in the cookie, and in no answer.
        cookie = (await site.page().post("/login", {"name": "boss", "password": PASSWORD})).headers.getall(
            "Set-Cookie"
        )
        (token,) = [one.partition(";")[0].partition("=")[2] for one in cookie if one.startswith("sabot=")]
        site.clock.ms += STEP
        proved = await site.page(token).post("/office/prove", {"code": code_at(site, secret)})
        assert (proved.status, proved.body) == (200, {"token": None})
        renewed = [one for one in proved.headers.getall("Set-Cookie") if one.startswith("sabot=")]
        assert token not in renewed[0].partition(";")[0].removeprefix(f"sabot={token}")
        assert (await site.page(token).get("/me")).code == "login/required"
        assert (await site.page(renewed[0].partition(";")[0].partition("=")[2]).get(OPENED)).status == 200


@pytest.mark.slow  # a PostgreSQL server
@pytest.mark.rule("OFF-06")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_ten_right_recovery_codes_at_once_are_answered(database_url: str) -> None:
    async with Site(database_url, office=GUARDED) as site:
        boss = await site.administrator()
        _, codes = await enrol(site, boss)
        for _ in range(5):
            callers = [await login(site) for _ in codes]
            answers = await asyncio.gather(
                *(prove(caller, code) for caller, code in zip(callers, codes, strict=True))
            )
            assert {answer.code for answer in answers} <= {"", "login/locked"}, answers
            assert not [answer for answer in answers if answer.status >= 500]
            unlocked = await boss.post("/office/recovery-codes", {"password": PASSWORD})
            codes = unlocked.body["codes"]
            site.clock.ms += 31 * MINUTE
            assert (await prove(boss, codes[0], PASSWORD)).status == 200
            codes = (await boss.post("/office/recovery-codes", {"password": PASSWORD})).body["codes"]


@pytest.mark.rule("OFF-06", "ASR-33")
async def test_an_administrator_takes_anothers_factor_away(file_url: str) -> None:
    async with Site(file_url, office=GUARDED) as site:
        boss, chief = await site.administrator(), await site.administrator("chief")
        await enrol(site, boss)
        await enrol(site, chief)
        path = "/office/users/{}/reset-second-factor"
        assert (await boss.post(path.format("boss"), {"reason": "lost it"})).code == "operator/own"
        assert (await boss.post(path.format("nobody"), {"reason": "lost it"})).code == "player/none"
        assert (await boss.post(path.format("chief"), {"reason": "lost it"})).status == 204
        assert (await chief.get(OPENED)).code == "login/required"
        assert (await (await login(site, "chief")).get(OPENED)).code == "factor/enrol"
        assert ("second-factor", "warning") in await kinds(site)
        log = sqlalchemy.select(schema.log.c.body).where(schema.log.c.kind == "reset-second-factor")
        (body,) = await site.house.read(lambda connection: connection.execute(log).scalars().all())
        assert b'"reason":"lost it"' in body
