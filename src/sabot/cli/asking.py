"""What every command asks for, a game and a language, and how it refuses: one line, exit code 2."""

from __future__ import annotations

import os
from typing import Annotated, NoReturn

import typer

from sabot.cli.language import catalogue_for
from sabot.games import CATALOGUE, Game, UnknownGameError, find
from sabot.texts import LANGUAGES, Catalogue, UnknownLanguageError

USAGE = 2

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game of `sabot games`.", show_default=False)]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="it|en", help="The language; else that of the locale.")
]


def asked_catalogue(lang: str | None) -> Catalogue:
    """The catalogue of the language asked for, else of the locale."""
    try:
        return catalogue_for(lang, os.environ)
    except UnknownLanguageError:
        spoken = catalogue_for(None, os.environ)
        refuse(spoken.text("cli.language", name=lang, known=", ".join(LANGUAGES)))


def asked_game(name: str, catalogue: Catalogue) -> Game:
    """The game of a name."""
    try:
        return find(name)
    except UnknownGameError:
        refuse(catalogue.text("cli.game", name=name, known=", ".join(CATALOGUE)))


def refuse(message: str) -> NoReturn:
    """End the command with one line that says why."""
    typer.echo(f"sabot: {message}", err=True)
    raise typer.Exit(USAGE)
