"""The results of main bets that ship are what the exact solver gives."""

from __future__ import annotations

import pytest

import sabot.odds.main_results
from tools.main_results import main_results_source


@pytest.mark.slow  # every game worked out
def test_the_shipped_file_is_what_the_command_writes() -> None:
    with open(sabot.odds.main_results.__file__, encoding="utf-8") as file:
        assert file.read() == main_results_source()
