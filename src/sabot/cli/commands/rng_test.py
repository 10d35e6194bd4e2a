"""`sabot rng-test`: statistical tests of the shuffle over many shoes (ASR-05)."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands import battery as dieharder
from sabot.cli.shared import INTERRUPTED, AsJson, Language, Output, flag, option, parse_count
from sabot.fairness import SeedStream, commitment, new_seed
from sabot.fairness.stream import numbered_seed

if TYPE_CHECKING:
    from sabot.cli.render.rng_view import Findings

_FAILED = 1
_MOST_SHOES = 10**12
#: Number of the battery's seed; the shoes' seeds begin with 1.
_BATTERY_SEED = 0


def rng_test(
    shoes: Annotated[str, option("N", "How many: 1000000, 1_000_000 or 1e6.")] = "1e6",
    decks: Annotated[int, option("N", "Decks in a shoe.", min=1, max=8)] = 6,
    seed: Annotated[str | None, option("TEXT", "Shuffle the same shoes again; else from new seeds.")] = None,
    workers: Annotated[
        int | None, option("N", "Processes; else as many as there are processors.", min=1)
    ] = None,
    battery: Annotated[
        bool, flag("--battery", "Test the raw stream too, with dieharder where it is installed.")
    ] = False,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Test the shuffle: chi-square of cards by position and of neighbours, over many shoes."""
    from sabot.cli.render.rng_view import findings_json, findings_view
    from sabot.fairness.uniform import FEWEST_SHOES

    out = Output(lang)
    count = parse_count(shoes, FEWEST_SHOES, _MOST_SHOES)
    if count is None:
        out.refuse("rng.shoes", text=shoes, fewest=FEWEST_SHOES)
    if battery and shutil.which(dieharder.PROGRAM) is None:
        out.refuse("rng.no-battery", program=dieharder.PROGRAM)
    found = _shuffle(count, decks, seed, workers or os.cpu_count() or 1)
    if battery and found.complete:
        _add_battery(out, found)
    if as_json:
        out.json(findings_json(found))
    else:
        out.show(findings_view(out.catalogue, found))
    if not found.complete:
        raise typer.Exit(INTERRUPTED)
    if not found.passed:
        raise typer.Exit(_FAILED)


def _shuffle(shoes: int, decks: int, text: str | None, workers: int) -> Findings:
    from sabot.cli.render.layout import progress_bar
    from sabot.cli.render.rng_view import Findings
    from sabot.fairness.uniform import FEWEST_SHOES, judge_pairs, judge_places, tally_shoes

    start = monotonic()
    with _processes(workers) as executor, progress_bar(shoes) as show:
        tally = tally_shoes(
            shoes, decks, text, executor, lambda tally: show(tally.shoes, f"{tally.shoes}/{shoes}")
        )
    found = Findings(shoes=tally.shoes, complete=tally.shoes == shoes, decks=decks, seed=text)
    if tally.shoes >= FEWEST_SHOES:
        found.verdicts = {"places": judge_places(tally), "pairs": judge_pairs(tally)}
    found.seconds = monotonic() - start
    return found


@contextmanager
def _processes(workers: int) -> Iterator[Executor | None]:
    """Worker processes that ignore Ctrl-C; none for one worker."""
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    ignore = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignore) as executor:
        yield executor


def _add_battery(out: Output, found: Findings) -> None:
    """Run dieharder and add its rows, until it ends or is interrupted."""
    from sabot.cli.render.layout import progress_bar

    seed = new_seed() if found.seed is None else numbered_seed(found.seed, _BATTERY_SEED)
    found.commitment = commitment(seed)
    start = monotonic()
    try:
        tests = len(dieharder.TESTS)
        with progress_bar(tests) as show:
            for done, test in enumerate(dieharder.TESTS, 1):
                found.battery += dieharder.run_test(test, SeedStream(seed, f"battery {test}", "shoe"))
                show(done, f"{done}/{tests}")
    except KeyboardInterrupt:
        found.complete = False
    except OSError as error:
        out.refuse("rng.battery-broke", reason=error)
    found.battery_seconds = monotonic() - start
