"""A page at a table, in the words of the game."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from tests.browser.serve import ServedHouse

AXE = Path(__file__).resolve().parents[2] / "web/node_modules/axe-core/axe.min.js"


class Room:
    """What a player does and sees at a table. Everything the page complains of is kept."""

    def __init__(self, page: Page, house: ServedHouse) -> None:
        self.page = page
        self.house = house
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._look)

    def _note(self, message: ConsoleMessage) -> None:
        # Asking who is logged in is answered 401 to a stranger; the browser writes that down by itself.
        if message.type in ("error", "warning") and "401" not in message.text:
            self.complaints.append(message.text)

    def _look(self, request: Request) -> None:
        if not request.url.startswith((self.house.url, self.house.url.replace("http", "ws", 1))):
            self.strangers.append(request.url)

    # What there is

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def cards(self, testid: str) -> list[str]:
        """The names of the cards at a place."""
        names = (card.get_attribute("aria-label") for card in self.at(testid).get_by_role("img").all())
        return [name or "" for name in names]

    def may(self, *actions: str) -> None:
        """These decisions can be pressed, and no others."""
        for name in ("hit", "stand", "double", "split", "surrender"):
            if name in actions:
                expect(self.at(name)).to_be_enabled()
        for name in {"hit", "stand", "double", "split", "surrender"} - set(actions):
            expect(self.at(name)).to_be_disabled()

    @property
    def said(self) -> str:
        """Everything the live region has said."""
        return self.at("said").inner_text()

    def serious(self) -> list[str]:
        """What axe finds serious or critical on the page as it is."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("axe.run()")["violations"]
        return [
            f"{rule['id']}: {node['target']}"
            for rule in found
            for node in rule["nodes"]
            if rule["impact"] in ("serious", "critical")
        ]

    # What is done

    def enter(self) -> None:
        self.page.goto(self.house.url)
        self.at("demo").click()

    def sit(self, amount: str) -> None:
        self.at("amount").fill(amount)
        self.at("bring").click()
        expect(self.at("deal")).to_be_visible()

    def stake(self, chip: int, *places: str) -> None:
        self.at(f"chip-{chip}").click()
        for place in places:
            self.at(place).click()

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.at(button).click()

    def sees(self, testid: str, text: str) -> None:
        expect(self.at(testid)).to_have_text(re.compile(text))
