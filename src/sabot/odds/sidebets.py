"""The returns of the side bets, exactly; the counts of those that the first cards decide (RET-07)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, inf, prod, sqrt
from typing import NamedTuple

import numpy as np

from sabot.cards import DECK_SIZE
from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet, lucky, pair, three_cards
from sabot.odds.bonus import blackjack_chance, bonus_distribution
from sabot.odds.buster import category_chances
from sabot.odds.classes import Floats


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
    pays, chances = _wins(bet, rules)
    back = 1 + np.minimum(pays, max_multiple)
    expected = float(chances @ back)
    return Moments(expected, sqrt(float(chances @ back**2) - expected**2))


def _wins(bet: SideBet, rules: Rules) -> tuple[Floats, Floats]:
    """What a bet can win, to 1, with the chance of each."""
    if bet.judge == "bonus":
        if rules.bonus is None:
            raise ValueError(f"{rules.name} has a bet {bet.name!r} and no bonus for it")
        chances = blackjack_chance(rules.decks) * bonus_distribution(rules.bonus)
        return np.arange(len(chances), dtype=np.float64), chances
    if bet.judge == "dealer-bust":
        found = category_chances(rules.decks, rules.dealer_hits_soft_17)
    else:
        counts = category_counts(bet.judge, rules.decks)
        whole = sum(counts.values())
        found = {category: Fraction(count, whole) for category, count in counts.items()}
    pays = [float(prize) for _, prize in bet.prizes]
    return np.array(pays), np.array([float(found.get(category, 0)) for category, _ in bet.prizes])
