"""A player at a live table, who means well most of the time: comes, plays, stalls, breaks off, comes back, goes home."""

from __future__ import annotations

import asyncio
from collections import deque
from random import Random
from typing import NamedTuple

from sabot.engine import Bet
from sabot.engine.commands import Hit, Spin, Stand
from sabot.protocol import codec, requests
from sabot.server.accounts.logins import Login
from tests.faults.live.history import History
from tests.faults.live.page import Page
from tests.faults.live.process import Server
from tests.faults.live.wishes import Sight, next_wish
from tests.faults.simulated.house import PASSING

#: Questions that a player remembers having put, to put them again.
KEPT = 12
#: Questions whose row keeps their id, whenever they are answered with `ok`.
STORED = (
    requests.Act,
    requests.AddMoneyRequest,
    requests.ConsentRequest,
    requests.DealRequest,
    requests.InsureRequest,
    requests.PlaceBetsRequest,
    requests.StartNow,
    requests.VoteRequest,
)
_NONSENSE = (
    "",
    "{",
    "[]",
    "null",
    '{"type":"sit"}',
    '{"type":"vote","id":"x","table":"live/x","round":"r","turn":-1,"spot":0,"action":"win"}',
    '{"type":"place-bets","id":"x","table":"live/x","round":"r","bets":[{"spot":9,"kind":"main","stake":1}]}',
    '{"type":"place-bets","id":"x","table":"live/x","round":"r","bets":[{"spot":0,"kind":"main","stake":-5}]}',
    '{"type":"place-bets","id":"x","table":"live/x","round":"r","bets":[],"more":1}',
    '{"type":"say","id":"x","table":"live/x","text":"' + "a" * 5000 + '"}',
    b"\xff\xfe\x00",
    "[" * 3000,
)


class Habits(NamedTuple):
    """How a player is: chances at each move."""

    #: Seconds between two moves.
    pace: float = 3.0
    #: Breaks the connection off, or does not read for a while.
    flaky: float = 0.03
    #: Sends what makes no sense, or comes too late, or was sent before.
    naughty: float = 0.08
    #: Leaves the table.
    restless: float = 0.02
    #: Does not go home, but disappears.
    vanishes: bool = False


