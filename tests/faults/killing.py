"""Killing a house for real: `kill -9` in the middle of its play, again and again, and a look at what is left.

`python -m tests.faults.killing --kills 50` does it on an SQLite file and on a PostgreSQL from the wheel.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import IO

import msgspec
from msgspec import Struct

from sabot.store.database import Database
from tests.faults.postgres import own_server
from tests.faults.simulated.invariants import (
    check_audit,
    check_house,
    check_over,
    money_of,
    moved_by_cashier,
    open_rounds,
    result_of,
    rows_of,
)
from tests.support.clock import PATIENCE

PLAYERS = ("ada", "bob", "cy")
GAMES = ("surrender", "cashback", "link")
DEPOSIT, BROUGHT = 3_000_000, 1_000_000
ROOT = Path(__file__).parents[2]


class Acknowledged(Struct, frozen=True, array_like=True):
    """A line of the child: a step whose rows are stored."""

    player: int
    what: str
    rows: list[tuple[int, int, str]]


class Killing(Struct):
    """What a campaign came to."""

    kills: int = 0
    acknowledged: int = 0
    rows: int = 0
    #: Open rounds that were found after a kill.
    interrupted: int = 0
    players: set[int] = set()


def kill_again_and_again(url: str, kills: int, seed: int | str) -> Killing:
    """Start a house, kill it after some acknowledged steps, look at it; at the end let it finish and look again."""
    rng, done = Random(f"killing/{seed}"), Killing()
    database = Database(url)
    kept: dict[tuple[int, int], str] = {}
    try:
        for life in range(kills + 1):
            last = life == kills
            lines = _life(url, f"{seed}-{life}", None if last else rng.randint(1, 25))
            done.kills += not last
            for line in lines:
                done.acknowledged += 1
                done.players.add(line.player)
                kept.update({(stream, n): hash for stream, n, hash in line.rows})
            check_house(database)
            check_audit(database)
            _check_kept(database, kept)
            done.interrupted += 0 if last else open_rounds(database)
        check_over(database)
        for player in done.players:
            assert moved_by_cashier(database, player) == DEPOSIT
            assert money_of(database, player) == DEPOSIT + result_of(database, player)
        done.rows = len(rows_of(database))
    finally:
        database.close()
    return done


def _life(url: str, seed: str, lines: int | None) -> list[Acknowledged]:
    """One child: killed after so many lines, or left to finish. Gives every line it could still say."""
    command = [sys.executable, "-m", "tests.faults.child", url, seed]
    if lines is None:
        command.append("--finish")
    child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert child.stdout is not None
    try:
        said = _read(child.stdout, lines)
        if lines is not None:
            assert len(said) == lines, f"the child ended by itself with {child.wait(PATIENCE)}"
            child.kill()
            said += _read(child.stdout, None)
        code = child.wait(PATIENCE)
        assert code == (0 if lines is None else -9), f"the child ended with {code}"
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
    return said


def _read(pipe: IO[bytes], lines: int | None) -> list[Acknowledged]:
    """So many lines, or all to the end; a line that was cut off was not acknowledged."""
    said: list[Acknowledged] = []
    while lines is None or len(said) < lines:
        line = pipe.readline()
        if not line.endswith(b"\n"):
            break
        said.append(msgspec.json.decode(line, type=Acknowledged))
    return said


def _check_kept(database: Database, kept: dict[tuple[int, int], str]) -> None:
    """Every acknowledged row is there, as it was."""
    rows = rows_of(database)
    lost = [place for place, hash in kept.items() if rows.get(place, b"").hex() != hash]
    assert not lost, f"acknowledged and not there: {lost[:5]}"


def main() -> int:
    """The campaign."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.killing", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="kills for each kind of database (default 50)")
    parser.add_argument("--seed", default=None, help="by default a random one")
    asked = parser.parse_args()
    seed = secrets.token_hex(4) if asked.seed is None else asked.seed
    print(f"seed {seed}", flush=True)
    with TemporaryDirectory(prefix="sabot-kill-") as folder, own_server(f"{folder}/pg") as postgres:
        for kind, url in (("sqlite", f"sqlite:///{folder}/house.db"), ("postgresql", postgres)):
            began = time.monotonic()
            done = kill_again_and_again(url, asked.kills, seed)
            print(
                f"{kind}: {done.kills} kills, {done.acknowledged} acknowledged steps, {done.rows} rows,"
                f" {done.interrupted} rounds interrupted, {time.monotonic() - began:.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
