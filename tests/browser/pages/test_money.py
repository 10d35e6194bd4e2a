"""The cashier: money in, money out, once each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.support.guest import visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]


@pytest.mark.rule("PLT-02")
def test_cassiere_opens_deposits_and_withdrawals(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.register("ada")
    guest.open("/")
    guest.press("menu", "go-cashier")
    expect(page.get_by_role("heading", name="CASSIERE")).to_be_visible()
    refused = page.get_by_role("alert")
    for written, why in (
        ("", "Scrivi un importo."),
        ("0,5", "Il minimo è 1,00 €."),
        ("80,005", "due decimali"),
    ):
        guest.fill(amount=written)
        expect(refused).to_have_count(0)  # what was said of the amount before is gone
        guest.press("pay")
        expect(refused).to_contain_text(why)
        expect(guest.at("amount")).to_be_focused()
    guest.fill(amount="80,00")
    expect(refused).to_have_count(0)
    guest.press("pay")
    guest.sees("done", "Versati 80,00 €. Ora sul conto hai 80,00 €.")
    guest.press("way-withdraw")
    guest.fill(amount="100")
    guest.press("pay")
    expect(refused).to_have_text("Sul conto hai 80,00 €.")
    guest.fill(amount="30,50")
    guest.press("pay")
    guest.sees("done", "Prelevati 30,50 €. Ora sul conto hai 49,50 €.")
    guest.sees("balance", "49,50 €")
    guest.press("way-deposit", "currency-FUN")
    guest.fill(amount="1.000")
    guest.press("pay", "sure-yes")
    guest.sees("account-FUN", "1.000,00 FUN")
    guest.sees("account-EUR", "49,50 €")


def test_a_payment_whose_answer_was_lost_is_not_made_twice(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.register("ada")
    guest.open("/cashier")

    def lose(route: Route) -> None:
        route.fetch()  # it arrives, and nobody hears of it
        route.abort()

    page.route("**/cashier/deposit", lose, times=1)
    guest.fill(amount="20")
    guest.press("pay")
    guest.sees("failure", "Il server non risponde")
    expect(page.get_by_text("non si fa due volte")).to_be_visible()
    guest.press("pay")
    guest.sees("done", "Versati 20,00 €. Ora sul conto hai 20,00 €.")


def test_the_demo_leads_to_an_account(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.demo("/cashier")
    page.get_by_role("main").get_by_role("link", name="REGISTRATI").click()
    guest.sign_up("ada")
    guest.sees("account-EUR", "0,00 €")
