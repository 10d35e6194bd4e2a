"""The application: everything on one port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import prometheus_client
from aiohttp import web

from sabot.errors import Refusal
from sabot.server import metrics
from sabot.server.accounts.logins import Login
from sabot.server.accounts.players import Players
from sabot.server.house import House
from sabot.server.http.access import GUARD, PLAYERS, who
from sabot.server.http.connections import CONNECTIONS, Connections
from sabot.server.http.dispatch import HOUSE, REGISTRY
from sabot.server.http.routes import setup_routes
from sabot.server.http.static import setup_pages
from sabot.server.logs import failed
from sabot.server.tables.registry import SWEEP, TableRegistry
from sabot.server.ws.checks import Door
from sabot.server.ws.connection import serve_socket

#: Says who sends a request, or nobody.
Identify = Callable[[web.Request], Awaitable[Login | None]]

_FOR_OPERATORS = "Metrics are for the operator: send server.metrics_token of the settings as a bearer token\n"


def create_app(house: House, pages: Path | None = None, identify: Identify | None = None) -> web.Application:
    """The house on the network. `pages` is the folder of the built client; `identify` stands in for logins in tests."""
    app = web.Application()
    app.cleanup_ctx.append(_open_house)
    app.on_shutdown.append(_send_home)
    setup_routes(app, house)
    app[CONNECTIONS] = connections = Connections(house.config.server, house.clock)
    registry = app[REGISTRY]
    identify = identify or who

    async def socket(request: web.Request) -> web.StreamResponse:
        login = await identify(request)
        if login is None:
            raise Refusal("login/required")
        if identify is not who:
            return await serve_socket(request, registry, login)
        people = app[PLAYERS]
        door = Door(
            partial(app[GUARD].command, login.player),
            partial(people.holds, login),
            partial(people.confirm, login),
            partial(people.turn_to_bet, login.player),
            partial(people.may_bet, login),
        )
        with connections.socket(login.player, app[GUARD].client(request)):
            return await serve_socket(request, registry, login, door, partial(connections.note, "flood"))

    app.router.add_get("/api/v1/socket", socket)
    app.router.add_get("/healthz", _alive)
    app.router.add_get("/readyz", _ready)
    app.router.add_get("/metrics", _metrics)
    if pages is not None:
        setup_pages(app, pages, house.config.house.name)
    return app


async def _open_house(app: web.Application) -> AsyncIterator[None]:
    """The house opens before the first request and closes after the last; the sweeper and the meters run between."""
    house, registry = app[HOUSE], app[REGISTRY]
    await house.open()
    await registry.check_games()
    await registry.floor.open()
    tasks = [asyncio.create_task(metrics.watch(house)), asyncio.create_task(_sweep(registry, app[PLAYERS]))]
    yield
    await registry.floor.close()
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await house.close()


async def _send_home(app: web.Application) -> None:
    """The house closes: who is there hears it at once, and is not waited for."""
    for guest in list(app[REGISTRY].guests):
        guest.bid_farewell()


async def _sweep(registry: TableRegistry, players: Players) -> None:
    """End what was left behind, from time to time; a database that is away is waited for."""
    while True:
        await asyncio.sleep(SWEEP)
        try:
            await registry.sweep()
            await registry.end_logins()
            await players.sweep()
        except Exception as error:
            failed("the sweep failed", error)


async def _alive(request: web.Request) -> web.Response:
    return web.json_response({"alive": True})


async def _ready(request: web.Request) -> web.Response:
    """Whether bets are taken: not while the house drains or its database does not answer."""
    house = request.app[HOUSE]
    why = "draining" if house.draining else "down" if house.writer.down else ""
    details = {"why": why} if request.app[GUARD].is_operator(request) else {}
    return web.json_response({"ready": not why, **details}, status=503 if why else 200)


async def _metrics(request: web.Request) -> web.Response:
    """What is measured, for the operator alone (ASR-34)."""
    if not request.app[GUARD].is_operator(request):
        raise web.HTTPUnauthorized(text=_FOR_OPERATORS, headers={"WWW-Authenticate": "Bearer"})
    body = prometheus_client.generate_latest()
    return web.Response(body=body, headers={"Content-Type": prometheus_client.CONTENT_TYPE_LATEST})
