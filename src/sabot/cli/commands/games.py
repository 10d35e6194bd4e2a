"""`sabot games`, `sabot rules` and `sabot strategy`: the games, their rules and their best tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sabot.cli.shared import GameName, Language, catalogue_of, echo_json, echo_view, file_access, game_of
from sabot.games import CATALOGUE


def games(lang: Language = None) -> None:
    """List the games, with the returns their regulations publish."""
    from sabot.cli.render.show import games_view

    echo_view(games_view(catalogue_of(lang), CATALOGUE.values()))


def rules(
    game: GameName,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rule set as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the rules and prizes of a game, and their hash."""
    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    if as_json:
        echo_json(found.rules)
        return
    from sabot.cli.render.show import rules_view

    echo_view(rules_view(catalogue, found))


def strategy(
    game: GameName,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the table into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the best strategy of a game: hard, soft and pairs by up card."""
    from sabot.cli.render.charts import charts, json_rows

    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    if svg is not None:
        from sabot.cli.render.strategy_svg import draw

        with file_access(catalogue, "cli.write", svg):
            svg.write_text(draw(catalogue, found, charts(found)), "utf-8")
    if as_json:
        echo_json(json_rows(found))
    elif svg is not None:
        typer.echo(catalogue.text("strategy.drawn", path=svg))
    else:
        from sabot.cli.render.strategy_view import strategy_view

        echo_view(strategy_view(catalogue, found, charts(found)))
