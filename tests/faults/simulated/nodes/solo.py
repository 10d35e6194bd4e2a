"""Players at tables of their own, which go with them from node to node (CLU-04)."""

from __future__ import annotations

from random import Random

from sabot.engine import Bet
from sabot.engine.commands import DECISIONS
from sabot.protocol import requests
from sabot.server.accounts.logins import Login
from sabot.server.tables.opening import SoloName
from tests.faults.live.history import History
from tests.faults.live.page import Page
from tests.faults.live.player import Habits, Player
from tests.faults.live.process import Server

GAME = "surrender"
_HABITS = Habits(pace=1.5)


class SoloPage(Page):
    """A page with a solo table."""

    async def come(self, table: str) -> str:
        """Open the table, or go on where the page was."""
        if self.table is not None and self.rng.random() < 0.7:
            return await self.request(requests.Resume(self.new_id(), table, self.table.epoch, self.table.seq))
        return await self.request(requests.Open(self.new_id(), GAME, "FUN"))


class SoloPlayer(Player):
    """Plays alone, and often comes back at another node."""

    def __init__(self, person: Login, label: str, history: History, seed: int | str) -> None:
        super().__init__(person, label, history, _HABITS, seed)
        self.page: Page = SoloPage(person, label, history, self.rng)

    async def _move(self, process: Server) -> None:
        page, rng = self.page, self.rng
        if not page.connected:
            page.connect(process)
            await page.come(self._table)
        elif not page.there:
            await page.come(self._table)
        elif rng.random() < 0.1:
            page.drop()
        elif (wish := self._wish(rng, page.new_id(), process.closing)) is not None:
            await self._say(wish)

    def _wish(self, rng: Random, id: str, closing: bool) -> requests.AnyRequest | None:
        """Sit down, deal, decide; in the end leave."""
        table, me, name = self.page.table, self.page.me, self._table
        if table is None or me is None:
            return None
        if me.balance is None:
            return None if closing else requests.Sit(id, name, min(me.account, 5_000))
        view = table.view
        if view is None or view.phase in ("settled", "voided", "betting"):
            if closing or me.balance < 1_000:
                return requests.Leave(id, name)
            bets = tuple(Bet(spot, "main", 400) for spot in range(rng.randint(1, 2)))
            return requests.DealRequest(id, name, bets, f"{rng.random()}")
        if view.turn is None:
            return requests.InsureRequest(id, name, table.round, table.turn, rng.random() < 0.5)
        spot, hand = view.turn
        allowed = [option.action for option in view.options if option.unavailable is None]
        command = DECISIONS[rng.choice(allowed or ["stand"])](spot, hand)
        return requests.Act(id, name, table.round, table.turn, command)


def table_of(player: int) -> str:
    """The name of a player's own table."""
    return str(SoloName(player, GAME, "FUN"))
