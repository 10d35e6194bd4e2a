"""Loss limits under random play: players with limits at all five games, at several tables at once (ASR-41).

`python -m tests.faults.losses --seconds 60` plays one house after the other, each from a seed of its own. However they
stake, double, split, insure and follow, nobody's day may cost more than the limit; and the limits must bite.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from sabot.client import PlayerClient, RequestError
from sabot.engine import Bet
from sabot.server.accounts.queries import day_of
from sabot.store.database import Database
from tests.support.hall import FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.house import VAULT, CountedShoes

SEATS, BOXES = replace(FREEBET, currency="EUR"), replace(MAJORITY, currency="EUR")
ONE, TWO = "live/one", "live/two"
SOLO = ("surrender", "cashback", "link")
#: Doubles and splits more often than a good player: they are what is looked at.
ACTIONS = ("double", "double", "split", "split", "hit", "stand", "stand")


class Gambler:
    """A player with a limit, who tries everything everywhere."""

    def __init__(self, member: Member, seat: int, limit: int, rng: Random) -> None:
        self.member = member
        self.seat = seat
        self.limit = limit
        self._rng = rng
        self.told: Counter[str] = Counter()

    async def come(self, hall: Hall) -> None:
        """Set the limit, and sit down everywhere."""
        assert (await self.member.put("/protections", {"loss_day": self.limit})).status == 200
        self._live = [await hall.at(self.member, ONE, spot=self.seat), await hall.at(self.member, TWO)]
        self._solo = self._live[0]
        self._tables = []
        for game in SOLO:
            table = await self._solo.open(game, "EUR")
            await self._solo.sit(table, 10_000)
            self._tables.append(table)
        for client, table in zip(self._live, (ONE, TWO), strict=True):
            await client.consent(table, double=True, split=True)

    async def act(self) -> None:
        """Ask for several things at once."""
        rng = self._rng
        asks = [self._at_solo(table) for table in rng.sample(self._tables, 2)]
        asks += [self._at_seats(self._live[0]), self._at_boxes(self._live[1])]
        await asyncio.gather(*asks)

    def _stake(self) -> int:
        return self._rng.choice((100, 200, 300, 500, 800))

    async def _try(self, asking: Awaitable[None]) -> bool:
        try:
            await asking
        except RequestError as error:
            self.told[error.code] += 1
            return False
        except msgspec.ValidationError:  # nothing to decide yet: the client has no round to name
            return False
        self.told[""] += 1
        return True

    async def _at_solo(self, table: str) -> None:
        rng, client = self._rng, self._solo
        bets = [Bet(spot, "main", self._stake()) for spot in range(rng.choice((1, 1, 2)))]
        if await self._try(client.deal(table, bets)):
            return
        if await self._try(client.insure(table, accept=rng.random() < 0.7)):
            return
        for action in rng.sample(ACTIONS, 3):
            if await self._try(client.decide(table, action)):
                return
        for word in ("spin", "continue"):
            await self._try(client.decide(table, word, spot=0))
        await self._try(client.decide(table, "even-money", spot=0, accept=True))

    async def _at_seats(self, client: PlayerClient) -> None:
        bets = [Bet(self.seat, "main", self._stake())]
        if self._rng.random() < 0.7:
            bets.append(Bet((self.seat + 1) % 3, "behind", self._stake()))
        if await self._try(client.bet(ONE, bets)) or await self._try(client.insure(ONE, accept=True)):
            return
        await self._try(client.decide(ONE, self._rng.choice(ACTIONS)))

    async def _at_boxes(self, client: PlayerClient) -> None:
        bets = [Bet(spot, "main", self._stake()) for spot in range(self._rng.choice((1, 2)))]
        if await self._try(client.bet(TWO, bets)) or await self._try(client.insure(TWO, accept=True)):
            return
        await self._try(client.vote(TWO, self._rng.choice(("double", "split", "hit", "stand"))))


async def gamble(database: Database, seed: int, steps: int) -> Counter[str]:
    """One house; gives how often each refusal was told. Raises where a day costs more than its limit."""
    rng = Random(seed)
    async with open_hall(database, CountedShoes(VAULT, seed), SEATS, BOXES) as hall:
        gamblers = []
        for seat in range(3):
            limit = rng.choice((500, 1_000, 1_500, 2_500, 4_000))
            gamblers.append(Gambler(await hall.member(f"gambler-{seat}"), seat, limit, rng))
        for gambler in gamblers:
            await gambler.come(hall)
        for _ in range(steps):
            await asyncio.gather(*(gambler.act() for gambler in gamblers))
            for table in (ONE, TWO):
                if hall.desk(table).table.phases.due is not None:
                    await hall.tick(table)
            for gambler in gamblers:
                await _check(hall, gambler, seed)
        await hall.check(replay=True)
    return sum((gambler.told for gambler in gamblers), Counter())


async def _check(hall: Hall, gambler: Gambler, seed: int) -> None:
    at, player = hall.clock.wall_ms(), gambler.member.player
    day = await hall.house.house.read(lambda connection: day_of(connection, player, at))
    worst = day.lost + day.at_stake
    assert worst <= gambler.limit, f"seed {seed}: {worst} of {gambler.limit} may be lost"


def campaign(seconds: float, first: int = 0, steps: int = 20) -> Counter[str]:
    """House after house until the time is over."""
    told: Counter[str] = Counter()
    end = time.monotonic() + seconds
    seed = first
    while seed == first or time.monotonic() < end:
        with TemporaryDirectory() as folder:
            database = Database(f"sqlite:///{Path(folder) / 'house.db'}")
            told += asyncio.run(gamble(database, seed, steps))
        seed += 1
    print(f"{seed - first} houses, no limit passed:", dict(told.most_common()))
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    campaign(asked.seconds, asked.seed)
