"""A house of one, two and three nodes on this machine, beside one node without a bus in the same run.

Server CPU for a solo round and for a frame that reaches a socket; what the bus adds to the time of a request; the time
until the tables of a killed node are owned again; 20 live tables with 3,000 sockets over three nodes.
`python bench/cluster.py [--sockets 3000]`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import aiohttp
import psycopg
import uvloop

from sabot.client import PlayerClient, demo_token
from sabot.engine import Bet
from sabot.server.config import ALONE, NATS, NOTIFY

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the tools are not installed
from tools.cluster.processes import LocalCluster, Process

PLAYERS, ROUNDS = 24, 40
WATCHERS, SAID = 120, 600
TABLES, KILLS = 20, 3
GOAL = 1.15
_TICKS = os.sysconf("SC_CLK_TCK")
_RATES = (
    "address",
    "account",
    "login_address",
    "login_account",
    "register_address",
    "demo_address",
    "demo_house",
)
#: Rates that nobody meets, and 20 tables.
SETTINGS = "".join(
    f'[[table]]\nname = "t{number}"\ngame = "majority-eu"\ncurrency = "FUN"\n' for number in range(TABLES)
)
FREE = "\n".join(f"rate_{name} = [1000000, 0.001]" for name in _RATES) + "\nsockets_account = 100000\n"


class Cost(NamedTuple):
    """What some nodes used: milliseconds of CPU for a solo round, microseconds for a frame that reached a socket."""

    round: float
    frame: float


def cpu(nodes: Sequence[Process]) -> float:
    """Seconds of CPU that nodes have used."""
    total = 0
    for node in nodes:
        assert node.process is not None
        cells = Path(f"/proc/{node.process.pid}/stat").read_text().rpartition(")")[2].split()
        total += int(cells[11]) + int(cells[12])
    return total / _TICKS


async def tokens_of(url: str, count: int) -> list[str]:
    """New players."""
    async with aiohttp.ClientSession() as session:
        return [await demo_token(session, url) for _ in range(count)]


async def play(url: str, token: str) -> None:
    """Play rounds of Surrender with one hand: stand at once."""
    async with PlayerClient(url, token) as client:
        table = await client.open("surrender")
        await client.sit(table, 400_000)
        state = client.tables[table]
        for _ in range(ROUNDS):
            await client.deal(table, [Bet(0, "main", 100)], "")
            while not state.over:
                offers = state.me.part.offers if state.me is not None and state.me.part is not None else ()
                if offers:
                    await client.insure(table, False, offers[0].spot)
                else:
                    await client.decide(table, "stand")


async def solo_cost(nodes: Sequence[Process]) -> float:
    """Milliseconds of CPU for a solo round, with players at every node."""
    tokens = await tokens_of(nodes[0].url, PLAYERS)
    before = cpu(nodes)
    await asyncio.gather(*(play(nodes[n % len(nodes)].url, token) for n, token in enumerate(tokens)))
    return 1000 * (cpu(nodes) - before) / (PLAYERS * ROUNDS)


async def frame_cost(nodes: Sequence[Process]) -> float:
    """Microseconds of CPU for a frame that reaches a socket: lines of the chat, at a table with viewers at every node."""
    tokens = await tokens_of(nodes[0].url, WATCHERS)
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(PlayerClient(nodes[n % len(nodes)].url, token))
            for n, token in enumerate(tokens)
        ]
        for client in clients:
            await client.enter("live/t0")
        before = cpu(nodes)
        for number in range(SAID):
            await clients[number % WATCHERS].say("live/t0", f"line {number}")
        await asyncio.sleep(0.5)
        used = cpu(nodes) - before
    return 1e6 * used / (SAID * WATCHERS)


async def bus_delay(nodes: Sequence[Process], owner: Process, table: str) -> tuple[list[float], list[float]]:
    """Milliseconds of a request at the owner of a table, and at another node."""
    times: tuple[list[float], list[float]] = ([], [])
    other = next(node for node in nodes if node is not owner)
    for found, node in zip(times, (owner, other), strict=True):
        (token,) = await tokens_of(node.url, 1)
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


def measure(count: int, bus: str) -> Cost:
    """The costs of a house of so many nodes."""
    with (
        TemporaryDirectory() as folder,
        LocalCluster(Path(folder), settings=SETTINGS, server=FREE) as cluster,
    ):
        nodes = [cluster.node(f"n{number}", bus=bus) for number in range(count)]
        for node in nodes:
            node.start()
        wait_for_owners(cluster)
        return Cost(uvloop.run(solo_cost(nodes)), uvloop.run(frame_cost(nodes)))


async def crowd(nodes: Sequence[Process], sockets: int) -> float:
    """Open sockets at 20 tables over all nodes; gives the seconds until each has its table."""
    tokens = await tokens_of(nodes[0].url, 100)
    began = time.monotonic()
    async with (
        AsyncExitStack() as stack,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
    ):
        for first in range(0, sockets, 50):
            clients = [
                await stack.enter_async_context(
                    PlayerClient(nodes[n % len(nodes)].url, tokens[n % 100], http)
                )
                for n in range(first, min(first + 50, sockets))
            ]
            await asyncio.gather(
                *(client.enter(f"live/t{n % TABLES}") for n, client in enumerate(clients, first))
            )
        return time.monotonic() - began


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=3_000)
    asked = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    alone = measure(1, ALONE)
    print(f"{'':<24}{'CPU a solo round':>18}{'ratio':>8}{'CPU a frame':>16}{'ratio':>8}")
    print(f"{'one node without a bus':<24}{alone.round:>15.2f} ms{'':>8}{alone.frame:>13.1f} us")
    for count, bus in ((1, NATS), (2, NATS), (3, NATS), (2, NOTIFY), (3, NOTIFY)):
        cost = measure(count, bus)
        name = f"{count} {'nodes' if count > 1 else 'node'} with {bus}"
        rounds, frames = cost.round / alone.round, cost.frame / alone.frame
        print(
            f"{name:<24}{cost.round:>15.2f} ms{rounds:>8.2f}{cost.frame:>13.1f} us{frames:>8.2f}", flush=True
        )
    print(f"goal: at most {GOAL}")
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
        taken = uvloop.run(crowd(list(nodes.values()), asked.sockets))
        print(
            f"{asked.sockets} sockets at {TABLES} tables over 3 nodes: all see their table after {taken:.1f} s"
        )
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
