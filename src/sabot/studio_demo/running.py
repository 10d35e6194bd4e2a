"""Runs the demo: camera and dealers at a house that is open, or at a house of its own (STU-25)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import time
from typing import Any, NamedTuple

import aiohttp

from sabot.bots.house_bots import run_bots
from sabot.bots.player import Tally
from sabot.client.connection import RequestError
from sabot.client.http import post
from sabot.games import find
from sabot.server import run
from sabot.server.addresses import origin_of
from sabot.server.config import Config
from sabot.server.studio.codes import read_codes
from sabot.store.cashier import find_player
from sabot.store.database import Database
from sabot.store.kinds import Role
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.studio_demo.camera import Camera, serve_camera
from sabot.studio_demo.dealer import Dealer
from sabot.studio_demo.desk import PresenterAccount, StudioDesk
from sabot.studio_demo.settings import CODES, PRESENTERS, SUPERVISOR, DemoKeys, keys_of, write_settings
from sabot.studio_demo.shoe import PrintedCards, ShoeFile
from sabot.studio_demo.token_check import TokenCheck

HOST = "127.0.0.1"
#: Seconds that a request of the demo may take.
_PATIENCE = aiohttp.ClientTimeout(total=10)


class OpenHouse(NamedTuple):
    """A house that is open: its address, who signs its video tokens, and what the demo needs at each table."""

    url: str
    issuer: str
    #: The account of the presenter and the token of the shoe, by table.
    tables: dict[str, tuple[PresenterAccount, str]]
    codes: Path
    #: Where the shoes are kept.
    folder: Path
    #: After how many cards the cut card lies; None is the games' own place.
    cut: int | None = None


class VideoAddress(NamedTuple):
    """Where the camera listens; port 0 takes a free one."""

    host: str
    port: int


class Filming(NamedTuple):
    """A camera and its address; `admit` lets the players of a house in."""

    camera: Camera
    url: str
    admit: Callable[[OpenHouse], None]


@asynccontextmanager
async def filming(tables: list[str], address: VideoAddress, folder: Path) -> AsyncIterator[Filming]:
    """A camera at some tables, until the end of the block."""
    async with aiohttp.ClientSession(timeout=_PATIENCE) as session:
        gate = _Gate(session)
        camera = Camera(tables, gate.allows, gate.origins, folder / "video")
        async with serve_camera(camera, *address) as url:
            yield Filming(camera, url, gate.admit)


class _Gate:
    """Whom the camera lets in: nobody until it knows the house."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._check: TokenCheck | None = None
        self.origins: set[str] = set()

    def admit(self, house: OpenHouse) -> None:
        """Let in who has a token of a house, from its pages."""
        self._check = TokenCheck(self._session, f"{house.url}/api/v1/video/keys", house.issuer)
        page = origin_of(house.url)
        self.origins |= {page, page.replace(f"//{HOST}", "//localhost")}

    async def allows(self, token: str, path: str) -> bool:
        """Whether a token opens a path."""
        return self._check is not None and await self._check.allows(token, path)


async def deal(house: OpenHouse, camera: Camera, pace: float, dealers: list[Dealer]) -> None:
    """Deal at every table until cancelled; `RequestError` if the house does not let a presenter in."""
    cards = PrintedCards(read_codes(str(house.codes)))
    async with aiohttp.ClientSession(timeout=_PATIENCE) as session:
        for table, (account, token) in house.tables.items():
            desk = StudioDesk(session, house.url, table, account, token)
            game = (await desk.console()).game
            file = ShoeFile(house.folder / f"{table}.shoe")
            cut = find(game).options.cut if house.cut is None else house.cut
            dealers.append(Dealer(desk, cards, file, camera.scenes[table], cut=cut))
        await asyncio.gather(*(dealer.run(pace) for dealer in dealers))


async def run_at(
    house: OpenHouse, address: VideoAddress, pace: float, opened: Callable[[str], None], dealers: list[Dealer]
) -> None:
    """Film and deal at tables of a house that is open, until cancelled; `opened` gets the camera's address."""
    async with filming(list(house.tables), address, house.folder) as film:
        film.admit(house)
        opened(film.url)
        await deal(house, film.camera, pace, dealers)


async def run_own(
    folder: Path,
    tables: list[str],
    port: int,
    address: VideoAddress,
    pace: float,
    opened: Callable[[str, DemoKeys], None],
    dealers: list[Dealer],
    stop: asyncio.Event,
) -> None:
    """Open a house in a folder, film and deal there until `stop` is set, or SIGINT or SIGTERM comes."""
    keys = keys_of(folder)
    async with filming(tables, address, folder) as film:
        config = write_settings(folder, tables, port, film.url, keys).config
        house, _ = run.secure_house(config)
        url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(run.serve(house, opened=url.set_result, stop=stop, run_bots=_bots))
        await asyncio.wait((serving, url), return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            return await serving
        try:
            await _hire(await url, config, keys)
            accounts = {name: PresenterAccount(who, keys.passwords[who]) for name, who in PRESENTERS.items()}
            desks = {table: (accounts[table], keys.tokens[table]) for table in tables}
            open_house = OpenHouse(await url, config.house.name, desks, folder / CODES, folder)
            film.admit(open_house)
            opened(await url, keys)
            dealing = asyncio.create_task(deal(open_house, film.camera, pace, dealers))
            await asyncio.wait((serving, dealing), return_when=asyncio.FIRST_COMPLETED)
            await _end(dealing)
        finally:
            stop.set()
            await serving


def _bots(environment: run.BotEnvironment) -> Coroutine[Any, Any, None]:
    return run_bots(environment, Random(), Tally())


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    (ended,) = await asyncio.gather(task, return_exceptions=True)
    if isinstance(ended, Exception):
        raise ended


async def _hire(url: str, config: Config, keys: DemoKeys) -> None:
    """Register the presenters and the supervisor, if they are not there yet."""
    async with aiohttp.ClientSession(timeout=_PATIENCE) as session:
        for name, password in keys.passwords.items():
            newcomer = {"born": "1990-01-01", "terms": config.operator.terms_version, "bearer": True}
            try:
                await post(session, url, "/register", {"name": name, "password": password, **newcomer})
            except RequestError as error:
                if error.code != "player/taken":
                    raise
                continue
            role: Role = "supervisor" if name == SUPERVISOR else "presenter"
            await asyncio.to_thread(_give_role, config.database.url, name, role)


def _give_role(database_url: str, name: str, role: Role) -> None:
    """Give a role at the console, beside the open house, as `sabot role` does."""
    database = Database(database_url)
    try:
        with database.reading() as connection:
            player = find_player(connection, name)
        assert player is not None
        at = int(time() * 1000)
        Register.at_console(Store(database), at).give_role(None, player, role, "deals in the demo", at)
    finally:
        database.close()
