"""A supervisor pauses a table, resumes it, or voids its round (PLT-32, PLT-33, ASR-13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sabot.engine.events import RoundVoided
from sabot.rounds.history import history
from sabot.tables.live.events import PhaseChanged, TablePaused, TableResumed
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: A seat or box has 6 5 under an ace; the hole is a six. A 10 makes 21 against 17.
ACE = "6 A 5 6 10 "
KINDS = pytest.mark.parametrize("game", ["freebet", "majority-us"])


def scene(open_hall: OpenHall, game: str) -> Hall:
    """Players 1, 2 and 3 have 10.00 each on the first seat or box."""
    hall = open_hall(game, ACE + ACE).bring_in({1: (0,) if game == "freebet" else (), 2: (), 3: ()})
    hall.consent(1, 2, 3, double=False, split=False).until("betting")
    hall.bet(1, (0, "main", 1000))
    for player in (2, 3):
        hall.bet(player, (0, "behind" if game == "freebet" else "main", 1000))
    return hall


@pytest.mark.rule("PLT-33")
@KINDS
@pytest.mark.parametrize(
    "phase", ["betting", "closing", "dealing", "insurance", "decisions", "dealer", "payout"]
)
def test_a_table_is_paused_and_goes_on_with_the_time_that_was_left(
    open_hall: OpenHall, game: str, phase: Any
) -> None:
    """Everyone is told why and when it goes on; an hour later the phase has what it had left, less 0.25 s passed.

    Whatever is asked of the round meanwhile is refused, and nothing happens by itself. Where a person is waited for no time
    is shown, and a card is as late as it would be without the pause.
    """
    hall = scene(open_hall, game).until(phase)
    left, code, waits = hall.left, hall.live.play.code, hall.view.until is None
    hall.pass_time(0.25)
    hall.forget()
    hall.pause("a card fell")
    assert hall.heard(TablePaused) == [TablePaused("a card fell")]
    assert (hall.view.paused, hall.view.until, hall.phase) == ("a card fell", None, phase)
    asked: list[Callable[[], None]] = [lambda: hall.bet(1), lambda: hall.insure(1, True)]
    if phase == "decisions":
        asked.append(lambda: hall.play(1, "stand") if game == "freebet" else hall.vote(1, "stand"))
    for ask in asked:
        with hall.refuses("table/paused"):
            ask()
    with hall.refuses("table/paused"):
        hall.pause("again")
    hall.pass_time(3600)
    hall.live.course.tick()
    assert (hall.phase, hall.live.play.code, hall.logged("late-bet")) == (phase, code, 0)
    hall.forget()
    hall.stop_at(phase)
    hall.resume()
    assert hall.heard(TableResumed) == [TableResumed()]
    assert hall.left == (left if waits else round(left - 0.25, 6))
    until = None if waits else hall.now + round(1000 * (left - 0.25))
    assert hall.heard(PhaseChanged) == [PhaseChanged(hall.live.phases.phase, until)]
    assert hall.view.until == until
    with hall.refuses("table/not-paused"):
        hall.resume()
    if phase != "payout":
        hall.until("payout")
    assert hall.ends == ["settled"]


@pytest.mark.rule("PLT-32", "ASR-13")
@KINDS
@pytest.mark.parametrize("paused", [False, True], ids=["", "paused"])
@pytest.mark.parametrize("phase", ["betting", "closing", "dealing", "insurance", "decisions"])
def test_a_void_gives_everything_back_once(open_hall: OpenHall, game: str, paused: bool, phase: Any) -> None:
    """Stakes of 10.00, and what was added: an insurance of 5.00. Everyone is told; a second void finds nothing."""
    hall = scene(open_hall, game).until(phase)
    if phase == "insurance":
        hall.insure(1, True)
        assert hall.money(1) == [8_500]
    if phase == "decisions":
        assert hall.money(1) == [9_000]
    hall.forget()
    if paused:
        hall.pause()
    hall.void("the camera failed")
    assert hall.heard(RoundVoided) == [RoundVoided("the camera failed")]
    assert set(hall.touched) == {1, 2, 3}
    assert len(hall.heard(TableResumed)) == paused
    assert (hall.money(1, 2, 3), hall.escrow, hall.house) == (3 * [BROUGHT], 0, 0)
    assert (hall.phase, hall.left, hall.view.paused) == ("payout", 4, "")
    with hall.refuses("round/not-dealt"):
        hall.void()
    assert (hall.ends, hall.live.play.results, hall.live.play.paid) == (["voided"], {}, {})
    with hall.database.reading() as connection:
        for player in (1, 2, 3):
            (line,) = history(connection, player).lines
            assert (line.state, line.staked, line.paid) == ("voided", 0, 0)
    hall.next("betting").bet(1, (0, "main", 1000))
    assert len(hall.ends) == 2


def test_a_double_and_a_lost_insurance_go_back_too(open_hall: OpenHall) -> None:
    """Seat 0 is insured (lost at the check), doubles 8 for 10.00 more; seat 1 still decides when all is void."""
    hall = open_hall("freebet", "5 10 A 3 10 6 10", players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.until("insurance").insure(1, True)
    hall.insure(2, False)
    hall.play(1, "double")
    assert (hall.hand, hall.money(1), hall.house) == ((1, 0), [7_500], 500)
    hall.void()
    assert (hall.money(1, 2), hall.house) == ([BROUGHT, BROUGHT], 0)


def test_what_is_settled_is_not_voided(open_hall: OpenHall) -> None:
    """When the dealer's hand is shown everything is paid, where a person deals with a step of its own: the round is over."""
    hall = scene(open_hall, "freebet").until("dealer")
    if not hall.round.over:
        hall.tick()
    with hall.refuses("round/not-dealt"):
        hall.void()


