"""A live table that a person deals at: it waits for cards, keeps secrets, and is read back at every row (STU)."""

from __future__ import annotations

from hashlib import sha256

import pytest
from msgspec.structs import replace

from sabot.cards import format_card, parse_card
from sabot.engine.events import DueCard
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.tables.live.events import CardCorrected, DealerAwaited, HoleOpened, HoleSealed
from sabot.tables.live.studio import Studio, StudioPerson
from sabot.tables.live.view import LiveView, StudioView, fold_live
from tests.support.ledger import rows
from tests.support.live_hall import Hall, OpenHall
from tests.support.table import cards_of

EVA, BOSS = StudioPerson(8, "Eva"), StudioPerson(9, "Boss", supervisor=True)
SHOE = "shoe-1"


def studio_of(hall: Hall) -> Studio:
    assert hall.live.studio is not None
    return hall.live.studio


def scan(hall: Hall, cards: str) -> None:
    """The reading shoe reads cards, one after the other."""
    for card in cards_of(cards):
        number = studio_of(hall).console().scan + 1
        hall.do(lambda card=card, number=number: studio_of(hall).scan(SHOE, number, card))  # type: ignore[misc]


def due(hall: Hall) -> DueCard | None:
    return hall.round.play.due


@pytest.fixture
def hall(open_hall: OpenHall) -> Hall:
    """Player 1 at seat 1 of a studio table, betting open, a bet of 10.00."""
    hall: Hall = open_hall("freebet", dealing="studio")
    hall.bring_in({1: (0,)})
    hall.do(lambda: studio_of(hall).shift.change(EVA))
    hall.do(lambda: studio_of(hall).shoes.change(EVA, "A"))
    hall.do(lambda: studio_of(hall).open_betting(EVA))
    hall.bet(1, (0, "main", 1_000))
    return hall


@pytest.mark.rule("STU-01", "STU-02")
def test_a_round_waits_for_each_card_and_pays_what_the_rules_say(hall: Hall) -> None:
    """19 against 7 and 10: the player has 10.00 more; windows begin when the cards lie."""
    hall.until("dealing")
    assert (hall.view.until, due(hall)) == (None, DueCard("card", 0))
    scan(hall, "10s 7s 9s 10h")
    assert (hall.phase, hall.left) == ("decisions", 12)
    hall.play(1, "stand")
    assert (hall.phase, hall.view.until, due(hall)) == ("dealer", None, DueCard("turn"))
    scan(hall, "10h")
    assert due(hall) == DueCard("pay")
    hall.do(lambda: studio_of(hall).pay(EVA))
    assert (hall.phase, hall.money(1)) == ("payout", [11_000])
    hall.pass_time(60)
    assert (hall.phase, studio_of(hall).console().step) == ("payout", "open")


@pytest.mark.rule("STU-10")
def test_a_late_card_is_told_and_ends_no_phase(hall: Hall) -> None:
    hall.until("dealing")
    hall.pass_time(9)
    assert hall.heard(DealerAwaited) == []
    hall.pass_time(2)
    assert hall.heard(DealerAwaited) == [DealerAwaited(True)]
    hall.pass_time(300)
    assert (hall.phase, due(hall), hall.view.studio and hall.view.studio.late) == (
        "dealing",
        DueCard("card", 0),
        True,
    )
    hall.do(lambda: studio_of(hall).shift.unlock(EVA))
    scan(hall, "10s")
    assert hall.heard(DealerAwaited)[-1] == DealerAwaited(False)


@pytest.mark.rule("STU-01", "FRB-25")
def test_a_seat_that_awaits_the_card_of_its_first_decision_decides_nothing_in_advance(hall: Hall) -> None:
    """The first decision is made; the next one waits for the card."""
    hall.until("dealing")
    scan(hall, "5s 7s 6s 10h")
    hall.play(1, "hit")
    assert due(hall) == DueCard("card", 0)
    assert hall.part(1).ahead == {}
    with pytest.raises(Refusal, match="dealing"):
        hall.seats.decisions.pre_decide("1", hall.live.play.code, 0, "stand")
    assert hall.part(1).wishes == {}


