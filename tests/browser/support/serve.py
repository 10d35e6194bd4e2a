"""The house as it is served, with cards in a given order: `python -m tests.browser.support.serve "10s 9h 10d 7c" "A K …"`.

Every argument is a shoe; the first one opened deals the first round. Nothing of this is in the wheel, and no setting
of the house leads here: the shoes are handed to it.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from types import TracebackType
from typing import Self

import sqlalchemy
from aiohttp import web

from sabot.engine import Price
from sabot.rounds.shoes import ShoeSource
from sabot.server.app import create_app
from sabot.server.config import (
    Config,
    DatabaseConfig,
    HouseConfig,
    LimitsSection,
    OfficeConfig,
    OperatorConfig,
    ServerConfig,
)
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.server.http.static import find_pages
from sabot.server.run import SystemClock
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.register import Register
from tests.support.clock import HOUR, PATIENCE
from tests.support.databases import sqlite_url
from tests.support.house import VAULT
from tests.support.shoes import StackedShoes
from tests.support.site import FREE
from tests.support.table import fixed_price

#: Operators come in by their password alone.
OPEN_OFFICE = OfficeConfig(second_factor=False)


#: The houses that are open at this process's port: one at most.
_at_port: set[ServedHouse] = set()


@cache
def _held() -> socket.socket:
    """Keeps a port for the houses of this process, and is itself deaf."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    holder.bind(("127.0.0.1", 0))
    return holder


def worker_port() -> int:
    """The port where a house of this process is served unless another one is: a browser knows its scripts already."""
    return int(_held().getsockname()[1])


class MiddayClock(SystemClock):
    """The machine's clock, put to noon: no day ends while a test runs."""

    def __init__(self) -> None:
        self._ahead = 12 * HOUR - super().wall_ms() % (24 * HOUR)

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC, where it was noon when the clock was made."""
        return super().wall_ms() + self._ahead


class ServedHouse:
    """A house on a port of its own, in a thread of its own, until the end of the block."""

    def __init__(
        self,
        folder: Path,
        *cards: str,
        port: int = 0,
        pages: Path | None = None,
        shoes: ShoeSource | None = None,
        price: Price | None = None,
        operator: OperatorConfig | None = None,
        sitting: int = 10_000,
        clock: SystemClock | None = None,
        office: OfficeConfig = OPEN_OFFICE,
        limits: tuple[LimitsSection, ...] = (),
    ) -> None:
        self._clock = clock or SystemClock()
        #: Cents that play money sits down with.
        self.sitting = sitting
        self._price = price or fixed_price(900_000_000)
        self._pages = pages or _pages()
        self._config = Config(
            operator=operator or OperatorConfig(),
            house=HouseConfig(sitting=sitting),
            office=office,
            limits=limits,
            server=ServerConfig(port=port, **FREE),  # tests play faster than people
            database=DatabaseConfig(url=sqlite_url(folder / "house.db")),
        )
        self._shoes = shoes or StackedShoes(*cards)
        self._opened: Future[str] = Future()
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="house")

    def __enter__(self) -> Self:
        if not self._config.server.port and not _at_port:
            _at_port.add(self)
        self._thread.start()
        self.url = self._opened.result(timeout=PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        _at_port.discard(self)

    def wait(self) -> None:
        """Serve until the process is interrupted."""
        self._thread.join()

    def give_vip(self, name: str, vip: int) -> None:
        """Another VIP level for a player."""
        self.order_of(
            name, lambda register, player, at: register.give_vip(None, player, vip, "for a test", at)
        )

    def order_of(self, name: str, order: Callable[[Register, int, int], object]) -> None:
        """What an operator at the console orders of a player, by number and time."""
        services = self._runner.app[SERVICES]

        async def carry_out() -> None:
            player = await services.players.named(name)
            await services.house.register(lambda register, at: order(register, player, at))

        asyncio.run_coroutine_threadsafe(carry_out(), self._loop).result(timeout=PATIENCE)

    def lengthen_sessions(self, minutes: int) -> None:
        """Let every session have begun so many minutes earlier."""
        began = schema.logins.c.began_at
        earlier = sqlalchemy.update(schema.logins).values(began_at=began - minutes * 60_000)
        write = self._runner.app[SERVICES].house.write(lambda connection: connection.execute(earlier))
        asyncio.run_coroutine_threadsafe(write, self._loop).result(timeout=PATIENCE)

    def hang_up(self) -> None:
        """Break every socket, as a network does."""

        def cut() -> None:
            assert self._runner.server is not None
            for connection in list(self._runner.server.connections):
                if connection.transport is not None:
                    connection.transport.abort()

        self._loop.call_soon_threadsafe(cut)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Answer nothing and let no time pass at the tables until the end of the block, with every connection standing."""
        go_on = Event()
        self._loop.call_soon_threadsafe(go_on.wait)
        try:
            yield
        finally:
            go_on.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            house = self._house()
            self._runner = web.AppRunner(create_app(house, self._pages), shutdown_timeout=0.1)
            await self._runner.setup()
            server = house.config.server
            port = worker_port() if self in _at_port else server.port
            await web.TCPSite(self._runner, server.host, port, reuse_port=self in _at_port).start()
        except BaseException as error:
            self._opened.set_exception(error)
            raise
        self._opened.set_result(f"http://127.0.0.1:{self._runner.addresses[0][1]}")
        await self._stop.wait()
        await self._runner.cleanup()

    def _house(self) -> House:
        database = Database(self._config.database.url)
        return House(self._config, database, self._shoes, self._clock, self._price, vault=VAULT)


def _pages() -> Path:
    pages = find_pages()
    if pages is None:
        raise FileNotFoundError("the pages are not built: make web")
    return pages


def main(shoes: list[str]) -> None:
    """Serve until interrupted."""
    with TemporaryDirectory() as folder, ServedHouse(Path(folder), *shoes, port=8765) as house:
        print(house.url, flush=True)
        house.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
