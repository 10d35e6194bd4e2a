"""The real server loses its database in the middle of play: `/readyz` says so, requests are refused in time, and all goes on.

`python -m tests.faults.losing --times 5` stops and freezes a PostgreSQL from the wheel, locks an SQLite file and fills
its disk, each so often.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
from msgspec import Struct, field

from sabot.client import PlayerClient, RequestError, demo_token
from sabot.server.logs import EVERY
from tests.faults.live.hall import furnish
from tests.faults.serving import BROUGHT, GAMES, check_books, process, step
from tests.faults.simulated.troubles import Frozen, FullDisk, Locked, Stopped, Trouble, postgres_server
from tests.support.clock import PATIENCE

#: Seconds within which a request is answered and `/readyz` tells the truth, whatever happens to the database.
PROMISE = 5.0
#: How a request is refused when nothing can be stored; `unit/lost` where it had been sent to the database before.
REFUSED = {"house/down", "unit/lost"}
#: What a player may be told whose table was thrown away meanwhile.
REOPENED = {"table/not-open", "stream/fenced", "socket/closed", "command/stale", "table/not-now"}
#: How every line of the log begins.
LINE = re.compile(r"at=\S+Z level=\w+ event=")
#: What lines about the same failure have in common.
KIND = ("event", "error", "cause", "code", "where")
#: The live table that is looked at.
LIVE = "live/freebet"


class Report(Struct):
    """What a campaign came to: times in seconds."""

    troubles: int = 0
    answers: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    slowest_ask: float = 0.0
    slowest_healthz: float = 0.0
    noticed: float = 0.0
    recovered: float = 0.0
    log_lines: int = 0


class Player:
    """Plays on, whatever is refused, and pauses after each answer, which is timed."""

    def __init__(self, address: str, token: str, game: str, report: Report, pause: float) -> None:
        self._address, self._token, self._game, self._report = address, token, game, report
        self._pause = pause
        #: Things done so far.
        self.done = 0

    async def run(self) -> None:
        """Come back again and again."""
        while True:
            with suppress(aiohttp.ClientError):
                async with PlayerClient(self._address, self._token) as client:
                    await self._play(client)
            await asyncio.sleep(0.05)

    async def _play(self, client: PlayerClient) -> None:
        while not client.closed:
            begun = time.monotonic()
            try:
                await self._next(client)
                self.done += 1
                self._report.answers += 1
            except RequestError as error:
                if error.code == "funds/insufficient":
                    await self._take_turns()
                    return
                if error.code not in REFUSED | REOPENED:
                    raise
                self._report.refusals[error.code] += 1
                client.tables.clear()
                await asyncio.sleep(0.05)
            finally:
                self._report.slowest_ask = max(self._report.slowest_ask, time.monotonic() - begun)
            await asyncio.sleep(self._pause)

    async def _take_turns(self) -> None:
        """All money is lost: another player comes, if the house lets one in now."""
        with suppress(RequestError):
            async with aiohttp.ClientSession() as session:
                self._token = await demo_token(session, self._address)

    async def _next(self, client: PlayerClient) -> None:
        table = next(iter(client.tables), "") or await client.open(self._game)
        state = client.tables[table]
        if state.me is not None and state.me.balance is None:
            await client.sit(table, BROUGHT)
        else:
            await step(client, table, state)


class Onlooker:
    """Looks at a live table where the house's bots play, and counts what is shown."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self.done = 0

    async def run(self) -> None:
        """Look, and look again when the table was opened again."""
        async with PlayerClient(self._address, self._token) as client:
            client.on_message = self._hear
            while True:
                with suppress(RequestError):
                    await client.enter(LIVE)
                    await client.wait_for(lambda: LIVE not in client.tables)
                await asyncio.sleep(0.05)

    def _hear(self, frame: bytes) -> None:
        self.done += b'"table":"live/' in frame


