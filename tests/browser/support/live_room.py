"""A hall with a live table, and pages of players who sit around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.support.contexts import Contexts
from tests.browser.support.live_house import TABLE, LiveHouse
from tests.browser.support.room import PATIENCE, UNPAINTED, Room

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}

#: Nobody looks at a page: a notice then stays until it is put away, however slow the machine is.
UNSEEN = "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });" + UNPAINTED

#: Opens a hall: `open_hall("10 9 10 8", game="freebet")`.
OpenHall = Callable[..., "Hall"]


class LiveRoom(Room):
    """A page at the live table."""

    house: LiveHouse

    def enter(self, game: str = TABLE) -> None:
        """Come in with play money, at the table's own address."""
        self.come_in()
        self.page.goto(f"{self.house.url}/live/{game}")
        expect(self.at("limits-box")).to_be_visible()

    def sit(self, amount: str, *spots: int, agrees: bool | None = None) -> None:
        """Bring money, at a table with seats to these; at boxes the answer about doubles and splits is given at once."""
        self.press(f"sit-{spots[0]}" if spots else "join")
        if agrees is not None:
            self.press("consent-yes" if agrees else "consent-no")
            expect(self.at("consent")).to_be_hidden()
        expect(self.at("add-money")).to_be_visible()
        self.add_up_to(amount)
        for spot in spots[1:]:
            self.press(f"sit-{spot}")
        for spot in spots:
            expect(self.at(f"leave-{spot}")).to_be_visible()
        expect(self.at("chip-100")).to_have_count(1)

    def stake_behind(self, chip: int, *places: str, follows: str = "none") -> None:
        """The first bet behind, and the answer to what it follows: both, double, split or none (FRB-43)."""
        self.press(f"chip-{chip}", places[0], f"follow-{follows}", *places[1:])

    def press(self, *buttons: str) -> None:
        """Press; chips lie when the house has them."""
        super().press(*buttons)
        self._placed()

    def type(self, *keys: str) -> None:
        """Keys, the same way."""
        super().type(*keys)
        self._placed()

    def _placed(self) -> None:
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)

    @property
    def number(self) -> int:
        """The player's number."""
        return int(self.page.evaluate("fetch('/api/v1/me').then((reply) => reply.json())")["player"])

    def total(self, place: str) -> str:
        """What stands under the cards of a place."""
        return " ".join(self.at(place).locator(".label").inner_text().split())

    def says(self, text: str) -> None:
        """The presenter says this."""
        expect(self.at("subtitle")).to_have_text(re.compile(text))


class Hall:
    """A house with one table, and its pages."""

    def __init__(self, house: LiveHouse, contexts: Contexts, stack: ExitStack) -> None:
        self.house = house
        self._contexts = contexts
        self._stack = stack
        self.rooms: list[LiveRoom] = []

    def player(self, language: str = "it-IT", *, phone: bool = False, **more: Any) -> LiveRoom:
        """A new player comes to the table."""
        room = self.page(language, phone=phone, **more)
        room.enter()
        return room

    def page(
        self, language: str = "it-IT", *, phone: bool = False, script: str = UNSEEN, **more: Any
    ) -> LiveRoom:
        """A page in a context that is empty, which wants no motion."""
        args = {"locale": language, "reduced_motion": "reduce", **(PHONE if phone else DESKTOP), **more}
        context = self._contexts.take(**args)
        self._stack.callback(self._contexts.give_back, context)
        page = context.new_page()
        page.add_init_script(script)
        room = LiveRoom(page, self.house)
        room.touch = phone
        self.rooms.append(room)
        return room

    def check(self) -> None:
        """No page has complained, or called another host."""
        for room in self.rooms:
            assert not room.complaints, room.complaints
            assert not room.strangers, room.strangers


@contextmanager
def halls(folder: Path, contexts: Contexts) -> Iterator[OpenHall]:
    """Opens halls, and closes pages before houses. Several pages at once take their time on a small machine."""
    expect.set_options(timeout=PATIENCE)
    with ExitStack() as stack:

        def open_hall(*cards: str, house: type[LiveHouse] = LiveHouse, **settings: Any) -> Hall:
            opened = stack.enter_context(house(folder, *cards, **settings))
            return Hall(opened, contexts, stack)

        yield open_hall