@pytest.mark.rule("STU-01", "FRB-25")
def test_a_seat_whose_blackjack_ends_its_hand_is_shown_that_nothing_is_left_to_decide(hall: Hall) -> None:
    """The hand ends when the card that lies face down is dealt, and the dealer's turn comes at once."""
    hall.until("dealing")
    scan(hall, "10s 7s As")
    assert set(hall.part(1).ahead) == {0}
    hall.touched.clear()
    scan(hall, "10h")
    assert (due(hall), hall.part(1).ahead, hall.touched) == (DueCard("turn"), {}, [1])


@pytest.mark.rule("STU-05")
def test_repeats_get_their_answer_and_gaps_and_other_devices_are_refused(hall: Hall) -> None:
    hall.until("dealing")
    scan(hall, "10s")
    hall.do(lambda: studio_of(hall).scan(SHOE, 1, parse_card("10s")))  # again: nothing is dealt
    assert due(hall) == DueCard("card", -1)
    for device, number, card, code in (
        (SHOE, 1, "9s", "scan/reused"),
        (SHOE, 3, "9s", "scan/gap"),
        ("console", 1, "9s", "scan/other-device"),
    ):
        with hall.refuses(code):
            hall.do(lambda d=device, n=number, c=card: studio_of(hall).scan(d, n, parse_card(c)))  # type: ignore[misc]
    assert hall.logged("scan-refused") == 3
    hall.restart(1)
    hall.do(lambda: studio_of(hall).scan(SHOE, 1, parse_card("10s")))
    assert due(hall) == DueCard("card", -1)


@pytest.mark.rule("STU-05")
@pytest.mark.parametrize("restarts", [False, True])
def test_the_last_reading_of_a_round_gets_its_answer_in_the_next_round(hall: Hall, restarts: bool) -> None:
    """Its answer was lost on the way; meanwhile betting was opened, and the house may have been started anew."""
    hall.until("dealing")
    scan(hall, "10s 7s 9s 10h")
    hall.play(1, "stand")
    scan(hall, "10h")
    hall.do(lambda: studio_of(hall).pay(EVA))
    with hall.refuses("card/not-due"):
        hall.do(lambda: studio_of(hall).scan(SHOE, 6, parse_card("2c")))
    for _ in range(2):
        hall.until("payout")
        hall.pass_time(5)
        hall.do(lambda: studio_of(hall).open_betting(EVA))
        if restarts:
            hall.restart(1)
        hall.do(lambda: studio_of(hall).scan(SHOE, 5, parse_card("10h")))
        with hall.refuses("card/not-due"):  # as it was the first time
            hall.do(lambda: studio_of(hall).scan(SHOE, 6, parse_card("2c")))
        assert (studio_of(hall).last_scan(SHOE), hall.round.tape.cards) == (6, [])
        hall.bet(1, (0, "main", 1_000))
        hall.until("dealing")
        hall.void()


@pytest.mark.rule("STU-05")
@pytest.mark.parametrize("restarts", [False, True])
def test_a_device_counts_anew_from_the_number_that_the_presenter_says(hall: Hall, restarts: bool) -> None:
    """What it read under the same numbers before is forgotten, also by a table that is read back."""
    hall.until("dealing")
    scan(hall, "10s 7s")
    hall.do(lambda: studio_of(hall).take_device(SHOE, EVA, 0))
    if restarts:
        hall.restart(1)
    assert studio_of(hall).last_scan(SHOE) == 0
    scan(hall, "9s")
    assert (studio_of(hall).last_scan(SHOE), due(hall)) == (1, DueCard("hole", -1))
    scan(hall, "10h")
    assert [format_card(card) for card in hall.round.tape.cards] == ["10s", "7s", "9s", "10h"]


