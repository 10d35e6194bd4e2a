"""Secrets planted in a house that is made to fail everywhere; whatever it says of that is looked through for them.

Every error that is raised holds all secrets in its message, and so do the variables of the places it comes through.
`python -m tests.faults.planting` does it on an SQLite file and on a PostgreSQL from the wheel.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch
from urllib.parse import quote

import aiohttp
import psycopg
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from sabot.client import PlayerClient, RequestError
from sabot.fairness.stream import new_seed
from sabot.server import app, logs, run
from sabot.server.accounts import players
from sabot.server.config import Config, DatabaseConfig, HouseConfig, ServerConfig, TableSection
from sabot.server.http import dispatch
from sabot.server.http.routes import ROUTES
from sabot.server.tables import clock, registry
from sabot.server.tables.request_handler import RequestHandler
from sabot.server.ws.dispatch import Dispatcher
from sabot.store import database, writer
from sabot.tables.live.table import LiveTable
from tests.faults.postgres import own_server
from tests.server.http.test_access import BODIES, path_of
from tests.support.clock import PATIENCE
from tests.support.site import FREE, NEWCOMER, PASSWORD, Caller

TABLE = "live/one"
DATABASE_PASSWORD = "pw-of/the@database"
PROVIDER_KEY = "key-of-the-provider"
#: What is to be read in the log: each way to fail has said so.
TOLD = (
    "a request failed",
    "a request failed at a table",
    "a table failed",
    "a table cannot be opened yet",
    "the sweep failed",
    "a task failed",
    "a thread failed",
    "something could not be cleared away",
    "a library failed",
)


class Secrets(NamedTuple):
    """What must not be read anywhere, by its name."""

    known: dict[str, str]

    def spill(self, kind: str = "") -> NoReturn:
        """Fail with all of them in the message, and in a variable."""
        told = " ".join(self.known.values())
        if kind == "database":
            raise OperationalError(told, {"all": told}, psycopg.OperationalError(told))
        if kind == "group":
            raise ExceptionGroup(told, [KeyError(told)])
        raise RuntimeError(told)


class Spilling:
    """Takes any place in the house and fails there."""

    def __init__(self, secrets: Secrets, kind: str = "") -> None:
        self._secrets, self._kind = secrets, kind
        self._calls = 0

    def __call__(self, *_all: Any, **_named: Any) -> NoReturn:
        """Fail."""
        self._calls += 1
        self._secrets.spill(self._kind)

    async def called(self) -> None:
        """Wait until it has failed somewhere."""
        async with asyncio.timeout(PATIENCE):
            while not self._calls:
                await asyncio.sleep(0.01)


@dataclass
class Place:
    """Where the house is found."""

    url: str
    http: aiohttp.ClientSession


async def fail_everywhere(folder: Path, url: str) -> None:
    """Open a house, plant the secrets, and let everything fail once, in one way or another."""
    key = folder / "sabot.key"
    secrets = Secrets({"provider": PROVIDER_KEY, "player password": PASSWORD})
    if not url.startswith("sqlite"):
        secrets.known["database password"] = DATABASE_PASSWORD
    seeds: list[bytes] = []

    def noted_seed() -> bytes:
        seeds.append(new_seed())
        return seeds[-1]

    config = Config(
        house=HouseConfig(key=str(key)),
        server=ServerConfig(port=0, **FREE),
        database=DatabaseConfig(url=url),
        table=(TableSection(name="one", game="freebet", currency="FUN"),),
    )
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    with (
        patch("sabot.rounds.shoes.new_seed", noted_seed),
        patch.object(app, "SWEEP", 0.2),
        patch.object(run, "prepare"),  # no prices are asked for
    ):
        house = run.secure_house(config).house
        secrets.known["vault key"] = key.read_text().strip()
        task = asyncio.create_task(run.serve(house, opened=opened.set_result, stop=stop))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            place = Place(await opened, http)
            for kind in ("", "database", "group"):
                callers = await _come(place, secrets, f"player-{kind}1")
                await _fail(secrets, kind, place, callers[:1] if kind else callers)
                secrets.known.update({f"seed {number}": seed.hex() for number, seed in enumerate(seeds)})
            _fail_aside(secrets)
            await asyncio.sleep(0.1)
            (folder / "secrets.json").write_text(json.dumps(secrets.known))
        stop.set()
        await task


async def _come(place: Place, secrets: Secrets, name: str) -> tuple[Caller, Caller]:
    """A player with a token in hand and a cookie in the browser."""
    async with asyncio.timeout(PATIENCE):
        while (await place.http.get(f"{place.url}/readyz")).status != 200:  # it failed a moment ago
            await asyncio.sleep(0.05)
    body = {"name": name, "password": PASSWORD, "bearer": True}
    joined = await Caller(place).post("/register", body | NEWCOMER)
    again = await Caller(place).post("/login", body)
    secrets.known.update({f"token of {name}": joined.body["token"], f"cookie of {name}": again.body["token"]})
    page = Caller(place, headers={"Origin": place.url, "Cookie": f"sabot={again.body['token']}"})
    return Caller(place, joined.body["token"]), page


async def _fail(secrets: Secrets, kind: str, place: Place, callers: tuple[Caller, ...]) -> None:
    """Let each place of the house fail while it is asked."""
    spilling = Spilling(secrets, kind)
    async with PlayerClient(place.url, callers[0].token) as client:
        await client.enter(TABLE)
        await client.open("surrender")
        asked: list[tuple[Any, str]] = [
            (Dispatcher, "_handle"),
            (registry.TableRegistry, "find"),
            (RequestHandler, "_carry_out"),
            (database.Database, "reading"),
        ]
        for owner, name in asked:
            with patch.object(owner, name, spilling):
                await _ask_socket(client)
        await _break_table(spilling, Spilling(secrets, kind), client)
    sweep = Spilling(secrets, kind)
    with patch.object(app, "sweep", sweep):
        await sweep.called()
    inside: list[tuple[Any, str]] = [
        (dispatch, "check_access"),
        (dispatch, "_decode_query"),
        (players.Players, "find"),
        (database.Database, "reading"),
        (database.Database, "writing"),
        (writer, "commit_group"),
    ]
    for owner, name in inside:
        with patch.object(owner, name, spilling):
            await _ask_all(secrets, callers)


async def _ask_all(secrets: Secrets, callers: tuple[Caller, ...]) -> None:
    """Every route; what is answered holds no secret either."""
    for caller in callers:
        for one in ROUTES:
            answer = await caller(one.method, path_of(one), BODIES.get((one.method, one.path)))
            if answer.status >= 500:
                _check(secrets, answer.text)


async def _ask_socket(client: PlayerClient) -> None:
    asks: tuple[Callable[[], Any], ...] = (
        lambda: client.open("surrender"),
        lambda: client.enter(TABLE),
        lambda: client.say(TABLE, "ciao"),
        lambda: client.sit(TABLE, 1_000, 0),
        lambda: client.watch_lobby(),
        lambda: client.deal("solo/1/surrender/FUN", []),
    )
    for ask in asks:
        try:
            await asyncio.wait_for(ask(), PATIENCE)
        except RequestError as error:
            if error.code == "socket/closed":
                raise


async def _break_table(spilling: Spilling, opening: Spilling, client: PlayerClient) -> None:
    """The live table's owner fails, and cannot take it up again for a while."""
    with (
        patch.object(clock.TableClock, "_is_over", spilling),
        patch.object(LiveTable, "open", opening),
    ):
        await client.exit(TABLE)
        await opening.called()
    await client.enter(TABLE)


