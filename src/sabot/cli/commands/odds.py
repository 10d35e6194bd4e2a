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

from sabot.cli.shared import AsFractions, Language, Output, argument, note_compiling, option
from sabot.games import CATALOGUE, Game

if TYPE_CHECKING:
    from sabot.odds.hand import HandOdds


def returns(
    game: Annotated[str | None, argument("[GAME]", "A game of `sabot games`; else all of them.")] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Show the return of every bet: published, computed exactly, and its standard deviation."""
    out = Output(lang)
    games = [out.game(game)] if game else list(CATALOGUE.values())
    _note_compiling(out)
    from sabot.odds.returns import bet_returns

    if as_json:
        out.json([row for one in games for row in bet_returns(one)])
        return
    from sabot.cli.render.odds_view import returns_foot, returns_view

    for one in games:
        out.show(returns_view(out.catalogue, one, bet_returns(one)))
    out.show(returns_foot(out.catalogue))


class Question(Struct, forbid_unknown_fields=True):
    """A hand to value, from the options or a line of a batch. Ranks may be numbers."""

    cards: list[str | int]
    up: str | int
    seen: list[str | int] = []
    game: str | None = None


def odds(
    game: Annotated[str | None, argument("GAME", "A game of `sabot games`.", show_default=False)] = None,
    cards: Annotated[str | None, option("CARDS", "The hand, two cards or more: 8,8 or 10h,6s.")] = None,
    up: Annotated[str | None, option("CARD", "The dealer's up card.")] = None,
    seen: Annotated[str, option("CARDS", "Other cards seen, gone from the shoe.")] = "",
    batch: Annotated[
        Path | None, option("FILE", 'Answer JSON lines {"game","cards","up"}; - reads the input.')
    ] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Show the exact value of every action of a hand against an up card."""
    out = Output(lang)
    found = out.game(game) if game else None
    if batch is not None:
        if cards is not None or up is not None or seen:
            out.refuse("odds.batch-alone")
        _batch(out, batch, found)
        return
    if found is None:
        out.refuse("odds.need-game", known=", ".join(CATALOGUE))
    if cards is None or up is None:
        out.refuse("odds.need-cards")
    question = Question(_words(cards), up.strip(), _words(seen))
    result = _answer(out, found, question)
    if as_json:
        typer.echo(msgspec.json.encode(result))
        return
    from sabot.cli.render.odds_view import hand_view

    out.show(hand_view(out.catalogue, found, result))


def _words(text: str) -> list[str | int]:
    return [*text.replace(",", " ").split()]


def _answer(out: Output, game: Game, question: Question, where: str = "") -> HandOdds:
    from sabot.odds.hand import HandError, KnownCard, check_hand, hand_odds, known_card

    def known(texts: Sequence[str | int]) -> list[KnownCard]:
        return [known_card(str(text)) for text in texts]

    try:
        cards, up, seen = known(question.cards), known_card(str(question.up)), known(question.seen)
        check_hand(game.rules, cards, up, seen)
    except HandError as error:
        out.fail(where + out.catalogue.text(f"impossible.{error.code}", **error.params))
    _note_compiling(out)
    return hand_odds(game.rules, cards, up, seen)


def _batch(out: Output, path: Path, game: Game | None) -> None:
    """Answer each line of a file; stop at the first bad one."""
    lines: Iterable[bytes]
    with out.file("cli.file", path):
        lines = sys.stdin.buffer if str(path) == "-" else path.read_bytes().splitlines()
    decoder = msgspec.json.Decoder(Question)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = out.catalogue.text("odds.line", path=path, line=number)
        try:
            question = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            out.fail(where + out.catalogue.text("odds.no-question", reason=error))
        found = _game_of_line(out, question, game, where)
        typer.echo(msgspec.json.encode(_answer(out, found, question, where)))


def _game_of_line(out: Output, question: Question, game: Game | None, where: str) -> Game:
    known = ", ".join(CATALOGUE)
    if question.game is None:
        return game or out.fail(where + out.catalogue.text("odds.need-game", known=known))
    if question.game not in CATALOGUE:
        out.fail(where + out.catalogue.text("cli.game", name=question.game, known=known))
    return CATALOGUE[question.game]


@cache
def _note_compiling(out: Output) -> None:
    from sabot.odds import kernel

    note_compiling(out, kernel.dealer_chances, kernel.hit_values, kernel.one_card_values)
