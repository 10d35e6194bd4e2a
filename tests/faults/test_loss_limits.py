"""A short slice of the campaign on loss limits; `make faults` plays on."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.store.database import Database
from tests.faults.losses import gamble
from tests.support.databases import sqlite_url


@pytest.mark.slow  # players at five games over a served house, round after round
@pytest.mark.rule("ASR-41")
async def test_nobody_loses_more_than_the_limit_of_the_day(tmp_path: Path) -> None:
    """Three players with limits at five tables each, everything asked at once: the limit holds, and it bites."""
    told = await gamble(Database(sqlite_url(tmp_path / "house.db")), 7, 12)
    assert told[""] > 10  # how many bets fit in depends on which request comes first
    assert told["limit/loss"] + told["protection/loss-limit"] > 0
