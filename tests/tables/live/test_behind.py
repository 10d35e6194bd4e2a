"""Bets behind the seats of a Free Bet table, and the players who win in a row (FRB-40..45)."""

from __future__ import annotations

import pytest

from sabot.engine import Bet
from sabot.engine.events import BehindAllowed, BettingClosed, CardDealt
from sabot.tables.live.events import (
    Backer,
    BetsShown,
    SeatLeft,
    SpotStakes,
    StakesShown,
    StakeSum,
    StreakChanged,
)
from sabot.tables.live.timers import Timers
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: One seat has 20 against 9 8.
WIN = "10 9 10 8 "
#: Two seats have 20 each against 9 8.
TWO_WIN = "10 10 9 10 10 8 "


def behind(hall: Hall) -> dict[int, bool]:
    """Which seats take bets behind, as everyone sees it."""
    return {seat.spot: seat.behind for seat in hall.view.seats}


# Who may stand where (FRB-40)


@pytest.mark.rule("FRB-40")
def test_behind_others_but_never_behind_oneself(open_hall: OpenHall) -> None:
    """Player 1 plays seat 0 for 10.00; 2, seated and not playing, and 3, unseated, stand behind with 5.00 and 3.00.

    20 against 17 pays all of them 1:1. Nobody stands behind an own seat, staked or not, nor where nobody sits.
    """
    hall = open_hall("freebet", WIN, players=3).bring_in({1: (0,), 2: (1, 2), 3: ()}).until("betting")
    for seat in (1, 2):
        with hall.refuses("seat/own-behind"):
            hall.bet(2, (0, "behind", 500), (seat, "behind", 500))
    with hall.refuses("seat/own-behind"):
        hall.bet(1, (0, "main", 1000), (0, "behind", 500))
    for seat, code in ((3, "seat/empty"), (7, "seat/none"), (-1, "seat/none")):
        with hall.refuses(code):
            hall.bet(3, (seat, "behind", 300))
    with hall.refuses("seat/not-yours"):
        hall.bet(3, (0, "main", 300))
    with hall.refuses("seat/not-yours"):
        hall.bet(3, (0, "behind", 300), (0, "21+3", 300))
    hall.bet(3, (0, "behind", 300))  # also before the seat is staked
    hall.bet(2, (0, "behind", 500))
    hall.bet(1, (0, "main", 1000))
    assert hall.part(3).bets == (Bet(0, "behind", 300),)
    hall.until("dealing")
    (closed,) = hall.heard(BettingClosed)
    assert [(spot.spot, spot.owner, spot.backers, spot.staked) for spot in closed.spots] == [
        (0, "1", 3, 1800)
    ]
    hall.until("payout")
    assert hall.money(1, 2, 3) == [BROUGHT + 1000, BROUGHT + 500, BROUGHT + 300]


def test_a_player_may_play_and_stand_behind_others(open_hall: OpenHall) -> None:
    """Both seats win: 10.00 + 4.00 behind for player 1, 6.00 for player 2."""
    hall = open_hall("freebet", TWO_WIN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000), (1, "behind", 400))
    hall.bet(2, (1, "main", 600))
    hall.until("payout")
    assert hall.money(1, 2) == [BROUGHT + 1400, BROUGHT + 600]


@pytest.mark.rule("ASR-21")
def test_who_stands_behind_and_takes_a_seat_after_the_close_is_seen_with_the_bet(open_hall: OpenHall) -> None:
    """Those who were there are told what those who come see: 3.00 behind seat 0, at the seat that was taken since."""
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: ()}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (0, "behind", 300))
    hall.until("dealing")
    hall.forget()
    hall.sit(2, 3)
    assert hall.heard(BetsShown) == [BetsShown("2", (Bet(0, "behind", 300),))]
    assert {seat.spot: seat.bets for seat in hall.view.seats}[3] == (Bet(0, "behind", 300),)


# A seat that does not play (FRB-41)


