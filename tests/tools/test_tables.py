"""The module of best tables that the games ship is what its generator writes."""

from __future__ import annotations

import sabot.games.tables
from sabot.games.tables import BEST_TABLES, FREE_TABLES
from tools.tables import tables_source


def test_the_generated_text_makes_the_same_tables() -> None:
    made: dict[str, object] = {}
    exec(tables_source(), made)
    assert made["BEST_TABLES"] == BEST_TABLES
    assert made["FREE_TABLES"] == FREE_TABLES


def test_the_shipped_file_is_what_the_command_writes() -> None:
    with open(sabot.games.tables.__file__, encoding="utf-8") as file:
        assert file.read() == tables_source()
