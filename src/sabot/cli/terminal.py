"""Console and prompt, for a terminal, a pipe or a test."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime

from rich.console import Console

#: Shows a prompt and gives the line typed; None at the end of the input.
Read = Callable[[str], str | None]


def make_console() -> Console:
    """A console that prints texts as they are: `[h]` is a letter to press, not a style."""
    return Console(markup=False, highlight=False, emoji=False)


def utc_time(ms: int) -> str:
    """A moment in milliseconds, as ISO text."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def make_reader(console: Console) -> Read:
    """A reader of the standard input; it echoes lines from a pipe, so that a transcript reads well."""

    def read(prompt: str) -> str | None:
        try:
            if sys.stdin.isatty():
                return console.input(prompt, markup=False, emoji=False)
            console.print(prompt, end="")
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return None
        console.print(line.rstrip("\n"))
        return line if line else None

    return read
