"""Buster Blackjack, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from sabot.games import find
from sabot.games.options import TableOptions
from sabot.games.sidebets import BUSTER
from sabot.games.tables import BEST_TABLES
from sabot.odds.returns import bet_returns, undrawn_buster_return
from sabot.odds.sidebets import bust_chances, category_chances, side_bet_moments, undrawn_busts
from sabot.simulate import simulate

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


# Where the dealer draws no more when every hand is bust (MAJ-06)

GAMES = ("majority-eu", "majority-us")


@pytest.mark.rule("MAJ-06", "RET-03")
@pytest.mark.slow  # many rounds
@pytest.mark.parametrize("game", GAMES)
def test_a_simulation_confirms_the_return_of_a_dealer_who_draws_no_more(game: str) -> None:
    rules = TableOptions(buster_keeps_dealer=False).played(find(game).rules)
    result = simulate(rules, 20_000_000, strategy=BEST_TABLES[game], seed=6, side_bets=["buster"])
    found = result.side_bets["buster"]
    assert abs(found.per_stake - undrawn_buster_return(find(game).rules)) < 4.5 * found.per_stake_error
    whole = category_chances(rules.decks)
    for category, undrawn in undrawn_busts(rules).items():
        chance = float(whole[category]) - undrawn
        error = (chance * (1 - chance) / result.rounds) ** 0.5
        assert abs(found.categories[category] / result.rounds - chance) < 4.5 * error, category


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize(("game", "expected"), [("majority-eu", "81.99"), ("majority-us", "82.01")])
def test_the_returns_of_a_table_are_those_it_plays_by(game: str, expected: str) -> None:
    """The other bets return the same, and what is published is not shown for a rule that is not played."""
    usual = {row.bet: row for row in bet_returns(find(game))}
    there = {row.bet: row for row in bet_returns(find(game), TableOptions(buster_keeps_dealer=False))}
    assert f"{100 * there['buster'].per_stake:.2f}" == expected
    assert (usual["buster"].published, there["buster"].published) == (0.9387, None)
    del usual["buster"], there["buster"]
    assert usual == there


def test_with_two_hands_the_dealer_draws_more_often() -> None:
    rules = TableOptions(buster_keeps_dealer=False).played(RULES)
    table = BEST_TABLES["majority-eu"]
    found = simulate(rules, 1_000_000, strategy=table, seed=2, hands=2, side_bets=["buster"]).side_bets[
        "buster"
    ]
    assert undrawn_buster_return(RULES) + 0.05 < found.per_stake < 0.9387
