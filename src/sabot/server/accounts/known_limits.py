"""Cache of players' limits, accepted terms, roles and valid logins, so that most bets read no database.

It is filled when a socket opens, and emptied for a player when something changes; the next bet reads it again.
"""

from collections import OrderedDict
from typing import NamedTuple

import sqlalchemy
from sqlalchemy import Connection, bindparam

from sabot.server.accounts.limits import SETTING_COLUMNS, Setting
from sabot.server.accounts.logins import Login, in_force
from sabot.server.accounts.reserves import Use
from sabot.store import schema
from sabot.store.kinds import Role

#: Players in the cache; beyond, those who played longest ago are dropped.
MOST_KNOWN = 65_536


_ACCEPTED = schema.terms_accepted.c
#: Of a valid login: whether its player has accepted a version of the terms and is locked, with each of the limits.
_KNOWN = (
    sqlalchemy.select(
        _ACCEPTED.at.is_not(None), schema.profiles.c.locked, schema.profiles.c.role, *SETTING_COLUMNS
    )
    .join_from(
        schema.logins, schema.profiles, schema.logins.c.player == schema.profiles.c.player, isouter=True
    )
    .join(
        schema.terms_accepted,
        (schema.logins.c.player == _ACCEPTED.player) & (_ACCEPTED.version == bindparam("version")),
        isouter=True,
    )
    .join(schema.protections, schema.logins.c.player == schema.protections.c.player, isouter=True)
    .where(schema.logins.c.token == bindparam("token"), in_force(bindparam("at")))
)


class KnownPlayer(NamedTuple):
    """What is known of a player with a valid login: own limits, whether the terms in force are accepted, lock, role."""

    settings: tuple[Setting, ...]
    accepted: bool
    locked: bool
    role: Role = "player"


class KnownLimits:
    """The cache, by player and login."""

    def __init__(self, read: Use, version: str) -> None:
        """`version` is that of the terms in force."""
        self._read = read
        self._version = version
        self._players: OrderedDict[int, dict[bytes, KnownPlayer]] = OrderedDict()

    async def find(self, login: Login, at: int, *, anew: bool = False) -> KnownPlayer | None:
        """A player's entry, read if it is missing, or `anew`; None if the login is not valid."""
        known = self._players.get(login.player, {}).get(login.token)
        if anew or known is None or login.expires_at <= at:
            return await self.read(login, at)
        self._players.move_to_end(login.player)
        return known

    async def read(self, login: Login, at: int) -> KnownPlayer | None:
        """Read a player's entry from the database."""

        values = {"token": login.token, "at": at, "version": self._version}

        def look(connection: Connection) -> KnownPlayer | None:
            rows = connection.execute(_KNOWN, values).all()
            if not rows:
                return None
            settings = tuple(Setting(*row[3:]) for row in rows if row.kind is not None)
            return KnownPlayer(settings, accepted=bool(rows[0][0]), locked=bool(rows[0][1]), role=rows[0][2])

        own = self._players.setdefault(login.player, {})
        self._players.move_to_end(login.player)
        if len(self._players) > MOST_KNOWN:
            self._players.popitem(last=False)
        known = await self._read(look)
        if known is not None:
            own[login.token] = known  # if the player was dropped meanwhile, nobody sees it
        return known

    def clear(self) -> None:
        """Drop everyone."""
        self._players.clear()

    def forget(self, player: int) -> None:
        """Drop a player whose data changed, and what is being read just now."""
        self._players.pop(player, None)
