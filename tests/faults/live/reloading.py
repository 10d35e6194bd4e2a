"""Pages that are loaded again in every phase of a live table: whoever is back in time decides (PLT-31).

`python -m tests.faults.live.reloading --seconds 60` tries new seeds. Three players play round after round. Before every
bet, answer, decision and vote, and in the phases where nothing is asked, connections are broken: a page is loaded again
and knows nothing, the line is gone for a while and the page goes on where it was, or the house itself is opened anew.
Nothing that is asked after it may be refused, and nothing may be decided without being asked.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sabot.engine import Bet
from sabot.engine.commands import DECISIONS
from sabot.engine.events import Acted
from sabot.protocol import requests
from sabot.server.accounts.logins import Login
from sabot.server.config import Config
from sabot.server.tables.registry import LiveRuntime
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.store import Store
from sabot.tables.live.timers import Phase
from tests.faults.live.history import History
from tests.faults.live.page import Page
from tests.faults.live.process import Noise, Process
from tests.faults.live.simulation import DEPOSIT, section
from tests.faults.simulated.crash import Commits, Planned
from tests.faults.simulated.house import Memory
from tests.faults.simulated.invariants import check_house
from tests.faults.simulated.loop import VirtualLoop
from tests.faults.simulated.shoes import DrawnShoes
from tests.faults.simulated.simulation import fresh_file

GAMES = ("freebet", "majority-eu", "majority-us")
PLAYERS = (1, 2, 3)
TABLE = "live/one"

#: Connections that were broken, by phase.
Breaks = Counter[Phase]


class Evening:
    """Some rounds of three players, whose connections do not last."""

    def __init__(self, memory: Memory, loop: VirtualLoop, game: str) -> None:
        self.rng = Random(f"reloading/{memory.seed}")
        self._memory, self._loop = memory, loop
        self._config = Config(table=(section("one", game, vote_threshold=3),))
        self._seats = game == "freebet"
        self.history = History(TABLE)
        self.breaks: Breaks = Counter()
        self._labels = count(1)
        self.process = Process(memory, loop, self._config)
        self.pages = {player: self._page(player) for player in PLAYERS}

    def _page(self, player: int) -> Page:
        label = f"page-{next(self._labels)}"
        return Page(Login(player, f"player {player}"), label, self.history, self.rng)

    @property
    def desk(self) -> LiveRuntime:
        """The owner of the table."""
        return self.process.desks[TABLE]

    async def play(self, rounds: int) -> None:
        """Sit down and play."""
        await self.process.open()
        for player, page in self.pages.items():
            page.connect(self.process)
            await self._ask(page, requests.Enter(page.new_id(), TABLE))
            spot = player if self._seats else None
            await self._ask(page, requests.Sit(page.new_id(), TABLE, 20_000, spot))
            await self._ask(page, requests.ConsentRequest(page.new_id(), TABLE, True, True))
        for _ in range(rounds):
            await self._play_round()
        await self._until(lambda phase: phase == "betting")
        await self.process.close()
        self.process.cut()
        self.process.database.close()

    async def _play_round(self) -> None:
        await self._until(lambda phase: phase == "betting")
        for player in PLAYERS:
            await self._break(player)
            page, spot = self.pages[player], player if self._seats else 0
            bets = (Bet(spot, "main", 100 * self.rng.randint(1, 5)),)
            await self._ask(
                page, requests.PlaceBetsRequest(page.new_id(), TABLE, self.desk.table.play.code, bets)
            )
        code, decided = self.desk.table.play.code, 0
        while self.desk.table.play.code == code and (phase := self.desk.table.phases.phase) != "payout":
            moment = self._moment()
            await self._break(self.rng.choice(PLAYERS))
            assert self._moment() == moment or phase not in ("insurance", "decisions")
            if phase == "insurance":
                await self._insure()
            elif phase == "decisions":
                decided += await self._decide()
            await self._until(lambda _, moment=moment: self._moment() != moment)  # type: ignore[misc]
        if (
            self.desk.table.play.code == code and self.desk.table.play.round is not None
        ):  # not opened anew since
            acted = sum(isinstance(event, Acted) for event in self.desk.table.play.round.log)
            assert acted == decided, f"{acted - decided} decisions were made for others"
            await self._break(self.rng.choice(PLAYERS))

    def _moment(self) -> object:
        """What must not change while connections are broken in a window."""
        live = self.desk.table
        return live.play.code, live.play.turn, live.phases.phase

    async def _insure(self) -> None:
        for player in PLAYERS:
            await self._break(player)
            live, page = self.desk.table, self.pages[player]
            request = requests.InsureRequest(
                page.new_id(), TABLE, live.play.code, live.play.turn, self.rng.random() < 0.5
            )
            await self._ask(page, request)

    async def _decide(self) -> int:
        """The seat's player decides, or everyone votes; gives how many decisions that is."""
        live = self.desk.table
        assert live.play.round is not None
        assert live.play.round.turn is not None
        (spot, hand), options, mode = live.play.round.turn, live.play.round.options_now, live.play.round.mode
        action = self.rng.choice([option for option in options if option in DECISIONS])
        if self._seats:
            await self._break(spot)
            page, live = self.pages[spot], self.desk.table
            await self._ask(
                page,
                requests.Act(
                    page.new_id(), TABLE, live.play.code, live.play.turn, DECISIONS[action](spot, hand)
                ),
            )
        elif mode(spot) == "vote":
            moment = self._moment()
            for player in PLAYERS:
                if self._moment() != moment:
                    break  # two of three were enough
                page, live = self.pages[player], self.desk.table
                vote = requests.VoteRequest(
                    page.new_id(), TABLE, live.play.code, live.play.turn, spot, action, hand
                )
                await self._ask(page, vote)
        return 1

    # Connections

    async def _break(self, player: int) -> None:
        """One of the ways in which a page loses its connection, and is back a little later."""
        self.breaks[self.desk.table.phases.phase] += 1
        way = self.rng.choices((self._reload, self._blip, self._reopen), (5, 5, 1))[0]
        await way(player)

    async def _reload(self, player: int) -> None:
        self.pages[player].drop()
        await asyncio.sleep(self.rng.uniform(0, 1))
        page = self.pages[player] = self._page(player)
        page.connect(self.process)
        await self._ask(page, requests.Enter(page.new_id(), TABLE))

    async def _blip(self, player: int) -> None:
        page = self.pages[player]
        page.drop()
        await asyncio.sleep(self.rng.uniform(0, 1))
        page.connect(self.process)
        assert page.table is not None
        await self._ask(page, requests.Resume(page.new_id(), TABLE, page.table.epoch, page.table.seq))

    async def _reopen(self, _: int) -> None:
        """The house is closed and opened anew; everyone comes back, and between rounds is asked for consent again."""
        while self.process.busy:
            await asyncio.sleep(0.01)
        await self.process.close()
        self.process.cut()
        self.process.database.close()
        self._memory.lives += 1
        self.process = Process(self._memory, self._loop, self._config)
        await self.process.open()
        for page in self.pages.values():
            page.drop()
            page.connect(self.process)
            await self._ask(page, requests.Enter(page.new_id(), TABLE))
            await self._ask(page, requests.ConsentRequest(page.new_id(), TABLE, True, True))

    async def _ask(self, page: Page, request: requests.AnyRequest) -> None:
        answer = await page.request(request)
        assert answer == "ok", f"{answer} for {request} in {self.desk.table.phases.phase}"

    async def _until(self, reached: Callable[[Phase], bool]) -> None:
        async with asyncio.timeout(120):
            while not reached(self.desk.table.phases.phase) or self.desk.busy:
                await asyncio.sleep(0.05)


