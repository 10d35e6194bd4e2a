"""Several nodes in simulation: some faults at commits of a short scenario, and one storm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.simulated.crash import NODE_FAULTS, Drawn, Fault, Planned
from tests.faults.simulated.nodes.simulation import GALE, PAIR, simulate_nodes
from tests.faults.simulated.simulation import drawn, fresh_file


@pytest.mark.slow  # houses of several nodes
@pytest.mark.rule("CLU-03", "CLU-20", "ASR-21", "ASR-23")
@pytest.mark.parametrize("fault", NODE_FAULTS)
def test_a_node_fails_in_the_middle_of_a_round(fault: Fault, tmp_path: Path) -> None:
    """Another owns its table within ten seconds, the round goes on, and every client sees an unbroken sequence."""
    run = simulate_nodes(
        PAIR, fresh_file(tmp_path / "house.db"), PAIR.play.seed, Planned({100: fault}), audit=False
    )
    assert run.faults == 1
    assert run.rounds


@pytest.mark.slow  # three nodes, minutes of virtual time
@pytest.mark.rule("CLU-02", "CLU-05", "CLU-20", "CLU-21", "CLU-23", "ASR-21", "ASR-23")
def test_a_storm(tmp_path: Path) -> None:
    """Nodes are killed, held, cut off and restarted under play, on a bus that loses, repeats and reorders."""
    faults = Drawn(drawn(2), 60, 6, NODE_FAULTS)
    run = simulate_nodes(GALE, fresh_file(tmp_path / "house.db"), 2, faults)
    assert run.faults
    assert run.hushes
