"""The events of a round fold to what everyone sees of it, in every field, whatever is dealt and decided."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from sabot.engine import Round, StackedShoe
from sabot.engine.commands import PlaceBets
from sabot.engine.events import AnyEvent, CardAwaited, Event, Private, VoteCast
from sabot.engine.view import EMPTY, fold, table_view
from sabot.games import find
from sabot.record.notation import parse_command
from tests.golden.playthrough import Scene
from tests.golden.scenes import SCENES
from tests.support.players import GAMES, EventfulTable
from tests.support.table import Draws, cards_of, fixed_price

ROUNDS = 300


def folded(game: str) -> set[type[Event]]:
    """Play many rounds of a game and fold each of them; gives the events there were."""
    told: set[type[Event]] = set()
    for seed in range(ROUNDS):
        table = EventfulTable(game, Random(f"{game} {seed}"))
        round, view, after = table.round, EMPTY, 0
        for command in table.play():
            for event in round.log[after:]:
                view = fold(view, event)
                if isinstance(event, VoteCast):  # votes are not public: their tally is told beside the round
                    view = replace(view, tally=round.ballot.tally())
            after = len(round.log)
            assert view == table_view(round), (seed, command)
        told.update(map(type, round.log))
    return told


@pytest.mark.parametrize("game", GAMES)
def test_the_events_of_a_round_fold_to_its_view(game: str) -> None:
    folded(game)


@pytest.mark.slow  # random rounds of every game
def test_every_event_of_the_engine_was_folded() -> None:
    told = set().union(*map(folded, GAMES))
    assert set(get_args(AnyEvent)) - told == {CardAwaited}  # of rounds that a person deals: test_by_hand.py


@pytest.mark.parametrize(
    ("game", "scene"),
    [(game, scene) for game, scenes in SCENES.items() for scene in scenes],
    ids=lambda value: value.title if isinstance(value, Scene) else value,
)
def test_the_events_of_a_scene_fold_to_its_view(game: str, scene: Scene) -> None:
    round = Round(
        find(game).rules,
        StackedShoe(cards_of(scene.cards)),
        purses=scene.purses,
        golden=scene.golden,
        options=find(game).options,
        price=fixed_price(850_000_000),
        draw=Draws(list(scene.draws)),
    )
    placed = [PlaceBets(player, tuple(bets)) for player, bets in scene.bets.items()]
    view = EMPTY
    assert table_view(round) == view
    for command in (*placed, *map(parse_command, scene.commands)):
        for event in round.apply(command):
            if not isinstance(event, Private):
                view = fold(view, event)
        # Votes are counted beside the round, and told with the crowd.
        assert view == replace(table_view(round), tally=())
    assert round.over
