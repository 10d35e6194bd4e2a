"""A page that a player has open: what it was shown, its requests, and the responses."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import msgspec

from sabot.protocol import messages, requests
from sabot.server.accounts.logins import Login
from tests.faults.live.fold import advance_own
from tests.faults.live.history import History
from tests.faults.live.network import Line
from tests.faults.live.process import Server
from tests.faults.simulated.house import PASSING

#: Seconds after which a page stops waiting for an answer; by then nothing can be on its way.
PATIENCE = 60.0


class Page:
    """One window on a table. It outlives the process, and comes back with what it saw last."""

    def __init__(self, person: Login, label: str, history: History, rng: Random) -> None:
        """`label` is the page's own: a player may have several."""
        self.person = person
        self.label = label
        self.history = history
        self.rng = rng
        self.line: Line | None = None
        #: The table as it was shown, the player's own part, and whether it is looked at now.
        self.table: messages.Snapshot | None = None
        self.me: messages.OwnPart | None = None
        self.there = False
        #: How often each request was sent and answered on this line, by id.
        self.asked: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self._waiting: dict[str, asyncio.Future[str]] = {}
        #: What was answered with `ok`, and with anything else.
        self.done: set[str] = set()
        self.refused: dict[str, str] = {}
        self._balances: set[int] = set()
        #: How often each request was sent, on all lines together.
        self.sent: Counter[str] = Counter()
        self._ids = 0

    def new_id(self) -> str:
        """An id that no other request of the page has."""
        self._ids += 1
        return f"{self.label}-{self._ids}"

    # The connection

    def connect(self, process: Server) -> None:
        """Open a connection; nothing is shown before the page requests it."""
        self.line = Line(self.rng, self._hear, self._ended)
        self.asked, self.answers = Counter(), Counter()
        self.there = False
        process.connect(self.person, self.line)

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as the page knows."""
        return self.line is not None

    def drop(self) -> None:
        """Break the connection off."""
        if self.line is not None:
            self.line.drop()
            self._ended(self.line)

    def _ended(self, line: Line) -> None:
        if line is self.line:
            self.line = None
            self.there = False
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_result("socket/closed")
            self._waiting.clear()

    # Requests

    def send(self, data: str | bytes, id: str = "") -> None:
        """Send bytes, which need not be a request."""
        if self.line is not None and not self.line.closed:
            self.asked[id] += 1
            self.sent[id] += 1
            self.line.send(data)

    def put(self, request: requests.AnyRequest) -> None:
        """Send a request, and do not wait."""
        self.send(msgspec.json.encode(request).decode(), request.id)

    async def request(self, request: requests.AnyRequest) -> str:
        """Send a request and wait for its response: `ok`, or a code; empty if none came."""
        if self.line is None:
            return "socket/closed"
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[str] = loop.create_future()
        self._waiting[request.id] = waiting
        self.put(request)
        timer = loop.call_later(PATIENCE, self._give_up, waiting)
        answer = await waiting
        timer.cancel()
        return answer

    @staticmethod
    def _give_up(waiting: asyncio.Future[str]) -> None:
        if not waiting.done():
            waiting.set_result("")

    async def come(self, table: str) -> str:
        """Look at the table: go on where the page was, or from the beginning."""
        if self.table is not None and self.rng.random() < 0.7:
            known = self.table
            return await self.request(requests.Resume(self.new_id(), table, known.epoch, known.seq))
        return await self.request(requests.Enter(self.new_id(), table))

    # Hearing

    def _hear(self, heard: messages.AnyMessage) -> None:
        match heard:
            case messages.Frame():
                self._follow(heard)
            case messages.Snapshot():
                self.table, self.there = self.history.show(heard), True
            case messages.OwnPart():
                self.me, self.there = heard, True
                if heard.balance is not None:
                    self._balances.add(heard.balance)
                if heard.results.paid is not None and self.table is not None:
                    self.history.pay(self.table.round, heard.results.paid)
            case messages.Closed():  # the table is put away: what comes next shows it anew
                self.table, self.there = None, False
            case messages.Response(id=id, error=error):
                self._answered(id, "ok" if error is None else error.code)

    def _follow(self, frame: messages.Frame) -> None:
        """Frames come one after the other, each once (ASR-21)."""
        known = self.table
        assert known is not None, f"{frame} before a snapshot"
        assert (frame.epoch, frame.seq) == (known.epoch, known.seq + 1), (
            f"{self.label} is at {known.epoch}/{known.seq}, then comes {frame.epoch}/{frame.seq}"
        )
        self.table = self.history.tell(frame)
        if self.me is not None:
            self.me = advance_own(self.me, known, frame)

    def _answered(self, id: str, answer: str) -> None:
        self.answers[id] += 1
        assert self.answers[id] <= self.asked[id], f"{id} was answered more often than it was sent: {answer}"
        assert answer != "house/error", f"{id} made the house fail"
        if answer == "ok":
            self.done.add(id)
        else:
            self.refused[id] = answer
            self.there = self.there and answer not in PASSING  # what became of it is seen when the table is
        waiting = self._waiting.pop(id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def take_balances(self) -> set[int]:
        """The balances at the table that were shown, once."""
        seen, self._balances = self._balances, set()
        return seen

    # What must be so when nothing is on its way

    def check_answered(self) -> None:
        """Every request has its response, one for each time it was sent."""
        if self._reads:
            missing = self.asked - self.answers
            assert not missing, f"{self.label} got no answer to {missing}"

    def check_shown(self, epoch: int, seq: int, me: messages.OwnPart) -> None:
        """The page has seen everything, and shows the player's own part as it is."""
        if not self.there or not self._reads:
            return
        assert self.me is not None
        assert self.table is not None
        at = (self.table.epoch, self.table.seq)
        assert at == (epoch, seq), f"{self.label} is at {at}, not at {epoch}/{seq}"
        other = [
            f"{name}: shown {getattr(self.me, name)}\n  is {getattr(me, name)}"
            for name in messages.OwnPart.__struct_fields__
            if getattr(self.me, name) != getattr(me, name)
        ]
        assert not other, f"{self.label}: " + "\n".join(other)

    @property
    def _reads(self) -> bool:
        return self.line is not None and not self.line.closed and not self.line.stalled
