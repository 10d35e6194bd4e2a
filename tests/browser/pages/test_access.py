"""The page for everyone: axe finds nothing serious, at both sizes, in every phase of a round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.support.room import Room, small
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser


@pytest.mark.rule("ASR-51")
def test_axe(houses: Callable[..., ServedHouse], page: Page, size: str) -> None:
    room = Room(page, houses("10s 8s Ah Kd 8d 9c 3h 2d"))
    room.enter()
    room.sit("100")
    room.press("add-money")
    expect(room.at("bring")).to_be_visible()
    found = {"bringing money": room.serious()}
    room.press("close")
    room.stake(1000, "circle-0", "circle-1", "side-0-21+3", "side-dealer-dealer-pair")
    found["chips"] = room.serious()
    room.press("deal")
    expect(room.at("refuse-all")).to_be_enabled()
    found["insurance"] = room.serious()
    room.press("refuse-all")
    expect(room.at("stand")).to_be_enabled()
    found["turn"] = room.serious()
    for sheet in ("menu", "prizes", "limits-box", "add-money"):
        room.press(sheet)
        found[sheet] = room.serious()
        room.press("close")
    room.press("stand", "split", "stand", "stand")
    expect(room.at("sum")).to_be_visible()
    found["settled"] = room.serious()
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.rule("ASR-51")
def test_axe_in_the_other_games(enter: Enter, size: str) -> None:
    mega = [990, 0, 50, 85, 75, 99, 10, 0, 0, 5, 120, 9, 299, 12, 200, 20, 250, 25, 10, *[4700] * 30, 95, 99]
    room = enter("As 9s Ah Kd 9d 8c", game="link", draws=[mega])
    room.stake(1000, "circle-0", "circle-1", "side-0-link")
    found = {}
    room.press("deal")
    for moment, button in (
        ("even money", "accept"),
        ("wheel", "spin"),
        ("intro", "continue"),
        ("table", "spin"),
    ):
        if moment == "wheel":
            room.press("refuse")  # insurance for the other hand
        expect(room.at(button)).to_be_enabled()
        found[moment] = room.serious()
        room.press(button)
    expect(room.at("bonus-win")).to_be_visible()
    found["bonus win"] = room.serious()
    room.press("bonus-close", "stand")
    expect(room.at("sum")).to_be_visible()
    found["link settled"] = room.serious()
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.rule("ASR-51")
def test_axe_in_cashback(enter: Enter, size: str) -> None:
    room = enter("10s 8s Ah Kd 8d 9c", game="cashback")
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal", "apply-all")
    found = {"insurance": room.serious()}
    room.press("accept")
    expect(room.at("cashback")).to_be_enabled()
    found["price"] = room.serious()
    room.press("cashback", "cashback")
    expect(room.at("sum")).to_be_visible()
    found["settled"] = room.serious()
    assert {where: what for where, what in found.items() if what} == {}


def test_every_target_is_24_pixels_or_more(houses: Callable[..., ServedHouse], page: Page, size: str) -> None:
    room = Room(page, houses())
    room.enter()
    room.sit("100")
    assert small(page) == []
