"""Lock-out: an operator's account is locked for half an hour after three failed attempts in half an hour (OFF-06).

An attempt counts as failed until it has succeeded, so that many at once are no more than three. It holds for the whole
house: the attempts are in the database.
"""

from functools import partial
from math import ceil
from typing import NamedTuple

import msgspec
import sqlalchemy
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.server.house import House
from sabot.store import schema

MOST_FAILURES = 3
WINDOW_MS = 30 * 60_000
_MINUTE_MS = 60_000

_TIMES = msgspec.json.Decoder(list[int])


class Attempt(NamedTuple):
    """An attempt at an operator's password or code; the last one before the lock."""

    player: int
    at: int
    last: bool


class LockOuts:
    """Counts the attempts of operators; those of other players are only noted when they fail."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def begin(self, player: int) -> Attempt:
        """Count an attempt; `login/locked` if the account is locked."""
        at = self._house.clock.wall_ms()
        last = await self._house.write(partial(begin_attempt, player=player, at=at))
        return Attempt(player, at, last)

    def failed(self, attempt: Attempt | None, player: int | None, address: str) -> None:
        """An attempt has failed."""
        events = self._house.events
        events.login_failed(address, player)
        if attempt is not None and attempt.last:
            events.note("login-locked", "alarm", player=player, address=address)

    async def passed(self, attempt: Attempt, *, whole: bool) -> None:
        """An attempt has succeeded; with the `whole` of what is asked for, earlier failures are forgotten too."""
        if whole:
            await self._house.write(partial(clear_attempts, player=attempt.player))
        else:
            await self._house.write(partial(take_back, player=attempt.player, at=attempt.at))


def begin_attempt(connection: Connection, player: int, at: int) -> bool:
    """Count an attempt at an operator's password or code; says whether it is the last before the lock.

    `login/locked` if the account is locked already.
    """
    failures, locked_until = _locked_row(connection, player)
    if locked_until is not None and locked_until > at:
        minutes = ceil((locked_until - at) / _MINUTE_MS)
        raise Refusal("login/locked", minutes=minutes, until=locked_until)
    recent = [*(time for time in failures if time > at - WINDOW_MS), at]
    last = len(recent) >= MOST_FAILURES
    _set(connection, player, recent, at + WINDOW_MS if last else None)
    return last


def take_back(connection: Connection, player: int, at: int) -> None:
    """An attempt that began at a time has not failed; those before it are still counted."""
    failures, _ = _locked_row(connection, player)
    if at in failures:
        failures.remove(at)
    until = failures[-1] + WINDOW_MS if len(failures) >= MOST_FAILURES else None
    _set(connection, player, failures, until)


def clear_attempts(connection: Connection, player: int) -> None:
    """An operator has proved everything, or an administrator unlocks the account: nothing is counted any more."""
    connection.execute(sqlalchemy.delete(schema.lock_outs).where(schema.lock_outs.c.player == player))


def locked_until(connection: Connection, player: int, at: int) -> int | None:
    """Until when an account is locked; None if it is not."""
    locks = schema.lock_outs.c
    query = sqlalchemy.select(locks.locked_until).where(locks.player == player, locks.locked_until > at)
    return connection.execute(query).scalar()


def _locked_row(connection: Connection, player: int) -> tuple[list[int], int | None]:
    """The attempts of a player and the end of the lock; nobody else changes them until the transaction ends."""
    table = schema.lock_outs
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    new = {"player": player, "failures": b"[]", "locked_until": None}
    connection.execute(insert.on_conflict_do_nothing(), new)
    query = sqlalchemy.select(table.c.failures, table.c.locked_until).where(table.c.player == player)
    row = connection.execute(query.with_for_update()).one()
    return _TIMES.decode(row.failures), row.locked_until


def _set(connection: Connection, player: int, failures: list[int], until: int | None) -> None:
    table = schema.lock_outs
    change = sqlalchemy.update(table).where(table.c.player == player)
    connection.execute(change.values(failures=msgspec.json.encode(failures), locked_until=until))