class _Unclear:
    """Fails when it is cleared away."""

    def __init__(self, secrets: Secrets) -> None:
        self.secrets = secrets

    def __del__(self) -> None:
        self.secrets.spill()


def _fail_aside(secrets: Secrets) -> None:
    """What nobody waits for: a callback, a task, a thread, a destructor, a library."""

    async def lost() -> None:
        secrets.spill("database")

    spilling = Spilling(secrets)
    asyncio.get_running_loop().call_soon(spilling, *secrets.known.values())
    asyncio.get_running_loop().create_task(lost())  # nobody is to hear of it
    thread = threading.Thread(target=spilling)
    thread.start()
    thread.join()
    _Unclear(secrets)
    try:
        secrets.spill()
    except RuntimeError as error:
        logging.getLogger("a library").error("failed on %s", " ".join(secrets.known.values()), exc_info=error)
        logging.getLogger("a library").error(" ".join(secrets.known.values()))


def _check(secrets: Secrets, text: str) -> None:
    for name, secret in secrets.known.items():
        assert secret not in text, f"the {name} stands in an answer"


# From outside


def leaks(text: str, known: dict[str, str]) -> list[str]:
    """The names of the secrets that stand in a text, as they are, quoted, or as bytes are shown."""
    found = []
    for name, secret in known.items():
        shapes = {secret, quote(secret, safe=""), repr(secret)[1:-1]}
        if re.fullmatch("[0-9a-f]{64}", secret):
            shapes.add(repr(bytes.fromhex(secret))[2:-1])
        found += [name for shape in shapes if shape in text]
    return found


