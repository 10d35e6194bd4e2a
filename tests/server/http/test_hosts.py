"""Under which names the house is reached, what it tells strangers of itself, and which names players cannot have."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from sabot.server.app import create_app
from sabot.server.config import Config, ServerConfig
from sabot.server.house import House
from sabot.store.database import Database
from tests.support.clock import HandClock
from tests.support.shoes import StackedShoes
from tests.support.site import FREE, NEWCOMER, PASSWORD, Site

EVIL = {"Host": "evil.example", "Origin": "http://evil.example"}


@pytest.mark.rule("ASR-30")
@pytest.mark.parametrize(
    ("server", "own", "strange"),
    [
        (
            {},
            ["localhost", "LOCALHOST:1234", "[::1]:80", "127.0.0.1"],
            ["", "evil.example", "localhost.evil.example", "localhost:80:80", "local host", "10.0.0.7"],
        ),
        (
            {"hosts": ("house.example", "10.0.0.7:80")},
            ["house.example:8765", "HOUSE.example.", "10.0.0.7"],
            ["example", "a.house.example"],
        ),
        (  # loopback names are those of a proxy on the same machine, and of the house's own bots
            {"public_url": "https://sabot.example/play"},
            ["sabot.example", "127.0.0.1:8765"],
            ["evil.example"],
        ),
        ({"host": "10.0.0.8"}, ["10.0.0.8:8765"], ["10.0.0.9"]),
        ({"host": "0.0.0.0"}, ["127.0.0.1"], ["0.0.0.0", "10.0.0.8"]),
    ],
)
async def test_only_under_its_own_names(
    server: dict[str, object], own: list[str], strange: list[str], file_url: str
) -> None:
    async with Site(file_url, server=server) as site:
        for host in (*own, *strange):
            answer = await site.nobody.get("/games", headers={"Host": host})
            expected = (200, "") if host in own else (421, "host/unknown")
            assert (answer.status, answer.code) == expected, host


@pytest.mark.rule("ASR-30")
async def test_a_name_that_was_turned_to_our_address_opens_nothing(file_url: str) -> None:
    """DNS rebinding: the page's own origin and host agree, and are not ours."""

    async with Site(file_url) as site:
        fields = {"name": "ada", "password": PASSWORD}
        answer = await site.nobody.post("/register", fields, headers=EVIL)
        assert (answer.status, answer.code) == (421, "host/unknown")
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.WSServerHandshakeError) as error:
                await session.ws_connect(f"{site.url}/api/v1/socket", headers=EVIL)
            assert error.value.status == 421


@pytest.mark.rule("ASR-34")
@pytest.mark.parametrize(
    ("server", "headers", "open_"),
    [
        ({}, {}, True),
        ({}, {"X-Forwarded-For": "10.0.0.1"}, False),
        ({}, {"Forwarded": "for=10.0.0.1"}, False),
        ({}, {"Via": "1.1 proxy"}, False),
        ({"public_url": "https://sabot.example"}, {}, False),
        ({"proxies": ("127.0.0.1",)}, {}, False),
        ({"host": "0.0.0.0"}, {}, False),
        ({"metrics_token": "right"}, {}, False),
        ({"metrics_token": "right"}, {"Authorization": "Bearer wrong"}, False),
        ({"metrics_token": "right"}, {"Authorization": "Bearer right"}, True),
        ({"metrics_token": "right"}, {"Authorization": "Bearer right", "Host": "10.0.0.9:80"}, True),
        (
            {"metrics_token": "right", "public_url": "https://sabot.example"},
            {"Authorization": "Bearer right"},
            True,
        ),
    ],
)
async def test_metrics_and_details_are_for_the_operator(
    server: dict[str, object], headers: dict[str, str], open_: bool, tmp_path: Path
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'x.db'}")
    config = Config(server=ServerConfig(**(FREE | server)), table=())
    house = House(config, database, StackedShoes(), HandClock(), None)
    runner = web.AppRunner(create_app(house))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get(f"{url}/metrics") as metrics:
            assert metrics.status == (200 if open_ else 401)
            assert ("sabot_" in await metrics.text()) is open_
        async with session.get(f"{url}/readyz") as ready:
            assert ready.status == 200
            assert await ready.json() == {"ready": True, **({"why": ""} if open_ else {})}
        async with session.get(f"{url}/healthz", headers={"Host": "anything"}) as alive:
            assert (alive.status, await alive.json()) == (200, {"alive": True})
    await runner.cleanup()


async def test_a_name_of_the_house_cannot_be_registered(file_url: str) -> None:
    names = "admin Admin ADM1N a-d-m-i-n supervisor super.visor house bot1 Bot_7 sabot 5abot dealer dea1er croupier"
    more = "croup1er-2 sabot.staff supporto Assistenza root the-house"

    async with Site(file_url) as site:
        for name in f"{names} {more}".split():
            answer = await site.nobody.post(
                "/register", {"name": name, "password": PASSWORD, "bearer": True, **NEWCOMER}
            )
            assert (answer.status, answer.code) == (400, "name/reserved"), name
