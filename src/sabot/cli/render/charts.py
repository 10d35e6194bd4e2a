"""Best tables to read: equal rows merged, a column for each up card."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from sabot.games import Game, dealt_otherwise
from sabot.games.strategy import BestTable
from sabot.games.tables import BEST_TABLES, FREE_TABLES
from sabot.texts import Catalogue

UP_CARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
#: Letters shown for a double or surrender that else stands.
SHOWN = {"d": "Ds", "r": "Rs"}
LEGEND = ("H", "S", "D", "Ds", "P", "R", "Rs")

Kind = Literal["hard", "soft", "pairs"]


class Row(NamedTuple):
    """A row: the hands it is for, and a cell for each column."""

    label: str
    cells: tuple[str, ...]


class ChartSection(NamedTuple):
    """The rows of one kind of hand."""

    kind: Kind
    rows: tuple[Row, ...]


class Chart(NamedTuple):
    """The table of all hands, or of the free split hand."""

    name: Literal["best", "free"]
    columns: tuple[str, ...]
    sections: tuple[ChartSection, ...]

    def legend(self, catalogue: Catalogue, game: Game) -> dict[str, str]:
        """The letters that occur, as the game writes them, each with a cell of that meaning."""
        found = {cell for section in self.sections for row in section.rows for cell in row.cells}
        letters: dict[str, str] = {}
        for cell in LEGEND:
            if cell in found:
                letters.setdefault(catalogue.named("strategy.letter", cell, game.name), cell)
        return letters


def charts(game: Game) -> list[Chart]:
    """The charts of a game; games that differ only in the dealing share one, with an ace column each (MAJ-30).

    >>> from sabot.games import find
    >>> [(chart.name, chart.columns[-2:]) for chart in charts(find("majority-us"))]
    [('best', ('A EU', 'A US'))]
    >>> [chart.name for chart in charts(find("freebet"))]
    ['best', 'free']
    """
    tables = {other.name: BEST_TABLES[other.name] for other in dealt_otherwise(game)}
    aces = [f"A {name.rpartition('-')[2].upper()}" for name in tables] if len(tables) > 1 else ["A"]
    made = [_chart("best", [*UP_CARDS[:-1], *aces], list(tables.values()))]
    if game.name in FREE_TABLES:
        made.append(_chart("free", UP_CARDS, [FREE_TABLES[game.name]]))
    return made


def json_rows(game: Game) -> list[dict[str, object]]:
    """Every row of a game's tables, one object each: the action's letter by up card."""
    tables = [("best", BEST_TABLES[game.name])]
    if game.name in FREE_TABLES:
        tables.append(("free", FREE_TABLES[game.name]))
    return [
        {
            "game": game.name,
            "table": name,
            "kind": kind,
            "hand": hand_of(total),
            "cells": dict(zip(UP_CARDS, (SHOWN.get(cell, cell) for cell in row), strict=True)),
        }
        for name, table in tables
        for kind, hand_of, rows in _kinds(table)
        for total, row in rows.items()
    ]


def _chart(name: Literal["best", "free"], columns: Iterable[str], tables: list[BestTable]) -> Chart:
    """A chart of tables that differ only under the ace."""
    sections = []
    for kind, hand_of, rows in _kinds(tables[0]):
        aces: list[dict[int, str]] = [getattr(table, kind) for table in tables]
        lines = [
            (hand_of(total), row[:-1] + "".join(ace[total][-1] for ace in aces))
            for total, row in rows.items()
            if (kind, total) != ("soft", 12)  # two aces, which stand among the pairs
        ]
        if lines:
            sections.append(ChartSection(kind, tuple(_merged(lines))))
    return Chart(name, tuple(columns), tuple(sections))


def _kinds(table: BestTable) -> Iterator[tuple[Kind, Callable[[int], str], dict[int, str]]]:
    yield "hard", str, table.hard
    yield "soft", lambda total: f"A,{_face(total - 11)}", table.soft
    aces_last = sorted(table.pairs, key=lambda value: value == 1)
    yield "pairs", lambda value: f"{_face(value)},{_face(value)}", {v: table.pairs[v] for v in aces_last}


def _face(value: int) -> str:
    return "A" if value == 1 else str(value)


def _merged(lines: Iterable[tuple[str, str]]) -> Iterator[Row]:
    for cells, alike in groupby(lines, key=lambda line: line[1]):
        labels = [label for label, _ in alike]
        label = labels[0] if len(labels) == 1 else f"{labels[0]} - {labels[-1]}"
        yield Row(label, tuple(SHOWN.get(cell, cell) for cell in cells))
