"""A house of three real nodes under play, and faults of every kind: `python -m tests.faults.nodes.campaign --faults 200`.

Nodes are killed, frozen past their lease, told to stop and started again; NATS is restarted and frozen, the database is
taken away. After each fault every live table has a living owner again; at the end the books are in order and nothing
that was acknowledged is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import aiohttp
import psycopg
from msgspec import Struct, field

from sabot.client import RequestError, demo_token
from sabot.fairness.vault import Vault, parse_keys
from sabot.rounds.audit import audit_house
from sabot.store.database import Database
from tests.faults.postgres import Outage
from tests.faults.serving import GAMES, Bot, play
from tests.faults.simulated.invariants import check_house
from tests.support.clock import PATIENCE
from tools.cluster.processes import LocalCluster, Process

#: Seconds in which tables are owned again (CLU-20).
TAKEN_OVER = 10.0
#: What a player may be told while something fails; the same request can be sent again.
PASSING = {
    *("table/unreachable", "table/not-open", "house/down", "house/bus-down", "house/busy", "house/draining"),
    *("unit/lost", "stream/fenced", "node/buried", "socket/closed", "login/required", "rate/limited"),
}
_SETTINGS = """
[[table]]
name = "one"
game = "freebet"
currency = "FUN"
bots = 3
[[table]]
name = "two"
game = "majority-eu"
currency = "FUN"
bots = 3
[[table]]
name = "three"
game = "freebet"
currency = "FUN"
"""


class Result(Struct):
    """What a campaign came to."""

    faults: dict[str, int] = field(default_factory=dict)
    rounds: int = 0
    resumed: int = 0
    #: Seconds until every live table was owned again after a kill.
    taken_over: list[float] = field(default_factory=list)


class Campaign:
    """Players, faults, and what must hold after each."""

    def __init__(self, cluster: LocalCluster, random: Random) -> None:
        self._cluster = cluster
        self._random = random
        self._outage = Outage(cluster.database)
        self.result = Result()
        self._over = asyncio.Event()

    @property
    def nodes(self) -> Sequence[Process]:
        """All nodes."""
        return list(self._cluster.nodes.values())

    async def run(self, faults: int, players: int) -> Result:
        """Play while things fail."""
        tokens = [await self._come(self.nodes[0]) for _ in range(players)]
        bots = [Bot(GAMES[number % len(GAMES)], token) for number, token in enumerate(tokens)]
        acknowledged = asyncio.Semaphore(0)
        playing = [asyncio.create_task(self._play_on(bot, acknowledged)) for bot in bots]
        await self._wait_for_owners()
        kinds: tuple[Callable[[], Awaitable[None]], ...] = (
            *(self.kill, self.kill, self.restart, self.freeze),
            *(self.restart_bus, self.freeze_bus, self.take_database),
        )
        for number in range(faults):
            for _ in range(self._random.randrange(1, 30)):
                await asyncio.wait_for(acknowledged.acquire(), PATIENCE)
            fault = kinds[number % len(kinds)] if number < len(kinds) else self._random.choice(kinds)
            await fault()
            name = fault.__name__
            self.result.faults[name] = self.result.faults.get(name, 0) + 1
            await self._wait_for_owners()
        self._over.set()
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
        self.result.rounds = sum(bot.rounds for bot in bots)
        self.result.resumed = sum(bot.resumed for bot in bots)
        return self.result

    @staticmethod
    async def _come(node: Process) -> str:
        """A new player."""
        async with aiohttp.ClientSession() as session:
            return await demo_token(session, node.url)

    async def _play_on(self, bot: Bot, acknowledged: asyncio.Semaphore) -> None:
        """Play at any node that lets the player in, until the end; whatever fails in passing is tried again."""
        while not self._over.is_set():
            node = self._random.choice(self.nodes)
            playing = asyncio.create_task(play(bot, node.url, acknowledged))
            while not playing.done():
                await asyncio.wait([playing], timeout=0.2)
                if self._over.is_set():
                    playing.cancel()
            try:
                await playing
            except asyncio.CancelledError:
                return
            except RequestError as error:
                if error.code == "funds/insufficient":  # as another player
                    bot.token, bot.round = await self._come(node), ""
                elif error.code not in PASSING:
                    raise
            except (OSError, aiohttp.ClientError, TimeoutError, KeyError):  # the last: the table was closed
                pass
            await asyncio.sleep(0.05)

    # Faults

    async def kill(self) -> None:
        """A node is killed; another one comes in its place later."""
        node = self._random.choice(self.nodes)
        node.kill()
        began = time.monotonic()
        await self._wait_for_owners(but=node)
        self.result.taken_over.append(time.monotonic() - began)
        await asyncio.to_thread(node.start)

    async def restart(self) -> None:
        """A node is told to stop, and starts again (CLU-21)."""
        node = self._random.choice(self.nodes)
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)

    async def freeze(self) -> None:
        """A node stands still until it is taken for dead, and wakes up."""
        node = self._random.choice(self.nodes)
        node.signal(signal.SIGSTOP)
        await self._wait_for_owners(but=node)
        node.signal(signal.SIGCONT)

    async def restart_bus(self) -> None:
        """NATS is killed and comes back."""
        self._cluster.nats.kill()
        await asyncio.sleep(self._random.random())
        await asyncio.to_thread(self._cluster.nats.start)

    async def freeze_bus(self) -> None:
        """NATS stands still for a while."""
        self._cluster.nats.signal(signal.SIGSTOP)
        await asyncio.sleep(self._random.random() * 8)
        self._cluster.nats.signal(signal.SIGCONT)

    async def take_database(self) -> None:
        """The database is gone for a while: nothing moves, nobody is buried."""
        before = self._owners()
        self._outage.begin()
        await asyncio.sleep(self._random.random() * 8)
        self._outage.end()
        moved = {name for name, owner in self._owners().items() if owner != before[name]}
        assert not moved, f"moved without need: {moved}"

    # What holds

    def _owners(self) -> dict[str, tuple[str | None, bool]]:
        """The owner of each live table, and whether it lives."""
        with psycopg.connect(self._cluster.database, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT streams.name, nodes.name, nodes.dead_at IS NULL FROM streams"
                " LEFT JOIN nodes ON nodes.id = streams.owner WHERE streams.name LIKE 'live/%'"
            ).fetchall()
        return {table: (node, bool(lives and node)) for table, node, lives in rows}

    async def _wait_for_owners(self, but: Process | None = None) -> None:
        """Wait until every live table has an owner that lives, and is not the one that was killed."""
        gone = next((name for name, node in self._cluster.nodes.items() if node is but), None)
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(psycopg.OperationalError):
                    owners = self._owners()
                    if len(owners) == 3 and all(lives and node != gone for node, lives in owners.values()):
                        return
                await asyncio.sleep(0.1)


def check_books(cluster: LocalCluster) -> None:
    """The audit, with the house's own key, and the plain sums."""
    database = Database(cluster.database)
    vault = Vault(*parse_keys((cluster.folder / "house.key").read_text()))
    report = audit_house(database, vault=vault)
    assert report.findings == [], report.findings
    check_house(database)
    database.close()


def campaign(folder: Path, faults: int, seed: str, players: int = 6) -> Result:
    """Start three nodes, let things fail, and check the books."""
    with LocalCluster(folder, settings=_SETTINGS) as cluster:
        for name in ("a", "b", "c"):
            cluster.node(name).begin()
        for node in cluster.nodes.values():
            node.wait()
        result = asyncio.run(Campaign(cluster, Random(seed)).run(faults, players))
        for node in cluster.nodes.values():
            node.stop()
        check_books(cluster)
    return result


def main() -> None:
    """The long campaign."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = campaign(Path(folder), asked.faults, asked.seed, asked.players)
    worst = max(found.taken_over, default=0.0)
    print(
        f"seed {asked.seed}: {found.faults}, {found.rounds} rounds, {found.resumed} resumed, take-over {worst:.1f} s at most"
    )


if __name__ == "__main__":
    main()
