"""Rates with a clock of the test's own, origins, headers, and bodies that are none (ASR-30, ASR-32)."""

from __future__ import annotations

import asyncio
import gzip
import json
from contextlib import suppress
from unittest.mock import patch
from urllib.parse import urlsplit

import aiohttp
import msgspec
import pytest
import sqlalchemy
from hypothesis import given
from hypothesis import strategies as st

from sabot.guide import Facts, Section, guide
from sabot.protocol.fields import Language
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.passwords import Passwords
from sabot.server.accounts.rate_limit import Buckets
from sabot.server.config import Rate, ServerConfig, TableSection
from sabot.server.http.dispatch import PREFIX
from sabot.server.http.handlers import games
from sabot.server.http.routes import ROUTES
from sabot.server.http.services import SERVICES
from sabot.store import schema
from tests.support.clock import PATIENCE
from tests.support.house import VAULT, CountedShoes
from tests.support.site import NEWCOMER, PASSWORD, RATES, Caller, Site, two_nodes

STRANGE = [
    "https://evil.example",
    "null",
    "http://127.0.0.1",
    "",
    "http://127.0.0.1:1",
    "https://sabot.example.evil",
]


# Rates


@given(
    burst=st.integers(1, 20),
    every=st.floats(0.01, 100),
    waits=st.lists(st.floats(0, 300), max_size=60),
)
def test_no_span_holds_more_than_the_rate(burst: int, every: float, waits: list[float]) -> None:
    buckets, now, taken = Buckets(Rate(burst, every)), 0.0, []
    for wait in waits:
        now += wait
        left = buckets.take("ada", now)
        if left:
            assert buckets.take("ada", now + left + 1e-6 * (1 + now)) == 0  # what Retry-After says holds
            now += left + 1e-6 * (1 + now)
        taken.append(now)
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            assert last - first + 1 <= burst + (taken[last] - taken[first]) / every + 1.001


def test_buckets_forget_who_has_not_asked_for_long() -> None:
    buckets = Buckets(Rate(2, 10.0), most=3)
    for name in "abc":
        buckets.take(name, 0.0)
    buckets.take("d", 100.0)
    assert list(buckets._full_at) == ["d"]
    for name in "efgh":
        buckets.take(name, 100.0)
    assert len(buckets._full_at) == 3


async def test_attempts_at_a_password_are_limited(file_url: str) -> None:
    server = {"rate_login_account": Rate(3, 10.0), "proxies": ("127.0.0.1",)}
    async with Site(file_url, server=server) as site:
        await site.join("ada")
        await site.join("bob")
        # From four addresses where the account was never opened.
        headers = [{"X-Forwarded-For": f"10.0.0.{number}"} for number in range(4)]
        wrong = {"name": "Ada", "password": "wrong" * 3, "bearer": True}
        answers = [await site.nobody.post("/login", wrong, headers=each) for each in headers]
        assert [answer.status for answer in answers] == [401, 401, 401, 429]
        assert (answers[3].code, answers[3].headers["Retry-After"]) == ("rate/limited", "10")
        assert answers[3].body["error"]["params"] == {"seconds": 10}
        right = wrong | {"name": "ada", "password": PASSWORD}
        assert (await site.nobody.post("/login", right, headers=headers[3])).status == 429
        assert (await site.nobody.post("/login", right | {"name": "bob"}, headers=headers[3])).status == 200
        assert (await site.come("ada")).status == 200  # where it was opened before
        site.clock.ms += 10_000
        assert (await site.nobody.post("/login", right, headers=headers[3])).status == 200


