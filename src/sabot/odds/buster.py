"""Buster Blackjack: the exact chance that the dealer busts, by number of cards (SB-13, RET-08)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from sabot.games.sidebets import dealer_bust
from sabot.odds.classes import ACE, BEST, CLASSES, NONE, TEN, Counts, dealer_total, with_one_more


def shoe_counts(decks: int) -> Counts:
    """The number of cards of each class in full decks."""
    return (*[4 * decks] * (CLASSES - 1), 16 * decks)


def bust_chances(left: Counts, hits_soft_17: bool = False) -> dict[int, Fraction]:
    """The chance of a dealer bust by its number of cards; all cards, the up card too, come from those left.

    >>> chances = bust_chances(shoe_counts(8))
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
    shoe = shoe_counts(decks)
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
