"""The lobby: five games, every live table, and a table that is not left by looking around."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sabot.games import find
from sabot.server.config import DEFAULT_TABLES
from tests.browser.support.guest import Played, visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]

GAMES = ("surrender", "cashback", "link", "freebet", "majority")
WON = "10s 9h Kd 8c"


def test_five_games_with_return_and_limits_for_this_player_and_a_search(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.open("/")
    for game in GAMES:
        published = find(game if game != "majority" else "majority-eu").published["main"]
        expect(guest.within(f"game-{game}", "return")).to_have_text(f"{published.replace('.', ',')} %")
    expect(guest.within("game-surrender", "limits")).to_have_text("1 \u2013 500")
    expect(guest.within("game-freebet", "limits")).to_have_text("1 \u2013 5K")
    guest.register("ada")
    guest.house.give_vip("ada", 2)
    guest.open("/")
    expect(guest.within("game-surrender", "limits")).to_have_text("1 \u2013 10K")
    # A search finds games and tables.
    expect(guest.at("table-freebet")).to_be_visible()
    guest.fill(search="majority eu")
    expect(guest.at("game-majority")).to_be_visible()
    expect(guest.at("game-link")).to_be_hidden()
    expect(guest.at("table-majority-eu")).to_be_visible()
    expect(guest.at("table-majority-us")).to_be_hidden()
    guest.fill(search="cashback")
    expect(guest.at("game-cashback")).to_be_visible()
    expect(guest.at("table-majority-eu")).to_be_hidden()
    guest.fill(search="poker")
    guest.sees("nothing", "Niente corrisponde a «poker»")
    guest.at("nothing").get_by_role("button").click()
    expect(guest.at("game-link")).to_be_visible()


@pytest.mark.rule("PLT-44")
def test_the_lobby_is_beside_every_game_and_does_not_take_the_player_away(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("5s 9h 6d 8c 10d", WON))
    guest.come_in()
    guest.play(Played([(0, "main", 1_000)]))
    guest.open("/history")  # other pages lead to the table
    expect(guest.at("no-rounds")).to_be_visible()
    guest.press("menu", "go-lobby", "continue-go")
    expect(guest.at("hit")).to_be_enabled()
    page.go_back()  # from the table, not from the page beside it
    guest.press("open-table")
    expect(guest.at("hit")).to_be_enabled()
    guest.press("lobby")  # in the middle of a round
    for section in DEFAULT_TABLES:
        options, table = find(section.game).options, f"table-{section.name}"
        limits = f"{options.main.minimum // 100} \u2013 {'5K' if options.main.maximum == 500_000 else '500'}"
        expect(guest.within(table, "limits")).to_have_text(limits)
        expect(guest.within(table, "state")).not_to_be_empty()
        expect(guest.within(table, "players")).to_have_text("0 persone")
        expect(guest.within(table, "results")).to_have_text("nessuna ancora")
        seats = "liberi 7 su 7" if section.game == "freebet" else "per tutti"
        expect(guest.within(table, "seats")).to_have_text(seats)
        expect(guest.at(table).get_by_text("EU", exact=True)).to_have_count(
            1 if section.game == "majority-eu" else 0
        )
    page.keyboard.press("Escape")
    expect(guest.at("lobby-beside")).to_be_hidden()
    guest.press("hit")  # the table is where it was
    guest.sees("sum", "Hai vinto 10,00")
    guest.open("/live/freebet")
    guest.press("lobby")
    expect(guest.at("table-majority-eu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{guest.house.url}/live/freebet")


@pytest.mark.rule("PLT-44", "PLT-48")
def test_the_lobby_opens_beside_a_live_table_that_has_not_come_yet(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.come_in()
    page.route_web_socket("**/api/v1/socket*", lambda socket: None)  # it opens, and nobody speaks
    guest.open("/live/freebet")
    guest.press("lobby")
    expect(guest.at("lobby-beside")).to_be_visible()
    expect(page).to_have_url(f"{guest.house.url}/live/freebet")


def test_favourites_stand_first_and_tables_played_lately_are_a_press_away(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.demo("/")
    first = page.locator(".games article").first
    expect(first).to_have_attribute("data-testid", "game-surrender")
    with page.expect_response("**/api/v1/settings"):
        guest.press("favourite-link")
    expect(first).to_have_attribute("data-testid", "game-link")
    with page.expect_response("**/api/v1/settings"):
        guest.press("favourite-live/majority-us")
    expect(page.locator(".tables article").first).to_have_attribute("data-testid", "table-majority-us")
    guest.press("play-cashback")
    expect(guest.at("deal")).to_be_enabled()
    guest.press("lobby", "play-surrender")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender")
    expect(guest.at("deal")).to_be_enabled()
    guest.open("/")
    expect(first).to_have_attribute("data-testid", "game-link")  # it is in the profile
    expect(guest.at("open-table")).to_contain_text("Surrender")
    expect(guest.at("continue")).to_have_count(0)  # no round waits
    expect(guest.at("recent").get_by_role("link")).to_have_text([re.compile("Cashback Blackjack$")])
    assert not guest.axe()


@pytest.mark.rule("PLT-44", "PLT-04")
def test_several_tables_are_open_at_once(houses: Houses, page: Page) -> None:
    guest = visit(page, houses(WON, WON, "5s 9h 6d 8c 10d"))
    strip, url = guest.at("open-table"), f"{guest.house.url}/play/"
    surrender, link = (page.locator(f"[href='/play/{game}']") for game in ("surrender", "link"))
    guest.come_in()
    guest.play(Played([(0, "main", 1_000)], [("stand", 0, 0)]), game="link")
    guest.play(Played([(0, "main", 1_000)]))
    guest.open("/play/surrender")
    expect(strip).to_have_count(2)
    expect(surrender).to_contain_text("Tocca a te")
    expect(link).to_contain_text("510,00 FUN")
    guest.press("lobby", "play-cashback")
    expect(strip).to_have_count(3)
    link.click()
    expect(page).to_have_url(f"{url}link")
    expect(strip).to_have_count(2)  # Cashback was only looked at
    expect(guest.at("leave-table")).to_have_count(1)  # a round that waits is not left
    for size in ((1440, 900), (390, 844), (844, 390)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        bottom = "document.querySelector('[data-testid=balance]').getBoundingClientRect().bottom"
        page.wait_for_function(f"{bottom} <= {size[1]}")  # the row takes its height from the table
        targets = page.locator("[data-testid=open-table], [data-testid=leave-table]")
        boxes = targets.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
        assert all(min(box["height"], box["width"]) >= 24 for box in boxes), boxes
        assert all(box["left"] >= 0 and box["right"] <= size[0] for box in boxes), boxes
    surrender.click()
    expect(page).to_have_url(f"{url}surrender")
    guest.press("hit")
    guest.sees("sum", "Hai vinto 10,00")
    expect(surrender).to_contain_text("510,00 FUN")
    guest.open("/history")
    expect(strip).to_have_count(2)
    assert guest.axe() == []
    page.get_by_role("button", name="Lascia Surrender Multihand").click()
    expect(strip).to_have_count(1)
    guest.sees("balance", "4.510,00 FUN")  # the money went back
    strip.click()
    expect(page).to_have_url(f"{url}link")


def test_a_player_with_an_account_chooses_between_euros_and_play_money(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.register("ada")
    guest.deposit(5_000)
    guest.open("/")
    guest.press("money-FUN", "play-surrender")
    expect(page).to_have_url(f"{guest.house.url}/play/surrender/fun")
    guest.sees("balance", "0,00 FUN")
    guest.open("/")
    expect(guest.at("money-FUN")).to_have_attribute("aria-pressed", "true")
    guest.press("money-EUR", "play-surrender")
    guest.sees("balance", "50,00 €")
