"""A solo table at every size: all of it in sight and within reach; only the narrowest phone scrolls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.support.guest import Played, visit
from tests.browser.support.hard_rounds import HARD, HardShoes
from tests.browser.support.layout import ITALIAN, assert_clear, assert_fits
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser


@pytest.mark.rule("COM-50", "COM-56", "ASR-50")
def test_everything_is_in_reach_at_every_size(enter: Enter) -> None:
    cards = "8s 9s 7s 10s As 6h 8h 2h Kd Qd Kh 9c 3h 2d 4s 5s 9d 10h"
    # LINK, three tiles, three prizes at the start; the first spin locks three more, the next three lock none.
    draws = [900, 0, 85, 60, 0, 0, 16, 299, 0, 250, 4800, 4870, 4915, *[0] * 60]
    room = enter(cards, game="link", bring="1000", draws=[draws])
    for spot in range(5):
        room.stake(2500, f"circle-{spot}")
        room.stake(1000, *(f"side-{spot}-{name}" for name in ("player-pair", "21+3", "link")))
    room.stake(1000, "side-dealer-dealer-pair")
    assert_fits(room.page, "chips")
    room.press("deal", "split")
    room.sees("hint", "parte 1")
    room.press("hit")
    expect(room.at("seat-0").get_by_role("img")).to_have_count(5)
    assert_fits(room.page, "a split hand")
    for _ in range(4):
        room.press("stand")
    room.press("stand")
    expect(room.at("spin")).to_be_enabled()
    assert_fits(room.page, "wheel")
    assert_clear(room.page, "wheel", ITALIAN)
    room.press("spin", "continue", "spin")
    for left in "321":
        room.sees("spins-left", left)
        expect(room.at("spin")).to_be_enabled()
        if left == "3":
            assert_clear(room.page, "prizes on the Link table", ITALIAN)
        room.press("spin")
    room.press("bonus-close")
    expect(room.at("sum")).to_be_visible()
    assert_fits(room.page, "results")


@pytest.mark.rule("COM-50", "COM-56", "ASR-50")
def test_hard_rounds_are_clear_at_every_size(houses: Callable[..., ServedHouse], page: Page) -> None:
    """Five hands split and doubled, insured, nine cards, a dealer of eleven: in play and when they are settled."""
    guest = visit(page, houses(shoes=HardShoes()))
    guest.come_in()
    for name, hard in HARD.items():
        guest.play(Played(hard.bets, hard.commands, name), game=hard.game, amount=66_000)
        guest.open(f"/play/{hard.game}")
        for button in hard.ends[:1]:
            expect(guest.at(button)).to_be_enabled()
        assert_clear(page, name)
        guest.press(*hard.ends)
        expect(guest.at("sum")).to_be_visible()
        if "surrender" in hard.ends:  # a hand that was given up says so on the narrowest phone too
            page.set_viewport_size({"width": 320, "height": 640})
            expect(guest.at("seat-0").get_by_text("RESA", exact=True)).to_be_visible()
        assert_clear(page, f"{name}, settled")


@pytest.mark.rule("PLT-32", "COM-50", "ASR-50")
def test_a_voided_round_says_so_on_a_phone_on_its_side(enter: Enter) -> None:
    """The shoe runs empty: a long sentence stands where results are short, under the head."""
    room = enter("8s 10s 8h", game="link")
    room.stake(500, "circle-2")
    room.press("deal")
    room.sees("voided", "Round annullato")
    room.page.set_viewport_size({"width": 844, "height": 390})
    head, told = room.page.locator(".top").bounding_box(), room.at("voided").bounding_box()
    assert head is not None
    assert told is not None
    assert told["y"] >= head["y"] + head["height"]
