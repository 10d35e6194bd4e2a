"""A house of one, two and three nodes on this machine, beside one node without a bus in the same run.

Server CPU for a solo round and for a frame that reaches a socket; what the bus adds to the time of a request; the time
until the tables of a killed node are owned again; 20 live tables with 3,000 sockets over three nodes.
`python bench/cluster.py [--sockets 3000] [--turns 3]`.

CPU is that of the nodes' processes, with all that they do beside: leases, beats, looks at each other. PostgreSQL's is shown
beside it; NATS and the load are not counted. The load is the same at every node, because a node that has less to do
stores smaller groups and sends to fewer sockets at a time, which costs more for each, with a bus or without:

- *solo*: 24 players at each node play 120 rounds a second there, after a few that are not counted.
- *frames*: each node has one busy table and 240 sockets; the viewers of each table are spread over all nodes, so that in a
  house of three two thirds of its frames cross the bus. A line of the chat is said ten times a second at each table, by
  someone at its owner: what a request costs through the bus is another figure. To take a line and to store it is
  counted with its frames.
- *idle*: everyone is there and nothing happens. A busy node pays that once, so a frame is shown twice: with all that
  its node did meanwhile, which is what the goal is about, and less what it does in that time anyway.

All houses are open together and measured in turn, some seconds at a time, and the least of each counts: what others do on
this machine only adds, and adds to all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import aiohttp
import psycopg
import uvloop

from sabot.client import PlayerClient, demo_token
from sabot.engine import Bet
from sabot.server.config import ALONE, NATS, NOTIFY

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the tools are not installed
from tools.cluster.processes import LocalCluster, Process

#: At each node: solo players and their rounds a second, and sockets at live tables.
PLAYERS, RATE, VIEWERS = 24, 120, 240
#: Rounds of each player that are not counted; seconds of rounds, of frames and of nothing; lines a second at each busy table.
WARM, SECONDS, FRAMES, IDLE, LINES = 20, 3.0, 6.0, 5.0, 10
#: Seconds in which the last frames arrive.
LAST = 0.5
TABLES, KILLS, TURNS = 20, 3, 5
#: Clients that come at a time.
AT_ONCE = 30
GOAL = 1.15
T = TypeVar("T")
_TICKS = os.sysconf("SC_CLK_TCK")
_RATES = (
    "address",
    "account",
    "login_address",
    "login_account",
    "register_address",
    "demo_address",
)
#: Rates that nobody meets, and 20 tables.
SETTINGS = "".join(
    f'[[table]]\nname = "t{number}"\ngame = "majority-eu"\ncurrency = "FUN"\n' for number in range(TABLES)
)
FREE = "\n".join(f"rate_{name} = [1000000, 0.001]" for name in _RATES) + "\nsockets_account = 100000\n"


class Cost(NamedTuple):
    """What some nodes used: milliseconds of CPU for a solo round, of PostgreSQL too; microseconds for a frame.

    And milliseconds in a second in which nothing happens, with everyone there.
    """

    round: float
    database: float
    frame: float
    idle: float

    def bare_frame(self, nodes: int) -> float:
        """Microseconds for a frame, less what the nodes do anyway in the time of the measurement."""
        return self.frame - 1000 * self.idle * (FRAMES + LAST) / (FRAMES * LINES * VIEWERS * nodes)


def cpu(nodes: Sequence[Process]) -> float:
    """Seconds of CPU that nodes have used."""
    total = 0.0
    for node in nodes:
        assert node.process is not None
        total += time.clock_gettime(~node.process.pid << 3 | 2)  # the process's clock, clock_getcpuclockid(3)
    return total


def database_cpu(server: Process) -> float:
    """Seconds of CPU of PostgreSQL, with its sessions and those that have ended."""
    assert server.process is not None
    pid, ticks = server.process.pid, 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            cells = stat.read_text().rpartition(")")[2].split()
            if stat.parent.name == str(pid):
                ticks += sum(map(int, cells[11:15]))
            elif cells[1] == str(pid):
                ticks += int(cells[11]) + int(cells[12])
    return ticks / _TICKS


async def some_at_a_time(acts: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Do many things, of which some are under way at a time; gives their results in order."""
    found: list[T] = []
    for first in range(0, len(acts), AT_ONCE):
        found += await asyncio.gather(*acts[first : first + AT_ONCE])
    return found


async def tokens_of(nodes: Sequence[Process], count: int) -> list[str]:
    """New players."""
    async with aiohttp.ClientSession() as session:
        urls = (nodes[number % len(nodes)].url for number in range(count))
        return await some_at_a_time([demo_token(session, url) for url in urls])


@asynccontextmanager
async def seated(
    nodes: Sequence[Process], tokens: Sequence[str], tables: Sequence[str]
) -> AsyncIterator[list[PlayerClient]]:
    """Sockets at tables, one for each of these, the nodes in turn."""
    async with (
        AsyncExitStack() as stack,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
    ):

        async def come(number: int, table: str) -> PlayerClient:
            client = PlayerClient(nodes[number % len(nodes)].url, tokens[number % len(tokens)], http)
            await stack.enter_async_context(client)
            await client.enter(table)
            return client

        yield await some_at_a_time([come(number, table) for number, table in enumerate(tables)])


