"""The house is killed at any moment and opened again: the round goes on, or everything is given back (PLT-34)."""

from __future__ import annotations

from typing import get_args

import pytest

from sabot.engine.events import Acted, BehindAllowed, HoleShown
from sabot.tables.live.events import SeatTaken
from sabot.tables.live.timers import Phase
from tests.support.live_hall import BROUGHT, DEPOSITED, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

GAMES = pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
PHASES: tuple[Phase, ...] = get_args(Phase)
#: What the players have after the round, whenever it was interrupted.
RESULT = [BROUGHT + 500, BROUGHT + 600, BROUGHT + 400]


def scene(open_hall: OpenHall, game: str) -> Hall:
    """A seat or box gets 10 9 under an ace, the dealer has 7 with it: 19 against 18, with nothing but time passing.

    Player 1 has 10.00 on it and an insurance of 5.00 that is lost, player 2 has 6.00 and player 3 4.00.
    """
    return open_hall(game, "10 A 9 7 " * 2, "10 A 9 7 ")


def come_in(hall: Hall, game: str) -> None:
    """The players sit down, if they do not sit there, and have said what is to be said."""
    for player in (1, 2, 3):
        if not hall.live.attendance.present(str(player)):
            hall.come(player)
        if str(player) not in hall.live.table.sittings:
            hall.sit(player, *((0,) if (game, player) == ("freebet", 1) else ()))
    hall.consent(1, 2, 3, double=False, split=False)


def step(hall: Hall, game: str) -> None:
    """What the players do, and then whatever the clock brings."""
    if hall.phase == "idle":
        come_in(hall, game)
        return
    if hall.phase == "betting" and not hall.part(1).bets:
        come_in(hall, game)
        hall.bet(1, (0, "main", 1000))
        for player, stake in ((2, 600), (3, 400)):
            hall.bet(player, (0, "behind" if game == "freebet" else "main", stake))
    elif hall.phase == "insurance" and hall.offers(1):
        hall.insure(1, True)
    hall.tick()


def come_to(hall: Hall, game: str, phase: Phase) -> None:
    """Play on up to a phase."""
    hall.stop_at(phase)
    for _ in range(100):
        if hall.phase == phase:
            return
        step(hall, game)
    raise AssertionError(f"the table does not come to {phase}: it is in {hall.phase}")


@pytest.mark.slow  # every phase of every live game, twice
@pytest.mark.rule("PLT-34")
@GAMES
@pytest.mark.parametrize("phase", PHASES)
def test_a_table_goes_on_from_every_phase(open_hall: OpenHall, game: str, phase: Phase) -> None:
    """Killed at the beginning of a phase, in it, and once more right after: the same cards, the same money."""
    hall = scene(open_hall, game)
    come_to(hall, game, phase)
    if phase == "insurance":
        hall.insure(1, True)
    cards = hall.live.table.current and list(hall.round.tape.cards)
    moment = (hall.live.play.code, hall.live.play.turn)
    hall.restart()
    hall.pass_time(0.1)
    hall.restart(*(int(player) for player in hall.live.table.sittings))
    if phase in ("closing", "dealing", "insurance", "decisions"):
        assert hall.round.tape.cards == cards
        assert (hall.live.play.code, hall.live.play.turn) == moment
    for _ in range(40):
        if "settled" in hall.ends:
            break
        step(hall, game)
    assert hall.money(1, 2, 3) == RESULT
    assert hall.ends[0] == "settled"
    assert sum(hall.account(player) for player in (1, 2, 3)) + sum(RESULT) + hall.house == 3 * DEPOSITED


@pytest.mark.slow  # every phase of every live game, twice
@GAMES
@pytest.mark.parametrize("phase", ["betting", "closing", "dealing", "insurance", "decisions"])
def test_if_nobody_comes_back_everything_is_played_out_and_returned(
    open_hall: OpenHall, game: str, phase: Phase
) -> None:
    """19 stands, insurance is refused: 10.00, 6.00 and 4.00 are won, and half an hour later all money is back."""
    hall = scene(open_hall, game)
    come_to(hall, game, phase)
    if phase == "betting":
        for player, stake in ((1, 1000), (2, 600), (3, 400)):
            hall.bet(player, (0, "behind" if game == "freebet" and player > 1 else "main", stake))
    insured = 500 if phase == "decisions" else 0
    hall.restart()
    hall.until("idle")
    assert hall.ends[0] == "settled"
    assert set(hall.ends[1:]) <= {
        "voided"
    }  # bets were open once more for those who could still have come back
    hall.pass_time(1800)
    assert [hall.account(player) for player in (1, 2, 3)] == [
        DEPOSITED + 1000 - insured,
        DEPOSITED + 600,
        DEPOSITED + 400,
    ]
    assert hall.live.table.sittings == {}


