"""A group of bots that `sabot bots` brings to a table; they log in one after the other, as players do."""

import asyncio
from collections.abc import Callable
from random import Random

import aiohttp

from sabot.bots.player import BotPlayer, Place, Sleep, Tally
from sabot.client import RequestError, demo_token, live_tables
from sabot.protocol.messages import TableHead
from sabot.server.tables.opening import LIVE

#: Bots arrive at random moments within these seconds.
_ARRIVALS = 6.0


class NoTableError(LookupError):
    """No play-money table of this name; `head` is set if it plays for money, `known` names the tables that would do."""

    def __init__(self, table: str, head: TableHead | None, known: tuple[str, ...]) -> None:
        super().__init__(table)
        self.head = head
        self.known = known


class BotLogin:
    """Logs bots in, one at a time; waits when the house limits the rate."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        sleep: Sleep = asyncio.sleep,
        waits: Callable[[int], None] = lambda seconds: None,
    ) -> None:
        """`waits` is called with the seconds before each wait."""
        self._session = session
        self._url = url
        self._sleep = sleep
        self._waits = waits
        self._lock = asyncio.Lock()

    async def __call__(self) -> str:
        """The token of a new login."""
        async with self._lock:
            while True:
                try:
                    return await demo_token(self._session, self._url, bot=True)
                except RequestError as error:
                    if error.code != "rate/limited":
                        raise
                    seconds = int(error.params["seconds"])
                    self._waits(seconds)
                    await self._sleep(seconds)


async def find_table(session: aiohttp.ClientSession, url: str, table: str) -> str:
    """The full name of a play-money table; `NoTableError` if there is none of this name."""
    heads = {head.table: head for head in await live_tables(session, url)}
    name = LIVE + table.removeprefix(LIVE)
    head = heads.get(name)
    if head is None or head.currency != "FUN":
        known = (head.table.removeprefix(LIVE) for head in heads.values() if head.currency == "FUN")
        raise NoTableError(table, head, tuple(known))
    return name


class BotGroup:
    """Bots at one table, and the tally of their moves."""

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
        """Play until cancelled; then leave the table."""
        async with asyncio.TaskGroup() as group:
            for bot in self.bots:
                group.create_task(bot.run())
