"""The campaign: `python -m tests.faults` looks for failures with new seeds, `python -m tests.faults SEED` replays one.

First every fault at every commit of the short scenarios, then long runs until the time is over. `--live` does the same
at live tables, with hundreds of players in the long runs; `--nodes` at tables of a house of several nodes, which die,
stand still, are cut off and restarted, on a bus that loses, repeats and reorders. `--only storm dealers` runs long ones of
these kinds alone, and `--only storm=1000 dealers=1000 party=500 crowd=200` so many of each.
"""

from __future__ import annotations

import argparse
import gc
import math
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import convert

from tests.faults.live.scenarios import DEALERS, FEW, PARTY, crowd
from tests.faults.live.simulation import LiveRun, LiveScenario, simulate_live
from tests.faults.simulated.crash import FAULTS, NODE_FAULTS, Drawn, Fault, Faults, Planned
from tests.faults.simulated.nodes.simulation import PAIR, STORM, NodesScenario, simulate_nodes
from tests.faults.simulated.scenarios import RECOVERY, SHORT, long
from tests.faults.simulated.simulation import Run, Scenario, drawn, fresh_file, simulate

AnyScenario = Scenario | LiveScenario | NodesScenario
AnyRun = Run | LiveRun

_SHORT: tuple[AnyScenario, ...] = (*SHORT, RECOVERY)
_LONG: tuple[AnyScenario, ...] = (long(), PARTY, DEALERS, crowd(), PAIR, STORM)
#: In the long runs one commit in so many fails, and so often.
_FAILS = {"long": (12, 30), "party": (20, 40), "dealers": (20, 40), "crowd": (150, 30), "storm": (80, 12)}
#: Seconds that a campaign takes which has no end of its own.
_SECONDS = 180.0
_OF_LIVE = ("rounds", "seconds", "questions")


def main() -> int:
    """Run the campaign, or one seed of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("replay", nargs="?", help="a seed that failed: run it again")
    parser.add_argument(
        "--seconds", type=float, help="how long to look (default 180; with a number for each kind: no limit)"
    )
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by default a random one")
    parser.add_argument("--live", action="store_true", help="at live tables")
    parser.add_argument("--nodes", action="store_true", help="at live tables of several nodes")
    parser.add_argument(
        "--only", nargs="+", metavar="KIND[=RUNS]", type=_kind, help=f"long runs of {', '.join(_FAILS)}"
    )
    parser.add_argument("--database", help="an empty database for a replay instead of an SQLite file")
    asked = parser.parse_args()
    gc.set_threshold(
        100_000, 50, 100
    )  # what a run makes lives as long as the run: an eighth of the time went into looking
    with TemporaryDirectory(prefix="sabot-faults-") as folder:
        file = Path(folder) / "house.db"
        if asked.replay is not None:
            return _replay(asked.replay, asked.database or fresh_file(file))
        first = secrets.randbelow(10**9) if asked.seed is None else asked.seed
        if asked.only:
            seeds = _seeds_of(asked.only, first)
            seconds = math.inf if all(runs for _, runs in asked.only) else _SECONDS
        else:
            find = _node_seeds if asked.nodes else _live_seeds if asked.live else _seeds
            seeds, seconds = find(file, first), _SECONDS
        return _campaign(file, seeds, seconds if asked.seconds is None else asked.seconds)


def _kind(text: str) -> tuple[str, int | None]:
    """A kind of long runs, and how many of it; None for as many as there is time for."""
    name, equals, runs = text.partition("=")
    if name not in _FAILS:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(_FAILS)}")
    if equals and not (runs.isdecimal() and int(runs)):
        raise argparse.ArgumentTypeError(f"{text!r} names no number of runs, as {name}=100 does")
    return name, int(runs) if equals else None


def _campaign(file: Path, seeds: Iterator[str], seconds: float) -> int:
    began, runs, kinds = time.monotonic(), list[AnyRun](), Counter[str]()
    for seed in seeds:
        try:
            runs.append(_run(seed, fresh_file(file)))
        except Exception:
            traceback.print_exc()
            print(f"\nreplay it with: python -m tests.faults {seed}", file=sys.stderr)
            _tell(runs, kinds, began)
            return 1
        kinds[seed.split("/")[0]] += 1
        if len(runs) % 100 == 0:
            _tell(runs, kinds, began)
        if time.monotonic() > began + seconds:
            break
    _tell(runs, kinds, began)
    return 0


def _seeds_of(only: Sequence[tuple[str, int | None]], first: int) -> Iterator[str]:
    """A long run of each kind in turn, until there were enough of each."""
    for i in count():
        turn = [name for name, runs in only if runs is None or i < runs]
        if not turn:
            return
        yield from (f"{name}/{first + i}" for name in turn)


def _seeds(file: Path, first: int) -> Iterator[str]:
    """Every fault at every commit of the short scenarios, then long runs without end."""
    for scenario in SHORT:
        yield from _every_point(scenario, file, first)
    commits = simulate(RECOVERY, fresh_file(file), first, Planned()).commits
    for commit, behind in product(range(1, commits + 1), range(1, 9)):
        yield f"{RECOVERY.name}/{first}/{commit}/after/{commit + behind}/after"
    for seed in count(first):
        yield f"long/{seed}"


def _live_seeds(file: Path, first: int) -> Iterator[str]:
    """Every fault at every commit of a few players' rounds, then parties and crowds without end."""
    for scenario in FEW:
        yield from _every_point(scenario, file, first)
    for seed in count(first):
        yield f"crowd/{seed}"
        yield from (f"{name}/{seed + i}" for i in range(5) for name in ("party", "dealers"))


