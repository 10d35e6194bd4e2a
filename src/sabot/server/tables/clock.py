"""The clock of a live table: ends its phases when they are due, and sends counts of the crowd from time to time.

A phase ends only when every request that was read before its end has been carried out (ASR-20).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

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
        if self._task is not None:
            self._task.cancel()

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
                if not runtime.broken and await self._is_over(live):
                    await self._advance(live, live.course.tick)
                if not runtime.broken:
                    self._send_crowd(live)
        except Exception as error:
            failed("a table failed", error, table=runtime.name)
            runtime.throw_away("unit/lost")

    async def _is_over(self, live: LiveTable) -> bool:
        """Whether the phase may end, asked again after connections that were already awake have queued their requests."""
        if not self._may_advance(live):
            return False
        await asyncio.sleep(0)
        return not self._runtime.broken and self._may_advance(live)

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

    async def _advance(self, live: LiveTable, act: Callable[[], None]) -> None:
        """Let the table go on; with a crowd in a thread, so that others are served meanwhile."""
        runtime = self._runtime

        def acted() -> LiveStep:
            act()
            return live.take()

        runtime.held = True
        try:
            if len(live.table.sittings) < HEAVY:
                runtime.show(acted())
                return
            step = await runtime.house.work(acted)
            if runtime.broken:
                return
            outgoing = Outgoing(step.entries)
            runtime.outbox.submit(outgoing, filled=False)  # entries are written while frames are made
            await runtime.house.work(lambda: runtime.fill(outgoing, step))
            if not outgoing.dropped:
                runtime.outbox.filled(outgoing)
        finally:
            if runtime.table is live:  # and was not read back meanwhile
                runtime.held = False
                runtime.schedule()

    def _send_crowd(self, live: LiveTable) -> None:
        now = self._clock.monotonic()
        if live.attendance.changed and now - self._crowd_sent >= CROWD_SECONDS:
            self._crowd_sent = now
            live.show_crowd()
            self._runtime.show(live.take())
