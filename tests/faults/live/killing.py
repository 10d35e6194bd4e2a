"""The real server killed in every phase of its live tables: `python -m tests.faults.live.killing --kills 3`.

`sabot serve` runs as a process of its own, players sit at tables of both games on real sockets; when one of them sees
the phase that is meant, the process gets `kill -9`. Then it is started again, and everyone comes back.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, field

from sabot.store.database import Database
from sabot.tables.live.timers import Phase
from tests.faults.live.hall import Punter, check_balances, ended, furnish, playing, punters, rest
from tests.faults.postgres import own_server
from tests.faults.serving import check_books, process
from tests.faults.simulated.invariants import check_over, money_of, moved_by_cashier, result_of
from tests.support.clock import PATIENCE

#: Every phase of a table where people play.
PHASES: tuple[Phase, ...] = (
    "shuffle",
    "betting",
    "closing",
    "dealing",
    "insurance",
    "decisions",
    "dealer",
    "payout",
)
EACH = 3


class Killed(Struct):
    """What a campaign came to."""

    kills: Counter[str] = field(default_factory=Counter)
    #: Rounds that someone was in, by how they ended.
    rounds: Counter[str] = field(default_factory=Counter)
    came_back: int = 0


class Sights:
    """Watches the pages of all players for a phase, once it is awake."""

    def __init__(self, phase: Phase) -> None:
        self._phase = phase
        self.awake = False
        self.seen = asyncio.Event()

    def look(self, player: Punter) -> None:
        """A player has heard something."""
        if self.awake and player.state is not None and player.state.phase == self._phase:
            self.seen.set()


async def kill_in_phases(
    folder: Path, url: str, phases: Sequence[Phase], tables: dict[str, str], seed: int | str
) -> Killed:
    """Kill the server once in each of these phases; after each kill the books are right and everyone comes back."""
    furnish(folder, tables)
    killed, players = Killed(), list[Punter]()
    for phase in phases:
        async with process(folder, url) as (address, server):
            if not players:
                names = [f"live/{name}" for name in tables]
                players = await punters(
                    address, names, EACH, seed, lambda name: "majority" in tables[name.removeprefix("live/")]
                )
            sights = Sights(phase)
            async with playing(address, players, sights.look):
                await check_balances(url, players)
                sights.awake = True
                await asyncio.wait_for(sights.seen.wait(), 2 * PATIENCE)
                server.send_signal(signal.SIGKILL)
                await server.wait()
        killed.kills[phase] += 1
        await asyncio.to_thread(check_books, folder, url)
    async with process(folder, url) as (address, _):
        await asyncio.gather(*(player.go_home(address) for player in players))
        await rest(url)
    await asyncio.to_thread(_check_end, folder, url)
    killed.rounds = Counter(ended(url, {code for player in players for code in player.rounds}))
    killed.came_back = sum(player.came_back for player in players)
    return killed


def _check_end(folder: Path, url: str) -> None:
    """Every round is over, everyone is home, and has what was brought and what was won."""
    check_books(folder, url)
    database = Database(url)
    check_over(database)
    with database.reading() as connection:
        numbers = [row[0] for row in connection.exec_driver_sql("SELECT id FROM players").all()]
    for number in numbers:
        brought = moved_by_cashier(database, number)
        assert money_of(database, number) == brought + result_of(database, number), f"player {number}"
    database.close()


def main() -> None:
    """The long campaign."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.live.killing", description=__doc__)
    parser.add_argument("--kills", type=int, default=3, help="kills in each phase, for each kind of database")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    #: Several tables of each game, so that an ace before the dealer does not take long.
    tables = {f"{game}-{i}": game for game in ("freebet", "majority-us", "majority-eu") for i in range(2)}
    with TemporaryDirectory(prefix="sabot-live-") as cluster, own_server(cluster) as postgres:
        for kind in ("sqlite", "postgresql"):
            with TemporaryDirectory(prefix="sabot-live-") as folder:
                url = f"sqlite:///{folder}/sabot.db" if kind == "sqlite" else postgres
                found = asyncio.run(
                    kill_in_phases(Path(folder), url, PHASES * asked.kills, tables, asked.seed)
                )
                print(f"seed {asked.seed}, {kind}: {found}", flush=True)


if __name__ == "__main__":
    main()
