"""The exact value of every player hand behind one up card: cards are drawn without replacement, every hand plays its best.

Values are net results in initial stakes. If the dealer checks under this up card, they are the values after a check
that found no blackjack; otherwise they include a dealer blackjack (COM-47).
"""

from functools import cached_property

import numpy as np

from sabot.games.rules import Action, Rules
from sabot.odds import kernel
from sabot.odds.classes import ACE, BEST, NONE, POINTS, TEN, Floats, blackjack_class, with_one_more
from sabot.odds.tree import BLACKJACK, OUTCOMES, Int8, Int32, dealer_trie, hand_tree

STAND, HIT, EITHER = 0, 1, 2
SURRENDERED = -0.5


def dealer_chances(rules: Rules, up: int, left: Floats, hands: Int8, rows: Int32) -> Floats:
    """The chance of each dealer outcome for the hands in some rows, each gone from the cards left."""
    trie = dealer_trie(up, rules.dealer_hits_soft_17, rules.dealer_22_pushes)
    chances = np.zeros((len(hands), OUTCOMES))
    kernel.dealer_chances(left, hands, rows, *trie, chances)
    return chances


class Behind:
    """The hands behind an up card; `left` are all cards without the up card, the hand's own cards included.

    With `pair`, the hands are those of a split: they hold a card of that class, and its twin is gone too.
    """

    def __init__(
        self, rules: Rules, left: Floats, up: int, pair: int | None = None, *, stand_everywhere: bool = False
    ) -> None:
        self.rules, self.up, self.pair = rules, up, pair
        self.left = left.astype(np.float64)
        #: Whether the dealer checks for a blackjack under this up card.
        self.checked = {ACE: "ace", TEN: "ten"}.get(up) in rules.checks
        tree = self.tree = hand_tree()
        hidden = blackjack_class(up) if self.checked else None
        self.hidden = -1 if hidden is None else hidden
        self.rows: Int32 = self._rows_of_interest()
        rows = self.rows
        # A hand that no card can bust does not stand, except with the three cards of a double.
        must_draw = (
            (tree.total < 12) & (tree.size > 3) if not stand_everywhere else np.zeros(len(tree.size), bool)
        )
        if rules.charlie:
            must_draw &= tree.size < rules.charlie
        standing = rows[~must_draw[rows]]
        chances = dealer_chances(rules, up, self.left, tree.counts, standing)
        #: The chance of a dealer blackjack, known to be none after a check.
        self.blackjack = chances[:, BLACKJACK]
        #: The chances to win and to lose by standing, of a Charlie its own (COM-46, FRB-07).
        self.win, self.lose = np.zeros(len(chances)), np.zeros(len(chances))
        kernel.compare(
            chances, standing, tree.total, tree.size, rules.charlie, self.checked, self.win, self.lose
        )
        self.stand: Floats = self.win * (rules.win_pays[0] / rules.win_pays[1]) - self.lose
        self.policy = np.full(len(tree.counts), EITHER, dtype=np.int8)
        self.policy[must_draw] = HIT
        # A soft 21 one card short of a Charlie may draw (COM-45): no card busts it.
        self.policy[(tree.total == BEST) & ~(tree.soft & (tree.size == rules.charlie - 1))] = STAND
        if rules.charlie:
            self.policy[tree.size >= rules.charlie] = STAND

    def _rows_of_interest(self) -> Int32:
        tree, rules = self.tree, self.rules
        keep = np.ones(len(tree.counts), dtype=bool)
        if rules.charlie:
            keep &= tree.size <= rules.charlie
        if self.pair is not None:
            keep &= tree.counts[:, self.pair] > 0
            if self.pair == ACE:
                keep &= tree.size <= 2
        return np.flatnonzero(keep).astype(np.int32)

    # Playing on

    def play(self, stand: Floats, bust: float, policy: Int8 | None = None) -> tuple[Floats, Floats]:
        """The values of playing on and of drawing, for given values of standing and of a bust."""
        tree = self.tree
        best, hit = np.zeros(len(stand)), np.zeros(len(stand))
        chosen = self.policy if policy is None else policy
        kernel.hit_values(
            self.left, tree.counts, tree.next, self.rows, self.hidden, stand, bust, best, hit, chosen
        )
        return best, hit

    def one_card(self, ended: Floats, bust: float, size: int = 2) -> Floats:
        """The value of exactly one more card for the hands of a size."""
        tree = self.tree
        rows = self.rows[tree.size[self.rows] == size]
        value = np.full(len(ended), -np.inf)
        kernel.one_card_values(self.left, tree.counts, tree.next, rows, self.hidden, ended, bust, value)
        return value

    def double(self) -> Floats:
        """The value of a double on two cards, free where the game gives it (COM-43, COM-47, FRB-04)."""
        rules, tree = self.rules, self.tree
        refund = self.blackjack if rules.ten_up_returns_double and self.up == TEN else 0.0
        value = self.one_card(2 * self.stand + refund, -2.0)
        if rules.free_double:
            free = np.isin(tree.total, rules.free_double) & ~tree.soft
            value = np.where(free, self.one_card(2 * self.win - self.lose, -1.0), value)
        return value

    def is_free_double(self, row: int) -> bool:
        """Whether the double of a two-card hand is a free bet (FRB-04)."""
        return int(self.tree.total[row]) in self.rules.free_double and not self.tree.soft[row]

    # Reading

    def row(self, classes: tuple[int, ...]) -> int:
        """The row of a hand given by the classes of its cards."""
        counts = NONE
        for which in classes:
            counts = with_one_more(counts, which)
        return self.tree.rows[counts]

    def blackjack_after(self, row: int) -> float:
        """The chance that the unseen second card makes a blackjack, before any check, after a hand's cards."""
        which = blackjack_class(self.up)
        if which is None:
            return 0.0
        cards = self.left - self.tree.counts[row]
        return float(cards[which] / cards.sum())


