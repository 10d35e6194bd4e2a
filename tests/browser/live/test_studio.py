"""A table where a person deals: the presenter's console and the pages of those who play there (STU)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.support.guest import PASSWORD
from tests.browser.support.live_house import code_of
from tests.browser.support.live_room import OpenHall
from tests.browser.support.room import small
from tests.browser.support.studio import CONSOLE, at_console

pytestmark = pytest.mark.slow  # a browser

#: Whether the page is as wide as the window, however many cards lie.
MANY_CARDS = """() => {
  const cards = document.querySelector("[data-testid=cards]");
  for (let more = 0; more < 12; more++) cards.append(cards.lastElementChild.cloneNode(true));
  return document.documentElement.scrollWidth <= innerWidth;
}"""
TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}


@pytest.mark.rule(
    "STU-01", "STU-03", "STU-04", "STU-06", "STU-08", "STU-09", "STU-10", "STU-27", "STU-30", "PLT-33"
)
def test_two_rounds_of_free_bet_dealt_by_hand(open_hall: OpenHall) -> None:
    """Ada has 19, Bob 10 6 and a 5: 21; the dealer 7 and a 10 that lay face down: both win.

    On the way a card is taken back, one is late, the face-down card cannot be typed, and another one than it is turned.
    The cut card comes in the second round: Ada has blackjack, Bob 20 against 19, and the shoe is to be changed.
    """
    hall = open_hall(dealing="studio")
    house = hall.house
    ada, bob = hall.player(), hall.player("en-GB", phone=True)
    ada.sit("100", 0)
    bob.sit("100", 1)
    expect(ada.at("presenter-name")).to_have_text(re.compile("nessun presentatore"))
    eva = at_console(hall, "eva", "presenter")
    eva.open("/office/floor")
    eva.press("console-one")
    eva.step("Inizia il turno")
    expect(eva.at("reader")).to_have_count(0)
    eva.press("shift")
    eva.step("Cambia il sabot")
    ada.sees("presenter-name", "eva")
    eva.at("shoe-label").fill("A-17")
    eva.press("change-shoe")
    eva.press("open-betting")
    eva.step("Aspetta le puntate")
    expect(eva.at("time-left")).to_contain_text(re.compile(r"\d{3}"))
    eva.page.context.set_offline(True)
    expect(eva.at("time-left")).to_have_count(0)
    eva.page.context.set_offline(False)
    expect(eva.at("time-left")).to_be_visible()
    assert eva.axe() == []
    ada.stake(1000, "circle-0")
    bob.stake(1000, "circle")
    house.end("betting")

    # Whose card is due; a card is taken back, and everyone is told.
    eva.step("Carta: Posto 1")
    expect(ada.at("seat-0").get_by_test_id("due")).to_be_visible()
    ada.sees("hint", "Carta in arrivo: Posto 1")
    bob.sees("hint", "Next card: Seat 1")
    eva.scan("10s")
    eva.key_in("10h", "9h")
    ada.shows("dealer", "nove di cuori")
    eva.press("take-back", "take-back-misread")
    expect(bob.at("corrected")).to_contain_text("A card was read wrongly and has been corrected.")
    ada.heard("Una carta era stata letta male: è corretta.")
    expect(ada.at("dealer").get_by_role("img")).to_have_count(0)
    ada.press("notice-close")
    expect(ada.at("corrected")).to_have_count(0)
    bob.press("notice-close")
    expect(eva.at("reports")).to_contain_text("Una carta è stata ritirata o corretta")
    eva.step("Carta: Banco")
    eva.scan("7s", "9s", "6d")

    # The face-down card is late; it cannot be typed, and its code is nowhere on the page.
    eva.step("Carta coperta al banco")
    house.make_late()
    ada.sees("late", "Si attende il banco")
    ada.heard("Si attende il banco. Arriva la carta coperta del banco")
    bob.sees("hint", "Waiting for the dealer")
    expect(eva.at("reports")).to_contain_text("La carta è in ritardo")
    eva.type_card("10d")
    expect(eva.at("failure")).to_have_text(re.compile("carta coperta"))
    eva.page.keyboard.type(code_of("10d"))
    assert code_of("10d") not in eva.page.content() + str(eva.at("reader").input_value())
    eva.page.keyboard.press("Enter")
    ada.sees("hint", "Tocca a te")
    expect(ada.at("late")).to_have_count(0)
    expect(eva.at("cards").get_by_role("img").first).to_have_attribute("aria-label", "carta coperta")
    ada.press("no-commitment")
    expect(ada.at("dialog")).to_contain_text("Il sabot è senza impegno")
    promised = ada.at("hole-commitment").inner_text()
    ada.sees("hole-check", "È ancora coperta")
    ada.press("close")

    # Decisions; a card of the picker.
    eva.step("Decide: Posto 1")
    ada.press("stand")
    bob.press("hit")
    eva.step("Carta: Posto 2")
    eva.press("picker-toggle")
    eva.pick("5c")

    # Another card than the face-down one is turned: the table pauses, the supervisor looks at it.
    eva.step("Gira la carta coperta")
    eva.type_card(code_of("10c"))
    expect(eva.at("failure")).to_have_text(re.compile("non è quella"))
    eva.step("Tavolo in pausa")
    expect(ada.at("paused")).to_be_visible()
    ada.heard("Un momento di pazienza")
    sara = at_console(hall, "sara", "supervisor")
    assert sara.axe() == []
    sara.at("reason").fill("un'altra carta")
    sara.press("resume")
    expect(ada.at("paused")).to_have_count(0)
    eva.scan("10d")
    eva.press("pay")
    ada.sees("sum", "Hai vinto 10,00")
    bob.sees("sum", "You won 10.00")
    ada.press("proof")
    assert ada.at("hole-commitment").inner_text() == promised
    ada.sees("hole-check", "Verificato")
    ada.sees("hole-card", "dieci di quadri")
    ada.press("close")

    # The console locks, and nothing goes out from it; the password opens it.
    expect(ada.at("crowd")).to_contain_text("2")
    eva.press("end-shift")
    eva.at("end-shift-password").fill("half a pass")
    eva.press("lock")
    eva.step("Console bloccata")
    expect(eva.at("unlock-password")).to_have_value("")
    expect(eva.at("talk-locked")).to_be_visible()
    for testid in ("reader", "talk-send", "call-supervisor", "end-shift", "pay"):
        expect(eva.at(testid)).to_have_count(0)
    eva.at("unlock-password").fill(PASSWORD)
    eva.press("unlock")
    eva.step("Pagato")
    expect(eva.at("end-shift")).to_have_attribute("aria-expanded", "false")
    eva.press("end-shift")  # open when another takes the shift over

    house.end("payout")
    eva.press("open-betting")
    for room in (ada, bob):
        room.press("repeat")
    house.end("betting")
    eva.step("Carta: Posto 1")
    eva.scan("As", "10h", "9h", "Ks")
    eva.type_card(code_of("cut"))
    expect(eva.at("shoe-dealt")).to_contain_text("carta di taglio uscita")
    eva.scan("Qd", "10c")
    bob.press("stand")
    eva.scan("10c")
    eva.press("pay")
    ada.sees("sum", "Hai vinto 15,00")
    house.end("payout")
    eva.step("Cambia il sabot")
    expect(ada.at("shuffling")).to_contain_text("mescolate a mano")

    # Another presenter takes over, which the first one is told, and ends the shift with the password.
    mia = at_console(hall, "mia", "presenter", "en-GB")
    mia.press("shift")
    expect(eva.at("end-shift-password")).to_have_count(0)
    expect(eva.at("replaced")).to_have_text(re.compile(r"mia ha preso il tuo turno alle \d\d:\d\d:\d\d\."))
    expect(mia.at("reports")).to_contain_text(
        re.compile(r"\d\d:\d\d:\d\d Another presenter took the shift · mia")
    )
    assert eva.axe() == []
    mia.press("end-shift")
    assert mia.axe() == []
    mia.page.keyboard.type("not this one")  # into the field, and not as a card
    expect(mia.at("end-shift-password")).to_have_value("not this one")
    mia.press("end-shift-sure")
    expect(mia.at("failure")).to_be_visible()
    ada.sees("presenter-name", "mia")
    mia.at("end-shift-password").fill(PASSWORD)
    mia.press("end-shift-sure")
    mia.step("Begin the shift")
    expect(ada.at("presenter-name")).to_have_text(re.compile("nessun presentatore"))

    # The record says that there was no commitment, and has the card that lay face down.
    bob.page.goto(f"{house.url}/history")
    bob.at("round").first.click()
    bob.sees("check-note", "there was no commitment to the shuffle")
    bob.press("check")
    bob.sees("verdict", "no shuffle was committed to")
    bob.sees("holes", "ten of clubs")
    bob.page.goto(f"{house.url}/fairness")
    expect(bob.page.get_by_text("Where a person deals real cards there is no commitment")).to_be_visible()
    for room in (hall.rooms[2], hall.rooms[-1]):  # the browser writes refused requests down
        room.complaints.clear()
    hall.check()


@pytest.mark.rule("STU-01", "STU-03", "STU-08", "STU-09", "PLT-33", "PLT-60")
def test_majority_on_a_tablet_with_a_correction_and_by_every_role(open_hall: OpenHall) -> None:
    """Best Strategy stands on 20 against 9; the dealer's 9 and 8 lose. A jack was read as a ten: the supervisor corrects it.

    An auditor reads the console, a player does not see it.
    """
    hall = open_hall(game="majority-eu", dealing="studio")
    eva = at_console(hall, "eva", "presenter", "en-GB", **TABLET)
    eva.press("shift")
    eva.at("shoe-label").fill("B")
    eva.press("change-shoe")
    ada = hall.player("en-GB")
    ada.sit("100", agrees=True)
    eva.press("open-betting")
    ada.stake(1000, "circle-0")
    hall.house.end("betting")
    eva.step("Card: Box 1")
    if not eva.at("picker").count():
        eva.press("picker-toggle")
    assert small(eva.page) == []
    assert eva.axe() == []
    eva.pick("10s", "9h", "Kd")
    eva.step("Card: Dealer")
    ada.press("chat-open")
    ada.at("chat-text").fill("Hello Eva")
    ada.type("Enter")
    expect(eva.at("talk")).to_contain_text("Hello Eva")
    eva.at("talk-text").fill("Good evening")
    eva.press("talk-send")
    expect(ada.at("chat-lines")).to_contain_text("Good evening")
    ada.press("chat-close")

    eva.press("call-supervisor")
    eva.step("Table paused")
    expect(eva.at("reports")).to_contain_text("The supervisor was called")
    expect(ada.at("paused")).to_be_visible()
    anna = at_console(hall, "anna", "auditor", "en-GB")
    expect(anna.at("read-only")).to_be_visible()
    expect(anna.page.locator("main :is(button, input):not([inert] *)")).to_have_count(0)
    sara = at_console(hall, "sara", "supervisor", "en-GB", viewport={"width": 390, "height": 844})
    assert sara.page.evaluate(MANY_CARDS)
    sara.at("reason").fill("a jack lies there")
    sara.at("correct-row").select_option(index=0)
    sara.at("correct-card").fill("Js")
    sara.press("correct")
    ada.heard("A card was read wrongly: it is corrected.")
    ada.shows("box-0", "jack of spades", "king of diamonds")
    sara.at("reason").fill("all right")
    sara.press("resume")
    eva.step("Card: Dealer")
    eva.pick("8c")
    eva.press("pay")
    ada.sees("sum", "You won 10.00")
    ada.page.goto(hall.house.url + CONSOLE)
    expect(ada.page.get_by_text("This page is for those who work here.")).to_be_visible()
    expect(ada.at("step")).to_have_count(0)
    hall.check()
