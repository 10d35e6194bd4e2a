"""Settings: kept in the profile, on every device; what concerns looks holds at every table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.support.guest import visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]


@pytest.mark.rule("PLT-43")
def test_settings_follow_the_player_to_every_device(
    houses: Houses, page: Page, new_page: NewPage, browser_context_args: dict[str, Any]
) -> None:
    house = houses()
    guest = visit(page, house)
    guest.register("ada")
    guest.open("/settings")
    groups = page.get_by_role("main").get_by_role("heading", level=2)
    expect(groups).to_have_text(
        ["GENERALE", "VIDEO", "AUDIO", "PUNTATA ALLE SPALLE", "CONTO"], use_inner_text=True
    )
    guest.press("four-colours", "insurance", "muted", "view-classic", "allow-behind")
    guest.at("volume-game").fill("35")
    guest.at("volume-game").dispatch_event("change")
    guest.fill(client_seed="il mio seme")
    guest.at("client-seed").press("Tab")
    page.get_by_role("main").get_by_test_id("language-en").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("SETTINGS")
    # The language was chosen last: the profile that has it has all.
    kept = "fetch('/api/v1/settings').then((reply) => reply.json()).then(({ language }) => language === 'en')"
    page.wait_for_function(f"() => {kept}")

    other = visit(new_page(**browser_context_args), house)  # another device, Italian by itself
    other.log_in("ada")
    expect(other.page.locator("html")).to_have_attribute("lang", "en")
    expect(other.page.locator("html")).to_have_attribute("data-suits", "four")
    other.open("/settings")
    for name, on in (("four-colours", True), ("insurance", False), ("muted", True), ("allow-behind", False)):
        expect(other.at(name)).to_be_checked(checked=on)
    expect(other.at("view-classic")).to_have_attribute("aria-pressed", "true")
    expect(other.at("quality-auto")).to_have_count(0)  # no table has a video (STU-21)
    expect(other.at("volume-game")).to_have_value("35")
    expect(other.at("volume-voice")).to_have_value("80")
    expect(other.at("client-seed")).to_have_value("il mio seme")


@pytest.mark.rule("ASR-50")
def test_four_colours_and_less_motion_hold_for_the_whole_document(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("10s 9h Kd 8c"))
    guest.demo("/settings")
    diamond = page.get_by_role("img", name="fante di quadri")
    before = diamond.evaluate("card => getComputedStyle(card).color")
    guest.press("four-colours")
    expect(page.locator("html")).to_have_attribute("data-suits", "four")
    assert diamond.evaluate("card => getComputedStyle(card).color") != before
    guest.press("less-motion")
    page.emulate_media(reduced_motion="no-preference")
    guest.open("/play/surrender")
    expect(page.locator("html")).to_have_attribute("data-motion", "less")
    guest.sit("100")
    guest.stake(1000, "circle-0")
    guest.press("deal")
    expect(guest.at("stand")).to_be_enabled()
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_new_password_ends_every_other_login(
    houses: Houses, page: Page, new_page: NewPage, browser_context_args: dict[str, Any]
) -> None:
    house = houses()
    guest = visit(page, house)
    guest.register("ada")
    other = visit(new_page(**browser_context_args), house)
    other.log_in("ada")
    expect(other.at("balance")).to_be_visible()
    guest.open("/settings")
    guest.fill(old_password="not the password", new_password="another password")
    guest.press("change-password")
    guest.sees("failure", "Nome utente o password errati")
    guest.fill(old_password="a long password")
    guest.press("change-password")
    guest.sees("password-changed", "Password cambiata")
    other.open("/cashier")
    expect(other.at("demo")).to_be_visible()
    other.log_in("ada", "another password")
    expect(other.at("balance")).to_be_visible()
    guest.open("/settings")
    guest.press("everywhere")
    expect(guest.at("demo")).to_be_visible()
