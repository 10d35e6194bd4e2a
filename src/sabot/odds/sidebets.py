"""The returns of the side bets, exactly: those that the first cards decide, Buster, the Link bonus (RET-07, RET-08)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, inf, prod, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from sabot.cards import DECK_SIZE
from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet, dealer_bust, lucky, pair, three_cards
from sabot.odds.bonus import blackjack_chance, bonus_distribution
from sabot.odds.classes import (
    ACE,
    BEST,
    CLASSES,
    NONE,
    TEN,
    Counts,
    Floats,
    Ints,
    dealer_total,
    with_one_more,
)
from sabot.odds.main_results import UNDRAWN_BUSTS
from sabot.odds.tree import BUST_SIZES, bust_trie

if TYPE_CHECKING:
    from sabot.odds.distribution import FinalHands, SplitPairs


@cache
def category_counts(judge: str, decks: int) -> dict[str, int]:
    """How many of all hands, cards of one kind told apart, fall in each category of a judge.

    >>> category_counts("hand-pair", 6)["perfect"]
    780
    """
    judges = {"poker": three_cards, "lucky": lucky, "hand-pair": pair, "dealer-pair": pair}
    if judge not in judges:
        raise ValueError(f"{judge!r} is not decided by the first cards: {', '.join(judges)} are")
    decide = judges[judge]
    size = 2 if decide is pair else 3
    counts: Counter[str] = Counter()
    for cards in combinations_with_replacement(range(DECK_SIZE), size):
        ways = prod(comb(decks, times) for times in Counter(cards).values())
        counts[decide(*cards)] += ways  # type: ignore[operator]  # a judge of two or of three cards
    return dict(counts)


class Moments(NamedTuple):
    """The expected return of a side bet, stake included, and its standard deviation, per stake."""

    expected: float
    sd: float


@cache
def side_bet_moments(bet: SideBet, rules: Rules, max_multiple: float = inf) -> Moments:
    """The return of a side bet and its standard deviation; wins above a multiple of the stake are cut to it.

    >>> from sabot.games import find
    >>> rules = find("majority-eu").rules
    >>> {bet.name: f"{side_bet_moments(bet, rules).expected:.4f}" for bet in rules.side_bets[:3]}
    {'21+3': '0.9630', 'player-pair': '0.9590', 'dealer-pair': '0.9590'}
    """
    pays, chances = side_bet_wins(bet, rules)
    back = 1 + np.minimum(pays, max_multiple)
    expected = float(chances @ back)
    return Moments(expected, sqrt(float(chances @ back**2) - expected**2))


def side_bet_wins(bet: SideBet, rules: Rules) -> tuple[Floats, Floats]:
    """What a bet can win, to 1, with the chance of each."""
    if bet.judge == "bonus":
        if rules.bonus is None:
            raise ValueError(f"{rules.name} has a bet {bet.name!r} and no bonus for it")
        chances = blackjack_chance(rules.decks) * bonus_distribution(rules.bonus)
        return np.arange(len(chances), dtype=np.float64), chances
    found: Mapping[str, float | Fraction]
    if bet.judge == "dealer-bust":
        found = category_chances(rules.decks, rules.dealer_hits_soft_17)
        if not rules.buster_keeps_dealer:
            undrawn = undrawn_busts(rules)
            found = {
                category: float(chance) - undrawn.get(category, 0.0) for category, chance in found.items()
            }
    else:
        counts = category_counts(bet.judge, rules.decks)
        whole = sum(counts.values())
        found = {category: Fraction(count, whole) for category, count in counts.items()}
    pays = [float(prize) for _, prize in bet.prizes]
    return np.array(pays), np.array([float(found.get(category, 0)) for category, _ in bet.prizes])


# Buster: the chance that the dealer busts, by number of cards (SB-13, RET-08)


def bust_chances(left: Counts, hits_soft_17: bool = False) -> dict[int, Fraction]:
    """The chance of a dealer bust by its number of cards; all cards, the up card too, come from those left.

    >>> chances = bust_chances((*[32] * 9, 128))
    >>> round(float(sum(chances.values())), 4)
    0.2818
    """
    chances: dict[int, Fraction] = {}
    drawing: dict[Counts, Fraction] = {NONE: Fraction(1)}
    whole, size = sum(left), 0
    while drawing:
        longer: dict[Counts, Fraction] = {}
        size += 1
        for drawn, chance in drawing.items():
            for which in range(CLASSES):
                cards = left[which] - drawn[which]
                if cards <= 0:
                    continue
                hand = with_one_more(drawn, which)
                reached = chance * Fraction(cards, whole - size + 1)
                total, draws = dealer_total(hand, hits_soft_17)
                if total > BEST:
                    chances[size] = chances.get(size, Fraction(0)) + reached
                elif draws:
                    longer[hand] = longer.get(hand, Fraction(0)) + reached
        drawing = longer
    return chances


@cache
def category_chances(decks: int, hits_soft_17: bool = False) -> dict[str, Fraction]:
    """The chance of each Buster category, with and without a player's blackjack; the rest loses.

    The dealer's cards follow one distribution whatever the players draw, so only the hand's first two cards count.
    """
    shoe = (*[4 * decks] * (CLASSES - 1), 16 * decks)
    whole = sum(shoe)
    natural = Fraction(2 * shoe[ACE] * shoe[TEN], whole * (whole - 1))
    gone = tuple(count - (which in (ACE, TEN)) for which, count in enumerate(shoe))
    with_natural = {cards: natural * chance for cards, chance in bust_chances(gone, hits_soft_17).items()}
    chances: dict[str, Fraction] = {}
    for cards, chance in bust_chances(shoe, hits_soft_17).items():
        beside = with_natural.get(cards, Fraction(0))
        for category, part in (
            (dealer_bust(cards, True), beside),
            (dealer_bust(cards, False), chance - beside),
        ):
            chances[category] = chances.get(category, Fraction(0)) + part
    return chances


def _both_bust(split: SplitPairs, dealer: Floats) -> Floats:
    """The chance that both hands of a split are bust and the dealer busts, by the number of the dealer's cards."""
    from sabot.odds.distribution import ANY, ANY_DOUBLE

    columns = 3 * np.arange(dealer.shape[1])

    def ends(hands: FinalHands) -> Ints:
        """Return a code for each end: 0 not bust, 1 any hand, 2 a double; each number of dealer cards has its own three."""
        ended = hands.ends[:, 0]
        code = np.where(ended == ANY, 1, np.where(ended == ANY_DOUBLE, 2, 0))
        return code[:, None] + columns

    counted = split.gather(ends(split.first), ends(split.second), dealer, 3 * dealer.shape[1])
    stood, whole = columns, columns + 1
    # Both bust: all, less those in which the first is not, or the second, and what that takes away twice.
    return counted[whole, whole] - counted[stood, whole] - counted[whole, stood] + counted[stood, stood]


