"""Money that comes to a live table and goes back from it, once (PLT-04)."""

from __future__ import annotations

import pytest

from sabot.engine import Bet
from sabot.tables.live.timers import Timers
from tests.support.live_hall import BROUGHT, DEPOSITED, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

GAMES = pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
#: The first seat or box has 20 against 9 8; in EU dealing the dealer's 8 is drawn at the end.
WIN = "10 9 10 8 "


@pytest.mark.rule("PLT-04")
@GAMES
def test_money_is_brought_added_and_taken_back_once(open_hall: OpenHall, game: str) -> None:
    """100.00 of 1,000.00 are brought, 850.00 added; 50.01 more would pass the cap of 1,000.00 for a sitting.

    With a bet on the table leaving waits for the round, which wins 10.00: 960.00 go back to the 50.00. A second time
    there is nothing to leave with. One who is away for half an hour gets everything back.
    """
    hall = open_hall(game, WIN, players=2)
    seat = (0,) if game == "freebet" else ()
    hall.bring_in({1: seat, 2: ()}).consent(1).until("betting")
    assert (hall.account(1), hall.money(1)) == (90_000, [10_000])
    hall.add(1, 85_000)
    with hall.refuses("funds/over-cap"):
        hall.add(1, 5_001)
    with hall.refuses("sitting/open"):
        hall.live.sittings.sit("1", 1_000)
    hall.bet(1, (0, "main", 1_000))
    hall.until("closing").leave(1)
    hall.leave(1)  # asked twice, done once
    assert hall.part(1).leaving
    assert (hall.account(1), hall.money(1)) == (5_000, [94_000])
    hall.until("decisions")
    if game == "freebet":
        hall.play(1, "stand")
    hall.until("payout")
    assert hall.money(1) == [96_000]
    hall.next("betting")
    assert "1" not in hall.live.table.sittings
    assert hall.account(1) == 101_000
    with hall.refuses("sitting/closed"):
        hall.leave(1)
    hall.go(2)
    hall.pass_time(1_799)
    assert hall.account(2) == 90_000
    hall.pass_time(1)
    assert (hall.phase, hall.account(2), hall.live.table.sittings) == ("idle", DEPOSITED, {})


@GAMES
def test_without_a_bet_one_leaves_at_any_time(open_hall: OpenHall, game: str) -> None:
    """While bets are open, with bets taken back, and in the middle of others' round; also to sit down again there."""
    hall = open_hall(game, WIN, players=3)
    seat = (0,) if game == "freebet" else ()
    hall.bring_in({1: seat, 2: (), 3: ()}).consent(1, 2, 3).until("betting")
    hall.leave(3)
    assert hall.account(3) == DEPOSITED
    hall.sit(3)
    hall.bet(1, (0, "main", 1_000))
    if game != "freebet":
        hall.bet(2, (0, "main", 1_000))
        hall.bet(2)
    hall.leave(2)
    assert hall.account(2) == DEPOSITED
    hall.until("decisions").leave(3)
    hall.sit(3, bring=2_000)
    assert hall.money(3) == [2_000]
    hall.until("payout")
    assert hall.money(1, 3) == [BROUGHT + 1_000, 2_000]
    assert hall.live.take().taken == {}


def test_what_is_taken_is_told(open_hall: OpenHall) -> None:
    """The owner of the table learns how much went back to whom."""
    hall = open_hall("majority-eu", WIN, players=1).bring_in({1: ()})
    hall.live.sittings.leave("1")
    told = hall.live.take()
    assert (told.taken, told.touched) == ({"1": BROUGHT}, ("1",))
    for unit in told.entries:
        hall.store.store(unit)


def test_bets_that_go_back_at_the_close_hold_nobody(open_hall: OpenHall) -> None:
    """0.99 is below the minimum: who wanted to leave with it leaves when nothing was dealt."""
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: ()}).until("betting")
    hall.bet(1, (0, "main", 99))
    hall.leave(1)
    hall.next("betting")
    assert (hall.account(1), hall.view.seats) == (DEPOSITED, ())


