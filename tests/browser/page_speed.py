"""How fast the page is for a newcomer on a slow phone: `python -m tests.browser.page_speed [--shifts]`, by `make page-speed`.

A phone with a processor four times slower and a slow mobile network opens the lobby, presses GIOCA SUBITO and then
DISTRIBUISCI; another sits down at a live table, bets and plays a round. Of several visits, each in a browser that has
nothing kept, the middle one of every number is printed. Frames a second stand beside those of a page with one moving
box in the same run: what it does not reach is lost to the machine. Nothing of the table is asked for while frames are
counted. Where the system allows it, all of this goes before everything else that runs.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.support.live_house import LONG, LiveHouse
from tests.browser.support.live_room import LiveRoom
from tests.browser.support.room import PATIENCE
from tests.browser.support.serve import ServedHouse

VISITS = 5
PHONE: ViewportSize = {"width": 390, "height": 844}
#: How many times slower the processor is.
SLOWER = 4
#: A slow mobile network: milliseconds there and back, bytes a second.
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
CARDS = "10s 9h Kd 8c"

#: The browser's own records: what moved without being asked, what held it up, and every frame that was drawn.
#: They are only kept while the page is at work, and read when it is not.
RECORD = """
window.speed = { shifts: [], long: [], frames: [], lobby: null, first: null };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) speed.shifts.push([entry, entry.sources.map(({ node }) => node)]);
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => speed.long.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
const draw = (now) => {
  speed.frames.push(now);
  speed.lobby ??= document.querySelector("[data-testid=demo]") ? now : null;
  requestAnimationFrame(draw);
};
requestAnimationFrame(draw);
// The first card is there when it begins to move.
const { animate } = Element.prototype;
Element.prototype.animate = function (...how) {
  if (this.closest("[data-testid^=seat-]")) speed.first ??= performance.now();
  return animate.apply(this, how);
};
"""
#: What was recorded, as data.
READ = """() => {
  const named = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    return element ? element.tagName.toLowerCase() + (element.className ? "." + String(element.className.baseVal ?? element.className).trim().split(/ +/).join(".") : "") : "?";
  };
  const shifts = speed.shifts.map(([entry, nodes]) => ({
    at: entry.startTime,
    value: entry.value,
    asked: entry.hadRecentInput,
    what: entry.sources.map(({ previousRect: was, currentRect: is }, index) => ({
      node: named(nodes[index]), was: [was.x, was.y, was.width, was.height], is: [is.x, is.y, is.width, is.height],
    })),
  }));
  return { ...speed, shifts, long: speed.long.map(({ duration }) => duration) };
}"""
#: The moment at which a button can be pressed; the page tells it by itself.
_PRESSABLE = """(testid) => new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector(`[data-testid=${testid}]:enabled:not([aria-disabled=true])`)) return;
    watch.disconnect();
    resolve(performance.now());
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributeFilter: ["disabled", "aria-disabled"] });
  look();
})"""
#: A page on which one box moves, and nothing else happens.
_EMPTY = """
<style>
  i { position: absolute; width: 60px; height: 84px; background: #c33; animation: aside 1s infinite alternate }
  @keyframes aside { to { transform: translateX(300px) } }
</style>
<i></i>
"""
#: How many seconds of it are counted.
_EMPTY_FOR = 2
#: Bytes of everything that the lobby needs: what was asked for until it was drawn, and what it asks for at once.
_LOADED = """
[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ startTime }) => startTime < speed.lobby + 500)
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
"""


@dataclass(frozen=True)
class Visit:
    """What was measured of one visit: milliseconds, bytes, shifts."""

    lobby: float
    table: float
    first_card: float
    presses: int
    shifts: list[dict[str, Any]]
    long_tasks: list[float]
    first_load: int
    frames_a_second: float

    @property
    def blocked(self) -> float:
        """Milliseconds of long tasks beyond the first 50 of each."""
        return sum(task - 50 for task in self.long_tasks)


@dataclass(frozen=True)
class LiveVisit:
    """What was measured of one round at a live table, from coming in to the next bets."""

    shifts: list[dict[str, Any]]
    frames_a_second: float


def cls(shifts: list[dict[str, Any]]) -> float:
    """The sum of all shifts, those after a press too: more than the browser's own CLS, which leaves them out."""
    return float(sum(shift["value"] for shift in shifts))


def visit(browser: Browser, house: ServedHouse) -> Visit:
    """Open the lobby as a newcomer, and come to the first card."""
    page = _slow_phone(browser)
    page.goto(house.url)
    expect(page.get_by_test_id("demo")).to_be_enabled()
    expect(page.get_by_test_id("table-freebet")).to_be_attached()
    lobby = _now(page)
    page.get_by_test_id("demo").tap()
    expect(page.get_by_test_id("deal")).to_be_enabled()
    table = _now(page)
    page.get_by_test_id("deal").tap()
    decision = page.evaluate(_PRESSABLE, "stand")
    speed = page.evaluate(READ)
    seen = Visit(
        lobby=lobby,
        table=table,
        first_card=speed["first"],
        presses=2,
        shifts=speed["shifts"],
        long_tasks=speed["long"],
        first_load=page.evaluate(_LOADED),
        frames_a_second=_frames_a_second(speed["frames"], speed["first"], decision),
    )
    page.context.close()
    return seen


