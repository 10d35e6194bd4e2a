"""`sabot returns` and `sabot odds`: the exact numbers of a game, and of one hand."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec import Struct

from sabot.cli.shared import (
    AsFractions,
    Language,
    catalogue_of,
    echo_json,
    echo_view,
    file_access,
    game_of,
    make_console,
    note_compiling,
    refuse,
)
from sabot.games import CATALOGUE, Game
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.odds.hand import HandOdds


def returns(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game of `sabot games`; else all of them.")
    ] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Show the return of every bet: published, computed exactly, and its standard deviation."""
    catalogue = catalogue_of(lang)
    games = [game_of(game, catalogue)] if game else list(CATALOGUE.values())
    _note_compiling(catalogue)
    from sabot.odds.returns import bet_returns

    if as_json:
        echo_json([row for one in games for row in bet_returns(one)])
        return
    from sabot.cli.render.odds_view import returns_foot, returns_view

    console = make_console()
    for one in games:
        console.print(returns_view(catalogue, one, bet_returns(one)))
    console.print(returns_foot(catalogue))


class Question(Struct, forbid_unknown_fields=True):
    """A hand to value, from the options or a line of a batch. Ranks may be numbers."""

    cards: list[str | int]
    up: str | int
    seen: list[str | int] = []
    game: str | None = None


def odds(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game of `sabot games`.", show_default=False)
    ] = None,
    cards: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The hand, two cards or more: 8,8 or 10h,6s.")
    ] = None,
    up: Annotated[str | None, typer.Option(metavar="CARD", help="The dealer's up card.")] = None,
    seen: Annotated[str, typer.Option(metavar="CARDS", help="Other cards seen, gone from the shoe.")] = "",
    batch: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help='Answer JSON lines {"game","cards","up"}; - reads the input.'),
    ] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Show the exact value of every action of a hand against an up card."""
    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue) if game else None
    if batch is not None:
        if cards is not None or up is not None or seen:
            refuse(catalogue.text("odds.batch-alone"))
        _batch(catalogue, batch, found)
        return
    if found is None:
        refuse(catalogue.text("odds.need-game", known=", ".join(CATALOGUE)))
    if cards is None or up is None:
        refuse(catalogue.text("odds.need-cards"))
    question = Question(_words(cards), up.strip(), _words(seen))
    result = _answer(catalogue, found, question)
    if as_json:
        typer.echo(msgspec.json.encode(result))
        return
    from sabot.cli.render.odds_view import hand_view

    echo_view(hand_view(catalogue, found, result))


def _words(text: str) -> list[str | int]:
    return [*text.replace(",", " ").split()]


def _answer(catalogue: Catalogue, game: Game, question: Question, where: str = "") -> HandOdds:
    from sabot.odds.hand import HandError, KnownCard, check_hand, hand_odds, known_card

    def known(texts: Sequence[str | int]) -> list[KnownCard]:
        return [known_card(str(text)) for text in texts]

    try:
        cards, up, seen = known(question.cards), known_card(str(question.up)), known(question.seen)
        check_hand(game.rules, cards, up, seen)
    except HandError as error:
        refuse(where + catalogue.text(f"impossible.{error.code}", **error.params))
    _note_compiling(catalogue)
    return hand_odds(game.rules, cards, up, seen)


def _batch(catalogue: Catalogue, path: Path, game: Game | None) -> None:
    """Answer each line of a file; stop at the first bad one."""
    lines: Iterable[bytes]
    with file_access(catalogue, "cli.file", path):
        lines = sys.stdin.buffer if str(path) == "-" else path.read_bytes().splitlines()
    decoder = msgspec.json.Decoder(Question)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = catalogue.text("odds.line", path=path, line=number)
        try:
            question = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            refuse(where + catalogue.text("odds.no-question", reason=error))
        asked = _game_of_line(catalogue, question, game, where)
        typer.echo(msgspec.json.encode(_answer(catalogue, asked, question, where)))


def _game_of_line(catalogue: Catalogue, question: Question, game: Game | None, where: str) -> Game:
    known = ", ".join(CATALOGUE)
    if question.game is None:
        return game or refuse(where + catalogue.text("odds.need-game", known=known))
    if question.game not in CATALOGUE:
        refuse(where + catalogue.text("cli.game", name=question.game, known=known))
    return CATALOGUE[question.game]


@cache
def _note_compiling(catalogue: Catalogue) -> None:
    from sabot.odds import kernel

    note_compiling(catalogue, kernel.dealer_chances, kernel.hit_values, kernel.one_card_values)
