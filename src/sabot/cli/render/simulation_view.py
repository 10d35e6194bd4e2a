"""The results of a simulation, as text and as JSON."""

from math import isfinite
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from sabot.cli.render.layout import number_table
from sabot.games import Game
from sabot.odds.game import game_values
from sabot.odds.sidebets import side_bet_moments
from sabot.simulate import Result
from sabot.texts import Catalogue

#: Standard errors of a 95 % confidence interval.
_BOUND = 1.96
#: The bankroll, in initial bets, and the rounds for which a risk of ruin is shown.
_BANKROLL, _SESSION = 100, 1000


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
    """The simulated returns beside the exact ones."""
    say = catalogue.text
    rounds = catalogue.number(f"{result.rounds:,}")
    key = "simulate.found" if result.complete else "simulate.interrupted"
    head = [Text(game.title, "bold"), Text(say(key, rounds=rounds, hands=result.hands, seed=seed))]
    if not result.rounds:
        return Group(*head)
    table = number_table("", *(say(f"simulate.{name}") for name in ("simulated", "exact", "z")))
    for line in compared(catalogue, game, result):
        found, exact = measured(catalogue, line.found, line.error), catalogue.percent(line.exact)
        table.add_row(line.name, found, exact, _z(catalogue, line))
    return Group(
        *head, Text(), table, Text(), Text(_risk(catalogue, result)), Text(say("simulate.foot"), "dim")
    )


def _side_exact(game: Game, name: str) -> float:
    bet = game.rules.side_bet(name)
    if bet is None:
        raise LookupError(f"{game.name} has no side bet {name!r}")
    return side_bet_moments(bet, game.rules).expected


class Compared(NamedTuple):
    """A return that was found, with its standard error, and the exact one."""

    name: str
    found: float
    error: float
    exact: float


def compared(catalogue: Catalogue, game: Game, result: Result) -> list[Compared]:
    """Every return of a simulation beside the exact one."""
    say, exact = catalogue.text, game_values(game.rules).table
    return [
        Compared(say("simulate.per-stake"), result.per_stake, result.per_stake_error, exact.per_stake),
        Compared(
            say("simulate.per-initial"), result.per_initial, result.per_initial_error, exact.per_initial
        ),
        *(
            Compared(say(f"kind.{bet.name}"), bet.per_stake, bet.per_stake_error, _side_exact(game, bet.name))
            for bet in result.side_bets.values()
        ),
    ]


def bound_of(error: float) -> float | None:
    """The 95 % bound of a standard error, if it is known."""
    return _BOUND * error if error and isfinite(error) else None


def measured(catalogue: Catalogue, found: float, error: float) -> str:
    """A share or a return with its error bound."""
    bound, text = bound_of(error), catalogue.percent(found)
    return text if bound is None else f"{text} ± {catalogue.percent(bound)}"


def _z(catalogue: Catalogue, line: Compared) -> Text:
    """How many standard errors the result is from the exact value."""
    if bound_of(line.error) is None:
        return Text("-")
    z = (line.found - line.exact) / line.error
    return Text(
        catalogue.number(f"{z:+.2f}"), "green" if abs(z) < 2 else "yellow" if abs(z) < 4.5 else "bold red"
    )


def _risk(catalogue: Catalogue, result: Result) -> str:
    number = catalogue.number
    return catalogue.text(
        "simulate.risk",
        sd=number(f"{result.sd:.4f}"),
        n0=number(f"{result.n0:,.0f}") if isfinite(result.n0) else "-",
        bankroll=_BANKROLL,
        rounds=number(f"{_SESSION:,}"),
        ruin=catalogue.percent(_ruin(result), 2),
    )


def _ruin(result: Result) -> float | None:
    return result.ruin(_BANKROLL, _SESSION) if result.sd > 0 else None
