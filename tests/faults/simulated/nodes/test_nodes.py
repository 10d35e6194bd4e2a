"""Several nodes in simulation: some faults at commits of a short scenario, and one storm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.simulated.crash import NODE_FAULTS, Drawn, Fault, Planned
from tests.faults.simulated.nodes.simulation import GALE, PAIR, STORM, simulate_nodes
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


@pytest.mark.slow  # three nodes, minutes of virtual time
@pytest.mark.rule("CLU-02", "CLU-03", "CLU-05", "ASR-21", "ASR-23")
@pytest.mark.parametrize(
    "seed",
    [
        813885616,  # a table that was read back at a node after the node had let it go
        881836553,  # a solo table that was taken and lost again before its page was shown it
        918098260,  # a comparison while a thread had the table
        62275869,  # a fenced owner was told of a request that the next owner had carried out
        702143973,  # the rest of a frame went out after the page was told that the table is closed
        987184490,  # a deal was refused, and another attempt of the same request carried out
        987184546,  # all nodes that lived had just joined, one of them again, and could find nobody dead yet
        723410818,  # a solo table that was thrown away and opened anew while a page came to it was read for it for ever
        908636261,  # an order was cancelled with its table before its thread had begun, and never answered
        497940643,  # the player of a solo table went while the database was asked for its owner
        135432041,  # a connection went with its requests before they were begun, and its table was never handed over
    ],
)
def test_a_storm_that_found_something(seed: int, tmp_path: Path) -> None:
    """As `python -m tests.faults storm/SEED` runs it."""
    faults = Drawn(drawn(seed), 80, 12, NODE_FAULTS)
    run = simulate_nodes(STORM, fresh_file(tmp_path / "house.db"), seed, faults)
    assert run.faults
