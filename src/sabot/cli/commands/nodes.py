"""`sabot nodes`: the processes that serve a house, from its database (CLU-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings, open_database
from sabot.cli.render.layout import number_table
from sabot.cli.shared import AsJson, Language, Output

if TYPE_CHECKING:
    from sabot.store.nodes.node import NodeState

_COLUMNS = ("name", "slot", "release", "tables", "solo", "sockets", "lag", "lease", "state")


def nodes(
    database: DatabaseUrl = None, config: ConfigFile = None, as_json: AsJson = False, lang: Language = None
) -> None:
    """List the nodes that serve a house: tables, sockets, release, lag, and how long each is held alive."""
    from sabot.store.nodes.membership import PATIENCE
    from sabot.store.nodes.node import node_states

    out = Output(lang)
    settings = load_settings(out, config, database)
    with open_database(settings, out, deadline=PATIENCE) as opened, opened.reading() as connection:
        found = node_states(connection)
    if as_json:
        out.json({"nodes": found})
    elif not found:
        out.say("nodes.none")
    else:
        table = number_table(*(out.catalogue.text(f"nodes.{name}") for name in _COLUMNS))
        for node in found:
            table.add_row(*_row(out, node))
        Console().print(table)


def _row(out: Output, node: NodeState) -> tuple[str, ...]:
    state = "draining" if node.draining else "late" if node.left_ms < 0 else "alive"
    numbers = (str(len(node.tables)), str(node.solo), str(node.sockets))
    times = (f"{node.lag_ms} ms", f"{node.left_ms / 1000:.1f} s")
    return (node.name, str(node.slot), node.release, *numbers, *times, out.catalogue.text(f"nodes.{state}"))
