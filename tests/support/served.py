"""A house on a loopback port, for tests: stacked shoes, a clock that is set by hand, players who are who they say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import sqlalchemy
from aiohttp import web
from sqlalchemy import Connection

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts import logins
from sabot.server.app import create_app
from sabot.server.config import Config, OfficeConfig, ServerConfig
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.server.office.release import Program
from sabot.server.tables.registry import TableRegistry
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.nodes.membership import Membership
from tests.support.clock import HandClock
from tests.support.cluster.bus import LocalBus, Wire
from tests.support.house import VAULT
from tests.support.site import FREE
from tests.support.store.off_loop import off_the_loop
from tests.support.table import fixed_price

DEPOSITED = 100_000
#: When the house opens, in milliseconds.
OPENED = 1_788_000_000_000


class Served:
    """A running house."""

    def __init__(self, app: web.Application, url: str, clock: HandClock) -> None:
        self.app = app
        self.house = app[SERVICES].house
        self.registry: TableRegistry = app[SERVICES].registry
        self.url = url
        self.clock = clock
        self._players = 0

    async def player(self) -> int:
        """A new player with money of both currencies."""
        self._players += 1
        name = f"player {self._players} of {self.clock.ms}"
        player = await self.house.cashier(lambda cashier: cashier.register(name, 1, terms="1"))
        await self.house.cashier(lambda cashier: cashier.deposit(player, "FUN", DEPOSITED, "FUN", 1))
        await self.house.cashier(lambda cashier: cashier.deposit(player, "EUR", DEPOSITED, "EUR", 1))
        await self.house.write(lambda connection: log_in(connection, player))
        return player

    def client(self, player: int) -> PlayerClient:
        """A socket of the player's, whose token is the player's number."""
        return PlayerClient(self.url, str(player))


def log_in(connection: Connection, player: int) -> None:
    """A login that never ends; its token is the player's number."""
    row = (logins.digest(str(player)), player, OPENED, OPENED, OPENED, 2**53, None, "", "", None, None)
    connection.execute(sqlalchemy.insert(schema.logins).values(row))


@asynccontextmanager
async def served(
    database: Database,
    shoes: ShoeSource,
    *,
    config: Config | None = None,
    clock: HandClock | None = None,
    wire: Wire | None = None,
    program: Program | None = None,
    member: Membership | None = None,
) -> AsyncIterator[Served]:
    """Open the house on a database and serve it until the end of the block; with a `wire`, as one of its nodes.

    With a `member` and no wire it is the only node, and holds a lease, as on PostgreSQL.
    """
    clock = clock or HandClock(OPENED)
    config = config or Config(table=())
    if config.server == ServerConfig():
        config = msgspec.structs.replace(config, server=msgspec.structs.replace(config.server, **FREE))
    if config.office == OfficeConfig():
        config = msgspec.structs.replace(config, office=OfficeConfig(second_factor=False))
    if wire is not None:
        member = Membership(database, clock=clock.wall_ms, monotonic=clock.monotonic)
    house = House(config, database, shoes, clock, fixed_price(900_000_000), membership=member, vault=VAULT)
    app = create_app(house, bus=None if wire is None else LocalBus(wire), program=program)
    runner = web.AppRunner(app, shutdown_timeout=1)
    with off_the_loop(database):
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield Served(app, f"http://127.0.0.1:{runner.addresses[0][1]}", clock)
        finally:
            await runner.cleanup()


@asynccontextmanager
async def seated(house: Served, game: str, bring: int = 10_000) -> AsyncIterator[tuple[PlayerClient, str]]:
    """A player at a solo table, on an open socket."""
    async with house.client(await house.player()) as client:
        table = await client.open(game)
        await client.sit(table, bring)
        yield client, table


async def until_over(client: PlayerClient, table: str) -> None:
    """Wait until the client has heard that the round is over."""
    while not client.tables[table].over:
        client._changed.clear()
        await client._changed.wait()


def main(*stakes: int) -> list[Bet]:
    """Main bets on the first spots."""
    return [Bet(spot, "main", stake) for spot, stake in enumerate(stakes)]
