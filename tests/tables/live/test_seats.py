"""Seats of a Free Bet table: who sits where, what is staked there, and when a round begins early (FRB-20..24, 32, 33).

Cards come to the staked seats in turn, then to the dealer; twice, the dealer's second face down.
"""

from __future__ import annotations

import msgspec
import pytest

from sabot.engine import Bet
from sabot.engine.events import BettingClosed, CardDealt
from sabot.engine.view import table_view
from sabot.tables.live.events import BetsShown, SeatLeft, SeatTaken
from sabot.tables.live.timers import Timers
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: One seat has 20 against 9 8.
WIN = "10 9 10 8 "
#: Two seats have 20 each against 9 8.
TWO_WIN = "10 10 9 10 10 8 "


def seats(hall: Hall) -> dict[int, str]:
    """Who sits where, as everyone sees it."""
    return {seat.spot: seat.name for seat in hall.view.seats}


def shown(hall: Hall) -> bytes:
    """Everything that everyone can see: what was told, the table and its round."""
    round = hall.live.play.round
    return msgspec.json.encode((hall.told, hall.view, None if round is None else table_view(round)))


# Sitting down (FRB-20)


@pytest.mark.rule("FRB-20")
def test_seven_seats_two_for_each_and_idle_ones_are_lost(open_hall: OpenHall) -> None:
    """Seven players fill the seats; who has two gets no third. A seat without a bet for three rounds is free again."""
    hall = open_hall("freebet", WIN * 4, players=8)
    hall.bring_in({1: (0, 1)})
    assert seats(hall) == {0: "player 1", 1: "player 1"}
    assert hall.part(1).seats == (0, 1)
    with hall.refuses("seat/too-many"):
        hall.sit(1, 2)
    hall.come(2)
    with hall.refuses("bet/seat-taken"):
        hall.sit(2, 1)
    for seat in (-1, 7):
        with hall.refuses("seat/none"):
            hall.sit(2, seat)
    assert hall.account(2) == 100_000
    hall.rise(1, 1)
    assert hall.heard(SeatLeft) == [SeatLeft(1)]
    hall.bring_in({player: (player - 1,) for player in range(3, 8)})
    hall.sit(2, 1)
    assert seats(hall) == {seat: f"player {seat + 1}" for seat in range(7)}
    assert hall.heard(SeatTaken)[-1] == SeatTaken(1, "2", "player 2")
    hall.come(8)
    for seat in range(7):
        with hall.refuses("bet/seat-taken"):
            hall.sit(8, seat)
    for round in (1, 2, 3):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
        assert len(seats(hall)) == 7, f"in round {round}"
    hall.next("betting")
    assert seats(hall) == {0: "player 1"}
    assert hall.heard(SeatLeft)[1:] == [SeatLeft(seat) for seat in range(1, 7)]
    assert hall.money(*range(1, 8)) == [BROUGHT + 3000] + 6 * [BROUGHT]


def test_a_bet_makes_the_count_of_idle_rounds_begin_anew(open_hall: OpenHall) -> None:
    """Player 2 plays the third round only, and keeps the seat for two more without a bet, not for three."""
    hall = open_hall("freebet", 2 * WIN + TWO_WIN + 3 * WIN, players=2).bring_in({1: (0,), 2: (1,)})
    for round in range(1, 7):
        assert hall.until("betting").part(2).seats == (1,), f"before round {round}"
        hall.bet(1, (0, "main", 1000))
        if round == 3:
            hall.bet(2, (1, "main", 1000))
        hall.until("payout")
    assert hall.next("betting").part(2).seats == ()


def test_the_operator_sets_how_many_idle_rounds_and_seats(open_hall: OpenHall) -> None:
    timers = Timers(idle_rounds=1, seats_each=3)
    hall = open_hall("freebet", WIN, players=2, timers=timers).bring_in({1: (0, 3, 6), 2: (1,)})
    with hall.refuses("seat/too-many"):
        hall.sit(1, 4)
    hall.until("betting").bet(1, *((seat, "main", 1000) for seat in (0, 3, 6)))
    hall.until("betting").next("betting")
    assert seats(hall) == dict.fromkeys((0, 3, 6), "player 1")


def test_a_seat_needs_money_once(open_hall: OpenHall) -> None:
    """The second seat brings no more, unless more is asked for; without any money there is no seat."""
    hall = open_hall("freebet", players=1).come(1)
    with hall.refuses("transfer/no-amount"):
        hall.sit(1, 0, bring=0)
    hall.sit(1, 0, bring=2000)
    hall.sit(1, 1)
    assert hall.money(1) == [2000]
    hall.rise(1, 1)
    hall.sit(1, 1, more=500)
    assert (hall.money(1), hall.account(1)) == ([2500], 97_500)


