"""Thousands of bots at one Majority table of the real server: `python -m tests.faults.live.load --players 2000`."""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import aiohttp
import uvloop
from msgspec import Struct, field

from sabot.bots.group import BotGroup, BotLogin
from sabot.bots.player import Place, Sleep, open_session
from sabot.client import PlayerClient
from sabot.protocol import requests
from sabot.store.database import Database
from tests.faults.live.hall import furnish
from tests.faults.serving import check_books, process

TABLE = "live/crowd"
#: Seconds between two looks at what the server measures of itself.
_EVERY = 1.0


class Load(Struct):
    """What a crowd was given."""

    players: int = 0
    rounds: int = 0
    #: The most that stood on the boxes of one round.
    most_bets: int = 0
    #: Seconds until a question was answered, once everyone was there.
    answers: list[float] = field(default_factory=list)
    #: Seconds that the server's loop woke up late, second by second.
    lag: list[float] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    reconnected: int = 0
    slow_sockets: float = 0.0

    def report(self) -> str:
        """In one line."""
        answers, lag = sorted(self.answers), max(self.lag, default=0.0)
        p50, p99 = (1000 * answers[int(len(answers) * part)] if answers else 0.0 for part in (0.5, 0.99))
        return (
            f"{self.players} players, {self.rounds} rounds, {self.most_bets} with bets in one, {len(answers)} answers,"
            f" p50 {p50:.0f} ms, p99 {p99:.0f} ms, loop lag at most {1000 * lag:.0f} ms,"
            f" {self.reconnected} reconnected, {self.slow_sockets:.0f} slow sockets, errors {self.errors}"
        )


async def crowd(
    folder: Path, url: str, players: int, rounds: int, seed: int, *, pace: float = 1.0, **timers: float
) -> Load:
    """Bring so many bots to one table and let them play so many rounds together, one of them with most of them in it."""
    furnish(folder, {"crowd": "majority-us"}, **timers)
    load = Load(players)
    async with process(folder, url) as (address, _), open_session() as session:
        log_in = BotLogin(session, address)
        group = BotGroup(Place(address, TABLE, session), log_in, players, Random(seed), _sleep(pace))
        with patch.object(PlayerClient, "send", _timed(load)):
            playing = asyncio.create_task(group.run())
            watching = asyncio.create_task(_watch(session, address, load))
            try:
                while group.tally.there < players:
                    await _still(playing)
                load.answers.clear()
                load.lag.clear()
                before = await asyncio.to_thread(_settled, url)
                while (
                    await asyncio.to_thread(_settled, url) < before + rounds
                    or await asyncio.to_thread(_most_bets, url) <= players // 2
                ):
                    await _still(playing)
                load.rounds = await asyncio.to_thread(_settled, url) - before
            finally:
                watching.cancel()
                playing.cancel()
                with suppress(asyncio.CancelledError):
                    await playing
        load.reconnected = group.tally.reconnected
        load.errors = dict(group.tally.errors)
    await asyncio.to_thread(check_books, folder, url)
    load.most_bets = _most_bets(url)
    return load


def _sleep(pace: float) -> Sleep:
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds * pace)

    return sleep


async def _still(playing: asyncio.Task[None]) -> None:
    """Wait a moment; bots that gave up are a failure."""
    await asyncio.sleep(0.2)
    if playing.done():
        await playing


def _timed(load: Load) -> Callable[[PlayerClient, requests.AnyRequest], Awaitable[None]]:
    send = PlayerClient.send

    async def timed(client: PlayerClient, request: requests.AnyRequest) -> None:
        began = time.monotonic()
        try:
            await send(client, request)
        finally:
            load.answers.append(time.monotonic() - began)

    return timed


async def _watch(session: aiohttp.ClientSession, address: str, load: Load) -> None:
    """Note what the server measures of itself."""
    while True:
        await asyncio.sleep(_EVERY)
        async with session.get(f"{address}/metrics") as response:
            text = await response.text()
        values = dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        load.lag.append(float(values["sabot_loop_lag_seconds"]))
        load.slow_sockets = float(values["sabot_slow_sockets_total"])


def _settled(url: str) -> int:
    return _count(url, "SELECT count(*) FROM rounds WHERE state = 'settled'")


def _most_bets(url: str) -> int:
    return _count(url, "SELECT max(n) FROM (SELECT count(*) AS n FROM played GROUP BY code) AS counts")


def _count(url: str, query: str) -> int:
    database = Database(url)
    with database.reading() as connection:
        found = int(connection.exec_driver_sql(query).scalar_one() or 0)
    database.close()
    return found


def main() -> None:
    """A crowd, as large as asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.live.load", description=__doc__)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory(prefix="sabot-load-") as folder:
        url = f"sqlite:///{folder}/sabot.db"
        timers = {
            "betting": 15,
            "vote": 8,
            "closing": 1,
            "pace": 0.6,
            "payout": 4,
            "insurance": 8,
            "shuffle": 5,
        }
        load = uvloop.run(crowd(Path(folder), url, asked.players, asked.rounds, asked.seed, **timers))
    print(load.report(), flush=True)


if __name__ == "__main__":
    main()
