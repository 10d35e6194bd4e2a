"""What the office shows of players is logged; what the house logs of itself holds nothing personal (OFF-03, ASR-03)."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
import sqlalchemy
from structlog.testing import capture_logs

from sabot.protocol import messages
from sabot.server.config import TableSection
from sabot.server.http.routes import ROUTES
from sabot.server.office.talk import ChatArchive
from sabot.store import schema
from tests.server.http.test_access import BODIES, path_of
from tests.support.site import PASSWORD, Caller, Site

TABLES = (TableSection(name="one", game="freebet", currency="FUN"),)
#: A name that stands nowhere by accident, and addresses from which she came.
NAME, AGENT = "zenobia-quill", "Zenobrowser/7"


async def looks(site: Site) -> list[dict[str, Any]]:
    """The looks at players that were logged."""
    log = schema.log.c
    query = sqlalchemy.select(log.body).where(log.kind == "look-at-player").order_by(log.n)
    found = await site.house.read(lambda connection: connection.execute(query).scalars().all())
    return [json.loads(body)["command"] for body in found]


async def known_everywhere(site: Site) -> tuple[int, str]:
    """A player with money, a round, a failed login, a line of chat and a note; gives number and round."""
    her = await site.join(NAME)
    player = (await her.get("/me", headers={"User-Agent": AGENT})).body["player"]
    await her.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500_000})
    code = await site.play(player)
    assert (await site.come(NAME, "not her password")).code == "login/wrong"
    site.house.events.note("login-locked", "alarm", player=player, address="192.0.2.7")
    await site.house.events.flush()
    archive = ChatArchive(site.house)
    said = messages.Said("live/one", 1, str(player), NAME, "hello", site.clock.ms, "player")
    archive.keep(said)
    await archive.flush()
    return player, code


@pytest.mark.rule("OFF-03")
async def test_every_route_that_shows_a_player_notes_it(file_url: str) -> None:
    """Each route of the office is asked: an answer with a player's name in it has left a row with the number."""
    async with Site(file_url, tables=TABLES) as site:
        boss = await site.administrator()
        player, code = await known_everywhere(site)
        queries = {
            "/office/rounds": f"?player={player}",
            "/rounds/{code}": f"?player={NAME}",
            "/office/monitoring/days": "?place=solo/surrender&game=surrender&rules="
            + "0" * 64
            + "&currency=EUR&bet=main",
            "/office/figures/rounds": f"?game=surrender&currency=EUR&player={player}",
            "/office/figures/movements": f"?currency=EUR&payments=true&player={player}",
            "/office/reports/{name}/file": "?format=csv",
        }
        shown = set()
        for route in ROUTES:
            if route.method != "GET" or route.access not in ("office", "staff"):
                continue
            before = len(await looks(site))
            path = path_of(route, player=str(player), code=code, name="activity") + queries.get(
                route.path, ""
            )
            answer = await boss.get(path)
            assert answer.status == 200 or answer.code.endswith(("unknown", "not-open", "by-house")), (
                answer.text
            )
            rows = (await looks(site))[before:]
            noted = any(row.get("player") == player or player in row.get("players", ()) for row in rows)
            if NAME in answer.text or AGENT in answer.text or "192.0.2.7" in answer.text:
                assert noted, path
                shown.add(route.path)
            assert all(row["operator"] == 1 and row["page"] for row in rows)
            if route.path in queries and "player" in queries[route.path]:
                assert noted, path
        assert shown >= {
            "/office/players",
            "/office/players/{player}",
            "/office/events",
            "/office/events.csv",
            "/office/talk",
        }


@pytest.mark.slow  # every route is called
@pytest.mark.rule("ASR-03", "OFF-03")
async def test_no_log_line_holds_anything_personal(
    file_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every route by a player and by an operator, as it should be, with a broken body, and while the database fails."""
    caplog.set_level(logging.WARNING)  # as the house is configured
    with capture_logs() as lines:
        async with Site(file_url, tables=TABLES) as site:
            boss = await site.administrator()
            player, code = await known_everywhere(site)
            her = Caller(site, (await site.come(NAME)).body["token"])
            last = ("/logout", "/logout-everywhere", "/password")
            routes = sorted(ROUTES, key=lambda route: route.path in last)

            async def ask_everything() -> None:
                for caller in (her, boss):
                    for route in routes:
                        if route.path in last and caller is boss:
                            continue
                        path = path_of(route, player=str(player), code=code, name=NAME)
                        body = BODIES.get((route.method, route.path))
                        await caller(route.method, f"{path}?x={NAME}", body)
                        await caller(route.method, path, {"name": NAME, "password": PASSWORD})
                        if route.path not in last:
                            await caller(route.method, path, body)

            await ask_everything()
            her = Caller(site, (await site.come(NAME)).body["token"])

            async def broken(_act: object) -> Any:
                raise ValueError(f"{NAME} at 192.0.2.7 with {her.token}")

            monkeypatch.setattr(site.house, "read", broken)
            await ask_everything()
            monkeypatch.undo()
    written = "\n".join(map(str, lines))
    assert "ValueError" in written  # failures were logged
    for secret in (
        NAME,
        AGENT,
        "192.0.2.7",
        PASSWORD,
        "not her password",
        her.token,
        boss.token,
        "127.0.0.1",
    ):
        assert secret not in written, secret
        assert not [record for record in caplog.records if secret in str(record.msg)], secret
