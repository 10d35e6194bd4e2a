"""Live tables of the real server, on real sockets: kills, crowds, one who never reads, a lost database, two owners."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.faults.live.killing import kill_in_phases
from tests.faults.live.load import crowd
from tests.faults.live.trouble import BOTH, CHANGES, database_goes, never_reads, two_owners
from tests.support.clock import PATIENCE
from tests.support.databases import sqlite_url

pytestmark = pytest.mark.slow  # real servers, real timers


@pytest.mark.rule("ASR-12", "ASR-21", "PLT-34")
async def test_a_live_table_comes_back_after_a_kill(tmp_path: Path) -> None:
    """In `make faults` in every phase, on both databases."""
    url = sqlite_url(tmp_path / "sabot.db")
    found = await kill_in_phases(tmp_path, url, ("betting", "decisions", "payout"), BOTH, 1)
    assert found.kills.total() == 3
    assert found.came_back > 0
    assert found.rounds["settled"] > 0


async def test_a_crowd_plays_together(tmp_path: Path) -> None:
    """In `make faults` two thousand."""
    async with asyncio.timeout(5 * PATIENCE):
        load = await crowd(tmp_path, sqlite_url(tmp_path / "sabot.db"), 40, 2, 1, pace=0.1)
    assert load.rounds >= 2
    assert load.most_bets > 20
    assert not load.errors
    assert not load.reconnected


@pytest.mark.rule("ASR-22")
async def test_one_who_never_reads_is_closed_and_delays_nobody(tmp_path: Path) -> None:
    found = await never_reads(tmp_path, sqlite_url(tmp_path / "sabot.db"))
    assert found.closed
    assert found.slow_sockets == 1
    assert found.came_back


@pytest.mark.rule("ASR-24")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_lost_database_stops_live_betting_and_loses_nothing(
    database_url: str, tmp_path: Path
) -> None:
    assert (await database_goes(tmp_path, database_url)) > 1


@pytest.mark.rule("ASR-23")
@pytest.mark.parametrize(
    "database_url", ["sqlite"], indirect=True
)  # on PostgreSQL a second process is refused
async def test_a_table_has_one_owner_and_is_taken_over_when_it_dies(
    database_url: str, tmp_path: Path
) -> None:
    found = await two_owners(tmp_path, database_url)
    assert found.changes >= CHANGES
    assert found.rounds > 1