class SplitHand:
    """One hand of a split pair, played alone (RET-04), with an own stake or free."""

    def __init__(self, rules: Rules, left: Floats, up: int, pair: int) -> None:
        gone = left.copy()
        gone[pair] -= 1
        self.behind = Behind(rules, gone, up, pair)
        self.pair = pair
        self.root = self.behind.row((pair,))

    def after_second_card(self, value: Floats) -> float:
        """The value of the hand, given that of each hand of two cards."""
        behind = self.behind
        return float(behind.one_card(value, 0.0, size=1)[self.root])

    def best(self) -> float:
        """The value with an own stake."""
        behind = self.behind
        if self.pair == ACE:
            return self.after_second_card(behind.stand)
        value, _ = behind.play(behind.stand, -1.0)
        if behind.rules.double_after_split:
            value = np.where(behind.policy == STAND, value, np.maximum(value, behind.double()))
        return self.after_second_card(value)

    def free(self, policy: Int8 | None = None) -> float:
        """The value with a free bet, which loses nothing, by its best play or a policy (FRB-06)."""
        behind = self.behind
        if self.pair == ACE:
            return self.after_second_card(behind.win)
        value, _ = behind.play(behind.win, 0.0, policy)
        return self.after_second_card(value)

    @cached_property
    def both(self) -> float:
        """The value of the split: two own hands, or an own and a free one (FRB-06)."""
        if POINTS[self.pair] in self.behind.rules.free_split:
            return self.best() + self.free()
        return 2 * self.best()


def action_values(behind: Behind, row: int) -> dict[Action, float]:
    """The value of every action that the cards allow; a Charlie stands, and so does a 21 that cannot become one."""
    tree, rules = behind.tree, behind.rules
    values: dict[Action, float] = {"stand": float(behind.stand[row])}
    if behind.policy[row] == STAND:
        return values
    _, hit = behind.play(behind.stand, -1.0)
    values["hit"] = float(hit[row])
    counts = tree.counts[row]
    if tree.size[row] == 2:
        values["double"] = float(behind.double()[row])
        if counts.max() == 2:
            pair = int(np.flatnonzero(counts == 2)[0])
            values["split"] = SplitHand(rules, behind.left, behind.up, pair).both
        if rules.surrender:
            values["surrender"] = SURRENDERED
    return values
