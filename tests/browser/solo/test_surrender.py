"""Blackjack Surrender in a real browser: from the door to the payout, with chosen cards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.support.recorded import assert_as_recorded

pytestmark = pytest.mark.slow  # a browser

#: What a commitment looks like.
HASH = re.compile(r"^[0-9a-f]{64}$")
#: One hand: the player's first, the up card, the player's second, the hole card, then what is drawn.
TWENTY = "10s 9h Kd 8c"


@pytest.mark.rule("ASR-15")
@pytest.mark.usefixtures("on_a_phone")
def test_from_the_lobby_to_the_payout(enter: Enter) -> None:
    room = enter(TWENTY, by_lobby=True)
    room.sees("balance", "100,00 FUN")
    room.stake(500, "circle-0", "circle-0")
    room.lies("circle-0", "10")
    room.press("deal")
    expect(room.at("stand")).to_be_enabled()
    room.shows("seat-0", "dieci di picche", "re di quadri")
    room.shows("dealer", "nove di cuori", "carta coperta")
    room.sees("balance", "90,00 FUN")
    room.press("stand")
    room.sees("sum", "Hai vinto 10,00")
    room.sees("balance", "110,00 FUN")
    room.sees("net", r"\+10,00")
    room.shows("dealer", "nove di cuori", "otto di fiori")
    assert_as_recorded(room)
    assert not room.complaints
    assert not room.strangers, "the page loads nothing from another host"


@pytest.mark.rule("PLT-49")
def test_a_table_without_money_says_so_and_leads_to_more(enter: Enter) -> None:
    room = enter("10s 9h 8d Kc", bring="10")
    room.stake(1000, "circle-0")
    room.press("deal", "stand")
    room.sees("sum", "Hai perso 10,00")
    room.sees("hint", "Al tavolo restano 0,00: non bastano per una puntata")
    room.sees("said", "Al tavolo restano 0,00")
    room.sees("money-gone", "Al tavolo restano 0,00")
    room.press("money-gone")
    room.at("amount").fill("20")
    room.press("bring")
    expect(room.at("repeat-deal")).to_be_enabled()


@pytest.mark.rule("COM-52")
def test_repeating_after_a_round_as_far_as_balance_and_limits_allow(enter: Enter) -> None:
    lost = "10s 9h 6d 10c"
    room = enter(TWENTY, TWENTY, lost, lost, bring="610")
    room.stake(10_000, "circle-0")
    room.press("deal", "stand")
    room.sees("balance", "710,00")
    room.press("double-deal", "stand")
    room.sees("sum", "Hai vinto 200,00")
    room.press("repeat")
    room.lies("circle-0", "200")
    room.shows("seat-0")
    room.press("double-stakes", "deal", "stand")
    room.sees("sum", "Hai perso 400,00")
    expect(room.at("double-deal")).to_be_disabled()  # 800 is above the limit of 500
    room.press("repeat-deal", "stand")
    room.sees("balance", "110,00")
    for button in ("repeat", "repeat-deal", "double-deal"):
        expect(room.at(button)).to_be_disabled()


@pytest.mark.rule("COM-53", "ASR-15")
def test_only_what_is_legal_now_can_be_pressed(enter: Enter) -> None:
    room = enter("8s 7h 8d 9h 3c Kd 10h 10s 5d")
    room.stake(1000, "circle-0")
    room.press("deal")
    room.may("hit", "stand", "double", "split", "surrender")
    assert room.look_of("hit", "backgroundImage") != room.look_of("stand", "backgroundImage")
    room.offered("double", r"RADDOPPIA\s*\+10,00")
    room.offered("split", r"DIVIDI\s*\+10,00")
    room.press("split")
    room.sees("hint", "parte 1")
    room.may("hit", "stand", "double")
    room.press("double")
    room.sees("hint", "parte 2")
    room.press("hit")
    room.sees("sum", "Hai perso 10,00")
    room.heard("parte 1, principale: pari")
    assert_as_recorded(room)


def test_cards_come_one_after_the_other_where_motion_is_wanted(enter: Enter) -> None:
    room = enter("5s 9h 6d 8c 10d")
    room.page.emulate_media(reduced_motion="no-preference")
    room.stake(1000, "circle-0")
    room.stop_clock()
    room.press("deal")
    room.sees("hint", "[Ll]e carte")
    room.page.clock.run_for(200)
    expect(room.at("seat-0").get_by_label("cinque di picche")).to_be_attached()
    expect(room.at("seat-0").get_by_label("sei di quadri")).to_have_count(0)
    room.page.clock.resume()
    room.may("hit", "stand", "double", "surrender")
    room.press("hit")
    room.sees("sum", "Hai vinto 10,00")


@pytest.mark.rule("COM-51")
def test_chips_before_the_deal_and_a_round_in_english(enter: Enter) -> None:
    room = enter(TWENTY)
    room.stake(100, "circle-0")
    room.stake(200, "side-0-21+3", "side-dealer-dealer-pair")
    room.press("double-stakes")
    room.sees("staked", "10,00")
    room.press("undo")
    room.sees("staked", "5,00")
    room.press("undo")
    expect(room.at("side-dealer-dealer-pair").locator(".amounts")).to_have_count(0)
    room.press("clear")
    room.sees("staked", "0,00")
    expect(room.at("deal")).to_be_disabled()
    room.stake(100, "circle-0")
    room.press("deal")
    expect(room.at("stand")).to_be_enabled()
    # English
    room.press("menu", "language-en", "close")
    room.sees("stand", "STAND")
    room.shows("seat-0", "ten of spades", "king of diamonds")
    room.press("stand")
    room.sees("balance", "FUN 101.00")
    expect(room.page.locator("html")).to_have_attribute("lang", "en")


def test_limits_are_named_where_a_stake_is_refused_and_chosen_from_the_menu(enter: Enter) -> None:
    room = enter(bring="900")
    room.sees("limits-box", "Min.*1 .*Max.*500")
    room.stake(10_000, *["circle-0"] * 6)
    room.sees("failure", "punta da 1,00 a 500,00")
    room.lies("circle-0", "500")
    room.press("clear", "menu")
    room.at("limits").select_option("low")
    room.press("close")
    room.sees("limits-box", "Max.*100")


@pytest.mark.rule("SUR-03", "ASR-15")
def test_resa_gives_half_back_and_what_the_balance_does_not_allow_cannot_be_pressed(enter: Enter) -> None:
    room = enter("10s 9h 6d 10c", bring="11")
    room.stake(500, "circle-0", "circle-0")
    room.press("deal")
    room.may("hit", "stand", "surrender")
    expect(room.at("double")).to_contain_text("saldo insufficiente")
    room.sees("surrender", "RESA.*5,00 indietro")
    room.press("surrender")
    room.sees("sum", "Hai perso 5,00")
    room.sees("balance", "6,00")
    label = room.at("seat-0").locator(".label")
    expect(label).to_have_text(re.compile(r"16\s+resa"), use_inner_text=True)
    assert_as_recorded(room)


@pytest.mark.rule("COM-31", "COM-32", "SUR-06", "ASR-15")
def test_insurance_for_one_hand_for_all_and_never(enter: Enter) -> None:
    # Hands 1 and 2; the dealer has a blackjack under the ace, twice, and then not.
    room = enter(*["9s 8s Ah 9d 8d Kc"] * 2, *["9s 8s Ah 9d 8d 8c"] * 4)
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal")
    room.sees("hint", "Assicuri la mano 1 per 5,00")
    room.offered("accept", r"\+5,00")
    room.offered("accept-all", r"\+10,00")
    room.press("accept")
    room.sees("hint", "Assicuri la mano 2 per 5,00")
    expect(room.at("accept-all")).to_be_hidden()
    room.press("refuse")
    room.sees("sum", "Hai perso 10,00")
    assert_as_recorded(room)
    room.press("repeat-deal", "accept-all")
    room.sees("sum", "In pari")
    assert_as_recorded(room)
    # The offer is switched off in the settings alone: a refusal for all is for one round.
    for _ in range(2):
        room.press("repeat-deal", "refuse-all", "stand", "stand")
        room.sees("sum", "Hai perso 20,00")
    room.press("menu", "insurance-switch", "close", "repeat-deal", "stand", "stand")
    room.sees("sum", "Hai perso 20,00")
    room.press("menu", "insurance-switch", "close", "repeat-deal")
    expect(room.at("accept")).to_be_enabled()


def test_whatever_breaks_a_table_goes_on_where_it_was(enter: Enter) -> None:
    """The network in a round, the page in a round and after one, the house itself, and at last the login."""
    # Two rounds of 11 against 9, which win; two hands, of which one wins; a shoe that runs empty is a malfunction.
    room = enter("5s 9h 6d 8c 10d", "5s 9h 6d 8c 9d", "10s 10d 9h Kd 8d Kc", "10s 9h")
    room.stake(1000, "circle-0")
    room.press("deal")
    expect(room.at("hit")).to_be_enabled()
    room.house.hang_up()
    room.press("hit")
    room.sees("sum", "Hai vinto 10,00")
    # The page is loaded again, and leads back into the round.
    room.press("repeat-deal")
    expect(room.at("hit")).to_be_enabled()
    room.page.reload()
    expect(room.at("hit")).to_be_enabled()
    room.shows("seat-0", "cinque di picche", "sei di quadri")
    room.lies("circle-0", "10")
    room.press("hit", "stand")
    room.sees("sum", "Hai vinto 10,00")
    # It still shows the last round.
    room.stake(1000, "circle-0", "circle-1", "side-0-21+3")
    room.press("deal", "stand", "stand")
    room.sees("sum", "Hai perso 10,00")
    room.sees("seat-0", r"\+10")
    room.sees("balance", "110,00")
    shown = {place: room.at(place).inner_text() for place in ("sum", "seat-0", "seat-1", "dealer", "balance")}
    room.page.reload()
    for place, text in shown.items():
        expect(room.at(place)).to_have_text(text, use_inner_text=True)
    room.press("menu")
    expect(room.at("revealed")).to_be_visible()
    room.press("close")
    # A voided round says so, and gives everything back.
    room.stake(1000, "circle-0")
    room.press("deal")
    room.sees("voided", "ogni puntata è tornata")
    room.sees("balance", "110,00")
    room.page.reload()
    room.sees("voided", "ogni puntata è tornata")
    # A login that has ended leads to the door.
    room.page.context.clear_cookies()
    room.house.hang_up()
    expect(room.at("demo")).to_be_visible()


def test_a_screen_reader_hears_the_round_and_its_proof_is_in_sight(enter: Enter) -> None:
    room = enter(TWENTY)
    room.press("proof")
    expect(room.at("commitment")).to_have_text(HASH)
    promised = room.at("commitment").inner_text()
    room.page.keyboard.press("Escape")
    room.stake(1000, "circle-0")
    room.press("deal", "stand")
    room.sees("sum", "Hai vinto")
    room.heard(
        "Mano 1: dieci di picche, totale 10.",
        "Il banco riceve una carta coperta.",
        "Tocca a Mano 1, totale 20. Puoi: stai, carta",
        "Il banco gira otto di fiori, totale 17.",
        "Mano 1, principale: vinta, pagato 20,00.",
        "Puntati 10,00, pagati 20,00, saldo 110,00.",
    )
    room.sees("code", r"^\d\d:\d\d:\d\d GMT$")
    room.press("menu")
    room.sees("full-code", r"^\d{6}-\d{6}-[A-Z2-7]{4}$")
    expect(room.at("revealed")).to_have_text("0" * 64)
    expect(room.page.get_by_role("dialog")).to_contain_text(promised)
