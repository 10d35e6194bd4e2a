"""Tests by dieharder, a battery that is not ours, on the raw bytes of a stream (ASR-05)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from sabot.fairness import SeedStream

PROGRAM = "dieharder"
#: The numbers of dieharder's tests that are run: of the ones it calls good, those that a minute or two can feed.
TESTS = (0, 3, 4, 8, 10, 11, 12, 15, 100, 101, 102)
_RAW_BYTES_FROM_STDIN = "200"
_CHUNK = 4096
_COLUMNS = 6


class BatteryRow(NamedTuple):
    """A line of dieharder's table: p-values have a p-value of their own, and it is judged in a word."""

    test: str
    #: Bits, dimensions or lag, whatever the test varies.
    ntup: int
    p: float
    #: PASSED, WEAK (one in a hundred is) or FAILED.
    assessment: str


def is_installed() -> bool:
    """Whether the program is on this machine."""
    return shutil.which(PROGRAM) is not None


def run_battery(server_seed: bytes) -> Iterator[list[BatteryRow]]:
    """The rows of test after test, as they are done. Test n reads the stream of the client seed ``battery n``."""
    for test in TESTS:
        yield run_test(test, SeedStream(server_seed, f"battery {test}", "shoe"))


def run_test(test: int, stream: SeedStream) -> list[BatteryRow]:
    """One test over the blocks of a stream, as many as it reads."""
    command = [PROGRAM, "-g", _RAW_BYTES_FROM_STDIN, "-d", str(test)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        _feed(process.stdin.fileno(), stream)
        table = process.stdout.read().decode()
    rows = [row for line in table.splitlines() if (row := parse_row(line))]
    if not rows:
        raise OSError(f"{PROGRAM} -d {test} ended with code {process.returncode} and no result")
    return rows


def _feed(pipe: int, stream: SeedStream) -> None:
    """Write blocks until nobody reads any more."""
    first = 0
    with open(pipe, "wb", closefd=False) as target:
        try:
            while True:
                target.write(b"".join(map(stream.block, range(first, first + _CHUNK))))
                first += _CHUNK
        except BrokenPipeError:
            return


def parse_row(line: str) -> BatteryRow | None:
    """A line of dieharder's table, if it is one.

    >>> parse_row("   diehard_birthdays|   0|       100|     100|0.31395016|  PASSED  ")
    BatteryRow(test='diehard_birthdays', ntup=0, p=0.31395016, assessment='PASSED')
    >>> parse_row("        test_name   |ntup| tsamples |psamples|  p-value |Assessment")
    """
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != _COLUMNS or not cells[1].isdecimal():
        return None
    return BatteryRow(cells[0], int(cells[1]), float(cells[4]), cells[5])