@pytest.mark.rule("FRB-41")
def test_a_bet_behind_a_seat_that_does_not_play_goes_back(open_hall: OpenHall) -> None:
    """Seat 0 has no bet and seat 2 one below the minimum: 4.00 and 5.00 behind them are back before the first card."""
    hall = open_hall("freebet", WIN, players=4).bring_in({1: (0,), 2: (1,), 3: (2,), 4: ()}).until("betting")
    hall.bet(2, (1, "main", 1000))
    hall.bet(3, (2, "main", 99), (0, "behind", 400))
    hall.bet(4, (2, "behind", 500), (1, "behind", 600))
    hall.until("dealing")
    assert hall.money(1, 2, 3, 4) == [BROUGHT, BROUGHT - 1000, BROUGHT, BROUGHT - 600]
    assert hall.part(4).bets == (Bet(1, "behind", 600),)
    assert {3, 4} <= set(hall.touched)


def test_if_nobody_plays_everything_behind_goes_back(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: ()}).until("betting")
    hall.bet(2, (0, "behind", 400))
    hall.next("betting")
    assert (hall.money(2), hall.part(2).bets, hall.words[-2]) == ([BROUGHT], (), "nobody-bet")


def test_a_bet_behind_one_who_gets_up_goes_back_at_once(open_hall: OpenHall) -> None:
    """Player 3 stood behind player 1, not behind whoever takes the seat next; the bet behind seat 1 stays.

    Player 2 then has a seat nobody stands behind; player 3 may even take it and play it.
    """
    hall = open_hall("freebet", WIN, players=3).bring_in({1: (0,), 2: (1,), 3: ()}).until("betting")
    hall.bet(3, (0, "behind", 400), (1, "behind", 300))
    hall.forget()
    hall.rise(1, 0)
    assert hall.heard(SeatLeft) == [SeatLeft(0)]
    assert (hall.part(3).bets, hall.money(3)) == ((Bet(1, "behind", 300),), [BROUGHT - 300])
    assert 3 in hall.touched
    hall.leave(2)
    assert (hall.part(3).bets, hall.money(3), hall.escrow) == ((), [BROUGHT], 0)
    hall.sit(3, 0)
    hall.bet(3, (0, "main", 400))


# Following (FRB-42)


@pytest.mark.rule("FRB-42")
def test_those_behind_follow_as_they_said_before(open_hall: OpenHall) -> None:
    """Seat 0 doubles 5 3 for 10.00 and gets a 10: 18 against 9 8.

    Behind it 2 agreed and doubles 4.00, 3 did not and has 3.00 on it, 4 agreed but 99.00 leave nothing to double with.
    Then 6 5 is doubled free: everyone behind has it, agreed or not. The 10 makes 21 against 17.

    Player 2: 8.00 + 4.00 and 4.00 free = 16.00 ahead. Player 3: 3.00 + 3.00 and 3.00 free. Player 4: 99.00 + 99.00 and
    99.00 free.
    """
    hall = open_hall("freebet", "5 9 3 8 10 6 9 5 8 10", players=4)
    hall.bring_in({1: (0,), 2: (), 3: (), 4: ()}).until("betting")
    hall.consent(2, 4, double=True, split=False)
    for _ in range(2):
        hall.until("betting").bet(1, (0, "main", 1000))
        for player, stake in ((2, 400), (3, 300), (4, 9900)):
            hall.bet(player, (0, "behind", stake))
        hall.until("decisions").play(1, "double")
        hall.until("payout")
    assert hall.money(1, 2, 3, 4) == [
        BROUGHT + 2000 + 2000,
        BROUGHT + 800 + 800,
        BROUGHT + 300 + 600,
        BROUGHT + 9900 + 19800,
    ]
    hall.next("betting")
    assert hall.part(2).consent == (True, False)


@pytest.mark.rule("FRB-42")
def test_a_paid_split_is_followed_by_those_who_agreed(open_hall: OpenHall) -> None:
    """10 10 split under a 9 makes 10 9 and 10 7 against 9 9: 19 wins, 17 loses.

    Player 2 agreed to splits: 4.00 won, 4.00 lost. Player 3 agreed to doubles only: 3.00 on the right hand, won.
    """
    hall = open_hall("freebet", "10 9 10 9 9 7", players=3).bring_in({1: (0,), 2: (), 3: ()}).until("betting")
    hall.consent(2, double=False, split=True).consent(3, double=True, split=False)
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (0, "behind", 400))
    hall.bet(3, (0, "behind", 300))
    hall.until("decisions").play(1, "split")
    hall.until("payout")
    assert hall.money(1, 2, 3) == [BROUGHT, BROUGHT, BROUGHT + 300]


