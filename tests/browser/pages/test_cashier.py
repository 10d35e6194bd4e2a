"""The cashier's page: large payments are asked for once more, limits are told, and every movement is listed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support.guest import visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]


@pytest.mark.rule("PLT-02")
def test_a_large_payment_is_confirmed_and_listed(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.register("ada")
    guest.open("/cashier")
    expect(guest.at("cashier-limits")).to_contain_text(
        "Da 1,00 € a 10.000,00 € per volta, fino a 20.000,00 €"
    )
    guest.fill(amount="2.500,50")
    guest.press("pay")
    expect(guest.at("sure-amount")).to_have_text("2.500,50 €")
    guest.press("sure-no")
    expect(guest.at("sure")).to_be_hidden()
    expect(guest.at("account-EUR")).to_have_text("0,00 €")
    guest.press("pay", "sure-yes")
    expect(guest.at("account-EUR")).to_have_text("2.500,50 €")
    guest.fill(amount="99999999")
    guest.press("pay")
    guest.sees("amount-refused", "Il massimo è 10.000,00 €.")
    expect(guest.at("account-EUR")).to_have_text("2.500,50 €")
    guest.press("way-withdraw")
    guest.fill(amount="20")
    guest.press("pay")  # a small one is not asked for again
    expect(guest.at("done")).to_be_visible()
    expect(guest.at("movements").get_by_role("listitem")).to_contain_text(
        ["Prelievo", "Versamento"], use_inner_text=True
    )
    expect(guest.at("movements")).to_contain_text("\u221220,00 €")
    expect(guest.at("movements")).to_contain_text("+2.500,50 €")
    guest.sees("moved-EUR", r"Movimenti\s*2\s*Versato\s*2\.500,50 €\s*Prelevato\s*20,00 €")
    guest.at("filter-way").select_option("withdraw")
    expect(guest.at("movements").get_by_role("listitem")).to_contain_text(["Prelievo"], use_inner_text=True)
    guest.sees("moved-EUR", r"Movimenti\s*1\s*Versato\s*0,00 €\s*Prelevato\s*20,00 €")
    guest.at("filter-currency").select_option("FUN")
    guest.sees("no-movements", "Nessun movimento in questo periodo")
    guest.press("filter-clear")
    expect(guest.at("movements").get_by_role("listitem")).to_have_count(2)
