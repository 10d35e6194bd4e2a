"""What a client folds together at a live table is what the house shows, in every field, whatever happens there."""

from __future__ import annotations

from functools import cache
from typing import get_args

import pytest
from msgspec.structs import replace

from sabot.client import TableState
from sabot.engine.events import Event, Private
from sabot.protocol import messages
from sabot.tables.config import Dealing
from tests.tables.live.at_random.evenings import evening

pytestmark = pytest.mark.slow  # hundreds of steps of many evenings, each compared

EVENINGS, STEPS = 6, 150
GAMES = ("freebet", "majority-eu", "majority-us")


@cache
def folded(game: str, dealing: Dealing = "house") -> set[type[Event]]:
    """Fold many evenings at a table, step by step, as each page has it; gives the events there were."""
    told: set[type[Event]] = set()
    for seed in range(EVENINGS):
        pages: dict[int, TableState] = {}
        for number, step in enumerate(evening(game, seed, STEPS, dealing)):
            for player, part in step.parts.items():
                page = pages.get(player)
                if page is None or step.frame is None:
                    page = pages[player] = TableState.of(step.snapshot)
                    page.me = part
                else:
                    page.advance(step.frame)
                if player in step.touched:
                    page.me = part
                assert replace(page.picture(), at=step.snapshot.at) == step.snapshot, (seed, number)
                assert page.me == part, (seed, number, player)
            pages = {player: pages[player] for player in step.parts}
            told.update(map(type, step.frame.events if step.frame is not None else ()))
    return told


@pytest.mark.rule("STU-01")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_the_frames_of_a_studio_fold_to_what_the_house_shows(game: str) -> None:
    folded(game, "studio")


@pytest.mark.parametrize("game", GAMES)
def test_the_frames_of_an_evening_fold_to_what_the_house_shows(game: str) -> None:
    folded(game)


def test_every_public_event_was_folded() -> None:
    told = set().union(*map(folded, GAMES), folded("freebet", "studio"), folded("majority-us", "studio"))
    public = {event for event in get_args(messages.TableEvent) if not issubclass(event, Private)}
    assert {event.__name__ for event in public - told} == SOLO


#: Events of solo games only.
SOLO = {
    "BonusEnded",
    "BonusStarted",
    "CellsLocked",
    "DiamondWon",
    "EvenMoneyAnswered",
    "EvenMoneyOffered",
    "TableEntered",
    "TableOpened",
    "WheelStopped",
}