def with_password(url: str) -> str:
    """The address of a database with a password in it, which a server that trusts everyone does not look at."""
    if url.startswith("sqlite"):
        return url
    return make_url(url).set(password=DATABASE_PASSWORD).render_as_string(hide_password=False)


def campaign(folder: Path, url: str) -> list[str]:
    """Let a house in a process of its own fail everywhere; gives its log."""
    command = (sys.executable, "-m", "tests.faults.planting", "--house", str(folder), with_password(url))
    ended = subprocess.run(command, capture_output=True, text=True, timeout=5 * PATIENCE)
    said = ended.stdout + ended.stderr
    assert ended.returncode == 0, said[-4000:]
    known = json.loads((folder / "secrets.json").read_text())
    assert len(known) > 5
    assert leaks(said, known) == []
    assert "Traceback" not in said
    for event in TOLD:
        assert event in said, f"nothing was said of: {event}"
    return said.splitlines()


def start_in_vain(folder: Path, environ: dict[str, str], *args: str) -> str:
    """What `sabot` prints when it cannot do what it is asked for."""
    command = (sys.executable, "-m", "sabot", *args, "--lang", "en")
    ended = subprocess.run(
        command, cwd=folder, env=os.environ | environ, capture_output=True, text=True, timeout=PATIENCE
    )
    return ended.stdout + ended.stderr


#: Addresses with a password that lead nowhere, or are none.
ADDRESSES = (
    "postgresql://ada:{}@127.0.0.1:1/sabot",
    "postgresql://127.0.0.1:1/sabot?user=ada&password={}",
    "postgresql//ada:{}@127.0.0.1/sabot",
    "mysql://ada:{}@127.0.0.1/sabot",
    "postgresql://ada:x@{}@127.0.0.1:1/sabot",
    "postgresql://ada:{}@127.0.0.1:port/sabot",
    "{}@127.0.0.1",
)


@contextmanager
def _databases() -> Iterator[tuple[tuple[Path, str], ...]]:
    with (
        TemporaryDirectory() as one,
        TemporaryDirectory() as other,
        TemporaryDirectory() as cluster,
        own_server(cluster) as address,
    ):
        yield (Path(one), f"sqlite:///{one}/sabot.db"), (Path(other), address)


def main() -> None:
    """The long campaign, or one house that fails."""
    if sys.argv[1:2] == ["--house"]:
        with patch.object(
            logs, "EVERY", 3_600.0
        ):  # each kind of failure is told once, however long it all takes
            logs.configure()
            asyncio.run(fail_everywhere(Path(sys.argv[2]), sys.argv[3]))
        return
    with _databases() as databases:
        for folder, url in databases:
            print(f"{url.partition(':')[0]}: {len(campaign(folder, url))} lines, no secret", flush=True)


if __name__ == "__main__":
    main()
