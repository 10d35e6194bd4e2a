"""Running a house: from its settings to an open port, and to a clean end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from sabot.fairness.vault import Vault, new_key, parse_keys
from sabot.odds.price import price
from sabot.rounds.shoes import SecureShoes
from sabot.server.app import create_app
from sabot.server.clock import SystemClock
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.pages import find_pages
from sabot.server.route import HOUSE
from sabot.store.database import Database

#: Seconds that open requests are given at the end.
_PATIENCE = 5.0


def open_vault(path: Path) -> Vault:
    """The vault of a key file; a new key is made where there is no file, for nobody else to read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Vault(*parse_keys(path.read_text("utf-8")))
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{new_key().hex()}\n")
    return Vault(*parse_keys(path.read_text("utf-8")))


def secure_house(config: Config) -> House:
    """A house as it is run: secure shoes, the machine's clock, exact prices. There is no setting for any other."""
    vault = open_vault(Path(config.house.key))
    return House(config, Database(config.database.url), SecureShoes(vault), SystemClock(), price)


async def serve(house: House, *, told: Callable[[str], None], stop: asyncio.Event | None = None) -> None:
    """Serve a house until it is told to stop: SIGINT or SIGTERM end it, SIGUSR1 lets it deal no new rounds."""
    server = house.config.server
    app = create_app(house, find_pages())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_PATIENCE)
    await runner.setup()
    site = web.TCPSite(runner, server.host, server.port)
    await site.start()
    stop = stop or asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGUSR1, lambda: _drain(app))
    gc.freeze()  # what is there now stays: the collector need not look at it again
    port = runner.addresses[0][1]
    told(server.public_url or f"http://{server.host}:{port}")
    try:
        await stop.wait()
        _drain(app)
    finally:
        await runner.cleanup()


def _drain(app: web.Application) -> None:
    """Deal no new rounds; those that are open can be finished, now or after a restart."""
    app[HOUSE].draining = True
