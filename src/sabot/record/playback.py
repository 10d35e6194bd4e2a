"""Recorded draws and prices, played back in order."""

from __future__ import annotations

from collections.abc import Sequence

from sabot.cards import Card
from sabot.games.rules import Rules


class TapeEndError(Exception):
    """A replay wanted more than was recorded."""


class PlayedDraws:
    """A tape of bonus draws, played back."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = list(draws)
        self.used = 0

    def __call__(self, n: int) -> int:
        if self.used == len(self._draws):
            raise TapeEndError(f"draws[{self.used}]")
        drawn = self._draws[self.used]
        if not 0 <= drawn < n:
            raise TapeEndError(f"draws[{self.used}] = {drawn} is not from 0 to {n - 1}")
        self.used += 1
        return drawn


class PlayedPrices:
    """A tape of prices, played back."""

    def __init__(self, prices: Sequence[int]) -> None:
        self._prices = list(prices)
        self.used = 0

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        if self.used == len(self._prices):
            raise TapeEndError(f"prices[{self.used}]")
        self.used += 1
        return self._prices[self.used - 1]
