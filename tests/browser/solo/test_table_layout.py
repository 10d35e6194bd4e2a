"""A solo table at every size: all of it in sight and within reach, nothing to scroll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enter
from tests.browser.support.guest import Played, visit
from tests.browser.support.hard_rounds import HARD, HardShoes
from tests.browser.support.room import Room
from tests.browser.support.serve import ServedHouse

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

#: The sizes that a felt is made for.
MADE_FOR = ((1440, 900), (1280, 720), (390, 844), (844, 390), (360, 740))

#: What lies on something else, and what is written beyond its place or too small. Cards of one hand may overlap.
CLASHES = """
async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  const faults = [];
  const all = (kind, selector, owner) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ kind, element, owner: element.closest(owner), box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1.5 && box.height > 1.5);
  const things = [
    ...all("card", ".card .face", ".hand"),
    ...all("plate", ".hand .label", ".hand"),
    ...all("chips", ".stack", ".stacks"),
    ...all("amount", ".amounts", ".stacks"),
    ...all("insurance", ".insured", ".main"),
    ...all("sum", ".sum", ".sum"),
    ...all("lettering", ".print text", ".print"),
    ...all("corner", ".corner .box", ".corner"),
    ...all("shoe", "[data-shoe]", "[data-shoe]"),
    ...all("name", ".seat .plate", ".seat"),
    ...all("clock", ".countdown", ".seat"),
  ];
  const name = ({ kind, element, owner }) =>
    `${kind} ${element.textContent.trim() || element.firstElementChild?.getAttribute("aria-label") || ""} of ${owner?.closest("[data-testid]")?.dataset.testid}`;
  things.forEach((one, index) => {
    for (const other of things.slice(index + 1)) {
      const fan = one.kind === "card" && other.kind === "card";
      const stack = [one.kind, other.kind].every((kind) => ["chips", "amount"].includes(kind));
      const print = one.kind === "lettering" && other.kind === "lettering"; // arcs: their boxes are wider than they are
      if (one.owner === other.owner && (fan || stack || print)) continue;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 1 && high > 1) faults.push(`${name(one)} and ${name(other)} overlap by ${wide.toFixed(1)} x ${high.toFixed(1)}`);
    }
  });
  const texts = document.createTreeWalker(document.querySelector(".page"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: parent, textContent } = texts.currentNode;
    if (!textContent.trim() || parent.closest("svg, .unseen, [role=log]") || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const text = range.getBoundingClientRect();
    const clip = getComputedStyle(parent).clipPath;
    if (!text.width || clip !== "none") continue;
    const place = parent.closest("button, .label, .amounts, .box, .saying") ?? document.body;
    const room = place.getBoundingClientRect();
    if (text.left < room.left - 1 || text.right > room.right + 1) faults.push(`"${textContent.trim()}" is cut`);
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < 12) faults.push(`"${textContent.trim()}" is ${size}px`);
    if (parent.closest("main") && /sha-?256|hash|impegno|commitment|seed|radice|[0-9a-f]{12}/i.test(textContent))
      faults.push(`"${textContent.trim()}" is no word for a felt`);
  }
  return [...new Set(faults)];
}
"""


def assert_clear(page: Page, moment: str) -> None:
    """Nothing lies on anything else, and everything is in reach."""
    faults = {}
    for width, height in MADE_FOR:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(CLASHES) + page.evaluate(FAULTS)
        if found:
            faults[f"{width}x{height}"] = found
    assert not faults, moment


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


@pytest.mark.rule("COM-50", "COM-56", "ASR-50")
def test_hard_rounds_are_clear_at_every_size(houses: Callable[..., ServedHouse], page: Page) -> None:
    """Five hands split and doubled, insured, nine cards, a dealer of eleven: in play and when they are settled."""
    guest = visit(page, houses(shoes=HardShoes()))
    guest.demo()
    for name, hard in HARD.items():
        guest.play(Played(hard.bets, hard.commands, name), game=hard.game, amount=66_000)
        guest.open(f"/play/{hard.game}")
        for button in hard.ends[:1]:
            expect(guest.at(button)).to_be_enabled()
        assert_clear(page, name)
        guest.press(*hard.ends)
        expect(guest.at("sum")).to_be_visible()
        assert_clear(page, f"{name}, settled")
