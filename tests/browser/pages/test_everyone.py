"""The pages around the tables for everyone: by keyboard alone, at every size, in both languages, with nothing axe minds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pictures.shots import BONUS
from tests.browser.support.faults import DESKTOP, LOOKS, faults
from tests.browser.support.guest import Guest, Played, visit
from tests.browser.support.seeded import SeededShoes
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]


@pytest.mark.rule("ASR-50", "ASR-51")
def test_axe_minds_nothing_on_any_page_in_either_language(houses: Houses, page: Page) -> None:
    guest = visit(page, houses(shoes=SeededShoes()))
    page.set_viewport_size(DESKTOP)
    found: dict[str, list[str]] = {}

    def look(where: str, ready: str, *, both: bool = True) -> None:
        expect(guest.at(ready).first).to_be_visible(timeout=60_000)
        found[where] = faults(guest, *(LOOKS if both else ()))

    guest.open("/")
    expect(guest.at("table-freebet")).to_be_visible()
    look("lobby", "game-link")
    guest.go("/enter")
    look("log in", "log-in")
    guest.go("/enter?register")
    look("register", "register")
    guest.go("/help")
    look("help", "help-link")
    guest.go("/help/link")
    look("help of a game", "best")
    guest.go("/prizes/link")
    look("prizes", "prize-table")
    guest.go("/terms")
    look("terms", "terms-text")
    guest.go("/assistance")
    look("assistance", "assistance")
    guest.go("/nowhere")
    look("nowhere", "oops")
    guest.demo("/history")
    look("empty history", "no-rounds")
    spins = [{"type": kind, "spot": 0} for kind in ("spin", "continue", *["spin"] * 6)]
    code = guest.play(Played([(0, "main", 1_000), (0, "link", 500)], spins, BONUS), game="link")
    guest.open("/history")
    look("history", "round")
    guest.go(f"/history/{code}")
    guest.press("check")
    look("round", "findings")
    guest.go("/fairness")
    look("fairness", "record")
    guest.go("/cashier")
    look("cashier", "pay")
    guest.go("/settings")
    look("settings", "four-colours")
    guest.go("/responsible")
    look("responsible", "exclusion")
    guest.press("exclude")
    look("sure", "exclude-yes", both=False)
    guest.press("exclude-no", "menu")
    look("menu", "go-history", both=False)
    guest.open("/play/link")
    guest.press("lobby")
    expect(guest.at("table-freebet")).to_be_visible()
    look("lobby beside", "lobby-beside", both=False)
    assert {where: what for where, what in found.items() if what} == {}
    assert not [line for line in guest.complaints if "404" not in line]


def _tab_to(guest: Guest, testid: str) -> None:
    """Go on with the keyboard until it stands there, and can be seen to."""
    for _ in range(60):
        guest.page.keyboard.press("Tab")
        if guest.at(testid).first.evaluate("found => found === document.activeElement"):
            ring = guest.at(testid).first.evaluate("found => getComputedStyle(found).outlineStyle")
            assert ring != "none" or guest.page.evaluate(
                "!!document.querySelector(':focus-within label, .search')"
            )
            return
    raise AssertionError(f"the keyboard does not come to {testid}")


@pytest.mark.rule("ASR-50")
def test_a_walk_through_the_house_by_keyboard_alone(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("10s 9h Kd 8c"))
    guest.open("/enter")
    expect(guest.at("demo")).to_be_visible()
    guest.type("Tab", "Enter")  # past the bar over the page
    expect(page.locator("main")).to_be_focused()
    _tab_to(guest, "demo")
    guest.type("Enter")
    guest.sees("balance", "5.000,00")
    _tab_to(guest, "menu")
    guest.type("Enter")
    expect(guest.at("go-cashier")).to_be_visible()
    _tab_to(guest, "go-cashier")
    guest.type("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()  # a screen reader says where it came to
    _tab_to(guest, "amount")
    page.keyboard.type("20")
    guest.type("Enter")
    guest.sees("done", "Versati 20,00 FUN")
    _tab_to(guest, "menu")
    guest.type("Enter")
    expect(guest.at("go-settings")).to_be_visible()
    guest.type("Escape")
    expect(guest.at("house-menu")).to_be_hidden()
    expect(guest.at("menu")).to_be_focused()
    guest.play(Played([(0, "main", 1_000)], [("stand", 0, 0)]))
    guest.type("Enter")
    _tab_to(guest, "go-history")
    guest.type("Enter")
    _tab_to(guest, "round")
    guest.type("Enter")
    guest.sees("round-net", r"\+10,00")
    _tab_to(guest, "menu")
    guest.type("Enter")
    _tab_to(guest, "go-settings")
    guest.type("Enter")
    _tab_to(guest, "four-colours")
    guest.type(" ")
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    _tab_to(guest, "view-classic")
    guest.type("Enter")
    expect(guest.at("view-classic")).to_have_attribute("aria-pressed", "true")


def test_the_browser_s_own_buttons_and_new_windows_work(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.demo("/")
    for path in ("/cashier", "/help"):
        page.get_by_role("banner").locator(f'a[href="{path}"]').first.click()
        expect(page).to_have_url(guest.house.url + path)
    page.go_back()
    expect(guest.at("pay")).to_be_visible()
    page.go_forward()
    expect(guest.at("help-link")).to_be_visible()
    with page.context.expect_page() as opened:
        guest.at("help-link").click(modifiers=["Control"])
    expect(opened.value).to_have_url(f"{guest.house.url}/help/link")
    expect(page).to_have_title("Guida · sabot")


def test_full_screen_from_the_menu_of_the_house_and_of_every_table(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.come_in()
    for path, there in (("/", "game-link"), ("/play/surrender", "deal"), ("/live/freebet", "limits-box")):
        guest.open(path)
        expect(guest.at(there)).to_be_visible()
        guest.press("menu", "full-screen")
        expect(page.locator(":fullscreen")).to_have_count(1)
        guest.press("menu")
        guest.sees("full-screen", "LASCIA LO SCHERMO INTERO")
        guest.press("full-screen")
        expect(page.locator(":fullscreen")).to_have_count(0)


def test_the_first_load_is_small_and_comes_compressed_from_the_house_alone(
    houses: Houses, page: Page
) -> None:
    guest = visit(page, houses())
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    guest.open("/")
    expect(guest.at("game-link")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sum(sizes) < 130_000
    assert not guest.strangers
    languages = "performance.getEntriesByType('resource').map((each) => each.name.match(/texts[.](..)/)?.[1]).filter(Boolean)"
    loaded = f"(wanted) => {languages}.join() === wanted"
    page.wait_for_function(loaded, arg="it")
    page.evaluate("window.stays = true")
    guest.press("language-en")  # is loaded when it is chosen, without loading the page again
    guest.sees("demo", "PLAY NOW")
    page.wait_for_function(loaded, arg="it,en")
    assert page.evaluate("window.stays")
    script = page.locator("script[src]").first.get_attribute("src")
    answer = page.request.get(
        f"{guest.house.url}{script}", headers={**guest.headers, "Accept-Encoding": "br"}
    )
    assert answer.headers["content-encoding"] == "br"
    assert "immutable" in answer.headers["cache-control"]
