"""A studio table under load: from the reading of a card to the pages of 1,000 who watch, without the video's own delay.

A Majority table that a person deals at, in a server process of its own; sockets that look at it from another process. A
card-reading shoe posts each card over HTTP; the time runs from there to the last socket that hears of the card, through
the device's token, the code table, the round, the seal, the row on the disk and the outbox. The bare server, aiohttp and
nothing else, answers the same question by sending a frame of the same length to the same number of sockets. Runs alternate.

Goal: p99 below 150 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvloop
from _anyone import FREE, open_to_anyone
from aiohttp import web
from live import Process

from sabot.engine import Bet
from sabot.fairness.vault import Vault
from sabot.odds.price import price
from sabot.rounds.shoes import SecureShoes
from sabot.server.config import Config, DeviceSection, StudioConfig, TableSection
from sabot.server.house import House
from sabot.server.http.services import SERVICES
from sabot.server.run import SystemClock, open_port
from sabot.server.studio.codes import read_codes
from sabot.server.tables.registry import LiveRuntime
from sabot.store.database import Database
from sabot.studio_demo.shoe import DealingShoe, PrintedCards, new_codes
from sabot.tables.live.studio import Studio, StudioPerson
from sabot.tables.live.table import LiveTable

NAME, TABLE = "bench", "live/bench"
TOKEN = "token-of-the-reading-shoe-of-the-bench"
VIEWERS = 1_000
CARDS, RUNS = 40, 3
GOAL = 150.0
#: Seconds for one card.
PATIENCE = 30.0
DECKS = 8


# The servers


class Presenter:
    """Does everything at the table but read cards."""

    def __init__(self, runtime: LiveRuntime, cards: PrintedCards, player: str) -> None:
        self._runtime = runtime
        self._cards = cards
        self._player = player
        self._shoe: DealingShoe
        self._by = StudioPerson(1, "eva")
        self._staked_in = ""

    async def come(self) -> None:
        """The player sits down, the presenter takes the shift, a shoe is brought."""
        order = self._runtime.order
        await order(lambda live: live.enter(self._player, "ada"))
        await order(lambda live: live.sittings.sit(self._player, 10**7))
        await order(lambda live: live.play.consent(self._player, False, False))
        await order(lambda live: _studio(live).shift.begin(self._by))

    async def until_card(self) -> tuple[str, int]:
        """Go on until a card is due and everyone has heard of it; gives its code, and the number of its frame."""
        while True:
            console = _studio(self._runtime.table).console()
            match console.step:
                case "shoe":
                    self._shoe = self._cards.shuffled("A", DECKS, 0)
                    await self._runtime.order(lambda live: _studio(live).shoes.change(self._by, "A"))
                case "open":
                    await self._runtime.order(lambda live: _studio(live).open_betting(self._by))
                case "pay":
                    await self._runtime.order(lambda live: _studio(live).pay(self._by))
                case "betting" if console.round != self._staked_in:
                    self._staked_in = console.round
                    await self._runtime.order(self._bet)
                case "card":
                    await self._runtime.order(lambda live: None)
                    while self._runtime.busy or self._runtime.table.attendance.changed:
                        await asyncio.sleep(0.01)  # a count on its way would be heard first
                    return self._shoe.codes[console.dealt], self._runtime.seq + 1
                case step:
                    assert step in ("betting", "players", "wait"), step
                    self._runtime.table.phases.due = 0.0
                    self._runtime.wake()
                    await asyncio.sleep(0.005)

    def _bet(self, live: LiveTable) -> None:
        live.play.place_bets(self._player, live.play.code, (Bet(0, "main", 100), Bet(1, "main", 100)))


def _studio(live: LiveTable) -> Studio:
    assert live.studio is not None
    return live.studio


async def serve_table() -> None:
    """A house with one studio table; each line of input is answered with the card that is due."""
    with tempfile.TemporaryDirectory() as folder:
        codes = Path(folder) / "codes.toml"
        codes.write_text(new_codes(DECKS))
        section = TableSection(name=NAME, game="majority-eu", currency="FUN", dealing="studio", late=600)
        device = DeviceSection(name="shoe-1", table=NAME, token=TOKEN)
        config = Config(
            table=(section,), device=(device,), studio=StudioConfig(codes=str(codes)), server=FREE
        )
        database, vault = Database(f"sqlite:///{Path(folder) / 'sabot.db'}"), Vault(bytes(32))
        house = House(config, database, SecureShoes(vault), SystemClock(), price, vault=vault)
        app = open_to_anyone(house)
        runner = await open_port(app, "127.0.0.1", 0)
        player = await house.cashier(lambda cashier: cashier.register("ada", 1))
        await house.cashier(lambda cashier: cashier.deposit(player, "FUN", 10**8, "first", 1))
        runtime = app[SERVICES].registry.live[TABLE]
        presenter = Presenter(runtime, PrintedCards(read_codes(str(codes))), str(player))
        await presenter.come()
        gc.freeze()
        await _answer(runner.addresses[0][1], presenter)
        await runner.cleanup()


async def serve_bare() -> None:
    """A question by HTTP, answered after a frame was sent to every socket; aiohttp and nothing else."""
    sockets: list[web.WebSocketResponse] = []
    seq, filler = 0, "x" * 200

    async def look_on(request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse(protocols=("sabot.v1",), compress=False)
        await response.prepare(request)
        sockets.append(response)
        async for _ in response:
            pass
        return response

    async def scan(request: web.Request) -> web.Response:
        nonlocal seq
        await request.json()
        seq += 1
        frame = f'{{"table":"{TABLE}","epoch":1,"seq":{seq},"filler":"{filler}"}}'
        for response in sockets:
            await response.send_str(frame)
        return web.json_response({"scan": seq, "due": True})

    app = web.Application()
    app.router.add_get("/api/v1/socket", look_on)
    app.router.add_post(f"/api/v1/studio/{NAME}/scans", scan)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    gc.freeze()
    await _answer(runner.addresses[0][1], None)
    await runner.cleanup()


async def _answer(port: int, presenter: Presenter | None) -> None:
    """Tell the port; then, for each line of input, the next card, or the time of the processor that was used."""
    print(json.dumps({"port": port}), flush=True)
    loop = asyncio.get_running_loop()
    frame = 0
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        if line == "cpu\n":
            print(json.dumps(time.process_time()), flush=True)
            continue
        frame += 1
        code, number = ("x000", frame) if presenter is None else await presenter.until_card()
        print(json.dumps({"code": code, "frame": number}), flush=True)


# The measurement


class Dealt(NamedTuple):
    """One card: milliseconds until the last viewer had heard of it, and of the server's processor."""

    shown: float
    cpu: float


