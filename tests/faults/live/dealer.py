"""The person who deals at a studio table of the simulator, with the supervisor beside: all from one seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from sabot.engine.round import Round
from sabot.tables.live.table import LiveTable
from tests.tables.live.at_random.hand_dealer import HandDealer


class TableInHand:
    """A studio table in its turn: what is done there is taken by whoever asked for the turn."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live

    @property
    def round(self) -> Round:
        """The round being dealt."""
        assert self.live.play.round is not None
        return self.live.play.round

    def do(self, act: Callable[[], None]) -> None:
        """Do something."""
        act()


def deal_some(live: LiveTable, random: Random) -> None:
    """Do what is due, or now and then something else; a pause ends after a while."""
    if live.table.paused:
        if random.random() < 0.3:
            live.resume()
        return
    dealer = HandDealer(TableInHand(live), random)
    if random.random() < 0.06:
        dealer.whim()
    else:
        dealer.step()
