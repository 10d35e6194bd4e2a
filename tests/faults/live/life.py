"""What goes on in one life of the server: players, a supervisor, and moments in which everything is compared."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

from sabot.errors import Refusal
from sabot.server.tables import clock, outbox, runtime
from sabot.server.tables.live import live_snapshot
from sabot.server.tables.outbox import Outgoing
from sabot.server.tables.registry import LiveRuntime
from sabot.server.tables.runtime import TableRuntime
from sabot.store.commit import Outcome, Refused, Repeated
from sabot.store.entry import LogEntry
from sabot.tables.live.table import LiveTable
from tests.faults.live.dealer import deal_some
from tests.faults.live.history import History
from tests.faults.live.player import Player
from tests.faults.live.process import Noise, Server
from tests.faults.simulated.house import haunt

#: Virtual seconds after which a table that has not moved on is stuck, and an order that is not obeyed.
STUCK = 90.0
#: Virtual seconds between two things that a dealer does who is a person, at most.
_DEALING = 2.0
#: Virtual seconds in which everyone must be home, those who vanished too.
GOING_HOME = 900.0


class Life:
    """One life of the process, and those who outlive it."""

    noise = Noise

    def __init__(
        self,
        process: Server,
        players: Sequence[Player],
        histories: dict[str, History],
        *,
        rounds: int,
        supervised: float,
        hushed: float,
    ) -> None:
        """Until each table has played so many rounds; seconds are those between two orders, and two comparisons."""
        self.process = process
        self.database = process.database
        self._players = players
        self._histories = histories
        self._rounds = rounds
        self._supervised = supervised
        self._hushed = hushed
        self.hushes = 0
        self._failed: list[BaseException] = []
        self._noise = self.noise(other_engines=process.memory.other_engines > 0)

    @property
    def left(self) -> list[LogEntry]:
        """What the process had not written when it died."""
        return self.process.left

    async def run(self) -> None:
        """Play until everyone is home."""
        process = self.process
        process.loop.set_exception_handler(self._note)
        heavy, slice = process.rng.choice((2, 40, 1000)), process.rng.choice((1, 3, 500))
        with (
            self._noise,
            patch.object(clock, "HEAVY", heavy),
            patch.object(runtime, "AT_ONCE", slice),
            patch.object(outbox, "SLICE", slice),
            patch.object(TableRuntime, "_lost", _lose),
        ):
            await process.open()
            beside = [haunt(process.database, process.memory.ghosts), self._watch(), self._hush()]
            beside += [self._supervise(name) for name in process.desks if self._supervised]
            beside += [self._deal(name) for name, desk in process.desks.items() if desk.table.studio]
            others = [asyncio.create_task(one) for one in beside]
            players = [asyncio.create_task(player.run(process)) for player in self._players]
            await self._until_over(players, others)
            await process.close()
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

    def end(self) -> None:
        """The process is dead, or done: what it wrote on its lines still comes."""
        self.process.cut()
        assert not self._noise.found, self._noise.found[0]
        if self._failed:
            raise self._failed[0]

    def _note(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._failed.append(context.get("exception") or AssertionError(context["message"]))

    async def _until_over(
        self, players: Sequence[asyncio.Task[None]], others: Sequence[asyncio.Task[None]]
    ) -> None:
        """Wait until the tables have played and everyone is home; whatever fails on the way is told at once."""
        process, going = self.process, 0.0
        while True:
            await asyncio.sleep(1.0)
            for task in (*players, *others):
                if task.done() and (error := task.exception()) is not None:
                    raise error
            if self._failed:
                raise self._failed[0]
            if not process.closing and self._played():
                process.closing, going = True, process.loop.time()
            if process.closing:
                if all(task.done() for task in players) and self._empty() and not process.busy:
                    return
                assert process.loop.time() - going < GOING_HOME, f"not everyone came home: {self._left()}"

    def _played(self) -> bool:
        """Whether every table has played its rounds."""
        query = """SELECT count(*) FROM rounds r JOIN streams s ON s.id = r.stream
            WHERE s.name = ? AND r.state <> 'open'"""
        with self.database.reading() as connection:
            counts = [connection.exec_driver_sql(query, (name,)).scalar_one() for name in self._histories]
        return int(min(counts)) >= self._rounds

    def _empty(self) -> bool:
        """Whether every table rests with nobody at it; a round that awaits its burnt card is open between rounds too."""
        tables = [desk.table for desk in self.process.desks.values()]
        resting = all(live.phases.phase == "idle" and not live.table.in_round for live in tables)
        return resting and not any(live.table.sittings for live in tables)

    def _left(self) -> str:
        desks = self.process.desks.items()
        return "; ".join(
            f"{name}: {desk.table.phases.phase}, {list(desk.table.table.sittings)}" for name, desk in desks
        )

    # Beside the players

    async def _watch(self) -> None:
        """A table where somebody sits and is there never stands still, unless it is paused."""
        seen: dict[str, tuple[object, float]] = {}
        while True:
            await asyncio.sleep(5.0)
            now = self.process.loop.time()
            for name, desk in self.process.desks.items():
                live = desk.table
                rests = live.table.paused or desk.broken or not live.sittings.any_present()
                look = (live.phases.phase, live.play.code, live.play.turn, live.phases.until, live)
                if rests or name not in seen or seen[name][0] != look:
                    seen[name] = (look, now)
                assert now - seen[name][1] < STUCK, (
                    f"{name} stands still: {look}, due {live.phases.due}, now {now}"
                )

    async def _supervise(self, name: str) -> None:
        """Now and then the table is paused, and goes on, or its round is void; or a player's login ends."""
        process = self.process
        rng = Random(f"supervisor/{name}/{process.memory.seed}/{process.memory.lives}")
        while True:
            await asyncio.sleep(2 * self._supervised * rng.random())
            await process.moving.wait()
            whim = rng.random()
            if whim < 0.3:
                process.logout(rng.choice(self._players).person.player)
                continue
            await self._order(name, lambda live: live.pause("looking"))
            await asyncio.sleep(10 * rng.random())
            if whim < 0.6:
                await self._order(name, lambda live: live.void("a card fell"))
            await self._order(name, lambda live: live.resume())

    async def _deal(self, name: str) -> None:
        """Where a person deals, somebody does, at a person's pace."""
        process = self.process
        rng = Random(f"dealer/{name}/{process.memory.seed}/{process.memory.lives}")
        while True:
            await asyncio.sleep(_DEALING * rng.random())
            await process.moving.wait()
            await self._order(name, partial(deal_some, random=rng))

    async def _order(self, name: str, act: Callable[[LiveTable], None]) -> None:
        try:
            await asyncio.wait_for(self.process.order(name, act), STUCK)
        except Refusal:
            pass
        except TimeoutError:
            raise AssertionError(f"an order at {name} was never answered") from None

    async def _hush(self) -> None:
        """Now and then nobody moves; when nothing is on its way any more everything must be the same everywhere."""
        process = self.process
        while True:
            await asyncio.sleep(2 * self._hushed * process.rng.random())
            process.moving.clear()
            quiet = 0
            for _ in range(200):
                await asyncio.sleep(0.1)
                quiet = 0 if process.busy else quiet + 1
                if quiet == process.quiet:
                    self._compare()
                    break
            process.moving.set()

    def _compare(self) -> None:
        self.hushes += 1
        for player in self._players:
            player.page.check_answered()
            runtime = self.process.find(player.page.history.table)
            if runtime is not None:
                epoch = runtime.adapter.base.stream.epoch
                player.page.check_shown(epoch, runtime.seq, runtime.me(str(player.person.player)))
        with self.database.reading() as connection:
            query = "SELECT id, kind, player, balance FROM accounts WHERE balance IS NOT NULL"
            rows = connection.exec_driver_sql(query).all()
        ledger = {row.id: row.balance for row in rows}
        own = {str(row.player): row.balance for row in rows if row.kind == "player"}
        for desk in self.process.desks.values():
            self._compare_table(desk)
            for name, sitting in desk.table.table.sittings.items():
                assert desk.table.table.balance(name) == ledger[sitting.account], f"{name} at {desk.name}"
            for name in desk.subscribers.players():
                assert desk.wallets.of(name) == own[name], f"{name} at {desk.name}"

    def _compare_table(self, desk: LiveRuntime) -> None:
        """What everyone folded together is the table; who is counted is there."""
        live, history = desk.table, self._histories[desk.name]
        epoch = history.epochs.get(live.table.stream.epoch)
        if epoch is not None and desk.seq in epoch.tables:
            history.show(live_snapshot(live, desk.seq))
        there = Counter(str(person.player) for person in self.process.people_at(desk))
        counted = {
            player: guest.sockets for player, guest in live.attendance.players.items() if guest.sockets
        }
        assert there == counted, f"{desk.name}: {counted} are counted, {there} are there"


_really_lose = TableRuntime._lost


def _lose(desk: LiveRuntime, outgoing: Outgoing, entry: LogEntry | None, outcome: Outcome) -> None:
    """A table is read back for what the database did, never for what a player asked."""
    asked = isinstance(outcome, Repeated) or (
        isinstance(outcome, Refused) and outcome.code == "command/reused"
    )
    assert not asked, f"{desk.name} is read back for a request that came before: {outcome}"
    _really_lose(desk, outgoing, entry, outcome)
