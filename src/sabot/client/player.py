"""A player at the other end of a socket: everything that can be asked, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sabot.client.connection import AskError, ClientConnection, new_id
from sabot.client.state import TableState
from sabot.engine import Bet
from sabot.engine.events import TurnStarted
from sabot.games.rules import Action
from sabot.protocol import requests

__all__ = ["AskError", "PlayerClient", "TableState", "new_id"]


class PlayerClient(ClientConnection):
    """A player. What is asked in a round is asked for the round, and the turn, that the client knows.

    ```python
    async with PlayerClient("http://127.0.0.1:8765", token) as client:
        table = await client.open("surrender")
        await client.sit(table, 10_000)
        await client.deal(table, [Bet(0, "main", 1_000)])
        while not client.tables[table].over:
            await client.decide(table, "stand")
    ```

    At a live table others decide when something happens:

    ```python
        table = await client.enter("live/freebet")
        await client.sit(table, 10_000, spot=3)
        await client.wait_for(lambda: client.tables[table].phase == "betting")
        await client.bet(table, [Bet(3, "main", 1_000)])
        await client.wait_for(lambda: client.tables[table].over)
    ```
    """

    # Coming and going

    async def open(self, game: str, currency: str = "FUN") -> str:
        """Open a solo game; gives the name of the table once it is shown."""
        await self.ask(requests.Open(new_id(), game, "EUR" if currency == "EUR" else "FUN"))

        def shown() -> str:
            opened = (
                name
                for name, state in self.tables.items()
                if state.snapshot.game == game and state.live is None and state.me is not None
            )
            return next(opened, "")

        return await self.wait_for(shown)

    async def enter(self, table: str) -> str:
        """Look at a live table; gives its name once it is shown."""
        await self.ask(requests.Enter(new_id(), table))
        return table

    async def exit(self, table: str) -> None:
        """Look at it no more; seats and bets stay."""
        await self.ask(requests.Exit(new_id(), table))
        self.tables.pop(table, None)

    async def resume(self, table: str) -> None:
        """Go on at a table after the socket broke and was opened again: with what was missed, or with a snapshot."""
        state = self.tables.get(table)
        epoch, since = (0, 0) if state is None else (state.epoch, state.seq)
        await self.ask(requests.Resume(new_id(), table, epoch, since))

    async def watch_lobby(self) -> None:
        """Be told of every live table, now and when something changes: `lobby` has them."""
        await self.ask(requests.WatchLobby(new_id()))

    async def sit(self, table: str, amount: int, spot: int | None = None) -> None:
        """Sit down with money; at a table with seats, on one of them."""
        await self.ask(requests.Sit(new_id(), table, amount, spot))

    async def add_money(self, table: str, amount: int) -> None:
        """Bring more money."""
        await self.ask(requests.AddMoneyRequest(new_id(), table, amount))

    async def leave(self, table: str, spot: int | None = None) -> None:
        """Leave with what is left, or one of the own seats; with a bet on it, after the round."""
        await self.ask(requests.Leave(new_id(), table, spot))

    async def say(self, table: str, text: str) -> None:
        """Say something to the table."""
        await self.ask(requests.Say(new_id(), table, text))

    # Betting

    async def deal(self, table: str, bets: Iterable[Bet], client_seed: str = "sabot") -> None:
        """Stake and deal, at a solo table."""
        await self.ask(requests.DealRequest(new_id(), table, tuple(bets), client_seed))

    async def seed(self, table: str, seed: str) -> None:
        """The player's part in the shuffle of a live shoe."""
        await self.ask(requests.SendSeed(new_id(), table, seed))

    async def bet(self, table: str, bets: Iterable[Bet]) -> None:
        """Replace all own bets of a live round by these."""
        await self.ask(requests.PlaceBetsRequest(new_id(), table, self.tables[table].round, tuple(bets)))

    async def start_now(self, table: str) -> None:
        """The own bets are final (INIZIARE ORA)."""
        await self.ask(requests.StartNow(new_id(), table, self.tables[table].round))

    async def consent(self, table: str, double: bool, split: bool) -> None:
        """Whether doubles and splits that others decide are followed."""
        await self.ask(requests.ConsentRequest(new_id(), table, double, split))

    async def allow_behind(self, table: str, spot: int, allowed: bool) -> None:
        """Whether others may bet behind an own seat."""
        await self.ask(requests.AllowBehindRequest(new_id(), table, spot, allowed))

    # In the round

    async def pre_decide(self, table: str, spot: int, action: Action | None) -> None:
        """The first decision of an own seat, before its turn; None takes it back."""
        await self.ask(requests.PreDecide(new_id(), table, self.tables[table].round, spot, action))

    async def vote(self, table: str, action: Action) -> None:
        """A vote on the hand whose turn it is."""
        state = self.tables[table]
        turn = state.view.turn if state.view is not None else None
        spot, hand = turn or (0, 0)  # without a turn the house says why not
        await self.ask(requests.VoteRequest(new_id(), table, state.round, state.turn, spot, action, hand))

    async def insure(self, table: str, accept: bool, spot: int | None = None) -> None:
        """Take or refuse insurance, for one spot or for all not yet answered."""
        state = self.tables[table]
        await self.ask(requests.InsureRequest(new_id(), table, state.round, state.turn, accept, spot))

    async def decide(self, table: str, action: str, **more: Any) -> None:
        """A decision on the hand in turn, or a command that names its spot, at the turn the client knows."""
        state = self.tables[table]
        turn = next((e for e in reversed(state.events) if isinstance(e, TurnStarted)), None)
        place = {"spot": turn.spot, "hand": turn.hand} if turn is not None and "spot" not in more else {}
        command = msgspec.convert({"type": action, **place, **more}, requests.RoundCommand)
        await self.ask(requests.Act(new_id(), table, state.round, state.turn, command))
