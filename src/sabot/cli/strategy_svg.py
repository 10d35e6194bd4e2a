"""The best tables as a drawing: cells in colours whose greys differ too, letters in them, a legend below."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from sabot.cli.charts import Chart
from sabot.games import Game
from sabot.texts import Catalogue

#: Fill and letter colour of each action, from light to dark: in greys they stay apart.
_COLOURS = {
    "S": ("#fdf3dc", "#222222"),
    "H": ("#b5e3b0", "#222222"),
    "D": ("#e8912d", "#222222"),
    "P": ("#2f78a8", "#ffffff"),
    "R": ("#532a52", "#ffffff"),
}
_INK, _FAINT = "#222222", "#666666"
_MARGIN, _LABEL, _LINE = 24, 96, 26
_CELL, _WIDE_CELL = 40, 48
_FONT = "font-family=\"'DejaVu Sans', Verdana, Arial, sans-serif\""


class _Place(NamedTuple):
    x: float
    y: float


def draw(catalogue: Catalogue, game: Game, charts: Iterable[Chart]) -> str:
    """The SVG text of a game's charts, one below the other."""
    say = catalogue.text
    title = say("strategy.title", title=game.title)
    pen = _Pen()
    pen.write(_Place(_MARGIN, _MARGIN + 18), title, size=19, weight="bold")
    pen.down = _MARGIN + 34
    for chart in charts:
        if chart.name == "free":
            pen.down += 30
            pen.write(_Place(_MARGIN, pen.down), say("strategy.free"), size=16, weight="bold")
            pen.down += 8
        _draw_chart(pen, catalogue, chart)
        if chart.name == "best" and game.rules.free_split:
            pen.down += 22
            pen.write(_Place(_MARGIN, pen.down), say("strategy.free-note"), size=12, ink=_FAINT)
    width = max(pen.right, _MARGIN + 10.5 * len(title)) + _MARGIN
    return pen.page(title, width, pen.down + _MARGIN)


def _draw_chart(pen: _Pen, catalogue: Catalogue, chart: Chart) -> None:
    widths = [_WIDE_CELL if len(column) > 2 else _CELL for column in chart.columns]
    lefts = [_MARGIN + _LABEL + sum(widths[:at]) for at in range(len(widths))]
    for section in chart.sections:
        pen.down += 30
        heading = catalogue.text(f"strategy.{section.kind}")
        pen.write(_Place(_MARGIN, pen.down), heading, size=14, weight="bold")
        for column, left, width in zip(chart.columns, lefts, widths, strict=True):
            pen.write(_Place(left + width / 2, pen.down), column, size=13, weight="bold", anchor="middle")
        pen.down += 8
        for row in section.rows:
            middle = pen.down + _LINE / 2 + 5
            pen.write(_Place(_MARGIN + _LABEL - 12, middle), row.label, size=13, anchor="end")
            for cell, left, width in zip(row.cells, lefts, widths, strict=True):
                pen.cell(_Place(left, pen.down), width, cell)
            pen.down += _LINE
    pen.down += 14
    for cell in chart.used():
        pen.cell(_Place(_MARGIN, pen.down), _CELL, cell)
        text = catalogue.text(f"strategy.cell.{cell}")
        pen.write(_Place(_MARGIN + _CELL + 10, pen.down + _LINE / 2 + 5), text, size=13)
        pen.down += _LINE
    pen.right = max(pen.right, lefts[-1] + widths[-1])


class _Pen:
    """What is drawn so far, and how far down and to the right it reaches."""

    def __init__(self) -> None:
        self.down = 0.0
        self.right = 0.0
        self._parts: list[str] = []

    def write(
        self,
        place: _Place,
        text: str,
        *,
        size: int,
        weight: str = "normal",
        anchor: str = "start",
        ink: str = _INK,
    ) -> None:
        self._parts.append(
            f'<text x="{place.x:g}" y="{place.y:g}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="{anchor}" fill="{ink}">{escape(text)}</text>'
        )

    def cell(self, place: _Place, width: float, cell: str) -> None:
        """A coloured cell with its letters, a hair smaller than its place."""
        fill, ink = _COLOURS[cell[0]]
        self._parts.append(
            f'<rect x="{place.x + 1:g}" y="{place.y + 1:g}" width="{width - 2:g}" height="{_LINE - 2}" '
            f'rx="3" fill="{fill}" stroke="#999999" stroke-width="0.6"/>'
        )
        middle = _Place(place.x + width / 2, place.y + _LINE / 2 + 5)
        self.write(middle, cell, size=13, weight="bold", anchor="middle", ink=ink)

    def page(self, title: str, width: float, height: float) -> str:
        """The whole drawing on white."""
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
                f'viewBox="0 0 {width:g} {height:g}" role="img" {_FONT}>',
                f"<title>{escape(title)}</title>",
                '<rect width="100%" height="100%" fill="#ffffff"/>',
                *self._parts,
                "</svg>\n",
            ]
        )
