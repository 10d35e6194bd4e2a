"""The page for everyone: axe finds nothing serious, at both sizes, in every phase of a round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.room import Room
from tests.browser.serve import ServedHouse

pytestmark = pytest.mark.slow


def test_axe(houses: Callable[..., ServedHouse], page: Page, size: str) -> None:
    room = Room(page, houses("10s 8s Ah Kd 8d 9c 3h 2d"))
    page.goto(room.house.url)
    expect(room.at("demo")).to_be_visible()
    found = {"door": room.serious()}
    room.press("demo")
    expect(room.at("bring")).to_be_visible()
    found["sitting down"] = room.serious()
    room.sit("100")
    room.stake(1000, "circle-0", "circle-1", "side-0-21+3", "side-dealer-dealer-pair")
    found["chips"] = room.serious()
    room.press("deal")
    expect(room.at("refuse-all")).to_be_enabled()
    found["insurance"] = room.serious()
    room.press("refuse-all")
    expect(room.at("stand")).to_be_enabled()
    found["turn"] = room.serious()
    for sheet in ("menu", "prizes"):
        room.press(sheet)
        found[sheet] = room.serious()
        room.press("close")
    room.press("stand", "split", "stand", "stand")
    expect(room.at("sum")).to_be_visible()
    found["settled"] = room.serious()
    assert {where: what for where, what in found.items() if what} == {}


def test_every_target_is_24_pixels_or_more(houses: Callable[..., ServedHouse], page: Page, size: str) -> None:
    room = Room(page, houses())
    room.enter()
    room.sit("100")
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24, button
