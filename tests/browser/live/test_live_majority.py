"""Majority Rules in real browsers: boxes, votes, automatic doubles, golden chips, and a crowd of two hundred.

EU style: a card to each staked box, the dealer's, a second card to each box; the dealer's second comes at the end. US
style: the dealer's second card is dealt face down with the others.
"""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from sabot.engine import Bet
from sabot.texts import Catalogue
from tests.browser.support.live_house import LONG
from tests.browser.support.live_room import OpenHall
from tests.browser.support.tasks import no_long_task
from tests.support.table import card_name

pytestmark = pytest.mark.slow  # a browser

#: The side bets of a box.
SIDES = ("21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky")


@pytest.mark.rule("MAJ-10", "MAJ-12", "PLT-46")
def test_votes_that_are_won_tied_and_silent(open_hall: OpenHall) -> None:
    """Three players on box 1. Ada agrees to everything, Bob and Cleo to nothing.

    12 under a 10: two of three take a card, a 9. Then one vote each for card and stand, and none from Cleo: Best
    Strategy takes an 8; on 20 nobody votes, and it stands. At last 11 under a 9: Ada and Bob double, who both pay for it;
    Cleo has the same card with the single stake.
    """
    hall = open_hall("10s 10h 2d 9c 7s " + "10s 10h 2d 8c 9s " + "6s 9h 5d Kc 8d", game="majority-eu")
    ada, bob, cleo = hall.player(phone=True), hall.player("en-GB"), hall.player()
    # Who only looks is asked nothing; before the first bet both answers look alike, and each says what it costs.
    expect(ada.at("consent")).to_have_count(0)
    ada.press("join")
    ada.sees("consent-yes", "altri 1,00 sono presi dal saldo")
    ada.sees("consent-no", "Dal saldo non è preso altro")
    ada.sees("question", "decide il voto; altrimenti la Migliore Strategia")
    for look in ("backgroundColor", "backgroundImage", "color", "borderColor", "fontWeight"):
        assert ada.look_of("consent-yes", look) == ada.look_of("consent-no", look)
    expect(ada.at("question")).to_be_focused()
    ada.press("consent-yes")
    for room, agrees in ((bob, False), (cleo, False)):
        room.sit("100", agrees=agrees)
    ada.add_up_to("100")
    hall.house.until("betting")
    expect(ada.at("mode-0")).to_have_text("Migliore Strategia")
    for room, count in ((ada, "1 giocatore"), (bob, "2 players")):
        room.stake(1000, "circle-0")
        expect(room.at("count-0")).to_contain_text(count)
    cleo.stake(1000, "circle-0")
    expect(ada.at("mode-0")).to_have_text("Voto di Maggioranza")
    expect(bob.at("mode-1")).to_have_text("Best Strategy")

    hall.house.end("betting")
    ada.sees("vote-note", "Postazione 1: 12")
    expect(ada.at("vote-split")).to_be_disabled()
    ada.press("vote-hit")
    expect(cleo.at("tally-hit")).to_have_text("1 voto")
    ada.sees("vote-note", "Hai votato prendi carta")
    ada.sees("hint", "La postazione 1 vota")  # what is over is no longer asked for (PLT-46)
    cleo.sees("hint", "Tocca a te")
    expect(ada.at("vote-stand")).to_be_disabled()
    bob.press("vote-stand")
    cleo.press("vote-hit")
    ada.sees("sum", "Hai vinto 10,00")
    cleo.heard("Postazione 1: prende carta, con 2 voti su 3.")
    bob.heard("Box 1: hits, with 2 votes of 3.")

    hall.house.end("payout")
    for room in (ada, bob, cleo):
        room.press("repeat")
    hall.house.when(lambda live: len(live.play.round.book.bets) == 3)  # type: ignore[union-attr]
    hall.house.end("betting")
    ada.press("vote-stand")
    bob.press("vote-hit")
    expect(cleo.at("tally-hit")).to_have_text("1 voto")
    hall.house.end("decisions")
    ada.sees("vote-note", "Postazione 1: 20")
    ada.heard("Postazione 1: voto in parità. La Migliore Strategia dice: prendi carta.")
    hall.house.end("decisions")
    ada.sees("sum", "Hai vinto 10,00")
    bob.heard("Box 1: no vote. Best Strategy says: stand.")

    hall.house.end("payout")
    for room in (ada, bob, cleo):
        room.press("repeat")
    hall.house.when(lambda live: len(live.play.round.book.bets) == 3)  # type: ignore[union-attr]
    hall.house.end("betting")
    ada.offered("vote-double", r"RADDOPPIA\s*\+10,00")
    ada.press("vote-double")
    bob.press("vote-double")
    ada.sees("sum", "Hai vinto 20,00")
    bob.sees("sum", "You won 20.00")
    cleo.sees("sum", "Hai vinto 10,00")
    cleo.shows("box-0", "sei di picche", "cinque di quadri", "re di fiori")
    # The answer can be changed later.
    cleo.press("menu", "consent-double")
    expect(cleo.at("consent-double")).to_be_checked()
    expect(cleo.at("consent-split")).not_to_be_checked()
    hall.check()