class Room(NamedTuple):
    """A server, and those who look on."""

    server: Process
    viewers: Process
    port: int
    scans: Iterator[int]

    def deal(self) -> Dealt:
        """Read one card, and wait until everyone has heard of it."""
        due = self.server.ask("next")
        self.viewers.ask("report")  # what was said before this card
        reading = json.dumps({"scan": next(self.scans), "code": due["code"]}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/studio/{NAME}/scans",
            reading,
            {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        before, start = self.server.ask("cpu"), time.monotonic()
        with urllib.request.urlopen(request) as response:
            assert response.status == 200
        count, last = 0, 0.0
        while count < VIEWERS:
            more, last = self.viewers.ask("report").get(str(due["frame"]), (0, last))
            count += more
            assert time.monotonic() < start + PATIENCE, f"the card came to {count} of {VIEWERS} sockets"
        return Dealt(1000 * (last - start), 1000 * (self.server.ask("cpu") - before))


@contextmanager
def room(kind: str) -> Iterator[Room]:
    """A server of a kind, with everyone there."""
    server = Process(__file__, f"--{kind}")
    try:
        port = json.loads(server.hear())["port"]
        table = TABLE if kind == "table" else ""
        listeners = str(Path(__file__).with_name("_listeners.py"))
        viewers = Process(listeners, "127.0.0.1", str(port), table, str(VIEWERS))
        try:
            assert viewers.hear() == "ready\n"
            yield Room(server, viewers, port, iter(range(1, 10**9)))
        finally:
            viewers.end()
    finally:
        server.end()


def _percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    """Print the row."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    table: list[Dealt] = []
    bare: list[Dealt] = []
    with room("table") as ours, room("bare") as theirs:
        for _ in range(RUNS):
            table += [ours.deal() for _ in range(CARDS)]
            bare += [theirs.deal() for _ in range(CARDS)]
    print(f"{VIEWERS:,} viewers, {len(table)} cards    p50 ms   p99 ms   server's CPU, ms a card")
    for name, dealt in (("studio table", table), ("bare aiohttp", bare)):
        shown = [one.shown for one in dealt]
        p50, p99, cpu = (
            statistics.median(shown),
            _percentile(shown, 0.99),
            statistics.median(one.cpu for one in dealt),
        )
        print(f"{name:<28}{p50:>9.1f}{p99:>9.1f}{cpu:>25.1f}", flush=True)
    ratio = statistics.median(one.shown for one in table) / statistics.median(one.shown for one in bare)
    goal = GOAL / _percentile([one.shown for one in table], 0.99)
    print(f"p50 {ratio:.2f} x bare; goal p99 {GOAL:.0f} ms x {goal:.2f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        uvloop.run(serve_table())
    elif sys.argv[1:] == ["--bare"]:
        uvloop.run(serve_bare())
    else:
        main()