def test_what_was_said_before_sitting_down_counts(open_hall: OpenHall) -> None:
    """Player 2 looks on, agrees to doubles, and then sits down while bets are open."""
    hall = open_hall("freebet", "5 9 3 8 10", players=2).bring_in({1: (0,)}).until("betting")
    hall.come(2).consent(2, double=True, split=False)
    hall.sit(2)
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (0, "behind", 400))
    hall.until("decisions").play(1, "double")
    hall.until("payout")
    assert hall.money(2) == [BROUGHT + 800]


# What others see (PLT-71)


@pytest.mark.rule("PLT-71", "FRB-40", "FRB-24")
def test_everybody_sees_who_stands_behind_which_seat_once_bets_are_closed(open_hall: OpenHall) -> None:
    """2 holds seat 1 and does not play it, 3 sits nowhere; the largest stake stands first. At the end they are gone."""
    hall = open_hall("freebet", WIN, players=4).bring_in({1: (0,), 2: (1,), 3: (), 4: ()}).until("betting")
    hall.bet(1, (0, "main", 1000), (0, "21+3", 200))
    hall.bet(2, (0, "behind", 300))
    hall.bet(3, (0, "behind", 500))
    hall.bet(4, (1, "behind", 700))
    hall.start(1)
    assert not hall.heard(StakesShown)
    assert not hall.view.stakes
    hall.until("dealing")
    stakes = SpotStakes(
        0, (StakeSum("behind", 2, 800),), (Backer("3", "player 3", 500), Backer("2", "player 2", 300))
    )
    assert hall.heard(StakesShown) == [StakesShown((stakes,))]  # the bet behind seat 1 went back
    assert hall.view.stakes == (stakes,)
    assert hall.view.seats[0].bets == (Bet(0, "main", 1000), Bet(0, "21+3", 200))
    kinds = [type(event) for event in hall.told]
    assert kinds.index(StakesShown) < kinds.index(CardDealt)  # before the first card
    hall.restart(2, 3)
    assert [one.amount for spot in hall.view.stakes for one in spot.backers] == [500, 300]
    hall.until("payout")
    assert not hall.view.stakes


@pytest.mark.rule("PLT-71")
def test_of_a_crowd_behind_a_seat_the_largest_are_named_and_all_are_counted(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=12)
    hall.bring_in({1: (0,), **dict.fromkeys(range(2, 13), ())}).until("betting")
    hall.bet(1, (0, "main", 1000))
    for player in range(2, 13):
        hall.bet(player, (0, "behind", 100 * player))
    hall.until("dealing")
    (spot,) = hall.view.stakes
    assert spot.sums == (StakeSum("behind", 11, 100 * sum(range(2, 13))),)
    assert [one.player for one in spot.backers] == [str(player) for player in range(12, 4, -1)]


# Forbidding it (FRB-43)


@pytest.mark.rule("FRB-43")
def test_a_seat_can_be_closed_for_bets_behind(open_hall: OpenHall) -> None:
    """Without a bet behind it a seat closes at once. With one, that bet and others stand until the next round."""
    hall = open_hall("freebet", TWO_WIN, players=3).bring_in({1: (0,), 2: (1,), 3: ()}).until("betting")
    with hall.refuses("seat/not-yours"):
        hall.allow_behind(3, 0, False)
    hall.allow_behind(1, 0, False)
    assert hall.heard(BehindAllowed) == [BehindAllowed(0, False, next_round=False)]
    assert behind(hall) == {0: False, 1: True}
    with hall.refuses("bet/behind-forbidden"):
        hall.bet(3, (0, "behind", 400))
    hall.bet(3, (1, "behind", 400))
    hall.allow_behind(2, 1, False)
    assert hall.heard(BehindAllowed)[1:] == [BehindAllowed(1, False, next_round=True)]
    assert behind(hall) == {0: False, 1: True}
    hall.bet(1, (0, "main", 1000), (1, "behind", 200))
    hall.bet(2, (1, "main", 1000))
    hall.until("payout")
    assert hall.money(1, 2, 3) == [BROUGHT + 1200, BROUGHT + 1000, BROUGHT + 400]
    hall.next("betting")
    assert behind(hall) == {0: False, 1: False}
    for seat in (0, 1):
        with hall.refuses("bet/behind-forbidden"):
            hall.bet(3, (seat, "behind", 400))
    hall.allow_behind(1, 0, True)
    assert behind(hall) == {0: True, 1: False}
    hall.bet(3, (0, "behind", 400))


