"""A house with live tables on a loopback port: operators who call it, players on sockets, a clock that is set by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import sqlalchemy

from sabot.client import PlayerClient
from sabot.rounds.audit import audit_house
from sabot.rounds.shoes import ShoeSource
from sabot.server.config import (
    Config,
    DeviceSection,
    HouseConfig,
    LimitsSection,
    OfficeConfig,
    ServerConfig,
    StudioConfig,
    TableSection,
)
from sabot.server.tables.registry import LiveRuntime
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.kinds import Role
from sabot.store.register import OPERATORS, Register
from sabot.tables.live.timers import Phase
from tests.support.clock import PATIENCE
from tests.support.house import VAULT
from tests.support.served import Served, served
from tests.support.site import FREE, NEWCOMER, PASSWORD, Caller

MONEY, BROUGHT = 500_000, 10_000
FREEBET = TableSection(name="one", game="freebet", currency="FUN", title="Table one")
MAJORITY = TableSection(name="two", game="majority-eu", currency="FUN")


class Member(Caller):
    """A registered player with money of both currencies."""

    name: str
    player: int


class Hall:
    """An open house."""

    def __init__(self, house: Served, http: aiohttp.ClientSession, stack: AsyncExitStack) -> None:
        self.house = house
        self.url = house.url
        self.http = http
        self.clock = house.clock
        self._stack = stack
        self._clients: list[PlayerClient] = []
        self.nobody = Caller(self)

    # Players

    async def member(self, name: str, role: Role = "player", *, path: str = "/register") -> Member:
        """Someone who comes in; the first time with money in the account."""
        more = NEWCOMER if path == "/register" else {}
        answer = await self.nobody.post(path, {"name": name, "password": PASSWORD, "bearer": True, **more})
        assert answer.status == 200, answer.text
        member = Member(self, answer.body["token"])
        member.name, member.player = name, answer.body["player"]
        for currency in ("EUR", "FUN"):
            paid = {"id": f"first-{currency}", "currency": currency, "amount": MONEY}
            answer = await member.post("/cashier/deposit", paid)
            assert answer.status == 200, answer.text
        if role != "player":
            await self.appoint(member.player, role)
        return member

    async def appoint(self, player: int, role: Role) -> None:
        """Give someone a role at the console."""
        store = self.house.house.store
        await self.house.house.work(lambda: Register.open(store, 1).give_role(None, player, role, "hired", 1))

    async def at(
        self, member: Member, table: str, bring: int = BROUGHT, spot: int | None = None
    ) -> PlayerClient:
        """A socket of a player who sits down at a live table; with nothing to bring, only looks at it."""
        client = await self._stack.enter_async_context(PlayerClient(self.url, member.token, self.http))
        self._clients.append(client)
        await client.enter(table)
        if bring:
            await client.sit(table, bring, spot)
        return client

    # Time

    def desk(self, table: str) -> LiveRuntime:
        """A live table."""
        return self.house.registry.live[table]

    async def until(self, table: str, phase: Phase) -> None:
        """Put the clock on, from one moment that is due to the next, until the table is in a phase."""
        for _ in range(200):
            desk = self.desk(table)
            if desk.table.phases.phase == phase:
                await self.heard(table)
                return
            await self.tick(table)
        raise AssertionError(f"the table does not come to {phase}: it is in {desk.table.phases.phase}")

    async def heard(self, table: str) -> None:
        """Wait until everything that happened at a table is durable, and everyone there has heard of it."""
        desk = self.desk(table)
        await desk.order(lambda live: None)
        for client in self._clients:
            if table in client.tables and not client.closed:
                await client.wait_for(partial(_has_heard, client, table, desk.seq))

    async def tick(self, table: str) -> None:
        """Put the clock on to the end of the table's phase, and let it act."""
        desk = self.desk(table)
        due = desk.table.phases.due
        assert due is not None, f"nothing is due in phase {desk.table.phases.phase}"
        self.clock.steady = max(self.clock.steady, due + 0.001)
        desk.wake()
        async with asyncio.timeout(PATIENCE):
            while desk.table.phases.due == due:
                await asyncio.sleep(0.001)

    # The books

    async def operators(self) -> list[dict[str, Any]]:
        """What operators ordered, in order; who was hired is left out."""
        log, streams = schema.log.c, schema.streams.c
        query = (
            sqlalchemy.select(log.body)
            .join_from(schema.log, schema.streams, log.stream == streams.id)
            .where(streams.name == OPERATORS, log.kind.not_in(("stream-owned", "give-role")))
            .order_by(log.n)
        )
        bodies = await self.house.house.read(lambda connection: connection.execute(query).scalars().all())
        return [json.loads(body)["command"] for body in bodies]

    async def rows(self) -> int:
        """How many rows the log has."""
        count = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.log)
        return await self.house.house.read(lambda connection: connection.execute(count).scalar_one())

    async def check(self, *, replay: bool = False) -> None:
        """The books are in order; the cards of stacked shoes are not the seeds', those of real ones are played again."""
        database = self.house.house.database
        vault = VAULT if replay else None
        report = await self.house.house.work(lambda: audit_house(database, replay=replay, vault=vault))
        assert report.findings == [], report.findings


def _has_heard(client: PlayerClient, table: str, seq: int) -> bool:
    return table not in client.tables or client.tables[table].seq >= seq


@asynccontextmanager
async def open_hall(
    database: Database,
    shoes: ShoeSource,
    *tables: TableSection,
    limits: tuple[LimitsSection, ...] = (),
    office: OfficeConfig | None = None,
    devices: tuple[DeviceSection, ...] = (),
    codes: str = "",
    **house: Any,
) -> AsyncIterator[Hall]:
    """Open a house with these live tables until the end of the block."""
    config = Config(
        house=HouseConfig(**house),
        server=ServerConfig(**FREE),
        table=tables,
        limits=limits,
        office=office or OfficeConfig(second_factor=False),
        studio=StudioConfig(codes=codes),
        device=devices,
    )
    async with (
        served(database, shoes, config=config) as opened,
        aiohttp.ClientSession() as http,
        AsyncExitStack() as stack,
        asyncio.timeout(2 * PATIENCE),
    ):
        yield Hall(opened, http, stack)


async def until(ready: Callable[[], object]) -> None:
    """Wait for something that is on its way."""
    async with asyncio.timeout(PATIENCE):
        while not ready():
            await asyncio.sleep(0.001)