def test_one_who_does_not_sit_there_cannot_leave_the_seat(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", players=2).bring_in({1: (0,), 2: (1,)})
    for seat, code in ((0, "seat/not-yours"), (2, "seat/not-yours"), (7, "seat/none")):
        with hall.refuses(code):
            hall.rise(2, seat)


# Bets (FRB-21, FRB-22)


def test_after_the_timer_no_bet_is_taken(open_hall: OpenHall) -> None:
    """FRB-21: the end is told with the beginning, by the server's clock. At 14.999 s a bet stands, at 15 s it does not."""
    hall = open_hall("freebet", WIN, players=1).bring_in({1: (0,)}).until("betting")
    assert hall.view.until == hall.now + 15_000
    hall.pass_time(14.999)
    hall.bet(1, (0, "main", 1000))
    hall.clock.steady += 0.001
    with hall.refuses("bet/late"):
        hall.bet(1, (0, "main", 2000))
    hall.until("closing")
    with hall.refuses("bet/late"):
        hall.bet(1)
    hall.until("decisions")
    with hall.refuses("bet/late"):
        hall.bet(1, (0, "main", 2000))
    assert hall.money(1) == [BROUGHT - 1000]


def test_the_same_main_bet_stands_on_all_own_seats(open_hall: OpenHall) -> None:
    """FRB-22: all seats or none, also when the money is enough for one of them only; side bets are free."""
    hall = open_hall("freebet", TWO_WIN, players=1).come(1)
    hall.sit(1, 0, 1, bring=1_500)
    hall.until("betting")
    for bets in (
        [(0, "main", 500)],
        [(0, "main", 500), (1, "main", 400)],
        [(0, "main", 500), (1, "main", 500), (2, "main", 500)],
    ):
        with hall.refuses("seat/not-yours" if len(bets) == 3 else "bet/unequal-seats"):
            hall.bet(1, *bets)
    hall.bet(1, (0, "main", 500), (1, "main", 500), (1, "21+3", 100))
    assert hall.money(1) == [400]
    with hall.refuses("funds/insufficient"):
        hall.bet(1, (0, "main", 1000), (1, "main", 1000))
    assert hall.part(1).bets == (Bet(0, "main", 500), Bet(1, "main", 500), Bet(1, "21+3", 100))
    with hall.refuses("bet/above-maximum"):
        hall.bet(1, (0, "main", 500_001), (1, "main", 500_001))
    hall.bet(1)
    assert (hall.money(1), hall.escrow) == ([1_500], 0)


# INIZIARE ORA (FRB-24)


@pytest.mark.rule("FRB-24")
def test_when_all_seated_players_have_pressed_the_round_begins(open_hall: OpenHall) -> None:
    """Players 1 and 2 are seated, 3 bets behind 1. Stakes are 12.34, 5.67 and 3.21: nobody sees them too early.

    Nobody waits for player 3, who has no such button. 20 wins against 17 on both seats.
    """
    hall = open_hall("freebet", TWO_WIN, players=3)
    hall.bring_in({1: (0,), 2: (1,), 3: ()}).until("betting")
    opened = hall.now
    with hall.refuses("start/too-little"):
        hall.start(1)
    hall.bet(1, (0, "main", 99))
    with hall.refuses("start/too-little"):
        hall.start(1)
    hall.bet(1, (0, "main", 1234))
    hall.bet(3, (0, "behind", 321))
    assert not any(stake in shown(hall) for stake in (b"1234", b"321"))
    hall.pass_time(1)
    hall.start(1)
    assert hall.heard(BetsShown) == [BetsShown("1", (Bet(0, "main", 1234),))]
    first, second = hall.view.seats
    assert (first.started, first.bets) == (True, (Bet(0, "main", 1234),))
    assert (second.started, second.bets) == (False, ())
    assert hall.part(1).started
    for bets in ([], [(0, "main", 2000)]):
        with hall.refuses("bet/final"):
            hall.bet(1, *bets)
    assert (hall.phase, hall.left) == ("betting", 14)  # seat 1 has no bet, and holds the timer
    hall.bet(2, (1, "main", 567))
    with hall.refuses("start/too-little"):
        hall.start(3)
    assert hall.left == 14
    assert not any(stake in shown(hall) for stake in (b"567", b"321"))
    hall.start(2)
    assert hall.heard(BetsShown)[1:] == [BetsShown("2", (Bet(1, "main", 567),))]
    assert hall.left == 0
    hall.until("dealing")
    assert hall.now == opened + 2000  # 1 s until the first press, 1 s of closing
    assert len(hall.heard(BetsShown)) == 2
    (closed,) = hall.heard(BettingClosed)
    assert [(spot.owner, spot.backers, spot.staked) for spot in closed.spots] == [
        ("1", 2, 1234 + 321),
        ("2", 1, 567),
    ]
    hall.until("payout")
    assert hall.money(1, 2, 3) == [BROUGHT + 1234, BROUGHT + 567, BROUGHT + 321]


def test_who_has_not_pressed_is_seen_at_the_close(open_hall: OpenHall) -> None:
    """The timer runs to its end; the bets on the seats can be seen with the first card, as they stand then.

    Player 2's 0.99 behind seat 0 is too little and goes back: it is not shown.
    """
    hall = open_hall("freebet", TWO_WIN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1234))
    hall.bet(2, (1, "main", 567), (0, "behind", 99))
    hall.start(1)
    hall.pass_time(14.9)
    assert (hall.phase, len(hall.heard(BetsShown))) == ("betting", 1)
    hall.until("closing")
    assert b"567" not in shown(hall)
    hall.until("dealing")
    assert hall.heard(BetsShown)[1:] == [BetsShown("2", (Bet(1, "main", 567),))]
    assert [seat.bets for seat in hall.view.seats] == [(Bet(0, "main", 1234),), (Bet(1, "main", 567),)]
    assert [seat.started for seat in hall.view.seats] == [False, False]