def test_between_rounds_and_in_them_it_holds_from_the_next(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN * 2, players=2).bring_in({1: (0,), 2: ()})
    hall.allow_behind(1, 0, False)  # while the shoe is shuffled
    assert behind(hall) == {0: False}
    hall.until("betting")
    with hall.refuses("bet/behind-forbidden"):
        hall.bet(2, (0, "behind", 400))
    hall.bet(1, (0, "main", 1000))
    hall.until("decisions").allow_behind(1, 0, True)
    assert hall.heard(BehindAllowed)[-1] == BehindAllowed(0, True, next_round=True)
    hall.until("payout").next("betting").bet(2, (0, "behind", 400))


def test_a_seat_is_open_again_for_its_next_player(open_hall: OpenHall) -> None:
    """In the same betting, and in the rounds after it."""
    hall = open_hall("freebet", WIN * 2, players=3).bring_in({1: (0,), 3: ()}).until("betting")
    hall.allow_behind(1, 0, False)
    hall.rise(1, 0)
    hall.bring_in({2: (0,)})
    assert behind(hall) == {0: True}
    for _ in range(2):
        hall.until("betting").bet(3, (0, "behind", 400))
        hall.bet(2, (0, "main", 1000))
        hall.until("payout")
    assert hall.money(2, 3) == [BROUGHT + 2000, BROUGHT + 800]


# Hot players (FRB-45)


@pytest.mark.rule("FRB-45")
def test_rounds_won_in_a_row_are_counted(open_hall: OpenHall) -> None:
    """Two wins; a push and a round sat out leave the two; a third win; then a split with one lost hand ends them.

    In the last round 8 8 is split free under 9 8: 18 wins 10.00 and 16 loses nothing: ahead, and yet a hand is lost.
    """
    split = "8 9 8 8 10 8"
    cards = WIN * 2 + "10 9 8 9 " + WIN * 2 + split
    hall = open_hall("freebet", cards, players=2, timers=Timers(idle_rounds=9)).bring_in({1: (0,), 2: (1,)})
    streaks: list[list[int]] = []
    for players in (1, 1, 1, 2, 1, 1):
        hall.until("betting").bet(players, (players - 1, "main", 1000))
        hall.until("decisions")
        if len(streaks) == 5:
            hall.play(1, "split")
        hall.until("payout")
        streaks.append([seat.streak for seat in hall.view.seats])
    assert [first for first, _ in streaks] == [1, 2, 2, 2, 3, 0]
    assert [second for _, second in streaks] == [0, 0, 0, 1, 1, 1]
    assert hall.heard(StreakChanged) == [
        StreakChanged(0, 1),
        StreakChanged(0, 2),
        StreakChanged(1, 1),
        StreakChanged(0, 3),
        StreakChanged(0, 0),
    ]
    assert hall.money(1) == [BROUGHT + 4000]


def test_only_main_bets_make_a_round_won(open_hall: OpenHall) -> None:
    """18 against 18 with a pair that wins leaves the count; 20 against 17 with 30.00 lost beside it is a round won."""
    hall = open_hall("freebet", "9s 9 9h 9 " + WIN, players=1).bring_in({1: (0,)}).until("betting")
    hall.bet(1, (0, "main", 1000), (0, "player-pair", 1000))
    hall.until("payout")
    assert hall.heard(StreakChanged) == []
    hall.next("betting").bet(1, (0, "main", 1000), (0, "21+3", 3000))
    hall.until("payout")
    assert hall.heard(StreakChanged) == [StreakChanged(0, 1)]


def test_a_split_that_wins_and_pushes_is_won_and_a_void_is_nothing(open_hall: OpenHall) -> None:
    """8 8 split free under 10 8: 19 and 18 against 18. After it a round is void, and the count stays."""
    hall = open_hall("freebet", "8 10 8 8 A 10 " + WIN, players=1).bring_in({1: (0,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("decisions").play(1, "split")
    hall.until("payout").next("betting").bet(1, (0, "main", 1000))
    hall.until("decisions").void()
    assert [seat.streak for seat in hall.view.seats] == [1]


def test_who_takes_the_seat_next_begins_at_nothing(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("payout").rise(1, 0)
    hall.bring_in({2: (0,)})
    assert [seat.streak for seat in hall.view.seats] == [0]
