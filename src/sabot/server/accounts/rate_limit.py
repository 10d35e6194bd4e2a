"""Rate limits of addresses, accounts and the house (ASR-30).

>>> bucket = Buckets(Rate(burst=2, every=10.0))
>>> [bucket.take("ada", now) for now in (0.0, 1.0, 2.0, 12.0)]
[0.0, 0.0, 8.0, 0.0]
"""

from math import ceil

from sabot.errors import Refusal
from sabot.server.addresses import rate_key
from sabot.server.config import Rate, ServerConfig
from sabot.tables.live.timers import Clock


class Buckets:
    """A token bucket for each key, in memory; full ones are dropped."""

    def __init__(self, rate: Rate, most: int = 100_000) -> None:
        self._rate = rate
        self._most = most
        #: When each bucket will be full again, the one used longest ago first.
        self._full_at: dict[str, float] = {}

    def take(self, key: str, now: float, tokens: int = 1) -> float:
        """Take tokens; returns the seconds to wait if there are too few, else 0."""
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
        """Drop full buckets; if there are none, the one used longest ago."""
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
        while len(self._full_at) > self._most:
            del self._full_at[next(iter(self._full_at))]


class RateLimiter:
    """Refuses requests that come too fast."""

    def __init__(self, server: ServerConfig, clock: Clock) -> None:
        self._clock = clock
        self._addresses = Buckets(server.rate_address)
        self._accounts = Buckets(server.rate_account)
        self._login_addresses = Buckets(server.rate_login_address)
        self._login_accounts = Buckets(server.rate_login_account)
        self._register_addresses = Buckets(server.rate_register_address)
        self._demo_addresses = Buckets(server.rate_demo_address)
        self._demo_house = Buckets(server.rate_demo_house)

    def request(self, address: str) -> None:
        """Count a request of an address."""
        self._take(self._addresses, rate_key(address))

    def command(self, player: int, tokens: int = 1) -> None:
        """Count a request of an account, over HTTP or a socket; one with a long response takes several tokens."""
        self._take(self._accounts, str(player), tokens)

    def login(self, address: str, name: str) -> None:
        """Count an attempt at a password."""
        self._take(self._login_addresses, rate_key(address))
        self._take(self._login_accounts, name.lower())

    def registration(self, address: str) -> None:
        """Count a registration."""
        self._take(self._register_addresses, rate_key(address))

    def demo(self, address: str) -> None:
        """Count a new demo player."""
        self._take(self._demo_addresses, rate_key(address))
        self._take(self._demo_house, "")

    def _take(self, buckets: Buckets, key: str, tokens: int = 1) -> None:
        wait = buckets.take(key, self._clock.monotonic(), tokens)
        if wait:
            raise Refusal("rate/limited", seconds=ceil(wait))
