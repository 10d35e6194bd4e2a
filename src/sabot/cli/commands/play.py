"""`sabot play`: a solo game at the terminal, with play money."""

from pathlib import Path
from typing import Annotated

from sabot.cli.shared import GameName, Language, Output, make_console, option
from sabot.games import CATALOGUE


def play(
    game: GameName,
    balance: Annotated[str, option("AMOUNT", "Play money at the start.")] = "1000",
    hands: Annotated[int, option("N", "Hands that a bare amount is staked on.")] = 1,
    vip: Annotated[int, option("LEVEL", "VIP level, which opens higher limits.", min=0)] = 0,
    seed: Annotated[str | None, option("TEXT", "Deal the same cards again: for practice.")] = None,
    client_seed: Annotated[str, option("TEXT", "Your part in the shuffle.")] = "sabot",
    record: Annotated[
        Path | None, option("FOLDER", "Write a record of each round, for `sabot verify`.")
    ] = None,
    lang: Language = None,
) -> None:
    """Play a solo game with play money."""
    from sabot.cli.play.chance import SeedSource
    from sabot.cli.play.game import TerminalGame
    from sabot.cli.play.parse import NotUnderstoodError, parse_amount
    from sabot.cli.play.session import PlaySession
    from sabot.cli.play.terminal import Terminal, make_reader
    from sabot.games.options import OptionError

    out = Output(lang)
    found = out.game(game)
    if found.live:
        solo = ", ".join(name for name, other in CATALOGUE.items() if not other.live)
        out.refuse("cli.live", name=game, known=solo)
    if not 1 <= hands <= found.rules.spots:
        out.refuse("cli.hands", hands=hands, last=found.rules.spots)
    try:
        cents = parse_amount(balance)
    except NotUnderstoodError:
        out.refuse("cli.amount", text=balance)
    try:
        source = SeedSource(found.rules, client_seed, seed)
    except ValueError as error:
        out.refuse("cli.client-seed", reason=error)
    if record is not None:
        with out.file("cli.folder", record):
            record.mkdir(parents=True, exist_ok=True)
    if found.rules.bonus is not None or found.options.max_win is not None:
        from sabot.odds.startup import check_game

        try:
            check_game(found)
        except OptionError as error:
            out.fail(str(error))
    session = PlaySession(found, balance=cents, chance=source, vip=vip)
    if found.rules.cashback:
        from sabot.odds.price import price  # loads numpy

        session.price = price
    console = make_console()
    terminal = Terminal(session, out.catalogue, console, make_reader(console))
    TerminalGame(terminal, source, hands=hands, practice=seed is not None, records=record).run()
