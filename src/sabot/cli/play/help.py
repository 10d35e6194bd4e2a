"""The help page: what a player may type."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sabot.games import Game
from sabot.texts import Catalogue

_SIDE_BETS = {"player-pair": "1 pp 5", "21+3": "1 213 5", "link": "1 link 2", "dealer-pair": "dp 5"}
_BUTTONS = ("deal", "repeat", "repeat-deal", "double-deal", "double-stakes", "undo", "clear")
_WORDS = ("add", "limits", "insurance", "rules", "quit")


def help_view(catalogue: Catalogue, game: Game) -> RenderableType:
    """The help page of a game."""
    say = catalogue.text
    grid = Table.grid(padding=(0, 2, 0, 0))
    rows = [("1 10", "help.stake"), ("10", "help.stake-all")]
    rows += [
        (_SIDE_BETS[bet.name], f"help.{bet.name}") for bet in game.rules.side_bets if bet.name in _SIDE_BETS
    ]
    rows += [(catalogue.label(name, game.name).lower(), f"help.{name}") for name in _BUTTONS]
    words = (word for word in _WORDS if word != "insurance" or game.insurance_switch)
    rows += [(say(f"help.word.{word}"), f"help.{word}") for word in words]
    for typed, key in rows:
        grid.add_row("", Text(typed, "bold yellow"), say(key))
    return Group(
        Text(say("help.betting"), "bold"),
        grid,
        Text(say("help.playing"), "bold"),
        Text(f"  {say('help.turn')}"),
    )
