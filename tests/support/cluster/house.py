"""Nodes of one house in the test's own process: one database, one wire, one clock that is set by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec

from sabot.client import PlayerClient
from sabot.rounds.audit import audit_house
from sabot.rounds.shoes import ShoeSource
from sabot.server.app import NODE
from sabot.server.config import BusConfig, Config, ServerConfig, TableSection
from sabot.store.database import Database, migrate
from tests.support.clock import PATIENCE, HandClock
from tests.support.cluster.bus import Wire
from tests.support.databases import sqlite_url
from tests.support.served import OPENED, Served, served
from tests.support.shoes import StackedShoes
from tests.support.site import FREE, Caller


class NodeUnderTest:
    """One node, which can be closed before the others, or fall silent."""

    def __init__(self, name: str, served: Served, stack: AsyncExitStack, http: aiohttp.ClientSession) -> None:
        self.name = name
        self.served = served
        self.registry = served.registry
        self.url = served.url
        self.http = http
        self._stack = stack

    @property
    def id(self) -> int:
        """The number of the node."""
        node = self.served.house.store.node
        assert node is not None
        return node.id

    def caller(self, token: object) -> Caller:
        """Someone who calls it over HTTP."""
        return Caller(self, str(token))

    async def retire(self) -> None:
        """Let it deal nothing new and hand its tables over, as SIGTERM does."""
        self.served.house.draining = True
        await self.served.app[NODE].retire()

    async def close(self) -> None:
        """Let it leave the house."""
        await self._stack.aclose()


class Cluster:
    """Nodes of one house."""

    def __init__(self, url: str, wire: Wire, tables: tuple[TableSection, ...], settings: Any) -> None:
        self._url = url
        self.wire = wire
        self.clock = HandClock(OPENED)
        self._stack = AsyncExitStack()
        self._config = Config(server=ServerConfig(**FREE), table=tables, **settings)

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(aiohttp.ClientSession())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def open(self, name: str, shoes: ShoeSource | None = None) -> NodeUnderTest:
        """Start a node."""
        config = msgspec.structs.replace(self._config, bus=BusConfig(url=("nats://test",), node=name))
        own = AsyncExitStack()
        opened = await own.enter_async_context(
            served(
                Database(self._url), shoes or StackedShoes(), config=config, clock=self.clock, wire=self.wire
            )
        )
        node = NodeUnderTest(name, opened, own, self._http)
        self._stack.push_async_callback(node.close)
        return node

    async def client(self, node: NodeUnderTest, player: int) -> PlayerClient:
        """A socket of a player's at a node."""
        return await self._stack.enter_async_context(node.served.client(player))

    async def check(self) -> None:
        """The books of the house are in order."""
        report = await asyncio.to_thread(lambda: audit_house(Database(self._url), replay=False))
        assert report.findings == []


@asynccontextmanager
async def cluster(
    folder: Path, *tables: TableSection, wire: Wire | None = None, **settings: Any
) -> AsyncIterator[Cluster]:
    """A house without nodes yet, with other `settings` if they are given; at the end its books are audited."""
    url = sqlite_url(folder / "house.db")
    migrate(Database(url))
    async with asyncio.timeout(2 * PATIENCE):
        async with Cluster(url, wire or Wire(), tables, settings) as house:
            yield house
        await house.check()
