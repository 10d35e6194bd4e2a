"""The commands of `sabot`. A usage error is one line with the right choices and exit code 2."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

import sabot
from sabot.cli.commands import (
    audit,
    backup,
    bots,
    day_close,
    odds,
    rng_test,
    role,
    serve,
    simulation,
    strategy,
    verify,
)
from sabot.cli.play.parse import NotUnderstoodError, parse_amount
from sabot.cli.shared import (
    USAGE,
    GameName,
    Language,
    catalogue_of,
    echo_json,
    echo_view,
    game_of,
    refuse,
)
from sabot.games import CATALOGUE, Game
from sabot.texts import Catalogue

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A blackjack house: five games, one engine.",
)


@app.callback(invoke_without_command=True)
def _sabot(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"sabot {sabot.__version__}")
        raise typer.Exit


@app.command()
def games(lang: Language = None) -> None:
    """List the games, with the returns their regulations publish."""
    from sabot.cli.render.show import games_view

    echo_view(games_view(catalogue_of(lang), CATALOGUE.values()))


@app.command()
def rules(
    game: GameName,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rule set as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Show the rules and prizes of a game, and their hash."""
    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    if as_json:
        echo_json(found.rules)
        return
    from sabot.cli.render.show import rules_view

    echo_view(rules_view(catalogue, found))


@app.command()
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
    _play(found, catalogue, cents, hands=hands, vip=vip, seed=seed, client_seed=client_seed, record=record)


def _play(
    game: Game,
    catalogue: Catalogue,
    balance: int,
    *,
    hands: int,
    vip: int,
    seed: str | None,
    client_seed: str,
    record: Path | None,
) -> None:
    from sabot.cli.play.chance import SeedSource, lazy_price
    from sabot.cli.play.game import TerminalGame
    from sabot.cli.play.records import RecordFolder
    from sabot.cli.play.session import PlaySession
    from sabot.cli.terminal import make_console, make_reader

    try:
        source = SeedSource(game.rules, client_seed, seed)
    except ValueError as error:
        refuse(catalogue.text("cli.client-seed", reason=error))
    try:
        records = RecordFolder(record) if record else None
    except OSError as error:
        refuse(catalogue.text("cli.folder", path=record, reason=error.strerror))
    if game.rules.bonus is not None or game.options.max_win is not None:
        _check_game(game)
    price = lazy_price if game.rules.cashback else None
    session = PlaySession(game, balance=balance, chance=source, price=price, vip=vip)
    console = make_console()
    TerminalGame(
        session,
        source,
        catalogue,
        console,
        make_reader(console),
        hands=hands,
        practice=seed is not None,
        records=records,
    ).run()


def _check_game(game: Game) -> None:
    from sabot.games.options import OptionError
    from sabot.odds.startup import check_game

    try:
        check_game(game)
    except OptionError as error:
        refuse(str(error))


app.command()(verify.verify)
app.command()(odds.returns)
app.command()(odds.odds)
app.command()(strategy.strategy)
app.command()(simulation.simulate)
app.command()(rng_test.rng_test)
app.command()(audit.audit)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(day_close.day_close)

app.command()(serve.serve)
app.command("config")(serve.show_config)
app.command()(role.role)
app.command()(bots.bots)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # not every terminal has every letter
            stream.reconfigure(errors="replace")
    command = typer.main.get_command(app)
    try:
        code = command.main(prog_name="sabot", standalone_mode=False)
    except typer.TyperException as error:
        message = _one_line(error)
        if message:  # without one, the help was printed
            typer.echo(f"sabot: {message}", err=True)
        code = USAGE
    except typer.Abort:
        code = 130
    sys.exit(code or 0)


def _one_line(error: typer.TyperException) -> str:
    """A usage error in one line, with the commands, options or games there are."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    if message.startswith("No such command"):
        return f"{message}: the commands are {', '.join(context.command.commands)}"
    if message.startswith("No such option"):
        options = [name for param in context.command.params for name in param.opts if name.startswith("--")]
        return f"{message}: the options are {', '.join([*options, '--help'])}"
    if message.startswith("Missing argument 'GAME'"):
        return f"{message}: the games are {', '.join(CATALOGUE)}"
    return message
