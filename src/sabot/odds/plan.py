"""Plans: what to do with the first two cards, when to draw, when a split hand doubles.

Best play is a plan, and so is a total-dependent table. Returns and distributions are computed from a plan.
"""

import numpy as np
import numpy.typing as npt

from sabot.games.strategy import BestTable, without_row
from sabot.odds.classes import POINTS
from sabot.odds.table import TwoCards, UpCard
from sabot.odds.tree import Int8
from sabot.odds.values import HIT, STAND, SURRENDERED, Behind

Flags = npt.NDArray[np.bool_]


class BestPlan:
    """Every hand does what is best for its own cards."""

    def __init__(self, column: UpCard) -> None:
        self.column = column

    def letter(self, start: TwoCards) -> str:
        """What two cards do: S stand, H hit, D double, P split, R surrender."""
        values = self.column.values(start.row, start.classes[0] if start.is_pair else None)
        if self.column.rules.surrender:
            values["R"] = SURRENDERED
        return max(values, key=lambda letter: values[letter])

    def policy(self, behind: Behind, free: bool) -> Int8:
        """For each hand whether it draws; `free` for a free split hand, which has nothing to lose."""
        stand, bust = (behind.win, 0.0) if free else (behind.stand, -1.0)
        _, hit = behind.play(stand, bust)
        draws = (behind.policy == HIT) | ((behind.policy != STAND) & (hit > stand))
        return np.where(draws, HIT, STAND).astype(np.int8)

    def doubles(self, behind: Behind) -> Flags:
        """For each two-card hand of a split whether it doubles."""
        best, _ = behind.play(behind.stand, -1.0)
        flags: Flags = (behind.double() > best) & (behind.policy != STAND)
        return flags


class TablePlan:
    """Every hand follows a table; the free split hand may have its own."""

    def __init__(self, column: UpCard, at: int, table: BestTable, free: BestTable) -> None:
        self.column = column
        self.at = at
        self.table = table
        self.free = free

    def letter(self, start: TwoCards) -> str:
        tree = self.column.behind.tree
        if start.is_pair:
            row = self.table.pairs[POINTS[start.classes[0]]]
        else:
            rows = self.table.soft if tree.soft[start.row] else self.table.hard
            row = rows[int(tree.total[start.row])]
        return row[self.at].upper()

    def policy(self, behind: Behind, free: bool) -> Int8:
        """Draw by total; a double or surrender that is no longer possible does what its letter says."""
        draws = self._in(self.free if free else self.table, behind, "HDR") & (behind.policy != STAND)
        return np.where(draws, HIT, STAND).astype(np.int8)

    def doubles(self, behind: Behind) -> Flags:
        flags: Flags = self._in(self.table, behind, "Dd") & (behind.policy != STAND)
        return flags

    def _in(self, table: BestTable, behind: Behind, letters: str) -> Flags:
        tree = behind.tree
        found = np.zeros((2, 32), dtype=bool)
        for soft, rows in enumerate((table.hard, table.soft)):
            for total in range(22):
                row = rows.get(total)
                letter = row[self.at] if row else without_row(total, bool(soft))
                if letter == "D" and soft and total == 18:
                    letter = "d"  # MAJ-31
                found[soft, total] = letter in letters
        flags: Flags = found[tree.soft.astype(np.int8), tree.total]
        return flags


#: How to play against one up card.
Plan = BestPlan | TablePlan