class Player:
    """A page and who sits before it."""

    def __init__(self, person: Login, label: str, history: History, habits: Habits, seed: int | str) -> None:
        self.person = person
        self.habits = habits
        self.rng = Random(f"player/{label}/{seed}")
        self.page = Page(person, label, history, self.rng)
        self._table = history.table
        self._said: deque[requests.AnyRequest] = deque(maxlen=KEPT)
        #: Every question that was put and keeps its id in a row.
        self.asked: dict[str, requests.AnyRequest] = {}

    async def run(self, process: Server) -> None:
        """Play until everyone goes home, in the process there is now."""
        self.page.line = None
        while not await self._home(process):
            await asyncio.sleep(self.habits.pace * 2 * self.rng.random())
            await process.moving.wait()
            await self._move(process)

    async def _home(self, process: Server) -> bool:
        """Whether the player is at home, or is never seen again."""
        if not process.closing:
            return False
        if self.habits.vanishes:
            self.page.drop()
            return True
        page = self.page
        return page.there and page.me is not None and page.me.balance is None

    async def _move(self, process: Server) -> None:
        page, whim = self.page, self.rng.random()
        if not page.connected:
            page.connect(process)
            await page.come(self._table)
        elif not page.there:
            await page.come(self._table)
        elif process.closing:
            await self._say(requests.Leave(page.new_id(), self._table))
        elif whim < self.habits.flaky:
            await self._break_off()
        elif whim < self.habits.flaky + self.habits.naughty:
            await self._misbehave()
        elif whim < self.habits.flaky + self.habits.naughty + self.habits.restless:
            await self._say(requests.Leave(page.new_id(), self._table))
        else:
            await self._play()

    async def _play(self) -> None:
        page = self.page
        if page.table is None or page.me is None:
            return
        sight = Sight(page.table, page.me, str(self.person.player), self.rng, page.new_id())
        wish = next_wish(sight)
        if wish is not None:
            await self._say(wish)

    async def _say(self, request: requests.AnyRequest) -> None:
        """Put a question; now and then without waiting, twice, or with the connection gone right after it."""
        self._said.append(request)
        self.asked.setdefault(request.id, request)
        whim = self.rng.random()
        if whim < 0.05:
            self.page.put(request)
            self.page.put(request)
        elif whim < 0.1:
            self.page.put(request)
        elif whim < 0.12:
            self.page.put(request)
            self.page.drop()
        else:
            await self.page.request(request)

    async def _break_off(self) -> None:
        page, line = self.page, self.page.line
        match self.rng.randrange(4):
            case 0:
                page.drop()
            case 1 if line is not None:
                line.stalled = True
                await asyncio.sleep(self.rng.choice((1.0, 20.0, 120.0)))
                line.read_on()
            case 2:
                await page.request(requests.Exit(page.new_id(), self._table))
                page.there = False
            case _:
                page.put(requests.Enter(page.new_id(), self._table))
                page.drop()

    async def _misbehave(self) -> None:
        page = self.page
        match self.rng.randrange(6):
            case 0:
                nonsense = self.rng.choice(_NONSENSE)
                named = '"id":"x"' in str(nonsense) and len(nonsense) <= codec.LONGEST_FRAME
                page.send(nonsense, "x" if named else "")
            case 1 if self._said:  # again, with the same contents
                page.put(self.rng.choice(self._said))
            case 2 if self._said:  # again, with other contents
                id = self.rng.choice(self._said).id
                request = requests.ConsentRequest(id, self._table, True, False)
                if self.asked[id] != request:
                    page.put(request)
            case 3:
                page.put(self._late())
            case 4:
                page.put(self._not_ours())
            case _:
                page.put(requests.Say(page.new_id(), self._table, "hello"))

    def _late(self) -> requests.AnyRequest:
        """For a round, or a turn, that is over."""
        id, name, known = self.page.new_id(), self._table, self.page.table
        code = known.round if known is not None and known.round else "260829-104000-AAAA"
        turn = max(0, known.turn - 1) if known is not None else 0
        asks: tuple[requests.AnyRequest, ...] = (
            requests.PlaceBetsRequest(id, name, "260829-104000-AAAA", (Bet(0, "main", 400),)),
            requests.PlaceBetsRequest(id, name, code, (Bet(0, "main", 400),)),
            requests.VoteRequest(id, name, code, turn, 0, "hit"),
            requests.Act(id, name, code, turn, Stand(0)),
            requests.InsureRequest(id, name, code, turn, True),
            requests.StartNow(id, name, code),
        )
        return self._noted(self.rng.choice(asks))

    def _not_ours(self) -> requests.AnyRequest:
        """What this player, or nobody, may do here."""
        id, name, known = self.page.new_id(), self._table, self.page.table
        code, turn = (known.round or "x", known.turn) if known is not None else ("x", 0)
        asks: tuple[requests.AnyRequest, ...] = (
            requests.Sit(id, name, 10**11),
            requests.Sit(id, name, 0, 3),
            requests.AddMoneyRequest(id, name, 10**11),
            requests.AddMoneyRequest(id, name, 0),
            requests.Leave(id, name, 5),
            requests.Leave(id, name, -1),
            requests.DealRequest(id, name, (Bet(0, "main", 400),), "x"),
            requests.Act(id, name, code, turn, Spin(0)),
            requests.Act(id, name, code, turn, Hit(self.rng.randrange(7))),
            requests.PlaceBetsRequest(id, name, code, (Bet(0, "main", 10**9),)),
            requests.PlaceBetsRequest(id, name, code, (Bet(6, "behind", 400), Bet(6, "main", 400))),
            requests.PlaceBetsRequest(id, name, code, (Bet(0, "main", 400, (7,)),)),
            requests.AllowBehindRequest(id, name, 2, False),
            requests.SendSeed(id, name, "\n"),
            requests.Enter(id, "live/nowhere"),
            requests.Say(id, name, " "),
        )
        return self._noted(self.rng.choice(asks))

    def _noted(self, request: requests.AnyRequest) -> requests.AnyRequest:
        self.asked[request.id] = request
        return request

    # What must be so

    def refused(self) -> set[str]:
        """The ids that were sent once and answered with why nothing was done."""
        page = self.page
        return {id for id, why in page.refused.items() if page.sent[id] == 1 and why not in PASSING}

    def stored(self) -> set[str]:
        """The ids that were answered with something done and stand in a row."""
        return {
            id
            for id in self.page.done
            if isinstance(request := self.asked.get(id), STORED)
            or (isinstance(request, requests.Sit | requests.Leave) and request.spot is None)
        }
