"""A house on a real port of this machine, with a clock of the test's own, and people who call it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer

from sabot.errors import Refusal
from sabot.rounds.shoes import ShoeSource
from sabot.server.accounts.payments import Provider
from sabot.server.accounts.players import Players
from sabot.server.app import create_app
from sabot.server.config import (
    CashierConfig,
    Config,
    DeviceSection,
    HouseConfig,
    OfficeConfig,
    OperatorConfig,
    Rate,
    ServerConfig,
    TableSection,
)
from sabot.server.house import House
from sabot.server.http.dispatch import PREFIX
from sabot.server.http.middleware import LOGIN
from sabot.server.http.services import SERVICES
from sabot.server.office.release import Program
from sabot.store.database import Database, migrate
from sabot.store.kinds import Currency, Role
from sabot.store.store import Store
from sabot.tables.table import Table
from tests.support.clock import PATIENCE, HandClock
from tests.support.cluster.stores import be_node
from tests.support.house import VAULT, CountedShoes
from tests.support.house import House as Room
from tests.support.store.off_loop import off_the_loop

PASSWORD = "correct horse battery"
#: What a newcomer gives beside name and password (PLT-62).
NEWCOMER = {"born": "1990-12-31", "terms": "1"}
RATES = tuple(name for name in ServerConfig.__struct_fields__ if name.startswith("rate_"))
#: Rates that no test meets unless it wants to, and passwords whose hash takes no time.
FREE: dict[str, Any] = {name: Rate(1_000_000, 0.001) for name in RATES} | {"argon_memory_kib": 8}


@dataclass
class Answer:
    """What the house answered."""

    status: int
    headers: Any
    body: Any
    text: str

    @property
    def code(self) -> str:
        """The code of a refusal; empty if it was none."""
        return str(self.body["error"]["code"]) if isinstance(self.body, dict) and "error" in self.body else ""


class Place(Protocol):
    """A house that can be called."""

    url: str
    http: aiohttp.ClientSession


@dataclass
class Caller:
    """Someone who calls the house: with a token in hand, or as a browser with cookies and an origin."""

    site: Place
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    async def __call__(self, method: str, path: str, body: object = None, **options: Any) -> Answer:
        headers = self.headers | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        headers |= options.pop("headers", {})
        if body is not None:
            options["json"] = body
        url = self.site.url + PREFIX + path
        async with self.site.http.request(method, url, headers=headers, **options) as response:
            text = await response.text()
            is_json = response.content_type == "application/json"
            return Answer(response.status, response.headers, await response.json() if is_json else None, text)

    async def get(self, path: str, **options: Any) -> Answer:
        """GET a path."""
        return await self("GET", path, **options)

    async def post(self, path: str, body: object = None, **options: Any) -> Answer:
        """POST to a path."""
        return await self("POST", path, body, **options)

    async def put(self, path: str, body: object = None, **options: Any) -> Answer:
        """PUT to a path."""
        return await self("PUT", path, body, **options)


class Site:
    """An open house."""

    def __init__(
        self,
        url: str,
        *,
        provider: Provider | None = None,
        server: dict[str, Any] | None = None,
        house: dict[str, Any] | None = None,
        operator: dict[str, Any] | None = None,
        office: dict[str, Any] | None = None,
        tables: tuple[TableSection, ...] = (),
        devices: tuple[DeviceSection, ...] = (),
        cashier: CashierConfig | None = None,
        shoes: ShoeSource | None = None,
        slot: int | None = None,
        program: Program | None = None,
    ) -> None:
        """`tables` are the live ones. With a `slot` it is one of several nodes (CLU). The self-check looks at `program`."""
        self.clock = HandClock()
        self.config = Config(
            house=HouseConfig(**(house or {})),
            operator=OperatorConfig(**(operator or {})),
            server=ServerConfig(**(FREE | (server or {}))),
            table=tables,
            device=devices,
            cashier=cashier or CashierConfig(),
            office=OfficeConfig(**({"second_factor": False, "two_people": False} | (office or {}))),
        )
        self._database_url = url
        self._provider = provider
        self._shoes = shoes or CountedShoes(VAULT, 0)
        self._slot = slot
        self._program = program

    async def __aenter__(self) -> Self:
        self.database = Database(self._database_url)
        migrate(self.database)
        self.house = _House(self.config, self.database, self._shoes, self.clock, None, vault=VAULT)
        self.house.slot, self.house.shared = self._slot, self._slot is not None
        self._watch = off_the_loop(self.database)
        self._watch.__enter__()
        app = create_app(self.house, provider=self._provider, program=self._program)
        app.router.add_get(f"{PREFIX}/whoami", _socket)
        self.players: Players = app[SERVICES].players
        self.app = app
        self._server = TestServer(app)
        await self._server.start_server()
        self.url = str(self._server.make_url("")).rstrip("/")
        self.http = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(total=PATIENCE)
        )
        self.nobody = Caller(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.http.close()
        await self._server.close()
        self._watch.__exit__(None, None, None)

    async def join(self, name: str, password: str = PASSWORD) -> Caller:
        """A new player with a token in hand."""
        body = {"name": name, "password": password, "bearer": True, **NEWCOMER}
        answer = await self.nobody.post("/register", body)
        assert answer.status == 200, answer.text
        return Caller(self, answer.body["token"])

    async def come(self, name: str, password: str = PASSWORD, **fields: object) -> Answer:
        """A login that gives a token."""
        return await self.nobody.post(
            "/login", {"name": name, "password": password, "bearer": True, **fields}
        )

    async def administrator(self, name: str = "boss") -> Caller:
        """A player with the role of an administrator, given at the house's own console."""
        caller = await self.join(name)
        await self.give_role(name, "administrator", "the first of all")
        return caller

    async def give_role(self, name: str, role: Role, reason: str) -> None:
        """Give a player a role at the house's own console."""
        player = await self.players.named(name)
        await self.house.register(lambda register, at: register.give_role(None, player, role, reason, at))

    async def play(self, player: int, game: str = "surrender", currency: Currency = "EUR") -> str:
        """Sit down, play a round out, leave; gives the code of the round."""

        def playing() -> str:
            room = _Room(self.house)
            table = room.solo(game, player, currency)
            code = room.play_solo(table, player, at=self.clock.ms)
            room.store.store(table.leave(str(player), at=self.clock.ms))
            return code

        return await self.house.work(playing)

    async def open_round(self, player: int) -> Table:
        """Sit down and deal until a round waits for the player."""

        def dealing() -> Table:
            room = _Room(self.house)
            table = room.solo("surrender", player, "EUR")
            while not table.in_round:
                room.deal(table, player, self.clock.ms)
            return table

        return await self.house.work(dealing)

    async def finish(self, table: Table, player: int) -> None:
        """Play an open round out and leave."""

        def playing() -> None:
            room = _Room(self.house)
            room.finish(table, self.clock.ms)
            room.store.store(table.leave(str(player), at=self.clock.ms))

        await self.house.work(playing)

    def page(self, cookie: str = "") -> Caller:
        """A page of the house in a browser."""
        return Caller(self, headers={"Origin": self.url, "Cookie": f"sabot={cookie}"})


async def _socket(request: web.Request) -> web.StreamResponse:
    """A socket that says who is there and closes."""
    login = request[LOGIN]
    if login is None:
        raise Refusal("login/required")
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.send_str(login.name)
    await socket.close()
    return socket


class _House(House):
    """A house, or a node of one."""

    slot: int | None = None

    def _open_store(self, *parts: Any) -> Store:
        store = super()._open_store(*parts)
        if self.slot is not None:
            be_node(store, self.slot)
        return store


@asynccontextmanager
async def two_nodes(
    url: str, shoes: ShoeSource, *, tables: Sequence[TableSection] = (), **options: Any
) -> AsyncIterator[tuple[Site, Site]]:
    """One house, served by two nodes that hear nothing of each other; each runs its part of the live tables."""
    one = Site(url, shoes=shoes, slot=0, tables=tuple(tables[0::2]), **options)
    other = Site(url, shoes=shoes, slot=1, tables=tuple(tables[1::2]), **options)
    other.clock = one.clock
    async with one, other:
        yield one, other


class _Room(Room):
    """Tables of an open house, without a cashier of their own."""

    def __init__(self, house: House) -> None:
        self.store = house.store
        self.tools = house.tools
        self._codes = 0
