"""A short slice of the campaign on real nodes; `make faults` runs the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.server.config import NOTIFY
from tests.faults.nodes.campaign import campaign


@pytest.mark.slow  # processes
@pytest.mark.rule("CLU-01", "CLU-02", "CLU-11", "CLU-13", "CLU-20")
def test_the_owner_of_a_table_is_killed_under_play(tmp_path: Path) -> None:
    """Three nodes without a bus of their own: the others own its tables, players go on there, and the books are right."""
    result = campaign(tmp_path, NOTIFY, faults=1, seed="slice", solo=2)
    assert result.faults == {"kill_owner": 1}
    assert result.rounds
    assert result.acknowledged["settled"]
