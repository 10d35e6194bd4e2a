"""Where the system has its own colours: what is active, chosen, on, off and one's own can still be told apart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from sabot.engine import Bet
from tests.browser.support.live_room import OpenHall

pytestmark = pytest.mark.slow  # a browser


#: The system's own colour of what is chosen.
HIGHLIGHT = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; background: Highlight";
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return colour;
}"""


def _ring(place: Locator) -> str:
    """The line around a place: its style and width."""
    return str(
        place.evaluate(
            "(found) => { const s = getComputedStyle(found); return `${s.outlineStyle} ${s.outlineWidth}`; }"
        )
    )


def _colour(place: Locator, name: str = "color") -> str:
    return str(place.evaluate("(found, name) => getComputedStyle(found)[name]", name))


@pytest.mark.rule("ASR-51")
def test_what_counts_is_marked_without_our_colours(open_hall: OpenHall) -> None:
    hall = open_hall(*["9s 10s 8h 9d Kd 8c"] * 3)
    room = hall.page(forced_colors="active")
    # The lobby and the settings: the language that is spoken, a switch that is on and one that is off.
    room.page.goto(f"{hall.house.url}/enter")
    room.press("demo")
    expect(room.at("game-link")).to_be_visible()
    assert _ring(room.at("language-it").first) == "solid 3px"
    assert "none" in _ring(room.at("language-en").first)
    room.page.goto(f"{hall.house.url}/settings")
    room.at("four-colours").check()
    on, off = (_colour(room.at(switch), "backgroundColor") for switch in ("four-colours", "less-motion"))
    assert (on != off, on) == (True, room.page.evaluate(HIGHLIGHT))
    # A solo table: the chip in hand, the hand in turn, what can be pressed and what cannot, the keyboard's place.
    room.page.goto(f"{hall.house.url}/play/surrender")
    room.press("chip-500")
    assert _ring(room.at("chip-500")) == "solid 3px"
    assert "none" in _ring(room.at("chip-100"))
    room.press("deal")
    expect(room.at("stand")).to_be_enabled()
    assert _ring(room.page.locator(".hand[aria-current]")) == "solid 3px"
    off, stand = _colour(room.at("split")), room.at("stand")
    assert _colour(stand) != off
    stand.evaluate("(found) => found.setAttribute('aria-disabled', 'true')")  # as while the table is busy
    assert _colour(stand) == off
    stand.evaluate("(found) => found.setAttribute('aria-disabled', 'false')")
    room.at("stand").focus()
    room.type("Tab", "Shift+Tab")
    assert _ring(room.at("stand")) == "double 6px"
    # A live table: the own seat, and the decision that was made in advance.
    neighbour = hall.house.seat(0)[0]
    room.page.goto(f"{hall.house.url}/live/one")
    room.sit("100", 1)
    hall.house.until("betting")
    room.stake(500, "circle-1")
    hall.house.everyone_bets([neighbour], Bet(0, "main", 1000))
    assert _ring(room.at("plate-1")) != _ring(room.at("plate-0"))
    hall.house.end("betting")
    expect(room.at("ahead")).to_be_visible()
    room.press("ahead-1-stand")
    expect(room.at("ahead-1-stand")).to_have_attribute("aria-pressed", "true")
    assert _ring(room.at("ahead-1-stand")) == "solid 3px"
    assert "none" in _ring(room.at("ahead-1-hit"))
