"""The result of a simulation: exact integer counts, and returns, errors and risks computed from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, inf, nan, sqrt

import numpy as np

from sabot.simulate.kernel import Ints


@dataclass(frozen=True)
class SideResult:
    """One side bet over all rounds, its stake being 1."""

    name: str
    rounds: int
    #: Bets in a round: one for each hand, or one for all.
    bets: int
    #: The sum of what rounds paid back on it, stakes included, and the sum of the squares.
    paid: int
    paid_squares: int
    #: How often each category came; the empty one is a loss.
    categories: Mapping[str, int]

    @property
    def per_stake(self) -> float:
        """The return."""
        return _divide(self.paid, self.rounds * self.bets)

    @property
    def per_stake_error(self) -> float:
        """The standard error of the return. Bets of one round are not independent, so rounds are compared."""
        return _error(self.rounds, self.paid, self.paid_squares) / self.bets

    @property
    def sd(self) -> float:
        """The standard deviation of a round's result on this bet, per stake."""
        return self.per_stake_error * sqrt(self.rounds)


@dataclass(frozen=True, eq=False)
class Result:
    """The rounds of a game, all hands with equal stakes. Money is counted in initial bets of one hand."""

    game: str
    hands: int
    #: Payments are counted in these parts of an initial bet.
    unit: int
    #: Rounds by what was staked beyond the initial bets and by what was won: `[stakes, units + middle]`.
    counts: Ints
    side_bets: Mapping[str, SideResult]
    #: Whether all rounds have been played.
    complete: bool = True

    @cached_property
    def rounds(self) -> int:
        """Rounds played."""
        return int(self.counts.sum())

    @cached_property
    def staked(self) -> int:
        """Own money staked: initial bets, doubles and splits; free bets are none (RET-01)."""
        return sum(int(n) * stakes for stakes, n in enumerate(self.counts.sum(axis=1), self.hands))

    @cached_property
    def _net(self) -> dict[int, int]:
        """Rounds by units won."""
        middle = self.counts.shape[1] // 2
        return {at - middle: int(n) for at, n in enumerate(self.counts.sum(axis=0)) if n}

    @cached_property
    def net(self) -> float:
        """The total won or lost."""
        return sum(units * n for units, n in self._net.items()) / self.unit

    @property
    def distribution(self) -> dict[float, float]:
        """The share of rounds by their net result."""
        return {units / self.unit: n / self.rounds for units, n in self._net.items()}

    @property
    def per_initial(self) -> float:
        """The return per initial bet (RET-02)."""
        return 1 + _divide(self.net, self.rounds * self.hands)

    @cached_property
    def per_initial_error(self) -> float:
        """The standard error of the return per initial bet."""
        total = sum(units * n for units, n in self._net.items())
        squares = sum(units * units * n for units, n in self._net.items())
        return _error(self.rounds, total, squares) / (self.unit * self.hands)

    @property
    def per_stake(self) -> float:
        """The return per stake (RET-01)."""
        return 1 + _divide(self.net, self.staked)

    @cached_property
    def per_stake_error(self) -> float:
        """The standard error of the return per stake, a quotient of two sums (to first order)."""
        if self.rounds < 2:
            return nan
        edge, middle = self.per_stake - 1, self.counts.shape[1] // 2
        stakes, at = np.nonzero(self.counts)
        residual = (at - middle) / self.unit - edge * (stakes + self.hands)
        spread = float((self.counts[stakes, at] * residual**2).sum())
        return sqrt(spread * self.rounds / (self.rounds - 1)) / self.staked

    @property
    def sd(self) -> float:
        """The standard deviation of a round's net result per initial bet, all hands of a round together."""
        return self.per_initial_error * sqrt(self.rounds)

    @property
    def n0(self) -> float:
        """Rounds after which the expected result equals one standard deviation."""
        edge = self.per_initial - 1
        return (self.sd / edge) ** 2 if edge else inf

    def ruin(self, bankroll: float, rounds: int | None = None) -> float:
        """The chance to lose a bankroll, counted in the initial bets of a round, within some rounds or ever.

        The main bets are taken as a random walk with their mean and standard deviation; side bets are left out.
        """
        if bankroll <= 0:
            raise ValueError(f"a bankroll of {bankroll}: write initial bets above 0")
        edge, sd = self.per_initial - 1, self.sd
        if rounds is None:
            return 1.0 if edge <= 0 else exp(-2 * edge * bankroll / sd**2)
        spread = sd * sqrt(rounds)
        below = _normal((-bankroll - edge * rounds) / spread)
        reflected = _normal((-bankroll + edge * rounds) / spread)
        return min(1.0, below + (exp(-2 * edge * bankroll / sd**2) * reflected if reflected else 0.0))


def _divide(part: float, whole: float) -> float:
    return part / whole if whole else nan


def _error(count: int, total: int, squares: int) -> float:
    """The standard error of a mean from exact sums."""
    if count < 2:
        return nan
    return sqrt((squares * count - total * total) / (count * count * (count - 1)))


def _normal(x: float) -> float:
    """The chance that a standard normal value is below x."""
    return erfc(-x / sqrt(2)) / 2
