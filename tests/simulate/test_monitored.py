"""Houses that are watched: false alarms within their bound, faults found when theory says so (OFF-13)."""

from __future__ import annotations

import numpy as np
import pytest

from sabot.games import find
from sabot.odds.sequential import fold, give, no_capital
from sabot.odds.watched import watched
from sabot.simulate import monitored
from sabot.simulate.monitored import Watching, watch_houses


def _main(houses: int, rate: float) -> dict[str, Watching]:
    """Houses of Surrender's main bet: without a fault, with wins too often, with wins paid too high."""
    rules = find("surrender").rules
    found = watch_houses(rules, houses=houses, days=20, per_day=1000, seed=3, rate=rate, bets=("main",))
    return {watching.fault: watching for watching in found}


@pytest.mark.rule("OFF-13")
def test_false_alarms_stay_within_their_bound() -> None:
    # A hundred false alarms a table-year are allowed, a tenth of them for this bet: in 20 days, in 55 of 100 houses.
    honest = _main(100, rate=100)[""]
    assert honest.expected == np.inf
    assert 0 < len(honest.alarms) <= 100 * 20 / 366 * 100 / 10


@pytest.mark.rule("OFF-13")
def test_faults_are_found_within_the_predicted_rounds() -> None:
    found = _main(30, rate=0.001)
    assert not len(found[""].alarms)
    for fault in ("often", "high"):
        watching = found[fault]
        assert len(watching.alarms) == 30
        assert 0.6 * watching.expected < watching.mean < 1.05 * watching.expected
        assert watching.quantile(0.5) <= watching.quantile(0.95) < 2 * watching.expected


def test_a_house_that_is_not_done_has_no_quantile() -> None:
    some = Watching("main", "high", 4, 100, 50.0, np.array([10, 20]))
    assert (some.quantile(0.25), some.quantile(0.5), some.quantile(0.75)) == (10, 20, np.inf)


def test_the_compiled_loop_folds_as_the_test_does() -> None:
    payoffs, test = watched(find("surrender").rules, "main")
    factors, keep, other = monitored._prepare(test, payoffs)
    # A house whose only result is a win, against the same rounds folded: a capital of 1e-3 each, on the first day.
    win = int(np.flatnonzero(payoffs.results == 1)[0])
    alarm = monitored._watch(factors[win : win + 1], keep[:1] * 0 + 1, other[:1], 1e-3 / 4, 10**9, 5000, 1)
    assert alarm == fold(test, give(test, no_capital(test), 1e-3), np.ones(5000)).alarm + 1


def test_results_are_drawn_with_their_chances() -> None:
    payoffs, test = watched(find("link").rules, "link")
    _, keep, other = monitored._prepare(test, payoffs)
    size = len(keep)
    drawn = np.bincount(other, (1 - keep) / size, size) + keep / size
    assert drawn == pytest.approx(payoffs.chances, abs=1e-12)
