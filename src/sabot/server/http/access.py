"""Who sends a request: the holder of a cookie or of a bearer token, or nobody (ASR-30, ASR-31)."""

from __future__ import annotations

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from sabot.server.accounts.logins import Device, Login
from sabot.server.accounts.players import Players
from sabot.server.http.guard import Guard, is_unsafe

COOKIE = "sabot"
_BEARER = "Bearer "
#: Longer than any token; what is longer is none.
_LONGEST_TOKEN = 128
#: Where the routes are; pages and files need nobody's name.
API = "/api/"

PLAYERS = web.AppKey("people", Players)
GUARD = web.AppKey("guard", Guard)
#: Where a request carries who sends it; None is nobody.
LOGIN: web.RequestKey[Login | None] = web.RequestKey("login", Login)
PLAYER: web.RequestKey[int | None] = web.RequestKey("player", int)


async def who(request: web.Request) -> Login | None:
    """Who sends a request or opens a socket; None without a login that holds.

    A page of another origin is refused. So is a cookie that comes without an origin where something changes: it may
    have been sent against the player's will. A bearer token cannot be.
    """
    bearer, cookie = bearer_of(request), request.cookies.get(COOKIE, "")
    if is_unsafe(request):
        request.app[GUARD].check_origin(request, needed=not bearer and bool(cookie))
    token = bearer or cookie
    if not token or len(token) > _LONGEST_TOKEN:
        return None
    return await request.app[PLAYERS].find(token)


#: What is asked by probes and meters, under any name of the machine.
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Serve only under the names of the house."""
    if request.path not in _PROBES:
        request.app[GUARD].check_host(request)
    return await handler(request)


@web.middleware
async def authenticate(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Put the login into `request[LOGIN]` and its player into `request[PLAYER]`."""
    if request.path.startswith(API):
        request.app[GUARD].admit(request)
        login = await who(request)
        request[LOGIN] = login
        request[PLAYER] = None if login is None else login.player
        if login is not None:
            request.app[GUARD].command(login.player)
    return await handler(request)


def bearer_of(request: web.Request) -> str:
    """The bearer token of a request, if it has one."""
    header = request.headers.get(hdrs.AUTHORIZATION, "")
    return header.removeprefix(_BEARER).strip() if header.startswith(_BEARER) else ""


def device_of(request: web.Request) -> Device:
    """What is noted of a login: address and program."""
    return Device(request.app[GUARD].client(request), request.headers.get(hdrs.USER_AGENT, ""))


def give_cookie(response: web.StreamResponse, token: str, *, secure: bool, seconds: int) -> None:
    """Give a token to the browser, where scripts cannot read it and other pages cannot send it."""
    response.set_cookie(
        COOKIE, token, max_age=seconds, httponly=True, samesite="Lax", secure=secure, path="/"
    )


def take_cookie(response: web.StreamResponse, *, secure: bool) -> None:
    """Take the token back from the browser."""
    response.del_cookie(COOKIE, path="/", httponly=True, samesite="Lax", secure=secure)