@pytest.mark.rule("MAJ-60")
def test_a_timer_bounds_betting_and_ripunta_bets_again(open_hall: OpenHall) -> None:
    """Chips on both boxes and two side bets; 20 and 20 against 19. RIPUNTA places all of them again."""
    hall = open_hall("10s Kh 9d 10h Qd Ks " + "10s Kh 9d 10h Qd Ks", game="majority-us")
    room = hall.player()
    room.sit("100", agrees=True)
    hall.house.until("betting")
    expect(room.at("repeat")).to_have_text(re.compile("RIPUNTA"))
    expect(room.at("repeat")).to_be_disabled()
    room.stake(1000, "circle-0", "circle-1")
    room.stake(200, "side-0-21+3", "side-1-buster")
    room.sees("staked", "24,00")
    expect(room.page.get_by_role("timer").first).to_have_attribute(
        "aria-label", re.compile(r"Tempo rimasto: \d+ second")
    )
    hall.house.end("betting")
    room.heard("Niente più puntate")
    room.sees("sum", "Hai vinto")
    before = hall.house.live.play.paid[str(room.number)].paid
    hall.house.end("payout")
    hall.house.until("betting")
    room.press("repeat")
    room.sees("staked", "24,00")
    bets = hall.house.live.play.bets_of(str(room.number))
    assert sorted((bet.spot, bet.kind, bet.stake) for bet in bets) == [
        (0, "21+3", 200),
        (0, "main", 1000),
        (1, "buster", 200),
        (1, "main", 1000),
    ]
    room.sees("balance", f"{(10_000 - 2 * 2_400 + before) // 100},00")
    hall.check()


