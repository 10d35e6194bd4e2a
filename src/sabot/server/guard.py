"""At the door: how often someone may ask, from which pages, and what every answer tells the browser (ASR-30).

>>> bucket = Buckets(Rate(burst=2, every=10.0))
>>> [bucket.take("ada", now) for now in (0.0, 1.0, 2.0, 12.0)]
[0.0, 0.0, 8.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import NamedTuple
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from sabot.server.clock import Clock
from sabot.server.config import ServerConfig
from sabot.server.errors import ServerError

SAFE_METHODS = frozenset({hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_OPTIONS})
#: Everything comes from the house itself, and no script stands in a page.
_CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self';"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _CONTENT_SECURITY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Rate(NamedTuple):
    """So many at once, then one every so many seconds."""

    burst: int
    every: float


class Rates(NamedTuple):
    """How often each thing may be asked: by an address, and by or for one account."""

    address: Rate = Rate(200, 0.02)
    account: Rate = Rate(60, 0.05)
    login_address: Rate = Rate(10, 3.0)
    login_account: Rate = Rate(10, 12.0)
    register_address: Rate = Rate(5, 30.0)


class Buckets:
    """A bucket of tokens for each key, which fills up again; in memory, full ones forgotten."""

    def __init__(self, rate: Rate, most: int = 100_000) -> None:
        self._rate = rate
        self._most = most
        #: When each bucket will be full again, the one asked longest ago first.
        self._full_at: dict[str, float] = {}

    def take(self, key: str, now: float) -> float:
        """Take a token; the seconds to wait if there is none, else 0."""
        burst, every = self._rate
        full_at = max(self._full_at.pop(key, now), now)
        wait = full_at + every - (now + burst * every)
        if wait <= 1e-9:
            full_at, wait = full_at + every, 0.0
        self._full_at[key] = full_at
        if len(self._full_at) > self._most:
            self._forget(now)
        return wait

    def _forget(self, now: float) -> None:
        """Forget full buckets; if none is, the one that was asked longest ago."""
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        while len(self._full_at) > self._most:
            del self._full_at[next(iter(self._full_at))]


class Guard:
    """The rates and origins of a house."""

    def __init__(self, server: ServerConfig, clock: Clock, rates: Rates | None = None) -> None:
        self._clock = clock
        self._buckets = {name: Buckets(rate) for name, rate in (rates or Rates())._asdict().items()}
        self._own = origin_of(server.public_url)
        self._others = frozenset(filter(None, map(origin_of, server.origins)))
        #: Whether the house is reached by https: cookies are then sent over nothing else.
        self.secure = server.public_url.startswith("https://")

    # Rates

    def admit(self, request: web.Request) -> None:
        """A request of an address."""
        self._take("address", address_of(request))

    def command(self, player: int) -> None:
        """A request of an account, or a command on its socket."""
        self._take("account", str(player))

    def login(self, request: web.Request, name: str) -> None:
        """An attempt at a password."""
        self._take("login_address", address_of(request))
        self._take("login_account", name.lower())

    def registration(self, request: web.Request) -> None:
        """A new player, demo or not."""
        self._take("register_address", address_of(request))

    def _take(self, bucket: str, key: str) -> None:
        wait = self._buckets[bucket].take(key, self._clock.monotonic())
        if wait:
            raise ServerError("rate/limited", seconds=ceil(wait))

    # Origins

    def check_origin(self, request: web.Request, *, needed: bool) -> None:
        """Refuse a page of another house; `needed` says whether a request of no page is refused too."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            if needed:
                raise ServerError("origin/missing")
        elif origin not in self._others and origin != (self._own or f"{request.scheme}://{request.host}"):
            raise ServerError("origin/strange", origin=origin[:100])

    # Headers

    def headers(self) -> Mapping[str, str]:
        """What every answer tells the browser."""
        return _HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if self.secure else {})


def origin_of(url: str) -> str:
    """The origin of an address.

    >>> origin_of("https://Example.org:8443/play"), origin_of("https://example.org:443")
    ('https://example.org:8443', 'https://example.org')
    """
    parts = urlsplit(url)
    if not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}" + ("" if parts.port in (None, usual) else f":{parts.port}")


def address_of(request: web.Request) -> str:
    """Where a request comes from: an address, of IPv6 the network of 64 bits that one household has."""
    remote = request.remote or ""
    try:
        address = ip_address(remote)
    except ValueError:
        return remote
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else remote


def is_unsafe(request: web.Request) -> bool:
    """Whether a request changes something, or opens a socket."""
    upgrade = request.headers.get(hdrs.UPGRADE, "").lower() == "websocket"
    return upgrade or request.method not in SAFE_METHODS
