"""At the door: how often someone may ask, from which pages, and what every answer tells the browser (ASR-30).

>>> bucket = Buckets(Rate(burst=2, every=10.0))
>>> [bucket.take("ada", now) for now in (0.0, 1.0, 2.0, 12.0)]
[0.0, 0.0, 8.0, 0.0]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from math import ceil
from urllib.parse import urlsplit

from aiohttp import hdrs, web, web_response

from sabot.errors import Refusal
from sabot.server.clock import Clock
from sabot.server.config import Rate, ServerConfig, networks

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
#: What every answer says of the program that gives it: no versions. Bytes that are no request are answered by the
#: library alone, so the word is put where it takes it from.
web_response.SERVER_SOFTWARE = "sabot"  # type: ignore[attr-defined]  # a test looks whether it still is there


#: Names of the own machine.
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: What a proxy adds to a request.
_FORWARDED = (hdrs.X_FORWARDED_FOR, hdrs.X_FORWARDED_HOST, hdrs.X_FORWARDED_PROTO, hdrs.FORWARDED, hdrs.VIA)


class Buckets:
    """A bucket of tokens for each key, which fills up again; in memory, full ones forgotten."""

    def __init__(self, rate: Rate, most: int = 100_000) -> None:
        self._rate = rate
        self._most = most
        #: When each bucket will be full again, the one asked longest ago first.
        self._full_at: dict[str, float] = {}

    def take(self, key: str, now: float, tokens: int = 1) -> float:
        """Take tokens; the seconds to wait if there are not as many, else 0."""
        burst, every = self._rate
        full_at = max(self._full_at.pop(key, now), now)
        wait = full_at + min(tokens, burst) * every - (now + burst * every)
        if wait <= 1e-9:
            full_at, wait = full_at + min(tokens, burst) * every, 0.0
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

    def __init__(self, server: ServerConfig, clock: Clock) -> None:
        self._clock = clock
        self._addresses = Buckets(server.rate_address)
        self._accounts = Buckets(server.rate_account)
        self._login_addresses = Buckets(server.rate_login_address)
        self._login_accounts = Buckets(server.rate_login_account)
        self._register_addresses = Buckets(server.rate_register_address)
        self._demo_addresses = Buckets(server.rate_demo_address)
        self._demo_house = Buckets(server.rate_demo_house)
        self._proxies = networks(server.proxies)
        self._own = origin_of(server.public_url)
        named = (server.host, urlsplit(server.public_url).hostname or "", *server.hosts)
        self._hosts = _LOOPBACK | {host_name(name) for name in named} - {"", "0.0.0.0", "::"}
        self._metrics_token = server.metrics_token.encode()
        #: Whether nobody but this machine itself can reach the house.
        self._at_home = not (server.public_url or server.proxies) and is_loopback(server.host)
        self._others = frozenset(filter(None, map(origin_of, server.origins)))
        #: Whether the house is reached by https: cookies are then sent over nothing else.
        self.secure = server.public_url.startswith("https://")

    # Rates

    def admit(self, request: web.Request) -> None:
        """A request of an address."""
        self._take(self._addresses, household(self.client(request)))

    def command(self, player: int, tokens: int = 1) -> None:
        """A request of an account, or a command on its socket; one with a long answer takes several tokens."""
        self._take(self._accounts, str(player), tokens)

    def login(self, request: web.Request, name: str) -> None:
        """An attempt at a password."""
        self._take(self._login_addresses, household(self.client(request)))
        self._take(self._login_accounts, name.lower())

    def registration(self, request: web.Request) -> None:
        """A new player with a password."""
        self._take(self._register_addresses, household(self.client(request)))

    def demo(self, request: web.Request) -> None:
        """A new demo player: an address, and the house, take so many."""
        self._take(self._demo_addresses, household(self.client(request)))
        self._take(self._demo_house, "")

    def _take(self, buckets: Buckets, key: str, tokens: int = 1) -> None:
        wait = buckets.take(key, self._clock.monotonic(), tokens)
        if wait:
            raise Refusal("rate/limited", seconds=ceil(wait))

    # Addresses

    def client(self, request: web.Request) -> str:
        """The address a request comes from: the other end, or if that is a proxy of the house's own, whom it serves.

        Each proxy has put the address it was called from at the end of a header. So the header is read from its end,
        as long as proxies of the house are named; what stands before the first stranger anyone may have written.
        """
        address = plain_address(request.remote or "")
        if address is None:
            return request.remote or ""
        for told in reversed(",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ())).split(",")):
            before = plain_address(told) if self._is_proxy(address) else None
            if before is None:  # no proxy, or one that names no address: it is the last one known
                break
            address = before
        return str(address)

    def _is_proxy(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._proxies)

    # Names of the house

    def check_host(self, request: web.Request) -> None:
        """Refuse a request for another house: a page whose name was turned to our address is no page of ours."""
        host = request.headers.get(hdrs.HOST, "")
        if host_name(host) not in self._hosts:
            raise Refusal("host/unknown", host=host[:100])

    def is_operator(self, request: web.Request) -> bool:
        """Whether a request may see metrics and details of health (ASR-34): it has the token, or there is none and it
        comes from this very machine, with no proxy between.
        """
        if self._metrics_token:
            given = request.headers.get(hdrs.AUTHORIZATION, "").encode("utf-8", "surrogateescape")
            return compare_digest(given, b"Bearer " + self._metrics_token)
        forwarded = any(name in request.headers for name in _FORWARDED)
        return self._at_home and not forwarded and is_loopback(request.remote or "")

    # Origins

    def check_origin(self, request: web.Request, *, needed: bool) -> None:
        """Refuse a page of another house; `needed` says whether a request of no page is refused too."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            if needed:
                raise Refusal("origin/missing")
        elif origin not in self._others and origin != (self._own or f"{request.scheme}://{request.host}"):
            raise Refusal("origin/strange", origin=origin[:100])

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


def host_name(text: str) -> str:
    """The name or address in a `Host` header, without its port; empty if it is none.

    >>> [host_name(text) for text in ("LocalHost:8765", "[::1]:80", "::1", "a.example.", "x y", "a:b", "")]
    ['localhost', '::1', '::1', 'a.example', '', '', '']
    """
    found = _HOST.fullmatch(text.strip().lower())
    if found is None:
        return text.strip().lower() if plain_address(text) is not None and ":" in text else ""
    return (found["address"] or found["name"]).rstrip(".")


_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]{1,253}))(:[0-9]{1,5})?")


def is_loopback(host: str) -> bool:
    """Whether a name or an address is of the own machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "sabot.example")]
    [True, True, True, False, False]
    """
    address = plain_address(host)
    return host == "localhost" if address is None else address.is_loopback


def plain_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address of a text, without a port; None if it is none. An IPv4 address in IPv6 clothes is one of IPv4.

    >>> [str(plain_address(text)) for text in (" 10.0.0.1", "10.0.0.1:80", "[::1]:80", "::ffff:10.0.0.1", "unknown")]
    ['10.0.0.1', '10.0.0.1', '::1', '10.0.0.1', 'None']
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def household(address: str) -> str:
    """What is counted together: an address, of IPv6 the network of 64 bits that one household has.

    >>> household("10.0.0.1"), household("2001:db8::1:2")
    ('10.0.0.1', '2001:db8::/64')
    """
    found = plain_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def is_unsafe(request: web.Request) -> bool:
    """Whether a request changes something, or opens a socket."""
    upgrade = request.headers.get(hdrs.UPGRADE, "").lower() == "websocket"
    return upgrade or request.method not in SAFE_METHODS