@pytest.mark.parametrize(
    ("field", "method", "path", "body"),
    [
        ("login_address", "POST", "/login", {"name": "nobody", "password": PASSWORD, "bearer": True}),
        (
            "register_address",
            "POST",
            "/register",
            {"name": "..", "password": PASSWORD, "bearer": True, **NEWCOMER},
        ),
        ("demo_address", "POST", "/demo", {"bearer": True}),
        ("address", "GET", "/games", None),
        ("account", "GET", "/me", None),
        ("login_address", "PUT", "/password", {"old": "wrong" * 3, "new": PASSWORD}),
    ],
)
async def test_everything_has_a_rate(field: str, method: str, path: str, body: object, file_url: str) -> None:
    async with Site(file_url, server={f"rate_{field}": Rate(5, 7.0)}) as site:
        ada = Caller(site, (await site.join("ada")).token)
        if field in ("address", "register_address"):
            site.clock.ms += 3600_000  # the bucket that registering used is full again
        answers = [await ada(method, path, body) for _ in range(6)]
        assert [answer.status == 429 for answer in answers] == [False] * 5 + [True]
        site.clock.ms += int(answers[-1].headers["Retry-After"]) * 1000
        assert (await ada(method, path, body)).status != 429


def test_the_rates_of_a_house_let_a_player_play() -> None:
    """A page asks a few times when it is opened, and then at most a few times a second."""
    usual = ServerConfig()
    assert usual.rate_account.burst >= 20
    assert usual.rate_account.every <= 0.1
    assert usual.rate_login_account.every >= 5  # a password is not guessed at more than this


@pytest.mark.rule("PLT-01")
@pytest.mark.slow  # a hundred players come in
async def test_a_hundred_demo_players_behind_one_address_come_in_within_a_minute(file_url: str) -> None:
    """They share a carrier's address; the next one is told to wait for a second. No password is hashed for them."""

    usual = ServerConfig()
    async with Site(file_url, server={name: getattr(usual, name) for name in RATES}) as site:
        with patch.object(Passwords, "hash") as hashing:
            answers = [await site.nobody.post("/demo", {"bearer": True}) for _ in range(101)]
        assert [answer.status for answer in answers] == [200] * 100 + [429]
        assert answers[-1].body["error"] == {"code": "rate/limited", "params": {"seconds": 1}}
        assert not hashing.called
        site.clock.ms += 60_000
        assert (await site.nobody.post("/demo", {"bearer": True})).status == 200


