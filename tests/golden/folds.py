"""The scenes of the solo games as the web client's reducer is tested with them: events, and what they must fold to."""

from __future__ import annotations

from typing import Any

import msgspec

from sabot.engine import Round, StackedShoe
from sabot.engine.commands import AnyCommand, PlaceBets
from sabot.engine.view import player_view, table_view
from sabot.games import find
from sabot.record.notation import parse_command
from sabot.server.tables.adapter import public_outcome
from sabot.server.tables.solo import results
from tests.golden.playthrough import Scene
from tests.golden.scenes import SCENES
from tests.support.table import ADA, Draws, cards_of, fixed_price

SOLO = [game for game in SCENES if not find(game).live]


def fold(game: str) -> str:
    """The whole file of a game: for each scene its steps, one step a line."""
    scenes = [_scene(game, scene) for scene in SCENES[game]]
    return "[\n" + ",\n".join(scenes) + "\n]\n"


def _scene(game: str, scene: Scene) -> str:
    round = Round(
        find(game).rules,
        StackedShoe(cards_of(scene.cards)),
        purses=scene.purses,
        options=find(game).options,
        price=fixed_price(850_000_000),
        draw=Draws(list(scene.draws)),
    )
    placed = PlaceBets(ADA, tuple(scene.bets[ADA]))
    commands: list[tuple[str, AnyCommand]] = [("bets", placed)]
    commands += [(text, parse_command(text)) for text in scene.commands]
    steps = ",\n".join(_json(_step(round, text, command)) for text, command in commands)
    return f'{{"title":{_json(scene.title)},"steps":[\n{steps}\n]}}'


def _step(round: Round, text: str, command: AnyCommand) -> dict[str, Any]:
    events = round.apply(command)
    return {
        "command": text,
        "events": events,
        "view": table_view(round),
        "part": player_view(round, ADA),
        "outcome": public_outcome(round),
        "results": results(round, ADA),
    }


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
