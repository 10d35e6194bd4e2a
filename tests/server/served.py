"""A house on a loopback port, for tests: stacked shoes, a clock that is set by hand, players who are who they say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.logins import Login
from sabot.server.app import create_app
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.http.dispatch import REGISTRY
from sabot.server.tables.registry import TableRegistry
from sabot.store.database import Database
from tests.server.off_loop import off_the_loop
from tests.table import fixed_price

DEPOSITED = 100_000


class HandClock:
    """A clock that stands until it is put on."""

    def __init__(self) -> None:
        self.ms = 1_788_000_000_000

    def wall_ms(self) -> int:
        return self.ms

    def monotonic(self) -> float:
        return self.ms / 1000


class Served:
    """A running house."""

    def __init__(self, house: House, registry: TableRegistry, url: str, clock: HandClock) -> None:
        self.house = house
        self.registry = registry
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
        return player

    def client(self, player: int) -> PlayerClient:
        """A socket of the player's."""
        return PlayerClient(self.url, str(player))


@asynccontextmanager
async def served(
    database: Database, shoes: ShoeSource, *, logins: bool = False, config: Config | None = None
) -> AsyncIterator[Served]:
    """Open the house on a database and serve it until the end of the block; with `logins`, to real ones only."""
    clock = HandClock()
    house = House(config or Config(table=()), database, shoes, clock, fixed_price(900_000_000))

    async def identify(request: web.Request) -> Login | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        return Login(int(token), f"#{token}") if kind == "Bearer" and token.isdecimal() else None

    app = create_app(house, identify=None if logins else identify)
    runner = web.AppRunner(app, shutdown_timeout=1)
    with off_the_loop(database):
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield Served(house, app[REGISTRY], f"http://127.0.0.1:{runner.addresses[0][1]}", clock)
        finally:
            await runner.cleanup()


def serve(
    database: Database,
    shoes: ShoeSource,
    act: Callable[[Served], Awaitable[None]],
    *,
    logins: bool = False,
) -> None:
    """Run a test against a served house."""

    async def run() -> None:
        async with served(database, shoes, logins=logins) as house:
            await act(house)

    asyncio.run(run())


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
