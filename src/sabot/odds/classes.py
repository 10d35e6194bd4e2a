"""Cards in ten classes, the ace first and the ten-values last; counts of cards by class; totals."""

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

#: The total on which the dealer stands, and the best total.
STANDS, BEST = 17, 21


def class_of(card: Card) -> int:
    """The class of a card: 0 for an ace … 9 for a ten, jack, queen or king.

    >>> from sabot.cards import parse_cards
    >>> [class_of(card) for card in parse_cards("As 2h 10d Kc")]
    [0, 1, 9, 9]
    """
    return VALUES[card] - 1


def best_total(hard: int, ace: bool) -> int:
    """The best total of a hand, from its total with every ace as 1 (COM-02).

    >>> best_total(7, True), best_total(12, True)
    (17, 12)
    """
    return hard + 10 if ace and hard <= 11 else hard


def blackjack_class(up: int) -> int | None:
    """The class of the card that makes a blackjack with an up card.

    >>> blackjack_class(ACE), blackjack_class(TEN), blackjack_class(5)
    (9, 0, None)
    """
    return {ACE: TEN, TEN: ACE}.get(up)


def dealer_total(hand: Counts, hits_soft_17: bool) -> tuple[int, bool]:
    """The total of the dealer's cards, and whether the dealer draws to it (COM-06).

    >>> dealer_total((1, 0, 0, 0, 0, 1, 0, 0, 0, 0), False), dealer_total((1, 0, 0, 0, 0, 1, 0, 0, 0, 0), True)
    ((17, False), (17, True))
    """
    hard = sum(map(int.__mul__, hand, POINTS))
    total = best_total(hard, hand[ACE] > 0)
    return total, total < STANDS or (hits_soft_17 and total == STANDS and hard < total)


def with_one_more(counts: Counts, which: int) -> Counts:
    """The counts with one card more of a class."""
    return (*counts[:which], counts[which] + 1, *counts[which + 1 :])


def full_shoe(decks: int) -> Floats:
    """The number of cards of each class in full decks."""
    shoe = np.full(CLASSES, 4.0 * decks)
    shoe[TEN] = 16.0 * decks
    return shoe


def unseen(decks: int, known: Iterable[Card]) -> Floats:
    """The number of cards of each class in full decks without the known cards.

    >>> from sabot.cards import parse_cards
    >>> unseen(6, parse_cards("As 2h 10d Kc")).tolist()
    [23.0, 23.0, 24.0, 24.0, 24.0, 24.0, 24.0, 24.0, 24.0, 94.0]
    >>> unseen(1, parse_cards("As As"))
    Traceback (most recent call last):
    ValueError: As is seen 2 times, but a shoe of 1 decks has it 1 times
    """
    left = full_shoe(decks)
    for card, times in Counter(known).items():
        name = format_card(card)
        if times > decks:
            raise ValueError(
                f"{name} is seen {times} times, but a shoe of {decks} decks has it {decks} times"
            )
        left[class_of(card)] -= times
    return left