@pytest.mark.by_house  # every round needs the key of its shoe
@pytest.mark.slow  # every phase of every live game, twice
@GAMES
@pytest.mark.parametrize("phase", ["betting", "dealing", "insurance", "decisions"])
def test_a_round_that_cannot_be_played_again_is_given_back(
    open_hall: OpenHall, game: str, phase: Phase
) -> None:
    """The key of the shoes is gone: every stake and the insurance are back, and the table begins with a new shoe."""
    hall = scene(open_hall, game)
    come_to(hall, game, phase)
    if phase == "betting":
        hall.bet(1, (0, "main", 1000))
    if phase == "insurance":
        hall.insure(1, True)
    hall.lose_key()
    hall.restart()
    assert (hall.ends, hall.money(1, 2, 3), hall.escrow, hall.house) == (["voided"], 3 * [BROUGHT], 0, 0)
    hall.come(1, 2, 3)
    assert hall.phase == "shuffle"
    hall.until("betting").consent(1).bet(1, (0, "main", 1000))


@pytest.mark.by_hand  # only a card that lies face down needs the key
@pytest.mark.rule("PLT-34", "STU-06")
@GAMES
@pytest.mark.parametrize("phase", ["betting", "dealing", "insurance", "decisions"])
def test_a_round_whose_hole_card_cannot_be_read_is_given_back(
    open_hall: OpenHall, game: str, phase: Phase
) -> None:
    """The key is gone: where the hole card lies every stake and the insurance are back, else the round goes on."""
    hall = scene(open_hall, game)
    come_to(hall, game, phase)
    if phase == "insurance":
        hall.insure(1, True)
    lies = hall.round.play.hole_down
    assert lies == (phase in ("insurance", "decisions") and game != "majority-eu")
    hall.lose_key()
    hall.restart(1, 2, 3)
    if lies:
        assert (hall.ends[0], hall.money(1, 2, 3), hall.escrow, hall.house) == (
            "voided",
            3 * [BROUGHT],
            0,
            0,
        )
    for _ in range(40):
        if "settled" in hall.ends:
            break
        step(hall, game)
    assert hall.ends == (["voided", "settled"] if lies else ["settled"])
    assert hall.money(1, 2, 3) == RESULT


@pytest.mark.by_house  # a shoe of cards has no key
def test_a_shoe_whose_key_is_gone_is_replaced_before_the_bets(open_hall: OpenHall) -> None:
    """Between two rounds nobody has a stake: the table shuffles."""
    hall = scene(open_hall, "freebet")
    come_to(hall, "freebet", "payout")
    hall.lose_key()
    hall.next("shuffle").until("betting").bet(1, (0, "main", 1000))


# What else is remembered


def test_a_paused_table_stays_paused(open_hall: OpenHall) -> None:
    """Everyone who comes back sees why; then it goes on with a whole window."""
    hall = scene(open_hall, "freebet")
    come_to(hall, "freebet", "decisions")
    hall.pause("a card fell")
    hall.restart(1, 2, 3)
    assert (hall.view.paused, hall.view.phase, hall.live.phases.due) == ("a card fell", "decisions", None)
    hall.pass_time(100)
    with hall.refuses("table/paused"):
        hall.play(1, "stand")
    hall.resume()
    assert hall.left == 12
    hall.restart(1)
    hall.play(1, "stand")


@pytest.mark.parametrize("phase", ["insurance", "decisions"])
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_players_have_the_time_to_come_back(open_hall: OpenHall, game: str, phase: Phase) -> None:
    """Everyone lost the connection with the house: the window is a whole one."""
    hall = scene(open_hall, game)
    come_to(hall, game, phase)
    hall.restart()
    window = 8 if phase == "insurance" or game == "majority-us" else 12
    assert (hall.phase, hall.left) == (phase, window)
    hall.pass_time(5)
    hall.come(1)
    if phase == "insurance":
        hall.insure(1, False)
    elif game == "freebet":
        hall.play(1, "stand")
    else:
        hall.vote(1, "stand")
    hall.tick()
    if hall.phase == "decisions":
        assert hall.left == (12 if game == "freebet" else 8)