def live_visit(browser: Browser, folder: Path) -> LiveVisit:
    """Come to a live table with play money, sit down, bet, play a round, and see the next bets open."""
    timers = replace(LONG, closing=1, pace=0.6)
    folder.mkdir()
    with LiveHouse(folder, CARDS, timers=timers) as house:
        page = _slow_phone(browser)
        room = LiveRoom(page, house)
        room.touch = True
        room.enter()
        room.press("sit-3")
        house.until("betting")
        room.stake(1000, "circle")
        dealt = _now(page)
        house.end("betting")
        decision = page.evaluate(_PRESSABLE, "stand")
        room.press("stand")
        expect(room.at("sum")).to_be_visible()
        house.end("payout")
        expect(room.at("repeat")).to_be_enabled()
        speed = page.evaluate(READ)
        seen = LiveVisit(speed["shifts"], _frames_a_second(speed["frames"], dealt, decision))
        page.context.close()
    return seen


def empty_visit(browser: Browser) -> float:
    """Frames a second of a page with one moving box, on the same phone."""
    page = _slow_phone(browser)
    page.goto("about:blank")
    page.set_content(_EMPTY)
    since = _now(page)
    until = page.evaluate(
        f"new Promise((resolve) => setTimeout(() => resolve(performance.now()), {_EMPTY_FOR * 1000}))"
    )
    frames = _frames_a_second(page.evaluate("speed.frames"), since, until)
    page.context.close()
    return frames


def _slow_phone(browser: Browser) -> Page:
    """A page on a slow phone that has never been here, and that records what it does."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="it-IT")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(RECORD)
    slow_down(context.new_cdp_session(page))
    return page


def _frames_a_second(frames: list[float], since: float, until: float) -> float:
    drawn = [frame for frame in frames if since <= frame <= until]
    return 1000 * (len(drawn) - 1) / (drawn[-1] - drawn[0])


def slow_down(session: CDPSession) -> None:
    """Make a slow phone of a page."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)


def _now(page: Page) -> float:
    return float(page.evaluate("performance.now()"))


def main(arguments: list[str]) -> None:
    """Print the numbers; with --shifts also what moved."""
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    with (
        TemporaryDirectory() as folder,
        ServedHouse(Path(folder), *[CARDS] * VISITS) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        empty, visits, rounds = [], [], []
        for number in range(VISITS):
            empty.append(empty_visit(browser))
            visits.append(visit(browser, house))
            rounds.append(live_visit(browser, Path(folder) / f"live-{number}"))
        browser.close()
    most = f"of the {median(empty):.1f} an empty page gets"
    rows = {
        "lobby to be used after": f"{median(each.lobby for each in visits) / 1000:.2f} s",
        "table to be played at after": f"{median(each.table for each in visits) / 1000:.2f} s",
        "first card after": f"{median(each.first_card for each in visits) / 1000:.2f} s",
        "presses to the first card": f"{max(each.presses for each in visits)}",
        "layout shift (CLS), presses included": f"{max(cls(each.shifts) for each in visits):.4f} at most",
        "long tasks": f"{median(len(each.long_tasks) for each in visits):.0f}, the longest"
        f" {median(max(each.long_tasks, default=0) for each in visits):.0f} ms,"
        f" blocked {median(each.blocked for each in visits):.0f} ms in all",
        "first load": f"{median(each.first_load for each in visits) / 1000:.0f} KB",
        "frames a second, first card to decision": f"{median(each.frames_a_second for each in visits):.1f} {most}",
        "live: layout shift, presses included": f"{max(cls(each.shifts) for each in rounds):.4f} at most",
        "live: frames a second, bets to decision": f"{median(each.frames_a_second for each in rounds):.1f} {most}",
    }
    for name, value in rows.items():
        print(f"{name:<40}{value}")
    if "--shifts" in arguments:
        for all_shifts in ([each.shifts for each in visits], [each.shifts for each in rounds]):
            print_shifts(max(all_shifts, key=cls))


def print_shifts(shifts: list[dict[str, Any]]) -> None:
    """What moved, when, from where to where."""
    for shift in shifts:
        print(f"{shift['at']:8.0f} ms  {shift['value']:.4f}  {'after a press' if shift['asked'] else ''}")
        for what in shift["what"]:
            print(f"    {what['node']}: {what['was']} -> {what['is']}")


if __name__ == "__main__":
    main(sys.argv[1:])
