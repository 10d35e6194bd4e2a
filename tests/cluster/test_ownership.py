"""Which nodes may own live tables (CLU-04, CLU-23)."""

from __future__ import annotations

import pytest

from sabot.server.cluster.ownership import LONGEST_CUT, able
from sabot.store.nodes.node import Node


def node(id: int, *, draining: bool = False, settings: str = "s", cut_off: float = 0.0) -> Node:
    return Node(id, id, f"n{id}", settings=settings, draining=draining, load={"cut_off": cut_off})


@pytest.mark.rule("CLU-04", "CLU-21")
def test_a_node_that_drains_or_has_other_settings_owns_no_live_table() -> None:
    assert able([node(1), node(2, draining=True), node(3, settings="other"), node(4)]) == [1, 4]


@pytest.mark.rule("CLU-23")
def test_a_node_without_a_bus_owns_no_live_table_while_others_have_one() -> None:
    """A short cut moves nothing; and if the bus is gone for all, every table stays where it is."""
    assert able([node(1, cut_off=LONGEST_CUT - 1), node(2)]) == [1, 2]
    assert able([node(1, cut_off=LONGEST_CUT), node(2)]) == [2]
    assert able([node(1, cut_off=LONGEST_CUT), node(2, cut_off=60.0)]) == [1, 2]
    assert able([]) == []
