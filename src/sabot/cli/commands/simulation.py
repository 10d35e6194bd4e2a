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
    catalogue_of,
    echo_json,
    echo_view,
    file_access,
    game_of,
    note_compiling,
    parse_count,
    refuse,
)
from sabot.games import Game
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.simulate import Result

#: Seconds to wait for a cluster.
_PATIENCE = "10s"
_MOST_ROUNDS = 10**15
_ALL = "all"


def simulate(
    game: GameName,
    rounds: Annotated[str, typer.Option(metavar="N", help="How many: 10000000, 10_000_000 or 1e7.")] = "1e7",
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The same number plays the same rounds again.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads; else as many as there are processors.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on a Dask cluster (extra `cluster`): tcp://host:8786"),
    ] = None,
    side_bets: Annotated[
        str, typer.Option(metavar="BETS", help="Side bets too, with commas: 21+3,link; or all.")
    ] = "",
    hands: Annotated[int, typer.Option(metavar="N", min=1, help="Hands in a round.")] = 1,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the results and the returns into this file.")
    ] = None,
    as_json: AsFractions = False,
    lang: Language = None,
) -> None:
    """Play many rounds of a game by its best table, and compare with the exact return."""
    catalogue = catalogue_of(lang)
    found = game_of(game, catalogue)
    count = parse_count(rounds, 1, _MOST_ROUNDS)
    if count is None:
        refuse(catalogue.text("simulate.rounds", text=rounds))
    bets = _side_bets(catalogue, found, side_bets)
    if hands > found.rules.spots:
        refuse(catalogue.text("cli.hands", hands=hands, last=found.rules.spots))
    seed = secrets.randbelow(2**32) if seed is None else seed
    from sabot.cli.render.simulation_view import result_json, result_view

    with _held(catalogue, svg):
        with _workers(catalogue, workers or os.cpu_count() or 1, cluster) as executor:
            result = _run(catalogue, found, count, seed, hands, bets, executor)
        if as_json:
            echo_json(result_json(found, result, seed))
        else:
            echo_view(result_view(catalogue, found, result, seed))
        if svg is not None and result.rounds:
            from sabot.cli.render.simulation_svg import draw

            with file_access(catalogue, "cli.write", svg):
                svg.write_text(draw(catalogue, found, result, seed), "utf-8")
            if not as_json:
                typer.echo(catalogue.text("simulate.drawn", path=svg))
    if not result.complete:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _held(catalogue: Catalogue, path: Path | None) -> Iterator[None]:
    """Refuse an unwritable file before the rounds are played; leave no empty file behind."""
    if path is None:
        yield
        return
    with file_access(catalogue, "cli.write", path):
        there = path.exists()
        path.open("a").close()
    try:
        yield
    finally:
        if not there and path.is_file() and not path.stat().st_size:
            path.unlink()


@contextmanager
def _workers(catalogue: Catalogue, threads: int, cluster: str | None) -> Iterator[Executor]:
    """Threads of this machine, or the workers of the Dask cluster at an address."""
    if cluster is None:
        with ThreadPoolExecutor(threads) as executor:
            yield executor
        return
    try:
        from distributed import Client
    except ImportError:
        refuse(catalogue.text("simulate.no-dask"))
    try:
        client = Client(cluster, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        refuse(catalogue.text("simulate.cluster", address=cluster, reason=error))
    with client, client.get_executor() as executor:
        yield executor


def _side_bets(catalogue: Catalogue, game: Game, text: str) -> list[str]:
    known: list[str] = [bet.name for bet in game.rules.side_bets]
    asked = known if text == _ALL else text.replace(",", " ").split()
    for name in asked:
        if name not in known:
            refuse(
                catalogue.text("simulate.side-bet", name=name, game=game.name, known=", ".join(known) or "-")
            )
    return asked


def _run(
    catalogue: Catalogue,
    game: Game,
    rounds: int,
    seed: int,
    hands: int,
    side_bets: list[str],
    executor: Executor,
) -> Result:
    """Play the rounds, with the running return beside the progress bar."""
    from sabot.cli.render.layout import progress_bar
    from sabot.cli.render.simulation_view import measured
    from sabot.games.tables import BEST_TABLES
    from sabot.simulate import SimulationError, kernel, prepare
    from sabot.simulate import simulate as play

    note_compiling(catalogue, kernel.play_stream)
    prepare()
    try:
        with progress_bar(rounds) as show:

            def progress(result: Result) -> None:
                show(result.rounds, measured(catalogue, result.per_stake, result.per_stake_error))

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
        refuse(str(error))
