"""Rate limits of addresses, accounts and the house (ASR-30).

>>> bucket = Buckets(Rate(burst=2, every=10.0))
>>> [bucket.take("ada", now) for now in (0.0, 1.0, 2.0, 12.0)]
[0.0, 0.0, 8.0, 0.0]
"""

import hashlib
from math import ceil
from typing import Literal

import sqlalchemy
from sqlalchemy import BigInteger, Connection
from sqlalchemy.dialects.postgresql import insert

from sabot.errors import Refusal
from sabot.server.addresses import is_loopback, rate_key
from sabot.server.config import Rate
from sabot.server.house import House
from sabot.store import schema

#: The limits for each account that attempts from unknown sources share. That of codes is small, because codes are short.
Shared = Literal["login-account", "factor-account"]
#: What is counted for the whole house.
Counted = Shared | Literal["login-address", "register-address", "demo-address"]


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


class DemoPlayers:
    """The demo players who came in at this node, by address.

    >>> demos = DemoPlayers(of_address=2, most=3)
    >>> [demos.add(player, address) for player, address in enumerate(("10.0.0.1", "10.0.0.2", "10.0.0.2"))]
    [([], 0), ([], 0), ([], 0)]
    >>> demos.add(3, "10.0.0.2")  # one of the same address makes room
    ([1, 2], 1)
    >>> demos.remove(2)
    >>> demos.add(4, "10.0.0.3")  # one of all
    ([0, 1, 3], 1)
    """

    def __init__(self, of_address: int, most: int) -> None:
        self._of_address = of_address
        self._most = most
        self._addresses: dict[int, str] = {}

    def add(self, player: int, address: str) -> tuple[list[int], int]:
        """Add a player; return among whom some have to make room, those of the address or else all, and how many."""
        if is_loopback(address):
            return [], 0
        key = rate_key(address)
        same = [other for other, theirs in self._addresses.items() if theirs == key]
        everyone = [*self._addresses]
        self._addresses[player] = key
        for others, most in ((same, self._of_address), (everyone, self._most)):
            if len(others) >= most:
                return others, len(others) + 1 - most
        return [], 0

    def remove(self, player: int) -> None:
        """Forget a player who is logged out."""
        self._addresses.pop(player, None)


class RateLimiter:
    """Refuses requests that come too fast.

    Logins, registrations and demo players are counted for the whole house: in memory if one process serves it, else in
    the database (CLU-10). Requests and commands are counted where they arrive.
    """

    def __init__(self, house: House) -> None:
        server = house.config.server
        self._house = house
        self._addresses = Buckets(server.rate_address)
        self._accounts = Buckets(server.rate_account)
        self._rates: dict[Counted, Rate] = {
            "login-address": server.rate_login_address,
            "login-account": server.rate_login_account,
            "factor-account": server.rate_factor_account,
            "register-address": server.rate_register_address,
            "demo-address": server.rate_demo_address,
        }
        self._buckets = {name: Buckets(rate) for name, rate in self._rates.items()}

    def request(self, address: str) -> None:
        """Count a request of an address."""
        self._take(self._addresses, rate_key(address))

    def command(self, player: int, tokens: int = 1) -> None:
        """Count a request of an account, over HTTP or a socket; one with a long response takes several tokens."""
        self._take(self._accounts, str(player), tokens)

    def reading(self, device: str) -> None:
        """Count a request of a card-reading shoe, as one of an account."""
        self._take(self._accounts, device)

    async def attempt(self, source: str) -> None:
        """Count an attempt at a password or a code by the key of its source."""
        await self._count("login-address", source)

    async def shared_attempt(self, shared: Shared, name: str) -> None:
        """Count an attempt at an account from an unknown source."""
        await self._count(shared, name.lower())

    async def registration(self, address: str) -> None:
        """Count a registration."""
        await self._count("register-address", rate_key(address))

    async def demo(self, address: str) -> None:
        """Count a new demo player."""
        await self._count("demo-address", rate_key(address))

    async def sweep(self) -> None:
        """Forget full buckets in the database."""
        if self._house.shared:
            at = self._house.clock.wall_ms()
            await self._house.write(lambda connection: forget_full(connection, at))

    async def _count(self, name: Counted, key: str) -> None:
        """Take a token from a bucket; refuse if it is empty."""
        if not self._house.shared:
            self._take(self._buckets[name], key)
            return
        at, rate = self._house.clock.wall_ms(), self._rates[name]
        _refuse(
            await self._house.write(lambda connection: take_stored(connection, f"{name} {key}", rate, at))
        )

    def _take(self, buckets: Buckets, key: str, tokens: int = 1) -> None:
        _refuse(buckets.take(key, self._house.clock.monotonic(), tokens))


def _refuse(wait: float) -> None:
    if wait:
        raise Refusal("rate/limited", seconds=ceil(wait))


# In the database


def take_stored(connection: Connection, name: str, rate: Rate, at: int) -> float:
    """Take a token from a bucket; returns the seconds to wait if it is empty, else 0.

    One statement looks and takes, so that all nodes together take no more than there is.
    """
    table, (burst, every) = schema.rates, rate
    key, cost = hashlib.sha256(name.encode("utf-8", "replace")).digest(), max(1, round(1000 * every))
    now, full = (sqlalchemy.literal(ms, BigInteger) for ms in (at, at + burst * cost))
    after = sqlalchemy.func.greatest(table.c.full_at, now, type_=BigInteger) + cost
    take = insert(table).values(key=key, full_at=at + cost)
    take = take.on_conflict_do_update(
        index_elements=[table.c.key], set_={"full_at": after}, where=after <= full
    )
    if connection.execute(take.returning(table.c.key)).first() is not None:
        return 0.0
    full_at = connection.execute(sqlalchemy.select(table.c.full_at).where(table.c.key == key)).scalar()
    return max(1, (full_at or at) + cost - (at + burst * cost)) / 1000


def forget_full(connection: Connection, at: int) -> None:
    """Delete full buckets: one that is not there is full."""
    connection.execute(sqlalchemy.delete(schema.rates).where(schema.rates.c.full_at < at))