@pytest.mark.rule("MAJ-50", "MAJ-56")
def test_golden_chips_side_bets_and_one_insurance(open_hall: OpenHall) -> None:
    """US style. Box 1 has 10.00 and six side bets of 1.00, box 2 a golden 5.00; both have 19 under an ace.

    One answer insures the 10.00 for 5.00; the gold cannot be. The dealer has no blackjack but 19: both push, and the golden
    chip is back. 10, 9 and ace make 20: Lucky Lucky pays 2:1.
    """
    hall = open_hall("10s 9h Ad 9c 10c 8d", game="majority-us", options={"golden": {"blind": False}})
    room = hall.player()
    hall.house.grant(room.number, 500, 1)
    hall.house.grant(room.number, 1000, 2)
    room.sit("100", agrees=True)
    hall.house.until("betting")
    expect(room.at("dealing")).to_have_text("US")
    expect(room.at("golden-1000")).to_have_attribute("aria-label", "Fiche Dorata da 10,00: 2")
    room.press("golden-info")
    expect(room.at("golden-note")).to_contain_text("in parità la fiche torna")
    # What is voted for is paid with gold here, what is agreed to in advance is not: Best Strategy too.
    expect(room.at("golden-note")).to_contain_text(
        "Pagano anche il raddoppio o la divisione di una puntata dorata"
    )
    expect(room.at("golden-note")).to_contain_text(
        "compresi quelli della Migliore Strategia, si pagano in denaro"
    )
    room.press("close")
    room.stake(1000, "circle-0")
    room.stake(100, *(f"side-0-{name}" for name in SIDES))
    room.press("golden-500", "circle-1")
    expect(room.at("circle-1")).to_have_accessible_name(re.compile("5,00, FICHE DORATE"))
    expect(room.at("golden-500")).to_be_disabled()
    room.press("circle-1")
    room.sees("failure", "Non hai 2 Fiche Dorate")
    room.sees("staked", "16,00")
    hall.house.when(lambda live: live.spots.count().boxes[1].players == 1)
    hall.house.end("betting")

    room.sees("insurance-note", "Una risposta per le tue postazioni: 5,00")
    room.press("accept")
    expect(room.at("box-0").get_by_test_id("insured")).to_be_visible()
    expect(room.at("box-1").get_by_test_id("insured")).to_have_count(0)
    expect(room.at("side-0-lucky-lucky")).to_have_class(re.compile("won"))
    room.sees("sum", "Hai perso 8,00")
    room.sees("gc", "GC")
    room.sees("balance", "92,00")
    room.heard("Postazione 1: gioca la Migliore Strategia.")
    hall.house.end("payout")
    expect(room.at("golden-500")).to_be_enabled()
    room.press("repeat")  # in ordinary chips
    room.sees("staked", "21,00")
    hall.check()


def test_two_hundred_players_and_the_page_stays_smooth(open_hall: OpenHall, browser: Browser) -> None:
    """With motion, at the dealer's pace: no task of the page is long while two hundred bet, see and vote.

    What the page shows is what the record says.
    """
    hall = open_hall("10s 9h 10h 2d 8c 9c 7s", game="majority-eu", timers=replace(LONG, pace=0.1))
    players = hall.house.crowd(200)
    room = hall.page(reduced_motion="no-preference")
    room.enter()
    room.sit("100", agrees=True)
    hall.house.until("betting")
    room.stake(1000, "circle-0")
    with no_long_task(browser, room.page):
        hall.house.everyone_bets(players, Bet(0, "main", 1000), Bet(1, "main", 500))
        expect(room.at("count-0")).to_contain_text("101 giocatori")
        expect(room.at("crowd")).to_have_text("1 + 200 bot al tavolo")
        hall.house.end("betting")
        expect(room.at("vote")).to_be_visible()
        on_box_1, on_box_2 = players[::2], players[1::2]
        hall.house.everyone_votes(on_box_1[:40], "hit", "hit", "stand")
        expect(room.at("tally-hit")).to_have_text("27 voti")
        expect(room.at("tally-stand")).to_have_text("13 voti")
        room.press("vote-hit")
        room.sees("vote-note", "Hai votato prendi carta")
        hall.house.everyone_votes(on_box_1[40:], "hit")
        hall.house.when(lambda live: live.play.round.turn == (1, 0))  # type: ignore[union-attr]
        hall.house.everyone_votes(on_box_2, "stand")
        room.sees("sum", "Hai vinto 10,00")

    code = hall.house.live.play.code
    record = json.loads(room.page.evaluate(f"fetch('/api/v1/history/{code}').then((reply) => reply.text())"))
    told = [event for moment in record["moments"] for event in moment["events"]]
    cards = [event for event in told if event["type"] == "card-dealt"]
    italian = Catalogue("it")
    for place, spot in (("box-0", 0), ("box-1", 1), ("dealer", -1)):
        room.shows(place, *(card_name(italian, card["card"]) for card in cards if card["spot"] == spot))
    assert (record["line"]["staked"], record["line"]["paid"]) == (1000, 2000)
    hall.check()