@pytest.mark.rule("STU-05")
def test_a_reading_that_is_refused_takes_no_table(hall: Hall) -> None:
    """A device that reads a card nobody waits for is not the one whose readings are taken from then on."""
    with hall.refuses("card/not-due"):
        hall.do(lambda: studio_of(hall).scan("shoe-2", 1, parse_card("7c")))
    assert studio_of(hall).console().device == ""
    hall.until("dealing")
    scan(hall, "10s")
    assert (studio_of(hall).console().device, due(hall)) == (SHOE, DueCard("card", -1))
    hall.restart(1)
    assert (studio_of(hall).console().device, studio_of(hall).last_scan(SHOE)) == (SHOE, 1)


@pytest.mark.rule("STU-06")
def test_the_hole_card_is_in_no_row_before_it_is_turned(hall: Hall) -> None:
    """Not as a card, and not as a digest that the 52 cards could be tried against; the commitment opens later."""
    hall.until("dealing")
    scan(hall, "10s 7s 9s 10h")
    (sealed,) = hall.heard(HoleSealed)
    down = parse_card("10h")
    bodies = [bytes(body) for (body,) in rows(hall.database, "SELECT body FROM log WHERE kind = 'card'")]  # type: ignore[call-overload]
    assert b'"command"' not in bodies[-1]
    for tried in (str(down).encode(), bytes((down,)), f"shoe-1/4={down}".encode()):
        assert sha256(tried).hexdigest().encode() not in bodies[-1]
    assert studio_of(hall).console().gone[down] == 0
    hall.restart(1)  # the vault knows it
    assert hall.round.play.hole == down
    hall.play(1, "stand")
    with pytest.raises(Refusal, match="not the one"):
        scan(hall, "10d")
    assert hall.view.paused
    hall.resume()
    scan(hall, "10h")
    (opened,) = hall.heard(HoleOpened)
    assert sha256(bytes.fromhex(opened.salt) + bytes((down,))).hexdigest() == sealed.commitment


@pytest.mark.rule("STU-08")
def test_the_last_card_is_taken_back_and_decisions_on_it_are_stale(hall: Hall) -> None:
    hall.until("dealing")
    scan(hall, "10s 7s 5s 10h")
    hall.play(1, "hit")
    scan(hall, "2s")
    turn = hall.live.play.turn
    hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
    assert hall.heard(CardCorrected)[-1].view.due == DueCard("card", 0)
    assert hall.live.play.turn > turn
    hall.restart(1)
    assert (due(hall), hall.live.play.turn > turn) == (DueCard("card", 0), True)
    scan(hall, "3s")
    assert hall.round.play.spots[0][0].total == 18
    hall.play(1, "stand")
    with hall.refuses("card/acted-on"):
        hall.do(lambda: studio_of(hall).take_back(EVA, "too late"))


@pytest.mark.rule("STU-06", "STU-08")
def test_a_turned_hole_card_that_is_taken_back_or_corrected_is_shown_as_it_lies(hall: Hall) -> None:
    """Taken back, the card is sealed again; corrected, its new commitment comes with what opens it."""
    hall.until("dealing")
    scan(hall, "10s 7s 9s 10h")
    hall.play(1, "stand")
    scan(hall, "10h")
    (first,) = hall.heard(HoleSealed)
    shown = hall.view
    hall.forget()
    hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
    assert hall.heard(HoleSealed) == [first]
    assert folded(hall, shown) == StudioView("Eva", False, first.commitment, "") == hall.view.studio
    scan(hall, "10h")
    hall.pause()
    row, shown = studio_of(hall).console().cards[3].row, hall.view
    hall.forget()
    hall.do(lambda: studio_of(hall).correct(BOSS, row, parse_card("9h"), "misread"))
    (sealed,), (opened,) = hall.heard(HoleSealed), hall.heard(HoleOpened)
    assert opened.card == parse_card("9h")
    assert sha256(bytes.fromhex(opened.salt) + bytes((opened.card,))).hexdigest() == sealed.commitment
    assert folded(hall, shown) == hall.view.studio


