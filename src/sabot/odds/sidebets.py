"""The returns of the side bets, exactly: those that the first cards decide, Buster, the Link bonus (RET-07, RET-08)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, inf, prod, sqrt
from typing import NamedTuple

import numpy as np

from sabot.cards import DECK_SIZE
from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet, dealer_bust, lucky, pair, three_cards
from sabot.odds.bonus import blackjack_chance, bonus_distribution
from sabot.odds.classes import ACE, BEST, CLASSES, NONE, TEN, Counts, Floats, dealer_total, with_one_more


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
    if bet.judge == "dealer-bust":
        found = category_chances(rules.decks, rules.dealer_hits_soft_17)
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
