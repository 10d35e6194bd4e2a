"""Tests of the raw stream by dieharder, an independent program (ASR-05)."""

import subprocess
from typing import NamedTuple

from sabot.fairness import SeedStream

PROGRAM = "dieharder"
#: Tests that dieharder calls good and that take a minute or two at most.
TESTS = (0, 3, 4, 8, 10, 11, 12, 15, 100, 101, 102)
_RAW_BYTES_FROM_STDIN = "200"
_CHUNK = 4096
_COLUMNS = 6


class BatteryRow(NamedTuple):
    """A row of dieharder's table."""

    test: str
    #: Bits, dimensions or lag, depending on the test.
    ntup: int
    p: float
    #: PASSED, WEAK (one in a hundred is) or FAILED.
    assessment: str


def run_test(test: int, stream: SeedStream) -> list[BatteryRow]:
    """The rows of one test over a stream."""
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
    """Write blocks until the reader stops."""
    first = 0
    with open(pipe, "wb", closefd=False) as target:
        try:
            while True:
                target.write(b"".join(map(stream.block, range(first, first + _CHUNK))))
                first += _CHUNK
        except BrokenPipeError:
            return


def parse_row(line: str) -> BatteryRow | None:
    """A row of dieharder's table, or None for any other line.

    >>> parse_row("   diehard_birthdays|   0|       100|     100|0.31395016|  PASSED  ")
    BatteryRow(test='diehard_birthdays', ntup=0, p=0.31395016, assessment='PASSED')
    >>> parse_row("        test_name   |ntup| tsamples |psamples|  p-value |Assessment")
    """
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != _COLUMNS or not cells[1].isdecimal():
        return None
    return BatteryRow(cells[0], int(cells[1]), float(cells[4]), cells[5])
