"""Decisions at the seats of a Free Bet table: in advance, in time, too late, and without the money (FRB-25..29, 31)."""

from __future__ import annotations

import pytest

from sabot.engine.events import Acted, CardDealt, Peeked
from sabot.games.rules import Action
from sabot.rounds.history import history, round_view
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: One seat has 20 against 9 8.
WIN = "10 9 10 8 "


def one_seat(open_hall: OpenHall, cards: str, *, bring: int = BROUGHT) -> Hall:
    """Player 1 stakes 10.00 on seat 0 and has two cards."""
    hall = open_hall("freebet", cards, players=2)
    hall.come(1)
    hall.sit(1, 0, bring=bring)
    hall.until("betting").bet(1, (0, "main", 1000))
    return hall


def acted(hall: Hall) -> list[tuple[int, Action]]:
    """What was done, at which seat."""
    return [(event.spot, event.action) for event in hall.heard(Acted)]


# In advance (FRB-25)


@pytest.mark.rule("FRB-25")
def test_a_first_decision_may_be_made_before_the_turn(open_hall: OpenHall) -> None:
    """Seat 1 has 6 5 under a 9: player 2 decides while it is player 1's turn, and changes it until player 1 is done.

    The last wish, a free double, is played without a window: the 10 makes 21 against 9 8. 10.00 pay 20.00, the free
    10.00 pay 10.00: 100 - 10 + 30 = 120.00.
    """
    hall = open_hall("freebet", "10 6 9 10 5 8 10", players=2)
    hall.bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    with hall.refuses("table/not-now"):
        hall.wish(2, 1, "hit")
    hall.until("decisions")
    assert hall.hand == (0, 0)
    with hall.refuses("action/not-legal"):
        hall.wish(2, 1, "split")
    with hall.refuses("seat/not-yours"):
        hall.wish(2, 0, "stand")
    hall.wish(2, 1, "stand")
    hall.wish(2, 1, "hit")
    hall.wish(2, 1, None)
    assert hall.part(2).wishes == {}
    hall.wish(2, 1, "double")
    assert hall.part(2).wishes == {1: "double"}
    assert hall.part(1).wishes == {}
    assert [option.action for option in hall.part(2).ahead[1]] == ["stand", "hit", "double"]
    assert hall.part(1).ahead == {}
    hall.play(1, "stand")
    assert (hall.hand, hall.left, hall.part(2).ahead) == ((1, 0), 0.6, {})
    with hall.refuses("table/not-now"):
        hall.wish(2, 1, "stand")
    hall.until("payout")
    assert acted(hall) == [(0, "stand"), (1, "double")]
    assert hall.money(2) == [12_000]


def test_a_decision_in_advance_is_for_the_first_one_only(open_hall: OpenHall) -> None:
    """5 3 takes a 2 as it was wished; the second decision, on 10, has a window of its own."""
    hall = one_seat(open_hall, "5 9 3 8 2 7")
    hall.until("dealing").wish(1, 0, "hit")
    hall.tick()
    assert (hall.phase, hall.left) == ("decisions", 0.6)
    hall.tick()
    assert (hall.cards(0), hall.part(1).wishes) == (3, {})
    assert (hall.phase, hall.left) == ("decisions", 12 + hall.pace)  # the card is shown
    with hall.refuses("table/not-now"):
        hall.wish(1, 0, "hit")


@pytest.mark.rule("FRB-25", "PLT-45")
def test_a_decision_in_advance_that_arrives_with_the_turn_is_the_decision(open_hall: OpenHall) -> None:
    """It was pressed before its player could see that the turn had begun; there is nothing to take back then."""
    hall = one_seat(open_hall, "5 9 3 8 2 7").until("decisions")
    with hall.refuses("table/not-now"):
        hall.wish(1, 0, None)
    with hall.refuses("action/not-legal"):
        hall.wish(1, 0, "split")
    with hall.refuses("seat/not-yours"):
        hall.wish(2, 0, "stand")
    hall.wish(1, 0, "hit")
    assert (hall.cards(0), hall.part(1).wishes) == (3, {})
    assert acted(hall) == [(0, "hit")]


def test_the_first_seat_decides_in_advance_while_cards_are_dealt(open_hall: OpenHall) -> None:
    """The two cards lie, and the dealer has not arrived."""
    hall = one_seat(open_hall, WIN)
    hall.until("dealing").wish(1, 0, "hit")
    hall.wish(1, 0, "stand")
    hall.until("payout")
    assert acted(hall) == [(0, "stand")]