def test_votes_count_after_a_restart(open_hall: OpenHall) -> None:
    """Player 1 voted for a card on 19 before it, and nobody votes after it: 19 and 9 are too many."""
    hall = open_hall("majority-eu", "10 8 9 9").bring_in({1: (), 2: (), 3: ()}).consent(1, 2, 3)
    hall.until("betting")
    for player in (1, 2, 3):
        hall.bet(player, (0, "main", 1000))
    hall.until("decisions").vote(1, "hit")
    hall.restart(1, 2, 3)
    assert (hall.view.crowd.tally, hall.part(1).vote) == ((("hit", 1),), "hit")
    with hall.refuses("vote/final"):
        hall.vote(1, "stand")
    hall.tick()
    assert hall.heard(Acted) == [Acted(0, 0, "hit", tally=(("hit", 1),))]


def test_consent_and_closed_seats_are_kept_in_a_round(open_hall: OpenHall) -> None:
    """Player 2 follows the double of 5 3: 18 against 9 8. Seat 0 takes no bets behind in the next round either."""
    hall = open_hall("freebet", "5 9 3 8 10", players=3).bring_in({1: (0,), 2: (), 3: ()}).until("betting")
    hall.consent(2)
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (0, "behind", 400))
    hall.allow_behind(1, 0, False)
    assert hall.heard(BehindAllowed) == [BehindAllowed(0, False, next_round=True)]
    hall.restart(1, 2, 3)
    assert (hall.part(2).consent, hall.part(3).consent) == ((True, True), None)
    hall.until("decisions").play(1, "double")
    hall.until("payout")
    assert hall.money(2) == [BROUGHT + 800]
    hall.next("betting")
    with hall.refuses("bet/behind-forbidden"):
        hall.bet(3, (0, "behind", 400))


def test_seats_are_kept_and_names_come_with_their_players(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", players=2).bring_in({1: (0, 3), 2: (1,)}).until("betting")
    hall.restart()
    assert [(seat.spot, seat.player, seat.name) for seat in hall.view.seats] == [
        (0, "1", ""),
        (1, "2", ""),
        (3, "1", ""),
    ]
    hall.forget()
    hall.come(1)
    assert hall.heard(SeatTaken) == [SeatTaken(0, "1", "player 1"), SeatTaken(3, "1", "player 1")]
    hall.come(1)
    assert len(hall.heard(SeatTaken)) == 2
    assert [seat.name for seat in hall.view.seats] == ["player 1", "", "player 1"]


def test_who_had_left_is_not_counted_after_a_restart(open_hall: OpenHall) -> None:
    """Player 2 agreed to something, and left before the round was dealt."""
    hall = open_hall("majority-eu", players=2).bring_in({1: (), 2: ()}).until("betting")
    hall.consent(1, 2)
    hall.leave(2)
    hall.restart(1)
    assert hall.view.crowd.players == 1


def test_one_who_sat_down_is_in_the_round_after_a_crash_between_two_rows(open_hall: OpenHall) -> None:
    """The row of the sitting was stored, that of the joining was not."""
    hall = open_hall("majority-eu", players=2).bring_in({1: ()}).until("betting")
    hall.come(2)
    hall.crash(1, hall.live.sittings.sit, "2", BROUGHT)
    hall.come(1, 2).consent(2)
    assert hall.phase == "betting"
    hall.bet(2, (0, "main", 1000))


def test_the_place_in_the_shoe_is_kept(open_hall: OpenHall) -> None:
    """The second round goes on behind the four cards of the first: 20 against 17 wins, 18 against 19 loses."""
    hall = open_hall("freebet", "10 9 10 8 10 9 8 10", players=1).bring_in({1: (0,)})
    for money in (BROUGHT + 1000, BROUGHT):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
        assert hall.money(1) == [money]
        hall.restart(1)
    assert hall.view.shoe is not None
    assert hall.view.shoe.dealt == 8


def test_the_hole_card_is_turned_after_a_restart(open_hall: OpenHall) -> None:
    hall = scene(open_hall, "freebet")
    come_to(hall, "freebet", "decisions")
    assert hall.heard(HoleShown) == []
    hall.restart(1)
    hall.play(1, "stand")
    assert [(shown.total, shown.soft) for shown in hall.heard(HoleShown)] == [(18, True)]
