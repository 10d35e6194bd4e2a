"""The hands that a hand can become by drawing, the dealer's hands, and the chances to be dealt them.

The hands are listed once for all shoes; the chances are those of one shoe.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from sabot.odds.classes import ACE, BEST, STANDS, Floats, Ints
from sabot.odds.tree import BLACKJACK, Int8, dealer_ends, hand_tree

NEVER = -1
#: Where counts are cut in two halves of about as many different values each.
_HALF = 3


# Chances


class Halves:
    """Many counts of cards, each kept as two halves, as there are far fewer different halves."""

    def __init__(self, counts: Int8) -> None:
        self.sizes: Ints = counts.sum(axis=1)
        self.first, self.first_of = _distinct(counts[:, :_HALF])
        self.second, self.second_of = _distinct(counts[:, _HALF:])


def _distinct(rows: Int8) -> tuple[Int8, Ints]:
    found, places = np.unique(rows, axis=0, return_inverse=True)
    return found, places.reshape(-1)


class Deals:
    """The chances to deal sets of cards, each in one given order, after other sets of cards are gone.

    A chance is the product of the classes' falling factorials, divided by that of the whole shoe. The product is
    computed once for each different half.

    >>> from sabot.odds.classes import full_shoe
    >>> ace_then_two = Halves(np.array([[1, 1] + [0] * 8]))
    >>> nothing_or_an_ace = Halves(np.array([[0] * 10, [1] + [0] * 9]))
    >>> deals = Deals(full_shoe(1), nothing_or_an_ace, ace_then_two)
    >>> deals.chances(np.array([0, 1]), slice(None)) * [[52 * 51], [51 * 50]]
    array([[16.],
           [12.]])
    """

    def __init__(self, left: Floats, gone: Halves, dealt: Halves) -> None:
        most_gone, most_dealt = int(gone.sizes.max()), int(dealt.sizes.max())
        classes = falling(left, most_gone, most_dealt)
        whole = falling(left.sum(keepdims=True), most_gone, most_dealt)[0]
        self._gone = gone
        self._first = _product(classes[:_HALF], gone.first, dealt.first)[:, dealt.first_of]
        self._second = _product(classes[_HALF:], gone.second, dealt.second)[:, dealt.second_of]
        # Where the whole is 0 so is one of its parts: the chance is 0, not 0 / 0.
        self._whole = 1.0 / np.maximum(whole, 1.0)[:, dealt.sizes]

    def chances(self, gone: Ints, dealt: slice) -> Floats:
        """The chance of each of the sets `dealt` after each of the sets `gone`, both by their place."""
        chances: Floats = self._first[self._gone.first_of[gone], dealt]
        chances *= self._second[self._gone.second_of[gone], dealt]
        chances *= self._whole[self._gone.sizes[gone], dealt]
        return chances


def _product(falling: Floats, gone: Int8, dealt: Int8) -> Floats:
    product = np.ones((len(gone), len(dealt)))
    for which, table in enumerate(falling):
        product *= table[gone[:, which, None], dealt[None, :, which]]
    return product


def falling(left: Floats, most_gone: int, most_dealt: int) -> Floats:
    """Entry `[class, gone, dealt]`: the product of the `dealt` numbers from `left - gone` down, 0 where too few."""
    table = np.ones((len(left), most_gone + 1, most_dealt + 1))
    factors = left[:, None, None] - np.arange(most_gone + 1)[:, None] - np.arange(most_dealt)
    np.cumprod(np.maximum(factors, 0), axis=2, out=table[:, :, 1:], dtype=np.float64)
    return table


# Hands


class DrawStart(NamedTuple):
    """A hand before it draws, its total with every ace as 1; after how many more cards, or `NEVER`, it does what."""

    hard: int
    ace: bool
    charlie_after: int
    double_after: int
    stand_after: int


class Draws:
    """The hands a start can become; row 0 is the start itself.

    >>> draws = draws_of(DrawStart(17, False, NEVER, NEVER, NEVER))
    >>> draws.drawn[:5, :4].tolist(), len(draws.drawn)
    ([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], 12)
    >>> draws.next[0].tolist()
    [1, 2, 3, 4, -1, -1, -1, -1, -1, -1]
    """

    def __init__(self, start: DrawStart) -> None:
        tree = hand_tree()
        most = min(
            (after for after in (start.charlie_after, start.stand_after) if after != NEVER), default=BEST
        )
        rows = np.flatnonzero((tree.hard <= BEST - start.hard) & (tree.size <= most))[::-1]
        #: How many cards of each class were drawn.
        self.drawn: Int8 = tree.counts[rows]
        self.gone = Halves(self.drawn)
        #: The row after one more card of each class; -1 for a bust.
        places = np.full(len(tree.counts) + 1, -1)
        places[rows] = np.arange(len(rows))
        self.next: Ints = places[tree.next[rows]]

        size, hard = tree.size[rows], start.hard + tree.hard[rows]
        soft = (start.ace | (self.drawn[:, ACE] > 0)) & (hard <= BEST - 10)
        total = np.where(soft, hard + 10, hard)
        charlie = size == start.charlie_after
        # A soft 21 draws only where the next card makes it a Charlie (COM-45).
        is_21 = (total == BEST) & ~(soft & (size == start.charlie_after - 1))
        may_draw = ~(is_21 | charlie | (size == start.stand_after))
        # Below 17 a hand wins only if the dealer busts, and a drawn card makes that no less likely. So a hand that no
        # card can bust need not stand, except after a double.
        may_stand = ~charlie & (
            (total >= np.where(soft, STANDS, 12))
            | (size == start.double_after + 1)
            | (size == start.stand_after)
        )
        self.charlies: Ints = np.flatnonzero(charlie)
        #: The hands that may draw on, from the most cards to the fewest, and whether they may double.
        self.levels = [
            (np.flatnonzero(may_draw & (size == cards)), cards == start.double_after)
            for cards in range(int(size.max()), -1, -1)
        ]
        as_good_as = np.maximum(total, STANDS - 1)
        #: The hands that may stand, by total; those below 17 are all as good as a 16.
        self.standing = [
            (total, np.flatnonzero(may_stand & (as_good_as == total)))
            for total in range(STANDS - 1, BEST + 1)
        ]


#: The hands a start can become, listed once.
draws_of = cache(Draws)


class DealerHands(NamedTuple):
    """The dealer's hands of 17 to 21 behind an up card, by total; the rest are blackjacks and busts."""

    totals: Ints
    dealt: Halves
    #: In how many orders the cards of each hand can come.
    orders: Floats


@cache
def dealer_hands(up: int, hits_soft_17: bool) -> DealerHands:
    """The dealer's hands behind an up card of a class.

    >>> hands = dealer_hands(9, False)
    >>> len(hands.totals), int(hands.orders.sum())
    (92, 159)
    """
    ends = dealer_ends(up, hits_soft_17, twenty_two=False)
    hands = sorted((end, drawn, orders) for drawn, (end, orders) in ends.items() if end != BLACKJACK)
    totals, drawn, orders = (np.array(column) for column in zip(*hands, strict=True))
    return DealerHands(STANDS + totals, Halves(drawn), orders.astype(np.float64))
