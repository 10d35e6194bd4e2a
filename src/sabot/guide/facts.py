"""Facts that a guide states: rules, table options, timers and house settings."""

from __future__ import annotations

from operator import attrgetter

from msgspec import Struct

from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.games.rules import Rules
from sabot.tables.live.timers import Timers


class HouseFacts(Struct, frozen=True):
    """The house's settings that a guide states."""

    demo_money: int
    sitting_cap: int
    abandoned_hours: int
    idle_minutes: int
    cooling_hours: int
    least_age: int


class Facts(Struct, frozen=True):
    """A game as it is played at one table; its attributes are the conditions in `sentences.toml`."""

    game: Game
    options: TableOptions
    timers: Timers
    house: HouseFacts

    def holds(self, condition: str) -> bool:
        """Whether a condition of `sentences.toml` holds: `solo`, `!rules.charlie`, `bet:buster`."""
        if condition.startswith("!"):
            return not self.holds(condition[1:])
        if condition.startswith("bet:"):
            return self.offers(condition.removeprefix("bet:"))
        return bool(attrgetter(condition)(self))

    def offers(self, bet: str) -> bool:
        """Whether a side bet is offered at this table."""
        return self.rules.side_bet(bet) is not None and bet not in self.options.side_bets_off

    @property
    def rules(self) -> Rules:
        """The rules that the engine runs."""
        return self.game.rules

    # Conditions

    @property
    def solo(self) -> bool:
        return self.rules.backing == "solo"

    @property
    def live(self) -> bool:
        return self.rules.backing != "solo"

    @property
    def seats(self) -> bool:
        return self.rules.backing == "seats"

    @property
    def boxes(self) -> bool:
        return self.rules.backing == "boxes"

    @property
    def checks_ace(self) -> bool:
        """Whether the dealer checks for blackjack under an ace."""
        return "ace" in self.rules.checks

    @property
    def checks_ten(self) -> bool:
        """Whether the dealer checks under a ten; if not, a blackjack may be found after the decisions."""
        return "ten" in self.rules.checks

    @property
    def free_bets(self) -> bool:
        return bool(self.rules.free_double or self.rules.free_split)

    @property
    def side_bets(self) -> bool:
        return any(self.offers(bet.name) for bet in self.rules.side_bets)

    @property
    def golden_capped(self) -> bool:
        return self.options.golden.cap is not None

    # Numbers

    @property
    def cards_before_charlie(self) -> int:
        """One card less than a Charlie."""
        return self.rules.charlie - 1

    @property
    def minutes_away(self) -> float:
        """Minutes after which the money of an absent player goes back to the account (PLT-04)."""
        return self.house.idle_minutes if self.solo else self.timers.absence / 60
