"""Tables, rows of buttons and progress bars that views share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text


def plain_table(gap: int = 2) -> Table:
    """A table without lines, with a gap after each column."""
    return Table.grid(padding=(0, gap, 0, 0))


def number_table(*heads: str, gap: int = 3) -> Table:
    """A table of numbers with dim heads; the first column has names."""
    table = plain_table(gap)
    table.add_column()
    for _ in heads[1:]:
        table.add_column(justify="right")
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def packed(items: Iterable[Text], width: int) -> Text:
    """Items side by side on as many lines as needed.

    >>> packed([Text("[h] HIT"), Text("[s] STAND"), Text("[p] SPLIT")], 20).plain
    '[h] HIT  [s] STAND\\n[p] SPLIT'
    """
    text, column = Text(), 0
    for item in items:
        if column and column + 2 + item.cell_len > width:
            text.append("\n")
            column = 0
        elif column:
            text.append("  ")
            column += 2
        text.append_text(item)
        column += item.cell_len
    return text


class Show(Protocol):
    """Moves the bar, with a note beside it."""

    def __call__(self, done: int, note: str) -> None: ...


@contextmanager
def progress_bar(total: int) -> Iterator[Show]:
    """A bar on the standard error, shown only at a terminal and removed at its end."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    note = TextColumn("{task.fields[note]}")
    with Progress(*columns, note, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)
