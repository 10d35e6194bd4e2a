"""A best-strategy table: one action for each player total and dealer up card (MAJ-30, MAJ-31).

Rows are ten letters for the up cards 2 to 10 and the ace: H hit, S stand, D double, P split, R surrender. Where a
double or surrender is not legal, D and R hit and d and r stand.

>>> from sabot.cards import Hand, parse_card, parse_cards
>>> table = BestTable(hard={11: "DDDDDDDDDH"}, soft={18: "SDDDDSSHHH"}, pairs={})
>>> table.action(Hand(parse_cards("As 7s")), parse_card("3h"), {"hit", "stand"})
'stand'
"""

from collections.abc import Collection

from msgspec import Struct

from sabot.cards import VALUES, Card, Hand
from sabot.games.rules import Action

#: The action of each letter, and the one in its place if that is not legal.
_LETTERS: dict[str, tuple[Action, Action]] = {
    "H": ("hit", "hit"),
    "S": ("stand", "stand"),
    "D": ("double", "hit"),
    "d": ("double", "stand"),
    "R": ("surrender", "hit"),
    "r": ("surrender", "stand"),
    "P": ("split", "hit"),
}


class BestTable(Struct, frozen=True):
    """Rows by hard total, by soft total, and by the value of a pair (ace 1)."""

    hard: dict[int, str]
    soft: dict[int, str]
    pairs: dict[int, str]

    def __post_init__(self) -> None:
        for name in ("hard", "soft", "pairs"):
            for total, row in getattr(self, name).items():
                letters = [letter for letter in _LETTERS if letter != "P" or name == "pairs"]
                if len(row) != 10 or not set(row) <= set(letters):
                    raise ValueError(f"{name} {total}: {row!r} is not ten letters of {' '.join(letters)}")

    def action(self, hand: Hand, up: Card, legal: Collection[Action]) -> Action:
        """The action of the table; MAJ-31 says what replaces an illegal one."""
        column = 9 if VALUES[up] == 1 else VALUES[up] - 2
        pair_row = self.pairs.get(VALUES[hand.cards[0]]) if hand.is_pair else None
        cell = pair_row[column] if pair_row else self._total_cell(hand, column)
        if cell == "P" and "split" not in legal:
            cell = self._total_cell(hand, column)
        wanted, otherwise = _LETTERS[cell]
        if wanted in legal:
            return wanted
        soft_18 = hand.soft and hand.total == 18
        return "stand" if wanted == "double" and soft_18 else otherwise

    def _total_cell(self, hand: Hand, column: int) -> str:
        row = (self.soft if hand.soft else self.hard).get(hand.total)
        return row[column] if row is not None else without_row(hand.total, hand.soft)


def without_row(total: int, soft: bool) -> str:
    """The action of a total without a row: stand from 17, hit below (MAJ-31).

    A soft 21 hits: it has a decision only if the next card makes a Charlie, which wins (COM-45).
    """
    return "S" if total >= 17 and not (soft and total == 21) else "H"
