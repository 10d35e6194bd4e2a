"""Host names, origins and addresses of the network."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]{1,253}))(:[0-9]{1,5})?")


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
