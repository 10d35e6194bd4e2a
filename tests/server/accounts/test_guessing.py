"""Who guesses at passwords and codes is locked out, and nobody else: strangers keep no owner of an account away (OFF-06, ASR-30)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.passwords import Passwords
from sabot.server.config import Rate, ServerConfig
from sabot.store import schema
from sabot.store.database import Database
from tests.server.accounts.test_second_factor import GUARDED, MINUTE, code_at, enrol, kinds, login, prove
from tests.support.house import VAULT, CountedShoes
from tests.support.site import PASSWORD, Answer, Caller, Site, two_nodes
from tests.support.studio import studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"
WRONG = "not the password"
#: Addresses are told by a proxy on this machine.
BEHIND: dict[str, Any] = {"proxies": ("127.0.0.1",)}
#: The rates that ship.
REAL: dict[str, Any] = BEHIND | {
    name: getattr(ServerConfig(), name)
    for name in ("rate_login_address", "rate_login_account", "rate_factor_account")
}


class Browser:
    """A browser at an address, with its cookies."""

    def __init__(self, site: Site, address: str) -> None:
        self.site = site
        self.address = address
        self.cookies: dict[str, str] = {}

    async def __call__(self, path: str, body: object) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Origin": self.site.url, "Cookie": cookies, "X-Forwarded-For": self.address}
        answer = await Caller(self.site, headers=headers).post(path, body)
        for cookie in answer.headers.getall("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    async def log_in(self, name: str, password: str = PASSWORD) -> Answer:
        self.cookies.pop("sabot", None)
        return await self("/login", {"name": name, "password": password})


@pytest.mark.rule("OFF-06", "ASR-30")
async def test_every_name_is_answered_alike(file_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator's, a player's and nobody's: the same answers in the same order, and a hash is worked out for each."""
    hashed: list[str] = []
    verify = Passwords._verify

    def counted(self: Passwords, hash: str, password: str) -> bool:
        hashed.append(hash)
        return verify(self, hash, password)

    monkeypatch.setattr(Passwords, "_verify", counted)
    async with Site(file_url, server=REAL) as site:
        await site.administrator()
        await site.join("ada")
        told = []
        for number, name in enumerate(("boss", "ada", "nobody-there", "BOSS")):
            stranger = Browser(site, f"10.0.0.{number}")
            hashed.clear()
            answers = [await stranger.log_in(name, WRONG) for _ in range(5)]
            told.append(
                [(answer.status, answer.text, dict(answer.headers) | {"Date": ""}) for answer in answers]
            )
            assert [answer.code for answer in answers] == ["login/wrong"] * 3 + ["login/locked"] * 2
            assert len(hashed) == 3
        assert told[0] == told[1] == told[2] == told[3]


