"""`sabot monitor-test`: its table, its JSON, and what it refuses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from sabot.cli import app

QUICK = ("surrender", "--bets", "main", "--houses", "3", "--days", "2", "--seed", "1")


def sabot(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["monitor-test", *args])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.slow  # many houses simulated
@pytest.mark.rule("OFF-13")
def test_every_fault_is_found_and_nothing_without_one() -> None:
    code, out, _ = sabot(*QUICK, "--json")
    watched = json.loads(out)["watched"]
    assert code == 0
    assert [(one["bet"], one["fault"], one["alarms"]) for one in watched] == [
        ("main", "", 0),
        ("main", "often", 3),
        ("main", "high", 3),
    ]
    assert (watched[0]["expected"], watched[0]["p50"]) == (None, None)
    assert watched[2]["p5"] <= watched[2]["p50"] <= watched[2]["p95"]


def test_the_same_seed_watches_the_same_houses() -> None:
    _, table, _ = sabot(*QUICK, "--lang", "en", "--workers", "2")
    assert sabot(*QUICK, "--lang", "en", "--workers", "1")[1] == table
    assert "3 houses of each kind, 3000 rounds a day; without a fault for 2 days; seed 1" in table
    assert "paid +2%" in table


def test_a_bet_that_is_not_watched_is_refused() -> None:
    code, _, err = sabot("freebet", "--bets", "insurance", "--lang", "en")
    assert code == 2
    assert "freebet has no watched bet 'insurance': it has main, player-pair, 21+3" in err
