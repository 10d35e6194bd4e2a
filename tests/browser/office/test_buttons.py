"""Every button of every page of the back office is pressed, against a real house."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from sabot.store.kinds import Role
from tests.browser.support.guest import PASSWORD, Guest, Played
from tests.browser.support.live_house import TABLE
from tests.browser.support.live_room import Hall, OpenHall

pytestmark = pytest.mark.slow  # a browser, and some hundred buttons

#: Counts requests that wait for their answers, and keeps what the house answered: method, path, status and code.
_LISTEN = """
window.waiting = 0;
window.answers = [];
const ask = window.fetch;
window.fetch = async (path, wishes) => {
  window.waiting += 1;
  try {
    const reply = await ask(path, wishes);
    const code = reply.ok ? "" : (await reply.clone().json()).error.code;
    window.answers.push([wishes?.method ?? "GET", String(path), reply.status, code]);
    return reply;
  } finally {
    window.waiting -= 1;
  }
};
/** Where buttons are looked for: the window that lies on top, or the page. */
window.place = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector(window.scope ?? "main");
const nameOf = (button) => button.dataset.testid ?? (button.getAttribute("aria-label") ?? button.textContent).trim();
window.buttons = () => {
  for (const closed of document.querySelectorAll("details")) closed.open = true;
  return [...window.place().querySelectorAll("button:not([aria-pressed=true])")].filter((button) => button.checkVisibility());
};
/** The buttons by their names; `rest` are those that cannot be pressed. */
window.named = () => ({
  title: window.place().tagName === "DIALOG" ? window.place().textContent.trim().slice(0, 60) : "",
  names: [...new Set(window.buttons().filter(({ disabled }) => !disabled).map(nameOf))],
  rest: [...new Set(window.buttons().filter(({ disabled }) => disabled).map(nameOf))],
});
window.press = (name) => window.buttons().find((button) => !button.disabled && nameOf(button) === name)?.click();
/** Write something into every field that is empty. */
window.fill = (words) => {
  for (const field of window.place().querySelectorAll("input, textarea")) {
    if (field.value || !field.checkVisibility() || field.closest("[data-testid=filters]")) continue;
    const { testid = "" } = field.dataset;
    if (field.type === "date" || field.type === "checkbox" || testid.startsWith("filter-")) continue;
    field.value = words[testid] ?? words[field.type] ?? (field.inputMode === "decimal" ? "1" : words.text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
};
window.refusals = () => [...document.querySelectorAll("[role=alert], [data-testid=failure], .bad")]
  .filter((line) => line.checkVisibility()).map((line) => line.textContent.trim()).filter(Boolean);
"""
_STILL = (
    "() => window.waiting === 0 && !document.querySelector('[data-testid=waiting-house], [aria-busy=true]')"
)
_PRESS = """(name) => {
  window.answers.length = 0;
  window.before = location.href + document.body.innerHTML;
  window.press(name);
}"""
#: Something has come of it.
_DONE = "() => window.answers.length || window.before !== location.href + document.body.innerHTML"
#: Milliseconds in which a button must do something.
MOMENT = 10_000
_WORDS = {
    "text": "because",
    "password": PASSWORD,
    "number": "1",
    "role-name": "piero",
    "setup-code": "000000",
    "table-name": "two",
}
#: What a form is refused with that could never have been right.
_NEVER = re.compile("request/|house/|login/role|origin/")
#: Buttons that have nothing to do here: the round is over, there is nothing to resume.
_RESTING = {"floor-void"}


class Presser:
    """Presses the buttons of pages, each once, and says which were not well answered."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._page = guest.page
        self._page.clock.install()
        self._page.add_init_script(_LISTEN)
        self.scope = "main"
        #: The buttons that were pressed, those that could not be, and those that were gone before their turn came.
        self.pressed: set[str] = set()
        self.rested: set[str] = set()
        self.missed: set[str] = set()
        self.wrong: list[str] = []

    def go(self, path: str, *presses: str) -> None:
        """Open a page anew, and press what leads to where a button is."""
        self._page.goto(self._guest.house.url + path)
        expect(self._page.locator("main h1").first).to_be_visible()
        self._page.evaluate("(scope) => { window.scope = scope; }", self.scope)
        self._settle()
        for name in presses:
            self._page.evaluate("(words) => window.fill(words)", _WORDS)
            self._page.evaluate("(name) => window.press(name)", name)
            self._settle()

    def links(self) -> list[str]:
        """Where the page leads to in the back office."""
        found: list[str] = self._page.locator("main a[href^='/office/']").evaluate_all(
            "(links) => links.map((link) => link.getAttribute('href'))"
        )
        return found

    def press_all(self, path: str, *presses: str, seen: set[tuple[str, str]] | None = None) -> None:
        """Press every button of a page, and of what opens when one is pressed."""
        seen = set() if seen is None else seen
        self.go(path, *presses)
        here = self._look()
        fresh = [name for name in here["names"] if (here["title"], name) not in seen]
        self.rested |= set(here["rest"])
        seen |= {(here["title"], name) for name in fresh}
        for name in reversed(fresh):
            if self._look() != here or not self._page.url.endswith(path):
                self.go(path, *presses)
            if name not in self._look()["names"]:  # another one has done away with what it is for
                seen.discard((here["title"], name))
                self.missed.add(" > ".join((shape_of(path), *presses, name)))
                continue
            self._press(" > ".join((shape_of(path), *presses, name)), name)
            now = self._look()
            more = any((now["title"], each) not in seen for each in now["names"])
            if more and self._page.url.endswith(path):
                self.press_all(path, *presses, name, seen=seen)

    def _look(self) -> dict[str, Any]:
        self._page.evaluate("(words) => window.fill(words)", _WORDS)
        found: dict[str, Any] = self._page.evaluate("() => window.named()")
        return found

    def _press(self, where: str, name: str) -> None:
        page = self._page
        page.evaluate("(words) => window.fill(words)", _WORDS)
        page.evaluate(_PRESS, name)
        self.pressed.add(where)
        try:
            page.wait_for_function(_DONE, timeout=MOMENT)
        except TimeoutError:
            self.wrong.append(f"{where}: nothing happens")
        self._settle()
        for method, address, status, code in page.evaluate("window.answers"):
            if status < 400:
                continue
            if _NEVER.match(code):
                self.wrong.append(f"{where}: {method} {address} is refused as {code}")
            if method != "GET" or address.endswith("/file"):
                self._stays(f"{where}: {code}")

    def _stays(self, where: str) -> None:
        """A refusal is told, and is still there when everything on the page has been asked for again."""
        told = self._page.evaluate("window.refusals()")
        self._page.clock.fast_forward(61_000)
        self._settle()
        kept = self._page.evaluate("window.refusals()")
        if not told or not set(told) <= set(kept):
            self.wrong.append(f"{where} is told as {told}, and later {kept}")

    def _settle(self) -> None:
        self._page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
        self._page.wait_for_function(_STILL)


def a_busy_house(hall: Hall) -> None:
    """A house with rounds over and open, a line of chat, a proposal that waits, money, and a player who is locked out."""
    ada = Guest(hall.page().page, hall.house)
    ada.register("ada")
    ada.deposit(50_000)
    ada.play(Played([(0, "main", 1_000)], [("stand", 0, 0)]), currency="EUR", amount=5_000)
    ada.play(Played([(0, "main", 1_000)]), currency="EUR", amount=5_000)
    hall.house.lock_out("ada")
    bob = hall.player()
    bob.sit("100", 0)
    bob.press("chat-open")
    for line in ("good evening", "good luck"):
        bob.at("chat-text").fill(line)
        bob.press("chat-send")
        expect(bob.at("chat-lines")).to_contain_text(line)


def shape_of(path: str) -> str:
    """An address without the number or code of what it shows: of each kind of page some are enough."""
    return re.sub(r"/(players|rounds|proposals)/[^?]+", r"/\1/…", path.partition("?")[0])


@pytest.mark.rule("PLT-60", "OFF-12")
def test_every_button_is_pressed(open_hall: OpenHall) -> None:
    """Each does something: it succeeds, or shows a refusal that stays when the page looks again."""
    hall = open_hall("10s 9h Kd 8c", "10s 9h 9d 8c")
    a_busy_house(hall)
    roles: dict[str, Role] = {"piero": "presenter", "ugo": "administrator", "sara": "supervisor"}
    sara = Guest(hall.page().page, hall.house)
    for name, role in roles.items():
        sara.register(name)
        hall.house.give_role(name, role)
    for key in ("large_win", "large_stake"):
        change = {"kind": "office", "key": key, "value": 12_300}
        sara.tell("office/proposals", change=change, reason="for the evening")

    guest = Guest(hall.page().page, hall.house)
    guest.tell("login", name="ugo", password=PASSWORD, purpose="play")
    presser = Presser(guest)
    presser.go("/office")
    nav = guest.page.locator("nav a[href^='/office/']")
    # What is played first, while tables are open; games last, for there they are closed.
    waiting = sorted(
        nav.evaluate_all("(links) => links.map((link) => link.getAttribute('href'))"), key=_order
    )
    shown: dict[str, set[str]] = {}
    pressed: dict[str, set[tuple[str, str]]] = {}
    while waiting:
        path = waiting.pop(0)
        kind = shape_of(path)
        of_kind = shown.setdefault(kind, set())
        if path in of_kind or len(of_kind) > 2:
            continue
        of_kind.add(path)
        presser.go(path)
        waiting[:0] = presser.links()
        presser.press_all(path, seen=pressed.setdefault(kind, set()))
    assert presser.wrong == []
    assert presser.missed <= presser.pressed
    assert presser.rested <= _RESTING
    assert "/office/players/… > unlock-login" in presser.pressed
    assert set(shown) >= {"/office/players/…", "/office/rounds/…", "/office/proposals/…"}

    # A presenter has the floor; and the frame of every page.
    hall.house.order(lambda live: live.resume() if live.table.paused else None)
    piero = Guest(hall.page().page, hall.house)
    piero.tell("login", name="piero", password=PASSWORD, purpose="play")
    presenter = Presser(piero)
    presenter.press_all(f"/office/floor/{TABLE}")
    presenter.scope = "header"
    presenter.press_all("/office/floor")
    assert presenter.wrong == []
    assert {f"/office/floor/{TABLE} > floor-call", "/office/floor > office-out"} <= presenter.pressed


def _order(path: str) -> tuple[bool, bool]:
    return path.endswith("/games"), not path.startswith("/office/floor")
