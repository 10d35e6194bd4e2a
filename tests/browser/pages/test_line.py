"""The page knows its line: a browser without a network and a house that does not answer are told everywhere (PLT-67)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.support.guest import Guest
from tests.browser.support.live_room import OpenHall
from tests.browser.support.room import PAINTED
from tests.browser.support.staff import operator
from tests.browser.support.studio import at_console

pytestmark = [pytest.mark.slow, pytest.mark.rule("PLT-67")]  # a browser

#: Buttons of the table that something lies over.
COVERED = """() => [...document.querySelectorAll(".desk button, .money button")]
  .filter((button) => {
    if (!button.checkVisibility()) return false;
    const { left, top, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })
  .map((button) => button.dataset.testid)"""
#: Milliseconds after which an answer is late.
LATE = 2_100
AT = r"Ciò che vedi è delle \d\d:\d\d"


def test_a_solo_table_says_what_was_sent_and_what_became_of_it(enter: Enter) -> None:
    """STAI is pressed while the house does not answer; then the network is gone, and is back."""
    room = enter("10s 9h Kd 8c")
    room.stake(100, "circle-0")
    room.press("deal")
    room.may("hit", "stand", "double", "split", "surrender")
    room.stop_clock()
    with room.house.frozen():
        room.press("stand")
        room.page.clock.fast_forward(LATE)
        expect(room.at("lost")).to_have_text(
            "Il server non risponde. Inviato: STAI (mano 1). Non si sa ancora se vale. Il round ti aspetta."
        )
        expect(room.at("hint")).to_have_count(0)
    expect(room.at("returned")).to_contain_text(
        "Sei di nuovo connesso. STAI (mano 1): fatto. Nel frattempo il round è finito."
    )
    room.heard("STAI (mano 1): fatto.")
    room.page.clock.fast_forward(9_000)
    expect(room.at("returned")).to_have_count(0)
    room.page.clock.resume()  # the browser may refuse the first attempt after it is back: the next one needs time
    room.page.context.set_offline(True)
    expect(room.at("lost")).to_have_text("Sei senza rete: riprovo.")  # no round waits
    room.page.context.set_offline(False)
    expect(room.at("returned")).to_have_text("Sei di nuovo connesso. Nel frattempo non è cambiato nulla.")


def test_a_live_table_shows_no_clock_that_it_cannot_trust(open_hall: OpenHall) -> None:
    hall = open_hall("10s 9h 8d 8c 2h")
    room = hall.page()
    room.page.clock.install()
    room.enter()
    room.sit("100", 0)
    hall.house.until("betting")
    room.stake(500, "circle-0")
    expect(room.at("countdown")).to_be_visible()
    room.page.context.set_offline(True)
    expect(room.at("lost")).to_have_text(
        "Sei senza rete: riprovo. Le tue puntate restano in gioco, il tempo del tavolo continua."
    )
    expect(room.at("countdown")).to_have_count(0)
    expect(room.at("countdown-unknown")).to_be_visible()
    expect(room.at("start-now")).to_be_disabled()
    hall.house.end("betting")
    hall.house.until("decisions")
    room.page.context.set_offline(False)
    expect(room.at("returned")).to_have_text("Sei di nuovo connesso. Nel frattempo il round è andato avanti.")
    room.sees("decide-note", "Posto 1: 18")
    expect(room.at("countdown")).to_be_visible()
    # The house is there and does not answer: nobody presses anything, and it is noticed all the same.
    with hall.house.frozen():
        room.page.clock.run_for(8_000)
        expect(room.at("lost")).to_contain_text("Il server non risponde.")
        expect(room.at("countdown")).to_have_count(0)
    expect(room.at("returned")).to_be_visible()
    expect(room.at("countdown")).to_be_visible()
    room.press("stand")
    room.sees("sum", "Hai")
    expect(room.at("next")).to_have_text(re.compile(r"\d"))
    room.page.context.set_offline(True)
    expect(room.at("next")).to_be_empty()


def test_a_table_that_is_opened_while_the_house_is_silent_says_so(open_hall: OpenHall) -> None:
    hall = open_hall()
    room = hall.page()
    room.come_in()
    room.page.route_web_socket(re.compile("/socket$"), lambda socket: None)  # it is there, and never answers
    for path in ("/live/one", "/play/surrender"):
        room.page.goto(f"{hall.house.url}{path}")
        expect(room.at("lost")).to_have_text("Il server non risponde.")
        expect(room.at("hint")).to_have_count(0)
        room.heard("Il server non risponde.")


def told_without_network(guest: Guest) -> None:
    """It is said on this page that the network is gone, and that it is back."""
    guest.page.context.set_offline(True)
    expect(guest.at("line")).to_have_text(re.compile(f"^Sei senza rete: riprovo. {AT}"))
    guest.page.context.set_offline(False)
    expect(guest.at("line")).to_contain_text("Sei di nuovo connesso.")


def test_every_page_says_that_the_house_cannot_be_reached(open_hall: OpenHall) -> None:
    hall = open_hall(dealing="studio")
    stranger = Guest(hall.page().page, hall.house)
    stranger.open("/help")
    expect(stranger.page.get_by_role("main")).to_be_visible()
    told_without_network(stranger)
    assert not [
        line for line in stranger.complaints if "401" in line
    ]  # nothing is asked that only a player may ask
    guest = Guest(hall.page().page, hall.house)
    guest.register("ada")
    for path in ("/", "/history", "/help", "/cashier"):
        guest.open(path)
        expect(guest.page.get_by_role("main")).to_be_visible()
        told_without_network(guest)
    expect(guest.at("amount")).to_be_visible()
    guest.page.reload()
    guest.fill(amount="80,00")
    with hall.house.frozen():
        guest.press("pay")
        expect(guest.at("line")).to_have_text(
            re.compile(f"^Il server non risponde. {AT} .* Inviato: VERSA 80,00 €. Non si sa ancora se vale.")
        )
    expect(guest.at("line")).to_contain_text("Sei di nuovo connesso. VERSA 80,00 €: la risposta è arrivata.")
    guest.sees("account-EUR", "80,00 €")
    for staff in (operator(hall, "bruno", "supervisor"), at_console(hall, "carla", "presenter")):
        told_without_network(staff)


@pytest.mark.rule("PLT-48", "ASR-50")
def test_what_is_said_stands_in_nobodys_way(open_hall: OpenHall) -> None:
    """Beside a table it is the foot of that page; what closes it gives the keyboard to the page."""
    hall = open_hall("10s 9h 8d 8c 2h", currency="EUR")
    guest = Guest(hall.page(phone=True).page, hall.house)
    guest.register("ada")
    guest.deposit(5_000)
    guest.open("/live/one")
    guest.press("sit-0", "bring", "menu")
    guest.page.get_by_role("link", name="CASSIERE").click()
    expect(guest.at("amount")).to_be_visible()
    guest.page.context.set_offline(True)
    expect(guest.at("beside").get_by_test_id("line")).to_have_text(re.compile("^Sei senza rete"))
    guest.page.evaluate(PAINTED)
    assert guest.page.evaluate(COVERED) == []
    guest.page.context.set_offline(False)
    expect(guest.at("line")).to_contain_text("Sei di nuovo connesso.")
    for path, place in (("/live/one", ".beside header h2"), ("/cashier", "#content")):
        guest.page.route("**/cashier/deposit", lambda route: route.abort(), times=1)
        guest.fill(amount="20")
        guest.press("pay")
        guest.at("line-close").focus()
        guest.type("Enter")
        expect(guest.at("line-close")).to_have_count(0)
        expect(guest.page.locator(place)).to_be_focused()
        if path != "/cashier":
            guest.open("/cashier")
