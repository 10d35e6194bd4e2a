"""A loss limit under random play through two nodes of one house, on PostgreSQL (CLU-10, ASR-41).

`python -m tests.faults.nodes.losses --seconds 60` plays one house after the other, each from a seed of its own: a player
bets, doubles, splits and insures at four tables of two nodes at once. Never may the day cost more than the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Awaitable
from random import Random
from tempfile import TemporaryDirectory

import msgspec
import psycopg
from sqlalchemy.engine import make_url

from sabot.client import PlayerClient, RequestError
from sabot.engine import Bet
from sabot.rounds.audit import audit_house
from sabot.server.accounts.queries import day_of
from tests.faults.losses import ACTIONS
from tests.faults.postgres import own_server
from tests.support.house import VAULT, CountedShoes
from tests.support.site import two_nodes

#: The tables of each node, and how often the player acts at all of them.
GAMES = (("surrender", "link"), ("classic-6", "classic-8"))
STEPS = 15


class Gambler:
    """A player at one table."""

    def __init__(self, client: PlayerClient, table: str, rng: Random, told: Counter[str]) -> None:
        self._client = client
        self._table = table
        self._rng = rng
        self._told = told

    async def act(self) -> None:
        """Stake, or do something in the round."""
        rng, client, table = self._rng, self._client, self._table
        bets = [
            Bet(spot, "main", rng.choice((100, 200, 300, 500, 800))) for spot in range(rng.choice((1, 1, 2)))
        ]
        if await self._try(client.deal(table, bets)):
            return
        if await self._try(client.insure(table, accept=rng.random() < 0.7)):
            return
        for action in rng.sample(ACTIONS, 3):
            if await self._try(client.decide(table, action)):
                return

    async def _try(self, asking: Awaitable[None]) -> bool:
        try:
            await asking
        except RequestError as error:
            self._told[error.code] += 1
            return False
        except msgspec.ValidationError:  # nothing to decide yet: the client has no round to name
            return False
        self._told[""] += 1
        return True


async def gamble(url: str, seed: int) -> Counter[str]:
    """One house; gives how often each refusal was told. Raises where a day costs more than its limit."""
    rng, told = Random(seed), Counter[str]()
    limit = rng.choice((500, 1_000, 1_500, 2_500, 4_000))
    async with two_nodes(url, CountedShoes(VAULT, seed)) as nodes:
        house, ada = nodes[0].house, await nodes[0].join("ada")
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 100_000})
        assert (await ada.put("/protections", {"loss_day": limit})).status == 200
        player = await nodes[0].players.named("ada")
        async with (
            PlayerClient(nodes[0].url, ada.token) as one,
            PlayerClient(nodes[1].url, ada.token) as other,
        ):
            gamblers = []
            for client, games in zip((one, other), GAMES, strict=True):
                for game in games:
                    table = await client.open(game, "EUR")
                    await client.sit(table, 10_000)
                    gamblers.append(Gambler(client, table, rng, told))
            for _ in range(STEPS):
                await asyncio.gather(*(gambler.act() for gambler in gamblers))
                day = await house.read(lambda connection: day_of(connection, player, house.clock.wall_ms()))
                worst = day.lost + day.at_stake
                assert worst <= limit, f"seed {seed}: {worst} of {limit} may be lost"
        report = await house.work(lambda: audit_house(house.database, replay=False))
        assert report.findings == []
    return told


def campaign(seconds: float, first: int) -> Counter[str]:
    """House after house until the time is over."""
    told, seed, end = Counter[str](), first, time.monotonic() + seconds
    with TemporaryDirectory() as folder, own_server(folder) as address:
        while seed == first or time.monotonic() < end:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE house_{seed}")
            url = make_url(address).set(database=f"house_{seed}").render_as_string(hide_password=False)
            told += asyncio.run(gamble(url, seed))
            seed += 1
    print(f"{seed - first} houses of two nodes, no limit passed:", dict(told.most_common()))
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    campaign(asked.seconds, asked.seed)
