"""Whole-game values: the return per stake and per initial bet (RET-01..04)."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.odds.classes import ACE, POINTS
from sabot.odds.plan import BestPlan, Plan, TablePlan
from sabot.odds.table import COLUMNS, TableSolver, TwoCards, UpCard
from sabot.odds.values import SURRENDERED, SplitHand


class Return(NamedTuple):
    """The expected net result and the expected own stakes, per initial bet."""

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


def table_plans(columns: Sequence[UpCard], table: BestTable, free: BestTable | None = None) -> list[Plan]:
    """A table against every up card; `free` is the table of the free split hand."""
    return [TablePlan(column, at, table, free or table) for at, column in enumerate(columns)]


def best_return(columns: Sequence[UpCard]) -> Return:
    """The return of composition-dependent best play."""
    return plan_return(columns, [BestPlan(column) for column in columns])


def table_return(columns: Sequence[UpCard], table: BestTable, free: BestTable | None = None) -> Return:
    """The return of a total-dependent table; `free` is the table of the free split hand."""
    return plan_return(columns, table_plans(columns, table, free))


def plan_return(columns: Sequence[UpCard], plans: Sequence[Plan]) -> Return:
    """The return of any plan."""
    net = staked = 0.0
    for column, plan in zip(columns, plans, strict=True):
        player = _PlanReturn(column, plan)
        for start in column.starts:
            chance = column.chance * start.chance
            blackjack = column.behind.blackjack_after(start.row)
            if start.is_blackjack:
                num, den = column.rules.blackjack_pays
                net += chance * (1 - blackjack) * num / den
                staked += chance
                continue
            worth = player.worth(start)
            if column.behind.checked:
                net += chance * ((1 - blackjack) * worth.net - blackjack)
                staked += chance * ((1 - blackjack) * worth.staked + blackjack)
            else:
                net += chance * worth.net
                staked += chance * worth.staked
    return Return(net, staked)


class _PlanReturn:
    """A plan carried out against one up card."""

    def __init__(self, column: UpCard, plan: Plan) -> None:
        self.column = column
        self.plan = plan
        behind = column.behind
        drawn, _ = behind.play(behind.stand, -1.0, plan.policy(behind, free=False))
        self.hit = behind.one_card(drawn, -1.0)

    def worth(self, start: TwoCards) -> Return:
        column, row = self.column, start.row
        match self.plan.letter(start):
            case "P":
                return self._split(start.classes[0])
            case "D":
                return Return(float(column.double[row]), 1.0 if column.behind.is_free_double(row) else 2.0)
            case "R":
                return Return(SURRENDERED, 1.0)
            case "S":
                return Return(float(column.behind.stand[row]), 1.0)
        return Return(float(self.hit[row]), 1.0)

    def _split(self, pair: int) -> Return:
        hand = self.column.split_hand(pair)
        own = self._split_hand(hand)
        if POINTS[pair] in self.column.rules.free_split:
            return Return(own.net + hand.free(self.plan.policy(hand.behind, free=True)), own.staked)
        return Return(2 * own.net, 2 * own.staked)

    def _split_hand(self, hand: SplitHand) -> Return:
        behind, plan = hand.behind, self.plan
        if hand.pair == ACE:
            return Return(hand.after_second_card(behind.stand), 1.0)
        value, _ = behind.play(behind.stand, -1.0, plan.policy(behind, free=False))
        if not behind.rules.double_after_split:
            return Return(hand.after_second_card(value), 1.0)
        doubles = plan.doubles(behind)
        return Return(
            hand.after_second_card(np.where(doubles, behind.double(), value)),
            hand.after_second_card(1.0 + doubles.astype(np.float64)),
        )


class GameValues(NamedTuple):
    """The returns of a game's main bet: by its best table, and by composition-dependent play."""

    table: Return
    best: Return
    #: Free Bet: with a table of its own for the free split hand (RET-05).
    own_free_table: Return | None


@cache
def game_tables(rules: Rules) -> TableSolver:
    """The best tables of a game, computed once."""
    return TableSolver(rules, [UpCard(rules, up) for up in COLUMNS])


def game_values(rules: Rules, tables: TableSolver | None = None) -> GameValues:
    """The exact returns of a game's main bet."""
    tables = tables or game_tables(rules)
    return GameValues(
        table_return(tables.columns, tables.best),
        best_return(tables.columns),
        table_return(tables.columns, tables.best, tables.free) if tables.free else None,
    )
