"""What seats and boxes do in their own ways: who may bet where, and how a decision is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sabot.engine import AnyCommand, Bet, Round
from sabot.engine.commands import Player
from sabot.tables.live.events import CrowdCounted
from sabot.tables.live.presence import Preferences


class Spots(Protocol):
    """The spots of a live table: seats that players hold, or boxes for everyone."""

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse bets that the table does not take from this player."""
        ...

    def begin_turn(self) -> float | None:
        """A decision is due: how long it is waited for; None if nobody is there to make it."""
        ...

    def waits(self) -> bool:
        """Whether the decision that is due still has someone to make it."""
        ...

    def automatic(self) -> AnyCommand:
        """The decision that is made when the time is over, or nobody is there to make it."""
        ...

    def count(self) -> CrowdCounted:
        """How many players there are."""
        ...

    # What boxes leave as it is

    def prepare(self) -> None:
        """Have the numbers at hand that a request needs."""
        return

    def held(self, player: Player) -> list[int]:
        """The seats a player holds."""
        return []

    def set_preferences(self, player: Player, preferences: Preferences, *, changed: bool) -> None:
        """Take a player's settings for tables with seats; `changed` just now."""
        return

    def entered(self, player: Player, name_before: str) -> None:
        """A player has opened a connection."""
        return

    def exited(self, player: Player) -> None:
        """A player has lost the last connection."""
        return

    def left(self, player: Player) -> None:
        """A player leaves the table."""
        return

    def tidy_up(self) -> Iterable[Player]:
        """Free seats between rounds; gives players who are to be sent away."""
        return ()

    def closed_behind(self) -> tuple[int, ...]:
        """Seats that take no bets behind."""
        return ()

    def opened(self, before: Round | None) -> None:
        """A round has been opened after another."""
        return

    def all_ready(self) -> bool:
        """Whether nobody needs the rest of the betting time."""
        return False

    def closing(self) -> None:
        """The bets are final."""
        return

    def dealt(self, round: Round) -> None:
        """The first cards lie, or nobody has bet."""
        return

    def ended(self, round: Round) -> None:
        """A round is over."""
        return
