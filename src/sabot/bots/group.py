"""A company of bots that somebody brings to a table: they log in as any player does, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import aiohttp

from sabot.bots.player import BotPlayer, Place, Sleep
from sabot.bots.tally import Tally
from sabot.client import AskError, demo_token, live_tables
from sabot.protocol.messages import TableHead
from sabot.server.tables.live_registry import LIVE

#: Seconds in which the first bots come, each at a moment of its own.
_ARRIVALS = 6.0


class NoTableError(LookupError):
    """A table where bots cannot play; `head` is there if it plays for money, `known` are those where they can."""

    def __init__(self, table: str, head: TableHead | None, known: tuple[str, ...]) -> None:
        super().__init__(table)
        self.table = table
        self.head = head
        self.known = known


class BotLogin:
    """Logs bots in, one at a time; where too many come at once, it waits as long as the house says."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        sleep: Sleep = asyncio.sleep,
        waits: Callable[[int], None] = lambda seconds: None,
    ) -> None:
        """`waits` is told how long the house wants a bot to wait."""
        self._session = session
        self._url = url
        self._sleep = sleep
        self._waits = waits
        self._lock = asyncio.Lock()

    async def __call__(self) -> str:
        """A login of a bot."""
        async with self._lock:
            while True:
                try:
                    return await demo_token(self._session, self._url, bot=True)
                except AskError as error:
                    if error.code != "rate/limited":
                        raise
                    seconds = int(error.params["seconds"])
                    self._waits(seconds)
                    await self._sleep(seconds)


async def find_table(session: aiohttp.ClientSession, url: str, table: str) -> str:
    """The name of a table that is there and plays for play money; `NoTableError` if it is not, or does not."""
    heads = {head.table: head for head in await live_tables(session, url)}
    name = LIVE + table.removeprefix(LIVE)
    head = heads.get(name)
    if head is None or head.currency != "FUN":
        known = (head.table.removeprefix(LIVE) for head in heads.values() if head.currency == "FUN")
        raise NoTableError(table, head, tuple(known))
    return name


class BotGroup:
    """Some bots at one table, and what they did."""

    def __init__(
        self, place: Place, log_in: BotLogin, players: int, rng: Random, sleep: Sleep = asyncio.sleep
    ) -> None:
        self.tally = Tally()
        self.bots = [
            BotPlayer(
                place,
                log_in,
                Random(rng.getrandbits(64)),
                self.tally,
                sleep=sleep,
                arrival=rng.uniform(0, _ARRIVALS) if number else 0.0,
            )
            for number in range(players)
        ]

    async def run(self) -> None:
        """Play until cancelled; then they leave the table."""
        async with asyncio.TaskGroup() as group:
            for bot in self.bots:
                group.create_task(bot.run())
