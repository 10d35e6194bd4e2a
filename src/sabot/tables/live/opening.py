"""Opening a live table: the kind that its game's rules ask for."""

from __future__ import annotations

from sabot.tables.crowd import CrowdTable
from sabot.tables.live.boxes import BoxTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.seated import SeatedTable
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Timers
from sabot.tables.table import TableConfig, Tools

_KINDS: dict[str, type[SeatedTable | BoxTable]] = {"seats": SeatedTable, "boxes": BoxTable}


def open_live(config: TableConfig, tools: Tools, timers: Timers, clock: Clock) -> LiveTable:
    """Take the table's stream and read it back. It reads and writes: not on an event loop."""
    table = CrowdTable.open(config, tools, clock.wall_ms())
    return _KINDS[config.game.rules.backing](table, timers, clock)
