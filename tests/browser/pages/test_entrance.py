"""Coming in: demo, registration, login, and where one is led from there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.page_speed import READ, RECORD
from tests.browser.support.guest import PASSWORD, Played, visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]

#: What a player sees of the own account on every page.
PAGES = ("/", "/history", "/cashier", "/settings", "/responsible", "/help", "/fairness")


@pytest.mark.rule("PLT-01")
def test_registration_login_and_demo_with_the_balance_always_on_screen(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.open("/enter")
    guest.press("demo")
    guest.sees("balance", "5.000,00 FUN")  # play money, without registration
    guest.press("menu", "log-out")
    expect(guest.at("demo")).to_be_visible()
    guest.open("/enter?register")
    guest.sign_up("ada")
    guest.sees("balance", "0,00 €")
    guest.deposit(1_250)
    guest.open("/")
    for path in PAGES:
        guest.go(path)
        guest.sees("balance", "12,50 €")
    guest.go("/play/surrender")
    guest.sees("balance", "12,50 €")
    guest.open("/")
    guest.press("menu", "log-out")
    guest.log_in("ada")
    guest.sees("balance", "12,50 €")
    assert not guest.strangers


@pytest.mark.parametrize(("door", "balance"), [("/", "100,00 FUN"), ("/enter", "5.000,00 FUN")])
def test_one_who_is_told_to_wait_comes_in_without_pressing_again(
    houses: Houses, page: Page, door: str, balance: str
) -> None:
    """The house says twice that too many come at once; the page says so, counts down and tries again by itself."""
    guest = visit(page, houses())
    asked: list[int] = []

    def busy(route: Route) -> None:
        asked.append(len(asked))
        if len(asked) > 2:
            route.continue_()
            return
        error = {"code": "rate/limited", "params": {"seconds": 2}}
        route.fulfill(status=429, json={"error": error})

    page.route("**/api/v1/demo", busy)
    guest.open(door)
    expect(guest.at("demo")).to_be_enabled()
    guest.stop_clock()
    guest.at("demo").click()
    for _ in range(2):
        for left in (2, 1):
            guest.sees("waiting", f"riproviamo automaticamente tra {left} s")
            expect(guest.at("failure")).to_have_count(0)
            page.clock.run_for(1000)
    guest.sees("balance", balance)
    assert len(asked) == 3


def test_what_is_wrong_is_said_where_it_is_and_a_private_page_asks_who_is_there(
    houses: Houses, page: Page
) -> None:
    guest = visit(page, houses())
    guest.register("ada")
    page.context.clear_cookies()
    guest.open("/enter?register")
    guest.fill(user_name="ada", password=PASSWORD, password_again="something else")
    expect(page.get_by_role("alert")).to_have_text("Le due password non sono uguali.")
    expect(guest.at("register")).to_be_disabled()
    guest.fill(password_again=PASSWORD, born="1990-12-31")
    guest.at("accept-terms").check()
    guest.press("register")
    guest.sees("failure", "Il nome “ada” è già preso: scegline un altro")
    guest.fill(user_name="a b")
    guest.press("register")
    guest.sees("failure", "Il nome utente deve avere da 3 a 24 caratteri")
    guest.fill(user_name="grace", password="short", password_again="short")
    guest.press("register")
    guest.sees("failure", "La password deve avere almeno 10 caratteri")
    guest.press("turn-log-in")
    guest.fill(user_name="ada", password="not the password")
    guest.press("log-in")
    guest.sees("failure", "Nome utente o password errati")
    guest.fill(password=PASSWORD)
    guest.press("log-in")
    guest.sees("balance", "0,00 €")
    # A private page asks who is there, and then opens.
    guest.press("menu", "log-out")
    expect(guest.at("demo")).to_be_visible()
    guest.open("/cashier")
    expect(guest.at("demo")).to_be_visible()
    guest.fill(user_name="ada", password=PASSWORD)
    guest.press("log-in")
    expect(guest.at("pay")).to_be_visible()
    expect(page).to_have_url(f"{guest.house.url}/cashier")


@pytest.mark.rule("PLT-30")
def test_a_round_that_waits_is_where_a_player_is_led_at_the_same_point(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("5s 9h 6d 8c 10d"))
    guest.register("ada")
    guest.deposit(10_000)
    code = guest.play(Played([(0, "main", 1_000)]), currency="EUR", amount=5_000)
    page.route("**/api/v1/me", lambda route: route.abort(), times=1)
    guest.open("/")  # the login still holds; the house is asked again
    guest.press("retry")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender")
    expect(guest.at("hit")).to_be_enabled()
    guest.open("/help")  # other addresses lead where they say
    guest.press("menu", "go-lobby")
    guest.sees(
        "continue", f"Blackjack Surrender Multihand.*{code}"
    )  # and the lobby is there for who asks for it
    guest.press("menu", "log-out")
    expect(guest.at("demo")).to_be_visible()
    guest.log_in("ada")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender")
    expect(guest.at("hit")).to_be_enabled()
    guest.shows("seat-0", "cinque di picche", "sei di quadri")
    guest.press("hit")
    guest.sees("sum", "Hai vinto 10,00")


def test_two_presses_from_the_lobby_to_the_first_card(houses: Houses, page: Page, size: str) -> None:
    """Without an account one plays at once: seated with play money and a first bet, and shown where to press.

    On the way nothing jumps: all shifts together, those after a press too, stay under 0.02.
    """
    guest = visit(page, houses("10s 9h Kd 8c"))
    page.add_init_script(RECORD)
    guest.open("/")
    guest.press("demo" if size == "phone" else "play-surrender")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender")
    expect(guest.at("deal")).to_have_class(re.compile(r"\blit\b"))
    guest.sees("hint", "premi DISTRIBUISCI per le prime carte")
    guest.sees("balance", "100,00 FUN")
    guest.press("deal")
    expect(guest.at("stand")).to_be_enabled()
    expect(guest.at("seat-2").get_by_role("img")).to_have_count(2)
    shifts = page.evaluate(READ)["shifts"]
    assert sum(shift["value"] for shift in shifts) < 0.02, shifts
    guest.press("stand")
    guest.sees("sum", "Hai vinto 5,00")
    guest.press("lobby", "play-link")  # at another game a bet lies there too; the player knows where to press
    expect(guest.at("deal")).to_be_enabled()
    expect(guest.at("deal")).not_to_have_class(re.compile(r"\blit\b"))


def test_euros_are_brought_by_choice(houses: Houses, page: Page) -> None:
    """For money the amount is asked for; those that are offered follow from the least stake and the account."""
    guest = visit(page, houses())
    guest.register("ada")
    guest.deposit(7_550)
    guest.open("/play/surrender")
    expect(guest.at("bring")).to_be_visible()
    expect(page.locator(".presets button")).to_have_text(["20", "50", "75,50"])
    expect(guest.at("amount")).to_have_value("75,50")
    page.locator(".presets button").first.click()
    guest.press("bring")
    guest.sees("balance", "20,00 €")
    expect(guest.at("deal")).to_be_disabled()  # no bet for money that the player has not made


def test_a_house_that_does_not_answer_is_tried_again_and_an_address_of_nothing_says_so(
    houses: Houses, page: Page
) -> None:
    guest = visit(page, houses())
    guest.come_in()
    page.route("**/api/v1/me", lambda route: route.abort())
    guest.open("/")
    guest.sees("oops", "Il server non risponde")
    page.unroute("**/api/v1/me")
    guest.press("retry")
    expect(guest.at("balance")).to_be_visible()
    page.context.clear_cookies()
    # An address that leads nowhere leads to the lobby.
    for path in ("/nowhere", "/help/poker/more", "/play/poker"):
        guest.open(path)
        if path == "/play/poker":
            guest.press("demo")
        expect(guest.at("oops")).to_be_visible()
        guest.press("to-lobby")
        expect(guest.at("game-surrender")).to_be_visible()
