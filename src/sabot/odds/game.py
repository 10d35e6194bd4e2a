"""Whole-game values: the return per stake and per initial bet (RET-01..04)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.odds.classes import ACE, POINTS, Floats
from sabot.odds.table import COLUMNS, Start, Tables, UpCard
from sabot.odds.values import HIT, STAND, SURRENDERED, Behind, SplitHand


class Return(NamedTuple):
    """The expected net result and the expected own money staked, per initial bet."""

    net: float
    staked: float

    @property
    def per_initial(self) -> float:
        """The return per initial bet (RET-02)."""
        return 1 + self.net

    @property
    def per_stake(self) -> float:
        """The return per stake, the regulations' own measure (RET-01)."""
        return 1 + self.net / self.staked


class Worth(NamedTuple):
    """A way to play a hand: its value, and what is staked on it."""

    value: float
    staked: float


def best_return(columns: list[UpCard]) -> Return:
    """The return of composition-dependent best play."""
    return _sum(columns, [_BestPlay(column) for column in columns])


def table_return(columns: list[UpCard], table: BestTable, free: BestTable | None = None) -> Return:
    """The return of a total-dependent table; with `free`, the free split hand follows that one."""
    players = [_TablePlay(column, table, free or table, at) for at, column in enumerate(columns)]
    return _sum(columns, players)


def _sum(columns: list[UpCard], players: Sequence[_BestPlay | _TablePlay]) -> Return:
    net = staked = 0.0
    for column, player in zip(columns, players, strict=True):
        rules = column.rules
        for start in column.starts:
            chance = column.chance * start.chance
            blackjack = column.behind.blackjack_after(start.row)
            if start.is_blackjack:
                num, den = rules.blackjack_pays
                net += chance * (1 - blackjack) * num / den
                staked += chance
                continue
            worth = player.worth(start)
            if column.behind.checked:
                net += chance * ((1 - blackjack) * worth.value - blackjack)
                staked += chance * ((1 - blackjack) * worth.staked + blackjack)
            else:
                net += chance * worth.value
                staked += chance * worth.staked
    return Return(net, staked)


class _BestPlay:
    """Every hand plays its own best; a free bet is no money staked."""

    def __init__(self, column: UpCard) -> None:
        self.column = column

    def worth(self, start: Start) -> Worth:
        column, rules, row = self.column, self.column.rules, start.row
        options = [Worth(float(column.best[row]), 1.0)]
        double = float(column.double[row])
        options.append(Worth(double, 1.0 if _free_double(column.behind, row) else 2.0))
        if start.is_pair:
            options.append(self._split(start.classes[0]))
        if rules.surrender:
            options.append(Worth(SURRENDERED, 1.0))
        return max(options, key=lambda worth: worth.value)

    def _split(self, pair: int) -> Worth:
        column = self.column
        value = column.split[pair]
        if POINTS[pair] in column.rules.free_split:
            return Worth(value, 1.0)
        hand = SplitHand(column.rules, column.left, column.up, pair)
        return Worth(value, 2 * _split_stake(hand, None))


def _free_double(behind: Behind, row: int) -> bool:
    tree = behind.tree
    return int(tree.total[row]) in behind.rules.free_double and not tree.soft[row]


def _split_stake(hand: SplitHand, doubles: Floats | None) -> float:
    """What is staked on one hand of a split; `doubles` marks the two-card hands that double, None for the best."""
    behind = hand.behind
    if hand.pair == ACE or not behind.rules.double_after_split:
        return 1.0
    if doubles is None:
        best, _ = behind.play(behind.stand, -1.0)
        doubles = (behind.double() > best).astype(np.float64)
    return hand.after_second_card(1.0 + doubles)


