"""What commands share: game and language options, output, and refusals in one line with exit code 2."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, NoReturn

import msgspec
import typer

from sabot.games import CATALOGUE, Game, UnknownGameError, find
from sabot.texts import LANGUAGES, Catalogue, UnknownLanguageError

if TYPE_CHECKING:
    from rich.console import RenderableType

USAGE = 2

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game of `sabot games`.", show_default=False)]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="it|en", help="The language; else that of the locale.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def catalogue_of(lang: str | None) -> Catalogue:
    """The catalogue of the language asked for, else of the locale."""
    spoken = language_of(os.environ)
    try:
        return Catalogue(lang or spoken)
    except UnknownLanguageError:
        refuse(Catalogue(spoken).text("cli.language", name=lang, known=", ".join(LANGUAGES)))


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


def game_of(name: str, catalogue: Catalogue) -> Game:
    """The game of a name."""
    try:
        return find(name)
    except UnknownGameError:
        refuse(catalogue.text("cli.game", name=name, known=", ".join(CATALOGUE)))


def echo_json(value: object) -> None:
    """Print a value as indented JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def echo_view(view: RenderableType) -> None:
    """Print something that rich draws."""
    from sabot.cli.terminal import make_console

    make_console().print(view)


def refuse(message: str) -> NoReturn:
    """End the command with one line that says why."""
    typer.echo(f"sabot: {message}", err=True)
    raise typer.Exit(USAGE)
