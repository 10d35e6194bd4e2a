"""Sources of cards. The engine only asks for the next card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sabot.cards import DECK_SIZE, Card, CardError, ShoeEmptyError


class Shoe(Protocol):
    """A source of cards, already shuffled."""

    #: Cards dealt so far.
    dealt: int

    def draw(self) -> Card:
        """The next card; `ShoeEmptyError` when there is none."""
        ...


class StackedShoe:
    """A shoe in a given order, for replays, tests and analysis.

    >>> shoe = StackedShoe([0, 22])
    >>> shoe.draw(), shoe.draw(), shoe.dealt
    (0, 22, 2)
    """

    __slots__ = ("_cards", "dealt")

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = list(cards)
        for card in self._cards:
            if not 0 <= card < DECK_SIZE:
                raise CardError(f"{card} is no card: cards are the numbers 0 to 51")
        self.dealt = 0

    @property
    def left(self) -> int:
        """Cards still to come."""
        return len(self._cards) - self.dealt

    def draw(self) -> Card:
        """The next card of the given order."""
        dealt = self.dealt
        if dealt == len(self._cards):
            raise ShoeEmptyError(f"all {dealt} cards of the shoe are dealt")
        self.dealt = dealt + 1
        return Card(self._cards[dealt])