def test_leaving_frees_all_seats(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", players=1).bring_in({1: (2, 5)})
    hall.leave(1)
    assert hall.view.seats == ()
    assert hall.account(1) == DEPOSITED


def test_the_absent_leave_between_rounds_that_others_play(open_hall: OpenHall) -> None:
    """Player 2 is away for 20 s, which this table allows: gone after the round that was being played then.

    One who is back in time stays.
    """
    hall = open_hall("freebet", WIN * 3, players=3, timers=Timers(absence=20))
    hall.bring_in({1: (0,), 2: (), 3: ()}).until("betting")
    hall.go(2, 3)
    for _ in range(2):
        hall.until("betting").bet(1, (0, "main", 1_000))
        hall.until("decisions").play(1, "stand")
        hall.until("payout")
        if "2" in hall.live.table.sittings:
            hall.come(3)
    hall.next("betting")
    assert set(hall.live.table.sittings) == {"1", "3"}
    assert hall.account(2) == DEPOSITED


def test_one_who_is_away_with_a_bet_is_played_for_first(open_hall: OpenHall) -> None:
    """The absence is over in the middle of the round: 20 wins 10.00, then 110.00 go back."""
    hall = open_hall("freebet", WIN, players=1, timers=Timers(absence=2)).bring_in({1: (0,)})
    hall.until("betting").bet(1, (0, "main", 1_000))
    hall.until("dealing").go(1)
    hall.until("payout")
    assert hall.money(1) == [11_000]
    hall.until("idle")
    assert hall.account(1) == DEPOSITED + 1_000


def test_two_absences_end_each_at_its_time(open_hall: OpenHall) -> None:
    hall = open_hall("majority-eu", WIN, players=2).bring_in({1: (), 2: ()}).until("betting")
    hall.go(1)
    hall.pass_time(100)
    hall.go(2)
    hall.pass_time(1_700)
    assert (hall.account(1), hall.account(2)) == (DEPOSITED, 90_000)
    hall.pass_time(100)
    assert hall.account(2) == DEPOSITED
    assert hall.live.phases.due is None


def test_an_absence_ends_though_seconds_are_no_whole_numbers(open_hall: OpenHall) -> None:
    """A computer finds 7000.3 + 1800 - 7000.3 a little less than 1800: all the same nothing is due for ever."""
    assert 7000.3 + 1800 - 7000.3 < 1800
    hall = open_hall("majority-eu", WIN, players=1).bring_in({1: ()}).until("betting")
    hall.clock.steady = 7000.3
    hall.go(1)
    hall.until("idle").tick()
    assert hall.account(1) == DEPOSITED


def test_nobody_is_remembered_who_is_gone(open_hall: OpenHall) -> None:
    """Who looked on, and who left with a round: the table counts those who are there."""
    hall = open_hall("majority-eu", WIN, players=3).bring_in({1: (), 2: ()}).come(3).until("betting")
    assert hall.view.crowd.players == 3
    hall.go(3)
    hall.leave(2)
    assert hall.view.crowd.players == 2
    hall.go(2)
    assert hall.view.crowd.players == 1


@GAMES
def test_one_who_is_gone_when_the_money_comes_gets_it_back(open_hall: OpenHall, game: str) -> None:
    """The connection was lost while the sitting was on its way, to a table where nobody is.

    It counts as present for 15 s; when the betting that opens is over, the table rests.
    """
    hall = open_hall(game, WIN, players=1).come(1)
    hall.go(1)
    hall.sit(1)
    assert hall.account(1) == 90_000
    hall.until("betting").pass_time(15 + 1)
    assert hall.phase == "idle"
    hall.pass_time(1_800)
    assert (hall.account(1), hall.view.crowd.players) == (DEPOSITED, 0)


def test_a_question_of_one_who_is_gone_leaves_no_trace(open_hall: OpenHall) -> None:
    hall = open_hall("majority-eu", WIN, players=2).bring_in({1: ()}).until("betting")
    with hall.refuses("consent/needed"):
        hall.bet(2, (0, "main", 1_000))
    assert hall.view.crowd.players == 1


@pytest.mark.rule("FRB-23")
def test_the_bets_last_dealt_are_known_until_the_table_is_left(open_hall: OpenHall) -> None:
    """One who sits a round out keeps those before; after a restart they are known while the round goes on."""
    hall = open_hall("freebet", "10 10 9 10 8 8 " * 9, players=2).bring_in({1: (0,), 2: (1,)})
    hall.until("betting")
    hall.bet(1, (0, "main", 500))
    hall.bet(2, (1, "main", 300))
    staked = {"1": (Bet(0, "main", 500),), "2": (Bet(1, "main", 300),)}
    assert hall.until("decisions").live.play.last == staked
    hall.restart(1, 2)
    assert hall.live.play.last == staked
    hall.until("payout").next("betting")
    hall.bet(2, (1, "main", 400))
    assert hall.until("payout").live.play.last == staked | {"2": (Bet(1, "main", 400),)}
    hall.leave(1)
    assert "1" not in hall.live.play.last
