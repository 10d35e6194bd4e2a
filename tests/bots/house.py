"""A house with live tables whose timers are short, on a real port and a real clock, and bots that think fast."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import aiohttp
from aiohttp import web

from sabot.rounds.audit import audit_house
from sabot.server.app import create_app
from sabot.server.config import Config, HouseConfig, ServerConfig, TableSection
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.server.run import SystemClock
from sabot.server.tables.opening import LIVE
from sabot.server.tables.registry import LiveRuntime
from sabot.store.database import Database
from sabot.tables.live.timers import Clock, Timers
from tests.support.house import VAULT, CountedShoes
from tests.support.ledger import check_all
from tests.support.site import FREE

QUICK = Timers(
    shuffle=0.05,
    betting=0.15,
    closing=0.01,
    pace=0.002,
    insurance=0.1,
    decision=0.15,
    vote=0.1,
    payout=0.03,
)


class Open(NamedTuple):
    """A house that is open."""

    url: str
    app: web.Application
    session: aiohttp.ClientSession

    def desk(self, table: str) -> LiveRuntime:
        return self.app[SERVICES].registry.live[LIVE + table]

    def break_connections(self) -> None:
        """The network breaks them all."""
        for guest in list(self.app[SERVICES].registry.connections):
            guest._transport.abort()


def table(game: str, name: str = "", **settings: Any) -> TableSection:
    """A play-money table."""
    return TableSection(name=name or game, **{"game": game, "currency": "FUN", "timers": QUICK, **settings})


@asynccontextmanager
async def open_house(
    database: Database,
    *tables: TableSection,
    demo_money: int = 500_000,
    clock: Clock | None = None,
    **server: Any,
) -> AsyncIterator[Open]:
    """A house that lets in anyone with a login; afterwards its books are in order."""
    config = Config(
        table=tables,
        house=HouseConfig(demo_money=demo_money),
        server=ServerConfig(**(FREE | server)),
    )
    opened = Database(database.url.render_as_string(False))
    house = House(config, opened, CountedShoes(VAULT, 0), clock or SystemClock(), None)
    app = create_app(house)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Open(f"http://127.0.0.1:{runner.addresses[0][1]}", app, session)
    finally:
        await runner.cleanup()
    check_books(database)


def check_books(database: Database) -> None:
    """No cent is lost or made, and every round comes out again."""
    check_all(database)
    assert audit_house(database, vault=VAULT).findings == []


@asynccontextmanager
async def running(act: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Something goes on beside the block, and is cancelled at its end."""
    task = asyncio.ensure_future(act())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def quick_sleep(seconds: float) -> None:
    """Sleep for a moment."""
    await asyncio.sleep(min(seconds, 0.02))
