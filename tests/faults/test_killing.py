"""Real processes, really killed."""

from __future__ import annotations

import pytest

from tests.faults.killing import kill_again_and_again

pytestmark = pytest.mark.slow  # processes that are killed and started again


@pytest.mark.rule("ASR-12", "PLT-34")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_killed_house_comes_back_with_every_cent(database_url: str) -> None:
    """Acknowledged is stored, nothing is paid twice, every round goes on or goes back (in `make faults` 50 times on each database)."""
    done = kill_again_and_again(database_url, kills=3, seed=1)
    assert done.kills == 3
    assert done.acknowledged >= 3
