"""A slice of the campaign that loads pages again in every phase of the live games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.live.reloading import GAMES, Breaks, reload_pages


@pytest.mark.slow  # three evenings of every live game
@pytest.mark.rule("PLT-31")
@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_back_in_time_decides(tmp_path: Path, game: str) -> None:
    """Reloads, blips and the house opened anew, in every phase that a round has."""
    breaks = Breaks()
    for seed in (2, 3, 7):
        breaks += reload_pages(tmp_path / "house.db", game, seed, 4)
    assert set(breaks) >= {"betting", "dealing", "insurance", "decisions", "dealer", "payout"}
