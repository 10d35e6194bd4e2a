"""Nodes that look at each other often, so that no test waits for the next time."""

import pytest

from sabot.server.cluster import node


@pytest.fixture(autouse=True)
def quick_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BEAT", "FIND"):
        monkeypatch.setattr(node, name, 0.02)
