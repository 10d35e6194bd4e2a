"""Houses whose returns are watched, simulated: how often the alarm of `odds.sequential` is false, and how soon it is true.

Each house plays rounds of one bet whose results come from its exact distribution, or from one with a fault.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf, isfinite
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np

from sabot.games.rules import Rules
from sabot.odds.classes import Floats, Ints
from sabot.odds.payoffs import Payoffs, too_high, too_often
from sabot.odds.sequential import SequentialTest, expected_rounds
from sabot.odds.watched import capital_of, watched, watched_bets

F = TypeVar("F")

#: The faults that are simulated: every win comes 1 % too often, every win is paid 2 % too high.
FAULTS = (("often", partial(too_often, part=0.01)), ("high", partial(too_high, part=0.02)))
#: A house with a fault plays at most so many times the rounds after which an alarm is expected.
_PATIENCE = 6


class Watching(NamedTuple):
    """Houses that were watched: the round of each alarm, and after how many one was expected."""

    bet: str
    #: Empty without a fault.
    fault: str
    houses: int
    rounds: int
    expected: float
    #: In ascending order.
    alarms: Ints

    def quantile(self, part: float) -> float:
        """The rounds within which that part of the houses had an alarm; inf if fewer had one."""
        place = int(np.ceil(part * self.houses)) - 1
        return float(self.alarms[place]) if place < len(self.alarms) else inf

    @property
    def mean(self) -> float:
        """The mean rounds to the alarm, of houses that had one."""
        return float(self.alarms.mean()) if len(self.alarms) else inf


def watch_houses(
    rules: Rules,
    *,
    houses: int,
    days: int,
    per_day: int,
    seed: int,
    rate: float,
    bets: tuple[str, ...] = (),
    workers: int = 1,
) -> Iterator[Watching]:
    """Watch houses without a fault for some days, and houses with a fault until it is found, bet by bet.

    `rate` is the number of false alarms that is allowed in a table-year.
    """
    with ThreadPoolExecutor(workers) as executor:
        for number, bet in enumerate(watched_bets(rules)):
            if bets and bet not in bets:
                continue
            payoffs, test = watched(rules, bet)
            capital = capital_of(rules, rate)
            cases = [("", payoffs, days * per_day)]
            for fault, spoil in FAULTS:
                expected = expected_rounds(test, spoil(payoffs), capital)
                if isfinite(expected):
                    cases.append((fault, spoil(payoffs), int(_PATIENCE * expected)))
            for case, (fault, played, rounds) in enumerate(cases):
                seeds = np.random.SeedSequence([seed, number, case]).generate_state(
                    houses, np.uint64
                ) >> np.uint64(1)
                one = partial(_watch, *_prepare(test, played), capital / len(test.parts), per_day, rounds)
                found = np.array(list(executor.map(one, seeds.tolist())))
                expected = expected_rounds(test, played, capital)
                yield Watching(bet, fault, houses, rounds, expected, np.sort(found[found > 0]))


def _prepare(test: SequentialTest, payoffs: Payoffs) -> tuple[Floats, Floats, Ints]:
    """The factors of each result, and Walker's alias table to draw results by."""
    size = len(payoffs.chances)
    scaled = payoffs.chances / payoffs.chances.sum() * size
    keep, other = np.ones(size), np.arange(size)
    small = [at for at in range(size) if scaled[at] < 1]
    large = [at for at in range(size) if scaled[at] >= 1]
    while small and large:
        less, more = small.pop(), large[-1]
        keep[less], other[less] = scaled[less], more
        scaled[more] -= 1 - scaled[less]
        if scaled[more] < 1:
            small.append(large.pop())
    return np.exp(test.log_factors(payoffs.results)), keep, other


def _compiled(function: F) -> F:
    """Compile a function once per machine; numba has no types of its own."""
    return cast("F", numba.njit(cache=True, nogil=True, fastmath=True)(function))


@_compiled
def _watch(
    factors: Floats, keep: Floats, other: Ints, share: float, per_day: int, rounds: int, seed: int
) -> int:
    """The round in which a house has its alarm, counted from 1; 0 if there is none in all its rounds."""
    size, gamblers = factors.shape
    capitals = np.zeros(gamblers)
    state = np.uint64(seed)
    for played in range(rounds):
        if played % per_day == 0:
            capitals += share
        state += np.uint64(0x9E3779B97F4A7C15)  # splitmix64
        word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
        place = np.float64(word >> np.uint64(11)) * (1.0 / 9007199254740992.0) * size
        at = int(place)
        if place - at >= keep[at]:
            at = other[at]
        owned = 0.0
        for which in range(gamblers):
            capitals[which] *= factors[at, which]
            owned += capitals[which]
        if owned >= 1.0:
            return played + 1
    return 0
