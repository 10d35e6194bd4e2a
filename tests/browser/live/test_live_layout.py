"""Live tables at every size: everything in reach, nothing covered; only the narrowest phone scrolls; own hands the largest."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from sabot.engine import Bet
from sabot.engine.commands import Double, Hit, Split, Stand
from tests.browser.support.layout import MADE_FOR, PLAYED_AT, assert_clear, assert_fits
from tests.browser.support.live_house import LONG
from tests.browser.support.live_room import LiveRoom, OpenHall

pytestmark = pytest.mark.slow  # a browser

#: Everything stays as it is for as long as it is looked at.
STILL = replace(LONG, betting=900, insurance=900, decision=900, vote=900, payout=900)

#: The longest names, of the widest letter: they are shortened.
WIDEST = "M" * 23 + "{}"

SIDES = ("21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky")

#: Whether no card of others' hands is larger than the own ones, whether the presenter's arm that deals is in sight, at
#: which places there is a clock, and how many hands show what became of them.
SEEN = """
async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const inSight = (element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    return width > 8 && height > 8 && left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  };
  const widths = (selector) => all(selector).map((card) => card.getBoundingClientRect().width);
  const others = Math.max(0, ...widths(".at:not(.mine) .hand svg.card"));
  return {
    largest: Math.min(...widths(".at.mine .hand svg.card")) > others - 0.5,
    deals: all(".presenter .arm").filter(inSight).length === 1,
    clocks: all("[role=timer]").filter(inSight).map((clock) => clock.closest("[data-testid^=seat-], [data-testid^=box-]")?.dataset.testid),
    results: all(":is(.seat, .box) .hand .label:is(.win, .lose, .even)").filter(inSight).length,
  };
}
"""


def assert_seen(room: LiveRoom, *clocks: str, results: int) -> None:
    """At every size the own hands are the largest, the clock is there once, where one looks; presenter and results are seen."""
    expected = {"largest": True, "deals": True, "clocks": list(clocks), "results": results}
    seen = {}
    for width, height in MADE_FOR:
        room.page.set_viewport_size({"width": width, "height": height})
        seen[f"{width}x{height}"] = room.page.evaluate(SEEN)
    assert seen == dict.fromkeys(seen, expected)
    room.page.set_viewport_size(PLAYED_AT)


@pytest.mark.rule("ASR-50")
def test_free_bet_is_in_reach_at_every_size(open_hall: OpenHall) -> None:
    """Two own seats and a neighbour; chips, a decision with a free split, the payout."""
    hall = open_hall("8s 10s 9h 6d 8d Kc 9s 10d " + "3h 2d 4s 5s 9d 10h", timers=STILL)
    ada, bob = hall.player(), hall.player()
    ada.sit("200", 0, 3)
    bob.sit("100", 6)
    hall.house.until("betting")
    assert_fits(ada.page, "an empty table")
    ada.stake(1000, "circle-0")
    ada.stake_behind(200, "behind-6")
    bob.stake(1000, "circle-6")
    assert_fits(ada.page, "chips")
    ada.page.set_viewport_size({"width": 375, "height": 553})  # shorter than the table
    ada.page.evaluate("scrollTo(0, 0)")
    hall.house.end("betting")
    expect(ada.at("stand")).to_be_in_viewport()
    assert_fits(ada.page, "a decision")


@pytest.mark.rule("ASR-50")
def test_majority_is_in_reach_at_every_size(open_hall: OpenHall) -> None:
    """Both boxes with every side bet, and a vote."""
    hall = open_hall(
        "10s 9h 10h 2d 8c 9c 7s", game="majority-us", options={"vote_threshold": 1}, timers=STILL
    )
    room = hall.player()
    room.sit("200", agrees=True)
    hall.house.until("betting")
    room.stake(1000, "circle-0", "circle-1")
    room.stake(200, *(f"side-{spot}-{name}" for spot in (0, 1) for name in SIDES))
    assert_fits(room.page, "chips")
    hall.house.end("betting")
    expect(room.at("vote")).to_be_visible()
    assert_fits(room.page, "a vote")


#: Seven seats: a free split, eleven cards, an own pair, a free double, a blackjack, an own pair, a free split; 6 and 10.
FIRST = "8s As 8h 6d Ac 9c 7s 6h"
SECOND = "8d Ad 8c 5d Kh 9d 7d 10h"
ELEVEN = "Ah As 2s 2d 2c 2h 3s 3d 3c"
SEATS = f"{FIRST} {SECOND} 10c 9h {ELEVEN} 3h 10d 2s 2d 2c 10s 10d 9s 10c 9h 6c"


@pytest.mark.rule("FRB-01", "FRB-04", "FRB-06", "FRB-07", "ASR-50")
def test_seven_full_seats_are_clear_at_every_size(open_hall: OpenHall) -> None:
    """All sit and bet, four hands are split, one has eleven cards, others' bets are free, and the dealer has 22."""
    hall = open_hall(SEATS, timers=STILL)
    house, ada = hall.house, hall.player()
    ada.watch()
    assert_clear(ada.page, "free seats")
    ada.sit("200", 2, 5)
    bots = house.seat(0, 1, 3, 4, 6, names=WIDEST)
    house.until("betting")
    ada.stake(1000, "circle-2")
    ada.stake(200, *(f"side-{spot}-{name}" for spot in (2, 5) for name in ("player-pair", "21+3")))
    ada.stake_behind(500, "behind-0", "behind-1")
    house.everyone_bets(list(bots.values()), *(Bet(spot, "main", 2500) for spot in bots))
    assert_clear(ada.page, "chips")
    house.end("betting")
    expect(ada.at("ahead")).to_be_visible()
    assert_clear(ada.page, "a decision in advance")
    for command in (Split(0), Stand(0, 0), Stand(0, 1)):
        house.decide(bots[0], command)
    for _ in ELEVEN.split():
        house.decide(bots[1], Hit(1))
    expect(ada.at("decide")).to_be_visible()
    ada.press("split", "hit", "hit", "hit")
    ada.sees("decide-note", "parte 1: 17")
    assert_clear(ada.page, "an own split", {"it": MADE_FOR})
    assert_seen(ada, "seat-2", results=0)
    ada.press("stand", "stand")
    house.decide(bots[3], Double(3))
    ada.press("split", "stand", "stand")
    for command in (Split(6), Stand(6, 0), Stand(6, 1)):
        house.decide(bots[6], command)
    expect(ada.at("sum")).to_be_visible()
    # Everyone's result is there: the 22 gives all back, a blackjack was paid.
    for spot, results in zip(bots, (["pari"] * 2, ["pari"], ["pari"], ["BJ"], ["pari"] * 2), strict=True):
        labels = ada.at(f"seat-{spot}").locator(".label")
        expect(labels).to_have_text(
            [re.compile(rf"\b{result}\s*$") for result in results], use_inner_text=True
        )
    assert_clear(ada.page, "payout")
    assert_seen(ada, results=11)
    assert ada.moved == set()
    hall.check()


