"""Cards as the odds see them: ten classes, the ace first and all ten-values last, and how many of each are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from sabot.cards import VALUES, Card, format_card

Counts = tuple[int, ...]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

CLASSES = 10
ACE, TEN = 0, 9
POINTS = tuple(range(1, CLASSES + 1))
NONE: Counts = (0,) * CLASSES

#: Where counts are cut in two halves of about as many different values each.
_HALF = 3


def class_of(card: Card) -> int:
    """The class of a card: 0 for an ace … 9 for a ten, jack, queen or king.

    >>> from sabot.cards import parse_cards
    >>> [class_of(card) for card in parse_cards("As 2h 10d Kc")]
    [0, 1, 9, 9]
    """
    return VALUES[card] - 1


def best_total(hard: int, ace: bool) -> int:
    """The total of cards that count `hard` with every ace as 1 (COM-02).

    >>> best_total(7, True), best_total(12, True)
    (17, 12)
    """
    return hard + 10 if ace and hard <= 11 else hard


def with_one_more(counts: Counts, which: int) -> Counts:
    """The counts with one card more of a class."""
    return (*counts[:which], counts[which] + 1, *counts[which + 1 :])


def unseen(decks: int, known: Iterable[Card]) -> Ints:
    """How many cards of each class are left of so many decks without the known cards.

    >>> from sabot.cards import parse_cards
    >>> unseen(6, parse_cards("As 2h 10d Kc")).tolist()
    [23, 23, 24, 24, 24, 24, 24, 24, 24, 94]
    >>> unseen(1, parse_cards("As As"))
    Traceback (most recent call last):
    ValueError: As is seen 2 times, but a shoe of 1 decks has it 1 times
    """
    left = np.full(CLASSES, 4 * decks)
    left[TEN] = 16 * decks
    for card, times in Counter(known).items():
        name = format_card(card)
        if times > decks:
            raise ValueError(
                f"{name} is seen {times} times, but a shoe of {decks} decks has it {decks} times"
            )
        left[class_of(card)] -= times
    return left


class Halves:
    """Many counts of cards, each kept as two halves, of which there are far fewer different ones."""

    __slots__ = ("first", "first_of", "second", "second_of", "sizes")

    def __init__(self, counts: Ints) -> None:
        self.sizes: Ints = counts.sum(axis=1)
        self.first, self.first_of = _distinct(counts[:, :_HALF])
        self.second, self.second_of = _distinct(counts[:, _HALF:])


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    found, places = np.unique(rows, axis=0, return_inverse=True)
    return found, places.reshape(-1)


class Deals:
    """The chances of dealing some sets of cards, each in one given order, after other sets of cards are gone.

    A chance is the product over the classes of falling factorials, divided by that of the whole shoe. The product is
    worked out for the different halves only.

    >>> ace_then_two = Halves(np.array([[1, 1] + [0] * 8]))
    >>> nothing_or_an_ace = Halves(np.array([[0] * 10, [1] + [0] * 9]))
    >>> deals = Deals(unseen(1, []), nothing_or_an_ace, ace_then_two)
    >>> deals.chances(np.array([0, 1]), slice(None)) * [[52 * 51], [51 * 50]]
    array([[16.],
           [12.]])
    """

    __slots__ = ("_first", "_gone", "_second", "_whole")

    def __init__(self, left: Ints, gone: Halves, dealt: Halves) -> None:
        most_gone, most_dealt = int(gone.sizes.max()), int(dealt.sizes.max())
        falling = _falling(left, most_gone, most_dealt)
        whole = _falling(left.sum(keepdims=True), most_gone, most_dealt)[0]
        self._gone = gone
        self._first = _product(falling[:_HALF], gone.first, dealt.first)[:, dealt.first_of]
        self._second = _product(falling[_HALF:], gone.second, dealt.second)[:, dealt.second_of]
        # Where the whole is 0 so is one of its parts: the chance is 0, not 0 / 0.
        self._whole = 1.0 / np.maximum(whole, 1.0)[:, dealt.sizes]

    def chances(self, gone: Ints, dealt: slice) -> Floats:
        """The chance of each of the sets `dealt` after each of the sets `gone`, both by their place."""
        chances: Floats = self._first[self._gone.first_of[gone], dealt]
        chances *= self._second[self._gone.second_of[gone], dealt]
        chances *= self._whole[self._gone.sizes[gone], dealt]
        return chances


def _product(falling: Floats, gone: Ints, dealt: Ints) -> Floats:
    product = np.ones((len(gone), len(dealt)))
    for which, table in enumerate(falling):
        product *= table[gone[:, which, None], dealt[None, :, which]]
    return product


def _falling(left: Ints, most_gone: int, most_dealt: int) -> Floats:
    """Entry `[class, gone, dealt]`: the product of the `dealt` numbers from `left - gone` down, 0 where too few."""
    table = np.ones((len(left), most_gone + 1, most_dealt + 1))
    factors = left[:, None, None] - np.arange(most_gone + 1)[:, None] - np.arange(most_dealt)
    np.cumprod(np.maximum(factors, 0), axis=2, out=table[:, :, 1:], dtype=np.float64)
    return table
