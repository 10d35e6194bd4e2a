"""The real server killed in the middle of play: `sabot serve` as a process, clients on real sockets, `kill -9`.

`python -m tests.faults.serving --kills 50` does it on an SQLite file and on a PostgreSQL from the wheel.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import BinaryIO

import aiohttp
from msgspec import Struct, field

from sabot.client import PlayerClient, RequestError, demo_token
from sabot.client.state import TableState
from sabot.engine import Bet
from sabot.fairness.vault import Vault, parse_keys
from sabot.rounds.audit import audit_house
from sabot.store.database import Database
from tests.faults.postgres import own_server
from tests.faults.simulated.invariants import check_house
from tests.support.clock import PATIENCE

GAMES = ("surrender", "cashback", "link")
PLAYERS = 3
BROUGHT = 100_000
#: A setting: hashes that take no time.
CHEAP_PASSWORDS = {"SABOT_SERVER_ARGON_MEMORY_KIB": "8"}
#: `sabot` as it is, but that it works out no prices in advance: a second of every start, for hands that nobody here sells.
_SABOT = "from sabot.server import run; run.prepare = lambda rules: None; from sabot.cli import main; main()"


class Bot(Struct):
    """A player who plays on until the socket breaks, and remembers what the house said last."""

    game: str
    token: str
    #: What was last known for sure: the round, its turn, the balance.
    round: str = ""
    turn: int = 0
    balance: int = BROUGHT
    rounds: int = 0
    resumed: int = 0
    #: The rounds that the house has dealt.
    dealt: set[str] = field(default_factory=set)


class Campaign(Struct):
    """What a campaign came to."""

    kills: int = 0
    rounds: int = 0
    resumed: int = 0


@asynccontextmanager
async def process(
    folder: Path,
    url: str,
    files: int | None = None,
    *,
    stderr: BinaryIO | None = None,
    settings: Mapping[str, str] | None = None,
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A served house in a process of its own, killed at the end of the block; `files` is how many it may open.

    `stderr` takes its log, `settings` are variables of its environment.
    """
    limited = () if files is None else ("/bin/sh", "-c", f'ulimit -n {files}; exec "$@"', "sh")
    environ = {
        **os.environ,
        "SABOT_HOUSE_KEY": str(folder / "sabot.key"),
        **CHEAP_PASSWORDS,
        **(settings or {}),
    }
    server = await asyncio.create_subprocess_exec(
        *(*limited, sys.executable, "-c", _SABOT, "serve", "--port", "0", "--database", url, "--lang", "en"),
        cwd=folder,
        env=environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=stderr,
    )
    try:
        assert server.stdout is not None
        line = await asyncio.wait_for(server.stdout.readline(), PATIENCE)
        yield line.decode().split()[-1], server
    finally:
        if server.returncode is None:
            server.send_signal(signal.SIGKILL)
        await server.wait()


async def play(bot: Bot, address: str, acknowledged: asyncio.Semaphore, pace: float = 0.0) -> None:
    """Come back to the table and play until the connection breaks; each answer is counted.

    `pace` is how many seconds the player thinks.
    """
    try:
        async with PlayerClient(address, bot.token) as client:
            table = await client.open(bot.game)
            state = client.tables[table]
            check_return(bot, state)
            if state.me is not None and state.me.balance is None:
                await client.sit(table, BROUGHT)
            while True:
                await step(client, table, state)
                bot.round, bot.turn = state.round, state.turn
                bot.rounds += state.over
                bot.dealt.add(state.round)
                acknowledged.release()
                await asyncio.sleep(pace)
    except (RequestError, aiohttp.ClientError, ConnectionError) as error:
        if isinstance(error, RequestError) and error.code != "socket/closed":
            raise


def check_return(bot: Bot, state: TableState) -> None:
    """The table may be ahead of what was heard, by what was stored and not told; it is never behind."""
    if bot.round and state.round == bot.round:
        assert state.turn >= bot.turn, f"turn {bot.turn} was shown, the house is at {state.turn}"
        bot.resumed += not state.over


async def step(client: PlayerClient, table: str, state: TableState) -> None:
    """The next thing to do."""
    if state.over:
        bets = [Bet(0, "main", 1000), Bet(1, "main", 500)]
        if state.snapshot.game == "link":
            bets.append(Bet(0, "link", 100))
        await client.deal(table, bets, "a seed")
        return
    offers = state.me.part.offers if state.me is not None and state.me.part is not None else ()
    if offers:
        if offers[0].kind == "even-money":
            await client.decide(table, "even-money", accept=False, spot=offers[0].spot)
        else:
            await client.insure(table, False, offers[0].spot)
        return
    stand: list[tuple[str, dict[str, int]]] = [("stand", {})] if state.options else []
    for action, more in (*stand, ("spin", {"spot": 0}), ("continue", {"spot": 0})):
        try:
            await client.decide(table, action, **more)
        except RequestError as error:
            if not error.code.startswith(("bonus/", "round/", "command/malformed")):
                raise
        else:
            return


async def campaign(folder: Path, url: str, kills: int, seed: int | str) -> Campaign:
    """Kill the server again and again; after each kill the books are in order."""
    random, result = Random(str(seed)), Campaign()
    bots: list[Bot] = []
    for life in range(kills + 1):
        async with process(folder, url) as (address, server):
            if not bots:
                async with aiohttp.ClientSession() as session:
                    tokens = [await demo_token(session, address) for _ in range(PLAYERS)]
                bots = [Bot(GAMES[i % len(GAMES)], token) for i, token in enumerate(tokens)]
            acknowledged = asyncio.Semaphore(0)
            players = [asyncio.create_task(play(bot, address, acknowledged)) for bot in bots]
            for _ in range(random.randrange(1, 60)):
                await asyncio.wait_for(acknowledged.acquire(), PATIENCE)
            server.send_signal(signal.SIGKILL)
            await server.wait()
            await asyncio.gather(*players)
        result.kills += life < kills
        await asyncio.to_thread(check_books, folder, url)
    result.rounds = sum(bot.rounds for bot in bots)
    result.resumed = sum(bot.resumed for bot in bots)
    return result


def check_books(folder: Path, url: str) -> None:
    """The audit, with the house's own key, and the plain sums."""
    database = Database(url)
    vault = Vault(*parse_keys((folder / "sabot.key").read_text()))
    report = audit_house(database, vault=vault)
    assert report.findings == [], report.findings
    check_house(database)
    database.close()


def main() -> None:
    """The long campaign."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    options = parser.parse_args()
    with TemporaryDirectory() as folder, TemporaryDirectory() as cluster, own_server(cluster) as address:
        for url in (f"sqlite:///{folder}/sabot.db", address):
            found = asyncio.run(campaign(Path(folder), url, options.kills, options.seed))
            print(f"seed {options.seed}, {url.partition(':')[0]}: {found}", flush=True)


if __name__ == "__main__":
    main()
