"""Routes and dispatch: access, decoding, the call of a handler, encoding.

The table of all routes is in `sabot.server.http.routes`; the OpenAPI document and the tests of access are made from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any, Literal, NamedTuple

import msgspec
from aiohttp import web
from msgspec import Struct

from sabot.errors import Refusal
from sabot.protocol.fields import problem_of
from sabot.server.accounts.logins import Login
from sabot.server.http.middleware import LOGIN, bearer_of
from sabot.server.http.policy import SAFE_METHODS
from sabot.server.http.services import SERVICES
from sabot.store.kinds import Role

PREFIX = "/api/v1"
#: The longest body of a request, in bytes.
LONGEST_BODY = 16_384

Access = Literal["anyone", "player", "presenter", "supervisor", "administrator"]
#: The roles that open what is for operators: each may do all that the ones before it may.
ROLES: dict[Access, tuple[Role, ...]] = {
    "presenter": ("presenter", "supervisor", "administrator"),
    "supervisor": ("supervisor", "administrator"),
    "administrator": ("administrator",),
}


class Call:
    """A request: its login, the names in its path, and the parts of the house that answer it."""

    def __init__(self, request: web.Request, login: Login | None, path: Any) -> None:
        self.request = request
        self.path = path
        self._login = login
        services = request.app[SERVICES]
        self.house = services.house
        self.players = services.players
        self.registry = services.registry
        self.provider = services.provider
        self.rates = services.rates
        self.policy = services.policy

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.policy.client(self.request)

    @property
    def vip(self) -> int:
        """The VIP level of who sends it; nobody has none."""
        return 0 if self._login is None else self._login.vip

    @property
    def login(self) -> Login:
        """Who sends it; refuses a request without a login."""
        if self._login is None:
            raise Refusal("login/required")
        return self._login


class Text(NamedTuple):
    """An answer in plain text."""

    text: str


#: Answers a request: with a struct, a text, nothing, or a response with cookies.
Handle = Callable[..., Awaitable[Any]]


class Route(Struct, frozen=True, kw_only=True):
    """One line of the table."""

    method: Literal["GET", "POST", "PUT"]
    path: str
    handle: Handle
    summary: str
    access: Access = "player"
    #: What stands in the body, in the query and in the path.
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    names: type[Struct] | None = None
    #: What is answered: a struct as JSON, `Text`, or None for no contents.
    answer: type | None = None
    #: The refusals of its own; those that every route has are added by `refusals`.
    errors: tuple[str, ...] = ()
    #: Whether a self-excluded player may still do it (ASR-41).
    excluded: bool = False

    @property
    def refusals(self) -> tuple[str, ...]:
        """Every code it may refuse with."""
        codes = {
            "host/unknown",
            "rate/limited",
            "request/bad",
            "request/too-long",
            "house/error",
            "house/busy",
            "house/down",
        }
        if self.method not in SAFE_METHODS:
            codes |= {"origin/missing", "origin/strange", "stream/fenced", "unit/lost"}
        if self.body is not None:
            codes |= {"request/not-json"}
        if self.access != "anyone":
            codes |= {"login/required"}
            if not self.excluded:
                codes |= {"protection/excluded"}
        if self.access in ROLES:
            codes |= {"login/role"}
        return tuple(sorted(codes | set(self.errors)))


async def serve(route: Route, request: web.Request) -> web.StreamResponse:
    """Check who asks, read what is asked, answer."""
    login = request[LOGIN]
    check_access(route, login)
    names = route.names and read_fields(dict(request.match_info), route.names)
    call = Call(request, login, names)
    given = [await _read_body(route, request), await _read_query(route, request)]
    _check_page(route, request, given[0])
    answer = await route.handle(call, *(part for part in given if part is not None))
    return _response(answer)


def check_access(route: Route, login: Login | None) -> None:
    """Whether a login opens a route (ASR-31)."""
    if route.access == "anyone":
        return
    if login is None:
        raise Refusal("login/required")
    if route.access in ROLES and login.role not in ROLES[route.access]:
        raise Refusal("login/role", role=route.access)
    if login.excluded_until is not None and not route.excluded:
        raise Refusal("protection/excluded", until=login.excluded_until)


def _check_page(route: Route, request: web.Request, body: Any) -> None:
    """A change that no page asks for needs a bearer token in hand, or wants one instead of a cookie."""
    if route.method not in SAFE_METHODS:
        wants_none = getattr(body, "bearer", False)
        request.app[SERVICES].policy.check_origin(request, needed=not bearer_of(request) and not wants_none)


# Reading


async def _read_body(route: Route, request: web.Request) -> Any:
    """The struct of a body; a route without one takes none."""
    body = await _read_bytes(request)
    if route.body is None:
        if body:
            raise Refusal("request/bad", reason="no body was expected")
        return None
    if request.content_type != "application/json":
        raise Refusal("request/not-json")
    try:
        return msgspec.json.decode(body, type=route.body)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Refusal("request/bad", reason=str(problem_of(error))) from None
    except RecursionError:
        raise Refusal("request/bad", reason="nested too deeply") from None


async def _read_bytes(request: web.Request) -> bytes:
    if (request.content_length or 0) > LONGEST_BODY:
        raise Refusal("request/too-long", most=LONGEST_BODY)
    body, patience = bytearray(), request.app[SERVICES].house.config.server.patience_seconds
    try:
        async with asyncio.timeout(patience):
            async for part in request.content.iter_any():
                body += part
                if len(body) > LONGEST_BODY:
                    raise Refusal("request/too-long", most=LONGEST_BODY)
    except TimeoutError:
        raise Refusal("request/slow", seconds=ceil(patience)) from None
    except web.RequestPayloadError:
        raise Refusal("request/bad", reason="the body is not encoded as it says") from None
    return bytes(body)


async def _read_query(route: Route, request: web.Request) -> Any:
    """The struct of a query; a route without one takes none."""
    fields = dict(request.query)
    if len(fields) != len(request.query):
        raise Refusal("request/bad", reason="a name stands twice in the query")
    if route.query is None:
        if fields:
            raise Refusal("request/bad", reason="no query was expected")
        return None
    return read_fields(fields, route.query)


def read_fields(fields: dict[str, str], kind: type[Struct]) -> Any:
    """The struct of texts from a path or a query."""
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("request/bad", reason=str(problem_of(error))) from None


# Answering


def _response(answer: Any) -> web.StreamResponse:
    if isinstance(answer, web.StreamResponse):
        return answer
    if answer is None:
        return web.Response(status=204)
    if isinstance(answer, Text):
        return web.Response(text=answer.text, content_type="text/plain")
    return json_response(answer)


def json_response(answer: object, status: int = 200) -> web.Response:
    """A struct as JSON."""
    return web.Response(body=msgspec.json.encode(answer), status=status, content_type="application/json")