@pytest.mark.rule("ASR-30")
async def test_a_page_that_anyone_may_open_is_made_and_compressed_once(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's requests cost next to nothing; other limits of the table, and other settings, make another guide."""
    made: list[tuple[str, str]] = []
    compressed: list[int] = []

    def noted_guide(facts: Facts, language: Language) -> tuple[Section, ...]:
        made.append((facts.game.name, language))
        return guide(facts, language)

    def noted_gzip(body: bytes, mtime: int) -> bytes:
        compressed.append(len(body))
        return compress(body, mtime=mtime)

    compress = gzip.compress
    monkeypatch.setattr(games, "guide", noted_guide)
    monkeypatch.setattr(gzip, "compress", noted_gzip)
    for money, pages in ((777_700, 2), (777_800, 2)):
        async with Site(file_url, house={"demo_money": money}) as site:
            answers = [await site.nobody.get("/games/link") for _ in range(5)]
            assert len({answer.text for answer in answers}) == 1
            assert answers[0].headers["Content-Encoding"] == "gzip"
            plain = await site.nobody.get("/games/link", headers={"Accept-Encoding": "deflate"})
            assert (plain.text, "Content-Encoding" in plain.headers) == (answers[0].text, False)
        assert (len(made), len(compressed)) == (pages, 1)
        assert {language for _, language in made} == {"it", "en"}
        made.clear()
        compressed.clear()


@pytest.mark.rule("ASR-30")
async def test_what_differs_with_every_question_is_not_compressed_on_the_loop(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lobby, shoes and proofs change with the query and from moment to moment: to keep them would be in vain."""
    compressed: list[bytes] = []

    def noted(body: bytes, mtime: int) -> bytes:
        compressed.append(body)
        return body

    monkeypatch.setattr(gzip, "compress", noted)
    tables = tuple(TableSection(name=f"table-{n}", game="freebet", title="x" * 60) for n in range(6))
    async with Site(file_url, tables=tables) as site:
        answer = await site.nobody.get("/tables")
        assert (len(answer.body["tables"]), "Content-Encoding" in answer.headers) == (6, True)
        assert compressed == []
        shared = {route.path for route in ROUTES if route.shared}
        assert shared == {"/games", "/games/{game}", "/openapi.json", "/socket.json", "/operator", "/terms"}


@pytest.mark.rule("PLT-01", "ASR-30")
async def test_a_few_addresses_do_not_use_up_the_demo_players_of_the_house(file_url: str) -> None:
    """Three addresses have three each: their own make room. Of all ten, who was idle longest does."""
    server = {"proxies": ("127.0.0.1",), "demo_players_address": 3, "demo_players": 10}
    async with Site(file_url, server=server) as site:

        async def demo(address: str) -> Caller:
            answer = await site.nobody.post("/demo", {"bearer": True}, headers={"X-Forwarded-For": address})
            assert answer.status == 200, answer.text
            return Caller(site, answer.body["token"])

        async def here(*players: Caller) -> list[bool]:
            return [(await player.get("/me")).status == 200 for player in players]

        first = await demo("10.9.0.1")
        greedy = [await demo(f"10.0.0.{number % 3}") for number in range(24)]
        site.clock.ms += 60_000
        assert await here(*greedy, first) == [*[False] * 15, *[True] * 9, True]
        site.clock.ms += 60_000
        assert await here(first) == [True]
        newcomers = [await demo(f"10.8.0.{number}") for number in range(9)]
        assert await here(*newcomers, first, *greedy[-9:]) == [*[True] * 10, *[False] * 9]


@pytest.mark.slow  # a PostgreSQL server
@pytest.mark.rule("PLT-01", "CLU-10")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_who_plays_at_another_node_is_not_idle(database_url: str) -> None:
    """Of an address that is full, one whose login has ended makes room first, else who did nothing longest at any node."""
    shoes: ShoeSource = CountedShoes(VAULT, 0)
    server = {"proxies": ("127.0.0.1",), "demo_players_address": 2}
    async with two_nodes(database_url, shoes, server=server) as (one, other):
        headers = {"X-Forwarded-For": "10.0.0.1"}

        async def demo() -> str:
            answer = await one.nobody.post("/demo", {"bearer": True}, headers=headers)
            token: str = answer.body["token"]
            return token

        async def here(*tokens: str) -> list[bool]:
            return [(await Caller(other, token).get("/me")).status == 200 for token in tokens]

        busy, idle = await demo(), await demo()
        one.clock.ms += 60_000
        assert await here(busy) == [True]
        new = await demo()
        assert await here(busy, idle, new) == [True, False, True]
        one.clock.ms += 60_000
        await Caller(other, busy).post("/logout", headers=headers)
        last = await demo()
        assert await here(new, last) == [True, True]


def test_an_operator_can_give_any_room() -> None:
    """0 seconds between two is no limit: for a load test, or bots of the house's own."""
    buckets = Buckets(Rate(1, 0.0))
    assert {buckets.take("bot", 0.0) for _ in range(1_000)} == {0.0}


# Addresses

PROXIES = ("127.0.0.1", "10.0.0.0/8", "2001:db8::/32")


@pytest.mark.parametrize(
    ("proxies", "told", "noted"),
    [
        # Nobody's word is taken unless the operator says whose.
        ((), ["198.51.100.7"], "127.0.0.1"),
        (("10.0.0.0/8",), ["198.51.100.7"], "127.0.0.1"),
        (PROXIES, [], "127.0.0.1"),
        (PROXIES, ["198.51.100.7"], "198.51.100.7"),
        # What a client writes itself stands before what the proxy adds.
        (PROXIES, ["1.2.3.4, 198.51.100.7"], "198.51.100.7"),
        (PROXIES, ["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
        # Proxies behind one another, and clients who name one of them.
        (PROXIES, ["198.51.100.7, 10.9.9.9"], "198.51.100.7"),
        (PROXIES, ["10.1.1.1, 198.51.100.7,10.9.9.9 , 2001:db8::5"], "198.51.100.7"),
        (PROXIES, ["10.1.1.1, 10.9.9.9"], "10.1.1.1"),
        # With a port, in IPv6 clothes, or no address at all.
        (PROXIES, ["198.51.100.7:4711"], "198.51.100.7"),
        (PROXIES, ["::ffff:198.51.100.7"], "198.51.100.7"),
        (PROXIES, ["[2001:db9::1]:4711"], "2001:db9::1"),
        (PROXIES, ["1.2.3.4, unknown"], "127.0.0.1"),
        (PROXIES, ["1.2.3.4, x, 10.9.9.9"], "10.9.9.9"),
        (PROXIES, [""], "127.0.0.1"),
    ],
)
async def test_where_a_request_comes_from(
    proxies: tuple[str, ...], told: list[str], noted: str, file_url: str
) -> None:
    """The note of a login is of the client's own address; the header is believed of the house's proxies only."""

    async with Site(file_url, server={"proxies": proxies}) as site:
        body = {"name": "ada", "password": PASSWORD, "bearer": True, **NEWCOMER}
        headers = [("X-Forwarded-For", line) for line in told]
        async with site.http.post(f"{site.url}{PREFIX}/register", json=body, headers=headers) as answer:
            assert answer.status == 200
        with site.database.reading() as connection:
            assert connection.exec_driver_sql("SELECT origin FROM logins").scalar() == noted


@pytest.mark.parametrize("behind", [False, True], ids=["", "behind a proxy"])
async def test_rates_are_of_clients_and_not_of_proxies(behind: bool, file_url: str) -> None:
    """Two clients of one proxy have a rate each; without a proxy, a header that varies changes nothing."""

    server = {"rate_address": Rate(1, 60.0), "proxies": ("127.0.0.1",) if behind else ()}
    async with Site(file_url, server=server) as site:

        async def ask(client: str) -> int:
            told = {"X-Forwarded-For": f"1.2.3.4, {client}"}
            return (await site.nobody.get("/games", headers=told)).status

        asked = [await ask(client) for client in ("198.51.100.7", "198.51.100.7", "198.51.100.8")]
        assert asked == ([200, 429, 200] if behind else [200, 429, 429])


# Origins


async def test_a_page_of_another_origin_changes_nothing(file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        for origin in STRANGE:
            strange = {"Origin": origin}
            for caller in (Caller(site, headers=strange | {"Cookie": f"sabot={ada.token}"}), ada):
                for route in ROUTES:
                    if route.method != "GET":
                        path = route.path.replace("{name}", "ada")
                        answer = await caller(route.method, path, headers=strange)
                        found = (answer.status, answer.code)
                        assert found == (403, "origin/strange"), (origin, route.path)
        assert (await ada.get("/me")).status == 200


async def test_the_own_origin_and_those_of_the_operator(file_url: str) -> None:
    server = {"public_url": "https://sabot.example/play", "origins": ("https://app.example",)}

    async with Site(file_url, server=server) as site:
        ada = await site.join("ada")
        cookie = {"Cookie": f"sabot={ada.token}"}
        for origin, status in (
            ("https://sabot.example", 200),
            ("https://app.example", 200),
            ("http://sabot.example", 403),
            ("https://sabot.example:444", 403),
            (site.url, 403),
        ):
            answer = await site.nobody.put("/settings", {}, headers=cookie | {"Origin": origin})
            assert answer.status == status, origin


async def test_without_an_origin_only_a_bearer_token_counts(file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        cookie = Caller(site, headers={"Cookie": f"sabot={ada.token}"})
        assert (await cookie.get("/me")).status == 200
        assert (await cookie.put("/settings", {})).code == "origin/missing"
        assert (await ada.put("/settings", {})).status == 200
        # A cookie is given to pages only; a token to whoever asks for it.
        for path, body in (
            ("/demo", {}),
            ("/login", {"name": "ada", "password": PASSWORD}),
            ("/register", {"name": "bob", "password": PASSWORD, **NEWCOMER}),
        ):
            refused = await site.nobody.post(path, body)
            assert (refused.status, refused.code) == (403, "origin/missing")
            assert "Set-Cookie" not in refused.headers
            given = await site.nobody.post(path, body | {"bearer": True})
            assert given.body["token"]
            assert "Set-Cookie" not in given.headers


async def test_a_socket_is_opened_by_pages_of_the_house_and_bearers_only(file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        cookie, bearer = {"Cookie": f"sabot={ada.token}"}, {"Authorization": f"Bearer {ada.token}"}
        own = {"Origin": site.url}

        async def name(headers: dict[str, str]) -> str:
            async with site.http.ws_connect(f"{site.url}{PREFIX}/whoami", headers=headers) as socket:
                return await socket.receive_str()

        for headers in (cookie | own, bearer, bearer | own):
            assert await name(headers) == "ada"
        for headers, status in (
            (cookie, 403),
            (cookie | {"Origin": "https://evil.example"}, 403),
            (bearer | {"Origin": "https://evil.example"}, 403),
            (own, 401),
            ({}, 401),
        ):
            with pytest.raises(aiohttp.WSServerHandshakeError) as error:
                await name(headers)
            assert error.value.status == status


# Headers


@pytest.mark.parametrize("public_url", ["", "https://sabot.example"])
async def test_every_answer_has_the_headers(public_url: str, file_url: str) -> None:
    async with Site(file_url, server={"public_url": public_url}) as site:
        answers = [await site.nobody.get(path) for path in ("/games", "/nothing", "/me")]
        answers.append(await site.nobody("DELETE", "/me"))
        for answer in answers:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self'" in policy
            assert "unsafe" not in policy
            assert "http" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers.getall("Server") == ["sabot"]
            assert ("Strict-Transport-Security" in answer.headers) is bool(public_url)


@pytest.mark.rule("STU-20", "ASR-32")
@pytest.mark.parametrize(
    "whep",
    [
        "https://vi\0deo.example/t/w",
        "https://video.example:88890/t/w",
        "https://[x/t/w",
        "https://video.example;sandbox/t/w",
    ],
)
async def test_an_address_of_a_video_never_stops_the_house(whep: str, file_url: str) -> None:
    """A text that is no address is refused where it comes in; one that was stored before names no media server."""
    video = {"quality": "720", "whep": whep}
    section = {"name": "one", "game": "freebet", "currency": "FUN", "video": [video]}
    tables = (TableSection(name="one", game="freebet", currency="FUN"),)
    async with Site(file_url, tables=tables) as site:
        boss = await site.administrator()
        change = {"change": {"kind": "table", "table": section}, "reason": "to be seen"}
        assert (await boss.post("/office/proposals", change)).code == "request/bad"
        row = {
            "subject": "table/one",
            "version": 1,
            "at": 0,
            "value": msgspec.json.encode(section),
            "proposal": 1,
        }
        await site.house.write(lambda connection: connection.execute(sqlalchemy.insert(schema.changes), row))
        await site.app[SERVICES].settings.refresh()
        await site.house.events.flush()
        (event,) = (await boss.get("/office/events?kind=configuration")).body["events"]
        assert (event["severity"], event["detail"]) == ("alarm", {"unusable": ["table/one"]})
    async with Site(file_url, tables=tables) as site:
        async with site.http.get(f"{site.url}/healthz") as answer:
            assert (answer.status, answer.headers["X-Frame-Options"]) == (200, "DENY")
            assert "connect-src 'self';" in answer.headers["Content-Security-Policy"]
        assert [table["table"] for table in (await site.nobody.get("/tables")).body["tables"]] == ["live/one"]


# Bodies and paths that are none


async def test_where_there_is_nothing(file_url: str) -> None:
    async with Site(file_url) as site:
        nothing = await site.nobody.get("/nothing")
        assert (nothing.status, nothing.code) == (404, "route/unknown")
        wrong = await site.nobody("PATCH", "/cashier/deposit")
        assert (wrong.status, wrong.code, wrong.headers["Allow"]) == (405, "route/method", "POST")


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"", "application/json", "request/bad"),
        (b"{", "application/json", "request/bad"),
        (b"[]", "application/json", "request/bad"),
        (b"null", "application/json", "request/bad"),
        (b'{"bearer":1}', "application/json", "request/bad"),
        (b'{"bearer":true,"x":1}', "application/json", "request/bad"),
        (b'{"bearer":true}x', "application/json", "request/bad"),
        (b"\xff\xfe", "application/json", "request/bad"),
        (b'{"\xff":1}', "application/json", "request/bad"),
        (b'{"\\ud800":1}', "application/json", "request/bad"),
        (b"[" * 10_000, "application/json", "request/bad"),
        (b'{"x":' * 3_000, "application/json", "request/bad"),
        (b'{"bearer":' + b"9" * 10_000 + b"}", "application/json", "request/bad"),
        (b" " * 16_385, "application/json", "request/too-long"),
        (b'{"bearer":true}', "text/plain", "request/not-json"),
        (b'{"bearer":true}', "application/x-www-form-urlencoded", "request/not-json"),
        (b'{"bearer":true}', "multipart/form-data; boundary=x", "request/not-json"),
    ],
)
async def test_a_body_that_is_none(body: bytes, kind: str, code: str, file_url: str) -> None:
    async with Site(file_url) as site:
        answer = await site.nobody.post("/demo", data=body, headers={"Content-Type": kind})
        assert (answer.status // 100, answer.code) == (4, code)
        assert "Traceback" not in answer.text


async def test_a_body_that_grows_when_it_is_unpacked(file_url: str) -> None:
    async with Site(file_url) as site:
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        bomb = gzip.compress(b" " * 30_000_000)
        answer = await site.nobody.post("/demo", data=bomb[:16_000], headers=headers)
        assert answer.status in (400, 413)
        answer = await site.nobody.post("/demo", data=b"no gzip", headers=headers)
        assert answer.status == 400
        assert (await site.nobody.get("/games")).status == 200


NO_PATHS = [
    "/me?x=1",
    "/history?limit=0",
    "/history?limit=101",
    "/history?limit=99999999999999999999999",
    "/history?limit=x",
    "/history?limit=1&limit=2",
    "/history?until=null",
    "/history?before=NULL",
    "/history?before=%00",
    "/history?before=AAAA",
    "/history?before=" + "A" * 65,
    "/history/%00",
    "/history/x",
    "/history/260829-104000-aaaa",
    "/records/260829-104000-AAAA%0A",
    "/rounds/'; DROP TABLE players",
    "/games/%F0%9F%82%A1",
]


async def test_a_path_or_query_that_is_none(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        for path in NO_PATHS:
            answer = await boss.get(path)
            found = (answer.status, answer.code)
            assert found in ((400, "request/bad"), (400, "history/no-place")), path


@pytest.mark.parametrize(
    "junk",
    [
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 20_000 + b"\r\n\r\n",
        b"POST /api/v1/demo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/demo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\0" * 3_000,
    ],
)
async def test_bytes_that_are_no_request(junk: bytes, file_url: str) -> None:
    async with Site(file_url) as site:
        port = urlsplit(site.url).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(junk)
        writer.write_eof()
        told = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        assert told == b"" or b"HTTP/1.1 4" in told[:12] or b"HTTP/1.0 4" in told[:12]
        assert told == b"" or b"\r\nServer: sabot\r\n" in told
        for header in (b"Content-Security-Policy: default-src 'none'", b"X-Content-Type-Options: nosniff"):
            assert told == b"" or header in told
        assert not any(word in told for word in (b"Traceback", b"aiohttp", b"Python"))
        assert (await site.nobody.get("/games")).status == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.sampled_from(["name", "bearer", "amount"]), part),
    max_leaves=10,
)


@given(body=st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_make_a_form_or_are_refused(body: bytes) -> None:
    """Each form of the table, without a house: what a decoder raises is what the house answers with a code."""
    for route in ROUTES:
        if route.body is not None:
            with suppress(msgspec.MsgspecError, UnicodeError):
                msgspec.json.decode(body, type=route.body)
