"""Which hosts, origins and proxies are accepted, and the headers of every response (ASR-30)."""

from collections.abc import Callable, Iterable, Mapping
from hmac import compare_digest

from aiohttp import hdrs, web

from sabot.errors import Refusal
from sabot.server.addresses import WebAddress, host_name, is_loopback, networks, origin_of, plain_address
from sabot.server.config import ServerConfig, TableSection

#: Letters of the media servers in a policy: proxies and browsers refuse headers that are longer than 8 kB together.
_MOST_SOURCES = 3_000
#: Prefix of the routes; pages and files need no login.
API = "/api/"
SAFE_METHODS = frozenset({hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_OPTIONS})
#: Everything comes from the house itself, but for videos; there are no inline scripts.
_CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'{media};"
    " connect-src 'self'{connect}; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "Server": "sabot",  # no versions
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
#: Headers of responses to what is no request: nothing plays there.
BARE_HEADERS = {**_HEADERS, "Content-Security-Policy": _CONTENT_SECURITY.format(media="", connect="")}
#: Names of the own machine.
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: Headers that proxies add.
_FORWARDED = (hdrs.X_FORWARDED_FOR, hdrs.X_FORWARDED_HOST, hdrs.X_FORWARDED_PROTO, hdrs.FORWARDED, hdrs.VIA)


class RequestPolicy:
    """The names, origins and proxies of a house."""

    def __init__(self, server: ServerConfig, tables: Callable[[], tuple[TableSection, ...]]) -> None:
        self._proxies = networks(server.proxies)
        self._own = origin_of(server.public_url)
        public = WebAddress.parse(server.public_url)
        named = (server.host, "" if public is None else public.host, *server.hosts)
        self._hosts = _LOOPBACK | {host_name(name) for name in named} - {"", "0.0.0.0", "::"}
        self._metrics_token = server.metrics_token.encode()
        #: Whether only this machine can reach the house.
        self._at_home = not (server.public_url or server.proxies) and is_loopback(server.host)
        self._others = frozenset(filter(None, map(origin_of, server.origins)))
        #: Whether the house is reached by https; cookies are then sent over https only.
        self.secure = server.public_url.startswith("https://")
        self._tables = tables
        self._known_tables: tuple[TableSection, ...] | None = None
        self._headers: Mapping[str, str] = {}

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers of every response; tables, and with them media servers, can be changed while the house runs."""
        tables = self._tables()
        if tables is not self._known_tables:
            self._known_tables = tables
            self._headers = {
                **_HEADERS,
                "Content-Security-Policy": content_security(tables),
                **({"Strict-Transport-Security": "max-age=31536000"} if self.secure else {}),
            }
        return self._headers

    def client(self, request: web.Request) -> str:
        """The address of a request's client: the other end of the connection, or the client of a trusted proxy.

        Each proxy adds the address of its client at the end of X-Forwarded-For. So the header is read from its end, as
        long as trusted proxies are named; anyone may have written what stands before.
        """
        address = plain_address(request.remote or "")
        if address is None:
            return request.remote or ""
        for named in reversed(",".join(request.headers.getall(hdrs.X_FORWARDED_FOR, ())).split(",")):
            trusted = any(address in network for network in self._proxies)
            before = plain_address(named) if trusted else None
            if before is None:  # no proxy, or one that names no address
                break
            address = before
        return str(address)

    def check_host(self, request: web.Request) -> None:
        """Refuse a request for another host name (DNS rebinding)."""
        host = request.headers.get(hdrs.HOST, "")
        if host_name(host) not in self._hosts:
            raise Refusal("host/unknown", host=host[:100])

    def is_operator(self, request: web.Request) -> bool:
        """Whether a request may see metrics and details of health (ASR-34).

        It has the token; if none is set, it comes from this machine without a proxy.
        """
        if self._metrics_token:
            given = request.headers.get(hdrs.AUTHORIZATION, "").encode("utf-8", "surrogateescape")
            return compare_digest(given, b"Bearer " + self._metrics_token)
        forwarded = any(name in request.headers for name in _FORWARDED)
        return self._at_home and not forwarded and is_loopback(request.remote or "")

    def check_origin(self, request: web.Request, *, needed: bool) -> None:
        """Refuse a page of another origin; with `needed` also a request without an origin."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            if needed:
                raise Refusal("origin/missing")
        elif origin not in self._others and origin != (self._own or f"{request.scheme}://{request.host}"):
            raise Refusal("origin/strange", origin=origin[:100])


def content_security(tables: tuple[TableSection, ...]) -> str:
    """The policy of pages: videos of these tables come from their media servers (STU-20).

    >>> from sabot.server.config import VideoSection
    >>> video = VideoSection(quality="720", whep="https://one.example/t/whep", hls="https://two.example:8888/t/i.m3u8")
    >>> policy = content_security((TableSection(name="t", game="freebet", video=(video,)),))
    >>> [part for part in policy.split("; ") if "example" in part]
    ["media-src 'self' blob: https://two.example:8888", "connect-src 'self' https://one.example https://two.example:8888"]
    """
    streams = [entry for table in tables for entry in table.video]
    playlists = {origin_of(entry.hls) for entry in streams} - {""}
    connect = playlists | ({origin_of(entry.whep) for entry in streams} - {""})
    if not connect:
        return _CONTENT_SECURITY.format(media="", connect="")
    # A stream that a script loads is an object of the page.
    return _CONTENT_SECURITY.format(
        media=" blob:" + _sources(playlists),
        connect=_sources(connect),
    )


def _sources(origins: Iterable[str]) -> str:
    """Origins for a policy, as many as a header has room for: the video of others does not play."""
    text = "".join(f" {origin}" for origin in sorted(origins))
    return text if len(text) <= _MOST_SOURCES else text[:_MOST_SOURCES].rpartition(" ")[0]


def is_unsafe(request: web.Request) -> bool:
    """Whether a request changes something, or opens a socket."""
    upgrade = request.headers.get(hdrs.UPGRADE, "").lower() == "websocket"
    return upgrade or request.method not in SAFE_METHODS
