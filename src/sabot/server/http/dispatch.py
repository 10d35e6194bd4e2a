"""Routes, and how a request is dispatched to its handler: access, decoding, the call, encoding."""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from math import ceil
from types import NoneType
from typing import Any, Literal, NamedTuple, get_type_hints

import msgspec
from aiohttp import hdrs, web
from msgspec import Struct

from sabot.errors import Refusal
from sabot.protocol.fields import problem_of
from sabot.server.accounts import own
from sabot.server.accounts.lock_out import Source, session_source
from sabot.server.accounts.logins import Login
from sabot.server.accounts.own import AT_TABLES
from sabot.server.http.middleware import DEVICE, LOGIN, bearer_of, client_of, set_device, set_login
from sabot.server.http.policy import SAFE_METHODS
from sabot.server.http.services import SERVICES, Services
from sabot.server.studio.devices import TableDevice
from sabot.server.tables.opening import LIVE
from sabot.server.tables.registry import TableElsewhereError
from sabot.store.kinds import Role

PREFIX = "/api/v1"
#: The longest body of a request, in bytes.
LONGEST_BODY = 16_384
#: Bytes from which a response is compressed: a shorter one fits into one packet as it is.
_COMPRESSED_FROM = 1_025

#: Who a route is for; a `device` is a card-reading shoe (STU-04).
Access = Literal["anyone", "player", "device", "staff", "presenter", "supervisor", "administrator", "office"]
#: The roles that each access of operators admits.
ROLES: dict[Access, tuple[Role, ...]] = {
    "staff": ("presenter", "supervisor", "administrator", "auditor"),
    "presenter": AT_TABLES,
    "supervisor": ("supervisor", "administrator"),
    "administrator": ("administrator",),
    "office": ("supervisor", "administrator", "auditor"),  # to read (OFF-06)
}


class Asked(NamedTuple):
    """What a request asks for: the texts of its path and query, and its body."""

    names: dict[str, str]
    query: dict[str, str]
    body: bytes
    #: Whether the node that was asked has checked the password; of what a client sends it never is.
    checked: bool = False


class Call:
    """A request with its login, and the parts of the house that handlers use."""

    def __init__(
        self,
        services: Services,
        login: Login | None,
        request: web.Request | None = None,
        device: TableDevice | None = None,
        *,
        checked: bool = False,
    ) -> None:
        """One without a `request` came from another node, which may have checked the password."""
        self.checked = checked
        self._request = request
        self._login = login
        self._device = device
        #: The body that the owner of the table gets once the password is checked, if another node is asked.
        self.passed_on: bytes | None = None
        #: The token that the response gives the browser in its cookie; an empty one deletes the cookie.
        self.cookie: str | None = None
        #: The token by which the browser is known from now on.
        self.device_token: str | None = None
        self.house = services.house
        self.players = services.players
        self.operators = services.operators
        self.registry = services.registry
        self.changes = services.changes
        self.provider = services.provider
        self.rates = services.rates
        self.settings = services.settings
        self.proposals = services.proposals
        self.self_check = services.self_check
        self.codes = services.codes
        self.video_tokens = services.video_tokens

    @property
    def is_errand(self) -> bool:
        """Whether another node passed it on."""
        return self._request is None

    @property
    def address(self) -> str:
        """The address that it comes from."""
        return client_of(self.request)

    @property
    def session_source(self) -> Source:
        """The login itself as the source of attempts at its player's password."""
        return session_source(self.login, self.address)

    @property
    def request(self) -> web.Request:
        """The request itself."""
        assert self._request is not None
        return self._request

    @property
    def vip(self) -> int:
        """The VIP level of the player; 0 without a login."""
        return 0 if self._login is None else self._login.vip

    @property
    def login(self) -> Login:
        """The login of the request; one without is refused."""
        if self._login is None:
            raise Refusal("login/required")
        return self._login

    @property
    def device(self) -> TableDevice:
        """The card-reading shoe that asks; anything else is refused."""
        if self._device is None:
            raise Refusal("device/unknown")
        return self._device


class Text(NamedTuple):
    """A response in plain text."""

    text: str


class Download(NamedTuple):
    """A response that a browser saves as a file."""

    file: str
    content_type: str
    body: bytes


#: Returns a struct, a `Text`, a `Download`, or None for an empty response.
Handler = Callable[..., Awaitable[Any]]


