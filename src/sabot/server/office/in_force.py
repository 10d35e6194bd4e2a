"""Keeps the settings in force: read from the database, laid over the file's, and used by every table (OFF-02)."""

import asyncio
from collections.abc import Callable, Collection, Iterable

import structlog
from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.server.config import Config
from sabot.server.house import House
from sabot.server.office.settings import LaidOver, StoredSetting, lay_over, stored_settings
from sabot.server.tables.opening import check_settings
from sabot.server.tables.registry import TableRegistry

#: Seconds between two looks at the database: a change that was made elsewhere and not heard of is found there.
LOOK = 30.0

_log = structlog.get_logger()


class SettingsInForce:
    """Replaces `house.config` and `house.switches` as a whole when something has changed."""

    def __init__(self, house: House, registry: TableRegistry) -> None:
        self.house = house
        self._registry = registry
        #: The settings of the file.
        self.file = house.config
        self._stored: dict[str, StoredSetting] = {}
        #: The subjects whose stored values are not in force: this release cannot read them, or they do not fit the others.
        self._unusable: frozenset[str] = frozenset()
        self._stopped: frozenset[str] = frozenset()
        self._turn = asyncio.Lock()
        #: Tells every other node that something has changed.
        self.announce: Callable[[], None] = lambda: None

    def version(self, subject: str) -> int:
        """The number of a subject's last change; 0 before the first."""
        return self._stored[subject].version if subject in self._stored else 0

    def is_changed(self, subject: str) -> bool:
        """Whether a stored value is in force, and not the file's."""
        setting = self._stored.get(subject)
        if setting is None or self.is_unusable(subject):
            return False
        return not (subject.startswith("limits/") and setting.value == b"null")

    def is_unusable(self, subject: str) -> bool:
        """Whether a stored value cannot be used and the file's is in force instead."""
        return subject in self._unusable

    async def load(self) -> None:
        """Read what is stored, before tables are opened; settings of the file that do not fit are refused."""
        await self._put_in_force(await self.house.read(stored_settings))

    async def refresh(self) -> None:
        """Read what is stored; if something has changed, tables use it from their next round on."""
        async with self._turn:
            stored = await self.house.read(stored_settings)
            if stored != self._stored:
                await self._put_in_force(stored)
            await self._registry.live_tables.use_settings()

    async def changed_here(self) -> None:
        """Something was changed at this node: use it, and tell the others."""
        self.announce()
        await self.refresh()

    async def stop(self, games: Iterable[str]) -> None:
        """Take no new rounds of games whose check has failed, and of no others (OFF-12)."""
        self._stopped = frozenset(games)
        self.house.switches = replace(self.house.switches, stopped=self._stopped)
        await self._registry.live_tables.use_settings()

    async def check(self, subject: str, value: bytes) -> None:
        """Refuse a value with which the settings in force would contradict each other (PLT-64)."""
        stored = self._stored | {subject: StoredSetting(0, value)}
        await check_settings(self.house, self._lay(stored, self._unusable - {subject}).config)

    async def _put_in_force(self, stored: dict[str, StoredSetting]) -> None:
        """Use what is stored, but for values that this release cannot read or that do not fit the others.

        Nothing is replaced before all of it is known: what is interrupted is done again at the next refresh.
        """
        laid, unusable = self._lay(stored), set[str]()
        if (refusal := await self._refusal_of(laid.config)) is not None:
            if await self._refusal_of(self.file) is not None:
                raise refusal
            unusable = await self._find_unusable(stored)
            laid = self._lay(stored, unusable)
        unusable.update(laid.unreadable)
        if unusable:
            _log.warning("stored settings cannot be used: the file's are in force", subjects=sorted(unusable))
            self.house.events.note("configuration", "alarm", unusable=sorted(unusable))
        self.house.config, self.house.switches = laid.config, replace(laid.switches, stopped=self._stopped)
        self._stored, self._unusable = stored, frozenset(unusable)

    async def _find_unusable(self, stored: dict[str, StoredSetting]) -> set[str]:
        """Return the stored subjects that do not fit the file's settings and the subjects before them."""
        unusable, rest = set[str](), [*stored]
        while rest:
            subject = rest.pop(0)
            if await self._refusal_of(self._lay(stored, {*unusable, *rest}).config) is not None:
                unusable.add(subject)
        return unusable

    async def _refusal_of(self, config: Config) -> Refusal | None:
        try:
            await check_settings(self.house, config)
        except Refusal as refusal:
            return refusal
        return None

    def _lay(self, stored: dict[str, StoredSetting], without: Collection[str] = ()) -> LaidOver:
        return lay_over(
            self.file,
            {subject: setting.value for subject, setting in stored.items() if subject not in without},
        )
