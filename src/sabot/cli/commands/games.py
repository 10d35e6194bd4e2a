"""`sabot games`, `sabot rules` and `sabot strategy`: the games, their rules and their best tables."""

from pathlib import Path
from typing import Annotated

from sabot.cli.shared import GameName, Language, Output, flag, option
from sabot.games import CATALOGUE


def games(lang: Language = None) -> None:
    """List the games, with the returns their regulations publish."""
    from sabot.cli.render.show import games_view

    out = Output(lang)
    out.show(games_view(out.catalogue, CATALOGUE.values()))


def rules(
    game: GameName,
    as_json: Annotated[bool, flag("--json", "Print the rule set as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the rules and prizes of a game, and their hash."""
    out = Output(lang)
    found = out.game(game)
    if as_json:
        out.json(found.rules)
        return
    from sabot.cli.render.show import rules_view

    out.show(rules_view(out.catalogue, found))


def strategy(
    game: GameName,
    svg: Annotated[Path | None, option("FILE", "Draw the table into this file.")] = None,
    as_json: Annotated[bool, flag("--json", "Print the rows as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the best strategy of a game: hard, soft and pairs by up card."""
    from sabot.cli.render.charts import charts, json_rows

    out = Output(lang)
    found = out.game(game)
    if svg is not None:
        from sabot.cli.render.strategy_svg import draw

        with out.file("cli.write", svg):
            svg.write_text(draw(out.catalogue, found, charts(found)), "utf-8")
    if as_json:
        out.json(json_rows(found))
    elif svg is not None:
        out.say("strategy.drawn", path=svg)
    else:
        from sabot.cli.render.strategy_view import strategy_view

        out.show(strategy_view(out.catalogue, found, charts(found)))
