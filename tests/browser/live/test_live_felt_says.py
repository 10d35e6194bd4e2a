"""The felt of a live table says what lies on it at every size: names of bets, combinations, what others have (PLT-70, PLT-71)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from sabot.engine import Bet
from sabot.engine.commands import Stand
from tests.browser.live.test_live_layout import SIDES, STILL
from tests.browser.support.layout import MADE_FOR, NARROWEST, PLAYED_AT
from tests.browser.support.live_room import LiveRoom, OpenHall

pytestmark = pytest.mark.slow  # a browser

#: The names of the own side bets, as far as they can be read: what is cut off is not.
NAMES = """
async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  return [...document.querySelectorAll(".spot.side:is(.staked, .lost) .mark")]
    .filter((mark) => mark.checkVisibility() && mark.scrollWidth <= mark.clientWidth + 1)
    .map((mark) => mark.textContent);
}
"""


def assert_named(room: LiveRoom, *names: str) -> None:
    """At every size the own side bets have these names."""
    seen = {}
    for width, height in (*MADE_FOR, *NARROWEST):
        room.page.set_viewport_size({"width": width, "height": height})
        seen[f"{width}x{height}"] = sorted(room.page.evaluate(NAMES))
    assert seen == dict.fromkeys(seen, sorted(names))
    room.page.set_viewport_size(PLAYED_AT)


def assert_told(room: LiveRoom, *combinations: str) -> None:
    """At every size the sum of the round names what has won."""
    expect(room.at("combinations").get_by_role("listitem")).to_have_text([*combinations])
    for width, height in (*MADE_FOR, *NARROWEST):
        room.page.set_viewport_size({"width": width, "height": height})
        room.at("combinations").scroll_into_view_if_needed()
        expect(room.at("combinations")).to_be_in_viewport(ratio=1)
    room.page.set_viewport_size(PLAYED_AT)


@pytest.mark.rule("PLT-70", "PLT-71")
def test_what_seats_have_on_the_side_and_won_with(open_hall: OpenHall) -> None:
    """A perfect pair of fives and a flush at seat 3, nines of one colour at seat 2; another has two aces at seat 1, and stands."""
    hall = open_hall("As 9c 5h 8s 6h Ad 9s 5h 8d 10h 2c", timers=STILL)
    house, ada = hall.house, hall.player()
    ada.sit("200", 2, 1)
    bots = house.seat(0, 3)
    house.until("betting")
    ada.stake(1000, "circle-2")
    ada.stake(200, *(f"side-{spot}-{name}" for spot in (1, 2) for name in ("player-pair", "21+3")))
    for spot, bot in bots.items():
        sides = [Bet(spot, name, 300) for name in ("player-pair", "21+3")]
        house.place(bot, Bet(spot, "main", 2500), *sides)
    house.end("betting")
    house.until("decisions")
    house.decide(bots[0], Stand(0))
    expect(ada.at("decide")).to_be_visible()
    assert_named(ada, "COPPIE", "COPPIE", "21+3", "21+3")

    # What others have won with is told, and nothing lies any more on what is lost.
    pair, poker = ada.at("other-0-player-pair"), ada.at("other-0-21+3")
    expect(pair).to_have_attribute("title", re.compile("^coppie perfette: coppia mista 6.a.1$"))
    expect(pair).to_have_text(re.compile(r"COPPIE PERFETTE\s*3\s*coppia mista 6.a.1"))
    expect(poker).to_have_text(re.compile(r"^21\+3\s*persa$"))
    ada.page.set_viewport_size({"width": 390, "height": 844})
    expect(pair).to_be_hidden()
    ada.sees("stakes-0", r"3$")
    ada.press("stakes-0")
    dialog = ada.page.get_by_role("dialog", name="Puntate di altri, posto 1")
    rows = dialog.get_by_role("row")
    expect(rows).to_have_text([re.compile(r"3,00\s*coppia mista 6.a.1"), re.compile(r"21\+3\s*persa")])
    ada.page.keyboard.press("Escape")
    ada.page.set_viewport_size(PLAYED_AT)

    ada.press("stand", "stand")
    # A finished hand has one total, in the list of those who play too.
    expect(ada.at("meanwhile").get_by_role("listitem").first).to_have_text(re.compile(r"\s12$"))
    house.decide(bots[3], Stand(3))
    expect(ada.at("sum")).to_be_visible()
    assert_named(ada, "COPPIE", "COPPIE", "21+3", "21+3")
    assert_told(
        ada,
        "Posto 2, coppie perfette: coppia colorata 12 a 1",
        "Posto 3, 21+3: colore 5 a 1",
        "Posto 3, coppie perfette: coppia perfetta 25 a 1",
    )
    hall.check()


@pytest.mark.rule("PLT-70")
def test_what_boxes_have_on_the_side_and_won_with(open_hall: OpenHall) -> None:
    """Three sevens of hearts in the first box: everything wins but what waits for the dealer."""
    hall = open_hall("7h 7h 7h 10h", game="majority-us", options={"vote_threshold": 1}, timers=STILL)
    room = hall.player()
    room.sit("200", agrees=True)
    hall.house.until("betting")
    room.stake(1000, "circle-0")
    room.stake(200, *(f"side-0-{name}" for name in SIDES))
    hall.house.end("betting")
    expect(room.at("vote")).to_be_visible()
    assert_named(room, "21+3", "COPPIA", "CROUPIER", "MIGLIORI", "BUSTER", "LUCKY")
    # The bet shows what it pays, and with which of it it has won; by keyboard too, which comes back.
    bet = room.page.get_by_role("button", name=re.compile("777 di un seme.*, apre i premi"))
    expect(bet).to_have_attribute("aria-haspopup", "dialog")
    bet.press("Enter")
    prizes = room.page.get_by_role("dialog", name="Premi: Lucky Lucky")
    expect(prizes).to_be_focused()
    expect(prizes.locator(".won")).to_have_text([re.compile("777 di un seme, vinta"), "200 a 1"])
    room.page.keyboard.press("Escape")
    expect(bet).to_be_focused()
    room.press("vote-stand")
    expect(room.at("sum")).to_be_visible()
    assert_told(
        room,
        "Postazione 1, 21+3: tris dello stesso seme 100 a 1",
        "Postazione 1, Lucky Lucky: 777 di un seme 200 a 1",
        "Postazione 1, coppia del giocatore: Perfect Pair 25 a 1",
        "Postazione 1, migliori 3: tris dello stesso seme 270 a 1",
    )
    hall.check()
