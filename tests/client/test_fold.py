"""What a client folds together from what it is told is what the house shows, after every command and every frame.

The scenes and evenings are those of the golden files, which the web client is tested with too.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.client import TableState
from sabot.client.fold import EMPTY, fold_view
from sabot.engine import Round, StackedShoe
from sabot.engine.commands import PlaceBets
from sabot.engine.events import Audience
from sabot.engine.view import table_view
from sabot.games import find
from sabot.protocol import messages
from sabot.record.notation import parse_command
from tests.golden.playthrough import FOLDER, Scene
from tests.golden.scenes import SCENES
from tests.table import Draws, cards_of, fixed_price


@pytest.mark.parametrize(
    ("game", "scene"),
    [(game, scene) for game, scenes in SCENES.items() for scene in scenes],
    ids=lambda value: value.title if isinstance(value, Scene) else value,
)
def test_the_events_of_a_round_fold_to_its_view(game: str, scene: Scene) -> None:
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
            if event.audience is Audience.PUBLIC:
                view = fold_view(view, event)
        # Votes are counted beside the round, and told with the crowd.
        assert view == replace(table_view(round), tally=())
    assert round.over


class Step(msgspec.Struct):
    """A step of an evening: what everyone was told, and what one who comes then would see."""

    snapshot: messages.Snapshot
    frame: messages.Frame | None = None


@pytest.mark.parametrize("evening", sorted(FOLDER.glob("live-*.json")), ids=lambda path: path.stem)
def test_the_frames_of_an_evening_fold_to_its_snapshots(evening: Path) -> None:
    first, *steps = msgspec.json.decode(evening.read_bytes(), type=list[Step])
    state = TableState.of(first.snapshot)
    for snapshot, frame in ((step.snapshot, step.frame) for step in steps):
        if frame is not None:
            state.advance(frame)
            state.advance(frame)  # one that was seen before changes nothing
        assert replace(state.picture(), at=snapshot.at) == snapshot
    assert len(steps) > 10
