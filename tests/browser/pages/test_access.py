"""The solo tables for everyone: axe finds nothing and nothing moves, in every phase, window and dialog.

On a phone the page is Italian, on a desktop English: each moment is looked at once in each language.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.support.room import Room, small

pytestmark = pytest.mark.slow  # a browser

#: The pages that a table's menu opens in a window, and what is there when they are.
MENU = {"history": "no-rounds", "cashier": "pay", "settings": "four-colours", "help": "best"}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], size: str) -> dict[str, Any]:
    return browser_context_args | ({"locale": "en-GB"} if size == "desktop" else {})


class Look:
    """What axe finds and what is too small to press, moment by moment."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._found: dict[str, list[str]] = {}
        room.watch()

    def at(self, moment: str) -> None:
        self._found[moment] = [*self._room.axe(), *small(self._room.page)]

    def check(self) -> None:
        assert {moment: found for moment, found in self._found.items() if found} == {}
        assert self._room.moved == set()


@pytest.mark.rule("ASR-50", "ASR-51")
def test_surrender_with_its_dialogs_and_windows(enter: Enter, size: str) -> None:
    room = enter("10s 8s Ah Kd 8d 9c 3h 2d")
    look = Look(room)
    room.stake(1000, "circle-0", "circle-1", "side-0-21+3", "side-dealer-dealer-pair")
    look.at("chips")
    room.press("deal")
    expect(room.at("refuse-all")).to_be_enabled()
    look.at("insurance")
    room.press("refuse-all")
    expect(room.at("stand")).to_be_enabled()
    look.at("turn")
    for sheet in ("menu", "limits-box", "add-money", "proof"):
        room.press(sheet)
        expect(room.page.get_by_role("dialog").get_by_role("heading").first).to_be_visible()
        look.at(sheet)
        room.press("close")
        expect(room.page.get_by_role("dialog")).to_have_count(0)
    for path, there in MENU.items():
        room.press("menu")
        room.page.get_by_role("dialog").locator(f'a[href^="/{path}"]').click()
        expect(room.at("beside").get_by_test_id(there)).to_be_visible()
        look.at(f"{path} beside the table")
        room.press("close")
    room.press("prizes")
    expect(room.at("prize-table")).to_be_visible()
    look.at("prizes beside the table")
    room.press("close", "stand", "split", "stand", "stand")
    expect(room.at("sum")).to_be_visible()
    look.at("settled")
    look.check()


@pytest.mark.rule("ASR-51")
def test_link_with_its_bonus(enter: Enter, size: str) -> None:
    mega = [990, 0, 50, 85, 75, 99, 10, 0, 0, 5, 120, 9, 299, 12, 200, 20, 250, 25, 10, *[4700] * 30, 95, 99]
    room = enter("As 9s Ah Kd 9d 8c", game="link", draws=[mega])
    look = Look(room)
    room.stake(1000, "circle-0", "circle-1", "side-0-link")
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
        look.at(moment)
        room.press(button)
    expect(room.at("bonus-win")).to_be_visible()
    look.at("bonus win")
    room.press("bonus-close", "stand")
    expect(room.at("sum")).to_be_visible()
    look.at("settled")
    look.check()


@pytest.mark.rule("ASR-51")
def test_cashback_until_the_money_is_gone(enter: Enter, size: str) -> None:
    room = enter("10s 8s Ah Kd 8d 9c", "10s 10h 6d 9c", game="cashback", bring="30")
    look = Look(room)
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal", "apply-all")
    look.at("insurance")
    room.press("accept")
    expect(room.at("cashback")).to_be_enabled()
    look.at("price")
    room.press("cashback", "cashback")
    expect(room.at("sum")).to_be_visible()
    look.at("settled")
    for chip in (1000, 500, 200, 100):  # all that is left
        room.stake(chip, "circle-0")
    room.press("deal", "stand")
    expect(room.at("money-gone")).to_be_visible()
    look.at("no money")
    look.check()