async def play_round(client: PlayerClient, table: str) -> None:
    """Play a round of Surrender with one hand: stand at once."""
    state = client.tables[table]
    await client.deal(table, [Bet(0, "main", 100)], "")
    while not state.over:
        offers = state.me.part.offers if state.me is not None and state.me.part is not None else ()
        if offers:
            await client.insure(table, False, offers[0].spot)
        else:
            await client.decide(table, "stand")


class House:
    """A house with its players and viewers, measured for some seconds at a time."""

    def __init__(self, cluster: LocalCluster, nodes: Sequence[Process], tables: Sequence[str]) -> None:
        """Each node owns one of the tables."""
        self._cluster = cluster
        self._nodes = nodes
        self._tables = tables
        self._players: list[tuple[PlayerClient, str]] = []
        self._viewers: list[PlayerClient] = []

    async def come(self, stack: AsyncExitStack) -> None:
        """Let everyone come, and play a few rounds that are not counted."""
        nodes, count = self._nodes, len(self._nodes)
        tokens = await tokens_of(nodes, (PLAYERS + VIEWERS) * count)
        for number, token in enumerate(tokens[: PLAYERS * count]):
            client = await stack.enter_async_context(PlayerClient(nodes[number % count].url, token))
            table = await client.open("surrender")
            await client.sit(table, 400_000)
            self._players.append((client, table))
        for _ in range(WARM):
            await asyncio.gather(*(play_round(*player) for player in self._players))
        tables = [self._tables[n // count % count] for n in range(VIEWERS * count)]
        self._viewers = await stack.enter_async_context(seated(nodes, tokens[PLAYERS * count :], tables))

    async def measure(self) -> Cost:
        """The costs of some seconds."""
        return Cost(*await self._solo(), await self._frames(), await self._idle())

    async def _solo(self) -> tuple[float, float]:
        """Milliseconds of CPU for a solo round at an even pace, and PostgreSQL's."""
        turn = PLAYERS / RATE
        rounds, begun = int(SECONDS / turn), time.monotonic()

        async def play(number: int, client: PlayerClient, table: str) -> None:
            for due in range(rounds):
                at = begun + turn * (
                    due + number / len(self._players)
                )  # else all would deal at the same moments
                await asyncio.sleep(max(0.0, at - time.monotonic()))
                await play_round(client, table)

        before, stored_before = cpu(self._nodes), database_cpu(self._cluster.postgres)
        await asyncio.gather(*(play(number, *player) for number, player in enumerate(self._players)))
        used, stored = cpu(self._nodes) - before, database_cpu(self._cluster.postgres) - stored_before
        return 1000 * used / rounds / len(self._players), 1000 * stored / rounds / len(self._players)

    async def _frames(self) -> float:
        """Microseconds of CPU for a frame that reaches a socket."""
        count, lines, clients = len(self._nodes), int(FRAMES * LINES), self._viewers
        before, begun = cpu(self._nodes), time.monotonic()
        for number in range(lines):
            await asyncio.sleep(max(0.0, begun + number / LINES - time.monotonic()))
            # Of those at its owner, at every table.
            step = count * count
            chosen = step * (number % (len(clients) // step))
            speakers = [clients[table + count * table + chosen] for table in range(count)]
            await asyncio.gather(
                *(one.say(self._tables[n], f"line {number}") for n, one in enumerate(speakers))
            )
        await asyncio.sleep(max(0.0, begun + FRAMES + LAST - time.monotonic()))
        return 1e6 * (cpu(self._nodes) - before) / (lines * len(clients))

    async def _idle(self) -> float:
        """Milliseconds of CPU in a second in which nothing happens, of all nodes."""
        before, begun = cpu(self._nodes), time.monotonic()
        await asyncio.sleep(IDLE)
        return 1000 * (cpu(self._nodes) - before) / (time.monotonic() - begun)


async def bus_delay(nodes: Sequence[Process], owner: Process, table: str) -> tuple[list[float], list[float]]:
    """Milliseconds of a request at the owner of a table, and at another node."""
    times: tuple[list[float], list[float]] = ([], [])
    other = next(node for node in nodes if node is not owner)
    for found, node in zip(times, (owner, other), strict=True):
        (token,) = await tokens_of([node], 1)
        async with PlayerClient(node.url, token) as client:
            for _ in range(300):
                await client.enter(table)
                began = time.perf_counter()
                await client.exit(table)
                found.append(1000 * (time.perf_counter() - began))
        found.sort()
    return times


def owners(cluster: LocalCluster) -> dict[str, str]:
    """The living owners of live tables, by name."""
    with psycopg.connect(cluster.database) as connection:
        return dict(
            connection.execute(
                "SELECT streams.name, nodes.name FROM streams JOIN nodes ON nodes.id = streams.owner"
                " WHERE nodes.dead_at IS NULL AND streams.name LIKE 'live/%'"
            ).fetchall()
        )


def wait_for_owners(cluster: LocalCluster, but: str = "") -> float:
    """Wait until every live table has a living owner, spread over the nodes; gives the seconds that it took."""
    began = time.monotonic()
    while len(found := owners(cluster)) < TABLES or but in found.values():
        time.sleep(0.05)
    return time.monotonic() - began


def opened(count: int, bus: str, stack: ExitStack) -> House:
    """A house of so many nodes."""
    folder = Path(stack.enter_context(TemporaryDirectory()))
    cluster = stack.enter_context(LocalCluster(folder, settings=SETTINGS, server=FREE))
    nodes = {f"n{number}": cluster.node(f"n{number}", bus=bus) for number in range(count)}
    for node in nodes.values():
        node.start()
    owned: dict[str, str] = {}
    while len(owned) < count:  # until each node has a table
        wait_for_owners(cluster)
        owned = {owner: table for table, owner in owners(cluster).items()}
    tables = [owned[name] for name in nodes] if bus != ALONE else list(owned.values())
    return House(cluster, list(nodes.values()), tables)


async def in_turn(houses: Sequence[House], turns: int) -> list[Cost]:
    """The costs of houses that are open together, measured in turn: of each the least."""
    found: list[list[Cost]] = [[] for _ in houses]
    async with AsyncExitStack() as stack:
        for house in houses:
            await house.come(stack)
        for turn in range(turns):
            for house, costs in zip(houses, found, strict=True):
                costs.append(await house.measure())
            told = "; ".join(f"{one[-1].round:.2f} ms, {one[-1].frame:.1f} us" for one in found)
            print(f"turn {turn + 1}, load {os.getloadavg()[0]:.0f}: {told}", file=sys.stderr, flush=True)
    return [Cost(*map(min, zip(*costs, strict=True))) for costs in found]


def compare(turns: int) -> None:
    """Print the costs of houses beside one node without a bus."""
    kinds = ((1, ALONE), (1, NATS), (2, NATS), (3, NATS), (2, NOTIFY), (3, NOTIFY))
    with ExitStack() as stack:
        costs = uvloop.run(in_turn([opened(*kind, stack) for kind in kinds], turns))
    alone = costs[0]
    print(
        f"{'':<24}{'CPU a solo round':>18}{'ratio':>8}{'PostgreSQL':>14}{'CPU a frame':>16}{'ratio':>8}"
        f"{'less idle':>14}{'ratio':>8}{'idle':>12}"
    )
    for (count, bus), cost in zip(kinds, costs, strict=True):
        name = f"{count} {'nodes' if count > 1 else 'node'}" + ("" if bus == ALONE else f" with {bus}")
        print(
            f"{name:<24}{cost.round:>15.2f} ms{cost.round / alone.round:>8.2f}{cost.database:>11.2f} ms"
            f"{cost.frame:>13.1f} us{cost.frame / alone.frame:>8.2f}{cost.bare_frame(count):>11.1f} us"
            f"{cost.bare_frame(count) / alone.bare_frame(1):>8.2f}{cost.idle:>8.1f} ms/s",
            flush=True,
        )
    print(f"goal: at most {GOAL}")


async def crowd(nodes: Sequence[Process], database: Process, sockets: int) -> str:
    """Open sockets at 20 tables over all nodes; gives the seconds until each has its table, and whose CPU it took."""
    tokens = await tokens_of(nodes, 100)

    def used() -> list[float]:
        return [time.monotonic(), cpu(nodes), database_cpu(database), time.process_time()]

    before = used()
    async with seated(nodes, tokens, [f"live/t{n % TABLES}" for n in range(sockets)]):
        took = [now - then for now, then in zip(used(), before, strict=True)]
    return "{:.0f} s (CPU: nodes {:.1f} s, PostgreSQL {:.1f} s, the clients {:.1f} s)".format(*took)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=3_000)
    parser.add_argument("--turns", type=int, default=TURNS)
    asked = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    compare(asked.turns)
    with (
        TemporaryDirectory() as folder,
        LocalCluster(Path(folder), settings=SETTINGS, server=FREE) as cluster,
    ):
        nodes = {f"n{number}": cluster.node(f"n{number}") for number in range(3)}
        for node in nodes.values():
            node.start()
        wait_for_owners(cluster)
        table, owner = next(iter(owners(cluster).items()))
        here, there = uvloop.run(bus_delay(list(nodes.values()), nodes[owner], table))
        print("a request, p50 and p99: ", end="")
        for name, found in (("at the owner", here), ("through the bus", there)):
            print(f"{name} {statistics.median(found):.1f} and {found[297]:.1f} ms", end="; ")
        print()
        took = uvloop.run(crowd(list(nodes.values()), cluster.postgres, asked.sockets))
        print(f"{asked.sockets} sockets at {TABLES} tables over 3 nodes: all see their table after {took}")
        waits = []
        for _ in range(KILLS):
            name = owners(cluster)["live/t0"]
            nodes[name].kill()
            waits.append(wait_for_owners(cluster, but=name))
            nodes[name].start()
        print(
            f"tables of a killed node owned again after {', '.join(f'{wait:.1f}' for wait in waits)} s (goal: 10)"
        )


if __name__ == "__main__":
    main()
