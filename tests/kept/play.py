"""How the people of a kept house play: over its sockets, as its pages do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from sabot.bots.character import Character
from sabot.bots.player import BotPlayer, Tally
from sabot.bots.player import Place as BotPlace
from sabot.client import PlayerClient, RequestError
from sabot.client.state import TableState
from sabot.engine import Bet
from tests.kept.house import STUDIO, Place
from tests.support.clock import PATIENCE
from tests.support.site import Caller
from tests.support.studio import code_of

#: At live tables: quick, talkative, with side bets, never away.
_CHARACTER = Character(
    sides=0.6, starts=1.0, talks=0.3, seeds=1.0, rests=0.0, slips=0.3, insures=0.5, rounds=(1000, 1000)
)


async def deal_alone(client: PlayerClient, table: str) -> None:
    """Stake on two spots and a side bet, and deal."""
    side = "link" if client.tables[table].snapshot.game == "link" else "player-pair"
    bets = [Bet(0, "main", 1_000), Bet(0, side, 200), Bet(1, "main", 500)]
    await client.deal(table, bets, "a seed of the player's")


async def play_on(client: PlayerClient, table: str, rng: Random) -> None:
    """Play an open solo round out."""
    while not (state := client.tables[table]).over:
        await _step(client, table, state, rng)


async def _step(client: PlayerClient, table: str, state: TableState, rng: Random) -> None:
    part = state.me.part if state.me is not None else None
    if part is not None and part.offers:
        offer, accept = part.offers[0], rng.random() < 0.5
        if offer.kind == "even-money":
            await client.decide(table, "even-money", accept=accept, spot=offer.spot)
        else:
            await client.insure(table, accept, offer.spot)
        return
    options = [option for option in state.options if option.unavailable is None]
    if options:
        option = rng.choice(options)
        more = {"price": option.pays} if option.action == "cashback" else {}
        await client.decide(table, option.action, **more)
        return
    for action in ("spin", "continue"):
        try:
            await client.decide(table, action, spot=0)
        except RequestError as error:
            if not error.code.startswith("bonus/"):
                raise


@asynccontextmanager
async def playing_live(place: Place, caller: Caller, table: str, rng: Random) -> AsyncIterator[Tally]:
    """Someone who plays at a live table as a bot would, until the end of the block; gives how much that is."""

    async def log_in() -> str:
        return caller.token

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.1))

    tally = Tally()
    at = BotPlace(place.url, table, place.http)
    player = BotPlayer(at, log_in, rng, tally, character=_CHARACTER, sleep=sleep)
    playing = asyncio.create_task(player.run())
    try:
        yield tally
    finally:
        playing.cancel()
        await asyncio.wait([playing])


async def play_live(place: Place, caller: Caller, table: str, rounds: int) -> None:
    """Play so many rounds at a live table, then leave it."""
    async with playing_live(place, caller, table, Random(table)) as tally, asyncio.timeout(PATIENCE):
        while tally.rounds < rounds:
            await asyncio.sleep(0.1)


class StudioEvening:
    """A presenter, a card-reading shoe and a player at the studio table of a kept house."""

    def __init__(self, eva: Caller, shoe: Caller, client: PlayerClient) -> None:
        self._eva, self._shoe, self._client = eva, shoe, client

    async def order(self, type: str, **about: object) -> int:
        """An order of the presenter; gives the number of the last reading."""
        answer = await self._eva.post("/studio/evening/orders", {"type": type, **about})
        assert answer.status == 200, answer.text
        return int(answer.body["scan"])

    async def play(self) -> None:
        """A round in which 19 stands against 17: betting is opened, cards are read, the bet is paid."""
        client = self._client
        scan = await self.order("open-betting")
        await client.wait_for(lambda: client.tables[STUDIO].phase == "betting", PATIENCE)
        await client.bet(STUDIO, [Bet(0, "main", 1_000)])
        await client.wait_for(lambda: client.tables[STUDIO].phase == "dealing", PATIENCE)
        for number, card in enumerate(["10s", "7s", "9s", "10h"], scan + 1):
            await self._read(card, number)
        await client.wait_for(lambda: client.tables[STUDIO].options, PATIENCE)
        await client.decide(STUDIO, "stand")
        await self._read("10h", scan + 5)
        await self.order("pay")

    async def _read(self, card: str, number: int) -> None:
        answer = await self._shoe.post("/studio/evening/scans", {"scan": number, "code": code_of(card)})
        assert answer.status == 200, (card, answer.text)