def test_under_an_ace_too_decisions_are_made_in_advance(open_hall: OpenHall) -> None:
    """While insurance is offered; the wish is gone when the player decides something else at the turn."""
    hall = one_seat(open_hall, "10 A 6 9 2 10")
    hall.until("insurance").wish(1, 0, "stand")
    hall.insure(1, False)
    assert (hall.phase, hall.left) == ("decisions", 0.6)
    hall.play(1, "hit")
    assert (hall.cards(0), hall.part(1).wishes) == (3, {})
    assert hall.left == 12 + hall.pace


def test_a_wish_lives_for_one_round(open_hall: OpenHall) -> None:
    """The dealer's blackjack ends the round before any decision: the next round has no wish."""
    hall = one_seat(open_hall, "10 A 6 K " + WIN)
    hall.until("insurance").wish(1, 0, "stand")
    hall.until("payout").next("betting")
    assert hall.part(1).wishes == {}
    with hall.refuses("table/not-now"):
        hall.seats.decisions.pre_decide("1", hall.live.play.code, 0, "stand")


# The end of the time (FRB-26)


@pytest.mark.rule("FRB-26")
@pytest.mark.parametrize(
    ("hand", "action"),
    [("5 6", "hit"), ("2 2", "hit"), ("A A", "stand"), ("10 2", "stand"), ("A 5", "stand"), ("8 8", "stand")],
)
def test_at_the_end_of_the_time_eleven_or_less_takes_a_card(
    open_hall: OpenHall, hand: str, action: Action
) -> None:
    """The total is COM-02's: A A is 12 and stands, nothing is doubled or split. A later decision has its own time.

    After the card, a 3, nobody is waited for who has left.
    """
    first, second = hand.split()
    hall = one_seat(open_hall, f"{first} 9 {second} 8 3 9")
    hall.until("decisions").pass_time(11.9)
    assert acted(hall) == []
    hall.pass_time(0.1)
    assert acted(hall) == [(0, action)]
    if action == "stand":
        assert hall.round.turn is None
        return
    assert (hall.cards(0), hall.left) == (3, 12 + hall.pace)
    hall.pass_time(11.9 + hall.pace)
    assert acted(hall) == [(0, "hit")]
    hall.depart(1)
    assert hall.left == 0
    hall.tick()
    assert acted(hall)[1:] == [(0, "hit" if hand == "2 2" else "stand")]
    if hand == "2 2":
        assert hall.left == 0.6 + hall.pace  # the card is shown; nobody is waited for


