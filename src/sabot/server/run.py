"""Run a house: from its settings to an open port, and to a clean end."""

import asyncio
import gc
import os
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web

from sabot.fairness.vault import Vault, key_id, new_key, parse_keys
from sabot.games import find
from sabot.odds.price import prepare, price
from sabot.protocol.messages import TableHead
from sabot.rounds.shoes import SecureShoes
from sabot.server.accounts.logins import Device
from sabot.server.app import NODE, create_app
from sabot.server.cluster.links import bus_key
from sabot.server.cluster.node import OpenBus
from sabot.server.config import ALONE, NATS, NOTIFY, Config, ServerConfig, TableSection
from sabot.server.house import House
from sabot.server.http.connections import HouseSite, raise_file_limit
from sabot.server.http.services import SERVICES
from sabot.server.http.static import find_pages
from sabot.server.logs import failed, watch_loop
from sabot.store.database import Database, DatabaseError, migrate
from sabot.store.nodes.joining import check_vault, house_id
from sabot.store.nodes.membership import Membership

#: Seconds that the writer waits for the database; every request gets a response within five.
PATIENCE = 3.0
#: Seconds for open requests at the end.
_PATIENCE = 5.0
#: A number of collections that is never reached.
_NEVER = 1 << 30
#: The loopback address of a server that listens on every address.
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


class SystemClock:
    """The machine's clock."""

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class BotEnvironment(NamedTuple):
    """What the house's own bots need: its address, its tables with bots, their login and the tables of this node."""

    url: str
    tables: tuple[TableSection, ...]
    #: Logs a bot in by name, past the rate limit of people's logins.
    admit: Callable[[str], Awaitable[str]]
    heads: Callable[[], tuple[TableHead, ...]]


#: Runs the bots of the house until it is cancelled.
RunBots = Callable[[BotEnvironment], Coroutine[Any, Any, None]]


def open_vault(path: Path) -> Vault:
    """The vault of a key file; a missing file is created with a new key, readable by its owner only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Vault(*parse_keys(path.read_text("utf-8")))
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{new_key().hex()}\n")
    return Vault(*parse_keys(path.read_text("utf-8")))


class HouseToRun(NamedTuple):
    """A house as it is run, and what joins it to the other nodes, if there are any."""

    house: House
    bus: OpenBus | None = None


def secure_house(config: Config) -> HouseToRun:
    """A house as it is run: secure shoes, the machine's clock, exact prices; with a bus, one of its nodes.

    On PostgreSQL one process serves a house, or several with a bus; each has the key of the first (CLU).
    """
    database = Database(config.database.url, deadline=PATIENCE)
    key = Path(config.house.key)
    if database.is_sqlite:
        if config.bus.kind != ALONE:
            raise DatabaseError(
                "nodes share a PostgreSQL: set database.url, or neither bus.url nor bus.node for a house of one node"
            )
        vault = open_vault(key)
        return HouseToRun(House(config, database, SecureShoes(vault), SystemClock(), price, vault=vault))
    migrate(database)
    if not key.exists():
        check_vault(database, ())  # a house that has a key gets no other
    vault = open_vault(key)
    keys = parse_keys(key.read_text("utf-8"))
    check_vault(database, [key_id(one).hex() for one in keys])
    member = Membership(database, lease_ms=int(1000 * config.bus.lease_seconds))
    house = House(config, database, SecureShoes(vault), SystemClock(), price, membership=member, vault=vault)
    return HouseToRun(house, _bus_of(config, database, bus_key(keys[-1])))


def _bus_of(config: Config, database: Database, key: bytes) -> OpenBus | None:
    """The bus of the settings; None for a house of one node."""
    if config.bus.kind == NATS:
        from sabot.server.cluster.nats_bus import NatsBus

        return NatsBus(config.bus, house_id(database), key)
    if config.bus.kind == NOTIFY:
        from sabot.server.cluster.notify_bus import NotifyBus

        return NotifyBus(database.url, key)
    return None


async def open_port(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Open the house of an application and listen on a port; as many connections are taken as files can be opened."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_PATIENCE)
    await runner.setup()
    connections = app[SERVICES].connections
    connections.most = raise_file_limit()
    await HouseSite(runner, host, port, connections).start()
    return runner


async def serve(
    house: House,
    *,
    bus: OpenBus | None = None,
    opened: Callable[[str], None],
    stop: asyncio.Event | None = None,
    run_bots: RunBots | None = None,
) -> None:
    """Serve a house until SIGINT or SIGTERM; after SIGUSR1 no new rounds are dealt.

    `opened` is called with the address. If a table has bots, `run_bots` runs while the port is open.
    """
    server = house.config.server
    watch_loop(asyncio.get_running_loop())
    app = create_app(house, find_pages(), bus=bus)
    runner = await open_port(app, server.host, server.port)
    stop = stop or asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGUSR1, lambda: _drain(app))
    port = runner.addresses[0][1]
    opened(server.public_url or f"http://{server.host}:{port}")
    loop.run_in_executor(None, prepare, find("cashback").rules)
    environment = bot_environment(app, port)
    bots = asyncio.create_task(run_bots(environment)) if run_bots and environment.tables else None
    try:
        with calm_collector():
            await stop.wait()
        _drain(app)
        if NODE in app:
            await app[NODE].retire()
    finally:
        if bots is not None:
            bots.cancel()
            (ended,) = await asyncio.gather(bots, return_exceptions=True)
            if isinstance(ended, Exception):
                failed("the bots failed", ended)
        await runner.cleanup()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look at young objects only; the sweep of the house looks at all.

    By itself it looks at all whenever there are a quarter more, which in a busy house holds everyone up each second.
    What is there now stays, and is looked at never again.
    """
    gc.freeze()
    usual = gc.get_threshold()
    gc.set_threshold(*usual[:2], _NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def bot_environment(app: web.Application, port: int) -> BotEnvironment:
    """The environment of the bots of a house that listens on a port."""
    services = app[SERVICES]
    config = services.house.config

    async def admit(name: str) -> str:
        return await services.players.house_bot(name, Device("house", "bot"))

    tables = tuple(section for section in config.table if section.bots)
    return BotEnvironment(loopback(config.server.host, port), tables, admit, services.registry.own_heads)


def is_known_at_home_only(server: ServerConfig) -> bool:
    """Whether a house listens on every address, but no name is set under which others could reach it.

    >>> is_known_at_home_only(ServerConfig(host="0.0.0.0")), is_known_at_home_only(ServerConfig())
    (True, False)
    """
    return server.host in _EVERYWHERE and not (server.public_url or server.hosts)


def loopback(host: str, port: int) -> str:
    """The address of a server on its own machine.

    >>> loopback("0.0.0.0", 8765), loopback("::", 8765), loopback("10.0.0.7", 80)
    ('http://127.0.0.1:8765', 'http://[::1]:8765', 'http://10.0.0.7:80')
    """
    host = _EVERYWHERE.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _drain(app: web.Application) -> None:
    """Deal no new rounds; open ones can be finished, now or after a restart."""
    app[SERVICES].house.draining = True
