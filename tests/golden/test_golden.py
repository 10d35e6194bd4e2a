"""Each game plays as its golden file says."""

from __future__ import annotations

import pytest

from sabot.games import CATALOGUE
from tests.golden.folds import SOLO, fold
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
