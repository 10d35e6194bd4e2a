"""A solo table at every size: all of it in sight and within reach, nothing to scroll."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.room import Room

pytestmark = pytest.mark.slow  # a browser

SIZES = ((360, 740), (360, 610), (412, 915), (740, 360), (915, 412), (820, 1180), (1280, 800), (3840, 2160))

#: What is outside of the window, covered, or smaller than a target may be; and whether anything scrolls.
FAULTS = """
async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push("the page scrolls");
  const targets = [...document.querySelectorAll("button, [role=button], a, input, .card .face")];
  for (const target of targets) {
    const { left, top, right, bottom, width, height } = target.getBoundingClientRect();
    if (!width || getComputedStyle(target).visibility === "hidden") continue;
    const name = target.dataset.testid ?? target.getAttribute("aria-label") ?? target.className;
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
      faults.push(`${name} is outside`);
    if (target.matches(".face")) continue;
    if (Math.min(width, height) < 24) faults.push(`${name} is ${width} by ${height}`);
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!target.contains(at) && !at?.contains(target)) faults.push(`${name} is covered by ${at?.className}`);
  }
  return faults;
}
"""


def assert_fits(room: Room, moment: str) -> None:
    faults = {}
    for width, height in SIZES:
        room.page.set_viewport_size({"width": width, "height": height})
        found = room.page.evaluate(FAULTS)
        if found:
            faults[f"{width}x{height}"] = found
    assert not faults, moment


@pytest.mark.rule("COM-50", "COM-56", "ASR-50")
def test_everything_is_in_reach_at_every_size(enter: Enter) -> None:
    cards = "8s 9s 7s 10s As 6h 8h 2h Kd Qd Kh 9c 3h 2d 4s 5s 9d 10h"
    room = enter(cards, game="link", bring="1000", draws=[[400]])
    for spot in range(5):
        room.stake(2500, f"circle-{spot}")
        room.stake(1000, *(f"side-{spot}-{name}" for name in ("player-pair", "21+3", "link")))
    room.stake(1000, "side-dealer-dealer-pair")
    assert_fits(room, "chips")
    room.press("deal", "split")
    room.sees("hint", "parte 1")
    room.press("hit")
    expect(room.at("seat-0").get_by_role("img")).to_have_count(5)
    assert_fits(room, "a split hand")
    for _ in range(4):
        room.press("stand")
    room.press("stand")
    expect(room.at("spin")).to_be_enabled()
    assert_fits(room, "wheel")
    room.press("spin", "bonus-close")
    expect(room.at("sum")).to_be_visible()
    assert_fits(room, "results")
