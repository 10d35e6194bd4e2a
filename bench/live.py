"""Live tables under load: one event to thousands of sockets beside bare aiohttp, and a round of 10,000 players.

- *fan-out*: a Majority table in a server process of its own, and sockets that look at it from another process. Each
  event is a bet that is stored and a count that everyone is told; it goes through the owner's inbox, the writer and the
  release queue. The bare server sends frames of the same size to the same number of sockets with aiohttp alone. Frames
  a second are per core of server CPU; latency is from the question to the last socket that hears of it. The median of
  three runs, which alternate.
- *round*: 10,000 players at one table with everyone looking on, the double followed by all of them; times are from the
  last card to the commit, and *blocked* is the longest time that the event loop was kept from its work meanwhile.

Goals: 0.7 of bare aiohttp, record 100,000 frames/s; a settlement in 300 ms on SQLite and 400 ms on PostgreSQL (record
150 ms), the loop never blocked over 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

import uvloop
from _anyone import FREE, open_to_anyone
from _units import new_accounts
from aiohttp import web
from store import OneShoe, opened, ticking

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.odds.price import price
from sabot.rounds.shoes import SecureShoes
from sabot.server.accounts.logins import Login
from sabot.server.config import Config, TableSection
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.server.run import SystemClock, open_port
from sabot.server.tables.registry import LiveRuntime, TableRegistry
from sabot.server.tables.subscribers import Arrival
from sabot.store.cashier import account_name
from sabot.store.commit import Outcome
from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.store.writer import Done, Writer
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Timers

TABLE = "live/bench"
SOCKETS = (1_000, 5_000, 9_000)
#: Frames a second in all: well below what the server can send, so that nobody falls behind.
FRAMES = 30_000
SECONDS = 3.0
RUNS = 3
PLAYERS = 10_000


# The servers


class Measured(NamedTuple):
    """What a run of events cost the server."""

    #: Process time of the events, in seconds, and when each was asked for, by its number.
    cpu: float
    asked: dict[int, float]


async def _paced(events: int, rate: float, send: Any) -> Measured:
    """Send events at a rate; `send` gives the number of each."""
    asked: dict[int, float] = {}
    before, start = time.process_time(), time.monotonic()
    for event in range(events):
        await asyncio.sleep(max(0.0, start + event / rate - time.monotonic()))
        now = time.monotonic()
        asked[await send()] = now
    await asyncio.sleep(0.05)
    return Measured(time.process_time() - before, asked)


async def _obey(send: Any, port: int, sockets: Any) -> None:
    """Answer each line of input, a number of events and a rate, with what they cost."""
    loop = asyncio.get_running_loop()
    print(json.dumps({"port": port}), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        events, rate = json.loads(line)
        idle = await _idle()
        cost = await _paced(events, rate, send) if events else Measured(0.0, {})
        memory = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
        took = {"cpu": max(1e-9, cost.cpu - idle * (events / rate if events else 0)), "asked": cost.asked}
        print(json.dumps({**took, "memory": memory, "sockets": sockets()}), flush=True)


async def _idle() -> float:
    """What the server spends while nothing happens, in seconds of CPU a second."""
    before, start = time.process_time(), time.monotonic()
    await asyncio.sleep(0.3)
    return (time.process_time() - before) / (time.monotonic() - start)


async def serve_table() -> None:
    """A house with one live table, at which player 1 plays."""
    with tempfile.TemporaryDirectory() as folder:
        timers = Timers(shuffle=0.05, betting=3600)
        section = TableSection(name="bench", game="majority-eu", currency="FUN", timers=timers)
        config = Config(table=(section,), server=FREE)
        database = Database(f"sqlite:///{Path(folder) / 'sabot.db'}")
        house = House(config, database, SecureShoes(Vault(bytes(32))), SystemClock(), price)
        app = open_to_anyone(house)
        runner = await open_port(app, "127.0.0.1", 0)
        services = app[SERVICES]
        runtime = services.registry.live[TABLE]
        player = await house.cashier(lambda cashier: cashier.register("ada", 1))
        await house.cashier(lambda cashier: cashier.deposit(player, "FUN", 10**8, "first", 1))
        who = str(player)
        await runtime.order(lambda live: live.enter(who, "ada"))
        await runtime.order(lambda live: live.sittings.sit(who, 10**7))
        await runtime.order(lambda live: live.play.consent(who, False, False))
        while runtime.table.phases.phase != "betting":
            await asyncio.sleep(0.01)
        stake = 100

        async def send() -> int:
            nonlocal stake
            stake = 300 - stake
            await runtime.order(lambda live: _bet(live, who, stake))
            return runtime.seq

        gc.freeze()
        await _obey(send, runner.addresses[0][1], lambda: len(runtime.subscribers))
        await runner.cleanup()


def _bet(live: LiveTable, who: str, stake: int) -> None:
    live.play.place_bets(who, live.play.code, (Bet(0, "main", stake),))
    live.show_crowd()


async def serve_bare() -> None:
    """The same number of frames, as long as the table's, from aiohttp and nothing else."""
    sockets: list[web.WebSocketResponse] = []
    seq = 0
    filler = "x" * 200

    async def handle(request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse(protocols=("sabot.v1",), compress=False)
        await response.prepare(request)
        sockets.append(response)
        async for _ in response:
            pass
        return response

    async def send() -> int:
        nonlocal seq
        seq += 1
        frame = f'{{"table":"{TABLE}","epoch":1,"seq":{seq},"filler":"{filler}"}}'
        for response in sockets:
            await response.send_str(frame)
        return seq

    app = web.Application()
    app.router.add_get("/api/v1/socket", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    gc.freeze()
    await _obey(send, runner.addresses[0][1], lambda: len(sockets))
    await runner.cleanup()


# The measurement


class Process:
    """Another process of this measurement, which answers lines with lines."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[str] = self._process.stdin
        self._out: IO[str] = self._process.stdout

    def hear(self) -> str:
        """The next line."""
        line = self._out.readline()
        assert line, "the other process is gone"
        return line

    def ask(self, line: str) -> Any:
        """A line and its answer."""
        self._in.write(f"{line}\n")
        self._in.flush()
        return json.loads(self.hear())

    def end(self) -> None:
        """Stop it."""
        self._process.kill()
        self._process.wait()


@contextmanager
def crowd(kind: str, sockets: int) -> Iterator[tuple[Process, Process, float]]:
    """A server, its listeners, and the memory of a connection in KiB."""
    server = Process(__file__, f"--{kind}")
    try:
        port = json.loads(server.hear())["port"]
        empty = server.ask("[0, 1]")["memory"]
        table = TABLE if kind == "table" else ""
        listeners = Process(
            str(Path(__file__).with_name("_listeners.py")), "127.0.0.1", str(port), table, str(sockets)
        )
        try:
            assert listeners.hear() == "ready\n"
            memory = server.ask("[0, 1]")["memory"]
            yield server, listeners, (memory - empty) / sockets / 1024
        finally:
            listeners.end()
    finally:
        server.end()


class Run(NamedTuple):
    """One run: frames a second and core, and the time to the last socket of each event in milliseconds."""

    frames: float
    delays: list[float]


def run(server: Process, listeners: Process, sockets: int) -> Run:
    """Some seconds of events."""
    rate = FRAMES / sockets
    events = max(5, int(rate * SECONDS))
    cost = server.ask(json.dumps([events, rate]))
    heard = listeners.ask("report")
    delays = []
    for seq, asked in cost["asked"].items():
        count, last = heard[seq]
        assert count == sockets, f"frame {seq} came to {count} of {sockets} sockets"
        delays.append(1000 * (last - asked))
    return Run(events * sockets / cost["cpu"], delays)


def fan_out() -> None:
    """Print the rows of the fan-out."""
    print("sockets   frames/s per core      bare   x bare   p50 ms   p99 ms   KiB each   bare KiB")
    for sockets in SOCKETS:
        with (
            crowd("table", sockets) as (table, hears, memory),
            crowd("bare", sockets) as (bare, hears_bare, thin),
        ):
            runs, bares = [], []
            for _ in range(RUNS):
                runs.append(run(table, hears, sockets))
                bares.append(run(bare, hears_bare, sockets))
            ours = statistics.median(one.frames for one in runs)
            theirs = statistics.median(one.frames for one in bares)
            delays = sorted(delay for one in runs for delay in one.delays)
            p99 = delays[min(len(delays) - 1, int(0.99 * len(delays)))]
            print(
                f"{sockets:>7}{ours:>20,.0f}{theirs:>10,.0f}{ours / theirs:>9.2f}{statistics.median(delays):>9.1f}"
                f"{p99:>9.1f}{memory:>11.1f}{thin:>11.1f}",
                flush=True,
            )


# A round of ten thousand


class Onlooker:
    """Someone who looks at the table from this process, and reads at once."""

    def __init__(self, login: Login) -> None:
        self.login = login
        self.heard = asyncio.Event()

    def send(self, packed: bytes) -> None:
        """A frame."""
        self.heard.set()

    def tell(self, table: str, packed: bytes) -> None:
        """An own part."""
        self.heard.set()

    def show(self, table: str, epoch: int, seq: int, since: int | None, packed: bytes) -> None:
        """The table."""
        self.heard.set()

    def respond(self, id: str, error: Refusal | None = None) -> None:
        """Nothing."""

    def count_vain(self, frames: int) -> None:
        """Nothing."""

    def close_for_logout(self) -> None:
        """Nothing."""

    def relay(self, table: str) -> None:
        """It is here."""


class NotingWriter:
    """Notes when the last row was stored."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.stored_at = 0.0
        self.waiting = 0

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Hand a row on."""

        def noted(outcome: Outcome) -> None:
            self.stored_at = time.perf_counter()
            done(outcome)

        self._writer.submit(unit, noted)


class Timed(NamedTuple):
    """Milliseconds from the last card to the commit and to the last player's screen; the loop's longest pause."""

    commit: float
    shown: float
    blocked: float


class Crowd:
    """Ten thousand players at a table, all of them there."""

    def __init__(self, house: House, runtime: LiveRuntime, players: list[str]) -> None:
        self._house = house
        self.runtime = runtime
        self.players = players
        self.subscribers: list[Onlooker] = []

    async def each(self, act: Callable[[LiveTable, str], None]) -> None:
        """Something for every player, as many at a time as there are ids at hand."""
        for first in range(0, len(self.players), 250):
            some = self.players[first : first + 250]
            await asyncio.gather(*(self.runtime.order(partial(_do, act, who)) for who in some))

    async def gather(self) -> None:
        """Everyone comes, sits and agrees to double."""
        for who in self.players:
            self.subscribers.append(Onlooker(Login(int(who), who)))
            self.runtime.subscribers.subscribe(Arrival(self.subscribers[-1], 0))
        await self.each(lambda live, who: live.sittings.sit(who, 10**7))
        await self.each(lambda live, who: live.play.consent(who, True, True))

    async def until(self, phase: str, turn: int = 0) -> None:
        """Put the table on until it is in a phase."""
        live = self.runtime.table
        while live.phases.phase != phase or live.play.turn < turn:
            live.phases.due = 0.0 if live.phases.due is not None else None
            self.runtime.wake()
            await asyncio.sleep(0.001)

    async def timed(self) -> Timed:
        """The next decision."""
        writer = NotingWriter(self._house.writer)
        while self.runtime.busy:  # what was done before is not shown yet
            await asyncio.sleep(0.01)
        gc.collect()
        gc.freeze()
        last = self.subscribers[-1]
        while self.runtime.table.attendance.changed:  # a count on its way would be heard first
            await asyncio.sleep(0.01)
        async with ticking() as ticker:
            await asyncio.sleep(0.02)
            ticker.longest = 0.0
            last.heard.clear()
            own, self._house.writer = self._house.writer, writer  # type: ignore[assignment]  # it is only handed rows
            start = time.perf_counter()
            self.runtime.table.phases.due = 0.0
            self.runtime.wake()
            await last.heard.wait()
            shown = time.perf_counter() - start
            await asyncio.sleep(0.05)
            self._house.writer = own
        return Timed(1e3 * (writer.stored_at - start), 1e3 * shown, 1e3 * ticker.longest)


def on_both(who: str) -> tuple[Bet, ...]:
    """A bet on each box."""
    return tuple(Bet(spot, "main", 100) for spot in (0, 1))


def on_one(who: str) -> tuple[Bet, ...]:
    """A bet on one of them."""
    return (Bet(int(who) % 2, "main", 100),)


def _place(bets: Callable[[str], tuple[Bet, ...]], live: LiveTable, who: str) -> None:
    live.play.place_bets(who, live.play.code, bets(who))


def _do(act: Callable[[LiveTable, str], None], who: str, live: LiveTable) -> None:
    act(live, who)


async def ten_thousand(kind: str, database: Database) -> None:
    """Print the rows of rounds with everyone on both boxes, and with half of them on each."""
    accounts = new_accounts(database, PLAYERS)
    timers = Timers(shuffle=3600, betting=3600, closing=3600, pace=600, payout=3600, insurance=3600)
    section = TableSection(
        name="bench",
        game="majority-eu",
        currency="FUN",
        timers=timers,
        options={"vote_threshold": 10**6, "cut": 5},
    )
    house = House(Config(table=(section,)), database, OneShoe(Vault(bytes(32))), SystemClock(), price)
    await house.open()
    house.store._accounts |= {account_name(i, "FUN"): id for i, id in accounts.players.items()}
    registry = TableRegistry(house)
    await registry.open()
    crowd = Crowd(house, registry.live[TABLE], [str(player) for player in accounts.players])
    await crowd.gather()
    seen: dict[str, list[Timed]] = {"double": [], "settle both": [], "settle half": []}
    for _ in range(3):
        for name, bets in (("both", on_both), ("half", on_one)):
            await crowd.until("betting")
            await crowd.each(partial(_place, bets))
            await crowd.until("decisions")
            double = await crowd.timed()
            if name == "both":
                seen["double"].append(double)
            seen[f"settle {name}"].append(await crowd.timed())
    await registry.close()
    await house.close()
    goal = {"sqlite": 300, "postgresql": 400}[kind]
    for name, times in seen.items():
        took, shown, blocked = (statistics.median(column) for column in zip(*times, strict=True))
        print(
            f"{kind:<11}{name:<12}{took:>8,.0f} ms  goal {goal} x {goal / took:.2f}  record 150 x {150 / took:.2f}"
            f"  shown {shown:,.0f} ms  blocked {blocked:.0f} ms (goal 50)",
            flush=True,
        )


def rounds(kinds: list[str]) -> None:
    """A round of ten thousand on each database."""
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder, opened(kind, Path(folder)) as fresh:
            uvloop.run(ten_thousand(kind, fresh()))


_PARTS = ("fan-out", "round")
_DATABASES = ("sqlite", "postgresql")


def main() -> None:
    """What was asked for, or everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = (*_PARTS, *_DATABASES)
    parser.add_argument("asked", nargs="*", help=f"of {', '.join(names)}; by default everything")
    asked = parser.parse_args().asked
    if unknown := set(asked).difference(names):  # `choices` would refuse an empty list
        parser.error(f"there is no {', '.join(sorted(unknown))}: choose from {', '.join(names)}")
    parts = [part for part in _PARTS if part in asked] or _PARTS
    if "fan-out" in parts:
        fan_out()
    if "round" in parts:
        rounds([database for database in _DATABASES if database in asked] or list(_DATABASES))


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        uvloop.run(serve_table())
    elif sys.argv[1:] == ["--bare"]:
        uvloop.run(serve_bare())
    else:
        main()