def _node_seeds(file: Path, first: int) -> Iterator[str]:
    """Storms without end, and between them every fault at every commit of a short scenario."""
    points = _every_point(PAIR, file, first)
    for seed in count(first):
        yield f"storm/{seed}"
        yield from islice(points, 10)


def _every_point(scenario: AnyScenario, file: Path, seed: int) -> Iterator[str]:
    commits = _simulate(scenario, fresh_file(file), seed, Planned()).commits
    faults = NODE_FAULTS if isinstance(scenario, NodesScenario) else FAULTS
    for commit, fault in product(range(1, commits + 1), faults):
        yield f"{scenario.name}/{seed}/{commit}/{fault}"


def _run(seed: str, url: str) -> AnyRun:
    name, number, *point = seed.split("/")
    scenario = next(scenario for scenario in (*_SHORT, *FEW, *_LONG) if scenario.name == name)
    faults: Faults
    if point:
        pairs = zip(point[::2], point[1::2], strict=True)
        faults = Planned({int(commit): convert(fault, Fault) for commit, fault in pairs})
    else:
        kinds = NODE_FAULTS if isinstance(scenario, NodesScenario) else FAULTS
        faults = Drawn(drawn(int(number)), *_FAILS[name], kinds)
    return _simulate(scenario, url, int(number), faults)


def _simulate(scenario: AnyScenario, url: str, seed: int, faults: Faults) -> AnyRun:
    if isinstance(scenario, NodesScenario):
        return simulate_nodes(scenario, url, seed, faults)
    if isinstance(scenario, LiveScenario):
        return simulate_live(scenario, url, seed, faults)
    return simulate(scenario, url, seed, faults)


def _replay(seed: str, url: str) -> int:
    print(_run(seed, url))
    return 0


def _tell(runs: list[AnyRun], kinds: Counter[str], began: float) -> None:
    seconds = max(time.monotonic() - began, 1e-9)
    commits, lives, faults = (sum(run[i] for run in runs) for i in range(3))
    live = [run for run in runs if isinstance(run, LiveRun)]
    rounds, played, questions = (sum(getattr(run, name) for run in live) for name in _OF_LIVE)
    each = ", ".join(f"{number} {name}" for name, number in kinds.items())
    print(
        f"{len(runs)} runs ({each}), {commits} commits, {faults} faults, {lives} lives,"
        f" {commits / seconds:.0f} commits a second"
        + (f"; {rounds} rounds, {played / 3600:.1f} hours of play, {questions} questions" if live else ""),
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