class Watch:
    """Asks `/healthz`, `/readyz` and a route that reads, again and again."""

    def __init__(self, address: str, token: str, report: Report) -> None:
        self._address, self._token, self._report = address, token, report
        self.ready = True
        #: What the route answered last, and how often `/readyz` was asked.
        self.status = 200
        self.looks = 0

    async def run(self) -> None:
        """Each on a connection of its own."""
        async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
            group.create_task(self._healthz(session))
            group.create_task(self._readyz(session))
            group.create_task(self._read(session))

    async def _healthz(self, session: aiohttp.ClientSession) -> None:
        while True:
            begun = time.monotonic()
            async with session.get(f"{self._address}/healthz") as response:
                assert response.status == 200
            self._report.slowest_healthz = max(self._report.slowest_healthz, time.monotonic() - begun)
            await asyncio.sleep(0.02)

    async def _readyz(self, session: aiohttp.ClientSession) -> None:
        while True:
            async with session.get(f"{self._address}/readyz") as response:
                self.ready = response.status == 200
                assert await response.json() == {"ready": self.ready, "why": "" if self.ready else "down"}
            self.looks += 1
            await asyncio.sleep(0.02)

    async def _read(self, session: aiohttp.ClientSession) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        while True:
            begun = time.monotonic()
            async with session.get(f"{self._address}/api/v1/me", headers=headers) as response:
                self.status = response.status
                if response.status != 200:
                    code = (await response.json())["error"]["code"]
                    assert code in REFUSED, code
            self._report.slowest_ask = max(self._report.slowest_ask, time.monotonic() - begun)
            await asyncio.sleep(0.05)


async def until(condition: Callable[[], bool]) -> float:
    """Wait until it is so, and say how long it took."""
    begun = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)
    return time.monotonic() - begun


async def play_on(players: Iterable[Player | Onlooker], more: int) -> None:
    """Wait until each has done so many things more."""
    wanted = [(player, player.done + more) for player in players]
    await until(lambda: all(player.done >= done for player, done in wanted))


async def campaign(
    folder: Path,
    url: str,
    trouble: Trouble,
    times: int,
    people: int = 8,
    seconds: float = 6.0,
    pause: float = 0.0,
) -> Report:
    """Let the trouble come and go under play; `/readyz` is false from soon after its beginning to its end."""
    report, begun = Report(), time.monotonic()
    furnish(folder, {"freebet": "freebet"}, bots=3, betting=3.0)
    with open(folder / "log", "wb") as log:
        async with (
            process(folder, url, stderr=log) as (address, server),
            aiohttp.ClientSession() as session,
        ):
            tokens = [await demo_token(session, address) for _ in range(people + 2)]
            players: list[Player | Onlooker] = [
                Player(address, tokens[number], GAMES[number % len(GAMES)], report, pause)
                for number in range(people)
            ]
            players.append(Onlooker(address, tokens[-1]))
            watch = Watch(address, tokens[-2], report)
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one.run()) for one in (*players, watch)]
                for _ in range(times):
                    await play_on(players, 5)
                    await asyncio.to_thread(trouble.begin, server.pid)
                    report.noticed = max(report.noticed, await until(lambda: not watch.ready))
                    await _stays_down(watch, report, seconds)
                    await asyncio.to_thread(trouble.end, server.pid)
                    back = await until(lambda: watch.ready and watch.status == 200)
                    report.recovered = max(report.recovered, back)
                    await play_on(players, 5)
                    await demo_token(session, address)  # the cashier is there too
                    report.troubles += 1
                for task in tasks:
                    task.cancel()
    report.log_lines = _check_log((folder / "log").read_text("utf-8").splitlines(), time.monotonic() - begun)
    await asyncio.to_thread(check_books, folder, url)
    return report


def _check_log(lines: list[str], seconds: float) -> int:
    """A failure is told when it begins, every so many seconds, and at the end, however often it happens."""
    assert all(LINE.match(line) for line in lines), lines
    told = [dict(part.partition("=")[::2] for part in shlex.split(line)) for line in lines]
    kinds = Counter(tuple(line.get(name) for name in KIND) for line in told if "error" in line)
    assert all(times <= 2 + seconds / EVERY for times in kinds.values()), lines
    return len(lines)


async def _stays_down(watch: Watch, report: Report, seconds: float) -> None:
    """As long as the trouble lasts `/readyz` says so at every look, and who asks is told."""
    end, told = time.monotonic() + seconds, report.refusals["house/down"]
    async with asyncio.timeout(PATIENCE):
        while time.monotonic() < end or report.refusals["house/down"] == told:
            assert not watch.ready, "ready, though nothing can be written"
            await asyncio.sleep(0.01)


def main() -> None:
    """The long campaign."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, TemporaryDirectory() as cluster, postgres_server(cluster) as server:
        file, address = f"sqlite:///{folder}/sabot.db", server.get_uri()
        troubles: list[tuple[str, Trouble]] = [
            (address, Stopped(server)),
            (address, Frozen(server)),
            (file, Locked(file)),
            (file, FullDisk()),
        ]
        for url, trouble in troubles:
            name = type(trouble).__name__
            if options.only in ("", name):
                found = asyncio.run(campaign(Path(folder), url, trouble, options.times))
                print(f"{name}: {found}", flush=True)
                assert max(found.noticed, found.slowest_ask, found.slowest_healthz) < PROMISE


if __name__ == "__main__":
    main()
