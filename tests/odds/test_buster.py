"""Buster Blackjack, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from sabot.games import find
from sabot.games.sidebets import BUSTER
from sabot.odds.sidebets import bust_chances, category_chances, side_bet_moments

RULES = find("majority-eu").rules


@pytest.mark.rule("RET-07", "RET-08")
def test_the_published_returns() -> None:
    """93.87 with a dealer who stands on soft 17, as ours does; 96.27 is what one who draws on it would give."""
    assert f"{100 * side_bet_moments(BUSTER, RULES).expected:.2f}" == "93.87"
    drawing = replace(RULES, dealer_hits_soft_17=True)
    assert f"{100 * side_bet_moments(BUSTER, drawing).expected:.2f}" == "96.27"


def test_categories_add_up_to_the_busts() -> None:
    assert sum(category_chances(8).values()) == sum(bust_chances((*[32] * 9, 128)).values())
    assert set(category_chances(8)) >= {"3-4", "5", "6", "7", "7-blackjack", "8+", "8+-blackjack"}


def test_a_shoe_that_can_be_counted_by_hand() -> None:
    """Three sixes and a ten: 6-6 and then a six stand on 18, a ten busts with three cards; 6-10 and a six bust."""
    left = (0, 0, 0, 0, 0, 3, 0, 0, 0, 1)
    # the ten is third of the first three: 6 6 10 (22); second or first: 16, then a six (22)
    assert bust_chances(left) == {3: Fraction(3, 4)}


def test_the_deviation() -> None:
    expected, deviation = side_bet_moments(BUSTER, RULES)
    chances = category_chances(8)
    squares = sum(float(chance) * (1 + BUSTER.prize(name)) ** 2 for name, chance in chances.items())
    assert deviation == pytest.approx((squares - expected**2) ** 0.5)
