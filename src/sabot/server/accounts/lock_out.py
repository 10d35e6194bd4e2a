"""Lock-out: three failed attempts in half an hour lock an account for where they came from, for half an hour (OFF-06).

Attempts are counted for the name that was given, whether it is an operator's, a player's or nobody's, and for their source:
a login that is open, a browser in which the account was opened before, or else an address. So nobody keeps the owner of an
account out from elsewhere, and no answer tells which names there are. An attempt counts as failed until it has succeeded, so
that many at once are no more than three. It holds for the whole house: the attempts are in the database.
"""

import hashlib
import secrets
from functools import partial
from math import ceil
from typing import NamedTuple

import msgspec
import sqlalchemy
from sqlalchemy import ColumnElement, Connection, ScalarSelect
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.server.accounts.logins import TOKEN_BYTES, Device, Login, sha256_of
from sabot.server.accounts.rate_limit import RateLimiter, Shared
from sabot.server.addresses import rate_key
from sabot.server.house import House
from sabot.store import schema
from sabot.store.cashier import find_player
from sabot.store.kinds import Severity

MOST_FAILURES = 3
WINDOW_MS = 30 * 60_000
_MINUTE_MS = 60_000

#: How long a browser is known in which an account was not opened again, and how many addresses of an account are looked at.
_KNOWN_MS = 365 * 24 * 3_600_000
_MOST_ADDRESSES = 20

_TIMES = msgspec.json.Decoder(list[int])


class Source(NamedTuple):
    """Where attempts at an account come from."""

    #: What they are counted by.
    key: str
    #: Whether the account was opened from this source before. Known sources are left out of the limit that unknown ones
    #: share.
    known: bool
    #: The address, for events.
    address: str


class Attempt(NamedTuple):
    """An attempt at a password or a code; the last one before the lock."""

    key: bytes
    at: int
    last: bool


class LockOuts:
    """Counts attempts at passwords and codes."""

    def __init__(self, house: House, rates: RateLimiter) -> None:
        self._house = house
        self._rates = rates

    async def begin(
        self, name: str, player: int | None, source: Source, shared: Shared = "login-account"
    ) -> Attempt:
        """Count an attempt at the account of a name; `login/locked` if it is locked for this source.

        Unknown sources also take from the limit that they share. One that is locked out takes nothing from it, so that
        it cannot keep an owner out who comes from somewhere new.
        """
        at, key = self._house.clock.wall_ms(), _key(name, source)
        last = await self._house.write(partial(begin_attempt, key=key, player=player, at=at))
        attempt = Attempt(key, at, last)
        if not source.known:
            try:
                await self._rates.shared_attempt(shared, name)
            except Refusal:
                await self.passed(attempt, whole=False)
                raise
        return attempt

    def failed(self, attempt: Attempt, player: int | None, source: Source, *, operator: bool) -> None:
        """Note that an attempt has failed. The lock of an operator is an alarm where the source is known.

        Elsewhere strangers could ring it as often as they like.
        """
        events = self._house.events
        events.login_failed(source.address, player)
        if attempt.last and operator:
            severity: Severity = "alarm" if source.known else "warning"
            events.note("login-locked", severity, player=player, address=source.address)

    async def passed(self, attempt: Attempt, *, whole: bool) -> None:
        """Count an attempt no more; with the `whole` of what is asked for, earlier failures of its source are forgotten too."""
        if whole:
            await self._house.write(partial(clear_attempts, key=attempt.key))
        else:
            await self._house.write(partial(take_back, key=attempt.key, at=attempt.at))


def begin_attempt(connection: Connection, key: bytes, player: int | None, at: int) -> bool:
    """Count an attempt; returns whether it is the last before the lock.

    `login/locked` if there is a lock already.
    """
    table = schema.lock_outs
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    insert = insert.values(key=key, player=player, at=at, failures=b"[]", locked_until=None)
    # The row is taken whether it was there or not: one that was there may be deleted by who succeeds just now.
    insert = insert.on_conflict_do_update(index_elements=["key"], set_={"at": at})
    row = connection.execute(insert.returning(table.c.failures, table.c.locked_until)).one()
    failures, locked_until = _TIMES.decode(row.failures), row.locked_until
    if locked_until is not None and locked_until > at:
        minutes = ceil((locked_until - at) / _MINUTE_MS)
        raise Refusal("login/locked", minutes=minutes, until=locked_until)
    recent = [*(time for time in failures if time > at - WINDOW_MS), at]
    last = len(recent) >= MOST_FAILURES
    _set(connection, key, recent, at + WINDOW_MS if last else None)
    return last


