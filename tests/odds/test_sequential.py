"""The alarm of a return that is too high: valid however often it is looked at, and as fast as predicted (OFF-13)."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest

from sabot.games import CATALOGUE, find
from sabot.games.rules import Rules
from sabot.odds.payoffs import Payoffs, too_high, too_often
from sabot.odds.sequential import cumulants, expected_rounds, fold, give, growth, net_bounds, no_capital
from sabot.odds.watched import capital_of, watched, watched_bets

WATCHED = [
    pytest.param(game.rules, bet, id=f"{name} {bet}")
    for name, game in CATALOGUE.items()
    for bet in watched_bets(game.rules)
]


@pytest.mark.slow  # the exact distribution of every bet
@pytest.mark.rule("OFF-13")
@pytest.mark.parametrize(("rules", "bet"), WATCHED)
def test_nobody_can_expect_to_gain_if_the_rules_hold(rules: Rules, bet: str) -> None:
    payoffs, test = watched(rules, bet)
    factors = np.exp(test.log_factors(payoffs.results))
    assert (payoffs.chances @ factors <= 1 + 1e-12).all()


@pytest.mark.slow  # every play of every bet
@pytest.mark.rule("OFF-13")
@pytest.mark.parametrize(("rules", "bet"), WATCHED)
def test_nobody_gains_by_any_play_either(rules: Rules, bet: str) -> None:
    # Of all plays with a mean that the rules allow, take those with the widest results: the least, and a high one.
    payoffs, test = watched(rules, bet)
    if payoffs.played:
        for high in (1.0, 2.0, 8.0):
            chance = (payoffs.most - payoffs.least) / (high - payoffs.least)
            extreme = np.exp(test.log_factors(np.array([payoffs.least, high])))
            assert (np.array([1 - chance, chance]) @ extreme <= 1 + 1e-12).all()


@pytest.mark.parametrize(("rules", "bet"), WATCHED)
def test_nobody_is_ruined_by_the_worst_or_the_best_result(rules: Rules, bet: str) -> None:
    payoffs, test = watched(rules, bet)
    worst = np.array([payoffs.least, payoffs.results.max(), 1e6])
    assert (np.exp(test.log_factors(worst)) > 0.05).all()


def test_hands_that_share_their_cards_count_as_one_result() -> None:
    # Two bets on one dealer pair, of any two stakes: the mean of equal results is one of them, so nobody gains;
    # nor with a cap, because the cap of a mean is above the mean of caps.
    payoffs, test = watched(find("majority-eu").rules, "dealer-pair")
    for weight in (0.1, 0.5):
        pairs = np.add.outer(weight * payoffs.results, (1 - weight) * payoffs.results).ravel()
        chances = np.multiply.outer(payoffs.chances, payoffs.chances).ravel()
        assert (chances @ np.exp(test.log_factors(pairs)) <= 1 + 1e-12).all()


@pytest.mark.rule("OFF-13")
@pytest.mark.parametrize(("rules", "bet"), WATCHED)
def test_a_return_two_per_cent_too_high_is_found(rules: Rules, bet: str) -> None:
    if bet != "insurance":  # a player who looks at the cards can do as much
        payoffs, test = watched(rules, bet)
        best = float(growth(test, too_high(payoffs, 0.02)).max())
        excess = too_high(payoffs, 0.02).mean - test.means[0]
        # The fastest growth for a small excess over a mean is about excess^2 / (2 variance): at least half is reached.
        assert best > 0.5 * excess**2 / (2 * payoffs.sd**2)
        assert expected_rounds(test, payoffs, 1e-7) == inf


def test_a_return_too_low_is_found_where_nobody_decides() -> None:
    rules = find("majority-eu").rules
    pair, main = watched(rules, "21+3"), watched(rules, "main")
    assert expected_rounds(pair.test, too_often(pair.payoffs, -0.05), 1e-7) < 1e6
    assert expected_rounds(main.test, too_often(main.payoffs, -0.05), 1e-7) == inf  # people may play badly


@pytest.mark.rule("OFF-13")
def test_a_table_year_gives_out_a_thousandth() -> None:
    for game in CATALOGUE.values():
        lines = 2 * len(watched_bets(game.rules))  # in two currencies
        assert 366 * lines * capital_of(game.rules) == pytest.approx(0.001)


def test_a_day_brings_new_capital_and_the_old_stays() -> None:
    _, test = watched(find("surrender").rules, "main")
    first = give(test, no_capital(test), 0.004)
    second = give(test, first, 0.004)
    assert np.exp(first) == pytest.approx(np.full(4, 0.001))
    assert np.exp(second) == pytest.approx(np.full(4, 0.002))


def test_folding_in_parts_is_folding_at_once() -> None:
    payoffs, test = watched(find("surrender").rules, "main")
    results = np.random.default_rng(5).choice(payoffs.results, 1000, p=payoffs.chances)
    logs = give(test, no_capital(test), 1e-6)
    whole = fold(test, logs, results)
    half = fold(test, logs, results[:400])
    assert fold(test, half.logs, results[400:]).logs == pytest.approx(whole.logs)
    assert whole.alarm == -1
    nothing = fold(test, logs, results[:0])
    assert nothing.logs == pytest.approx(logs)
    assert nothing.alarm == -1


def test_the_alarm_is_the_first_round_at_which_they_own_one() -> None:
    _, test = watched(find("surrender").rules, "main")
    logs = give(test, no_capital(test), 1e-3)
    wins = np.ones(2000)
    alarm = fold(test, logs, wins).alarm
    before, after = fold(test, logs, wins[:alarm]), fold(test, logs, wins[: alarm + 1])
    assert sum(map(exp, before.logs)) < 1 <= sum(map(exp, after.logs))
    assert (before.alarm, after.alarm) == (-1, alarm)


@pytest.mark.rule("OFF-13")
@pytest.mark.parametrize("stakes", [[100] * 400, [100, 5000] * 200, [1]], ids=["equal", "mixed", "one cent"])
def test_bounds_hold_with_their_chance(stakes: list[int]) -> None:
    payoffs, _ = watched(find("surrender").rules, "player-pair")
    rng = np.random.default_rng(7)
    drawn = rng.choice(payoffs.results, (4000, len(stakes)), p=payoffs.chances) @ np.array(stakes)
    least, most = net_bounds(sum(cumulants(payoffs, stake) for stake in stakes), 0.01)  # type: ignore[arg-type]
    assert (drawn > most).mean() <= 0.01
    assert (drawn < least).mean() <= 0.01
    assert least < payoffs.mean * sum(stakes) < most


def test_bounds_of_many_rounds_are_near_those_of_the_bell_curve() -> None:
    coin = Payoffs(np.array([1.0, -1.0]), np.array([0.5, 0.5]), 0.0, -1.0)
    for rounds, stake in ((10_000, 100), (10_000_000, 100), (1_000_000, 50_000)):
        _, most = net_bounds(rounds * cumulants(coin, stake), 0.001)
        bell = stake * (rounds * 2 * log(1000)) ** 0.5
        assert bell <= most < 1.07 * bell
