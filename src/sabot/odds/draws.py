"""Every hand that a hand can become by drawing, whatever the shoe: worked out once, priced for each shoe."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from sabot.odds.classes import ACE, CLASSES, NONE, POINTS, Counts, Halves, Ints, best_total, with_one_more
from sabot.odds.dealer import BEST, STANDS

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

    >>> draws = Draws(DrawStart(17, False, NEVER, NEVER, NEVER))
    >>> draws.drawn[:, :4].tolist()  # doctest: +NORMALIZE_WHITESPACE
    [[0, 0, 0, 0],
     [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
     [2, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 2, 0, 0],
     [3, 0, 0, 0], [2, 1, 0, 0],
     [4, 0, 0, 0]]
    >>> draws.next[0].tolist()
    [1, 2, 3, 4, -1, -1, -1, -1, -1, -1]
    """

    __slots__ = ("charlies", "drawn", "gone", "levels", "next", "standing")

    def __init__(self, start: DrawStart) -> None:
        following = _grow(start)
        rows = {drawn: row for row, drawn in enumerate(following)}
        #: How many cards of each class were drawn.
        self.drawn: Ints = np.array(list(rows))
        self.gone = Halves(self.drawn)
        #: The row after one more card of each class; -1 for a bust or where the hand has ended.
        self.next: Ints = np.full((len(rows), CLASSES), -1)
        for row, after in enumerate(following.values()):
            self.next[row, : len(after)] = [rows[drawn] for drawn in after]

        sizes = self.gone.sizes
        hard = start.hard + self.drawn @ np.array(POINTS)
        soft = (start.ace | (self.drawn[:, ACE] > 0)) & (hard <= BEST - 10)
        total = np.where(soft, hard + 10, hard)
        charlie = sizes == start.charlie_after
        may_draw = np.array([bool(after) for after in following.values()])
        # Below 17 a hand wins only if the dealer busts, and a card drawn first makes that no less likely: where that
        # card cannot bust the hand, standing is never better and need not be looked at but after a double.
        may_stand = ~charlie & (
            (total >= np.where(soft, STANDS, 12))
            | (sizes == start.double_after + 1)
            | (sizes == start.stand_after)
        )
        self.charlies: Ints = np.flatnonzero(charlie)
        #: From the most cards to the fewest.
        self.levels = [
            Level(np.flatnonzero(may_draw & (sizes == size)), size == start.double_after)
            for size in range(int(sizes.max()), -1, -1)
        ]
        as_good_as = np.maximum(total, STANDS - 1)
        self.standing = [
            StandingHands(total, np.flatnonzero(may_stand & (as_good_as == total)))
            for total in range(STANDS - 1, BEST + 1)
        ]


def _grow(start: DrawStart) -> dict[Counts, list[Counts]]:
    """Each hand, as the cards drawn, with those it becomes by one more card that does not bust it, aces first."""
    following: dict[Counts, list[Counts]] = {}
    level, size = {NONE: start.hard}, 0
    while level:
        longer: dict[Counts, int] = {}
        for drawn, hard in level.items():
            total = best_total(hard, start.ace or drawn[ACE] > 0)
            # A soft 21 draws only where the next card makes it a Charlie (COM-45).
            ended = total == BEST and (hard == total or size != start.charlie_after - 1)
            if ended or size in (start.charlie_after, start.stand_after):
                following[drawn] = []
                continue
            after = [with_one_more(drawn, which) for which in range(min(CLASSES, BEST - hard))]
            longer.update(zip(after, (hard + points for points in POINTS), strict=False))
            following[drawn] = after
        level, size = longer, size + 1
    return following


@cache
def draws_of(start: DrawStart) -> Draws:
    """The hands a start can become, kept for the next time."""
    return Draws(start)
