"""Middleware: checks the host and the login of every request, adds headers to every response (ASR-30, ASR-31)."""

from aiohttp import HttpVersion11, hdrs, web
from aiohttp.typedefs import Handler

from sabot.server.accounts.logins import Device, Login
from sabot.server.http.policy import API, is_unsafe
from sabot.server.http.services import SERVICES
from sabot.server.studio.devices import TableDevice, find_device

COOKIE = "sabot"
#: The cookie of a browser in which accounts were opened before.
DEVICE_COOKIE = "sabot-device"
_DEVICE_SECONDS = 365 * 24 * 3_600
_BEARER = "Bearer "
#: Longer than any token.
_LONGEST_TOKEN = 128
#: The login of a request, or None.
LOGIN: web.RequestKey[Login | None] = web.RequestKey("login", Login)
#: The card-reading shoe that asks, or None.
DEVICE: web.RequestKey[TableDevice | None] = web.RequestKey("device", TableDevice)


async def _login_of(request: web.Request) -> Login | None:
    """The login of a request; None without a valid one.

    A page of another origin is refused. So is a change with a cookie and without an origin: another page may have sent
    it against the player's will. A bearer token cannot be sent so.
    """
    bearer, cookie = bearer_of(request), request.cookies.get(COOKIE, "")
    if is_unsafe(request):
        request.app[SERVICES].policy.check_origin(request, needed=not bearer and bool(cookie))
    token = bearer or cookie
    if not token or len(token) > _LONGEST_TOKEN:
        return None
    return await request.app[SERVICES].players.find(token)


#: Paths for probes, under any name of the machine.
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Serve only under the names of the house."""
    if request.path not in _PROBES:
        request.app[SERVICES].policy.check_host(request)
    return await handler(request)


@web.middleware
async def authenticate(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Put the login into `request[LOGIN]`, or the device; refuse an address, account or device that is too fast."""
    if request.path.startswith(API):
        services = request.app[SERVICES]
        rates = services.rates
        rates.request(client_of(request))
        request[DEVICE] = device = find_device(services.house.config.device, bearer_of(request))
        request[LOGIN] = login = await _login_of(request) if device is None else None
        if device is not None:
            rates.reading(str(device))
        elif login is not None:
            rates.command(login.player)
    return await handler(request)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers of every response."""
    response.headers.update(request.app[SERVICES].policy.headers)
    if request.path.startswith(API):
        response.headers[hdrs.CACHE_CONTROL] = "no-store"


async def check_expectation(request: web.Request) -> None:
    """Refuse an `Expect` that is not 100-continue, without repeating it: its bytes may be no text."""
    if request.headers.get(hdrs.EXPECT, "").lower() != "100-continue":
        raise web.HTTPExpectationFailed(text="Only 100-continue can be expected")
    if request.version == HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the response has not begun


def client_of(request: web.Request) -> str:
    """The address that a request comes from."""
    return request.app[SERVICES].policy.client(request)


def bearer_of(request: web.Request) -> str:
    """The bearer token of a request, if it has one."""
    header = request.headers.get(hdrs.AUTHORIZATION, "")
    return header.removeprefix(_BEARER).strip() if header.startswith(_BEARER) else ""


def device_of(request: web.Request) -> Device:
    """The address and the program that a request comes from, and the token of its browser."""
    token = request.cookies.get(DEVICE_COOKIE, "")[:_LONGEST_TOKEN]
    return Device(client_of(request), request.headers.get(hdrs.USER_AGENT, ""), token)


def token_of(request: web.Request) -> str:
    """The token of a request's login."""
    return bearer_of(request) or request.cookies.get(COOKIE, "")


def set_login(request: web.Request, response: web.StreamResponse, token: str) -> None:
    """Give the token of a login to the browser; an empty one ends it."""
    seconds = request.app[SERVICES].house.config.server.login_hours * 3_600 if token else 0
    _set_cookie(request, response, COOKIE, token, seconds)


def set_device(request: web.Request, response: web.StreamResponse, token: str) -> None:
    """Give the browser the token by which it is known."""
    _set_cookie(request, response, DEVICE_COOKIE, token, _DEVICE_SECONDS)


def _set_cookie(
    request: web.Request, response: web.StreamResponse, name: str, token: str, seconds: int
) -> None:
    """Give a token to the browser, where scripts cannot read it and other pages cannot send it."""
    secure = request.app[SERVICES].policy.secure
    response.set_cookie(name, token, max_age=seconds, httponly=True, samesite="Lax", secure=secure, path="/")
