"""`sabot nodes`: who serves the house, whatever state it is in (CLU-24)."""

from __future__ import annotations

import json
import socket

import pytest
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.store.database import Database
from sabot.store.nodes.membership import Membership
from sabot.store.store import Store
from tests.cli.commands import run


@pytest.mark.rule("CLU-24")
def test_nodes_are_listed_with_what_they_have(database: Database, database_url: str) -> None:
    north, south = Membership(database), Membership(database, lease_ms=-5_000)
    node = north.join("north", "1.0.0", "")
    south.join("south", "1.0.0", "")
    north.renew({"solo": 3, "sockets": 700, "lag_ms": 12})
    south.drain()
    Store(database, node=node).take("live/one", at=1)
    listed = json.loads(run("nodes", "--database", database_url, "--json"))["nodes"]
    first, second = sorted(listed, key=lambda each: str(each["name"]))
    assert 0 < first.pop("left_ms") <= north.lease_ms
    assert first == {
        "name": "north",
        "slot": 0,
        "release": "1.0.0",
        "draining": False,
        "tables": ["live/one"],
        "solo": 3,
        "sockets": 700,
        "lag_ms": 12,
    }
    assert second["draining"]
    assert second["left_ms"] < 0
    shown = run("nodes", "--database", database_url, "--lang", "en")
    assert "north" in shown
    assert "draining" in shown


@pytest.mark.rule("CLU-24")
def test_a_house_that_is_closed_has_no_nodes(database_url: str) -> None:
    assert run("nodes", "--database", database_url, "--lang", "en").startswith("No node serves this house")


@pytest.mark.rule("CLU-24")
@pytest.mark.slow  # two seconds of silence
def test_a_server_that_does_not_answer_is_told() -> None:
    """It is frozen: whoever comes is let in, and hears nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://sabot@127.0.0.1:{silent.getsockname()[1]}/sabot"
        result = CliRunner().invoke(app, ["nodes", "--database", url, "--lang", "en"])
    assert result.exit_code == 2
    assert "does not open" in result.stderr
