"""What a client folds together from the frames of a live table is what a snapshot shows at the same moment.

Players do whatever comes to their mind; after every step the house is asked for a snapshot, which must be what those
who listened from the beginning know.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from sabot.client import PlayerClient, RequestError, TableState
from sabot.engine import Bet
from sabot.protocol import messages
from sabot.server.config import Config, TableSection
from sabot.server.tables.clock import CROWD_SECONDS
from sabot.server.tables.registry import LiveRuntime
from sabot.store.database import Database
from sabot.tables.live.timers import Phase, Timers
from tests.support.clock import PATIENCE
from tests.support.house import VAULT, CountedShoes
from tests.support.served import Served, served

TABLE = "live/one"
PLAYERS = 5
#: Steps of play: so many at least, and on until every phase and a used shoe were seen, if it takes no more than that.
LEAST, MOST = 150, 3_000
PHASES = {*get_args(Phase)} - {"idle"} | {"offers", "settled", "voided", "paused", "open"}
#: A cut card that comes out after a few rounds, so that shoes are changed.
OPTIONS = {"cut": 30, "vote_threshold": 2, "burn": True}


class Hall:
    """Players at a live table whose clock is put on by hand. The first one asks for snapshots, the others listen."""

    def __init__(self, house: Served, players: list[PlayerClient], rng: Random) -> None:
        self.house = house
        self.players = players
        self.rng = rng
        self.compared: set[str] = set()

    @property
    def desk(self) -> LiveRuntime:
        return self.house.registry.live[TABLE]

    async def pass_time(self, seconds: float) -> None:
        """Put the clock on; over when all that came of it was told."""
        self.house.clock.ms += round(1000 * seconds) + 1
        self.desk.wake()
        desk = self.desk
        while desk.busy:
            await asyncio.sleep(0.001)

    async def end_phase(self) -> None:
        live = self.desk.table
        if live.phases.due is not None:
            await self.pass_time(max(0.0, live.phases.due - self.house.clock.monotonic()))

    async def compare(self) -> None:
        """A snapshot tells what the listeners know."""
        await self.pass_time(CROWD_SECONDS)  # what is counted is told now and then
        asker, *listeners = self.players
        told: list[messages.Snapshot] = []

        def heard(frame: bytes) -> None:
            if frame.startswith(b'{"type":"snapshot"'):
                told.append(msgspec.json.decode(frame, type=messages.Snapshot))

        asker.on_message = heard
        await asker.enter(TABLE)
        asker.on_message = None
        (snapshot,) = told
        for listener in listeners:
            state = listener.tables[TABLE]
            await listener.wait_for(lambda state=state: state.seq >= snapshot.seq, PATIENCE)  # type: ignore[misc]
            assert replace(state.picture(), at=snapshot.at) == snapshot
        assert snapshot.live is not None
        self.compared.add(snapshot.live.phase)
        self.compared.add(snapshot.view.phase if snapshot.view is not None else "no round")
        self.compared.add("paused" if snapshot.live.paused else "open")

    # Whatever comes to mind

    async def step(self) -> None:
        """One of the players does something, or time goes by, or a supervisor acts."""
        dice = self.rng.random()
        if dice < 0.02 and not self.desk.table.table.paused:
            await self.desk.order(lambda live: live.pause("checking"))
        elif dice < 0.12 and self.desk.table.table.paused:
            await self.desk.order(lambda live: live.resume())
        elif dice < 0.03 and self.desk.table.table.in_round:
            await self.desk.order(lambda live: live.void("malfunction"))
        elif dice < 0.4:
            await self.end_phase()
        else:
            player = self.rng.choice(self.players[1:])
            with suppress(RequestError):  # much of it is refused
                await self._act(player, player.tables[TABLE])

    async def _act(self, player: PlayerClient, state: TableState) -> None:
        rng, spot = self.rng, self.rng.randrange(7)
        assert state.me is not None
        if state.me.balance is None or rng.random() < 0.05:
            await player.sit(TABLE, 5_000, spot if self.has_seats else None)
        elif rng.random() < 0.04:
            await player.leave(TABLE, rng.choice((None, spot)) if self.has_seats else None)
        elif state.me.live is not None and state.me.live.consent is None:
            await player.consent(TABLE, rng.random() < 0.7, rng.random() < 0.7)
        elif state.phase == "shuffle":
            await player.seed(TABLE, f"seed {rng.random()}")
        elif state.phase == "betting":
            await self._bet(player, state)
        elif state.phase == "insurance":
            await player.insure(TABLE, rng.random() < 0.5)
        elif state.phase in ("dealing", "decisions"):
            await self._decide(player, state)
        elif state.live is not None and state.live.next_commitment:
            await player.seed(TABLE, f"seed {rng.random()}")

    async def _bet(self, player: PlayerClient, state: TableState) -> None:
        rng, own = self.rng, state.own_seats
        if not self.has_seats:
            await player.bet(TABLE, [Bet(0, "main", 400), Bet(1, "main", 200), Bet(0, "21+3", 100)])
        elif rng.random() < 0.2 and own:
            await player.allow_behind(TABLE, own[0], rng.random() < 0.5)
        else:
            others = [seat for seat in state.seats if seat not in own]
            stake = rng.choice((50, 300, 300))  # below the minimum it goes back when bets are closed
            mains = [Bet(seat, "main", stake) for seat in own]
            behind = [Bet(seat, "behind", 100) for seat in others if rng.random() < 0.5]
            await player.bet(TABLE, [*mains, *behind, *(Bet(seat, "21+3", 100) for seat in own[:1])])
            if rng.random() < 0.4:
                await player.start_now(TABLE)

    async def _decide(self, player: PlayerClient, state: TableState) -> None:
        if self.rng.random() < 0.2 and state.own_seats:
            await player.pre_decide(TABLE, self.rng.choice(state.own_seats), "stand")
        elif state.options:
            action = self.rng.choice(state.options[1:] or state.options).action
            await (player.decide(TABLE, action) if self.has_seats else player.vote(TABLE, action))

    @property
    def has_seats(self) -> bool:
        return self.desk.table.table.rules.backing == "seats"


@pytest.mark.slow  # thousands of snapshots compared
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("game", "shuffling_table"),
    [("freebet", False), ("majority-us", False), ("majority-eu", False), ("freebet", True)],
)
async def test_what_a_client_folds_is_what_a_snapshot_shows(
    database: Database, game: str, shuffling_table: bool
) -> None:
    timers = Timers(absence=100_000, shuffling_table=shuffling_table)
    section = TableSection(name="one", game=game, currency="FUN", options=OPTIONS, timers=timers)

    shoes = CountedShoes(VAULT, 0)
    async with (
        served(database, shoes, config=Config(table=(section,))) as house,
        AsyncExitStack() as stack,
    ):
        players = []
        for _ in range(PLAYERS):
            client = house.client(await house.player())
            players.append(await stack.enter_async_context(client))
            await client.enter(TABLE)
        hall = Hall(house, players, Random(1))
        state = players[1].tables[TABLE]
        for step in range(MOST):
            await hall.step()
            await hall.compare()
            if step >= LEAST and hall.compared >= PHASES and state.root and state.revealed is not None:
                break
        assert hall.compared >= PHASES
        assert (bool(state.root), state.revealed is not None) == (True, True)
        assert state.live is not None
        assert bool(state.live.next_commitment) == shuffling_table
