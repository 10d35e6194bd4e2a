"""A person who deals at a studio table: mostly what is due, and now and then something else; all from one seed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Protocol

from sabot.cards import DECK_SIZE
from sabot.engine.round import Round
from sabot.errors import Refusal
from sabot.tables.live.studio import Studio, StudioPerson
from sabot.tables.live.table import LiveTable

EVA, BOSS = StudioPerson(8, "Eva"), StudioPerson(9, "Boss", supervisor=True)
DEVICE = "shoe-1"


class DealtByHand(Protocol):
    """A studio table as its dealer has it."""

    @property
    def live(self) -> LiveTable:
        """The table, which is another one after a restart."""

    @property
    def round(self) -> Round:
        """The round being dealt."""

    def do(self, act: Callable[[], None], /) -> None:
        """Do something at the table, and store it."""


class HandDealer:
    """The presenter of a table, with the reading shoe and the supervisor beside."""

    def __init__(self, hall: DealtByHand, random: Random) -> None:
        self._hall = hall
        self._random = random

    @property
    def studio(self) -> Studio:
        """The studio of the table, which is another one after a restart."""
        assert self._hall.live.studio is not None
        return self._hall.live.studio

    def step(self) -> None:
        """Do what the console says; first read from the own shoe again, if another device has taken the table."""
        studio, console = self.studio, self.studio.console()
        if console.device not in ("", DEVICE):
            self._ask(lambda: studio.take_device(DEVICE, EVA))
        step = console.step
        steps: dict[str, Callable[[], None]] = {
            "shift": lambda: studio.shift.change(EVA),
            "locked": lambda: studio.shift.unlock(EVA),
            "shoe": lambda: studio.shoes.change(EVA, "A"),
            "open": lambda: studio.open_betting(EVA),
            "pay": lambda: studio.pay(EVA),
            **dict.fromkeys(("card", "hole", "burn", "turn"), self._read),
        }
        if step in steps:
            self._ask(steps[step])

    def whim(self) -> None:
        """Take a card back, correct one, exchange the shoe, show the cut card, and the like."""
        studio, random = self.studio, self._random
        cards = studio.console().cards
        orders: list[Callable[[], None]] = [
            lambda: studio.show_cut_card(EVA),
            lambda: studio.shoe_empty(EVA),
            lambda: studio.shift.change(None),
            lambda: studio.shift.lock(EVA),
            lambda: studio.shoes.change(EVA, "B"),
            lambda: studio.shoes.count(EVA, 52),
            partial(studio.scan, "another", 1, 7),
            *[lambda: studio.take_back(EVA, "misread")] * 6,
        ]
        if cards:
            row = random.choice(cards).row
            orders += [lambda: studio.correct(BOSS, row, random.randrange(DECK_SIZE), "misread")] * 4
        self._ask(random.choice(orders))

    def _read(self) -> None:
        """Read a card; one that is turned is mostly the one that lies there."""
        play, card = self._hall.round.play, self._random.randrange(DECK_SIZE)
        if play.due is not None and play.due.what == "turn" and self._random.random() < 0.9:
            assert play.hole is not None
            card = play.hole
        studio = self.studio
        studio.scan(DEVICE, studio.last_scan(DEVICE) + 1, card)

    def _ask(self, order: Callable[[], None]) -> None:
        with suppress(Refusal):
            self._hall.do(order)
