"""A page at a table, in the words of the game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from tests.browser.support.serve import ServedHouse

#: Milliseconds that are waited for anything: a small machine may do much else at the same time.
PATIENCE = 60_000
AXE = Path(__file__).resolve().parents[3] / "web/node_modules/axe-core/axe.min.js"

#: Sounds are made, and wait for ever to be played: to play them takes a machine more time than to make them.
SILENT = """
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    void this.suspend();
  }
  async resume() {}
};
"""

#: Nobody looks at a page: what is transparent lies where it lay, can be pressed, and is not drawn.
UNPAINTED = """
{
  const transparent = new CSSStyleSheet();
  transparent.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets = [transparent];
}
"""
#: From now on it is drawn.
PAINTED = "document.documentElement.style.opacity = 1"

#: Notes every property that is animated.
WATCH = """
window.animated = new Set();
const watch = () => {
  for (const { effect } of document.getAnimations())
    for (const frame of effect.getKeyframes())
      for (const name of Object.keys(frame))
        if (!["offset", "computedOffset", "easing", "composite"].includes(name)) animated.add(name);
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""

#: Keeps what live regions say, as a screen reader reads it out: what is added to a log, and all of a status or an alert.
LISTEN = """
window.told = [];
const LIVE = "[aria-live=polite], [aria-live=assertive], [role=log], [role=status], [role=alert]";
const tell = (text) => text.trim() && told.push(text.trim().replace(/\\s+/g, " "));
const alertsIn = (node) => (node.nodeType === 1 ? [node, ...node.querySelectorAll("*")].filter((found) => found.role === "alert") : []);
new MutationObserver((changes) => {
  const whole = new Set();
  for (const { target, addedNodes } of changes) {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE);
    if (region?.matches("[role=log]")) for (const node of addedNodes) tell(node.textContent);
    else if (region) whole.add(region);
    else for (const node of addedNodes) for (const alert of alertsIn(node)) whole.add(alert);
  }
  for (const region of whole) tell(region.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""

#: All that axe writes of a page is large: only what is wrong leaves it. It minds how colours look on one another.
VIOLATIONS = """async () => {
  const { style } = document.documentElement;
  style.opacity = 1;
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  style.opacity = "";
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""


class Room:
    """What a player does and sees at a table. Everything the page complains of is kept."""

    def __init__(self, page: Page, house: ServedHouse) -> None:
        self.page = page
        self.house = house
        #: Whether fingers are used instead of a pointer.
        self.touch = False
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._look)

    def _note(self, message: ConsoleMessage) -> None:
        # A lobby that is left at once has not been connected yet; the browser writes that down by itself.
        by_itself = "closed before the connection is established" in message.text
        if message.type in ("error", "warning") and not by_itself:
            self.complaints.append(message.text)

    def _look(self, request: Request) -> None:
        if not request.url.startswith((self.house.url, self.house.url.replace("http", "ws", 1))):
            self.strangers.append(request.url)

    # What there is

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def cards(self, testid: str) -> list[str]:
        """The names of the cards at a place, as they are now: for a table where nothing moves any more."""
        names = (card.get_attribute("aria-label") for card in self.at(testid).get_by_role("img").all())
        return [name or "" for name in names]

    def shows(self, testid: str, *names: str) -> None:
        """These cards lie at a place, or will soon."""
        cards = self.at(testid).get_by_role("img")
        expect(cards).to_have_count(len(names))
        for index, name in enumerate(names):
            expect(cards.nth(index)).to_have_attribute("aria-label", name)

    def may(self, *actions: str) -> None:
        """These decisions can be pressed, and no others that are there."""
        for name in actions:
            expect(self.at(name)).to_be_enabled()
        for name in {"hit", "stand", "double", "split", "surrender", "cashback"} - set(actions):
            if self.at(name).count():
                expect(self.at(name)).to_be_disabled()

    def look_of(self, testid: str, style: str) -> str:
        """A computed style, as it is drawn."""
        return str(self.at(testid).evaluate(f"found => getComputedStyle(found).{style}"))

    def offered(self, testid: str, words: str) -> None:
        """A button that moves money names the amount, and is not the golden one."""
        self.sees(testid, words)
        expect(self.at(testid)).not_to_contain_class("main")

    def heard(self, *texts: str) -> None:
        """The live region has said all this."""
        for text in texts:
            expect(self.at("said")).to_contain_text(text)

    def watch(self) -> None:
        """From now on notice what moves."""
        self.page.evaluate(WATCH)

    @property
    def moved(self) -> set[str]:
        """Every property that was animated since."""
        return set(self.page.evaluate("[...animated]"))

    def listen(self) -> None:
        """From now on keep what is read out."""
        self.page.evaluate(LISTEN)

    @property
    def told(self) -> list[str]:
        """Every line that was read out since."""
        lines: list[str] = self.page.evaluate("told")
        return lines

    def axe(self) -> list[str]:
        """What axe finds on the page as it is, once it is there: its file is loaded after the address has changed."""
        expect(self.page.locator("h1")).not_to_have_count(0)
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        found: list[str] = self.page.evaluate(VIOLATIONS)
        return found

    # What is done

    def stop_clock(self) -> None:
        """From now on the page's time goes on only as a test says; by itself the browser's clock is never still."""
        now = self.page.evaluate("Date.now()") / 1000
        self.page.clock.install(time=now)
        self.page.clock.pause_at(now + PATIENCE / 1000)

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a request without the page; its connection is not kept: the next house may have the same address."""
        return {"Origin": self.house.url, "Connection": "close"}

    def tell(self, path: str, **form: Any) -> None:
        """Send the house a form with the page's cookies, without the page that has its fields."""
        reply = self.page.request.post(f"{self.house.url}/api/v1/{path}", data=form, headers=self.headers)
        assert reply.ok, reply.text()

    def come_in(self) -> None:
        """Be a new demo player; no page is opened."""
        self.tell("demo")

    def enter(self, game: str = "surrender") -> None:
        """Come to a table with play money, at its own address."""
        self.come_in()
        self.page.goto(f"{self.house.url}/play/{game}")

    def enter_by_lobby(self, game: str) -> None:
        """Come to a table with play money as a stranger does."""
        self.page.goto(self.house.url)
        self.press(f"play-{game}")

    def sit(self, amount: str) -> None:
        """Be at a solo table with this much play money, and nothing staked."""
        expect(self.at("deal")).to_be_enabled()  # seated, with a first bet on the table
        self.press("clear")
        self.add_up_to(amount)

    def add_up_to(self, amount: str) -> None:
        """Play money sits down with what the house offers; the rest is added."""
        more = int(amount) * 100 - self.house.sitting
        assert more >= 0, "let the house offer less"
        if not more:
            return
        self.press("add-money")
        self.at("amount").fill(f"{more // 100}")
        self.press("bring")
        expect(self.at("amount")).to_be_hidden()

    def stake(self, chip: int, *places: str) -> None:
        self.press(f"chip-{chip}", *places)

    def press(self, *buttons: str) -> None:
        """Press buttons; to a chip that is out of sight the rack is turned first."""
        for button in buttons:
            if button.startswith("chip-"):
                expect(self.at(button)).to_have_count(1)
                expect(
                    self.page.locator("[data-testid^=chip-]:visible").first
                ).to_be_visible()  # the rack is there
                if not self.at(button).is_visible():
                    self.press("chips-more")
            if self.touch:
                self.at(button).tap()
            else:
                self.at(button).click()

    def type(self, *keys: str) -> None:
        """Keys; a letter is for a button, which waits until the house has answered what came before."""
        for key in keys:
            if len(key) == 1:
                expect(
                    self.page.locator(f"[data-key={key!r}][aria-disabled=true]:not(:disabled)")
                ).to_have_count(0)
            self.page.keyboard.press(key)

    def sees(self, testid: str, text: str) -> None:
        expect(self.at(testid)).to_have_text(re.compile(text))

    def lies(self, testid: str, *amounts: str) -> None:
        """These amounts are written under the chips at a place, hand by hand from the left."""
        expect(self.at(testid).locator(".amounts")).to_have_text(amounts)


def small(page: Page) -> list[str]:
    """Targets that are less than 24 pixels wide or high."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, a[href], input:not(.unseen)")]
            .map((target) => [target, target.getBoundingClientRect()])
            .filter(([target, box]) => target.checkVisibility() && Math.min(box.width, box.height) < 24)
            .map(([target]) => target.outerHTML.slice(0, 120))"""
    )
    return found
