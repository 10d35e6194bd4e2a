"""`sabot rng-test`: its table, its JSON, its verdict, and how it fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sabot.cli import app, main
from sabot.cli.commands import battery as dieharder
from sabot.cli.commands.battery import BatteryRow, parse_row, run_test
from sabot.cli.render.rng_view import LIMIT, Findings
from sabot.fairness import SeedStream, commitment, uniform
from sabot.fairness.stream import numbered_seed
from sabot.fairness.uniform import Verdict

QUICK = ("--decks", "1", "--shoes", "1000", "--workers", "1", "--seed", "quick")
EVEN = Verdict(50.0, 51, 0.5)

#: A program in the place of dieharder: it reads some bytes, keeps them and prints a row.
STAND_IN = """#!{python}
import sys
open({kept!r}, "ab").write(sys.stdin.buffer.read(100_000))
print("        test_name   |ntup| tsamples |psamples|  p-value |Assessment")
print(f"   test_{{sys.argv[4]}}|   0|       100|     100|{p}|  {word}  ")
"""


def sabot(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["rng-test", *args])
    return result.exit_code, result.stdout


def words(text: str) -> str:
    return " ".join(text.split())


def put_in_place(folder: Path, monkeypatch: pytest.MonkeyPatch, p: str, word: str) -> Path:
    """Put a stand-in for dieharder on the path; gives where it keeps what it read."""
    monkeypatch.setattr(uniform, "judge_pairs", lambda tally: EVEN)  # a large matrix, and not what is tested
    kept, program = folder / "kept", folder / "dieharder"
    program.write_text(STAND_IN.format(python=sys.executable, kept=str(kept), p=p, word=word))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return kept


@pytest.mark.slow
def test_a_right_shuffle_passes() -> None:
    code, output = sabot(*QUICK)
    assert code == 0
    assert "1.000 sabot, mazzi in ognuno: 1" in output
    assert "carta per posizione" in output
    assert "carte vicine" in output
    assert "Nessuna prova è fallita" in output


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What the quick test finds."""
    code, output = sabot(*QUICK, "--json")
    assert code == 0
    told: dict[str, Any] = json.loads(output)
    return told


def test_json_has_the_numbers(found: dict[str, Any]) -> None:
    assert (found["shoes"], found["decks"], found["seed"], found["complete"]) == (1000, 1, "quick", True)
    assert (found["passed"], found["failed"], found["limit"]) == (True, [], 1e-6)
    assert list(found["tests"]) == ["places", "pairs"]
    assert found["tests"]["places"]["freedom"] == 2601


@pytest.mark.slow  # processes of their own
def test_processes_find_the_same_again(found: dict[str, Any]) -> None:
    together = json.loads(sabot(*QUICK, "--json", "--workers", "2")[1])
    assert found["tests"] == together["tests"]


@pytest.mark.slow
def test_a_biased_shuffle_ends_with_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """One position too far is never reached: the last card stays below too often."""
    right = uniform._fisher_yates
    monkeypatch.setattr(uniform, "_fisher_yates", lambda steps: right(steps - (steps > 0)))
    code, output = sabot(*QUICK, "--lang", "en")
    assert code == 1
    assert "FAILED: card by position, neighbours. A shuffle like this is not uniform" in words(output)
    code, output = sabot(*QUICK, "--json")
    assert code == 1
    assert json.loads(output)["failed"] == ["places", "pairs"]


@pytest.mark.parametrize(
    ("p", "failed"),
    [(0.5, False), (LIMIT, False), (LIMIT / 2, True), (0.0, True), (1 - LIMIT / 2, True), (1.0, True)],
)
def test_too_uneven_fails_and_so_does_too_even(p: float, failed: bool) -> None:
    found = Findings(shoes=1000, complete=True, decks=1, seed=None)
    found.verdicts = {"places": EVEN, "pairs": Verdict(50.0, 51, p)}
    assert found.failed == (["pairs"] if failed else [])
    assert found.passed is not failed
    found.verdicts = {"places": EVEN}
    found.battery = [BatteryRow("sts_serial", 3, p, "?")]
    assert found.failed == (["sts_serial 3"] if failed else [])


@pytest.mark.parametrize(("shoes", "judged"), [(1024, True), (512, False)])
@pytest.mark.slow
def test_an_interruption_prints_what_it_has(
    monkeypatch: pytest.MonkeyPatch, shoes: int, judged: bool
) -> None:
    count = uniform.tally_shoes
    monkeypatch.setattr(uniform, "tally_shoes", lambda asked, decks, text, *rest: count(shoes, decks, text))
    code, output = sabot(*QUICK, "--shoes", "1e5", "--lang", "en")
    assert code == 130
    assert f"Interrupted after {shoes:,} shoes" in output
    assert ("neighbours" in output) is judged
    assert ("too few to say anything" in output) is not judged


# The battery


def test_a_row_of_the_battery_is_read() -> None:
    row = parse_row("          sts_serial|  16|    100000|     100|0.33970000|   WEAK   ")
    assert row == BatteryRow("sts_serial", 16, 0.3397, "WEAK")
    assert parse_row("stdin_input_raw|  1.67e+07  |3816781438|") is None


def test_the_battery_reads_the_raw_blocks_of_a_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = put_in_place(tmp_path, monkeypatch, "0.31395016", "PASSED")
    stream = SeedStream(bytes(32), "raw", "shoe")
    assert run_test(15, stream) == [BatteryRow("test_15", 0, 0.31395016, "PASSED")]
    assert kept.read_bytes() == b"".join(stream.block(i) for i in range(3125))


def test_every_test_of_the_battery_is_run_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_place(tmp_path, monkeypatch, "0.00300000", "WEAK")
    monkeypatch.setattr(dieharder, "TESTS", (0, 100))
    code, output = sabot(*QUICK, "--battery", "--lang", "en")
    assert code == 0
    assert commitment(numbered_seed("quick", 0)) in output
    assert "test_0 0 0.0030 WEAK" in words(output)
    assert "test_100 0 0.0030 WEAK" in words(output)


def test_a_battery_that_fails_ends_with_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_place(tmp_path, monkeypatch, "0.00000000", "FAILED")
    monkeypatch.setattr(dieharder, "TESTS", (0,))
    code, output = sabot(*QUICK, "--battery")
    assert code == 1
    assert "FALLITO: test_0 0. Così il mescolamento non è uniforme" in words(output)


# Refusals


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--shoes", "many"], "'many' is not a number of shoes to test"),
        (["--shoes", "999"], "at least 1000"),
        (["--shoes", "1500.5"], "'1500.5' is not a number"),
        (["--shoes", "nan"], "'nan' is not a number"),
        (["--shoes", "1e999999999"], "is not a number of shoes to test"),
        (["--battery"], "dieharder is not installed: `apt-get install dieharder`"),
        (["--decks", "9"], "'--decks'"),
    ],
)
def test_a_refusal_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], args: list[str], reason: str
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["sabot", "rng-test", "--lang", "en", *args])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_a_battery_that_stops_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_place(tmp_path, monkeypatch, "", "")
    (tmp_path / "dieharder").write_text(f"#!{sys.executable}\nraise SystemExit(3)\n")
    result = CliRunner().invoke(app, ["rng-test", *QUICK, "--battery", "--lang", "en"])
    assert result.exit_code == 2
    assert "the battery stopped: dieharder -d 0 ended with code 3" in result.output
