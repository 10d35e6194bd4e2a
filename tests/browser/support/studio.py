"""People in the studio: a presenter or supervisor at the console of a table, in a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import expect

from sabot.store.kinds import Role
from sabot.tables.live.table import LiveTable
from tests.browser.support.guest import Guest
from tests.browser.support.live_house import TABLE, LiveHouse, code_of
from tests.browser.support.live_room import Hall

CONSOLE = f"/studio/{TABLE}"


class Presenter(Guest):
    """Someone at the console."""

    house: LiveHouse

    def step(self, words: str) -> None:
        """This is to be done next."""
        expect(self.at("step")).to_have_text(re.compile(words))

    def type_card(self, text: str) -> None:
        """Type a card's name or code, and Enter, wherever the keyboard is."""
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def scan(self, *cards: str) -> None:
        """The scanner types the codes of cards; each is taken before the next."""
        for card in cards:
            self._deal(partial(self.type_card, code_of(card)))

    def key_in(self, *cards: str) -> None:
        """Cards by their names."""
        for card in cards:
            self._deal(partial(self.type_card, card))

    def pick(self, *cards: str) -> None:
        """Cards of the picker."""
        for card in cards:
            self._deal(partial(self.press, f"pick-{card.lower()}"))

    def _deal(self, act: Callable[[], None]) -> None:
        expect(self.at("reader")).to_be_visible()  # not in a pause, as far as this page knows
        dealt = self.house.studio.shoes.dealt
        act()
        self.house.when(lambda live: self.house.studio.shoes.dealt != dealt or _due(live) in ("pay", "none"))
        expect(self.at("shoe-dealt")).to_contain_text(re.compile(rf"\b{self.house.studio.shoes.dealt}\b"))


def _due(live: LiveTable) -> str:
    round = live.play.round
    return "none" if round is None or round.play.due is None else str(round.play.due.what)


def at_console(hall: Hall, name: str, role: Role, language: str = "it-IT", **more: Any) -> Presenter:
    """Someone with a role comes to the console."""
    someone = Presenter(hall.page(language, **more).page, hall.house)
    someone.register(name)
    hall.house.give_role(name, role)
    someone.open(CONSOLE)
    expect(someone.at("step")).to_be_visible()
    return someone
