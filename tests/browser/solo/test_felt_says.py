"""The felt says what lies on it: names, combinations, what is staked and paid, blackjack, one total (PLT-70)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter

pytestmark = pytest.mark.slow  # a browser


@pytest.mark.rule("PLT-70")
def test_side_bets_keep_their_names_and_name_what_has_won(enter: Enter, size: str) -> None:
    """6 4 of spades under a 5: a straight flush; then RESA of it, and a bust of the other hand."""
    room = enter("6s 10h 5s 4s 7h 9c 6d 8c")
    room.stake(500, "circle-0", "circle-1", "side-0-21+3", "side-0-player-pair", "side-dealer-dealer-pair")
    for place, name in (
        ("side-0-21+3", "21+3"),
        ("side-0-player-pair", "COPPIA"),
        ("side-dealer-dealer-pair", "CROUPIER"),
    ):
        expect(room.at(place).locator(".mark")).to_contain_text(name)
        expect(room.at(place).locator(".mark")).to_be_visible()
        room.lies(place, "5")
    room.press("side-2-21+3-prizes")
    expect(room.at("side-prizes")).to_have_text(
        re.compile("21.3.*Scala a colore *40 a 1.*Colore *5 a 1", re.I | re.S)
    )
    room.type("Escape")
    room.lies("side-2-21+3")  # nothing was staked by it
    room.press("deal")
    room.may("hit", "stand", "double", "surrender")
    expect(room.at("side-0-21+3")).to_contain_text("scala a colore 40 a 1")
    expect(room.at("side-0-21+3").locator(".category")).to_be_visible()
    room.lies("side-0-player-pair")
    room.press(
        "side-0-21+3"
    )  # nothing can be staked: the bet itself shows what it pays, and what it has won with
    expect(room.at("side-prizes").locator(".won")).to_have_text(["scala a colore, vinta", "40 a 1"])
    room.type("Escape")
    room.press("surrender")
    room.lies("circle-0", "2,50")
    expect(room.at("seat-1").get_by_text("17", exact=True)).to_be_visible()
    room.press("hit")
    room.sees("sum", "Hai vinto")
    expect(room.at("seat-1")).to_contain_text("sballa")
    room.lies("circle-1")
    room.lies("side-0-21+3", "205 scala a colore 40 a 1")
    if size == "phone":
        room.sees("combinations", "^Mano 1, 21.3: scala a colore 40.a.1$")
        room.page.set_viewport_size({"width": 320, "height": 568})
        room.at("combinations").scroll_into_view_if_needed()
        expect(room.at("combinations")).to_be_in_viewport(ratio=1)
    room.page.goto(f"{room.house.url}/history")
    room.press("round")
    expect(room.at("round-bets")).to_contain_text("vinta: scala a colore 40 a 1")
    expect(room.at("round-cards")).to_contain_text("23 sballa")


@pytest.mark.rule("PLT-70", "CSH-02")
def test_a_hand_that_was_sold_shows_its_price(enter: Enter) -> None:
    """At once, while the next hand is played; and after the page was loaded again."""
    room = enter("10s 6h 9h 8d 6c 8c 2d", game="cashback")
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal")
    (price,) = re.findall(r"\d+,\d\d", room.at("cashback").inner_text())
    room.press("cashback")
    room.may("hit", "stand", "double", "split", "cashback")
    for _ in range(2):
        expect(room.at("seat-0")).to_contain_text(f"venduta per {price}")
        room.lies("circle-0", price)
        room.page.reload()
    room.press("stand")
    expect(room.at("sum")).to_be_visible()
    expect(room.at("seat-0")).to_contain_text(f"venduta per {price}")
    room.lies("circle-0", price)


@pytest.mark.rule("PLT-70")
def test_a_dealer_blackjack_is_called_so_and_a_finished_hand_has_one_total(enter: Enter) -> None:
    room = enter("As Ah 8d Ks", game="cashback")
    room.stake(1000, "circle-0")
    room.press("deal", "refuse")
    expect(room.at("seat-0")).to_contain_text("9/19")
    room.press("stand")
    expect(room.at("sum")).to_be_visible()
    expect(room.at("dealer")).to_contain_text("blackjack")
    expect(room.at("dealer")).not_to_contain_text("21")
    expect(room.at("seat-0")).to_contain_text("19 persa")
    room.heard("Il banco ha blackjack.")
    room.lies("circle-0")


@pytest.mark.rule("PLT-70", "LNK-30")
def test_link_shows_what_it_pays_where_it_lies(enter: Enter, size: str) -> None:
    """Before the deal by its sign, after it by the bet itself; by keyboard too, which comes back to where it was."""
    room = enter("10s 9h 8d 8c", game="link")
    room.stake(500, "circle-0", "side-0-link")
    rows = room.at("side-prizes").locator("dt, dd")
    ends = ["GRAND", "2000 a 1"]
    for opener in ("side-2-link-prizes", "side-0-link"):
        if opener == "side-0-link":
            room.press("deal")
            room.may("hit", "stand", "double")
            expect(room.at(opener)).to_have_accessible_name(re.compile("LINK.*apre i premi$"))
        expect(room.at(opener)).to_have_attribute("aria-haspopup", "dialog")
        room.at(opener).press("Enter")
        expect(room.at("side-prizes")).to_be_focused()
        expect(rows).to_have_count(22)
        assert rows.all_inner_texts()[:2] == ["X5", "5 a 1"]
        assert rows.all_inner_texts()[-2:] == ends
        expect(room.at("side-prizes")).to_contain_text("da 6 a 1 fino a 13.800 a 1")
        expect(room.at("side-prizes")).to_be_in_viewport(ratio=1)
        room.page.keyboard.press("Escape")
        expect(room.at("side-prizes")).to_be_hidden()
        expect(room.at(opener)).to_be_focused()
