"""`sabot simulate`: many rounds played by the best table."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.shared import (
    INTERRUPTED,
    AsFractions,
    GameName,
    Language,
    Output,
    note_compiling,
    option,
    parse_count,
)
from sabot.games import Game

if TYPE_CHECKING:
    from sabot.simulate import Result

#: Seconds to wait for a cluster.
_PATIENCE = "10s"
_MOST_ROUNDS = 10**15
_ALL = "all"


def simulate(
    game: GameName,
    rounds: Annotated[str, option("N", "How many: 10000000, 10_000_000 or 1e7.")] = "1e7",
    seed: Annotated[int | None, option("N", "The same number plays the same rounds again.", min=0)] = None,
    workers: Annotated[
        int | None, option("N", "Threads; else as many as there are processors.", min=1)
    ] = None,
    cluster: Annotated[
        str | None, option("ADDRESS", "Play on a Dask cluster (extra `cluster`): tcp://host:8786")
    ] = None,
    side_bets: Annotated[str, option("BETS", "Side bets too, with commas: 21+3,link; or all.")] = "",
    hands: Annotated[int, option("N", "Hands in a round.", min=1)] = 1,
    svg: Annotated[Path | None, option("FILE", "Draw the results and the returns into this file.")] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Play many rounds of a game by its best table, and compare with the exact return."""
    out = Output(lang)
    found = out.game(game)
    count = parse_count(rounds, 1, _MOST_ROUNDS)
    if count is None:
        out.refuse("simulate.rounds", text=rounds)
    bets = _side_bets(out, found, side_bets)
    if hands > found.rules.spots:
        out.refuse("cli.hands", hands=hands, last=found.rules.spots)
    seed = secrets.randbelow(2**32) if seed is None else seed
    from sabot.cli.render.simulation_view import result_json, result_view

    with _writable(out, svg):
        with _workers(out, workers or os.cpu_count() or 1, cluster) as executor:
            result = _run(out, found, count, seed, hands, bets, executor)
        if as_json:
            out.json(result_json(found, result, seed))
        else:
            out.show(result_view(out.catalogue, found, result, seed))
        if svg is not None and result.rounds:
            from sabot.cli.render.simulation_svg import draw

            with out.file("cli.write", svg):
                svg.write_text(draw(out.catalogue, found, result, seed), "utf-8")
            if not as_json:
                out.say("simulate.drawn", path=svg)
    if not result.complete:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _writable(out: Output, path: Path | None) -> Iterator[None]:
    """Refuse an unwritable file before the rounds are played; leave no empty file behind."""
    if path is None:
        yield
        return
    with out.file("cli.write", path):
        there = path.exists()
        path.open("a").close()
    try:
        yield
    finally:
        if not there and path.is_file() and not path.stat().st_size:
            path.unlink()


@contextmanager
def _workers(out: Output, threads: int, cluster: str | None) -> Iterator[Executor]:
    """Threads of this machine, or the workers of the Dask cluster at an address."""
    if cluster is None:
        with ThreadPoolExecutor(threads) as executor:
            yield executor
        return
    try:
        from distributed import Client
    except ImportError:
        out.refuse("simulate.no-dask")
    try:
        client = Client(cluster, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        out.refuse("simulate.cluster", address=cluster, reason=error)
    with client, client.get_executor() as executor:
        yield executor


def _side_bets(out: Output, game: Game, text: str) -> list[str]:
    known: list[str] = [bet.name for bet in game.rules.side_bets]
    wanted = known if text == _ALL else text.replace(",", " ").split()
    for name in wanted:
        if name not in known:
            out.refuse("simulate.side-bet", name=name, game=game.name, known=", ".join(known) or "-")
    return wanted


def _run(
    out: Output, game: Game, rounds: int, seed: int, hands: int, side_bets: list[str], executor: Executor
) -> Result:
    """Play the rounds, with the running return beside the progress bar."""
    from sabot.cli.render.layout import progress_bar
    from sabot.cli.render.simulation_view import measured
    from sabot.games.tables import BEST_TABLES
    from sabot.simulate import SimulationError, kernel, prepare
    from sabot.simulate import simulate as play

    note_compiling(out, kernel.play_stream)
    prepare()
    try:
        with progress_bar(rounds) as show:

            def progress(result: Result) -> None:
                show(result.rounds, measured(out.catalogue, result.per_stake, result.per_stake_error))

            return play(
                game.rules,
                rounds,
                strategy=BEST_TABLES[game.name],
                seed=seed,
                hands=hands,
                side_bets=side_bets,
                executor=executor,
                progress=progress,
            )
    except SimulationError as error:
        out.fail(str(error))
