"""Crashes in simulation: every point of the short scenarios, some runs of the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.store.database import Database
from tests.faults.simulated.crash import Drawn, Planned, in_turn
from tests.faults.simulated.scenarios import RECOVERY, SHORT, long
from tests.faults.simulated.simulation import Scenario, drawn, fresh_file, simulate

pytestmark = pytest.mark.slow  # a run of the house for every commit of each scenario


def kinds_of_rows(url: str) -> set[str]:
    database = Database(url, durable=False)
    with database.reading() as connection:
        found = {row[0] for row in connection.exec_driver_sql("SELECT DISTINCT kind FROM log")}
    database.close()
    return found


@pytest.mark.parametrize("scenario", SHORT, ids=lambda scenario: scenario.name)
def test_without_a_crash_a_scenario_shows_what_it_is_for(scenario: Scenario, tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "house.db")
    run = simulate(scenario, url, scenario.seed, Planned())
    assert run.lives == 1
    assert kinds_of_rows(url) >= scenario.shows


def test_the_same_seed_runs_the_same(tmp_path: Path) -> None:
    runs = [simulate(long(2), fresh_file(tmp_path / f"{i}.db"), 7, Drawn(drawn(7), 15, 10)) for i in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.rule("ASR-12", "PLT-34")
@pytest.mark.parametrize("scenario", SHORT, ids=lambda scenario: scenario.name)
def test_crash_points_of_a_short_scenario(scenario: Scenario, tmp_path: Path) -> None:
    """Resumed, settled or voided, never stuck; what was shown is there; every cent is where the record says.

    At every second commit one of the faults, in turn. Each run is checked by plain sums, every fifth by the audit too;
    `make faults` tries every fault at every commit and audits them all.
    """
    commits = simulate(scenario, fresh_file(tmp_path / "house.db"), scenario.seed, Planned()).commits
    for commit in range(1, commits + 1, 2):
        fault = in_turn(commit)
        url = fresh_file(tmp_path / "house.db")
        try:
            run = simulate(scenario, url, scenario.seed, Planned({commit: fault}), audit=commit % 5 == 0)
        except AssertionError as error:
            error.add_note(f"with {fault!r} at commit {commit} of {scenario.name}")
            raise
        assert run.faults == 1
        assert run.lives == (2 if fault in ("before", "after") else 1)


def test_a_crash_in_the_middle_of_a_recovery(tmp_path: Path) -> None:
    """A house that dies again, three to seven commits later, while it gives back the round that it died in."""
    for commit in range(20, 44):
        url = fresh_file(tmp_path / "house.db")
        plan = Planned({commit: "after", commit + 3 + commit % 5: "after"})
        simulate(RECOVERY, url, RECOVERY.seed, plan, audit=False)


@pytest.mark.rule("ASR-12", "PLT-34")
@pytest.mark.parametrize("seed", range(2))
def test_many_crashes_in_a_long_scenario(seed: int, tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "house.db")
    run = simulate(long(), url, seed, Drawn(drawn(seed), 12, 30))
    assert run.faults > 10


def test_crashes_on_postgresql(database_url: str) -> None:
    """The same on both: the faults are before and after real commits of a real server."""
    run = simulate(SHORT[0], database_url, SHORT[0].seed, Drawn(drawn(1), 8, 6))
    assert run.faults