@pytest.mark.rule("OFF-06", "ASR-30")
@pytest.mark.parametrize("name", ["boss", "ada"])
async def test_a_stranger_keeps_nobody_out(file_url: str, name: str) -> None:
    """Neither from another address, nor from the owner's own beside a browser that is known; the stranger stays locked out."""
    async with Site(file_url, server=REAL) as site:
        await site.administrator()
        await site.join("ada")
        owner, stranger, beside = (Browser(site, address) for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1"))
        assert (await owner.log_in(name)).status == 200
        for guesser in (stranger, beside):
            for _ in range(20):
                site.clock.steady += 20
                assert (await guesser.log_in(name, WRONG)).code in ("login/wrong", "login/locked")
            site.clock.steady += 20
            assert (await guesser.log_in(name)).code == "login/locked"
            assert (await owner.log_in(name)).status == 200
        assert (await Browser(site, "10.0.0.3").log_in(name)).status == 200
        # The owner's own browser is locked by three failures of its own.
        for _ in range(3):
            assert (await owner.log_in(name, WRONG)).code == "login/wrong"
        assert (await owner.log_in(name)).code == "login/locked"
        site.clock.ms += 30 * MINUTE
        assert (await owner.log_in(name)).status == 200


@pytest.mark.rule("OFF-06", "ASR-30")
@pytest.mark.parametrize("name", ["boss", "ada"])
async def test_who_is_locked_out_already_keeps_no_owner_out(file_url: str, name: str) -> None:
    """One address tries every four seconds for forty minutes; the owner comes from a new address every ten minutes."""
    async with Site(file_url, server=REAL) as site:
        await site.administrator()
        await site.join("ada")
        stranger = Browser(site, "10.0.0.2")
        for turn in range(1, 601):
            site.clock.steady += 4
            site.clock.ms += 4_000
            assert (await stranger.log_in(name, WRONG)).code in ("login/wrong", "login/locked")
            if turn % 150 == 0:
                assert (await Browser(site, f"10.1.0.{turn // 150}").log_in(name)).status == 200


@pytest.mark.rule("OFF-06", "ASR-30")
async def test_who_waits_for_strangers_is_not_locked_out(file_url: str) -> None:
    """An attempt that the shared limit refused has tried no password: it does not count towards the lock."""
    async with Site(file_url, server=REAL) as site:
        await site.join("ada")
        for n in range(10):
            assert (await Browser(site, f"10.1.0.{n}").log_in("ada", WRONG)).code == "login/wrong"
        owner = Browser(site, "10.2.0.1")
        assert [(await owner.log_in("ada")).code for _ in range(5)] == ["rate/limited"] * 5
        site.clock.steady += 12
        assert (await owner.log_in("ada")).status == 200


@pytest.mark.rule("OFF-06", "ASR-30")
async def test_who_knows_a_password_and_is_locked_out_leaves_the_codes_to_the_owner(file_url: str) -> None:
    async with Site(file_url, office=GUARDED, server=REAL) as site:
        secret, _ = await enrol(site, await site.administrator())
        site.clock.ms += MINUTE
        guesser, owner = Browser(site, "10.1.0.1"), Browser(site, "10.2.0.1")
        assert (await guesser.log_in("boss")).status == 200
        codes = []
        for _ in range(9):
            site.clock.steady += 4
            codes.append((await guesser("/office/prove", {"code": "000000"})).code)
        assert codes == ["factor/wrong"] * 3 + ["login/locked"] * 6
        assert (await owner.log_in("boss")).status == 200
        assert (await owner("/office/prove", {"code": code_at(site, secret)})).status == 200


@pytest.mark.rule("ASR-30", "OFF-06")
async def test_guesses_from_everywhere_wait_and_keep_no_known_browser_out(file_url: str) -> None:
    async with Site(file_url, server=REAL) as site:
        await site.administrator()
        owner = Browser(site, "10.0.0.1")
        assert (await owner.log_in("boss")).status == 200
        codes = [(await Browser(site, f"10.1.{n}.1").log_in("boss", WRONG)).code for n in range(40)]
        assert codes[:8] == ["login/wrong"] * 8
        assert codes[12:] == ["rate/limited"] * 28
        owner.address = "10.9.9.9"  # at home
        assert (await owner.log_in("boss")).status == 200
        # A token that was made up, or that another's browser has, makes no browser known.
        for token in ("", "x" * 43, "x" * 5_000, Browser(site, "").cookies.get("sabot-device", "y")):
            guesser = Browser(site, "10.2.0.1")
            guesser.cookies["sabot-device"] = token
            assert (await guesser.log_in("boss")).code == "rate/limited"
        await site.join("ada")
        ada = Browser(site, "10.3.0.1")
        assert (await ada.log_in("ada")).status == 200
        assert (await ada.log_in("boss", WRONG)).code == "rate/limited"


@pytest.mark.rule("OFF-06")
async def test_who_knows_a_password_does_not_guess_the_code(file_url: str) -> None:
    """Three codes from one place, whatever the login, and few from all places; the owner's browser is not kept waiting."""
    async with Site(file_url, office=GUARDED, server=REAL) as site:
        boss = await site.administrator()
        secret, _ = await enrol(site, boss)
        owner = Browser(site, "10.0.0.1")
        site.clock.ms += MINUTE
        assert (await owner.log_in("boss")).status == 200
        assert (await owner("/office/prove", {"code": code_at(site, secret)})).status == 200
        codes = []
        for place in range(5):
            for _ in range(4):
                guesser = Browser(site, f"10.1.0.{place}")
                site.clock.steady += 12
                assert (await guesser.log_in("boss")).code in ("", "login/locked")
                if "sabot" in guesser.cookies:
                    assert "sabot-device" not in guesser.cookies  # the password alone makes no browser known
                    codes.append((await guesser("/office/prove", {"code": "000000"})).code)
        assert codes.count("factor/wrong") <= 7
        assert "rate/limited" in codes
        site.clock.ms += MINUTE
        assert (await owner.log_in("boss")).status == 200
        assert (await owner("/office/prove", {"code": code_at(site, secret)})).status == 200


@pytest.mark.rule("OFF-06", "STU-09")
async def test_the_console_unlocks_whoever_guesses(database: Database, tmp_path: Path) -> None:
    """Strangers at the presenter's own address try her name; her open login is not counted with them."""
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        who = {"name": "eva", "bearer": True}
        for _ in range(6):
            await studio.hall.nobody.post("/login", {**who, "password": WRONG})
        assert (await studio.hall.nobody.post("/login", {**who, "password": PASSWORD})).code == "login/locked"
        assert (await studio.order("lock")).status == 200
        assert (await studio.order("unlock", password=PASSWORD)).status == 200
        # Whoever finds the console open guesses three times.
        assert (await studio.order("lock")).status == 200
        for _ in range(3):
            assert (await studio.order("unlock", password=WRONG)).code == "login/wrong"
        assert (await studio.order("unlock", password=PASSWORD)).code == "login/locked"


@pytest.mark.rule("ASR-30")
async def test_a_new_password_forgets_every_browser(file_url: str) -> None:
    """Who had the old one is a stranger again, also at the same address; the owner's own address stays known.

    The token of a browser is renewed at each login.
    """
    async with Site(file_url, server=REAL | {"rate_login_account": Rate(1, 3_600.0)}) as site:
        await site.join("ada")
        owner, thief = Browser(site, "10.0.0.1"), Browser(site, "10.0.0.2")
        tokens = []
        for _ in range(2):
            assert (await owner.log_in("ada")).status == 200
            tokens.append(owner.cookies["sabot-device"])
        assert tokens[0] != tokens[1]
        site.clock.steady += 7_200
        assert (await thief.log_in("ada")).status == 200
        site.clock.ms += MINUTE
        headers = {
            "Origin": site.url,
            "Cookie": f"sabot={owner.cookies['sabot']}",
            "X-Forwarded-For": "10.0.0.1",
        }
        body = {"old": PASSWORD, "new": "another password"}
        assert (await Caller(site, headers=headers).put("/password", body)).status == 200
        site.clock.steady += 7_200
        assert (await Browser(site, "10.0.0.4").log_in("ada", WRONG)).code == "login/wrong"
        assert (await thief.log_in("ada", WRONG)).code == "rate/limited"
        assert (await Browser(site, "10.0.0.1").log_in("ada", "another password")).status == 200


async def test_strangers_ring_no_alarm(file_url: str) -> None:
    """The lock of an operator is an alarm where the account was opened before; from anywhere else it is a warning."""
    async with Site(file_url, server=REAL) as site:
        await site.administrator()
        owner, stranger = Browser(site, "10.0.0.1"), Browser(site, "10.0.0.2")
        assert (await owner.log_in("boss")).status == 200
        for guesser, severity in ((stranger, "warning"), (owner, "alarm")):
            for _ in range(3):
                assert (await guesser.log_in("boss", WRONG)).code == "login/wrong"
            assert [each for each in await kinds(site) if each[0] == "login-locked"][-1][1] == severity
            site.clock.ms += 1


async def test_no_browser_of_a_demo_player_is_remembered(file_url: str) -> None:
    """A demo player has no password to come back with; the browser stays known for the account that has one."""
    async with Site(file_url) as site:
        await site.join("ada")
        browser = Browser(site, "10.0.0.1")
        assert (await browser.log_in("ada")).status == 200
        token = browser.cookies["sabot-device"]
        for _ in range(2):
            assert (await browser("/demo", {})).status == 200
        assert browser.cookies["sabot-device"] == token
        with site.database.reading() as connection:
            assert len(connection.execute(sqlalchemy.select(schema.known_devices)).all()) == 1


@pytest.mark.slow  # a PostgreSQL server
@pytest.mark.rule("OFF-06", "ASR-30")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_it_holds_for_all_nodes(database_url: str) -> None:
    shoes: ShoeSource = CountedShoes(VAULT, 0)
    async with two_nodes(database_url, shoes, server=REAL) as (one, other):
        await one.administrator()
        owner = Browser(one, "10.0.0.1")
        assert (await owner.log_in("boss")).status == 200
        strangers = [Browser(site, "10.0.0.2") for site in (one, other) * 3]
        answers = await asyncio.gather(*(each.log_in("boss", WRONG) for each in strangers))
        assert sorted(answer.code for answer in answers) == ["login/locked"] * 3 + ["login/wrong"] * 3
        owner.site = other
        assert (await owner.log_in("boss")).status == 200
        stranger = Browser(other, "10.0.0.2")
        assert (await stranger.log_in("boss")).code == "login/locked"


async def test_an_administrator_unlocks_every_source(file_url: str) -> None:
    async with Site(file_url, office=GUARDED, server=BEHIND) as site:
        boss, chief = await site.administrator(), await site.administrator("chief")
        await enrol(site, boss)
        await enrol(site, chief)
        places = [Browser(site, f"10.0.0.{n}") for n in range(3)]
        for place in places:
            assert [(await place.log_in("chief", WRONG)).code for _ in range(3)] == ["login/wrong"] * 3
        assert (await boss.post("/office/users/chief/unlock", {"reason": "it was her"})).status == 204
        assert [(await place.log_in("chief")).status for place in places] == [200] * 3
        assert (await prove(await login(site, "chief"), "000000")).code == "factor/wrong"
