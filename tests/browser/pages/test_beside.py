"""Pages beside a table: the table, its clock and what is due stay in sight and in reach (PLT-48)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import NewPage
from tests.browser.support.guest import Guest, Played, visit
from tests.browser.support.live_room import Hall, LiveRoom, OpenHall
from tests.browser.support.room import Room
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]

#: The sizes of each kind of browser: windows of a desktop, a phone and a phone on its side.
SIZES: dict[str, tuple[ViewportSize, ...]] = {
    "desktop": ({"width": 1280, "height": 800}, {"width": 1440, "height": 900}),
    "phone": ({"width": 844, "height": 390}, {"width": 390, "height": 844}),
}
WIN = "10s 9h Kd 8c "
#: The pages in a table's menu: CRONOLOGIA, CASSIERE, IMPOSTAZIONI, GUIDA.
MENU = ("history", "cashier", "settings", "help")

#: Whether the middle of one of these elements is what a pointer would hit.
_IN_SIGHT = """(testid) => [...document.querySelectorAll(`[data-testid="${testid}"]`)].some((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && (element.contains(hit) || hit.contains(element));
})"""


def in_sight(room: Room, *testids: str) -> None:
    """Nothing lies over these at any size of this browser; of several of a kind, over one."""
    for size in SIZES["phone" if room.touch else "desktop"]:
        room.page.set_viewport_size(size)
        for testid in testids:
            expect(room.at(testid).last).to_be_visible()
            room.page.wait_for_function(_IN_SIGHT, arg=testid)


def choose(room: Room, path: str) -> None:
    """A page from the table's menu."""
    room.press("menu")
    room.page.get_by_role("dialog").locator(f'a[href^="/{path}"]').click()


def context_args(kind: str) -> dict[str, Any]:
    """A browser of this kind, at the last of its sizes."""
    touch = {"has_touch": True, "is_mobile": True} if kind == "phone" else {}
    return {"locale": "it-IT", "reduced_motion": "reduce", "viewport": SIZES[kind][-1], **touch}


@pytest.fixture(params=SIZES)
def args(request: pytest.FixtureRequest) -> dict[str, Any]:
    return context_args(request.param)


@pytest.fixture
def guest(houses: Houses, new_page: NewPage, args: dict[str, Any]) -> Guest:
    """At a solo table with a decision to make: 11 against 9, then a ten."""
    guest = visit(new_page(**args), houses("5s 9h 6d 8c 10d"))
    guest.touch = bool(args.get("has_touch"))
    guest.come_in()
    guest.play(Played([(0, "main", 1_000)]))
    guest.open("/play/surrender")
    expect(guest.at("hit")).to_be_enabled()
    return guest


@pytest.mark.rule("PLT-48", "PLT-45")
def test_pages_open_beside_a_solo_table(guest: Guest) -> None:
    page, table = guest.page, f"{guest.house.url}/play/surrender"
    beside = guest.at("beside")
    for path in MENU:
        choose(guest, path)
        expect(page.get_by_role("dialog")).to_have_count(1)
        expect(beside.get_by_role("heading").first).to_be_focused()
        in_sight(guest, "hit", "stand", "balance")
        expect(page).to_have_url(table)
        guest.type("Escape")
        expect(beside).to_have_count(0)
        expect(guest.at("menu")).to_be_focused()
    guest.press("prizes")
    expect(page.get_by_role("dialog", name="Premi")).to_contain_text("3 a 2")
    # Keys are for the page while it has the keyboard; a decision can be made all the same.
    guest.type("c")
    guest.press("hit")
    guest.sees("sum", "Hai vinto 10,00")
    expect(beside).to_be_visible()
    guest.type("Escape")
    # A round's page stays in the window; the browser's own buttons go through it, and close it.
    choose(guest, "history")
    guest.at("round").click()
    guest.sees("round-code", r"\d{6}-\d{6}-[A-Z2-7]{4}")
    page.go_back()
    expect(guest.at("round")).to_be_visible()
    page.go_back()
    expect(beside).to_have_count(0)
    page.go_forward()
    expect(guest.at("round")).to_be_visible()
    guest.at("round").click()
    page.reload()
    expect(beside.get_by_test_id("round-code")).to_be_visible()
    guest.press("close")
    expect(beside).to_have_count(0)
    expect(page).to_have_url(table)
    page.go_back()  # where the table was come to from
    expect(page).not_to_have_url(table)
    # Away from a table they are pages.
    guest.open("/")
    for path in ("/history", "/cashier", "/settings", "/help/surrender", "/prizes/surrender"):
        guest.go(path)
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        expect(beside).to_have_count(0)
    assert not guest.strangers


