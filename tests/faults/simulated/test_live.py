"""Live tables in simulation: crowds that do everything wrong, and a crash at every point."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.store.database import Database
from tests.faults.live.scenarios import DEALERS, FEW, PARTY, SHUFFLED, crowd
from tests.faults.live.simulation import LiveRun, LiveScenario, simulate_live
from tests.faults.simulated.crash import Drawn, Planned, in_turn
from tests.faults.simulated.simulation import drawn, fresh_file
from tests.faults.simulated.test_crashes import kinds_of_rows
from tests.support.ledger import rows


def many_crashes(scenario: LiveScenario, folder: Path, seed: int, one_in: int, most: int) -> LiveRun:
    return simulate_live(scenario, fresh_file(folder / "house.db"), seed, Drawn(drawn(seed), one_in, most))


@pytest.mark.parametrize("scenario", FEW, ids=lambda scenario: scenario.name)
def test_without_a_crash_a_scenario_shows_what_it_is_for(scenario: LiveScenario, tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "house.db")
    run = simulate_live(scenario, url, scenario.seed, Planned())
    assert run.lives == 1
    assert run.hushes > 0
    assert kinds_of_rows(url) >= scenario.shows


def test_without_a_crash_shoes_are_exchanged(tmp_path: Path) -> None:
    """The scenario of two shoes that alternate (FRB-30) comes to a third one, after a single shuffle."""
    url = fresh_file(tmp_path / "house.db")
    simulate_live(SHUFFLED, url, SHUFFLED.seed, Planned())
    database = Database(url)
    revealed = rows(database, "SELECT id FROM shoes WHERE seed IS NOT NULL")
    seeded = rows(database, "SELECT id FROM shoes WHERE client_seed IS NOT NULL")
    promised = rows(database, "SELECT n FROM log WHERE kind = 'shoe-committed'")
    database.close()
    # Of the first shoe, and of the first that waited; the others are promised in the rows of exchanges.
    assert len(promised) == 2
    assert (len(revealed), len(seeded)) == (2, 3)


def test_the_same_seed_runs_the_same(tmp_path: Path) -> None:
    runs = [
        simulate_live(FEW[0], fresh_file(tmp_path / f"{i}.db"), 7, Drawn(drawn(7), 15, 4)) for i in (1, 2)
    ]
    assert runs[0] == runs[1]


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "ASR-21", "PLT-34")
@pytest.mark.parametrize("scenario", FEW, ids=lambda scenario: scenario.name)
def test_crash_points_of_a_few_players_rounds(scenario: LiveScenario, tmp_path: Path) -> None:
    """Rounds go on or go back, every bet is settled or returned once, and nothing was shown that is not in the log.

    At every second commit one of the faults, in turn; `make faults` tries every fault at every commit.
    """
    commits = simulate_live(scenario, fresh_file(tmp_path / "house.db"), scenario.seed, Planned()).commits
    for commit in range(1, commits + 1, 2):
        fault = in_turn(commit)
        url = fresh_file(tmp_path / "house.db")
        try:
            run = simulate_live(scenario, url, scenario.seed, Planned({commit: fault}), audit=commit % 5 == 0)
        except AssertionError as error:
            error.add_note(f"python -m tests.faults {scenario.name}/{scenario.seed}/{commit}/{fault}")
            raise
        assert run.faults == 1


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "ASR-21", "PLT-34")
def test_many_crashes_at_both_kinds_of_table(tmp_path: Path) -> None:
    """Players join, leave, stall, repeat themselves, come too late and disappear, while the house dies again and again."""
    run = many_crashes(PARTY, tmp_path, seed=0, one_in=20, most=25)
    assert run.faults > 10
    assert run.hushes > 0


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "PLT-34", "STU-02")
def test_many_crashes_where_a_person_deals(tmp_path: Path) -> None:
    """Cards still to come, taken back, corrected and refused, while the house dies again and again."""
    run = many_crashes(DEALERS, tmp_path, seed=0, one_in=20, most=25)
    assert run.faults > 10
    assert run.hushes > 0


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "STU-05")
def test_a_table_that_another_device_has_taken_goes_on(tmp_path: Path) -> None:
    """Campaign seed dealers/240663907: a stray reading was refused, and no card of the own shoe was taken any more."""
    assert many_crashes(DEALERS, tmp_path, seed=240663907, one_in=20, most=40).rounds


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "STU-08")
def test_the_card_that_ended_the_dealers_hand_is_taken_back_after_a_crash(tmp_path: Path) -> None:
    """Campaign seed dealers/402118381: the lobby's last results had forgotten the hand, and the order failed."""
    assert many_crashes(DEALERS, tmp_path, seed=402118381, one_in=20, most=40).rounds


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "STU-01")
def test_a_blackjack_alone_at_the_table_leaves_no_decision_on_its_page(tmp_path: Path) -> None:
    """Campaign seed dealers/402118388: the page went on to offer what could be decided in advance."""
    assert many_crashes(DEALERS, tmp_path, seed=402118388, one_in=20, most=40).rounds


@pytest.mark.rule("ASR-12", "STU-08")
def test_a_turned_card_that_is_taken_back_is_the_same_for_who_was_there_and_who_comes(tmp_path: Path) -> None:
    """Campaign seed studio/615922734/20/after: who was told the opening of the card kept its salt."""
    (scenario,) = (one for one in FEW if one.name == "studio")
    faults = Planned({20: "after"})
    assert simulate_live(scenario, fresh_file(tmp_path / "house.db"), 615922734, faults).faults == 1


@pytest.mark.rule("ASR-12", "STU-08")
def test_a_burnt_card_that_is_taken_back_when_everyone_has_left_leaves_no_round_open(tmp_path: Path) -> None:
    """Campaign seed studio/601777379/20/before: the table waited for another one to burn, and nobody was there."""
    (scenario,) = (one for one in FEW if one.name == "studio")
    faults = Planned({20: "before"})
    assert simulate_live(scenario, fresh_file(tmp_path / "house.db"), 601777379, faults).faults == 1


@pytest.mark.slow  # a run of the tables for every commit
@pytest.mark.rule("ASR-12", "PLT-34")
def test_a_crowd_and_some_crashes(tmp_path: Path) -> None:
    run = many_crashes(crowd(boxes=40, behind=10, rounds=2), tmp_path, seed=1, one_in=100, most=8)
    assert run.faults > 2