class Route:
    """A route with the types of its handler's signature: `form` is the body, `query` the query, others are in the path."""

    def __init__(
        self,
        method: Literal["GET", "POST", "PUT"],
        path: str,
        handler: Handler,
        *errors: str,
        access: Access = "player",
        withdrawing: bool = False,
        at_the_door: bool = False,
        polled: bool = False,
        shared: bool = False,
    ) -> None:
        """`errors` are the codes of this route only.

        A self-excluded or locked player, let in to withdraw, may use what is `withdrawing` and read what anyone may read,
        and nothing else (ASR-41, PLT-73).
        Of operators' routes (OFF-06): one `at_the_door` needs no second factor; one that pages ask by themselves, again
        and again, is `polled` and no sign that a person is there.
        One with few different answers, which anyone may have, is `shared`: each answer is compressed once for all who ask.
        """
        self.method = method
        self.path = path
        self.handler = handler
        self.access = access
        self.withdrawing = withdrawing or (access == "anyone" and method in SAFE_METHODS)
        self.guarded = access in ROLES and not at_the_door
        self.shared = shared
        #: Whether an operator decides something about what the path names.
        self.acts = access in ROLES and "auditor" not in ROLES[access] and method not in SAFE_METHODS
        self.polled = polled
        self._errors = errors
        kinds = get_type_hints(handler, include_extras=True)
        names = [(name, kinds[name]) for name in re.findall(r"{(\w+)}", path)]
        self.names: type[Struct] | None = msgspec.defstruct("Path", names, frozen=True) if names else None
        self.body: type[Struct] | None = kinds.get("form")
        self.query: type[Struct] | None = kinds.get("query")
        #: The type of the response: a struct as JSON, `Text`, `Download`, or None for an empty one.
        self.answer: type | None = None if kinds["return"] is NoneType else kinds["return"]

    @property
    def name(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"

    @property
    def summary(self) -> str:
        """What it does: the first sentence of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0].rstrip(".")

    @property
    def refusals(self) -> tuple[str, ...]:
        """Every code it may be refused with."""
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
            codes |= {"origin/missing", "origin/strange", "unit/lost"}
            codes |= {"node/buried", "stream/fenced", "stream/owned"}
        if self.body is not None:
            codes |= {"request/not-json"}
        if self.access == "device":
            codes |= {"device/unknown", "device/elsewhere"}
        elif self.access != "anyone":
            codes |= {"login/required"}
        if self.access != "device" and not self.withdrawing:
            codes |= {"player/locked", "protection/excluded"}
        if self.access in ROLES:
            codes |= {"login/role"}
        if self.guarded:
            codes |= {"login/idle", "factor/enrol", "factor/needed"}
        if self.acts:
            codes |= {"operator/own"}
        return tuple(sorted(codes | set(self._errors)))


async def serve(route: Route, request: web.Request) -> web.Response:
    """Check the access, decode the request, call the handler and encode its result.

    What is asked of a live table of another node is done there (CLU-12).
    """
    login, device, services = request[LOGIN], request[DEVICE], request.app[SERVICES]
    check_access(route, login, device)
    if route.guarded and login is not None:
        await services.operators.admit(login, active=not route.polled)
    asked = Asked(dict(request.match_info), _query_of(request), await _read_bytes(request))
    if route.body is not None and request.content_type != "application/json":
        raise Refusal("request/not-json")
    given = _given(route, asked)
    _check_page(route, request, given.get("form"))
    call = Call(services, login, request, device)
    try:
        response = _response(await _handle(route, call, given))
    except TableElsewhereError as error:
        send = services.registry.send_errand
        assert send is not None
        if call.passed_on is not None:
            asked = asked._replace(body=call.passed_on, checked=True)
        response = _response(await send(error.table, route.name, asked, login, device))
    if call.cookie is not None:
        set_login(request, response, call.cookie)
    if call.device_token is not None:
        set_device(request, response, call.device_token)
    _compress(route, request, response)
    return response


async def run_errand(
    services: Services, route: Route, asked: Asked, login: Login | None, device: TableDevice | None
) -> Any:
    """Do what was asked of another node, at a table of this one."""
    check_access(route, login, device)
    call = Call(services, login, device=device, checked=asked.checked)
    return await _handle(route, call, _given(route, asked))


async def _handle(route: Route, call: Call, given: dict[str, Any]) -> Any:
    """Call the handler; an operator's order about what is the operator's own is refused before."""
    if route.acts:
        await _check_own(call, given)
    return await route.handler(call, **given)


async def _check_own(call: Call, given: dict[str, Any]) -> None:
    """Refuse an order about a player, a table or a round that the path names, if it is the operator's own.

    A table of another node is looked at there: before that the handler may have a password to check.
    """
    house, by = call.house, call.login.player
    player = await call.players.named(given["name"]) if "name" in given else given.get("player", 0)
    own.check_player(house, by, player)
    table = LIVE + given["table"] if "table" in given else ""
    if "code" in given:
        table = await call.registry.table_of(given["code"])
        own.check_round(house, by, given["code"], table)
    if table in call.registry.live:
        own.check_table(house, by, call.registry.live[table].adapter.base)


def check_access(route: Route, login: Login | None, device: TableDevice | None = None) -> None:
    """Refuse a login that a route does not admit (ASR-31)."""
    if route.access == "device":
        if device is None:
            raise Refusal("device/unknown")
        return
    if login is None:
        if route.access == "anyone":
            return
        raise Refusal("login/required")
    if route.access in ROLES and login.role not in ROLES[route.access]:
        raise Refusal("login/role", role=", ".join(ROLES[route.access]))
    if not route.withdrawing:
        login.check_may_play()


def _check_page(route: Route, request: web.Request, body: Any) -> None:
    """A change without an `Origin` needs a bearer token, or asks for one instead of a cookie."""
    if route.method not in SAFE_METHODS:
        wants_none = getattr(body, "bearer", False)
        request.app[SERVICES].policy.check_origin(request, needed=not bearer_of(request) and not wants_none)


# Reading


def _given(route: Route, asked: Asked) -> dict[str, Any]:
    """What the handler of a route is called with."""
    given: dict[str, Any] = {}
    if route.names is not None:
        given |= msgspec.structs.asdict(_read_fields(asked.names, route.names))
    if (form := _decode_body(route, asked.body)) is not None:
        given["form"] = form
    if (query := _decode_query(route, asked.query)) is not None:
        given["query"] = query
    return given


def _decode_body(route: Route, body: bytes) -> Any:
    """The decoded body; a route without one accepts none."""
    if route.body is None:
        if body:
            raise Refusal("request/bad", reason="no body was expected")
        return None
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


def _query_of(request: web.Request) -> dict[str, str]:
    """The texts of a query."""
    fields = dict(request.query)
    if len(fields) != len(request.query):
        raise Refusal("request/bad", reason="a name stands twice in the query")
    return fields


def _decode_query(route: Route, fields: dict[str, str]) -> Any:
    """The decoded query; a route without one accepts none."""
    if route.query is None:
        if fields:
            raise Refusal("request/bad", reason="no query was expected")
        return None
    return _read_fields(fields, route.query)


def _read_fields(fields: dict[str, str], kind: type[Struct]) -> Any:
    """A struct from the texts of a path or a query."""
    try:
        found = msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("request/bad", reason=str(problem_of(error))) from None
    for name, text in fields.items():
        if getattr(found, name, text) is None:  # `null` is no number: what is not given is left out
            raise Refusal("request/bad", reason=f"{name} is {text}: write a value, or leave it out")
    return found


# Responding


def _response(answer: Any) -> web.Response:
    if answer is None:
        return web.Response(status=204)
    if isinstance(answer, bytes):  # JSON of another node
        answer = msgspec.Raw(answer)
    if isinstance(answer, Text):
        response = web.Response(text=answer.text, content_type="text/plain")
    elif isinstance(answer, Download):
        response = web.Response(body=answer.body, content_type=answer.content_type)
        response.headers[hdrs.CONTENT_DISPOSITION] = f'attachment; filename="{answer.file}"'
    else:
        response = web.Response(body=msgspec.json.encode(answer), content_type="application/json")
    return response


def _compress(route: Route, request: web.Request, response: web.Response) -> None:
    """Compress a long response if the client accepts it; that of a shared route once for all who ask."""
    body = response.body
    if not isinstance(body, bytes) or len(body) < _COMPRESSED_FROM:
        return
    if not route.shared:
        response.enable_compression()  # in a thread of its own
    elif "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, "").lower():
        response.body = _gzip(body)
        response.headers[hdrs.CONTENT_ENCODING] = "gzip"


@lru_cache(maxsize=64)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
