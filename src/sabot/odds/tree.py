"""All player hands as sets of cards and all dealer hands as paths of draws: built once, used for any shoe."""

from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sabot.odds.classes import ACE, BEST, CLASSES, NONE, POINTS, STANDS, Counts, dealer_total, with_one_more

Int8 = npt.NDArray[np.int8]
Int32 = npt.NDArray[np.int32]

#: The dealer's outcomes: 17, 18, 19, 20, 21, 22 and a blackjack; the rest are higher busts.
OUTCOMES = 7
TWENTY_TWO, BLACKJACK = 5, 6
#: The dealer's cards in a bust hand; the last stands for more, too.
BUST_SIZES = range(3, 9)


class HandTree:
    """All player hands of hard total 21 or less, those with the most cards first, the empty one last.

    >>> tree = hand_tree()
    >>> len(tree.counts), tree.rows[(1,) + (0,) * 9]
    (3083, 3081)
    """

    def __init__(self) -> None:
        hands = sorted(
            _hands(), key=lambda counts: (-sum(counts), tuple(-count for count in reversed(counts)))
        )
        #: The row of each hand.
        self.rows = {counts: row for row, counts in enumerate(hands)}
        self.counts: Int8 = np.array(hands, dtype=np.int8)
        self.size: Int8 = self.counts.sum(axis=1, dtype=np.int8)
        self.hard: Int8 = (self.counts @ np.array(POINTS, dtype=np.int8)).astype(np.int8)
        self.soft: npt.NDArray[np.bool_] = (self.counts[:, ACE] > 0) & (self.hard <= BEST - 10)
        self.total: Int8 = np.where(self.soft, self.hard + 10, self.hard).astype(np.int8)
        #: The row after one more card of each class; -1 where that busts.
        self.next: Int32 = np.array(
            [[self.rows.get(with_one_more(hand, which), -1) for which in range(CLASSES)] for hand in hands],
            dtype=np.int32,
        )


def _hands() -> list[Counts]:
    found: list[Counts] = []
    level = {NONE}
    while level:
        found += level
        level = {
            with_one_more(hand, which)
            for hand in level
            for which in range(CLASSES)
            if sum(map(int.__mul__, with_one_more(hand, which), POINTS)) <= BEST
        }
    return found


#: The one tree of player hands.
hand_tree = cache(HandTree)


class DealerTrie(NamedTuple):
    """The dealer's draws behind an up card: sorted sets of cards in a trie, root first.

    A step multiplies the chance by that of one more card. `orders` counts the orders in which the dealer can draw a set.
    """

    which: Int8
    depth: Int8
    used: Int8
    outcome: Int8
    orders: npt.NDArray[np.float64]


@cache
def dealer_trie(up: int, hits_soft_17: bool, twenty_two: bool) -> DealerTrie:
    """The dealer's draws behind an up card of a class."""
    return _trie(dealer_ends(up, hits_soft_17, twenty_two))


@cache
def bust_trie(up: int, hits_soft_17: bool) -> DealerTrie:
    """The dealer's draws that bust behind an up card of a class; the outcomes are `BUST_SIZES`."""
    ends = _finished_hands(up, hits_soft_17)
    busts = {
        drawn: (min(sum(drawn) - 2, len(BUST_SIZES) - 1), orders)
        for drawn, (total, orders) in ends.items()
        if total > BEST
    }
    return _trie(busts)


def _trie(ends: dict[Counts, tuple[int, int]]) -> DealerTrie:
    steps: dict[tuple[int, ...], tuple[int, float]] = {}
    for drawn, (outcome, orders) in ends.items():
        path = tuple(which for which in range(CLASSES - 1, -1, -1) for _ in range(drawn[which]))
        for length in range(1, len(path)):
            steps.setdefault(path[:length], (-1, 0.0))
        steps[path] = (outcome, float(orders))
    paths = sorted(steps)
    return DealerTrie(
        which=np.array([path[-1] for path in paths], dtype=np.int8),
        depth=np.array([len(path) for path in paths], dtype=np.int8),
        used=np.array([path[:-1].count(path[-1]) for path in paths], dtype=np.int8),
        outcome=np.array([steps[path][0] for path in paths], dtype=np.int8),
        orders=np.array([steps[path][1] for path in paths]),
    )


def dealer_ends(up: int, hits_soft_17: bool, twenty_two: bool) -> dict[Counts, tuple[int, int]]:
    """Each set of draws that ends the dealer's hand without a higher bust, with its outcome and its number of orders."""
    ends: dict[Counts, tuple[int, int]] = {}
    for drawn, (total, orders) in _finished_hands(up, hits_soft_17).items():
        if total <= BEST or (twenty_two and total == BEST + 1):
            blackjack = sum(drawn) == 1 and total == BEST
            ends[drawn] = (BLACKJACK if blackjack else total - STANDS, orders)
    return ends


def _finished_hands(up: int, hits_soft_17: bool) -> dict[Counts, tuple[int, int]]:
    """Each set of draws that ends the dealer's hand, with its total and its number of orders."""
    ends: dict[Counts, tuple[int, int]] = {}
    drawing: Counter[Counts] = Counter({NONE: 1})
    while drawing:
        longer: Counter[Counts] = Counter()
        finished: Counter[tuple[Counts, int]] = Counter()
        for counts, orders in drawing.items():
            for which in range(CLASSES):
                drawn = with_one_more(counts, which)
                total, draws = dealer_total(with_one_more(drawn, up), hits_soft_17)
                if draws:
                    longer[drawn] += orders
                else:
                    finished[drawn, total] += orders
        ends |= {drawn: (total, orders) for (drawn, total), orders in finished.items()}
        drawing = longer
    return ends
