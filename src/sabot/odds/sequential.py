"""A sequential test of a bet's return that stays valid however often it is looked at (OFF-13; docs/operate/monitoring.md).

A gambler who may stake a part of the own capital on "this round returns more than the rules give" can, if the rules hold,
not expect to gain: the capital is a supermartingale. Several such gamblers, each looking for another excess, get a small
capital on every day of play; an alarm is raised when together they own 1. If the rules hold, the chance of that within some
days is at most what was given out in them. If the return is too high, the capital of some gambler grows exponentially.

>>> coin = Payoffs(np.array([1.0, -1.0]), np.array([0.49, 0.51]), most=-0.02, least=-1.0)
>>> test = sequential_test(coin)
>>> expected_rounds(test, too_often(coin, 0.2), capital=1e-6) < expected_rounds(test, too_often(coin, 0.1), capital=1e-6)
True
>>> logs = give(test, no_capital(test), capital=1e-6)
>>> fold(test, logs, np.ones(200)).alarm  # the round after which they own 1
87
"""

from collections.abc import Iterable
from math import exp, inf, log
from typing import NamedTuple

import numpy as np

from sabot.odds.classes import Floats
from sabot.odds.payoffs import Payoffs, too_often

#: The faults that gamblers look for: wins that come too often by these parts; where nobody decides, too seldom as well.
EXCESSES = (0.01, 0.02, 0.05, 0.2)
#: A gambler never stakes more than this part of what could be lost, so that nobody is ever ruined.
_PRUDENCE = 0.9
#: Chances of a higher result at which a gambler against wins may stop counting them.
_TAILS = (0.0, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1)


class SequentialTest(NamedTuple):
    """The gamblers: after a result each capital is multiplied by 1 + part x (min(result, cap) - mean)."""

    parts: Floats
    means: Floats
    caps: Floats

    def log_factors(self, results: Floats) -> Floats:
        """The logarithms of the factors, a row for each result."""
        return np.log1p(self.parts * (np.minimum(results[:, None], self.caps) - self.means))


class Folded(NamedTuple):
    """The logarithms of the capitals after some rounds, and the round of the alarm, counted from 0, or -1."""

    logs: Floats
    alarm: int


def sequential_test(payoffs: Payoffs, slack: float = 0.0) -> SequentialTest:
    """The test of a bet; `slack` is added to the mean that is allowed, and taken from the least that is."""
    found = [_above(payoffs, slack, excess) for excess in EXCESSES]
    if not payoffs.played:
        cap = max(_caps(payoffs), key=lambda cap: _below(payoffs, slack, 0.02, cap)[0])
        found += [_below(payoffs, slack, excess, cap)[1] for excess in EXCESSES]
    parts, means, caps = (np.array(column) for column in zip(*found, strict=True))
    busy = parts != 0  # an excess within the slack is not looked for
    return SequentialTest(parts[busy], means[busy], caps[busy])


def _above(payoffs: Payoffs, slack: float, excess: float) -> tuple[float, float, float]:
    mean = payoffs.most + slack
    gains = payoffs.results - mean
    part = _best_part(gains, too_often(payoffs, excess).chances, mean - payoffs.least)
    return part, mean, inf


def _below(
    payoffs: Payoffs, slack: float, excess: float, cap: float
) -> tuple[float, tuple[float, float, float]]:
    """The growth of a gambler against wins who counts none above a cap, and the gambler."""
    results = np.minimum(payoffs.results, cap)
    mean = float(payoffs.chances @ results) - slack
    chances = too_often(payoffs, -excess).chances
    part = _best_part(mean - results, chances, cap - mean)
    return float(chances @ np.log1p(part * (mean - results))), (-part, mean, cap)


def _caps(payoffs: Payoffs) -> list[float]:
    """Results that may serve as caps: the highest one, and those above which little chance is left."""
    order = np.argsort(payoffs.results)
    results, above = payoffs.results[order], 1 - np.cumsum(payoffs.chances[order])
    found = {float(results[np.argmax(above <= tail + 1e-12)]) for tail in _TAILS}
    return sorted(cap for cap in found if cap > payoffs.least)


def _best_part(gains: Floats, chances: Floats, risk: float) -> float:
    """The part of the capital to stake for the fastest growth; 0 if there is nothing to gain."""
    low, high = 0.0, _PRUDENCE / risk
    if chances @ gains <= 0:
        return 0.0
    for _ in range(30):
        part = (low + high) / 2
        if chances @ (gains / (1 + part * gains)) > 0:
            low = part
        else:
            high = part
    return low


# Capital


def no_capital(test: SequentialTest) -> Floats:
    """The gamblers before the first day, as logarithms."""
    return np.full(len(test.parts), -inf)


def give(test: SequentialTest, logs: Floats, capital: float) -> Floats:
    """Give the gamblers a capital in equal shares, as on each day of play."""
    return np.logaddexp(logs, log(capital / len(test.parts)))


def fold(test: SequentialTest, logs: Floats, results: Floats) -> Folded:
    """The gamblers after the results of some rounds, or at the alarm if there is one on the way."""
    path = logs + np.cumsum(test.log_factors(results), axis=0)
    reached = np.flatnonzero(np.logaddexp.reduce(path, axis=1) >= 0)
    if len(reached):
        return Folded(path[reached[0]], int(reached[0]))
    return Folded(path[-1] if len(path) else logs, -1)


def evidence(logs: Iterable[float]) -> float:
    """What the gamblers own together: an alarm is raised at 1.

    >>> evidence([-inf, log(0.25), log(0.25)])
    0.5
    """
    return sum(exp(min(one, 0.0)) for one in logs)


# Predictions


def growth(test: SequentialTest, payoffs: Payoffs) -> Floats:
    """What is added to the logarithm of each capital by a round, on average."""
    return payoffs.chances @ test.log_factors(payoffs.results)


def expected_rounds(test: SequentialTest, payoffs: Payoffs, capital: float) -> float:
    """The rounds after which an alarm is expected (Wald), if payoffs were so from the first day on; inf if never."""
    fastest = float(growth(test, payoffs).max())
    return log(len(test.parts) / capital) / fastest if fastest > 0 else inf


# Bounds at one moment


#: Arguments of the cumulant generating function, per cent: their ratio is 2.
_ANGLES: Floats = np.exp2(np.arange(-26.0, -3.0))
ANGLES: Floats = np.concatenate([_ANGLES, -_ANGLES])


def cumulants(payoffs: Payoffs, stake: int) -> Floats:
    """The logarithms of E exp(angle x stake x result) for every angle; they add up over rounds."""
    exponents = np.multiply.outer(ANGLES * stake, payoffs.results)
    most = exponents.max(axis=1)
    return most + np.log(np.exp(exponents - most[:, None]) @ payoffs.chances)  # type: ignore[no-any-return]  # numpy says Any of a product


def net_bounds(sums: Floats, chance: float) -> tuple[float, float]:
    """Bounds of the sum of all results, in cents: beyond each it is with no more than this chance (Chernoff).

    >>> coin = Payoffs(np.array([1.0, -1.0]), np.array([0.5, 0.5]), most=0.0, least=-1.0)
    >>> [round(bound) for bound in net_bounds(10_000 * cumulants(coin, 100), chance=0.001)]
    [-38551, 38551]
    """
    bounds = (sums - log(chance)) / ANGLES
    half = len(_ANGLES)
    return float(bounds[half:].max()), float(bounds[:half].min())
