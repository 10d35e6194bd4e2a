"""Whatever is asked of a live table, and whenever it is killed: only declared refusals, and every cent in its place."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.live_hall import FreshDatabase
from tests.tables.live.at_random.storm import Storm

STEPS = 80


@pytest.mark.slow  # drawn evenings
@pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
@settings(max_examples=8 if settings().derandomize else 60)
@given(seed=st.integers(0, 2**32))
def test_money_is_kept_whatever_happens(fresh_database: FreshDatabase, game: str, seed: int) -> None:
    """Random questions, right and wrong, comings and goings, steps of the clock, pauses, voids, kills and lost keys."""
    database = fresh_database()
    storm = Storm(database, game, Random(seed))
    for _ in range(STEPS):
        storm.step()
        storm.check()
    storm.calm_down()
    storm.hall.check()
    database.close()
