"""Keeps the settings in force: read from the database, laid over the file's, and used by every table (OFF-02)."""

import asyncio
from collections.abc import Callable, Iterable

import structlog
from msgspec.structs import replace

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
        return setting is not None and not (subject.startswith("limits/") and setting.value == b"null")

    async def load(self) -> None:
        """Read what is stored, before tables are opened."""
        self._stored = await self.house.read(stored_settings)
        self._put_in_force()

    async def refresh(self) -> None:
        """Read what is stored; if something has changed, tables use it from their next round on."""
        async with self._turn:
            stored = await self.house.read(stored_settings)
            if stored != self._stored:
                self._stored = stored
                self._put_in_force()
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
        """Refuse a value with which the settings would contradict each other (PLT-64)."""
        await check_settings(self.house, self._lay({subject: StoredSetting(0, value)}).config)

    def _put_in_force(self) -> None:
        laid = self._lay({})
        if laid.unreadable:
            _log.warning("stored settings cannot be read: the file's are in force", subjects=laid.unreadable)
        self.house.config, self.house.switches = laid.config, replace(laid.switches, stopped=self._stopped)

    def _lay(self, more: dict[str, StoredSetting]) -> LaidOver:
        stored = self._stored | more
        return lay_over(self.file, {subject: setting.value for subject, setting in stored.items()})
