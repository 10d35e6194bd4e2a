"""Each game plays as its golden file says."""

from __future__ import annotations

import pytest

from sabot.games import CATALOGUE
from tests.golden.folds import SOLO, fold
from tests.golden.live import EVENINGS, evening
from tests.golden.pages import game_pages
from tests.golden.playthrough import FOLDER, playthrough
from tests.golden.scenes import SCENES


@pytest.mark.parametrize("game", SCENES)
def test_playthrough(game: str) -> None:
    golden = (FOLDER / f"{game}.txt").read_text(encoding="utf-8")
    assert playthrough(game, SCENES[game]) == golden, "read the difference; python -m tests.golden accepts it"


def test_every_game_has_one() -> None:
    assert set(SCENES) == set(CATALOGUE)


@pytest.mark.parametrize("game", SOLO)
def test_the_client_is_tested_with_what_the_engine_tells(game: str) -> None:
    golden = (FOLDER / f"{game}.json").read_text(encoding="utf-8")
    assert fold(game) == golden, "read the difference; python -m tests.golden accepts it"


@pytest.mark.parametrize("name", EVENINGS)
def test_the_client_is_tested_with_what_a_live_table_tells(name: str) -> None:
    golden = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert evening(name) == golden, "read the difference; python -m tests.golden accepts it"


def test_the_help_is_tested_with_the_rules_that_the_engine_runs() -> None:
    golden = (FOLDER / "games.json").read_text(encoding="utf-8")
    assert game_pages() == golden, "read the difference; python -m tests.golden accepts it"
