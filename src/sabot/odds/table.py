"""The best total-dependent table of a game: one action per total or pair and up card (RET-06).

The action of a total has the best average value over its two-card hands, weighted by the chance of the deal; each hand
plays its best afterwards. Pairs count only where a total has no other hand. Pair rows are decided on their own.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.odds.classes import CLASSES, POINTS, STANDS, TEN, Floats, best_total, full_shoe
from sabot.odds.values import SURRENDERED, Behind, SplitHand

#: The columns of a table: the classes of the up cards 2 to 10, then the ace.
COLUMNS = (*range(1, CLASSES), 0)
HARD_TOTALS = range(4, 21)
SOFT_TOTALS = range(12, 21)


class TwoCards(NamedTuple):
    """Two cards against an up card: their classes, the chance of that deal, and their row in the tree."""

    classes: tuple[int, int]
    chance: float
    row: int

    @property
    def is_pair(self) -> bool:
        """Whether the cards have one value."""
        return self.classes[0] == self.classes[1]

    @property
    def is_blackjack(self) -> bool:
        """Whether the cards are an ace and a ten-value."""
        return self.classes == (0, TEN)


class UpCard:
    """One up card of a shoe: its chance, the two-card hands, and their values."""

    def __init__(self, rules: Rules, up: int, shoe: Floats | None = None) -> None:
        shoe = full_shoe(rules.decks) if shoe is None else shoe
        self.up = up
        self.rules = rules
        self.chance = float(shoe[up] / shoe.sum())
        self.left = shoe.copy()
        self.left[up] -= 1
        self.behind = Behind(rules, self.left, up)
        _, self.hit = self.behind.play(self.behind.stand, -1.0)
        self.double = self.behind.double()
        self.starts = list(self._starts())
        self._split_hands: dict[int, SplitHand] = {}

    def split_hand(self, pair: int) -> SplitHand:
        """One hand of a split pair, worked out once."""
        if pair not in self._split_hands:
            self._split_hands[pair] = SplitHand(self.rules, self.left, self.up, pair)
        return self._split_hands[pair]

    def values(self, row: int, pair: int | None) -> dict[str, float]:
        """The value of each action of two cards, by its letter; `pair` is the class of a pair."""
        values = {
            "S": float(self.behind.stand[row]),
            "H": float(self.hit[row]),
            "D": float(self.double[row]),
        }
        if pair is not None:
            values["P"] = self.split_hand(pair).both
        return values

    def _starts(self) -> Iterator[TwoCards]:
        left, whole = self.left, self.left.sum()
        for first in range(CLASSES):
            for second in range(first, CLASSES):
                ways = left[first] * (left[second] - 1 if first == second else 2 * left[second])
                if ways > 0:
                    row = self.behind.row((first, second))
                    yield TwoCards((first, second), float(ways / (whole * (whole - 1))), row)


class TableSolver:
    """The tables of a game, made from the values behind every up card."""

    def __init__(self, rules: Rules, columns: list[UpCard]) -> None:
        self.columns = columns
        cells = [_Column(column) for column in columns]
        self.best = BestTable(
            hard={total: "".join(c.total_cell(total, soft=False) for c in cells) for total in HARD_TOTALS},
            soft={total: "".join(c.total_cell(total, soft=True) for c in cells) for total in SOFT_TOTALS},
            pairs={POINTS[pair]: "".join(c.pair_cell(pair) for c in cells) for pair in range(CLASSES)},
        )
        #: The table of a free split hand, in a game that has one.
        self.free: BestTable | None = None
        if rules.free_split:
            self.free = BestTable(
                hard={total: "".join(c.free_cell(total, soft=False) for c in cells) for total in HARD_TOTALS},
                soft={total: "".join(c.free_cell(total, soft=True) for c in cells) for total in SOFT_TOTALS},
                pairs={},
            )


class _Column:
    """The cells under one up card."""

    def __init__(self, column: UpCard) -> None:
        self.column = column
        self._by_total: dict[tuple[int, bool], list[TwoCards]] = {}
        for start in column.starts:
            if not start.is_blackjack:
                hard, ace = sum(POINTS[c] for c in start.classes), 0 in start.classes
                self._by_total.setdefault((best_total(hard, ace), ace), []).append(start)
        _, self._free_hit = column.behind.play(column.behind.win, 0.0)

    def _hands(self, total: int, soft: bool) -> list[TwoCards]:
        found = self._by_total.get((total, soft), [])
        return [start for start in found if not start.is_pair] or found

    def _average(self, hands: list[TwoCards], values: Floats) -> float:
        """The mean of the values by the chance that a hand is dealt and a check finds no blackjack."""
        behind = self.column.behind
        weights = [
            start.chance * (1 - behind.blackjack_after(start.row) if behind.checked else 1) for start in hands
        ]
        total = sum(w * float(values[start.row]) for w, start in zip(weights, hands, strict=True))
        return total / sum(weights)

    def total_cell(self, total: int, soft: bool) -> str:
        hands = self._hands(total, soft)
        if not hands:
            return "S" if total >= STANDS else "H"
        column = self.column
        values = {
            "S": self._average(hands, column.behind.stand),
            "H": self._average(hands, column.hit),
            "D": self._average(hands, column.double),
        }
        return self._choose(values)

    def pair_cell(self, pair: int) -> str:
        return self._choose(self.column.values(self.column.behind.row((pair, pair)), pair))

    def free_cell(self, total: int, soft: bool) -> str:
        hands = self._hands(total, soft)
        if not hands:
            return "S" if total >= STANDS else "H"
        stand = self._average(hands, self.column.behind.win)
        return "H" if self._average(hands, self._free_hit) > stand else "S"

    def _choose(self, values: dict[str, float]) -> str:
        """The best letter; stand wins a tie. A small letter is a double or surrender that stands if it is illegal."""
        if self.column.rules.surrender:
            values["R"] = SURRENDERED
        best = max(values.values())
        letter = next(letter for letter, value in values.items() if value == best)
        stands = values["S"] >= values["H"]
        return letter.lower() if letter in "DR" and stands else letter
