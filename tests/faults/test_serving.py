"""The real server, killed with real clients at its tables (ASR-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.serving import campaign

#: In `make faults` on both.
KIND = "sqlite"

pytestmark = pytest.mark.slow  # a real server, killed and started again


async def test_a_killed_server_comes_back_with_every_round(database_url: str, tmp_path: Path) -> None:
    found = await campaign(tmp_path, database_url, kills=3, seed=1)
    assert found.kills == 3
    assert found.rounds > 0
