"""Crashes in simulation: every point of the short scenarios, some runs of the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.store.database import Database
from tests.faults.crash import Drawn, Fault, Planned
from tests.faults.scenarios import RECOVERY, SHORT, long
from tests.faults.simulation import Scenario, drawn, fresh_file, simulate

pytestmark = pytest.mark.slow  # a run of the house for every commit of each scenario

#: `failed` too is tried at every point by `make faults`, and here in the long runs.
KINDS: tuple[Fault, ...] = ("before", "after", "lost")


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
@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("scenario", SHORT, ids=lambda scenario: scenario.name)
def test_every_crash_point_of_a_short_scenario(scenario: Scenario, fault: Fault, tmp_path: Path) -> None:
    """Resumed, settled or voided, never stuck; what was shown is there; every cent is where the record says.

    Each run is checked by plain sums, every fifth by the audit too; `make faults` audits them all.
    """
    commits = simulate(scenario, fresh_file(tmp_path / "house.db"), scenario.seed, Planned()).commits
    for commit in range(1, commits + 1):
        url = fresh_file(tmp_path / "house.db")
        try:
            run = simulate(scenario, url, scenario.seed, Planned({commit: fault}), audit=commit % 5 == 0)
        except AssertionError as error:
            error.add_note(f"with {fault!r} at commit {commit} of {scenario.name}")
            raise
        assert run.faults == 1
        assert run.lives == (1 if fault == "lost" else 2)


@pytest.mark.parametrize("behind", range(3, 8))
def test_a_crash_in_the_middle_of_a_recovery(behind: int, tmp_path: Path) -> None:
    """A house that dies again while it gives back the round that it died in."""
    for commit in range(20, 44, 2):
        url = fresh_file(tmp_path / "house.db")
        plan = Planned({commit: "after", commit + behind: "after"})
        simulate(RECOVERY, url, RECOVERY.seed, plan, audit=False)


@pytest.mark.rule("ASR-12", "PLT-34")
@pytest.mark.parametrize("seed", range(5))
def test_many_crashes_in_a_long_scenario(seed: int, tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "house.db")
    run = simulate(long(), url, seed, Drawn(drawn(seed), 12, 30))
    assert run.faults > 10


def test_crashes_on_postgresql(database_url: str) -> None:
    """The same on both: the faults are before and after real commits of a real server."""
    run = simulate(SHORT[0], database_url, SHORT[0].seed, Drawn(drawn(1), 8, 6))
    assert run.faults
