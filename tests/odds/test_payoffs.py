"""The results of every bet, with exact chances, and faults in them (OFF-13)."""

from __future__ import annotations

import numpy as np
import pytest

from sabot.games import CATALOGUE, find
from sabot.games.rules import Rules
from sabot.odds.payoffs import bet_payoffs, bets_of, too_high, too_often

EVERY_BET = [
    pytest.param(game.rules, bet, id=f"{name} {bet}")
    for name, game in CATALOGUE.items()
    for bet in bets_of(game.rules)
]


@pytest.mark.parametrize(("rules", "bet"), EVERY_BET)
def test_the_chances_of_a_bet_are_all_there_is(rules: Rules, bet: str) -> None:
    payoffs = bet_payoffs(rules, bet)
    assert payoffs.chances.sum() == pytest.approx(1)
    assert payoffs.results.min() >= payoffs.least
    assert payoffs.mean <= payoffs.most + 1e-12


@pytest.mark.parametrize(("rules", "bet"), EVERY_BET)
def test_a_bet_has_its_published_return(rules: Rules, bet: str) -> None:
    published = CATALOGUE[rules.name].published_return(bet)
    if published is not None and (rules.name, bet) != ("cashback", "main"):  # RET-05
        assert bet_payoffs(rules, bet).per_stake == pytest.approx(published, abs=1.01e-4)


def test_a_pair_pays_what_it_says() -> None:
    payoffs = bet_payoffs(find("surrender").rules, "player-pair")
    # Of the 311 cards that can follow the first, 5 are the same card, 6 its colour, 12 of the other colours (SB-10).
    assert dict(zip(payoffs.results, payoffs.chances, strict=True)) == pytest.approx(
        {25: 5 / 311, 12: 6 / 311, 6: 12 / 311, -1: 288 / 311}
    )


def test_insurance_is_worth_most_beside_cards_that_are_no_tens() -> None:
    payoffs = bet_payoffs(find("link").rules, "insurance")
    assert payoffs.mean == pytest.approx(2 * 96 / 311 - 215 / 311)
    assert payoffs.most == pytest.approx(2 * 96 / 301 - 205 / 301)  # five hands of two cards, and the ace


def test_a_bet_that_the_game_has_not_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"surrender has no bet 'buster': it has main, insurance, player-pair"
    ):
        bet_payoffs(find("surrender").rules, "buster")


@pytest.mark.parametrize(("rules", "bet"), EVERY_BET)
def test_faults_raise_the_return_and_keep_the_chances(rules: Rules, bet: str) -> None:
    honest = bet_payoffs(rules, bet)
    often, high = too_often(honest, 0.01), too_high(honest, 0.02)
    assert often.chances.sum() == pytest.approx(1)
    wins = honest.results > 0
    assert often.chances[wins] == pytest.approx(1.01 * honest.chances[wins])
    paid = float(honest.chances[wins] @ (honest.results[wins] + 1))
    assert high.mean - honest.mean == pytest.approx(0.02 * paid)
    assert np.array_equal(high.results[~wins], honest.results[~wins])
