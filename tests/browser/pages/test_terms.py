"""Terms and conditions, age, and assistance (PLT-62, PLT-63)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from sabot.server.config import OperatorConfig
from tests.browser.support.faults import LOOKS, faults
from tests.browser.support.guest import PASSWORD, Played, visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]
OPERATOR = OperatorConfig(assistance_email="aiuto@example.org", assistance_phone="+39 06 1234")


@pytest.mark.rule("PLT-62")
def test_registration_asks_for_age_and_acceptance(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.open("/enter?register")
    expect(page.get_by_text("almeno 18 anni")).to_be_visible()
    guest.fill(user_name="ada", password=PASSWORD, password_again=PASSWORD, born="1990-12-31")
    guest.press("register")
    expect(guest.at("accept-terms")).to_have_js_property("validity.valueMissing", True)
    guest.at("accept-terms").check()
    guest.fill(born=f"{date.today().year - 10}-01-01")
    guest.press("register")
    guest.sees("failure", "Per registrarsi occorre avere almeno 18 anni")
    guest.fill(born="1990-12-31")
    guest.press("register")
    expect(guest.at("balance")).to_be_visible()
    assert not guest.strangers


@pytest.mark.rule("PLT-62")
def test_the_terms_are_a_page_and_a_new_version_is_accepted_at_the_next_login(
    houses: Houses, page: Page
) -> None:
    guest = visit(page, houses())
    guest.open("/")
    guest.press("foot-terms")
    expect(page.get_by_role("heading", level=1)).to_have_text("TERMINI E CONDIZIONI")
    expect(guest.at("terms-text")).to_contain_text("Gioco responsabile")
    expect(page.get_by_text("Versione 1")).to_be_visible()
    guest.open("/help/surrender")
    guest.press("help-terms")
    expect(guest.at("terms-text")).to_be_visible()
    guest.register("ada")

    later = visit(page, houses(operator=OperatorConfig(terms_version="2026-11")))
    later.log_in("ada")
    expect(later.at("accept")).to_be_visible()
    expect(page.get_by_text("Versione 2026-11")).to_be_visible()
    assert faults(later, *LOOKS) == []
    for path in ("/play/surrender", "/live/freebet-euro"):
        later.open(path)
        expect(later.at("accept")).to_be_visible()
    later.open("/cashier")  # what is hers can be taken out
    expect(later.at("accept")).to_be_hidden()
    later.open("/play/surrender")
    later.press("accept-terms")
    expect(later.at("accept")).to_be_hidden()
    expect(page.get_by_role("heading", name="Quanto porti al tavolo?")).to_be_visible()
    later.open("/")
    later.press("menu", "log-out")
    expect(page.get_by_role("link", name="ACCEDI")).to_be_visible()
    later.demo("/play/surrender")
    expect(later.at("accept")).to_be_hidden()


@pytest.mark.rule("PLT-63", "PLT-20")
def test_assistance_is_reached_from_help_a_tables_menu_and_a_round(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("10s 9s 9h Kd 8d 8c 10c", operator=OPERATOR))
    guest.come_in()
    code = guest.play(Played([(0, "main", 1_000)], [("stand", 0, 0)]))
    guest.open("/help/surrender")
    expect(guest.at("help-assistance")).to_be_visible(
        timeout=60_000
    )  # the returns may have to be compiled first
    guest.press("help-assistance")
    expect(guest.at("assistance-email")).to_have_attribute("href", "mailto:aiuto@example.org")
    expect(page.get_by_role("link", name="+39 06 1234")).to_have_attribute("href", "tel:+39061234")
    guest.open("/play/surrender")
    expect(guest.at("circle-0")).to_be_visible()  # the table is there, and its menu
    guest.press("menu")
    page.get_by_role("link", name="ASSISTENZA").click()
    expect(guest.at("assistance-email")).to_be_visible()
    expect(guest.at("assistance-code")).to_be_hidden()
    guest.open(f"/history/{code}")
    guest.press("round-assistance")
    guest.sees("assistance-code", code)
    expect(guest.at("assistance-email")).to_have_attribute(
        "href", f"mailto:aiuto@example.org?subject=Round%20{code}"
    )
    assert not guest.strangers
