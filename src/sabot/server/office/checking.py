"""Makes the self-check of a process: at start, every 24 hours and on demand (OFF-12).

A difference is a significant event, and no new rounds of the games concerned are dealt at this node until an administrator
accepts it or it is gone; open rounds are played to their end.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.server.office.release import PartKey, Program
from sabot.server.office.self_check import (
    CheckDifference,
    CheckResult,
    Parts,
    RecordedPart,
    described_parts,
    differences,
    find_parts,
    last_checks,
    record_parts,
    recorded_parts,
    store_check,
)

#: Seconds between two looks whether a check is due, and milliseconds between two checks.
LOOK = 60.0
EVERY_MS = 86_400_000
#: The number of the house, in place of an operator.
_HOUSE = 0

Why = Literal["start", "daily", "demand", "accepted"]
#: Stops new rounds of games, and of no others.
Stop = Callable[[frozenset[str]], Awaitable[None]]


class SelfCheckState(Struct, frozen=True):
    """The release, its parts, the games that are stopped at this node, and the last checks of the house."""

    version: str
    in_development: bool
    stopped: tuple[str, ...]
    parts: tuple[RecordedPart, ...]
    checks: tuple[CheckResult, ...]


class SelfCheck:
    """The checks of a process."""

    def __init__(self, house: House, config: Config, program: Program, stop: Stop) -> None:
        """`config` are the settings of the file and the command line, without what operators have changed."""
        self._house = house
        self._config = config
        self._program = program
        self._stop = stop
        self._turn = asyncio.Lock()
        self._checked_at = 0
        self._differences: tuple[CheckDifference, ...] = ()

    @property
    def stopped(self) -> frozenset[str]:
        """The games of which no new rounds are dealt here."""
        return frozenset(game for difference in self._differences for game in difference.games)

    async def run(self, why: Why, operator: int | None = None) -> CheckResult:
        """Check everything; a difference is told, and stops the games concerned."""
        async with self._turn:
            parts, recorded = await self._look()
            if why == "start" or self._program.in_development:
                recorded |= await self._record_new(parts, recorded)
            return await self._conclude(why, operator, differences(parts, recorded))

    async def accept(self, reason: str, operator: int) -> CheckResult:
        """Record what differs as it is now, for a reason that is logged (ASR-33); refused if nothing differs."""
        async with self._turn:
            found = differences(*await self._look())
            if not found:
                raise Refusal("check/no-difference")
            await self._log("release-accepted", operator, reason, differences=msgspec.to_builtins(found))
            accepted = {PartKey(one.kind, one.subject): one.found for one in found}
            await self._record(accepted, operator, reason)
            return await self._conclude("accepted", operator, ())

    async def state(self) -> SelfCheckState:
        """What is recorded, what is there now, and the last checks."""
        program = self._program
        parts = await self._house.work(partial(find_parts, program, self._config))

        def read(connection: Connection) -> SelfCheckState:
            return SelfCheckState(
                program.version,
                program.in_development,
                tuple(sorted(self.stopped)),
                described_parts(connection, program.version, parts),
                last_checks(connection),
            )

        return await self._house.read(read)

    async def keep_checking(self) -> None:
        """Look every minute whether a check is due; a failure is logged and tried again."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Exception as error:
                failed("the self-check was not made", error)

    async def look(self) -> None:
        """Make the check of the day if it is due; while something differs, see whether it still does."""
        if self._house.clock.wall_ms() - self._checked_at >= EVERY_MS:
            await self.run("daily")
        elif self._differences:
            async with self._turn:
                await self._use(differences(*await self._look()))

    async def _look(self) -> tuple[Parts, dict[PartKey, str]]:
        """What is there now, and what is recorded."""
        parts = await self._house.work(partial(find_parts, self._program, self._config))
        version = self._program.version
        return parts, await self._house.read(lambda connection: recorded_parts(connection, version))

    async def _record_new(self, parts: Parts, recorded: dict[PartKey, str]) -> dict[PartKey, str]:
        """Record what has no record yet; of a program that is being developed, whatever has changed."""
        if self._program.in_development:
            new = {key: value for key, value in parts.now.items() if recorded.get(key) != value}
        else:
            new = {key: value for key, value in parts.first.items() if key not in recorded}
            if new:
                told = [key._asdict() | {"sha256": value} for key, value in sorted(new.items())]
                await self._log("release-recorded", _HOUSE, "the first start of a release", parts=told)
                version = self._program.version
                self._house.events.note("self-check", "info", recorded=version, parts=len(new))
        if new:
            await self._record(new)
        return new

    async def _record(self, parts: dict[PartKey, str], operator: int | None = None, reason: str = "") -> None:
        at, version = self._house.clock.wall_ms(), self._program.version
        await self._house.write(
            lambda connection: record_parts(connection, version, parts, at, operator, reason)
        )

    async def _log(
        self,
        kind: Literal["release-recorded", "release-accepted"],
        operator: int,
        reason: str,
        **about: object,
    ) -> None:
        version = self._program.version
        await self._house.register(
            lambda register, at: register.order(kind, operator, reason, at, version=version, **about)
        )

    async def _conclude(
        self, why: Why, operator: int | None, found: tuple[CheckDifference, ...]
    ) -> CheckResult:
        """Keep the result, tell what differs, and stop the games concerned."""
        at = self._checked_at = self._house.clock.wall_ms()
        result = CheckResult(at, self._house.node_name, why, operator, not found, found)
        await self._use(found)
        for one in found:
            detail = msgspec.to_builtins(one)
            self._house.events.note("self-check", "alarm", why=why, part=detail.pop("kind"), **detail)
        await self._house.write(lambda connection: store_check(connection, result))
        return result

    async def _use(self, found: tuple[CheckDifference, ...]) -> None:
        before, self._differences = self.stopped, found
        if self.stopped != before:
            await self._stop(self.stopped)
