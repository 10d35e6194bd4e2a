"""Every hand that a hand can become by drawing, whatever the shoe: worked out once, priced for each shoe."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from sabot.odds.classes import ACE, BEST, STANDS, Ints
from sabot.odds.deals import Halves
from sabot.odds.tree import Int8, hand_tree

NEVER = -1


class DrawStart(NamedTuple):
    """A hand before it draws, and after how many more cards, or `NEVER`, it may or must do what."""

    hard: int
    """What its cards count with every ace as 1."""
    ace: bool
    charlie_after: int
    double_after: int
    stand_after: int


class StandingHands(NamedTuple):
    """The hands that may stand on one total; those below 17 are all as good as a 16."""

    total: int
    rows: Ints


class Level(NamedTuple):
    """The hands with one number of drawn cards that may draw on."""

    rows: Ints
    may_double: bool


class Draws:
    """The hands a start can become; row 0 is the start itself.

    >>> draws = draws_of(DrawStart(17, False, NEVER, NEVER, NEVER))
    >>> draws.drawn[:5, :4].tolist(), len(draws.drawn)
    ([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], 12)
    >>> draws.next[0].tolist()
    [1, 2, 3, 4, -1, -1, -1, -1, -1, -1]
    """

    __slots__ = ("charlies", "drawn", "gone", "levels", "next", "standing")

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
        # Below 17 a hand wins only if the dealer busts, and a card drawn first makes that no less likely: where that
        # card cannot bust the hand, standing is never better and need not be looked at but after a double.
        may_stand = ~charlie & (
            (total >= np.where(soft, STANDS, 12))
            | (size == start.double_after + 1)
            | (size == start.stand_after)
        )
        self.charlies: Ints = np.flatnonzero(charlie)
        #: From the most cards to the fewest.
        self.levels = [
            Level(np.flatnonzero(may_draw & (size == cards)), cards == start.double_after)
            for cards in range(int(size.max()), -1, -1)
        ]
        as_good_as = np.maximum(total, STANDS - 1)
        self.standing = [
            StandingHands(total, np.flatnonzero(may_stand & (as_good_as == total)))
            for total in range(STANDS - 1, BEST + 1)
        ]


@cache
def draws_of(start: DrawStart) -> Draws:
    """The hands a start can become, kept for the next time."""
    return Draws(start)