def undrawn_busts(rules: Rules) -> dict[str, float]:
    """Return, for each Buster category, the chance that the dealer would bust and does not draw (MAJ-06).

    One hand is dealt and follows the best table; the dealer does not draw when it is bust. Where more boxes are played the
    dealer draws more often.
    """
    return UNDRAWN_BUSTS.get(rules.sha256) or computed_undrawn_busts(rules)


@cache
def computed_undrawn_busts(rules: Rules) -> dict[str, float]:
    """Compute `undrawn_busts`; this loads a compiler."""
    from sabot.odds.distribution import SplitPairs, counts_of  # these load a compiler
    from sabot.odds.game import game_tables, table_plans
    from sabot.odds.kernel import dealer_chances

    tables = game_tables(replace(rules, buster_keeps_dealer=True))
    chances = np.zeros(len(BUST_SIZES))
    for column, plan in zip(tables.columns, table_plans(tables.columns, tables.best), strict=True):
        sizes = range(len(BUST_SIZES))
        behind, tree = column.behind, column.behind.tree
        trie = bust_trie(column.up, rules.dealer_hits_soft_17)
        busts = np.zeros((len(tree.counts), len(BUST_SIZES)))
        dealer_chances(behind.left, tree.counts, behind.rows, *trie, busts)
        if behind.checked:  # the hand is played after a check without blackjack
            cards = behind.left - tree.counts
            busts *= (cards.sum(axis=1) / (cards.sum(axis=1) - cards[:, behind.hidden]))[:, None]
        policy = plan.policy(behind, free=False)
        # The dealer's chance to bust is the same before the hand draws and on average after it. What is missing
        # afterwards belongs to hands that went bust.
        doubled = np.column_stack([behind.one_card(busts[:, n].copy(), 0.0) for n in sizes])
        played = [behind.play(busts[:, n].copy(), 0.0, policy)[0] for n in sizes]
        drawn = np.column_stack([behind.one_card(values, 0.0) for values in played])
        for start in column.starts:
            chance, row = column.chance * start.chance, start.row
            letter = "S" if start.is_blackjack else plan.letter(start)
            if letter == "P":
                split = SplitPairs(column, plan, start.classes[0])
                after = np.zeros((len(split.unions), len(BUST_SIZES)))
                rows = np.arange(len(split.unions), dtype=np.int32)
                dealer_chances(split.left, counts_of(split.unions), rows, *trie, after)
                chances += chance * _both_bust(split, after)
            elif letter in "DH":
                if behind.checked:
                    chance *= 1 - behind.blackjack_after(row)
                chances += chance * (busts[row] - (doubled if letter == "D" else drawn)[row])
    found: dict[str, float] = {}
    for size, missing in zip(BUST_SIZES, chances, strict=True):
        category = dealer_bust(size, False)
        found[category] = found.get(category, 0.0) + float(missing)
    return found
