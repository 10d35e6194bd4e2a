"""The words of the pages: each says what it means, in the language of the page (PLT-46)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support.guest import PASSWORD, visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]


@pytest.mark.rule("PLT-46", "PLT-10", "PLT-61")
def test_pages_say_what_they_mean_in_the_language_of_the_page(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    # A name that cannot be is refused with the reason, before and instead of a request.
    guest.open("/enter")
    for name in ("mario rossi", "a", "_ada", "città"):
        guest.fill(user_name=name, password=PASSWORD)
        guest.press("log-in")
        guest.sees("failure", "Il nome utente deve avere da 3 a 24 caratteri")
    guest.open("/enter?register")
    guest.fill(user_name="x")
    guest.sign_up("x")
    guest.sees("failure", "Il nome utente deve avere da 3 a 24 caratteri")
    guest.register("ada")
    guest.house.give_vip("ada", 2)
    # A round that is none is told in the page's own language.
    for code in ("XXXX", "260829-104000-AAAA"):
        guest.open(f"/history/{code}")
        guest.sees("failure", f"Il round .*{code}.* non esiste")
    # Who is here, with the VIP level; and the level at the limits.
    guest.press("menu")
    guest.sees("who", "ada, livello VIP 2")
    guest.open("/help/cashback")
    guest.sees("limits-panel", "al livello VIP 2")
    expect(guest.at("return-note").first).to_contain_text("spiega il valore pubblicato")
    meanings = {
        "Colore": "tre carte dello stesso seme, non in fila",
        "Scala a colore": "tre carte in fila, dello stesso seme",
        "Coppia rossa/nera": "due carte dello stesso rango, una rossa e una nera",
    }
    for testid, path in (("prizes", "/help/cashback"), ("prize-table", "/prizes/cashback")):
        guest.open(path)
        for name, meaning in meanings.items():
            expect(guest.at(testid)).to_contain_text(re.compile(rf"{name}\s*{meaning}", re.I))
    # Tabs can be told apart.
    guest.open("/play/cashback")
    expect(page).to_have_title(re.compile("^Cashback Blackjack · "))
