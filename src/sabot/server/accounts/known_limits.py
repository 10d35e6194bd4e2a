"""What is known of players who may bet, so that most bets ask no database: limits, terms accepted, logins that hold.

It is read when a socket opens and forgotten whenever something of it changes; the next bet reads it again.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from sqlalchemy import Connection

from sabot.server.accounts import logins
from sabot.server.accounts.limits import Setting, Standing, settings_of, standing
from sabot.server.accounts.logins import Login
from sabot.server.accounts.loss_limits import Read
from sabot.server.accounts.registration import has_accepted

#: Players that are known; of more, those who have not played for the longest time are forgotten.
MOST_KNOWN = 65_536


class KnownPlayer(NamedTuple):
    """What a player with a login that holds has set, and whether the terms in force are accepted."""

    settings: tuple[Setting, ...]
    accepted: bool

    def standing(self, at: int) -> Standing:
        """What is in force at a moment."""
        return standing(self.settings, at)


class KnownLimits:
    """What is known, by player and login."""

    def __init__(self, read: Read, version: str) -> None:
        """`version` is that of the terms in force."""
        self._read = read
        self._version = version
        self._players: OrderedDict[int, dict[bytes, KnownPlayer]] = OrderedDict()

    async def find(self, login: Login, at: int) -> KnownPlayer | None:
        """What is known of a player, read if it is not; None if the login does not hold."""
        known = self._players.get(login.player, {}).get(login.token)
        if known is None or login.expires_at <= at:
            return await self.read(login, at)
        self._players.move_to_end(login.player)
        return known

    async def read(self, login: Login, at: int) -> KnownPlayer | None:
        """Read it now."""

        def ask(connection: Connection) -> KnownPlayer | None:
            if not logins.holds(connection, login, at):
                return None
            accepted = has_accepted(connection, login.player, self._version)
            return KnownPlayer(settings_of(connection, login.player), accepted)

        own = self._players.setdefault(login.player, {})
        self._players.move_to_end(login.player)
        if len(self._players) > MOST_KNOWN:
            self._players.popitem(last=False)
        known = await self._read(ask)
        if known is not None:
            own[login.token] = known  # if the player was forgotten meanwhile, nobody looks there any more
        return known

    def forget(self, player: int) -> None:
        """Something of a player's has changed, also for what is being read just now."""
        self._players.pop(player, None)
