"""Blackjack Link in a real browser: the table, and the bonus from the wheel to its win."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from sabot.games import find
from sabot.games.options import Limits
from sabot.server.config import LimitsSection
from tests.browser.conftest import Enter
from tests.browser.support.recorded import assert_as_recorded
from tests.browser.support.room import Room

pytestmark = pytest.mark.slow  # a browser

#: One hand: a blackjack under a six.
BLACKJACK = "As 6h Kd 10c"
#: The wheel stops on X10; on LINK; on MEGA LINK.
X10, LINK, MEGA = 400, 900, 990
#: LINK with tiles X2, diamond, X3; prizes 1X, 50X and 5X on cells 0, 17 and 1.
OPENED = [LINK, 0, 85, 60, 0, 0, 16, 299, 0, 250]
BLANK = [0] * 15


def bonus(enter: Enter, *draws: int, cards: str = BLACKJACK) -> Room:
    """A hand with a LINK bet of 2.00 that comes to its wheel."""
    room = enter(cards, game="link", draws=[draws])
    room.stake(1000, "circle-0")
    room.stake(200, "side-0-link")
    room.press("deal")
    expect(room.at("spin")).to_be_enabled()
    return room


@pytest.mark.rule("LNK-08", "LNK-21", "LNK-22", "LNK-34", "LNK-36", "COM-56", "ASR-15")
@pytest.mark.usefixtures("on_a_phone")
def test_from_the_lobby_over_the_wheel_to_the_payout(enter: Enter) -> None:
    room = enter("As 10s 6h Kd 9d 10c 9s", game="link", draws=[[X10]], by_lobby=True)
    room.sees("max-win", "500.000")
    room.stake(1000, "circle-0", "circle-1")
    room.stake(200, "side-0-link", "side-1-link", "side-dealer-dealer-pair")
    room.press("deal")
    room.sees("hint", "Mano 1: Bonus Link. Premi GIRA")
    room.sees("bonus-stake", "2,00")
    room.press("spin")
    room.sees("bonus-win", "X10.*Hai vinto 20,00.*10 a 1 su 2,00, puntata compresa 22,00")
    room.press("bonus-close")
    room.sees("hint", "Tocca alla mano 2: 19")
    room.sees("balance", "96,00")  # credited when the bonus ends
    room.lies("side-0-link", "22")
    room.sees("seat-0", r"blackjack\s*\+20")
    room.press("stand")
    room.sees("seat-0", r"\+35")
    room.sees("sum", "Hai vinto 41,00")
    assert_as_recorded(room)
    room.heard(
        "Mano 1 è un blackjack con puntata LINK",
        "La ruota si ferma su X10.",
        "Il bonus paga 10 a 1: ricevi 22,00.",
    )
    assert not room.complaints
    assert not room.strangers


@pytest.mark.rule("LNK-23", "LNK-25", "LNK-26", "LNK-27", "LNK-28", "LNK-29", "LNK-33", "LNK-35", "ASR-15")
def test_a_link_table_goes_on_where_it_was_whenever_the_page_is_loaded_again(enter: Enter) -> None:
    # A spin that locks 2X, 3X and 4X, then three that lock nothing.
    spins = [4800, 4870, 4915] + [0] * 12 + [0] * 36
    room = bonus(enter, *OPENED, *spins)
    room.page.reload()
    room.sees("hint", "Premi GIRA")
    expect(room.at("wheel")).to_be_visible()
    room.press("spin")
    room.sees("bonus-intro", "LINK.*18 caselle e 3 giri")
    room.page.reload()
    room.sees("bonus-intro", "LINK")
    room.press("continue")
    room.sees("bonus-table", "MINI.*X20.*40,00.*MINOR.*X100.*MAJOR.*X500.*GRAND.*X2000.*4.000,00")
    room.sees("tile-0", "X2")
    expect(room.at("tile-1")).to_have_attribute("title", "diamante")
    prizes = {0: r"1X\s*2", 1: r"5X\s*10", 17: r"50X\s*100"}
    for cell in range(18):
        room.sees(f"cell-{cell}", f"^\\s*{prizes.get(cell, '')}\\s*$")
    room.press("spin")
    room.sees("said", "Nuovi premi: 3.*di nuovo 3")
    room.sees("spins-left", "3")
    room.press("spin")
    room.sees("spins-left", "2")
    room.page.reload()
    room.sees("spins-left", "2")
    room.sees("cell-17", "50X")
    room.press("spin")
    room.sees("spins-left", "1")
    room.house.hang_up()
    room.press("spin")
    # 1 + 5 + 50 + 2 + 3 + 4 to 1 on 2.00.
    room.sees("bonus-win", "LINK.*Hai vinto 130,00.*65 a 1")
    room.type("Escape")
    room.sees("sum", "Hai vinto 145,00")
    assert_as_recorded(room)


@pytest.mark.rule("LNK-08", "LNK-23", "LNK-24", "LNK-27", "LNK-29")
@pytest.mark.usefixtures("on_a_phone")
def test_a_prize_is_shown_as_it_will_be_paid(enter: Enter) -> None:
    """At the salon GRAND would be 2,000,000.00 on 1,000.00: the maximum win leaves 500,000.00. Tiles lie under the table."""
    tiles = [0, 50, 85, 75, 99, 10]
    prizes = [0, 0, 5, 120, 9, 299, 12, 200, 20, 250, 25, 10]
    salon = LimitsSection(name="salon", main=Limits(10_000, 1_000_000), side=Limits(1_000, 100_000))
    room = enter(
        BLACKJACK, game="link", draws=[[MEGA, *tiles, *prizes, *[0] * 90]], bring="2000", limits=(salon,)
    )
    room.stake(10_000, "circle-0")
    room.stake(100_000, "side-0-link")
    room.press("deal", "spin", "continue")
    room.sees("bonus-table", "MAJOR.*X500.*500.000,00.*GRAND.*X2000.*500.000,00")
    room.sees("prizes-capped", "puoi vincere ancora 500.000,00")
    lowest = max(
        box["y"] + box["height"] for cell in range(36) if (box := room.at(f"cell-{cell}").bounding_box())
    )
    tops = [box["y"] for tile in range(6) if (box := room.at(f"tile-{tile}").bounding_box())]
    assert len(tops) == 6
    assert min(tops) >= lowest
    assert room.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    room.sees("spins-left", "3")


@pytest.mark.rule("LNK-24", "LNK-29", "LNK-33")
@pytest.mark.usefixtures("on_a_phone")
def test_a_full_mega_link_table_pays_multipliers_and_diamonds(enter: Enter) -> None:
    tiles = [0, 50, 85, 75, 99, 10]
    prizes = [0, 0, 5, 120, 9, 299, 12, 200, 20, 250, 25, 10]
    room = bonus(enter, MEGA, *tiles, *prizes, *[4700] * 30, 95, 99)
    room.press("spin")
    room.sees("bonus-intro", "MEGA LINK.*36 caselle")
    room.press("continue")
    expect(room.at("bonus-table").get_by_role("group")).to_have_count(6)
    assert room.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    room.press("spin")
    room.sees("bonus-win", "Il blocco 3 vince MAJOR X500.*Il blocco 5 vince GRAND X2000")
    room.page.reload()  # over and credited: back at the main game
    expect(room.at("sum")).to_be_visible()
    assert_as_recorded(room)


@pytest.mark.rule("LNK-04", "LNK-05", "COM-53")
def test_even_money_is_asked_one_by_one_and_insurance_for_all(enter: Enter) -> None:
    # Hands 1 to 3, the second a blackjack; the dealer has a blackjack under the ace.
    room = enter("9s As 8s Ah 9d Kd 8d Kc", game="link")
    room.stake(1000, "circle-0", "circle-1", "circle-2")
    room.press("deal")
    room.sees("hint", "Assicuri la mano 1")
    for button, label in (("accept-all", "ACCETTA TUTTO"), ("refuse-all", "RIFIUTA TUTTO")):
        room.sees(button, label)
    room.press("accept-all")
    room.sees("hint", "La mano 2 è un blackjack.*alla pari")
    expect(room.at("accept-all")).to_be_hidden()
    room.offered("accept", r"\+10,00")
    room.press("accept")
    for button, label in (("hit", "PRENDI CARTA"), ("stand", "STAI"), ("split", "SPLIT")):
        room.sees(button, label)
    room.press("stand", "stand")
    room.sees("seat-1", r"alla pari\s*\+10")
    room.sees("sum", "Hai vinto 10,00")
    assert_as_recorded(room)
    room.sees("repeat", "RIPETI PUNTATA")
    room.press("repeat")
    room.sees("undo", "INDIETRO")


@pytest.mark.rule("LNK-38")
def test_the_angles_of_the_drawn_wheel_match_the_weights(enter: Enter) -> None:
    room = bonus(enter)
    slices = room.at("wheel").locator("[data-section]")
    drawn = slices.evaluate_all("all => all.map(({ dataset }) => [dataset.section, Number(dataset.angle)])")
    rules = find("link").rules.bonus
    assert rules is not None
    whole = sum(weight for _, weight in rules.wheel)
    for section, weight in rules.wheel:
        angle = sum(angle for name, angle in drawn if name == str(section))
        assert angle == pytest.approx(360 * weight / whole)


@pytest.mark.rule("LNK-21", "LNK-27", "LNK-32")
def test_gira_becomes_salta_and_jumps_to_the_last_seconds(enter: Enter) -> None:
    room = bonus(enter, *OPENED, *BLANK)
    room.page.emulate_media(reduced_motion="no-preference")
    pace = room.page.context.new_cdp_session(room.page)
    pace.send("Animation.enable")
    pace.send("Animation.setPlaybackRate", {"playbackRate": 0})  # it turns until the test lets it land
    room.press("spin")
    room.sees("skip", "SALTA")
    turning = "() => document.querySelector('.rotor').getAnimations()[0]?.effect.getTiming().duration"
    room.page.wait_for_function(turning)
    whole = room.page.evaluate(turning)
    room.press("skip")
    room.page.wait_for_function(f"() => ({turning})() !== {whole}")  # it lands
    expect(room.at("skip")).to_be_disabled()
    pace.send("Animation.setPlaybackRate", {"playbackRate": 1})
    # What stands under the pointer when it rests is what the house has drawn.
    under = """async () => {
      const rotor = document.querySelector(".rotor");
      await Promise.all(rotor.getAnimations().map(({ finished }) => finished));
      const { a, b } = new DOMMatrix(getComputedStyle(rotor).transform);
      let at = (720 - (Math.atan2(b, a) * 180) / Math.PI) % 360;
      return [...document.querySelectorAll("[data-section]")].find((slice) => (at -= Number(slice.dataset.angle)) < 0)
        .dataset.section;
    }"""
    assert room.page.evaluate(under) == "link"
    room.press("continue")
    expect(room.at("spin")).to_be_enabled()
    room.stop_clock()  # the cells turn until the player has had enough
    room.press("spin", "skip")
    room.sees("spins-left", "2")
