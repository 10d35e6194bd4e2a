"""The clock of a live table: ends its phases when they are due, and sends counts of the crowd from time to time.

A phase ends only when every request that was read before its end has been carried out (ASR-20). What takes long at a table
with a crowd, the end of a phase or an operator's order, is done in a thread, and nothing else at the table meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sabot.errors import Refusal
from sabot.server.logs import failed
from sabot.server.tables.outbox import Outgoing
from sabot.tables.live.phases import PhaseTime
from sabot.tables.live.step import LiveStep
from sabot.tables.live.table import LiveTable

if TYPE_CHECKING:
    from sabot.server.tables.runtime import TableRuntime

#: Counts and tallies are sent four times a second at most.
CROWD_SECONDS = 0.25
#: From so many players at the table on, what may take long is done in a thread.
HEAVY = 1_000
#: Seconds that the end of a phase waits for the next of the requests that were read before it, and for all (ASR-20).
LONGEST_WAIT, LONGEST_CROWD = 2.0, 10.0


class TableClock:
    """The task that lets a live table go on."""

    def __init__(self, runtime: TableRuntime[LiveTable]) -> None:
        self._runtime = runtime
        self._clock = runtime.house.clock
        self._task: asyncio.Task[None] | None = None
        self._order: asyncio.Task[None] | None = None
        self._bell = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        #: When the last of the requests that the end of a phase waits for was carried out.
        self._landed_at = 0.0
        self._crowd_sent = 0.0

    def start(self, moment: PhaseTime | None) -> None:
        """Let the table go on from where the log ends, with the time of a phase that had begun."""
        self.close()
        self._runtime.held = True  # nothing is done before it has begun
        self._task = asyncio.create_task(self._run(moment))

    def close(self) -> None:
        """Stop the clock."""
        if self._alarm is not None:
            self._alarm.cancel()
        for task in (self._task, self._order):
            if task is not None:
                task.cancel()

    def wake(self) -> None:
        """Look at the table."""
        self._bell.set()

    @property
    def woken(self) -> bool:
        """Whether it is about to look."""
        return self._bell.is_set()

    async def _run(self, moment: PhaseTime | None) -> None:
        runtime = self._runtime
        live = runtime.table
        try:
            await self._advance(live, partial(live.course.begin, moment))
            while not runtime.broken:
                self._set_alarm(live)
                await self._bell.wait()
                self._bell.clear()
                if self._is_free() and await self._is_over(live):
                    await self._advance(live, live.course.tick)
                if self._is_free():
                    self._send_crowd(live)
        except Exception as error:
            failed("a table failed", error, table=runtime.name)
            runtime.throw_away("unit/lost")

    def _is_free(self) -> bool:
        """Whether the table is whole, and in no thread's hands."""
        return not self._runtime.broken and not self._runtime.held

    async def _is_over(self, live: LiveTable) -> bool:
        """Whether the phase may end, asked again after connections that were already awake have queued their requests."""
        if not self._may_advance(live):
            return False
        await asyncio.sleep(0)
        return self._is_free() and self._may_advance(live)

    def _may_advance(self, live: LiveTable) -> bool:
        """Whether the phase is over and what was read before its end has been carried out, or has taken too long."""
        due, now = live.phases.due, self._clock.monotonic()
        if due is None or now < due:
            return False
        return now >= self._last_moment(due) or not self._runtime.in_flight.any_before(due)

    def _last_moment(self, due: float) -> float:
        """When the end of a phase stops waiting; requests of a crowd that land one after the other prolong it."""
        return min(max(due, self._landed_at) + LONGEST_WAIT, due + LONGEST_CROWD)

    def landed(self, at: float) -> None:
        """A request that was read at this moment is not in flight any more."""
        live = self._runtime.table
        if live.phases.due is not None and live.phases.is_due():
            if at < live.phases.due:
                self._landed_at = self._clock.monotonic()
            self.wake()

    def _set_alarm(self, live: LiveTable) -> None:
        """Wake up when the phase ends or has waited long enough, or when the count of the crowd is to be sent."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        now, due, dues = self._clock.monotonic(), live.phases.due, []
        if due is not None and not live.table.paused:
            waits = now >= due and self._runtime.in_flight.any_before(due)
            dues.append(self._last_moment(due) if waits else due)
        if live.attendance.changed:
            dues.append(self._crowd_sent + CROWD_SECONDS)
        if dues:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.001, min(dues) - now), self.wake)

    @property
    def has_crowd(self) -> bool:
        """Whether so many are at the table that what is done there may take long."""
        return len(self._runtime.table.table.sittings) >= HEAVY

    def carry_out(self, order: Callable[[], LiveStep], outgoing: Outgoing) -> None:
        """Carry out an operator's order in a thread; what comes of it is sent with the rest of `outgoing`."""
        live = self._runtime.table
        self._runtime.held = True
        self._order = asyncio.create_task(self._carry_out(live, order, outgoing))
        self._order.add_done_callback(lambda _: self._fail_lost(live, outgoing))

    async def _carry_out(self, live: LiveTable, order: Callable[[], LiveStep], outgoing: Outgoing) -> None:
        try:
            await self._in_thread(live, order, outgoing)
        except Exception as error:
            failed("an order failed at a table", error, table=self._runtime.name)
            self._runtime.throw_away("unit/lost")

    def _fail_lost(self, live: LiveTable, outgoing: Outgoing) -> None:
        """Fail an order whose table was closed or read back meanwhile, even before its thread had begun."""
        was_lost = self._runtime.broken or self._runtime.table is not live
        if outgoing.task is not None and was_lost:
            outgoing.task.failed(Refusal("unit/lost"))

    async def _advance(self, live: LiveTable, act: Callable[[], None]) -> None:
        """Let the table go on; with a crowd in a thread, so that others are served meanwhile."""

        def acted() -> LiveStep:
            act()
            return live.take()

        self._runtime.held = True
        if self.has_crowd:
            await self._in_thread(live, acted, Outgoing())
            return
        try:
            self._runtime.show(acted())
        finally:
            self._give_back(live)

    async def _in_thread(self, live: LiveTable, act: Callable[[], LiveStep], outgoing: Outgoing) -> None:
        runtime = self._runtime
        try:
            step = await runtime.house.work(act)
            if runtime.broken:
                return
            outgoing.entries = step.entries
            runtime.outbox.submit(outgoing, filled=False)  # entries are written while frames are made
            await runtime.house.work(lambda: runtime.fill(outgoing, step))
            if not outgoing.dropped:
                runtime.outbox.filled(outgoing)
        finally:
            self._give_back(live)

    def _give_back(self, live: LiveTable) -> None:
        """Let requests come to the table again, if it was not read back meanwhile."""
        if self._runtime.table is live:
            self._runtime.held = False
            self._runtime.schedule()

    def _send_crowd(self, live: LiveTable) -> None:
        now = self._clock.monotonic()
        if live.attendance.changed and now - self._crowd_sent >= CROWD_SECONDS:
            self._crowd_sent = now
            live.show_crowd()
            self._runtime.show(live.take())
