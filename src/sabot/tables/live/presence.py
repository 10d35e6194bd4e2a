"""Players at a live table: connections, names, and since when a player is away."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from sabot.engine.commands import Player
from sabot.tables.live.timers import Clock


class Preferences(NamedTuple):
    """A player's settings for tables with seats (FRB-43)."""

    #: Whether others may bet behind the own seats.
    allow_behind: bool = True
    #: Whether a paid double and a paid split of the seat are followed (FRB-42).
    follow: tuple[bool, bool] = (False, False)


@dataclass(slots=True, eq=False)
class Presence:
    """A player who watches the table or sits at it."""

    name: str = ""
    #: A program.
    bot: bool = False
    #: Looks on for the house: presenter, supervisor, auditor or administrator.
    staff: bool = False
    #: Open connections, and when the last of them was lost.
    sockets: int = 0
    absent_since: float = -inf
    #: Whether the player is in the public count; absent players are removed from it between rounds.
    counted: bool = False
    #: Whether doubles and splits that others decide are followed (FRB-42, MAJ-12); None before the answer.
    consent: tuple[bool, bool] | None = None
    preferences: Preferences = field(default_factory=Preferences)
    #: Leaves when the round is over.
    leaving: bool = False


class Attendance:
    """Everyone at the table."""

    def __init__(self, clock: Clock, grace: float, seated: Collection[Player]) -> None:
        """`seated` is the table's own collection of the players with money there; it is read each time."""
        self._seated = seated
        self.players: dict[Player, Presence] = {}
        #: Whether counts or tallies have changed since they were last shown.
        self.changed = False
        self._clock = clock
        #: Seconds for which a player counts as present after a lost connection.
        self.grace = grace

    def of(self, player: Player) -> Presence:
        """A player's presence, new if there was none."""
        presence = self.players.get(player)
        if presence is None:
            presence = self.players[player] = Presence()
        return presence

    def enter(self, player: Player, name: str, bot: bool, staff: bool) -> None:
        """Count a new connection."""
        presence = self.of(player)
        presence.name, presence.bot, presence.staff = name, bot, staff
        presence.sockets += 1
        presence.counted = self.changed = True

    def exit(self, player: Player) -> bool:
        """Count a lost connection; gives whether it was the player's last."""
        presence = self.of(player)
        presence.sockets -= 1
        self.changed = True
        if presence.sockets:
            return False
        presence.absent_since = self._clock.monotonic()
        return True

    def present(self, player: Player) -> bool:
        """Whether a player has a connection, or lost it less than the grace time ago (PLT-31)."""
        presence = self.players.get(player)
        return presence is not None and self._is_here(presence, self._clock.monotonic())

    def bots_present(self) -> list[bool]:
        """For each player who is present, whether it is a program."""
        now = self._clock.monotonic()
        return [
            one.bot
            for player, one in self.players.items()
            if (one.sockets > 0 or self._is_here(one, now)) and self._plays(player, one)
        ]

    def _plays(self, player: Player, presence: Presence) -> bool:
        """Whether someone who is here counts as a player; staff do only with money at the table (PLT-72)."""
        return not presence.staff or player in self._seated

    def _is_here(self, presence: Presence, now: float) -> bool:
        in_grace = now < presence.absent_since + self.grace
        return presence.sockets > 0 or (in_grace and not presence.leaving)

    def gone(self, player: Player) -> bool:
        """Whether a player has left; a lost connection alone is no leaving (FRB-26)."""
        presence = self.players.get(player)
        return presence is None or (presence.leaving and not presence.sockets)

    def headcount(self) -> tuple[int, int]:
        """How many people and how many programs are here."""
        here = [
            presence.bot
            for player, presence in self.players.items()
            if presence.counted and self._plays(player, presence)
        ]
        return here.count(False), here.count(True)

    def next_absence(self, patience: Callable[[Player], float]) -> float | None:
        """When the next player without a connection has been away for longer than `patience` seconds."""
        away = ((player, presence) for player, presence in self.players.items() if not presence.sockets)
        return min((presence.absent_since + patience(player) for player, presence in away), default=None)
