"""`sabot play`: a solo game at the terminal, with play money."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sabot.cli.shared import (
    GameName,
    Language,
    catalogue_of,
    file_access,
    game_of,
    make_console,
    refuse,
)
from sabot.games import CATALOGUE


def play(
    game: GameName,
    balance: Annotated[str, typer.Option(metavar="AMOUNT", help="Play money to begin with.")] = "1000",
    hands: Annotated[int, typer.Option(metavar="N", help="Hands that a bare amount is staked on.")] = 1,
    vip: Annotated[
        int, typer.Option(metavar="LEVEL", min=0, help="VIP level, which opens higher limits.")
    ] = 0,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Deal the same cards again: for practice.")
    ] = None,
    client_seed: Annotated[str, typer.Option(metavar="TEXT", help="Your part in the shuffle.")] = "sabot",
    record: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write each round down, for `sabot verify`.")
    ] = None,
    lang: Language = None,
) -> None:
    """Play a solo game with play money."""
    from sabot.cli.play.chance import SeedSource, lazy_price
    from sabot.cli.play.game import TerminalGame
    from sabot.cli.play.parse import NotUnderstoodError, parse_amount
    from sabot.cli.play.session import PlaySession
    from sabot.cli.play.terminal import Terminal, make_reader
    from sabot.games.options import OptionError

    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    if found.live:
        solo = ", ".join(name for name, other in CATALOGUE.items() if not other.live)
        refuse(catalogue.text("cli.live", name=game, known=solo))
    if not 1 <= hands <= found.rules.spots:
        refuse(catalogue.text("cli.hands", hands=hands, last=found.rules.spots))
    try:
        cents = parse_amount(balance)
    except NotUnderstoodError:
        refuse(catalogue.text("cli.amount", text=balance))
    try:
        source = SeedSource(found.rules, client_seed, seed)
    except ValueError as error:
        refuse(catalogue.text("cli.client-seed", reason=error))
    if record is not None:
        with file_access(catalogue, "cli.folder", record):
            record.mkdir(parents=True, exist_ok=True)
    if found.rules.bonus is not None or found.options.max_win is not None:
        from sabot.odds.startup import check_game

        try:
            check_game(found)
        except OptionError as error:
            refuse(str(error))
    price = lazy_price if found.rules.cashback else None
    session = PlaySession(found, balance=cents, chance=source, price=price, vip=vip)
    console = make_console()
    terminal = Terminal(session, catalogue, console, make_reader(console))
    TerminalGame(terminal, source, hands=hands, practice=seed is not None, records=record).run()
