"""The commands of `sabot`. A usage error is one line with the right choices and exit code 2."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

import sabot
from sabot.cli.commands import (
    books,
    bots,
    day_close,
    games,
    monitor_test,
    nodes,
    odds,
    play,
    report,
    rng_test,
    role,
    self_check,
    serve,
    simulation,
    studio_demo,
    verify,
)
from sabot.cli.shared import INTERRUPTED, USAGE
from sabot.games import CATALOGUE

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


app.command()(games.games)
app.command()(games.rules)
app.command()(play.play)
app.command()(verify.verify)
app.command()(odds.returns)
app.command()(odds.odds)
app.command()(games.strategy)
app.command()(simulation.simulate)
app.command()(rng_test.rng_test)
app.command()(monitor_test.monitor_test)
app.command()(books.audit)
app.command()(books.backup)
app.command()(books.restore)
app.command()(day_close.day_close)
app.command()(report.report)
app.command()(serve.serve)
app.command("config")(serve.show_config)
app.command()(role.role)
app.command()(self_check.self_check)
app.command()(nodes.nodes)
app.command()(bots.bots)
app.command()(studio_demo.studio_demo)


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
        code = INTERRUPTED
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
