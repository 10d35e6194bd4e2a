"""Tapes: what a round took from outside — cards, bonus draws, prices — kept in order of use.

A `Recorder` plays a round over tapes and writes its record; a replay plays the tapes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sabot.cards import Card
from sabot.engine import Price, Round, Shoe
from sabot.engine.bonus import Draw
from sabot.engine.commands import Player
from sabot.games.options import TableOptions
from sabot.games.rules import Rules


class TapedShoe:
    """A shoe that remembers what it dealt."""

    def __init__(self, shoe: Shoe) -> None:
        self._shoe = shoe
        self.start = shoe.dealt
        self.cards: list[int] = []

    @property
    def dealt(self) -> int:
        """Cards dealt so far, those before this round included."""
        return self._shoe.dealt

    @dealt.setter
    def dealt(self, count: int) -> None:
        self._shoe.dealt = count

    def draw(self) -> Card:
        """The next card."""
        card = self._shoe.draw()
        self.cards.append(card)
        return card


class TapedDraw:
    """Bonus draws that are remembered."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.draws: list[int] = []

    def __call__(self, n: int) -> int:
        drawn = self._draw(n)
        self.draws.append(drawn)
        return drawn


class TapedPrice:
    """Prices that are remembered."""

    def __init__(self, price: Price) -> None:
        self._price = price
        self.prices: list[int] = []

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        worth = self._price(rules, cards, split=split, up=up, seen=seen)
        self.prices.append(worth)
        return worth


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


class Recorder:
    """A round whose every input is kept, so that `sabot.record.write` can write it down."""

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        *,
        purses: Mapping[Player, int],
        golden: Mapping[Player, Mapping[int, int]] | None = None,
        options: TableOptions | None = None,
        price: Price | None = None,
        draw: Draw | None = None,
        behind_closed: frozenset[int] = frozenset(),
    ) -> None:
        self.purses = dict(purses)
        self.golden = {player: dict(chips) for player, chips in (golden or {}).items()}
        self.shoe = TapedShoe(shoe)
        self.draw = TapedDraw(draw) if draw else None
        self.price = TapedPrice(price) if price else None
        self.round = Round(
            rules,
            self.shoe,
            purses=purses,
            golden=golden,
            options=options,
            price=self.price,
            draw=self.draw,
            behind_closed=behind_closed,
        )