def take_back(connection: Connection, key: bytes, at: int) -> None:
    """An attempt that began at a time has not failed; those before it are still counted."""
    table = schema.lock_outs
    query = sqlalchemy.select(table.c.failures).where(table.c.key == key).with_for_update()
    failures = _TIMES.decode(connection.execute(query).scalar() or b"[]")
    if at in failures:
        failures.remove(at)
    until = failures[-1] + WINDOW_MS if len(failures) >= MOST_FAILURES else None
    _set(connection, key, failures, until)


def clear_attempts(connection: Connection, key: bytes) -> None:
    """Forget the attempts of a source that has proved everything."""
    connection.execute(sqlalchemy.delete(schema.lock_outs).where(schema.lock_outs.c.key == key))


def unlock(connection: Connection, player: int) -> None:
    """Forget the attempts at an account, wherever they came from."""
    connection.execute(sqlalchemy.delete(schema.lock_outs).where(schema.lock_outs.c.player == player))


def locked_until(player: ColumnElement[int] | int, at: int) -> ScalarSelect[int | None]:
    """Return the query for until when an account is locked after failed attempts, wherever they came from."""
    locks = schema.lock_outs.c
    query = sqlalchemy.select(sqlalchemy.func.max(locks.locked_until))
    return query.where(locks.player == player, locks.locked_until > at).scalar_subquery()


def forget_attempts(connection: Connection, at: int) -> None:
    """Delete attempts that do not count any more."""
    connection.execute(sqlalchemy.delete(schema.lock_outs).where(schema.lock_outs.c.at < at - 2 * WINDOW_MS))


def _key(name: str, source: Source) -> bytes:
    return hashlib.sha256(f"{name.lower()} {source.key}".encode("utf-8", "replace")).digest()


def _set(connection: Connection, key: bytes, failures: list[int], until: int | None) -> None:
    table = schema.lock_outs
    change = sqlalchemy.update(table).where(table.c.key == key)
    connection.execute(change.values(failures=msgspec.json.encode(failures), locked_until=until))


# Where attempts come from


def source_of(connection: Connection, name: str, device: Device) -> Source:
    """Where an attempt at an account comes from: a browser in which it was opened before, or an address.

    An address is known from which the account was opened lately; an operator's by a login that was proved too. After a new
    password the logins before it, all of which it ended, make no address known.
    """
    player = find_player(connection, name) or -1  # the same is asked for a name that there is not
    devices, logins, profiles = schema.known_devices.c, schema.logins.c, schema.profiles.c
    credentials = schema.credentials.c
    browser = sha256_of(device.token)
    opened = sqlalchemy.select(devices.player).where(devices.token == browser, devices.player == player)
    if connection.execute(opened).first() is not None:
        return Source(f"device {browser.hex()}", True, device.origin)
    proved = sqlalchemy.or_(profiles.role == "player", logins.proved_at.is_not(None))
    trusted = sqlalchemy.or_(logins.revoked_at.is_(None), logins.created_at >= credentials.changed_at)
    origins = (
        sqlalchemy.select(logins.origin)
        .join_from(schema.logins, schema.profiles, logins.player == profiles.player)
        .join(schema.credentials, logins.player == credentials.player)
        .where(logins.player == player, proved, trusted)
        .order_by(logins.seen_at.desc())
        .limit(_MOST_ADDRESSES)
    )
    address = rate_key(device.origin)
    known = address in {rate_key(origin) for origin in connection.execute(origins).scalars()}
    return Source(f"address {address}", known, device.origin)


def session_source(login: Login, address: str) -> Source:
    """An open login as the source of attempts: nobody else makes any there."""
    return Source(f"login {login.token.hex()}", True, address)


def remember_device(connection: Connection, player: int, device: Device, at: int) -> str:
    """Remember the browser in which an account was opened; returns its new token, so that none can be planted there."""
    table, new = schema.known_devices, secrets.token_urlsafe(TOKEN_BYTES)
    renew = sqlalchemy.update(table).where(table.c.token == sha256_of(device.token))
    connection.execute(renew.values(token=sha256_of(new)))
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    insert = insert.values(token=sha256_of(new), player=player, seen_at=at)
    connection.execute(insert.on_conflict_do_update(index_elements=["token", "player"], set_={"seen_at": at}))
    return new


def forget_devices_of(connection: Connection, player: int) -> None:
    """Delete every browser in which an account was opened."""
    devices = schema.known_devices
    connection.execute(sqlalchemy.delete(devices).where(devices.c.player == player))


def forget_devices(connection: Connection, at: int) -> None:
    """Delete browsers that were not seen for a year."""
    devices = schema.known_devices
    connection.execute(sqlalchemy.delete(devices).where(devices.c.seen_at < at - _KNOWN_MS))