def folded(hall: Hall, view: LiveView) -> StudioView | None:
    """The studio as a page has it that was shown `view` and then told everything since."""
    for event in hall.told:
        view = fold_live(view, event, None)
    return view.studio


@pytest.mark.rule("STU-08")
def test_money_that_a_player_brings_is_no_answer_to_a_card(hall: Hall) -> None:
    """Player 1 has bet 10.00 of 100.00, and brings 50.00 more before the card is taken back."""
    hall.until("dealing")
    scan(hall, "10s 7s 5s")
    hall.add(1, 5_000)
    hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
    assert (due(hall), hall.money(1)) == (DueCard("card", 0), [14_000])
    hall.restart(1)
    assert (due(hall), hall.money(1)) == (DueCard("card", 0), [14_000])
    scan(hall, "9s 10h")
    hall.play(1, "stand")
    scan(hall, "10h")
    hall.do(lambda: studio_of(hall).pay(EVA))
    assert hall.money(1) == [16_000]


@pytest.mark.rule("STU-07", "COM-12")
def test_a_shoe_that_must_still_have_cards_is_not_empty(hall: Hall) -> None:
    """Of 416 cards one was dealt: the table is paused, and only the supervisor voids the round."""
    hall.until("dealing")
    scan(hall, "10s")
    hall.do(lambda: studio_of(hall).shoe_empty(EVA))
    assert (hall.view.paused, hall.ends, studio_of(hall).console().cut_seen) == (
        "malfunction",
        ["open"],
        True,
    )
    assert studio_of(hall).console().reports[-1].about == {"counted": 0, "dealt": 1}
    hall.resume()
    scan(hall, "7s 9s 10h")
    hall.play(1, "stand")
    with hall.refuses("card/not-due"):  # the hole card is turned, and the round is paid, without another card
        hall.do(lambda: studio_of(hall).shoe_empty(EVA))
    scan(hall, "10h")
    with hall.refuses("card/not-due"):
        hall.do(lambda: studio_of(hall).shoe_empty(EVA))


@pytest.mark.rule("STU-07", "COM-12")
def test_a_shoe_without_a_card_for_the_one_that_is_due_voids_the_round(open_hall: OpenHall) -> None:
    """412 of 416 cards were dealt before; the deal takes the last four, and there is none for a hit."""
    hall: Hall = open_hall("freebet", dealing="studio")
    hall.bring_in({1: (0,)})
    hall.do(lambda: studio_of(hall).shift.change(EVA))
    hall.do(lambda: studio_of(hall).shoes.change(EVA, "A"))
    dealing = hall.live.table.by_hand
    assert dealing is not None
    dealing.state = replace(dealing.state, shoe=replace(dealing.shoe, unseen=412))
    hall.do(lambda: studio_of(hall).open_betting(EVA))
    hall.bet(1, (0, "main", 1_000))
    hall.until("dealing")
    scan(hall, "10s 7s 5s 10h")
    hall.play(1, "hit")
    hall.do(lambda: studio_of(hall).shoe_empty(EVA))
    assert (hall.phase, hall.ends, hall.money(1), hall.view.paused) == ("payout", ["voided"], [10_000], "")
    assert studio_of(hall).console().step != "open"  # another shoe is needed


@pytest.mark.rule("STU-08")
def test_a_supervisor_corrects_a_card_in_a_pause(hall: Hall) -> None:
    hall.until("dealing")
    scan(hall, "10s 7s 5s 10h")
    hall.play(1, "hit")
    scan(hall, "2s")
    row = studio_of(hall).console().cards[-1].row
    with hall.refuses("card/supervisor"):
        hall.do(lambda: studio_of(hall).correct(BOSS, row, parse_card("3s"), "misread"))
    hall.pause()
    hall.do(lambda: studio_of(hall).correct(BOSS, row, parse_card("3s"), "misread"))
    hall.resume()
    hall.restart(1)
    assert (hall.phase, hall.round.play.spots[0][0].total) == ("decisions", 18)