def test_pressing_holds_for_one_round(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN * 2, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.start(1)
    hall.start(1)  # again is no harm
    assert len(hall.heard(BetsShown)) == 1
    hall.until("payout").next("betting")
    assert not hall.part(1).started
    hall.bet(1, (0, "main", 1000))
    assert hall.left == 15
    with hall.refuses("table/not-now"):
        hall.live.start_now("1", "another round")


def test_the_round_begins_when_the_one_who_held_it_leaves_the_seat(open_hall: OpenHall) -> None:
    """Player 2 has no bet: the timer runs. With the seat free again everyone seated has pressed."""
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.start(1)
    assert hall.left == 15
    hall.rise(2, 1)
    assert hall.left == 0
    hall.tick()
    assert hall.phase == "closing"


def test_a_free_table_is_not_started_by_leaving(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=1).bring_in({1: (0,)}).until("betting")
    hall.rise(1, 0)
    assert hall.left == 15


# Two seats, and leaving one (FRB-32, FRB-33)


@pytest.mark.rule("FRB-32")
def test_two_seats_are_two_hands(open_hall: OpenHall) -> None:
    """One press starts both. Under the ace seat 0 is insured for 5.00, seat 1 is not; the hole is a nine: no blackjack.

    Seat 0 stands on 19 and loses 10.00, seat 1 takes a card on 12 and has 20 against 20: 100 - 20 - 5 + 10 = 85.00.
    """
    hall = open_hall("freebet", "10 10 A 9 2 9 8", players=1).bring_in({1: (0, 1)}).until("betting")
    hall.bet(1, (0, "main", 1000), (1, "main", 1000))
    hall.start(1)
    assert hall.left == 0
    hall.until("insurance")
    assert hall.offers(1) == {0: 500, 1: 500}
    hall.insure(1, True, 0)
    assert (hall.phase, hall.offers(1), hall.money(1)) == ("insurance", {1: 500}, [7500])
    hall.insure(1, False, 1)
    assert (hall.phase, hall.hand) == ("decisions", (0, 0))
    with hall.refuses("turn/not-yours"):
        hall.play(1, "hit", (1, 0))
    hall.play(1, "stand")
    assert hall.hand == (1, 0)
    hall.play(1, "hit")
    hall.play(1, "stand")
    hall.until("payout")
    assert hall.money(1) == [8500]


@pytest.mark.rule("FRB-33")
def test_a_seat_left_in_a_round_is_free_after_it(open_hall: OpenHall) -> None:
    """Its bet stands and wins, and its player still decides; before the cards as well as after them."""
    hall = open_hall("freebet", TWO_WIN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.rise(1, 0)
    hall.until("decisions")
    hall.rise(2, 1)
    assert (seats(hall), hall.heard(SeatLeft)) == ({0: "player 1", 1: "player 2"}, [])
    hall.play(1, "stand")
    hall.play(2, "stand")
    hall.until("payout")
    assert hall.money(1, 2) == [11_000, 11_000]
    assert len(seats(hall)) == 2
    hall.next("betting")
    assert (seats(hall), hall.heard(SeatLeft)) == ({}, [SeatLeft(0), SeatLeft(1)])
    hall.sit(2, 0)


def test_a_seat_without_a_bet_is_free_at_once(open_hall: OpenHall) -> None:
    """In a round too: somebody else may take it, and waits for the next round there."""
    hall = open_hall("freebet", WIN, players=3).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("decisions")
    hall.rise(2, 1)
    assert seats(hall) == {0: "player 1"}
    hall.bring_in({3: (1,)})
    hall.until("payout")
    assert {event.spot for event in hall.heard(CardDealt)} == {-1, 0}
    hall.next("betting").bet(3, (1, "main", 1000))
