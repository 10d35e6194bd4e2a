"""A simulation while it runs, and what it found."""

from __future__ import annotations

from math import isfinite
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from sabot.cli.odds_view import percent
from sabot.games import Game
from sabot.odds.game import game_values
from sabot.odds.returns import side_bet_moments
from sabot.simulate import Result
from sabot.texts import Catalogue

#: Standard errors on either side that hold the true return in 95 of 100 simulations.
_BOUND = 1.96
#: The bankroll, in initial bets, and the rounds for which a risk of ruin is shown.
_BANKROLL, _SESSION = 100, 1000


class Bar:
    """A progress bar with the running return and its error bound; nothing where nobody looks."""

    def __init__(self, catalogue: Catalogue, rounds: int) -> None:
        console = Console(stderr=True)
        self._catalogue = catalogue
        self._progress = Progress(
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[running]}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("", total=rounds, running="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, result: Result) -> None:
        """The state after so many rounds."""
        running = _measured(self._catalogue, result.per_stake, result.per_stake_error)
        self._progress.update(self._task, completed=result.rounds, running=running)


def result_json(game: Game, result: Result, seed: int) -> dict[str, object]:
    """A simulation as JSON: fractions, each with its standard error and the exact value."""
    exact = game_values(game.rules).table
    return {
        "game": game.name,
        "rounds": result.rounds,
        "complete": result.complete,
        "seed": seed,
        "hands": result.hands,
        "per_stake": result.per_stake,
        "per_stake_error": result.per_stake_error,
        "per_stake_exact": exact.per_stake,
        "per_initial": result.per_initial,
        "per_initial_error": result.per_initial_error,
        "per_initial_exact": exact.per_initial,
        "sd": result.sd,
        "n0": result.n0,
        "ruin": {"bankroll": _BANKROLL, "rounds": _SESSION, "chance": _ruin(result)},
        "side_bets": [
            {
                "bet": bet.name,
                "per_stake": bet.per_stake,
                "per_stake_error": bet.per_stake_error,
                "per_stake_exact": _side_exact(game, bet.name),
                "sd": bet.sd,
                "categories": dict(bet.categories),
            }
            for bet in result.side_bets.values()
        ],
    }


def result_view(catalogue: Catalogue, game: Game, result: Result, seed: int) -> RenderableType:
    """What was found, beside what is exact."""
    say = catalogue.text
    rounds = f"{result.rounds:,}".replace(",", say("language.thousands"))
    key = "simulate.found" if result.complete else "simulate.interrupted"
    head = [Text(game.title, "bold"), Text(say(key, rounds=rounds, hands=result.hands, seed=seed))]
    if not result.rounds:
        return Group(*head)
    exact = game_values(game.rules).table
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column()
    for _ in range(3):
        table.add_column(justify="right")
    table.add_row("", *(Text(say(f"simulate.{name}"), "dim") for name in ("simulated", "exact", "z")))
    lines = [
        (say("simulate.per-stake"), result.per_stake, result.per_stake_error, exact.per_stake),
        (say("simulate.per-initial"), result.per_initial, result.per_initial_error, exact.per_initial),
    ]
    lines += [
        (say(f"kind.{bet.name}"), bet.per_stake, bet.per_stake_error, _side_exact(game, bet.name))
        for bet in result.side_bets.values()
    ]
    for name, found, error, true in lines:
        table.add_row(
            name,
            _measured(catalogue, found, error),
            percent(catalogue, true),
            _z(catalogue, found, error, true),
        )
    return Group(
        *head, Text(), table, Text(), Text(_risk(catalogue, result)), Text(say("simulate.foot"), "dim")
    )


def _side_exact(game: Game, name: str) -> float:
    bet = game.rules.side_bet(name)
    if bet is None:
        raise LookupError(f"{game.name} has no side bet {name!r}")
    return side_bet_moments(bet, game.rules).expected


def _measured(catalogue: Catalogue, found: float, error: float) -> str:
    """A return with its error bound."""
    if not isfinite(error):
        return percent(catalogue, found)
    return f"{percent(catalogue, found)} ± {percent(catalogue, _BOUND * error)}"


def _z(catalogue: Catalogue, found: float, error: float, true: float) -> Text:
    """How many standard errors the result is from the exact value."""
    if not error or not isfinite(error):
        return Text("-")
    z = (found - true) / error
    text = f"{z:+.2f}".replace(".", catalogue.text("language.decimal"))
    return Text(text, "green" if abs(z) < 2 else "yellow" if abs(z) < 4.5 else "bold red")


def _risk(catalogue: Catalogue, result: Result) -> str:
    decimal, thousands = catalogue.text("language.decimal"), catalogue.text("language.thousands")
    n0 = f"{result.n0:,.0f}".replace(",", thousands) if isfinite(result.n0) else "-"
    return catalogue.text(
        "simulate.risk",
        sd=f"{result.sd:.4f}".replace(".", decimal),
        n0=n0,
        bankroll=_BANKROLL,
        rounds=f"{_SESSION:,}".replace(",", thousands),
        ruin=percent(catalogue, _ruin(result), 2),
    )


def _ruin(result: Result) -> float | None:
    return result.ruin(_BANKROLL, _SESSION) if result.sd > 0 else None
