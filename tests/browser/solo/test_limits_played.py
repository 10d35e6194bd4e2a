"""Limits that can be played: chips that fit them, and the way to more money where no more can be brought."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sabot.games.options import Limits
from sabot.server.config import LimitsSection
from tests.browser.conftest import Enter
from tests.browser.support.room import Room

pytestmark = pytest.mark.slow  # a browser

#: 300.00 are more than a cap needs there: five hands at 10.00 with side bets up to 2.00 take 247.00.
LOW = LimitsSection(name="low", main=Limits(100, 1_000), side=Limits(100, 200), cap=30_000)
SALON = LimitsSection(name="salon", main=Limits(10_000, 1_000_000), side=Limits(1_000, 100_000))
#: The chips of the salon, five at a time.
SMALL = (1_000, 2_500, 5_000, 10_000, 25_000)
LARGE = (10_000, 25_000, 50_000, 100_000, 250_000)


#: Whether the chips in sight are these, from the left, in cents.
_SHOWN = """
(chips) => [...document.querySelectorAll(".desk [data-testid^=chip-]")]
  .filter((chip) => chip.checkVisibility())
  .map((chip) => chip.dataset.testid.slice(5))
  .join() === chips.join()
"""


def shows(room: Room, *chips: int) -> None:
    """These chips are in sight, and no others, or will soon be."""
    room.page.wait_for_function(_SHOWN, arg=chips)


def choose(room: Room, limits: str) -> None:
    room.press("limits-box")
    room.at("limits").select_option(limits)
    room.type("Escape")
    expect(room.page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.rule("PLT-69", "PLT-45", "COM-25", "COM-54")
def test_chips_fit_the_limits_and_add_up_to_the_minimum(enter: Enter, size: str) -> None:
    """At the salon taps of 10.00 come to 100.00; until then nothing is refused but the deal, in words."""
    room = enter("10s 9h Kd 8c", bring="2000", limits=(SALON, LOW))
    shows(room, *SMALL)
    expect(room.at("chip-10000")).to_have_attribute("aria-pressed", "true")  # one that is a bet
    room.press("chips-more")
    shows(room, *LARGE)
    room.press("chips-more")
    shows(room, *SMALL)
    if size == "desktop":
        room.type("8")
        shows(room, *LARGE)
        room.type("1")
        shows(room, *SMALL)
    else:
        room.press("chip-1000")
    room.press("circle-2", "circle-2")
    room.lies("circle-2", "20")
    room.sees("hint", "20,00 .*è sotto il minimo di 100,00")
    room.press("deal")
    room.sees("failure", "20,00 .*punta da 100,00 a 10.000,00")
    room.lies("circle-2", "20")
    room.press(*["circle-2"] * 8)
    room.lies("circle-2", "100")
    expect(room.at("failure")).to_have_count(0)
    choose(room, "low")
    shows(room, 100, 200)
    expect(room.at("chip-100")).to_have_attribute("aria-pressed", "true")
    choose(room, "salon")
    room.stake(10_000, "circle-2")
    room.press("deal", "stand")
    room.sees("sum", "Hai vinto 100,00")
    assert not room.complaints


@pytest.mark.rule("PLT-04", "PLT-64")
def test_where_the_cap_is_reached_the_page_leads_out(enter: Enter) -> None:
    """To leave and sit again; where the account is empty, to the cashier."""
    room = enter("10s 9h Kd 8c", "10s 9h 8d Kc", bring="100", limits=(LOW, SALON))
    room.add_up_to("300")
    room.sees("add-money", "LASCIA E SIEDITI DI NUOVO")
    room.press("add-money")
    room.sees("sit-cap", "al massimo 300,00 FUN per sessione")
    room.sees("sit-full", "Hai già portato il massimo")
    expect(room.at("bring")).to_have_count(0)
    room.type("Escape")
    # In a round the player cannot leave: nothing leads nowhere.
    room.stake(100, "circle-0")
    room.press("deal")
    expect(room.at("stand")).to_be_enabled()
    expect(room.at("add-money")).to_be_hidden()
    room.press("stand")
    room.sees("sum", "Hai vinto 1,00")
    room.press("add-money", "leave-again")
    room.at("amount").fill("300")
    room.press("bring")
    room.sees("balance", "300,00")

    choose(room, "salon")
    room.sees("add-money", "AGGIUNGI DENARO")
    room.press("add-money")
    expect(room.at("sit-cap")).to_have_count(0)
    room.at("amount").fill("4701")
    room.press("bring")
    room.sees("balance", "5.001,00")
    room.sees("add-money", "CASSIERE")
    room.press("add-money")
    expect(room.page.locator("[data-window=beside]")).to_contain_text("CASSIERE")
    assert not room.complaints
