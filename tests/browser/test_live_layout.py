"""Live tables at every size: everything in reach, nothing covered, no scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.live_room import OpenHall
from tests.browser.test_table_layout import assert_fits

pytestmark = pytest.mark.slow  # a browser


@pytest.mark.rule("ASR-50")
def test_free_bet_is_in_reach_at_every_size(open_hall: OpenHall) -> None:
    """Two own seats and a neighbour; chips, a decision with a free split, the payout."""
    hall = open_hall("8s 10s 9h 6d 8d Kc 9s 10d " + "3h 2d 4s 5s 9d 10h")
    ada, bob = hall.player(), hall.player()
    ada.sit("200", 0, 3)
    bob.sit("100", 6)
    hall.house.until("betting")
    assert_fits(ada, "an empty table")
    ada.stake(1000, "circle-0")
    ada.stake(200, "behind-6")
    bob.stake(1000, "circle-6")
    assert_fits(ada, "chips")
    hall.house.end("betting")
    expect(ada.at("decide")).to_be_visible()
    assert_fits(ada, "a decision")


@pytest.mark.rule("ASR-50")
def test_majority_is_in_reach_at_every_size(open_hall: OpenHall) -> None:
    """Both boxes with every side bet, and a vote."""
    hall = open_hall("10s 9h 10h 2d 8c 9c 7s", game="majority-us", options={"vote_threshold": 1})
    room = hall.player()
    room.press("consent-yes")
    room.sit("200")
    hall.house.until("betting")
    sides = ("21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky")
    room.stake(1000, "circle-0", "circle-1")
    room.stake(200, *(f"side-{spot}-{name}" for spot in (0, 1) for name in sides))
    assert_fits(room, "chips")
    hall.house.end("betting")
    expect(room.at("vote")).to_be_visible()
    assert_fits(room, "a vote")
