"""A short slice of the campaign on real nodes; `make faults` runs the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.nodes.campaign import campaign


@pytest.mark.slow  # processes
@pytest.mark.rule("CLU-20", "CLU-13")
def test_a_node_is_killed_under_play(tmp_path: Path) -> None:
    """Its tables are owned by others and players go on there; the books of the house are in order."""
    result = campaign(tmp_path, faults=1, seed="slice", solo=2)
    assert result.faults == {"kill_owner": 1}
    assert result.rounds
