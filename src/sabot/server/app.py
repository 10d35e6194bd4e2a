"""The application: the parts of a house, put together."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import prometheus_client
from aiohttp import web

from sabot.errors import Refusal
from sabot.server import metrics
from sabot.server.accounts.operators import Operators
from sabot.server.accounts.payments import PlayMoney, Provider
from sabot.server.accounts.players import Players
from sabot.server.cluster.lease import repeat
from sabot.server.cluster.node import ClusterNode, OpenBus
from sabot.server.house import House
from sabot.server.http import middleware
from sabot.server.http.connections import Connections
from sabot.server.http.dispatch import PREFIX, serve
from sabot.server.http.policy import RequestPolicy
from sabot.server.http.routes import ROUTES
from sabot.server.http.services import SERVICES, Services
from sabot.server.http.static import PAGES, serve_pages
from sabot.server.logs import failed
from sabot.server.office.checking import SelfCheck
from sabot.server.office.folding import keep_folded
from sabot.server.office.health import watch_health
from sabot.server.office.in_force import LOOK, SettingsInForce
from sabot.server.office.proposals import Proposals
from sabot.server.office.release import Program, installed_program
from sabot.server.office.round_events import RoundEvents
from sabot.server.office.watching import ReturnWatch
from sabot.server.refusals import refusing
from sabot.server.studio.codes import read_codes
from sabot.server.tables.abandoned import SWEEP, sweep
from sabot.server.tables.player_changes import PlayerChanges
from sabot.server.tables.registry import TableRegistry
from sabot.server.video_tokens import video_tokens
from sabot.server.ws.connection import serve_socket

_FOR_OPERATORS = "Metrics are for the operator: send server.metrics_token of the settings as a bearer token\n"


#: The bus of a house of several nodes.
BUS: web.AppKey[OpenBus] = web.AppKey("bus")
NODE = web.AppKey("node", ClusterNode)


def create_app(
    house: House,
    pages: Path | None = None,
    provider: Provider | None = None,
    bus: OpenBus | None = None,
    program: Program | None = None,
) -> web.Application:
    """Put a house together as an aiohttp application; `pages` is the folder of the built client.

    With a `bus` the house is one of several nodes (CLU). The self-check looks at `program`, else at the one installed.
    """
    server = house.config.server
    players = Players(house)
    registry = TableRegistry(house)
    changes = PlayerChanges(registry)
    players.on_logout.append(changes.logout)
    settings = SettingsInForce(house, registry)

    app = web.Application(middlewares=(refusing, middleware.check_host, middleware.authenticate))
    app[SERVICES] = Services(
        house=house,
        players=players,
        operators=Operators(house, players),
        registry=registry,
        changes=changes,
        provider=provider or PlayMoney(),
        rates=players.rates,
        policy=RequestPolicy(server, lambda: house.config.table),
        connections=Connections(server, house.clock),
        settings=settings,
        proposals=Proposals(players, settings, changes),
        self_check=SelfCheck(house, house.config, program or installed_program(), settings.stop),
        codes=read_codes(house.config.studio.codes),
        video_tokens=video_tokens(house.vault, server.public_url or house.config.house.name),
    )
    if bus is not None:
        app[BUS] = bus
    app.on_response_prepare.append(middleware.add_headers)
    app.cleanup_ctx.append(_open_house)
    app.on_shutdown.append(_close_connections)

    add = partial(app.router.add_route, expect_handler=middleware.check_expectation)
    get = partial(app.router.add_get, expect_handler=middleware.check_expectation)
    for route in ROUTES:
        add(route.method, PREFIX + route.path, partial(serve, route))
    get(PREFIX + "/socket", _open_socket)
    get("/healthz", _alive)
    get("/readyz", _ready)
    get("/metrics", _metrics)
    if pages is not None:
        get(PAGES, serve_pages(pages, house.config.house.name))
    add("*", "/{path:.*}", _nothing)
    return app


async def _open_socket(request: web.Request) -> web.StreamResponse:
    """Serve a socket until it closes."""
    login, services = request[middleware.LOGIN], request.app[SERVICES]
    if login is None:
        raise Refusal("login/required")
    with services.connections.socket(login.player, middleware.client_of(request)):
        return await serve_socket(request, services, login)


async def _nothing(request: web.Request) -> web.StreamResponse:
    """Refuse a path that is not served, or not by this method."""
    allowed: set[str] = set()
    for resource in request.app.router.resources():
        allowed |= (await resource.resolve(request))[1]
    allowed.discard("*")
    raise web.HTTPMethodNotAllowed(request.method, allowed) if allowed else web.HTTPNotFound


async def _open_house(app: web.Application) -> AsyncIterator[None]:
    """Open the house before the first request and close it after the last; sweep and measure meanwhile."""
    services = app[SERVICES]
    house, players, registry = services.house, services.players, services.registry
    await house.open()
    settings = app[SERVICES].settings
    await settings.load()
    node = None
    if house.lease is not None and (bus := app.get(BUS)) is not None:
        node = app[NODE] = ClusterNode(app[SERVICES], bus, house.lease)
    await registry.open()
    await app[SERVICES].self_check.run("start")
    if node is not None:
        await node.open()
    metrics.SOCKETS.set_function(lambda: len(registry.connections))
    metrics.LIVE_TABLES.set_function(lambda: len(registry.live))
    metrics.SOLO_TABLES.set_function(lambda: len(registry.solo))
    metrics.BUS_UP.set_function(lambda: node is not None and node.links.up)
    work = [
        metrics.watch(house.writer),
        _sweep(app[SERVICES]),
        repeat(LOOK, settings.refresh),
        keep_folded(house, ReturnWatch(house.events).take_rounds, RoundEvents(house).take_rounds),
        watch_health(house, lambda: node is None or node.links.up),
        app[SERVICES].self_check.keep_checking(),
    ]
    if house.lease is not None and node is None:
        work.append(repeat(house.lease.every, lambda: house.renew_lease(registry.load())))
    tasks = [asyncio.create_task(each) for each in work]
    yield
    await registry.close()
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    players.close()
    if node is not None:
        await node.close()
    await house.close()


async def _close_connections(app: web.Application) -> None:
    """Close every socket at once, without waiting for the other end."""
    for connection in list(app[SERVICES].registry.connections):
        connection.close_for_shutdown()


async def _sweep(services: Services) -> None:
    """End abandoned rounds and logins every minute, and free what only refers to itself.

    A failure is logged, and the next turn tries again.
    """
    while True:
        await asyncio.sleep(SWEEP)
        gc.collect()
        try:
            await sweep(services.registry)
            await services.changes.end_logins()
            await services.players.sweep()
            await services.rates.sweep()
            await services.house.events.flush()
            await services.registry.chat.sweep()
        except Exception as error:
            failed("the sweep failed", error)


async def _alive(request: web.Request) -> web.Response:
    return web.json_response({"alive": True})


async def _ready(request: web.Request) -> web.Response:
    """Whether bets are taken: not while the house drains, or is cut off from its database or its bus (CLU-24)."""
    why = _why_not(request.app)
    details = {"why": why} if request.app[SERVICES].policy.is_operator(request) else {}
    return web.json_response({"ready": not why, **details}, status=503 if why else 200)


def _why_not(app: web.Application) -> str:
    """Why no bets are taken; nothing if they are."""
    house, node = app[SERVICES].house, app.get(NODE)
    reasons = {
        "draining": house.draining,
        "down": house.writer.down or not house.is_sure,
        "bus": node is not None and not node.links.up,
        "clock": not house.has_right_time,
    }
    return next((why for why, holds in reasons.items() if holds), "")


async def _metrics(request: web.Request) -> web.Response:
    """Metrics for the operator (ASR-34)."""
    if not request.app[SERVICES].policy.is_operator(request):
        raise web.HTTPUnauthorized(text=_FOR_OPERATORS, headers={"WWW-Authenticate": "Bearer"})
    body = prometheus_client.generate_latest()
    return web.Response(body=body, headers={"Content-Type": prometheus_client.CONTENT_TYPE_LATEST})
