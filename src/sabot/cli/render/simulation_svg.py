"""A simulation drawn as SVG: shares of results and returns, with error bounds, beside the exact values."""

from __future__ import annotations

from math import floor, log10, sqrt
from typing import NamedTuple

from sabot.cli.render.simulation_view import Compared, bound_of, compared, measured
from sabot.cli.render.svg import INK, MARGIN, Pen
from sabot.games import Game
from sabot.odds.distribution import table_distribution
from sabot.odds.game import game_tables
from sabot.simulate import Result
from sabot.texts import Catalogue

#: Most rows of results; rarer results at both ends are put together.
_ROWS, _RARE = 35, 0.0005
_LOST, _PUSHED, _WON = "#e8912d", "#9a9a9a", "#2f78a8"
_FAINT, _GRID = "#5c5c5c", "#dddddd"
_WIDTH, _LINE, _BAR = 920, 24, 15
_RIGHT = _WIDTH - MARGIN


class _Share(NamedTuple):
    """The share of one result, or of all beyond it."""

    value: float
    found: float
    exact: float | None
    beyond: str = ""


class _Grid(NamedTuple):
    """Right ends of the two columns of numbers, and the left end of the plot."""

    found: float
    exact: float
    plot: float


_SHARES, _SHARES_ALONE, _RETURNS = _Grid(222, 302, 322), _Grid(222, 222, 246), _Grid(400, 480, 504)


def draw(catalogue: Catalogue, game: Game, result: Result, seed: int) -> str:
    """The SVG text of a simulation with at least one round."""
    say = catalogue.text
    title = say("simulate.plot.title", title=game.title)
    rounds = catalogue.number(f"{result.rounds:,}")
    key = "simulate.found" if result.complete else "simulate.interrupted"
    head = say(key, rounds=rounds, hands=result.hands, seed=seed)
    pen = _PanelPen(catalogue)
    pen.text(MARGIN, MARGIN + 18, title, size=19, bold=True)
    pen.note(MARGIN, MARGIN + 42, head)
    pen.down = MARGIN + 42
    shares, returns = _shares(game, result), compared(catalogue, game, result)
    _draw_shares(pen, shares, result)
    _draw_returns(pen, returns)
    description = [head]
    for one in returns:
        exact = f"{say('simulate.exact')} {catalogue.percent(one.exact)}"
        description.append(f"{one.name} {measured(pen.catalogue, one.found, one.error)}, {exact}")
    description += [f"{pen.label(row)}: {catalogue.percent(row.found)}" for row in shares]
    return pen.page(_WIDTH, pen.down + MARGIN, title, "; ".join(description))


def _shares(game: Game, result: Result) -> list[_Share]:
    found, exact = result.distribution, {}
    if result.hands == 1:
        tables = game_tables(game.rules)
        exact = dict(table_distribution(tables.columns, tables.best).items())
    rows = [
        _Share(value, found.get(value, 0.0), exact.get(value, 0.0) if exact else None)
        for value in sorted(found.keys() | exact.keys())
    ]
    while len(rows) > _ROWS or (result.hands > 1 and min(rows[0].found, rows[-1].found) < _RARE):
        at = 0 if rows[0].found <= rows[-1].found else -1
        last = rows.pop(at)
        beyond = "\N{GREATER-THAN OR EQUAL TO} " if at else "\N{LESS-THAN OR EQUAL TO} "
        rows[at] = rows[at]._replace(found=rows[at].found + last.found, beyond=beyond)
    return rows


def _draw_shares(pen: _PanelPen, rows: list[_Share], result: Result) -> None:
    """Bars for simulated shares, marks for exact ones."""
    say, grid = pen.catalogue.text, _SHARES if result.hands == 1 else _SHARES_ALONE
    note = say("simulate.plot.marks" if result.hands == 1 else "simulate.plot.one-hand")
    pen.panel(say("simulate.plot.results"), note, grid)
    top = max(max(row.found, row.exact or 0.0) for row in rows)
    scale = (_RIGHT - 8 - grid.plot) / top
    step = _step(top / 6)
    ticks = [(grid.plot + at * step * scale, at * step) for at in range(floor(top / step) + 1)]
    pen.axis([(x, pen.catalogue.percent(value, 0 if step >= 0.01 else 1)) for x, value in ticks], len(rows))
    for row in rows:
        middle = pen.down + _LINE / 2
        pen.text(74, middle + 5, pen.label(row), bold=True, anchor="end")
        error = sqrt(row.found * (1 - row.found) / result.rounds)
        pen.text(grid.found, middle + 5, measured(pen.catalogue, row.found, error), anchor="end")
        colour = _WON if row.value > 0 else _LOST if row.value < 0 else _PUSHED
        pen.bar(grid.plot, middle, row.found * scale, colour)
        if row.exact is not None:
            pen.text(grid.exact, middle + 5, pen.catalogue.percent(row.exact), anchor="end")
            x = grid.plot + row.exact * scale
            pen.line(x, middle - _LINE / 2 + 2, x, middle + _LINE / 2 - 2, INK, 2)
        pen.down += _LINE
    pen.down += 22