def sit(hall: Hall, args: dict[str, Any]) -> LiveRoom:
    """At the live table, with 100.00, on seat 1, when the bets are open."""
    room = hall.page(**args)
    room.touch = bool(args.get("has_touch"))
    room.enter()
    room.sit("100", 0)
    hall.house.until("betting")
    return room


@pytest.mark.rule("PLT-48")
def test_the_clock_and_a_due_decision_stay_at_a_live_table(open_hall: OpenHall, args: dict[str, Any]) -> None:
    hall = open_hall(WIN)
    room = sit(hall, args)
    room.stake(500, "circle" if args["viewport"]["width"] < 768 else "circle-0")
    choose(room, "settings")
    in_sight(room, "countdown", "start-now")  # the bets are open
    assert room.axe() == []
    room.press("muted", "start-now")
    in_sight(room, "decide", "countdown", "stand", "hit")
    room.sees("decide-note", "Posto 1: 20")
    # The window stays as the round goes on, and so does what is told.
    room.press("stand")
    in_sight(room, "sum", "beside")
    room.type("Escape")
    expect(room.at("beside")).to_have_count(0)
    expect(room.page).to_have_url(re.compile("/live/one$"))
    hall.check()


@pytest.mark.rule("PLT-48", "PLT-68")
def test_keys_go_to_the_table_again_once_the_window_is_closed(open_hall: OpenHall) -> None:
    hall = open_hall(WIN)
    room = sit(hall, context_args("desktop"))
    room.press("chip-500", "circle-0")
    choose(room, "help")
    expect(room.at("beside").get_by_role("heading").first).to_be_focused()
    room.type("Backspace", "i")
    room.sees("staked", "5,00")
    room.at("chip-500").focus()
    room.type("Backspace", "i")
    room.sees("staked", "5,00")
    room.type("Escape", "i")
    expect(room.at("decide")).to_be_visible()
    room.type("s")
    room.sees("sum", "Hai vinto")
    hall.check()


@pytest.mark.rule("PLT-48", "PLT-64")
def test_a_link_in_a_window_leads_to_its_page_and_not_under_the_window(open_hall: OpenHall) -> None:
    """Who has no money is led from the seat to the cashier; from the proof, to the page that checks it."""
    hall = open_hall(WIN, currency="EUR")
    guest = Guest(hall.page().page, hall.house)
    guest.register("ada")
    guest.open("/live/one")
    window = guest.page.locator("dialog[open]")
    for opener, page in (("sit-0", "CASSIERE"), ("proof", "Correttezza")):
        guest.press(opener)
        window.locator("a").click()
        expect(window).to_have_count(0)
        expect(guest.at("beside").get_by_role("heading", name=page).first).to_be_visible()
        guest.type("Escape")
        expect(guest.at("beside")).to_have_count(0)


def test_nothing_that_was_open_follows_to_another_table(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.demo("/play/surrender")
    guest.press("prizes")
    guest.press("lobby")
    guest.press("play-link")
    expect(page).to_have_url(f"{guest.house.url}/play/link")
    for window in ("beside", "lobby-beside"):
        expect(guest.at(window)).to_have_count(0)
    expect(page).to_have_title(re.compile("Link"))
    # Nor does a menu follow from a page to the table.
    guest.open("/help")
    guest.press("menu", "go-lobby", "play-surrender")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender")
    expect(guest.at("deal")).to_be_enabled()
    page.go_back()
    guest.press("menu")
    expect(guest.at("house-menu")).to_be_visible()
    page.go_forward()
    expect(guest.at("deal")).to_be_enabled()
    expect(page.get_by_role("dialog")).to_have_count(0)
