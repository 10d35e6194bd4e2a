"""Rounds a second of the simulation on one core: a fresh shoe each round, the game's best table, one hand.

Each game plays without side bets and with all of them; runs alternate and the median of each is shown. The clock is
the core's own time, so that others on the machine disturb it less. Compilation is measured apart, in processes of
their own: the first finds no compiled kernel, the second does.

Goal: 12 million rounds/s without side bets; the record to beat is 20 million.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from sabot.games import CATALOGUE, find
from sabot.odds.game import game_tables
from sabot.simulate import prepare, simulate

ROUNDS = 8_000_000
TURNS = 5
GOAL, RECORD = 12, 20
_PREPARE = "import time; from sabot.simulate import prepare; prepare(); print(time.process_time())"


def rate(game: str, side_bets: tuple[str, ...], seed: int) -> float:
    """Million rounds a second of one run."""
    rules = find(game).rules
    tables = game_tables(rules)
    start = time.thread_time()
    simulate(rules, ROUNDS, strategy=tables.best, free_strategy=tables.free, seed=seed, side_bets=side_bets)
    return ROUNDS / (time.thread_time() - start) / 1e6


def prepare_times() -> tuple[float, float]:
    """Seconds of its core that a process needs until the kernel is ready: to compile it, then to load it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        first, second = (
            float(
                subprocess.run(
                    [sys.executable, "-c", _PREPARE],
                    env=environment,
                    capture_output=True,
                    check=True,
                    text=True,
                ).stdout
            )
            for _ in range(2)
        )
    return first, second


def main() -> None:
    """Print the table."""
    compiling, loading = prepare_times()
    prepare()
    runs: list[tuple[str, tuple[str, ...]]] = [(game, ()) for game in sorted(CATALOGUE)]
    for game, _ in list(runs):
        if bets := find(game).rules.side_bets:
            runs.append((game, tuple(bet.name for bet in bets)))
    rates: dict[tuple[str, tuple[str, ...]], list[float]] = {run: [] for run in runs}
    for turn in range(TURNS):
        for run in runs:
            rates[run].append(rate(*run, seed=turn))
    print(f"{'game':<14}{'side bets':>10}{'M rounds/s':>12}{'x goal':>8}{'ns/round':>10}")
    for (game, side_bets), seen in rates.items():
        median = statistics.median(seen)
        against = f"{median / GOAL:.2f}" if not side_bets else ""
        print(f"{game:<14}{len(side_bets):>10}{median:>12.1f}{against:>8}{1e3 / median:>10.1f}")
    print(f"goal {GOAL} M rounds/s without side bets, record {RECORD} M")
    print(
        f"a process has the kernel after {compiling:.1f} s when it compiles, {loading:.1f} s when it is cached"
    )


if __name__ == "__main__":
    main()
