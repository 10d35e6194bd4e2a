"""`sabot strategy`: the best table of a game, on the terminal, as JSON or drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sabot.cli.shared import GameName, Language, catalogue_of, echo_json, echo_view, game_of, refuse


def strategy(
    game: GameName,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the table into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the best strategy of a game: hard, soft and pairs by up card."""
    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    from sabot.cli.render.charts import charts, json_rows

    if svg is not None:
        from sabot.cli.render.strategy_svg import draw

        try:
            svg.write_text(draw(catalogue, found, charts(found)), "utf-8")
        except OSError as error:
            refuse(catalogue.text("cli.write", path=svg, reason=error.strerror))
    if as_json:
        echo_json(json_rows(found))
    elif svg is None:
        from sabot.cli.render.strategy_view import strategy_view

        echo_view(strategy_view(catalogue, found, charts(found)))
    else:
        typer.echo(catalogue.text("strategy.drawn", path=svg))
