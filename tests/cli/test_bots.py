"""`sabot bots`: a group at a table of a house that is open; what will not do is refused in one line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from sabot.bots import group, player
from sabot.bots.mind import Mind, Move
from sabot.bots.moves import carry_out
from sabot.cli import shared
from sabot.client import PlayerClient
from sabot.server.config import Rate
from sabot.store.database import Database
from tests.bots.house import open_house, table
from tests.cli.commands import run
from tests.cli.test_house import fail
from tests.support.clock import PATIENCE
from tests.support.databases import sqlite_url
from tests.support.ledger import rows

#: A port where nothing listens.
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def books(tmp_path: Path) -> Iterator[Database]:
    database = Database(sqlite_url(tmp_path / "sabot.db"))
    yield database
    database.close()


@pytest.fixture
def url(books: Database) -> Iterator[str]:
    """A house in a thread of its own, with a table for play money and one for euros; three may come in at once."""
    found: list[str] = []
    opened, end = threading.Event(), threading.Event()

    async def serving() -> None:
        tables = (table("freebet"), table("freebet", "gold", currency="EUR"))
        async with open_house(books, *tables, rate_demo_address=Rate(3, 30.0)) as house:
            found.append(house.url)
            opened.set()
            await asyncio.to_thread(end.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serving()))
    thread.start()
    assert opened.wait(PATIENCE)
    yield found[0]
    end.set()
    thread.join(PATIENCE)


@pytest.fixture
def page() -> Iterator[str]:
    """A server that is no house."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>hello")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(PATIENCE)
    server.server_close()


@pytest.mark.parametrize(
    ("args", "italian", "english"),
    [
        (
            ("--table", "silver", "--players", "2"),
            "non c'è un tavolo 'silver': con denaro finto ci sono freebet",
            "there is no table 'silver': for play money there are freebet",
        ),
        (
            ("--table", "gold", "--players", "2"),
            "al tavolo 'gold' si gioca in EUR",
            "the table 'gold' plays for EUR: bots play for play money only, at freebet",
        ),
    ],
)
def test_a_table_where_bots_cannot_play(
    url: str, books: Database, args: tuple[str, ...], italian: str, english: str
) -> None:
    assert italian in fail("bots", "--url", url, *args)
    assert english in fail("bots", "--url", url, *args, "--lang", "en")
    assert rows(books, "SELECT id FROM players") == []


@pytest.mark.parametrize(
    ("args", "english"),
    [
        (("--players", "0"), "0 is not a number of bots: from 1 to 500"),
        (("--players", "501"), "501 is not a number of bots"),
        (("--players", "2", "--minutes", "0"), "0.0 minutes is not a time to run"),
        (("--players", "2", "--minutes", "nan"), "nan minutes is not a time to run"),
        (("--players", "2", "--minutes", "inf"), "inf minutes is not a time to run"),
        (("--players", "2", "--url", "nowhere"), "'nowhere' is not an address"),
        (("--players", "2", "--url", "http://x:99999"), "'http://x:99999' is not an address"),
        (("--players", "2", "--url", "ftp://127.0.0.1"), "is not an address"),
        (("--players", "2", "--url", NOWHERE), f"no server answers at {NOWHERE}"),
    ],
)
def test_nonsense_is_refused(args: tuple[str, ...], english: str) -> None:
    assert english in fail("bots", "--table", "freebet", *args, "--lang", "en")


def test_a_house_does_not_seat_bots_for_money(tmp_path: Path) -> None:
    settings = tmp_path / "sabot.toml"
    settings.write_text(
        f"""
        [house]
        key = "{tmp_path}/sabot.key"
        [database]
        url = "sqlite:///{tmp_path}/euro.db"
        [[table]]
        name = "gold"
        game = "freebet"
        bots = 2
        """
    )
    refused = fail("serve", "--port", "0", "--config", str(settings), "--lang", "en")
    assert "The table 'gold' cannot be opened: bots play for play money only" in refused


def test_a_page_is_no_house(page: str) -> None:
    refused = fail("bots", "--table", "freebet", "--players", "2", "--url", page, "--lang", "en")
    assert f"there is no server of sabot at {page}" in refused


@pytest.fixture
def _end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over when a bot has sat down and another has to wait."""
    sat, waits = asyncio.Event(), asyncio.Event()
    run_group, say = group.BotGroup.run, shared.Output.say

    async def carry_out_and_note(move: Move, client: PlayerClient, table: str, mind: Mind) -> bool:
        done = await carry_out(move, client, table, mind)
        if move.kind == "sit":
            sat.set()
        return done

    def say_and_note(self: shared.Output, key: str, **params: object) -> None:
        say(self, key, **params)
        if key == "bots.waits":
            waits.set()

    async def run_until_noted(self: group.BotGroup) -> None:
        running = asyncio.create_task(run_group(self))
        await sat.wait()
        await waits.wait()
        running.cancel()
        await asyncio.wait([running])
        raise TimeoutError

    monkeypatch.setattr(player, "carry_out", carry_out_and_note)
    monkeypatch.setattr(shared.Output, "say", say_and_note)
    monkeypatch.setattr(group.BotGroup, "run", run_until_noted)


@pytest.mark.usefixtures("_end_in_time")
@pytest.mark.slow
def test_bots_come_play_and_say_what_they_did(
    url: str, books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house lets three in at once; the fourth waits and does not come in time."""
    monkeypatch.setattr(group, "_ARRIVALS", 0.1)
    args = ("--table", "freebet", "--players", "4", "--seed", "1", "--minutes", "5", "--url", url)
    told = run("bots", *args, "--lang", "en").splitlines()
    assert told[0] == f"4 bots go to the table live/freebet of {url}. CTRL+C stops them."
    assert "The server lets bots in one at a time" in told[1]
    assert told[-1].startswith("Done. Rounds ")
    assert told[-1].endswith("errors 0.")
    assert rows(books, "SELECT count(*) FROM profiles WHERE bot") == [(3,)]
    assert rows(books, "SELECT count(*) FROM sittings")[0] > (0,)
