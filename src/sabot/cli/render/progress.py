"""The progress bar of long commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class Show(Protocol):
    """Moves the bar, with a note beside it."""

    def __call__(self, done: int, note: str) -> None: ...


@contextmanager
def progress_bar(total: int) -> Iterator[Show]:
    """A bar on the standard error, shown only at a terminal and removed at its end."""
    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    note = TextColumn("{task.fields[note]}")
    with Progress(*columns, note, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)
