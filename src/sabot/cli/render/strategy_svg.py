"""Best tables drawn as SVG, with a legend."""

from __future__ import annotations

from collections.abc import Iterable

from sabot.cli.render.charts import Chart
from sabot.cli.render.svg import MARGIN, Pen
from sabot.games import Game
from sabot.texts import Catalogue

#: Fill and letter colour of each action; they differ in greys too.
_COLOURS = {
    "S": ("#fdf3dc", "#222222"),
    "H": ("#b5e3b0", "#222222"),
    "D": ("#e8912d", "#222222"),
    "P": ("#2f78a8", "#ffffff"),
    "R": ("#532a52", "#ffffff"),
}
_FAINT = "#666666"
_LABEL, _LINE = 96, 26
_CELL, _WIDE_CELL = 40, 48


def draw(catalogue: Catalogue, game: Game, charts: Iterable[Chart]) -> str:
    """The SVG text of a game's charts, one below the other."""
    say = catalogue.text
    title = say("strategy.title", title=game.title)
    pen = _TablePen()
    pen.text(MARGIN, MARGIN + 18, title, size=19, bold=True)
    pen.down = MARGIN + 34
    for chart in charts:
        if chart.name == "free":
            pen.down += 30
            pen.text(MARGIN, pen.down, say("strategy.free"), size=16, bold=True)
            pen.down += 8
        _draw_chart(pen, catalogue, game, chart)
        if chart.name == "best" and game.rules.free_split:
            pen.down += 22
            pen.text(MARGIN, pen.down, say("strategy.free-note"), size=12, ink=_FAINT)
    width = max(pen.right, MARGIN + 10.5 * len(title)) + MARGIN
    return pen.page(width, pen.down + MARGIN, title)


def _draw_chart(pen: _TablePen, catalogue: Catalogue, game: Game, chart: Chart) -> None:
    widths = [_WIDE_CELL if len(column) > 2 else _CELL for column in chart.columns]
    lefts = [MARGIN + _LABEL + sum(widths[:at]) for at in range(len(widths))]
    for section in chart.sections:
        pen.down += 30
        heading = catalogue.text(f"strategy.{section.kind}")
        pen.text(MARGIN, pen.down, heading, size=14, bold=True)
        for column, left, width in zip(chart.columns, lefts, widths, strict=True):
            pen.text(left + width / 2, pen.down, column, bold=True, anchor="middle")
        pen.down += 8
        for row in section.rows:
            middle = pen.down + _LINE / 2 + 5
            pen.text(MARGIN + _LABEL - 12, middle, row.label, anchor="end")
            for cell, left, width in zip(row.cells, lefts, widths, strict=True):
                pen.cell(left, pen.down, width, cell, catalogue.named("strategy.letter", cell, game.name))
            pen.down += _LINE
    pen.down += 14
    for letter, cell in chart.legend(catalogue, game).items():
        pen.cell(MARGIN, pen.down, _CELL, cell, letter)
        text = catalogue.named("strategy.cell", cell, game.name)
        pen.text(MARGIN + _CELL + 10, pen.down + _LINE / 2 + 5, text)
        pen.down += _LINE
    pen.right = max(pen.right, lefts[-1] + widths[-1])


class _TablePen(Pen):
    """Draws cells and remembers how far right they reach."""

    def __init__(self) -> None:
        super().__init__()
        self.right = 0.0

    def cell(self, x: float, y: float, width: float, cell: str, letter: str) -> None:
        """A coloured cell with its letter."""
        fill, ink = _COLOURS[cell[0]]
        self.draw(
            f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" height="{_LINE - 2}" '
            f'rx="3" fill="{fill}" stroke="#999999" stroke-width="0.6"/>'
        )
        self.text(x + width / 2, y + _LINE / 2 + 5, letter, bold=True, anchor="middle", ink=ink)