def reload_pages(file: Path, game: str, seed: int | str, rounds: int) -> Breaks:
    """Play some rounds of a game; gives how many connections were broken in which phase."""
    url = fresh_file(file)
    database = Database(url, durable=False)
    cashier = Cashier.open(Store(database), 1)
    for number in PLAYERS:
        assert cashier.register(f"player {number}", 1) == number
        cashier.deposit(number, "FUN", DEPOSIT, "first", 1)
    memory = Memory(url, seed, Commits(Planned()), DrawnShoes(seed), None)
    loop = VirtualLoop(seed)

    async def main() -> Breaks:
        evening = Evening(memory, loop, game)
        with Noise() as noise:
            await evening.play(rounds)
        assert not noise.found, noise.found[0]
        return evening.breaks

    try:
        breaks = loop.run_until_complete(main())
        check_house(database)
    except BaseException as error:
        error.add_note(f"{game}, seed {seed}")
        raise
    finally:
        loop.abandon()
        database.close()
    return breaks


def main() -> int:
    """Try new seeds until the time is over."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.live.reloading", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to look (default 60)")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by default a random one")
    asked = parser.parse_args()
    first = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    end, breaks, runs = time.monotonic() + asked.seconds, Breaks(), 0
    with TemporaryDirectory(prefix="sabot-reloading-") as folder:
        for seed in count(first):
            for game in GAMES:
                breaks += reload_pages(Path(folder) / "house.db", game, seed, 10)
                runs += 1
            if time.monotonic() > end:
                break
    print(f"{runs} runs of 10 rounds, connections broken: {dict(breaks)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
