"""Best tables in colour."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sabot.cli.render.charts import Chart
from sabot.cli.render.layout import plain_table
from sabot.games import Game
from sabot.texts import Catalogue

_STYLES = {
    "H": "black on green",
    "S": "black on white",
    "D": "black on yellow",
    "Ds": "black on yellow",
    "P": "bold white on blue",
    "R": "bold white on magenta",
    "Rs": "bold white on magenta",
}
_CELL = 4


def strategy_view(catalogue: Catalogue, game: Game, charts: Iterable[Chart]) -> RenderableType:
    """Every chart of a game with its legend."""
    say = catalogue.text
    parts: list[RenderableType] = [Text(say("strategy.title", title=game.title), "bold")]
    for chart in charts:
        if chart.name == "free":
            parts += [Text(), Text(say("strategy.free"), "bold")]
        parts += [_table(catalogue, game, chart), _legend(catalogue, game, chart)]
        if chart.name == "best" and game.rules.free_split:
            parts.append(Text(say("strategy.free-note"), "dim"))
    return Group(*parts)


def _table(catalogue: Catalogue, game: Game, chart: Chart) -> Table:
    grid = Table.grid()
    widths = [max(_CELL, len(column) + 2) for column in chart.columns]
    for section in chart.sections:
        grid.add_row()
        heads = (
            Text(_centred(column, width), "bold") for column, width in zip(chart.columns, widths, strict=True)
        )
        grid.add_row(Text(catalogue.text(f"strategy.{section.kind}"), "bold yellow"), *heads)
        for row in section.rows:
            cells = (
                Text(_centred(catalogue.named("strategy.letter", cell, game.name), width), _STYLES[cell])
                for cell, width in zip(row.cells, widths, strict=True)
            )
            grid.add_row(Text(f"{row.label}  ", no_wrap=True), *cells)
    return grid


def _legend(catalogue: Catalogue, game: Game, chart: Chart) -> Table:
    legend = plain_table(gap=1)
    legend.add_row()
    for letter, cell in chart.legend(catalogue, game).items():
        meaning = catalogue.named("strategy.cell", cell, game.name)
        legend.add_row(Text(_centred(letter, _CELL), _STYLES[cell]), meaning)
    return legend


def _centred(text: str, width: int) -> str:
    """Centred; half a letter goes to the left, as in all columns."""
    return (" " * ((width - len(text)) // 2) + text).ljust(width)
