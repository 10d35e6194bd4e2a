"""A player in the back office: found through the door, with every cent; corrected, voided and locked."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.sync_api import Route, expect

from sabot.server.accounts.second_factor import totp_code
from sabot.server.config import OfficeConfig
from tests.browser.support.guest import PASSWORD, Guest, Played
from tests.browser.support.live_room import OpenHall

pytestmark = pytest.mark.slow  # a browser


def shorten(route: Route) -> None:
    """The page of a player who has more logins and sittings than it shows."""
    reply = route.fetch()
    told = reply.json()
    told["player"] |= {"more_sittings": True, "more_logins": True}
    route.fulfill(response=reply, json=told)


def code_of(secret: str, hall_ms: int, steps: int = 0) -> str:
    """The code that an app shows, some half minutes later."""
    return totp_code(base64.b32decode(secret), hall_ms // 30_000 + steps)


@pytest.mark.rule("OFF-03", "OFF-04", "OFF-06", "OFF-17", "ASR-33")
def test_a_player_is_found_with_every_cent(open_hall: OpenHall) -> None:
    """The door opens with a second factor; account, table and open round add up; a correction moves money once."""
    hall = open_hall("10s 9h Kd 8c", office=OfficeConfig())
    ada = Guest(hall.page().page, hall.house)
    ada.register("ada")
    ada.deposit(10_050)
    code = ada.play(Played([(0, "main", 1_000)]), currency="EUR", amount=5_000)

    # The door: set up at the first visit, and passed with a code or, after idle time, with password and code.
    ugo = Guest(hall.page().page, hall.house)
    ugo.register("ugo")
    hall.house.give_role("ugo", "administrator")
    ugo.open("/office/players")
    expect(ugo.at("door")).to_be_visible()
    assert ugo.axe() == []
    ugo.at("setup-password").fill(PASSWORD)
    ugo.press("setup-begin")
    secret = ugo.at("setup-secret").inner_text()
    ugo.at("setup-code").fill("000000")
    ugo.press("setup-confirm")
    ugo.sees("failure", "Codice errato")
    ugo.at("setup-code").fill(code_of(secret, hall.house.now))
    ugo.press("setup-confirm")
    recovery, another = (ugo.at("recovery-codes").locator("li").nth(n).inner_text() for n in (0, 1))
    ugo.press("setup-done")
    expect(ugo.at("players")).to_be_visible()
    ugo.at("filter-player").fill("ada")
    ugo.at("filter-player").press("Enter")
    ugo.sees("filter-wrong", "solo cifre")  # and nothing was asked
    hall.house.let_idle(30)
    ugo.at("filter-name").fill("ad")
    ugo.at("filter-name").press("Enter")
    ugo.at("door-password").fill(PASSWORD)
    ugo.at("door-code").fill(recovery)
    ugo.press("door-open")

    # A file is asked for like a page: after idle time the door opens, and then it is saved.
    ugo.go("/office/reports/activity")
    expect(ugo.at("report")).to_be_visible()
    hall.house.let_idle(30)
    ugo.at("report-csv").focus()
    ugo.page.keyboard.press("Enter")
    ugo.at("door-password").fill(PASSWORD)
    ugo.at("door-code").fill(another)
    with ugo.page.expect_download() as saved:
        ugo.press("door-open")
    assert re.fullmatch(r"activity-all-[0-9-]{10}\.csv", saved.value.suggested_filename)
    assert "Attività dei giocatori" in saved.value.path().read_text("utf-8")
    expect(ugo.at("report-csv")).to_be_focused()
    ugo.page.go_back()

    # The money, to the cent.
    ugo.at("cell-name").get_by_role("link", name="ada").click()
    for place, amount in (
        ("account", "50,50"),
        ("tables", "40,00"),
        ("rounds", "10,00"),
        ("total", "100,50"),
    ):
        ugo.sees(f"{place}-EUR", amount)
    ugo.press("way-adjust")
    ugo.at("adjust-amount").fill("0,05")
    ugo.at("public-adjust").fill("a cent that was missing")
    ugo.at("reason-adjust").fill("rounding at the cashier")
    ugo.press("adjust")
    ugo.sees("total-EUR", "100,55")
    # Above what one person may give alone it waits for a second one (OFF-17).
    ugo.at("adjust-amount").fill("500")
    ugo.at("public-adjust").fill("a present")
    ugo.at("reason-adjust").fill("she is a good guest")
    ugo.press("adjust")
    ugo.sees("adjust-done", "attende la seconda")
    ugo.sees("waiting-gifts", "In attesa di una seconda persona")
    ugo.sees("total-EUR", "100,55")
    ugo.press("way-note")
    ugo.at("note-line").fill("<img src=x onerror=alert(1)> rang us")
    ugo.press("note")
    expect(ugo.at("notes")).to_contain_text("<img src=x onerror=alert(1)> rang us")  # markup is text
    expect(ugo.at("notes").locator("img")).to_have_count(0)
    assert ugo.axe() == []

    # Her round, voided; and she is locked.
    ugo.at("staked").get_by_role("link", name=code).click()
    ugo.sees("round-state", "aperto")
    ugo.sees("round-staked", "10,00")
    expect(ugo.at("round-steps")).to_contain_text("giocatore")
    assert ugo.axe() == []
    ugo.at("reason-void").fill("a card was seen")
    ugo.press("void")
    ugo.sees("round-state", "annullato")
    ugo.sees("round-staked", "10,00")
    ugo.sees("round-voided-why", "a card was seen")
    expect(ugo.at("round-voided-by").get_by_role("link")).to_be_visible()
    expect(ugo.at("round-shares").get_by_test_id("cell-net")).to_have_text("\u2013")
    ugo.sees("round-proof", "sabot audit")  # cards in a given order come from no seed
    ugo.page.go_back()
    ugo.sees("rounds-EUR", "0,00")
    ugo.sees("total-EUR", "100,55")
    ugo.press("way-lock")
    ugo.at("reason-lock").fill("asked us to")
    ugo.press("lock")
    ugo.sees("player-state", "bloccato")

    # Of many logins the page has the last, and says so.
    ugo.page.route(re.compile("/api/v1/office/players/[0-9]+$"), shorten)
    ugo.page.reload()
    ugo.sees("logins-last", r"Solo gli ultimi \d+\.")
