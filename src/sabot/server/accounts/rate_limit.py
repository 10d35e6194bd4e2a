"""Rate limits: how often an address, an account or the house may ask (ASR-30).

>>> bucket = Buckets(Rate(burst=2, every=10.0))
>>> [bucket.take("ada", now) for now in (0.0, 1.0, 2.0, 12.0)]
[0.0, 0.0, 8.0, 0.0]
"""

from __future__ import annotations

from math import ceil

from sabot.errors import Refusal
from sabot.server.addresses import household
from sabot.server.clock import Clock
from sabot.server.config import Rate, ServerConfig


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
        """A request of an address."""
        self._take(self._addresses, household(address))

    def command(self, player: int, tokens: int = 1) -> None:
        """A request of an account, or a command on its socket; one with a long answer takes several tokens."""
        self._take(self._accounts, str(player), tokens)

    def login(self, address: str, name: str) -> None:
        """An attempt at a password."""
        self._take(self._login_addresses, household(address))
        self._take(self._login_accounts, name.lower())

    def registration(self, address: str) -> None:
        """A new player with a password."""
        self._take(self._register_addresses, household(address))

    def demo(self, address: str) -> None:
        """A new demo player."""
        self._take(self._demo_addresses, household(address))
        self._take(self._demo_house, "")

    def _take(self, buckets: Buckets, key: str, tokens: int = 1) -> None:
        wait = buckets.take(key, self._clock.monotonic(), tokens)
        if wait:
            raise Refusal("rate/limited", seconds=ceil(wait))