def test_a_reason_is_one_line(open_hall: OpenHall) -> None:
    hall = scene(open_hall, "freebet")
    with hall.refuses("round/bad-reason"):
        hall.void("")


def test_after_a_pause_nobody_waits_for_those_who_left(open_hall: OpenHall) -> None:
    """Player 1's turn: gone in the pause, the dealer goes on at once. So does a vote, and insurance."""
    hall = scene(open_hall, "freebet").until("decisions")
    hall.pause()
    hall.depart(1)
    hall.resume()
    assert hall.left == 0


@pytest.mark.parametrize("phase", ["insurance", "decisions"])
def test_after_a_pause_no_vote_and_no_answer_is_waited_for_in_vain(open_hall: OpenHall, phase: Any) -> None:
    hall = scene(open_hall, "majority-us").until(phase)
    hall.pause()
    hall.depart(1, 2, 3)
    hall.resume()
    assert hall.left == 0


def test_after_a_pause_a_table_where_all_have_pressed_begins(open_hall: OpenHall) -> None:
    """The one who had not pressed INIZIARE ORA left the seat in the pause."""
    hall = open_hall("freebet", ACE, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.start(1)
    hall.pause()
    hall.rise(2, 1)
    assert hall.live.phases.due is None
    hall.resume()
    assert hall.left == 0


def test_a_table_at_rest_is_paused_too(open_hall: OpenHall) -> None:
    """Who sits down meanwhile makes it begin when it goes on; who has gone again gets the money in time."""
    hall = open_hall("majority-eu", players=2)
    hall.pause()
    hall.bring_in({1: (), 2: ()})
    assert hall.phase == "idle"
    hall.go(1, 2)
    hall.pass_time(15)
    hall.resume()
    assert hall.phase == "idle"
    hall.pass_time(1800)
    assert (hall.account(1), hall.account(2)) == (100_000, 100_000)
    hall.pause()
    hall.bring_in({1: ()})
    hall.stop_at("shuffle")
    hall.resume()
    assert hall.phase == "shuffle"


def test_one_may_come_sit_and_leave_while_a_table_is_paused(open_hall: OpenHall) -> None:
    """In a paused betting one sits into the round, and bets when it goes on."""
    hall = open_hall("freebet", ACE, players=2).bring_in({1: (0,)}).until("betting")
    hall.pause()
    hall.bring_in({2: (1,)})
    hall.leave(1)
    assert hall.account(1) == 100_000
    hall.resume()
    hall.bet(2, (1, "main", 1000))
