"""Every hand the dealer can end with, and in how many orders its cards can come."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from sabot.odds.classes import (
    ACE,
    CLASSES,
    NONE,
    POINTS,
    TEN,
    Counts,
    Floats,
    Halves,
    best_total,
    with_one_more,
)

STANDS = 17
BEST = 21


def blackjack_class(up: int) -> int | None:
    """The class of the card that makes a blackjack with an up card.

    >>> blackjack_class(ACE), blackjack_class(TEN), blackjack_class(5)
    (9, 0, None)
    """
    return {ACE: TEN, TEN: ACE}.get(up)


class DealerHands:
    """The dealer's hands of 17 to 21 behind an up card, by total; blackjacks and busts are what is missing to 1."""

    __slots__ = ("_from", "dealt", "orders", "totals")

    def __init__(self, up: int, hits_soft_17: bool) -> None:
        finished: Counter[tuple[int, Counts]] = Counter()
        drawing: Counter[Counts] = Counter({NONE: 1})
        while drawing:
            longer: Counter[Counts] = Counter()
            for counts, orders in drawing.items():
                for which in range(CLASSES):
                    if counts == NONE and which == blackjack_class(up):
                        continue
                    drawn = with_one_more(counts, which)
                    hard = POINTS[up] + sum(map(int.__mul__, drawn, POINTS))
                    total = best_total(hard, up == ACE or drawn[ACE] > 0)
                    if total < STANDS or (hits_soft_17 and total == STANDS and hard < total):
                        longer[drawn] += orders
                    elif total <= BEST:
                        finished[total, drawn] += orders
            drawing = longer
        hands = sorted(finished)
        self.totals = np.array([total for total, _ in hands])
        self.dealt = Halves(np.array([drawn for _, drawn in hands]))
        self.orders: Floats = np.array([finished[hand] for hand in hands], dtype=np.float64)
        self._from = {total: int(np.searchsorted(self.totals, total)) for total in range(STANDS, BEST + 1)}

    def at_least(self, total: int) -> slice:
        """The place of the hands that are no lower than a total."""
        return slice(self._from.get(total, 0), None)


@cache
def dealer_hands(up: int, hits_soft_17: bool) -> DealerHands:
    """The dealer's hands behind an up card of a class.

    >>> hands = dealer_hands(TEN, False)
    >>> len(hands.totals), int(hands.orders.sum())
    (92, 159)
    """
    return DealerHands(up, hits_soft_17)
