"""The exact distribution of a round's result, for a hand that follows a table or plays its best.

The two hands of a split share the shoe and the dealer. As each hand is played by its own cards only, every order of the
cards of both has the same chance, and the dealer's hand depends only on which cards are gone. So pairs of final hands
are grouped by the cards they hold together.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.odds import kernel
from sabot.odds.classes import ACE, CLASSES, POINTS, STANDS, TEN, Floats, Ints
from sabot.odds.draws import falling
from sabot.odds.game import table_plans
from sabot.odds.plan import Plan
from sabot.odds.table import TwoCards, UpCard
from sabot.odds.tree import BLACKJACK, OUTCOMES, TWENTY_TWO, Int8
from sabot.odds.values import HIT, SplitHand, dealer_chances

#: Results are counted in half stakes, from -8 (two doubled hands lost) to 8.
LEAST, MOST = -8, 8
SIZE = MOST - LEAST + 1
#: The dealer's results: 17 to 21, 22, a blackjack, a higher bust.
MEETINGS = OUTCOMES + 1


class Distribution(NamedTuple):
    """The chance of each net result, in half initial bets from -8 up."""

    chances: Floats

    @property
    def mean(self) -> float:
        """The expected net result per initial bet."""
        return float(self.chances @ np.arange(LEAST, MOST + 1)) / 2

    @property
    def sd(self) -> float:
        """The standard deviation per initial bet."""
        results = np.arange(LEAST, MOST + 1) / 2
        return sqrt(float(self.chances @ results**2) - self.mean**2)

    def items(self) -> list[tuple[float, float]]:
        """The results that can happen, with their chances."""
        return [(half / 2, float(c)) for half, c in enumerate(self.chances, LEAST) if c > 0]


def table_distribution(columns: Sequence[UpCard], table: BestTable) -> Distribution:
    """The results of a total-dependent table."""
    return plan_distribution(columns, table_plans(columns, table))


def plan_distribution(columns: Sequence[UpCard], plans: Sequence[Plan]) -> Distribution:
    """The results of any plan."""
    chances = np.zeros(SIZE)
    for column, plan in zip(columns, plans, strict=True):
        player = _PlanResults(column, plan)
        for start in column.starts:
            chance = column.chance * start.chance
            blackjack = column.behind.blackjack_after(start.row)
            if start.is_blackjack:
                num, den = column.rules.blackjack_pays
                chances[2 * num // den - LEAST] += chance * (1 - blackjack)
                chances[-LEAST] += chance * blackjack
                continue
            if column.behind.checked:
                chances[-2 - LEAST] += chance * blackjack
                chance *= 1 - blackjack
            chances += chance * player.results(start)
    return Distribution(chances)


class _PlanResults:
    """A plan carried out against one up card."""

    def __init__(self, column: UpCard, plan: Plan) -> None:
        self.column = column
        self.plan = plan
        behind = column.behind
        policy = plan.policy(behind, free=False)
        self._hit_wins = behind.one_card(behind.play(behind.win, 0.0, policy)[0], 0.0)
        self._hit_losses = behind.one_card(behind.play(behind.lose, 1.0, policy)[0], 1.0)

    def results(self, start: TwoCards) -> Floats:
        """The results of one deal, after the check where there is one."""
        behind, row = self.column.behind, start.row
        match self.plan.letter(start):
            case "P":
                return _split_results(self.column, self.plan, start.classes[0])
            case "R":
                return _at({-1: 1.0})
            case "D":
                return _double_results(self.column, row)
            case "S":
                win, lose = float(behind.win[row]), float(behind.lose[row])
            case _:
                win, lose = float(self._hit_wins[row]), float(self._hit_losses[row])
        return _at({2: win, -2: lose, 0: 1 - win - lose})


def _at(chances: dict[int, float]) -> Floats:
    results = np.zeros(SIZE)
    for half, chance in chances.items():
        results[half - LEAST] += chance
    return results


def _double_results(column: UpCard, row: int) -> Floats:
    behind, rules = column.behind, column.rules
    win = float(behind.one_card(behind.win, 0.0)[row])
    lose = float(behind.one_card(behind.lose, 1.0)[row])
    push = 1 - win - lose
    if behind.is_free_double(row):
        return _at({4: win, -2: lose, 0: push})
    if rules.ten_up_returns_double and column.up == TEN:
        refunded = float(behind.one_card(behind.blackjack, 0.0)[row])
        return _at({4: win, -4: lose - refunded, -2: refunded, 0: push})
    return _at({4: win, -4: lose, 0: push})


# Splits

#: The ends of one hand of a split: won, lost, pushed; the same doubled, or with the added stake returned (COM-47);
#: bust with one stake or with two. The first seven are counted; the busts are the rest.
WON, LOST, PUSHED, DOUBLE_WON, DOUBLE_LOST, DOUBLE_PUSHED, RETURNED, BUST, DOUBLE_BUST = range(9)
#: Counted in place of the busts: any end of a doubled hand, and any end.
ANY_DOUBLE, ANY = 7, 8


class FinalHands(NamedTuple):
    """The counted ends of one hand of a split: the cards drawn, in how many orders, and the end."""

    drawn: Ints
    orders: Floats
    #: The end against each dealer outcome.
    ends: Ints


def _split_results(column: UpCard, plan: Plan, pair: int) -> Floats:
    free = POINTS[pair] in column.rules.free_split
    split = SplitPairs(column, plan, pair)
    dealer = _dealer_after(column, split.left, split.unions)
    counted = split.gather(split.first.ends, split.second.ends, dealer, size=9)
    joint = _FROM_COUNTED @ (counted / counted[ANY, ANY]) @ _FROM_COUNTED.T
    own, other = _halves(free=False), _halves(free)
    results = np.zeros(SIZE)
    for one in range(9):
        for two in range(9):
            results[own[one] + other[two] - LEAST] += joint[one, two]
    return results


class SplitPairs:
    """Every pair of final hands of a split, with its chance, grouped by the cards that both drew."""

    def __init__(self, column: UpCard, plan: Plan, pair: int) -> None:
        hand = column.split_hand(pair)
        self.first = _final_hands(column, plan, hand, free=False)
        free = POINTS[pair] in column.rules.free_split
        self.second = _final_hands(column, plan, hand, free=True) if free else self.first
        #: The cards left without the up card and the pair.
        self.left = column.left.copy()
        self.left[pair] -= 2
        first, second = self.first, self.second
        most = int(first.drawn.sum(axis=1).max() + second.drawn.sum(axis=1).max())
        whole = falling(self.left.sum(keepdims=True), 0, most)[0, 0]
        classes = falling(self.left, 0, most)[:, 0]
        slots = 1 << (2 * len(first.drawn) * len(second.drawn)).bit_length()
        #: The sets of cards that pairs drew, coded five bits a class.
        self.unions, self._places, self._chances = kernel.pair_chances(
            first.drawn, first.orders, second.drawn, second.orders, classes, whole, slots
        )

    def gather(self, first: Ints, second: Ints, dealer: Floats, size: int) -> Floats:
        """The chance of each pair of ends; `dealer` has the chance of each dealer outcome after each of the unions."""
        out = np.zeros((size, size))
        kernel.gather(self._chances, self._places, first, second, dealer, out)
        return out


def _from_counted() -> Floats:
    """The matrix that turns counts into the nine ends: a bust is any end minus the others."""
    matrix = np.eye(9)
    matrix[BUST] = 0.0
    matrix[BUST, [ANY, ANY_DOUBLE, WON, LOST, PUSHED]] = (1, -1, -1, -1, -1)
    matrix[DOUBLE_BUST] = 0.0
    matrix[DOUBLE_BUST, [ANY_DOUBLE, DOUBLE_WON, DOUBLE_LOST, DOUBLE_PUSHED, RETURNED]] = (1, -1, -1, -1, -1)
    return matrix


_FROM_COUNTED = _from_counted()


def _halves(free: bool) -> tuple[int, ...]:
    """The result of each end in half stakes; a free hand has nothing to lose (FRB-06)."""
    return (2, 0, 0, 0, 0, 0, 0, 0, 0) if free else (2, -2, 0, 4, -4, 0, -2, -2, -4)


def _dealer_after(column: UpCard, left: Floats, unions: Ints) -> Floats:
    """The chance of each dealer outcome after sets of cards; after a check, of no blackjack."""
    gone = counts_of(unions)
    rows = np.arange(len(gone), dtype=np.int32)
    out = dealer_chances(column.rules, column.up, left, gone, rows)
    higher = 1 - out.sum(axis=1)
    if column.behind.checked:
        out[:, BLACKJACK] = 0.0
    return np.column_stack([out, higher])


def counts_of(unions: Ints) -> Int8:
    """Sets of cards, coded five bits a class, as counts by class."""
    return ((unions[:, None] >> (5 * np.arange(CLASSES))) & 31).astype(np.int8)


def _final_hands(column: UpCard, plan: Plan, hand: SplitHand, free: bool) -> FinalHands:
    """Follow the plan from the single card to every end except busts; count any double and any end too."""
    behind, tree, rules = hand.behind, hand.behind.tree, column.rules
    nothing = np.zeros(len(tree.counts), dtype=bool)
    draws = plan.policy(behind, free) == HIT if hand.pair != ACE else nothing
    doubles = plan.doubles(behind) if hand.pair != ACE and rules.double_after_split else nothing
    drawn = [np.zeros(CLASSES, dtype=np.int64)]
    orders, ends = [1.0], [[ANY] * MEETINGS]

    def end(row: int, ways: float, ended: list[int]) -> None:
        counts = tree.counts[row].astype(np.int64)
        counts[hand.pair] -= 1
        drawn.append(counts)
        orders.append(ways)
        ends.append(ended)

    def totals(row: int, doubled: bool, charlie: bool = False) -> list[int]:
        total = int(tree.total[row])
        return [_end(rules, column.up, total, charlie, doubled, met) for met in range(MEETINGS)]

    level, size = {hand.root: 1.0}, 1
    while level:
        longer: dict[int, float] = {}
        for row, ways in level.items():
            after = [int(one) for one in tree.next[row] if one >= 0]
            if size == 2 and doubles[row]:
                end(row, ways, [ANY_DOUBLE] * MEETINGS)
                for one in after:
                    end(one, ways, totals(one, doubled=True))
            elif size == 1 or draws[row]:
                for one in after:
                    longer[one] = longer.get(one, 0.0) + ways
            else:
                end(row, ways, totals(row, doubled=False, charlie=size == rules.charlie))
        level, size = longer, size + 1
    return FinalHands(np.array(drawn), np.array(orders), np.array(ends))


def _end(rules: Rules, up: int, total: int, charlie: bool, doubled: bool, met: int) -> int:
    """How a hand that is not bust ends against a dealer outcome."""
    won, lost, pushed = (DOUBLE_WON, DOUBLE_LOST, DOUBLE_PUSHED) if doubled else (WON, LOST, PUSHED)
    if met == BLACKJACK:
        return RETURNED if doubled and rules.ten_up_returns_double and up == TEN else lost
    if charlie or met == OUTCOMES:
        return won
    if met == TWENTY_TWO:
        return pushed if rules.dealer_22_pushes else won
    theirs = STANDS + met
    if total == theirs:
        return pushed
    return won if total > theirs else lost