class _TablePlay:
    """Every hand plays a table."""

    def __init__(self, column: UpCard, table: BestTable, free: BestTable, at: int) -> None:
        self.column = column
        self.table = table
        self.free = free
        self.at = at
        self._values = self._drawn(column.behind, table)[0]

    def _letters(self, behind: Behind, table: BestTable) -> list[str]:
        """The letter of each hand by its total; what no row names stands from 17."""
        tree = behind.tree
        rows = {False: table.hard, True: table.soft}
        default = {total: "S" * 10 if total >= 17 else "H" * 10 for total in range(2, 22)}
        return [
            rows[bool(soft)].get(int(total), default[int(total)])[self.at]
            for total, soft in zip(tree.total, tree.soft, strict=True)
        ]

    def _drawn(
        self, behind: Behind, table: BestTable, free: bool = False
    ) -> tuple[Floats, Floats, list[str]]:
        """The values of hitting and standing as the table says, those of standing, and the letters."""
        letters = self._letters(behind, table)
        policy = np.array([HIT if letter in "HDR" else STAND for letter in letters], dtype=np.int8)
        policy[behind.policy == STAND] = STAND
        stand, bust = (behind.win, 0.0) if free else (behind.stand, -1.0)
        value, _ = behind.play(stand, bust, policy)
        return value, stand, letters

    def worth(self, start: Start) -> Worth:
        column, row = self.column, start.row
        letter = self._letter(start)
        if letter == "P":
            return self._split(start.classes[0])
        if letter in "Dd":
            return Worth(float(column.double[row]), 1.0 if _free_double(column.behind, row) else 2.0)
        if letter in "Rr":
            return Worth(SURRENDERED, 1.0)
        if letter == "S":
            return Worth(float(column.behind.stand[row]), 1.0)
        return Worth(float(self._hit(row)), 1.0)

    def _letter(self, start: Start) -> str:
        if start.is_pair:
            return self.table.pairs[POINTS[start.classes[0]]][self.at]
        tree = self.column.behind.tree
        rows = self.table.soft if tree.soft[start.row] else self.table.hard
        return rows[int(tree.total[start.row])][self.at]

    def _hit(self, row: int) -> float:
        return float(self.column.behind.one_card(self._values, -1.0)[row])

    def _split(self, pair: int) -> Worth:
        column, rules = self.column, self.column.rules
        hand = SplitHand(rules, column.left, column.up, pair)
        value, staked = self._split_hand(hand)
        if POINTS[pair] in rules.free_split:
            return Worth(value + self._free_hand(hand), 1.0)
        return Worth(2 * value, 2 * staked)

    def _split_hand(self, hand: SplitHand) -> Worth:
        behind = hand.behind
        if hand.pair == ACE:
            return Worth(hand.after_second_card(behind.stand), 1.0)
        value, _, letters = self._drawn(behind, self.table)
        if not behind.rules.double_after_split:
            return Worth(hand.after_second_card(value), 1.0)
        doubles = np.array([letter in "Dd" for letter in letters]) & (behind.policy != STAND)
        return Worth(
            hand.after_second_card(np.where(doubles, behind.double(), value)),
            _split_stake(hand, doubles.astype(np.float64)),
        )

    def _free_hand(self, hand: SplitHand) -> float:
        behind = hand.behind
        if hand.pair == ACE:
            return hand.after_second_card(behind.win)
        value, _, _ = self._drawn(behind, self.free, free=True)
        return hand.after_second_card(value)


class GameValues(NamedTuple):
    """The returns of a game's main bet: by its best table, and by composition-dependent play."""

    table: Return
    best: Return
    #: Free Bet: with a table of its own for the free split hand (RET-05).
    own_free_table: Return | None


@cache
def game_tables(rules: Rules) -> Tables:
    """The best tables of a game, kept for the next time."""
    return Tables(rules, [UpCard(rules, up) for up in COLUMNS])


def game_values(rules: Rules) -> GameValues:
    """The exact returns of a game's main bet."""
    tables = game_tables(rules)
    return GameValues(
        table_return(tables.columns, tables.best),
        best_return(tables.columns),
        table_return(tables.columns, tables.best, tables.free) if tables.free else None,
    )
