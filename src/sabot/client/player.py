"""A player's client: a method for each request."""

from collections.abc import Iterable
from typing import Any

import msgspec

from sabot.client.connection import ClientConnection, new_id
from sabot.engine import Bet
from sabot.engine.events import TurnStarted
from sabot.games.rules import Action
from sabot.protocol import requests


class PlayerClient(ClientConnection):
    """A player. Requests name the round and the turn that the client knows::

        async with PlayerClient("http://127.0.0.1:8765", token) as client:
            table = await client.open("surrender")
            await client.sit(table, 10_000)
            await client.deal(table, [Bet(0, "main", 1_000)])
            while not client.tables[table].over:
                await client.decide(table, "stand")

    At a live table others decide when something happens::

        table = await client.enter("live/freebet")
        await client.sit(table, 10_000, spot=3)
        await client.wait_for(lambda: client.tables[table].phase == "betting")
        await client.bet(table, [Bet(3, "main", 1_000)])
        await client.wait_for(lambda: client.tables[table].over)
    """

    # Coming and going

    async def open(self, game: str, currency: str = "FUN") -> str:
        """Open a solo game; gives the name of the table once it is shown."""
        await self.send(requests.Open(new_id(), game, "EUR" if currency == "EUR" else "FUN"))

        def shown() -> str:
            opened = (
                name
                for name, state in self.tables.items()
                if state.snapshot.game == game and state.live is None and state.me is not None
            )
            return next(opened, "")

        return await self.wait_for(shown)

    async def enter(self, table: str) -> str:
        """Subscribe to a live table; gives its name once it is shown."""
        await self.send(requests.Enter(new_id(), table))
        return table

    async def exit(self, table: str) -> None:
        """Unsubscribe from it; seats and bets stay."""
        await self.send(requests.Exit(new_id(), table))
        self.tables.pop(table, None)

    async def resume(self, table: str) -> None:
        """Continue at a table after a reconnection: the house sends the missed frames, or a snapshot."""
        state = self.tables.get(table)
        epoch, since = (0, 0) if state is None else (state.epoch, state.seq)
        await self.send(requests.Resume(new_id(), table, epoch, since))

    async def watch_lobby(self) -> None:
        """Subscribe to the lobby: `lobby` has every live table, and is updated."""
        await self.send(requests.WatchLobby(new_id()))

    async def sit(self, table: str, amount: int, spot: int | None = None) -> None:
        """Sit down with money; at a table with seats, on one of them."""
        await self.send(requests.Sit(new_id(), table, amount, spot))

    async def add_money(self, table: str, amount: int) -> None:
        """Bring more money."""
        await self.send(requests.AddMoneyRequest(new_id(), table, amount))

    async def leave(self, table: str, spot: int | None = None) -> None:
        """Leave the table with the money, or leave one seat; with a bet on it, after the round."""
        await self.send(requests.Leave(new_id(), table, spot))

    async def say(self, table: str, text: str) -> None:
        """Say something to the table."""
        await self.send(requests.Say(new_id(), table, text))

    # Betting

    async def deal(self, table: str, bets: Iterable[Bet], client_seed: str = "sabot") -> None:
        """Stake and deal, at a solo table."""
        await self.send(requests.DealRequest(new_id(), table, tuple(bets), client_seed))

    async def seed(self, table: str, seed: str) -> None:
        """Send the player's part in the shuffle of a live shoe."""
        await self.send(requests.SendSeed(new_id(), table, seed))

    async def bet(self, table: str, bets: Iterable[Bet]) -> None:
        """Replace all own bets of a live round by these."""
        await self.send(requests.PlaceBetsRequest(new_id(), table, self.tables[table].round, tuple(bets)))

    async def start_now(self, table: str) -> None:
        """Make the own bets final (INIZIARE ORA)."""
        await self.send(requests.StartNow(new_id(), table, self.tables[table].round))

    async def consent(self, table: str, double: bool, split: bool) -> None:
        """Set whether doubles and splits that others decide apply to the own bets."""
        await self.send(requests.ConsentRequest(new_id(), table, double, split))

    async def allow_behind(self, table: str, spot: int, allowed: bool) -> None:
        """Set whether others may bet behind an own seat."""
        await self.send(requests.AllowBehindRequest(new_id(), table, spot, allowed))

    # In the round

    async def pre_decide(self, table: str, spot: int, action: Action | None) -> None:
        """Choose the first decision of an own seat before its turn; None takes it back."""
        await self.send(requests.PreDecide(new_id(), table, self.tables[table].round, spot, action))

    async def vote(self, table: str, action: Action) -> None:
        """Vote on the hand in turn."""
        state = self.tables[table]
        turn = state.view.turn if state.view is not None else None
        spot, hand = turn or (0, 0)  # without a turn the house refuses
        await self.send(requests.VoteRequest(new_id(), table, state.round, state.turn, spot, action, hand))

    async def insure(self, table: str, accept: bool, spot: int | None = None) -> None:
        """Take or refuse insurance, for one spot or for all not yet answered."""
        state = self.tables[table]
        await self.send(requests.InsureRequest(new_id(), table, state.round, state.turn, accept, spot))

    async def decide(self, table: str, action: str, **more: Any) -> None:
        """Decide for the hand in turn, or send a command that names its spot."""
        state = self.tables[table]
        turn = next((e for e in reversed(state.events) if isinstance(e, TurnStarted)), None)
        place = {"spot": turn.spot, "hand": turn.hand} if turn is not None and "spot" not in more else {}
        command = msgspec.convert({"type": action, **place, **more}, requests.RoundCommand)
        await self.send(requests.Act(new_id(), table, state.round, state.turn, command))
