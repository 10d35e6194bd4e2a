"""Accounts that come from one address and are used for a day or less: noted as events, for a person to look at (OFF-21).

Addresses are deleted with their logins after some days, so what follows from them is noted when it is seen.
"""

from __future__ import annotations

from collections import defaultdict

import sqlalchemy
from sqlalchemy import Connection

from sabot.server.house import House
from sabot.store import schema

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
#: Accounts that are looked at: old enough to have been used for more than a day, and with every login still there.
_LOOKED_BACK_MS = 7 * _DAY_MS


class ShortLivedAccounts:
    """Looks at new accounts once an hour."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._looked_at = 0

    async def sweep(self) -> None:
        """Note each account of such a group once."""
        at = self._house.clock.wall_ms()
        if at - self._looked_at < _HOUR_MS:
            return
        least, events = self._house.config.office.signal_accounts, self._house.events

        def note(connection: Connection) -> None:
            found = find_short_lived(connection, at, least)
            if found:
                rows = [
                    events.row("short-lived", "warning", player=player, times=accounts)
                    for player, accounts in found.items()
                ]
                events.store(connection, rows)

        await self._house.write(note)
        self._looked_at = at


def find_short_lived(connection: Connection, at: int, least: int) -> dict[int, int]:
    """Accounts that are not noted yet, each with how many there are from its address."""
    players, logins, profiles = schema.players.c, schema.logins.c, schema.profiles.c
    query = (
        sqlalchemy.select(
            players.id, logins.origin, sqlalchemy.func.max(logins.seen_at) - players.registered_at
        )
        .join_from(schema.players, schema.logins, logins.player == players.id)
        .join(schema.profiles, profiles.player == players.id)
        .where(
            players.registered_at >= at - _LOOKED_BACK_MS,
            players.registered_at < at - _DAY_MS,
            sqlalchemy.not_(profiles.demo),
        )
        .group_by(players.id, players.registered_at, logins.origin)
    )
    used: dict[int, int] = defaultdict(int)
    at_address: dict[str, set[int]] = defaultdict(set)
    for player, origin, lasted in connection.execute(query):
        used[player] = max(used[player], lasted)
        at_address[origin].add(player)
    found: dict[int, int] = {}
    for everyone in at_address.values():
        among = {player for player in everyone if used[player] <= _DAY_MS}
        if len(among) >= least:
            found |= {player: max(len(among), found.get(player, 0)) for player in among}
    events = schema.events.c
    noted = sqlalchemy.select(events.player).where(
        events.kind == "short-lived", events.at >= at - 2 * _LOOKED_BACK_MS
    )
    for player in connection.execute(noted).scalars():
        found.pop(player, None)
    return found
