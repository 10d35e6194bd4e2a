"""Options and output of the commands. A refusal is one line and exit code 2."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import msgspec
import typer

from sabot.games import CATALOGUE, Game, UnknownGameError, find
from sabot.texts import LANGUAGES, Catalogue, UnknownLanguageError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

USAGE = 2
INTERRUPTED = 130


def option(metavar: str, help: str, **more: Any) -> Any:
    """An option with a value."""
    return typer.Option(metavar=metavar, help=help, **more)


def flag(name: str, help: str) -> Any:
    """An option without a value."""
    return typer.Option(name, help=help)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """A positional argument."""
    return typer.Argument(metavar=metavar, help=help, **more)


GameName = Annotated[str, argument("GAME", "A game of `sabot games`.", show_default=False)]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="it|en", help="The language; else that of the locale.")
]
AsJson = Annotated[bool, flag("--json", "Print JSON.")]
AsFractions = Annotated[bool, flag("--json", "Print JSON: fractions, not per cent.")]


def language_of(environment: Mapping[str, str]) -> str:
    """Italian for an Italian locale or none, else English.

    >>> language_of({}), language_of({"LANG": "it_IT.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "it_IT"})
    ('it', 'it', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = environment.get(name)
        if locale:
            return "it" if locale.lower().startswith("it") else "en"
    return "it"


def parse_count(text: str, least: int, most: int) -> int | None:
    """A whole number in a range, as 1000000, 1_000_000 or 1e6; else None.

    >>> parse_count("1e6", 1, 10**9), parse_count("1.5", 1, 9), parse_count("many", 1, 9)
    (1000000, None, None)
    """
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal(text)
        return int(number) if least <= number <= most and number == int(number) else None
    except InvalidOperation:  # not a number
        return None


class Output:
    """The output of a command in a language, or in that of the locale: texts, JSON, views and refusals."""

    def __init__(self, lang: str | None) -> None:
        self.catalogue = Catalogue(language_of(os.environ))
        try:
            self.catalogue = Catalogue(lang or self.catalogue.language)
        except UnknownLanguageError:
            self.refuse("cli.language", name=lang, known=", ".join(LANGUAGES))

    def say(self, key: str, **params: object) -> None:
        """Print a text of the catalogue."""
        typer.echo(self.catalogue.text(key, **params))

    def json(self, value: object) -> None:
        """Print a value as indented JSON."""
        typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())

    def show(self, view: RenderableType) -> None:
        """Print something that rich draws."""
        make_console().print(view)

    def refuse(self, key: str, **params: object) -> NoReturn:
        """End the command with a text of the catalogue."""
        self.fail(self.catalogue.text(key, **params))

    def fail(self, message: str) -> NoReturn:
        """End the command with one line, the reason."""
        typer.echo(f"sabot: {message}", err=True)
        raise typer.Exit(USAGE)

    def game(self, name: str) -> Game:
        """The game of a name."""
        try:
            return find(name)
        except UnknownGameError:
            self.refuse("cli.game", name=name, known=", ".join(CATALOGUE))

    @contextmanager
    def file(self, key: str, path: Path) -> Iterator[None]:
        """Refuse the command with a text of the catalogue if the file cannot be read or written."""
        try:
            yield
        except OSError as error:
            self.refuse(key, path=path, reason=error.strerror)


def make_console() -> Console:
    """A console that prints texts as they are: `[h]` is a letter to press, not a style."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def utc_time(ms: int) -> str:
    """A moment in milliseconds, as ISO text."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def note_compiling(out: Output, *functions: Callable[..., Any]) -> None:
    """Print a line if a function is not in numba's cache yet: compiling it takes seconds."""
    if not all(map(_is_compiled, functions)):
        typer.echo(out.catalogue.text("odds.compiling"), err=True)


def _is_compiled(function: Any) -> bool:
    folder = Path(function.stats.cache_path)
    line = function.py_func.__code__.co_firstlineno
    return any(folder.glob(f"*.{function.__name__}-{line}.py*.nbi"))