def _draw_returns(pen: _PanelPen, rows: list[Compared]) -> None:
    """A dot for each difference from the exact return, with its error bound."""
    say = pen.catalogue.text
    pen.panel(say("simulate.plot.returns"), say("simulate.plot.difference"), _RETURNS)
    reach = max(abs(row.found - row.exact) + (bound_of(row.error) or 0.0) for row in rows) or 0.01
    centre = (_RETURNS.plot + _RIGHT) / 2
    scale = ((_RIGHT - _RETURNS.plot) / 2 - 8) / reach
    step = _step(reach / 3.5)
    most = floor(reach / step)
    decimals = max(0, -floor(log10(100 * step) + 1e-9))
    pen.axis(
        [
            (centre + at * step * scale, pen.number(f"{100 * at * step:+.{decimals}f}" if at else "0"))
            for at in range(-most, most + 1)
        ],
        len(rows),
    )
    pen.line(centre, pen.down, centre, pen.down + len(rows) * _LINE, INK, 1.5)
    for row in rows:
        middle, dot = pen.down + _LINE / 2, centre + (row.found - row.exact) * scale
        pen.text(MARGIN, middle + 5, row.name)
        pen.text(_RETURNS.found, middle + 5, measured(pen.catalogue, row.found, row.error), anchor="end")
        pen.text(_RETURNS.exact, middle + 5, pen.catalogue.percent(row.exact), anchor="end")
        if (bound := bound_of(row.error)) is not None:
            left, right = dot - bound * scale, dot + bound * scale
            pen.line(left, middle, right, middle, _WON, 2)
            for x in (left, right):
                pen.line(x, middle - 5, x, middle + 5, _WON, 2)
        pen.dot(dot, middle)
        pen.down += _LINE
    pen.down += 22


def _step(about: float) -> float:
    """The next step of 1, 2 or 5 times a power of ten."""
    unit: float = 10.0 ** floor(log10(about))
    return next((n * unit for n in (1, 2, 5) if n * unit >= about), 10 * unit)


class _PanelPen(Pen):
    """A pen for panels of rows with a plot beside them."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__()
        self.catalogue = catalogue

    def number(self, text: str) -> str:
        return self.catalogue.number(text).replace("-", "\N{MINUS SIGN}")

    def label(self, row: _Share) -> str:
        return row.beyond + self.number(f"{row.value:+g}" if row.value else "0")

    def note(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self.text(x, y, text, size=12, anchor=anchor, ink=_FAINT)

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float) -> None:
        self.draw(
            f'<line x1="{x:.2f}" y1="{y:.2f}" x2="{to_x:.2f}" y2="{to_y:.2f}" stroke="{colour}" '
            f'stroke-width="{width:g}"/>'
        )

    def bar(self, x: float, middle: float, width: float, colour: str) -> None:
        y = middle - _BAR / 2
        self.draw(f'<rect x="{x:g}" y="{y:g}" width="{width:.3f}" height="{_BAR}" fill="{colour}"/>')

    def dot(self, x: float, y: float) -> None:
        self.draw(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="5" fill="{_WON}" stroke="#ffffff"/>')

    def panel(self, heading: str, note: str, grid: _Grid) -> None:
        """Headings of a panel and its columns."""
        say = self.catalogue.text
        self.text(MARGIN, self.down + 38, heading, size=15, bold=True)
        self.down += 64
        self.note(grid.found, self.down, say("simulate.simulated"), "end")
        if grid.exact > grid.found:
            self.note(grid.exact, self.down, say("simulate.exact"), "end")
        self.note(grid.plot, self.down, note)
        self.down += 8

    def axis(self, ticks: list[tuple[float, str]], rows: int) -> None:
        """Grid lines behind the rows, with numbers below."""
        foot = self.down + rows * _LINE
        for x, text in ticks:
            self.line(x, self.down, x, foot + 4, _GRID, 1)
            self.note(x, foot + 18, text, "middle")
