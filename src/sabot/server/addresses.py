"""Host names, origins and addresses of the network."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]{1,253}))(:[0-9]{1,5})?")


#: An address of the web: a name in ASCII or an IP address, perhaps a port and a path.
_ADDRESS = re.compile(
    r"(?P<scheme>[a-z]+)://(\[(?P<ip>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-]+(\.[a-z0-9_-]+)*))(:(?P<port>[0-9]{1,5}))?(/[!-~]*)?",
    re.IGNORECASE,
)
_LONGEST_NAME, _HIGHEST_PORT = 253, 65_535


class WebAddress(NamedTuple):
    """The parts of an address that say where a request goes."""

    scheme: str
    #: In small letters; an IPv6 address without its brackets.
    host: str
    port: int | None

    @classmethod
    def parse(cls, url: str) -> "WebAddress | None":
        """Return the parts of an address, or None if the text is none.

        >>> WebAddress.parse("https://Example.org:8443/play")
        WebAddress(scheme='https', host='example.org', port=8443)
        >>> texts = "https://a:88890/t", "https://[x/t", "https://[::g]/", "https://a\\0b/t", "https://a;b/t", "https://a@b/"
        >>> [WebAddress.parse(text) for text in texts]
        [None, None, None, None, None, None]
        """
        found = _ADDRESS.fullmatch(url)
        if found is None or len(found["name"] or "") > _LONGEST_NAME:
            return None
        if found["ip"] is not None and not isinstance(plain_address(f"[{found['ip']}]"), IPv6Address):
            return None
        port = None if found["port"] is None else int(found["port"])
        if port is not None and not 0 < port <= _HIGHEST_PORT:
            return None
        return cls(found["scheme"].lower(), (found["ip"] or found["name"]).lower(), port)


def check_address(name: str, url: str, *schemes: str) -> None:
    """Refuse a setting that is no address with one of these schemes; an empty one is allowed.

    >>> check_address("whep", "https://video.example:88890/t", "https")
    Traceback (most recent call last):
    ValueError: whep is 'https://video.example:88890/t': write an address as https://play.example:8443/path
    >>> check_address("url", "play.example", "https", "http")
    Traceback (most recent call last):
    ValueError: url is 'play.example': write an address as https://play.example:8443/path or http://play.example:8443/path
    """
    if url and ((found := WebAddress.parse(url)) is None or found.scheme not in schemes):
        examples = " or ".join(f"{scheme}://play.example:8443/path" for scheme in schemes)
        raise ValueError(f"{name} is {url[:100]!r}: write an address as {examples}")


def without_login(url: str) -> str:
    """Return an address without what stands before its host: a user, a password, a token.

    >>> without_login("nats://ada:ge/h@eim@bus.example:4222"), without_login("tls://bus.example")
    ('nats://bus.example:4222', 'tls://bus.example')
    """
    scheme, mark, rest = url.partition("://")
    return scheme + mark + rest.rpartition("@")[2]


def origin_of(url: str) -> str:
    """Return the origin of an address, or nothing for a text that is none.

    >>> origin_of("https://Example.org:8443/play"), origin_of("https://example.org:443"), origin_of("https://[x/t")
    ('https://example.org:8443', 'https://example.org', '')
    """
    found = WebAddress.parse(url)
    if found is None:
        return ""
    host = f"[{found.host}]" if ":" in found.host else found.host
    usual = {"http": 80, "https": 443}.get(found.scheme)
    return f"{found.scheme}://{host}" + ("" if found.port in (None, usual) else f":{found.port}")


def host_name(text: str) -> str:
    """The name or address in a `Host` header, without its port; empty if it is none.

    >>> [host_name(text) for text in ("LocalHost:8765", "[::1]:80", "::1", "a.example.", "x y", "a:b", "")]
    ['localhost', '::1', '::1', 'a.example', '', '', '']
    """
    found = _HOST.fullmatch(text.strip().lower())
    if found is None:
        return text.strip().lower() if plain_address(text) is not None and ":" in text else ""
    return (found["address"] or found["name"]).rstrip(".")


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "sabot.example")]
    [True, True, True, False, False]
    """
    address = plain_address(host)
    return host == "localhost" if address is None else address.is_loopback


def plain_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address in a text, without its port, or None. An IPv4 address mapped to IPv6 counts as IPv4.

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


def rate_key(address: str) -> str:
    """What rates and connections are counted by: an IPv4 address, or the /64 network of an IPv6 address.

    >>> rate_key("10.0.0.1"), rate_key("2001:db8::1:2")
    ('10.0.0.1', '2001:db8::/64')
    """
    found = plain_address(address)
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def networks(texts: Iterable[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    """Parse networks; a single address is a network of one.

    >>> [str(network) for network in networks(["10.0.0.0/8", "::1"])]
    ['10.0.0.0/8', '::1/128']
    """
    return tuple(map(ip_network, texts))
