"""Recorded cards, draws and prices, played back in order."""

from __future__ import annotations

from collections.abc import Sequence

from sabot.cards import Card
from sabot.engine import Price, StackedShoe
from sabot.games.rules import Rules


class TapeError(Exception):
    """A replay wanted what was not recorded; `place` names where."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place


class PlayedShoe(StackedShoe):
    """A tape of cards: when it ends, something is missing from it."""

    __slots__ = ()

    def draw(self) -> Card:
        """The next card."""
        if self.left == 0:
            raise TapeError(f"shoe.cards[{self.dealt}]", "one card more is needed than was recorded")
        return super().draw()


class PlayedDraws:
    """A tape of bonus draws, played back."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = list(draws)
        self.used = 0

    def __call__(self, n: int) -> int:
        place = f"draws[{self.used}]"
        if self.used == len(self._draws):
            raise TapeError(place, "one draw more is needed than was recorded")
        drawn = self._draws[self.used]
        if not 0 <= drawn < n:
            raise TapeError(place, f"{drawn} is not from 0 to {n - 1}")
        self.used += 1
        return drawn


class PlayedPrices:
    """A tape of prices, played back; with a price function, each is worked out again and compared."""

    def __init__(self, prices: Sequence[int], again: Price | None = None, tolerance: int = 0) -> None:
        self._prices = list(prices)
        self._again = again
        self._tolerance = tolerance
        self.used = 0

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        place = f"prices[{self.used}]"
        if self.used == len(self._prices):
            raise TapeError(place, "one price more is needed than was recorded")
        recorded = self._prices[self.used]
        if self._again is not None:
            worth = self._again(rules, cards, split=split, up=up, seen=seen)
            if abs(worth - recorded) > self._tolerance:
                raise TapeError(place, f"recorded {recorded}, worked out again it is {worth}")
        self.used += 1
        return recorded
