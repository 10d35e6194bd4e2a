"""The kernel and the engine play the same shuffles of every game to the same payments, round by round."""

from __future__ import annotations

import numpy as np
import pytest

from sabot.simulate import kernel
from tests.simulate.compare import below, compare, mix
from tests.support.players import GAMES


@pytest.mark.slow  # every game in the engine too
@pytest.mark.parametrize("game", GAMES)
def test_plays_as_the_engine_does(game: str) -> None:
    compare(game, 1_000, "tests")


@pytest.mark.slow  # thousands of rounds of each game by the engine
@pytest.mark.parametrize("game", GAMES)
def test_plays_many_rounds_as_the_engine_does(game: str) -> None:
    compare(game, 5_000, "more tests")


def test_the_generator_is_splitmix64() -> None:
    # The first words from seed 1234567, as the generator's author prints them.
    words = [mix((1234567 + n * 0x9E3779B97F4A7C15) % 2**64) for n in range(1, 4)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for counter in (0, 1, 2**63, 2**64 - 1):
        assert kernel.mix(np.uint64(counter)) == mix(counter)


@pytest.mark.parametrize("n", [1, 2, 3, 52, 311, 312, 416, 2**16, 2**31 + 1, 3 * 2**30])
def test_numbers_below_n_are_lemires(n: int) -> None:
    for counter in range(500):
        word = mix(counter)
        assert kernel.below(np.uint64(word), np.uint64(n)) == below(word, n)
    for word in (0, 1, 2**32 - 1, 2**32, 2**64 - 1):
        assert kernel.below(np.uint64(word), np.uint64(n)) == below(word, n) < n