def test_one_who_has_left_is_not_waited_for(open_hall: OpenHall) -> None:
    """Players 1 and 2 have 16 and 20; 1 has left when the turn comes: 0.6 s, and the dealer goes on."""
    hall = open_hall("freebet", "10 10 9 6 10 8", players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.until("dealing").depart(1)
    hall.until("decisions")
    assert (hall.hand, hall.left) == ((0, 0), 0.6)
    hall.tick()
    assert (hall.hand, hall.left, acted(hall)) == ((1, 0), 12, [(0, "stand")])


def test_one_of_two_connections_is_enough(open_hall: OpenHall) -> None:
    hall = one_seat(open_hall, WIN)
    hall.come(1)
    hall.until("decisions").depart(1)
    assert hall.left == 12
    hall.go(1)
    assert hall.left == 0


def test_only_the_player_of_the_seat_decides_and_only_now(open_hall: OpenHall) -> None:
    hall = one_seat(open_hall, WIN)
    hall.come(2)
    code, turn = hall.live.play.code, hall.live.play.turn
    hall.until("decisions")
    with hall.refuses("seat/not-yours"):
        hall.play(2, "stand")
    with hall.refuses("action/not-legal"):
        hall.play(1, "surrender")
    with hall.refuses("command/stale"):  # asked for the moment before the cards
        hall.live.decide("1", code, turn, None)  # type: ignore[arg-type]
    hall.play(1, "stand")
    with hall.refuses("table/not-now"):
        hall.play(1, "stand", (0, 0))


# Without the money (FRB-27)


@pytest.mark.rule("FRB-27")
@pytest.mark.parametrize("ahead", [False, True], ids=["at the turn", "in advance"])
@pytest.mark.parametrize(
    ("cards", "wanted", "done", "paid"),
    [("10 9 2 8 5", "double", "hit", 1000), ("10 9 K 8", "split", "stand", 2000)],
    ids=["double", "split"],
)
def test_what_the_money_does_not_cover_becomes_something_else(
    open_hall: OpenHall, cards: str, wanted: Action, done: Action, paid: int, ahead: bool
) -> None:
    """All 10.00 are staked. A double of 12 is a hit, a split of 10 K (20, more than 11) a stand.

    The dealer has 17: 12 and 5 push, 20 wins. Only tens are split with an own stake, so that no split of 11 or less can lack the money.
    """
    hall = one_seat(open_hall, cards, bring=1000)
    if ahead:
        hall.until("dealing").wish(1, 0, wanted)
        hall.next("decisions").tick()
    else:
        hall.until("decisions").play(1, wanted)
    assert acted(hall) == [(0, done)]
    hall.until("payout")
    assert hall.money(1) == [paid]


def test_money_that_is_added_in_time_covers_it(open_hall: OpenHall) -> None:
    """12 doubled for 10.00 more gets a 5: 17 against 17, both stakes come back."""
    hall = one_seat(open_hall, "10 9 2 8 5", bring=1000)
    hall.until("decisions").add(1, 1000)
    hall.play(1, "double")
    assert acted(hall) == [(0, "double")]
    hall.until("payout")
    assert hall.money(1) == [2000]


# Late and away (FRB-29)


@pytest.mark.rule("FRB-29", "PLT-31")
def test_late_comers_wait_and_those_away_are_played_for(open_hall: OpenHall) -> None:
    """Player 1 goes with 5 6 under a 9: the 11 takes a 7, the 18 stands against 17. 10.00 won, in the history.

    Player 2 sits down in the round and can bet in the next.
    """
    hall = one_seat(open_hall, "5 9 6 8 7 10 9 10 8")
    hall.until("dealing").go(1)
    hall.bring_in({2: (1,)})
    with hall.refuses("bet/late"):
        hall.bet(2, (1, "main", 1000))
    hall.until("payout")
    assert acted(hall) == [(0, "hit"), (0, "stand")]
    assert {event.spot for event in hall.heard(CardDealt)} == {-1, 0}
    assert hall.money(1, 2) == [BROUGHT + 1000, BROUGHT]
    with hall.database.reading() as connection:
        (line,) = history(connection, 1).lines
        assert (line.code, line.staked, line.paid, line.state) == (hall.live.play.code, 1000, 2000, "settled")
        told = [event for moment in round_view(connection, line.code, 1).moments for event in moment.events]
        assert [event.action for event in told if isinstance(event, Acted)] == ["hit", "stand"]
        assert history(connection, 2).lines == ()
    hall.next("betting").bet(2, (1, "main", 1000))
    hall.until("payout")
    assert hall.money(2) == [BROUGHT + 1000]


def test_one_who_comes_back_decides_again(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", "10 10 9 10 10 8", players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.until("decisions").go(2)
    hall.come(2)
    hall.play(1, "stand")
    assert (hall.hand, hall.left) == ((1, 0), 12)


# Insurance (FRB-31)


@pytest.mark.rule("FRB-31")
def test_insurance_is_one_window_for_all(open_hall: OpenHall) -> None:
    """Stakes of 10.00, 6.00, 4.00 behind seat 0, and 8.00 behind seat 1; 5.00, 3.00, 2.00 and 4.00 are asked at once.

    Player 1 and player 3 behind take it, player 2 is silent, player 4 has no connection: both refuse. After 8 s the
    ace turns out to have its king: 1 and 3 have what they had, 2 and 4 lose their stakes.
    """
    hall = open_hall("freebet", "10 10 A 9 8 K", players=4)
    hall.bring_in({1: (0,), 2: (1,), 3: (), 4: ()}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 600))
    hall.bet(3, (0, "behind", 400))
    hall.bet(4, (1, "behind", 800))
    hall.until("insurance").go(4)
    assert [hall.offers(player) for player in (1, 2, 3, 4)] == [{0: 500}, {1: 300}, {0: 200}, {1: 400}]
    hall.insure(1, True, 0)
    with hall.refuses("offer/none"):
        hall.insure(1, True, 0)
    with hall.refuses("offer/none"):
        hall.insure(3, True, 1)
    hall.pass_time(7.9)
    hall.insure(3, True)
    assert (hall.phase, hall.left) == ("insurance", 0.1)
    hall.stop_at("dealer")
    hall.tick()
    assert hall.heard(Peeked) == [Peeked(True)]
    assert hall.phase == "dealer"
    with hall.refuses("table/not-now"):
        hall.insure(2, True)
    hall.until("payout")
    assert hall.money(1, 2, 3, 4) == [BROUGHT, BROUGHT - 600, BROUGHT, BROUGHT - 800]


def test_the_window_closes_when_all_have_answered_or_left(open_hall: OpenHall) -> None:
    """Player 1 has answered, player 2 leaves: the dealer looks, and has 20."""
    hall = open_hall("freebet", "10 10 A 9 8 9", players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.until("insurance").insure(1, False)
    assert hall.left == 8
    hall.depart(2)
    assert hall.left == 0
    hall.tick()
    assert (hall.phase, hall.hand) == ("decisions", (0, 0))


def test_it_closes_with_the_last_answer(open_hall: OpenHall) -> None:
    hall = one_seat(open_hall, "10 A 9 9")
    hall.until("insurance").insure(1, True)
    assert (hall.phase, hall.money(1)) == ("decisions", [8500])
