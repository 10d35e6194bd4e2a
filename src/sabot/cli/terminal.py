"""Lines in and out: a prompt that works at a terminal, with a pipe and in a test."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console

#: Shows a prompt and gives the line typed; None at the end of the input.
Read = Callable[[str], str | None]


def make_console() -> Console:
    """A console that prints texts as they are: `[h]` is a letter to press, not a style."""
    return Console(markup=False, highlight=False, emoji=False)


def make_reader(console: Console) -> Read:
    """Reads from the standard input; what came through a pipe is echoed, so that a transcript reads well."""

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
