"""How long the exact analysis of a whole game takes, warm: compiled, the trees kept, no result kept.

- by the cards: the return of composition-dependent best play, every up card and every split worked out anew.
- table and all: the best table too, and the returns of both (`game_values`); in Free Bet also that of the free hand's.
- spread: the distribution of results by the best table, from tables already there, for the variance.
- first call: `game_values` in a fresh process, its imports included, with numba's cache empty and filled.

Medians; runs of the games alternate. Goal: 0.15 s by the cards for each game; the record is 0.05 s (Farmer's C++, one
game, no resplit). With the spread the goal is 1 s, Free Bet's 3 s.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from sabot.games import CATALOGUE, Rules, find
from sabot.odds.distribution import table_distribution
from sabot.odds.game import best_return, game_tables, game_values
from sabot.odds.table import COLUMNS, UpCard

TURNS = 9
GOAL, RECORD = 0.15, 0.05
FIRST_CALL = """\
import time
start = time.perf_counter()
from sabot.games import find
from sabot.odds.game import game_values
imported = time.perf_counter()
game_values(find("link").rules)
print(imported - start, time.perf_counter() - imported)
"""


def by_the_cards(rules: Rules) -> None:
    """The whole game by composition-dependent best play, and nothing else."""
    best_return([UpCard(rules, up) for up in COLUMNS])


def table_and_all(rules: Rules) -> None:
    """What `game_values` does when it knows nothing of a game yet."""
    game_values(rules, game_tables.__wrapped__(rules))


def spread(rules: Rules) -> None:
    """The distribution of results, the table being known."""
    tables = game_tables(rules)
    table_distribution(tables.columns, tables.best)


RUNS: dict[str, Callable[[Rules], None]] = {
    "by the cards": by_the_cards,
    "table and all": table_and_all,
    "spread": spread,
}


def seconds(run: Callable[[Rules], None], rules: Rules) -> float:
    """The time of one run."""
    start = time.perf_counter()
    run(rules)
    return time.perf_counter() - start


def first_call(cache: str) -> tuple[float, float]:
    """The seconds a fresh process imports and then works, numba's cache being in a directory."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    imports, call = map(float, done.stdout.split())
    return imports, call


def main() -> None:
    """Print the table."""
    times: dict[tuple[str, str], list[float]] = {
        (game, name): [] for game in sorted(CATALOGUE) for name in RUNS
    }
    for turn in range(-1, TURNS):  # the first turn compiles and makes the trees
        for (game, name), seen in times.items():
            if name == "spread" and turn >= 3:
                continue
            took = seconds(RUNS[name], find(game).rules)
            if turn >= 0:
                seen.append(took)
    print(
        f"{'game':<14}"
        + "".join(f"{name:>15}" for name in RUNS)
        + f"{'goal':>7}{'record':>8}{'x record':>10}"
    )
    for game in sorted(CATALOGUE):
        medians = [statistics.median(times[game, name]) for name in RUNS]
        row = "".join(f"{median:>13.3f} s" for median in medians)
        print(f"{game:<14}{row}{GOAL:>7}{RECORD:>8}{medians[0] / RECORD:>10.1f}")
    with tempfile.TemporaryDirectory() as cache:
        calls = {"empty": first_call(cache), "filled": min(first_call(cache) for _ in range(3))}
    for state, (imports, call) in calls.items():
        print(f"first call, numba's cache {state}: imports {imports:.2f} s, then {call:.2f} s")


if __name__ == "__main__":
    main()
