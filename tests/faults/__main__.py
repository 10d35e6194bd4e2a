"""The campaign: `python -m tests.faults` looks for failures with new seeds, `python -m tests.faults SEED` replays one.

First every fault at every commit of the short scenarios, then long runs until the time is over.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
import traceback
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import convert

from tests.faults.crash import FAULTS, Drawn, Fault, Planned
from tests.faults.scenarios import RECOVERY, SHORT, long
from tests.faults.simulation import Run, drawn, fresh_file, simulate


def main() -> int:
    """Run the campaign, or one seed of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("replay", nargs="?", help="a seed that failed: run it again")
    parser.add_argument("--seconds", type=float, default=180, help="how long to look (default 180)")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by default a random one")
    parser.add_argument("--database", help="an empty database for a replay instead of an SQLite file")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="sabot-faults-") as folder:
        file = Path(folder) / "house.db"
        if asked.replay is not None:
            return _replay(asked.replay, asked.database or fresh_file(file))
        first = secrets.randbelow(10**9) if asked.seed is None else asked.seed
        return _campaign(file, first, time.monotonic() + asked.seconds)


def _campaign(file: Path, first: int, end: float) -> int:
    began, runs = time.monotonic(), list[Run]()
    for seed in _seeds(file, first):
        try:
            runs.append(_run(seed, fresh_file(file)))
        except Exception:
            traceback.print_exc()
            print(f"\nreplay it with: python -m tests.faults {seed}", file=sys.stderr)
            return 1
        if len(runs) % 100 == 0:
            _tell(runs, began)
        if time.monotonic() > end:
            break
    _tell(runs, began)
    return 0


def _seeds(file: Path, first: int) -> Iterator[str]:
    """Every fault at every commit of the short scenarios, then long runs without end."""
    for scenario in SHORT:
        commits = simulate(scenario, fresh_file(file), first, Planned()).commits
        for commit, fault in product(range(1, commits + 1), FAULTS):
            yield f"{scenario.name}/{first}/{commit}/{fault}"
    commits = simulate(RECOVERY, fresh_file(file), first, Planned()).commits
    for commit, behind in product(range(1, commits + 1), range(1, 9)):
        yield f"{RECOVERY.name}/{first}/{commit}/after/{commit + behind}/after"
    for seed in count(first):
        yield f"long/{seed}"


def _run(seed: str, url: str) -> Run:
    name, number, *point = seed.split("/")
    if not point:
        return simulate(long(), url, int(number), Drawn(drawn(int(number)), 12, 30))
    scenario = next(scenario for scenario in (*SHORT, RECOVERY) if scenario.name == name)
    plan = {int(commit): convert(fault, Fault) for commit, fault in zip(point[::2], point[1::2], strict=True)}
    return simulate(scenario, url, int(number), Planned(plan))


def _replay(seed: str, url: str) -> int:
    print(_run(seed, url))
    return 0


def _tell(runs: list[Run], began: float) -> None:
    seconds = time.monotonic() - began
    commits, lives, faults = (sum(run[i] for run in runs) for i in range(3))
    print(
        f"{len(runs)} runs, {commits} commits, {faults} faults, {lives} lives,"
        f" {commits / seconds:.0f} commits a second",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
