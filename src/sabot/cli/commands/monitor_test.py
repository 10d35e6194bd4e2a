"""`sabot monitor-test`: the alarm of the return monitoring on simulated houses, with and without a fault (OFF-13)."""

from __future__ import annotations

import os
import secrets
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.shared import INTERRUPTED, AsJson, GameName, Language, Output, note_compiling, option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sabot.games import Game
    from sabot.simulate.monitored import Watching

_COLUMNS = ("bet", "fault", "alarms", "expected", "mean", "p5", "p50", "p95")
_QUANTILES = (0.05, 0.5, 0.95)


def monitor_test(
    game: GameName,
    houses: Annotated[int, option("N", "Houses of each kind.", min=1, max=10**6)] = 1000,
    days: Annotated[int, option("N", "Days that a house without a fault is watched.", min=1)] = 366,
    per_day: Annotated[int, option("N", "Rounds of a day.", min=1)] = 3000,
    bets: Annotated[str, option("BETS", "Only these, with commas: main,21+3; else all.")] = "",
    rate: Annotated[float, option("X", "False alarms that are allowed in a table-year.", min=1e-9)] = 0.001,
    seed: Annotated[int | None, option("N", "The same number plays the same rounds again.", min=0)] = None,
    workers: Annotated[
        int | None, option("N", "Threads; else as many as there are processors.", min=1)
    ] = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Watch simulated houses: how often the alarm of the returns is false, and how soon it finds a fault."""
    out = Output(lang)
    found = out.game(game)
    wanted = _bets(out, found, bets)
    seed = secrets.randbelow(2**32) if seed is None else seed
    from sabot.simulate import monitored

    note_compiling(out, monitored._watch)
    seen: list[Watching] = []
    complete = True
    try:
        for watching in monitored.watch_houses(
            found.rules,
            houses=houses,
            days=days,
            per_day=per_day,
            seed=seed,
            rate=rate,
            bets=wanted,
            workers=workers or os.cpu_count() or 1,
        ):
            seen.append(watching)
    except KeyboardInterrupt:
        complete = False
    if as_json:
        out.json(
            {
                "game": game,
                "houses": houses,
                "seed": seed,
                "rate": rate,
                "watched": [_fields(one) for one in seen],
            }
        )
    else:
        out.say("monitor.found", title=found.title, houses=houses, days=days, per_day=per_day, seed=seed)
        out.show(_view(out, seen))
        out.say("monitor.foot", rate=rate)
    if not complete:
        raise typer.Exit(INTERRUPTED)


def _bets(out: Output, game: Game, text: str) -> tuple[str, ...]:
    from sabot.odds.watched import watched_bets

    known, wanted = watched_bets(game.rules), tuple(text.replace(",", " ").split())
    for name in wanted:
        if name not in known:
            out.refuse("monitor.unknown", name=name, game=game.name, known=", ".join(known))
    return wanted


def _fields(watching: Watching) -> dict[str, object]:
    rounds = (watching.expected, watching.mean, *map(watching.quantile, _QUANTILES))
    numbers = (round(number) if isfinite(number) else None for number in rounds)
    names = (watching.bet, watching.fault, len(watching.alarms))
    return dict(zip(_COLUMNS, (*names, *numbers), strict=True))


def _view(out: Output, seen: list[Watching]) -> RenderableType:
    from sabot.cli.render.layout import number_table

    say = out.catalogue.text
    table = number_table(*(say(f"monitor.{column}") for column in _COLUMNS))
    for watching in seen:
        bet, fault, *numbers = _fields(watching).values()
        cells = ("-" if number is None else out.catalogue.number(f"{number:,}") for number in numbers)
        table.add_row(str(bet), say(f"monitor.spoilt.{fault or 'none'}"), *cells)
    return table