@pytest.mark.rule("STU-08")
@pytest.mark.parametrize("restarts", [False, True])
def test_the_card_that_ended_the_dealers_hand_is_taken_back(hall: Hall, restarts: bool) -> None:
    """The lobby shows the dealer's 17, and no longer once its card is taken back; the house may be started anew."""
    hall.until("dealing")
    scan(hall, "10s 7s 9s 10h")
    hall.play(1, "stand")
    for _ in range(2):
        scan(hall, "10h")
        if restarts:
            hall.restart(1)
        assert [hand.total for hand in hall.live.play.dealer_hands] == [17]
        hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
        assert (due(hall), list(hall.live.play.dealer_hands)) == (DueCard("turn"), [])


@pytest.mark.rule("STU-02", "PLT-34")
def test_a_round_at_boxes_is_read_back_at_every_card(open_hall: OpenHall) -> None:
    hall: Hall = open_hall("majority-us", dealing="studio")
    hall.bring_in({1: ()})
    hall.do(lambda: studio_of(hall).shift.change(EVA))
    hall.do(lambda: studio_of(hall).shoes.change(EVA, "A"))
    hall.consent(1)
    hall.do(lambda: studio_of(hall).open_betting(EVA))
    hall.bet(1, (0, "main", 1_000))
    hall.until("dealing")
    for card in ("10s", "7s", "9s", "10h"):
        scan(hall, card)
        hall.restart(1)
    hall.until("dealer")
    hall.restart(1)
    assert due(hall) == DueCard("turn")
    scan(hall, "10h")
    hall.restart(1)
    hall.do(lambda: studio_of(hall).pay(EVA))
    assert (hall.phase, hall.ends, hall.money(1)) == ("payout", ["settled"], [11_000])


@pytest.mark.rule("STU-08", "COM-12")
@pytest.mark.parametrize("gone", ["before it is taken back", "in a pause"])
def test_no_card_is_awaited_at_a_table_that_everyone_has_left(open_hall: OpenHall, gone: str) -> None:
    """The burnt card is taken back, and nobody is there for whom another one would be burnt: the empty round ends."""
    hall: Hall = open_hall("majority-us", dealing="studio", options=TableOptions(burn=True))
    hall.bring_in({1: ()})
    hall.do(lambda: studio_of(hall).shift.change(EVA))
    hall.do(lambda: studio_of(hall).shoes.change(EVA, "A"))
    hall.do(lambda: studio_of(hall).open_betting(EVA))
    scan(hall, "10s")
    if gone == "in a pause":
        hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
        assert (due(hall), hall.ends) == (DueCard("burn"), ["open"])
        hall.pause()
        hall.leave(1)
        assert hall.ends == ["open"]
        hall.resume()
    else:
        hall.leave(1)
        hall.do(lambda: studio_of(hall).take_back(EVA, "misread"))
    assert (hall.phase, hall.live.phases.due, hall.ends) == ("idle", None, ["voided"])


@pytest.mark.rule("STU-01", "PLT-33")
def test_a_table_that_waits_for_its_presenter_waits_on_after_a_pause(hall: Hall) -> None:
    """A player who is away for a while does not keep the presenter from opening betting; one who leaves ends the wait."""
    hall.sit(2, 1)
    hall.until("dealing")
    scan(hall, "10s 7s 9s 10h")
    hall.play(1, "stand")
    scan(hall, "10h")
    hall.do(lambda: studio_of(hall).pay(EVA))
    hall.pass_time(60)
    hall.go(2)
    hall.pause()
    hall.resume()
    assert (hall.phase, hall.view.until, studio_of(hall).console().step) == ("payout", None, "open")
    hall.pause()
    hall.leave(1)
    hall.leave(2)
    hall.resume()
    assert (hall.phase, hall.view.until) == ("idle", None)