@pytest.mark.rule("MAJ-08", "MAJ-10", "ASR-50")
def test_both_boxes_are_clear_at_every_size(open_hall: OpenHall) -> None:
    """Both boxes with every side bet: box 1 splits its eights, box 2 takes nine cards."""
    cards = "8s 2h 6d 8d 2c 10h 3h 10c 2s 2d 3s 3d As Ah Ad 9c 10d"
    hall = open_hall(cards, game="majority-us", options={"vote_threshold": 1}, timers=STILL)
    room = hall.player()
    room.sit("400", agrees=True)
    hall.house.until("betting")
    room.stake(1000, "circle-0", "circle-1")
    room.stake(200, *(f"side-{spot}-{name}" for spot in (0, 1) for name in SIDES))
    assert_clear(room.page, "chips")
    hall.house.end("betting")
    room.press("vote-split")
    room.sees("vote-note", "parte 1")
    assert_clear(room.page, "a split box")
    assert_seen(room, "box-0", results=0)
    room.press("vote-stand")
    room.sees("vote-note", "parte 2")
    room.press("vote-stand")
    for _ in range(7):
        room.sees("vote-note", "Postazione 2")
        room.press("vote-hit")
    room.press("vote-stand")
    expect(room.at("sum")).to_be_visible()
    assert_clear(room.page, "payout")
    assert_seen(room, results=3)
    hall.check()
