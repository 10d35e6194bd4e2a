"""Players at a house of several nodes, who go on at another node when theirs is gone, and keep what was acknowledged."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import aiohttp
import psycopg

from sabot.client import RequestError, demo_token
from tests.faults.live.hall import FREE_RATES, Punter, sections
from tests.faults.serving import GAMES, Bot, play
from tests.support.clock import PATIENCE
from tools.cluster.processes import Process

#: What a player may be told while something fails; the same request can be sent again.
PASSING = {
    *("table/unreachable", "table/not-open", "house/down", "house/bus-down", "house/busy", "house/draining"),
    *("unit/lost", "stream/fenced", "node/buried", "socket/closed", "login/required", "rate/limited"),
}
#: What a player brings to a live table: enough for every round there is time for.
BROUGHT = 10_000_000
#: Settings of the house and of its server: money for everyone, and rates that stop nobody.
HOUSE, SERVER = f"demo_money = {2 * BROUGHT}\n", f"{FREE_RATES}sockets_account = 100000\n"


def settings(tables: Mapping[str, str], **timers: float) -> str:
    """The sections of these live tables, by name and game; who cannot bet while something fails keeps the seat (FRB-20)."""
    return sections(tables, {"idle_rounds": 10_000, **timers})


class Crowd:
    """Everyone who plays; `over` ends it."""

    def __init__(self, nodes: Mapping[str, Process], random: Random, pace: float) -> None:
        """`pace` is how many seconds a solo player thinks."""
        self._pace = pace
        self._nodes = nodes
        self._random = random
        #: Nodes that a load balancer would pass over.
        self.away: set[str] = set()
        self._over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._at: dict[asyncio.Task[None], str] = {}
        #: Counts what solo players were answered.
        self.acknowledged = asyncio.Semaphore(0)
        #: What players were told last while something failed.
        self.refused: deque[tuple[str, str, str]] = deque(maxlen=20)
        self.bots: list[Bot] = []
        self.punters: list[Punter] = []

    async def come(self, solo: int, live: Mapping[str, str], each: int) -> None:
        """Let players come: some to tables of their own, and some to each live table, given by name and game."""
        async with aiohttp.ClientSession() as http:
            for number in range(solo):
                bot = Bot(GAMES[number % len(GAMES)], await self._token(http))
                self.bots.append(bot)
                self._start(partial(self._play_solo, bot))
            for name, game in live.items():
                for number in range(each):
                    spot = number % 2 if game.startswith("majority") else number
                    token = await self._token(http)
                    punter = Punter(token, f"live/{name}", spot, number, brought=BROUGHT)
                    self.punters.append(punter)
                    self._start(punter.run)

    async def _token(self, http: aiohttp.ClientSession) -> str:
        return await demo_token(http, self._random.choice(list(self._nodes.values())).url)

    def _start(self, act: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self._tasks.append(asyncio.create_task(self._travel(act)))

    async def _travel(self, act: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Play at any node that lets the player in, until the end; whatever fails in passing is tried again."""
        while not self._over.is_set():
            name = self._random.choice([name for name in self._nodes if name not in self.away])
            task = asyncio.create_task(act(self._nodes[name].url))
            self._at[task] = name
            try:
                await task
            except asyncio.CancelledError:
                if _is_told_to_stop():
                    task.cancel()
                    raise
            except RequestError as error:
                if error.code not in PASSING:
                    raise
                self.refused.append((time.strftime("%X"), name, str(error)))
            except (OSError, aiohttp.ClientError, TimeoutError, KeyError):  # the last: the table was closed
                pass
            finally:
                del self._at[task]
            await asyncio.sleep(0.05)

    async def _play_solo(self, bot: Bot, url: str) -> None:
        try:
            await play(bot, url, self.acknowledged, self._pace)
        except RequestError as error:
            if error.code != "funds/insufficient":
                raise
            poor = Bot(bot.game, bot.token, dealt=set(bot.dealt))  # goes on as another player
            self.bots.append(poor)
            async with aiohttp.ClientSession() as http:
                bot.token, bot.round, bot.dealt = await self._token(http), "", set()

    def leave(self, name: str) -> None:
        """Players at a node that does not answer go elsewhere, as a page does after a while."""
        self.away.add(name)
        for task, at in self._at.items():
            if at == name:
                task.cancel()

    def check(self) -> None:
        """Fail if a player has met what must not be."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def hear(self, answers: int) -> None:
        """Wait for so many answers to solo players."""
        for _ in range(answers):
            await self._while_playing(self.acknowledged.acquire())

    async def see_bets(self) -> None:
        """Wait until a bet is acknowledged at every live table: everyone goes on."""
        before, end = self._bets(), time.monotonic() + PATIENCE
        while any(self._bets()[table] <= bets for table, bets in before.items()):
            self.check()
            assert time.monotonic() < end, (
                f"no bet is taken: {[_view(one) for one in self.punters]}, players are at {self._at.values()}, told {self.refused}"
            )
            await asyncio.sleep(0.05)

    def _bets(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for punter in self.punters:
            found[punter.table] += len(punter.acknowledged)
        return found

    async def _while_playing(self, act: Coroutine[Any, Any, Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            task = asyncio.create_task(act)
            while not task.done():
                await asyncio.wait([task], timeout=1.0)
                self.check()

    async def go_home(self) -> None:
        """Everyone stops; live players take their money when their round is over."""
        self._over.set()
        for task in (*self._tasks, *self._at):
            task.cancel()
        for found in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(found, Exception):
                raise found
        nodes = list(self._nodes.values())
        await asyncio.gather(*(self._send_home(punter, nodes) for punter in self.punters))

    async def _send_home(self, punter: Punter, nodes: list[Process]) -> None:
        while True:
            with suppress(RequestError, aiohttp.ClientError, OSError, KeyError):
                await punter.go_home(self._random.choice(nodes).url)
                return
            await asyncio.sleep(0.2)


def _view(punter: Punter) -> str:
    """What a player sees."""
    state = punter.state
    if state is None:
        return f"{punter.table} {punter.spot}: nothing"
    shown = state.snapshot
    return (
        f"{punter.table} {punter.spot}: epoch {shown.epoch}, frame {state.seq},"
        f" {state.phase} of {state.round}, paused {state.paused}, refused {punter.refused}"
    )


def _is_told_to_stop() -> bool:
    """Whether this task is cancelled, and not only the one that it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def check_acknowledged(database: str, crowd: Crowd) -> Counter[str]:
    """Every round that a player was told of is in the books, with at least the stake that was acknowledged (CLU-20).

    Gives how they ended; a solo round may still be open.
    """
    ends: Counter[str] = Counter()
    with psycopg.connect(database) as connection:
        for token, kept in (
            *((bot.token, dict.fromkeys(bot.dealt - {""}, 1)) for bot in crowd.bots),
            *((punter.token, punter.acknowledged) for punter in crowd.punters),
        ):
            digest = hashlib.sha256(token.encode()).digest()
            rows = connection.execute(
                "SELECT r.code, r.state, p.staked FROM rounds r CROSS JOIN logins l"
                " LEFT JOIN played p ON p.code = r.code AND p.player = l.player"
                " WHERE l.token = %s AND r.code = ANY(%s)",
                (digest, list(kept)),
            ).fetchall()
            found = {code: (state, staked) for code, state, staked in rows}
            for code, stake in kept.items():
                assert code in found, f"round {code} was acknowledged and is not there"
                state, staked = found[code]
                assert state != "settled" or (staked or 0) >= stake, f"{stake} of {code} is lost: {staked}"
                ends[state] += 1
    return ends
