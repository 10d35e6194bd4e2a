"""Returns, errors and risks from counts that can be reckoned by hand."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, inf, sqrt
from types import MappingProxyType

import numpy as np
import pytest

from sabot.simulate import Result, SideResult


def result(
    rounds: dict[tuple[int, int], int], hands: int = 1, sides: Mapping[str, SideResult] = MappingProxyType({})
) -> Result:
    """Rounds by stakes and half-stakes won."""
    counts = np.zeros((3 * hands + 1, 16 * hands + 1), np.int64)
    for (stakes, halves), n in rounds.items():
        counts[stakes - hands, halves + 8 * hands] = n
    return Result("classic-6", hands, 2, counts, sides)


COIN = result({(1, 2): 60, (1, -2): 40})
MIXED = result({(1, 3): 10, (1, -2): 40, (2, 4): 30, (2, -4): 10, (1, 0): 10})
PAIR = SideResult("player-pair", 100, 1, 110, 26 * 26 * 2 + 58 * 58, {"perfect": 3, "": 97})


def test_returns_are_sums_over_stakes() -> None:
    assert (COIN.rounds, COIN.staked, COIN.net) == (100, 100, 20)
    assert COIN.per_initial == COIN.per_stake == 1.2
    assert (MIXED.rounds, MIXED.staked, MIXED.net) == (100, 140, 15)
    assert MIXED.per_initial == pytest.approx(1.15)
    assert MIXED.per_stake == pytest.approx(1 + 15 / 140)


def test_the_spread_is_that_of_a_sample() -> None:
    assert COIN.sd == pytest.approx(sqrt(0.96 * 100 / 99))
    assert COIN.per_initial_error == pytest.approx(COIN.sd / 10)


def test_the_error_per_stake_takes_stakes_into_account() -> None:
    nets = [1.5] * 10 + [-1] * 40 + [2] * 30 + [-2] * 10 + [0] * 10
    stakes = [1] * 50 + [2] * 40 + [1] * 10
    edge = sum(nets) / sum(stakes)
    residuals = [net - edge * stake for net, stake in zip(nets, stakes, strict=True)]
    assert MIXED.per_stake_error == pytest.approx(np.std(residuals, ddof=1) * 10 / 140)
    assert COIN.per_stake_error == pytest.approx(COIN.per_initial_error)


def test_the_distribution_is_by_net_result() -> None:
    assert MIXED.distribution == {-2.0: 0.1, -1.0: 0.4, 0.0: 0.1, 1.5: 0.1, 2.0: 0.3}


def test_n0_is_where_the_edge_equals_the_spread() -> None:
    assert COIN.n0 == pytest.approx((COIN.sd / 0.2) ** 2)
    assert result({(1, 2): 5, (1, -2): 5}).n0 == inf


def test_ruin_is_sure_without_an_edge() -> None:
    losing = result({(1, 2): 40, (1, -2): 60})
    assert losing.ruin(10) == 1.0
    assert COIN.ruin(10) == pytest.approx(exp(-2 * 0.2 * 10 / COIN.sd**2))


def test_ruin_within_rounds_grows_to_ruin_ever() -> None:
    chances = [COIN.ruin(10, rounds) for rounds in (10, 100, 1_000, 100_000)]
    assert chances == sorted(chances)
    assert chances[-1] == pytest.approx(COIN.ruin(10))
    losing = result({(1, 2): 40, (1, -2): 60})
    assert losing.ruin(10, 10_000) == pytest.approx(1.0)
    assert losing.ruin(1_000, 10) == pytest.approx(0.0)


def test_ruin_is_that_of_a_walk() -> None:
    """Against ten thousand walks of a fair coin, up to what a walk overshoots between two steps."""
    fair = result({(1, 2): 5_000, (1, -2): 5_000})
    walks = np.random.default_rng(1).choice([-1, 1], (10_000, 400)).cumsum(axis=1)
    ruined = (walks.min(axis=1) <= -20).mean()
    assert fair.ruin(20, 400) == pytest.approx(ruined, abs=0.02)


@pytest.mark.parametrize("bankroll", [0, -1])
def test_ruin_refuses_no_bankroll(bankroll: int) -> None:
    with pytest.raises(ValueError, match="initial bets above 0"):
        COIN.ruin(bankroll)


def test_a_side_bet_has_its_return_and_error() -> None:
    assert PAIR.per_stake == 1.1
    paid = [26, 26, 58] + [0] * 97
    assert PAIR.sd == pytest.approx(np.std(paid, ddof=1))
    assert PAIR.per_stake_error == pytest.approx(PAIR.sd / 10)


def test_two_hands_count_as_one_initial_bet_of_two() -> None:
    two = result({(2, 4): 60, (2, -4): 40}, hands=2)
    assert two.per_initial == pytest.approx(1.2)
    assert two.sd == pytest.approx(COIN.sd)
