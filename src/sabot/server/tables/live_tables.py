"""Live tables as the settings have them: opened, changed and closed while the house runs (OFF-02)."""

from __future__ import annotations

from functools import partial
from operator import is_not
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection as Database

from sabot.protocol import messages
from sabot.server.cluster import messages as node_messages
from sabot.server.config import Config, TableSection
from sabot.server.logs import failed
from sabot.server.office.switches import Switches
from sabot.server.tables import queries
from sabot.server.tables.clock import TableClock
from sabot.server.tables.opening import LIVE, open_live_table, terms_of
from sabot.server.tables.runtime import TableRuntime
from sabot.tables.live.terms import TableTerms

if TYPE_CHECKING:
    from sabot.server.tables.registry import LiveRuntime, TableRegistry


class LiveTables:
    """Opens and closes the live tables of a registry."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._house = registry.house
        #: Tables that the settings do not name any more, but where money or a round was left.
        self.leftovers: dict[str, TableSection] = {}
        #: Tables that are or were open here, the terms of each, and the settings that they follow from.
        self._sections: dict[str, TableSection] = {}
        self._terms: dict[str, TableTerms] = {}
        self._in_force: tuple[Config, Switches] | None = None

    async def open_all(self) -> None:
        """Open every table of the settings; in a house of several nodes each opens those that fall to it."""
        self.leftovers = await self._house.read(self._find_leftovers)
        if self._registry.elsewhere is None:
            for section in (*self._house.config.table, *self.leftovers.values()):
                await self.open(section)

    async def open(self, section: TableSection) -> None:
        """Open a live table; `stream/owned` if it is another node's, `node/buried` if this node was found dead meanwhile."""
        name = LIVE + section.name
        self._sections[name] = section
        reopen = partial(open_live_table, self._house, partial(self.terms_of, name))
        with self._house.same_node():
            runtime = TableRuntime(
                self._house, await reopen(), reopen, self._registry.reopen_soon, TableClock, self._end
            )
            await self._registry.chat.open(runtime.name)
        self._registry.live[runtime.name] = runtime
        runtime.start()
        if self._registry.elsewhere is not None:
            self._registry.elsewhere.arrive(runtime.name)

    def terms_of(self, table: str) -> TableTerms:
        """What a live table is run by, from its next round on; one that the settings do not name is closing."""
        in_force = (self._house.config, self._house.switches)
        if self._in_force is None or any(map(is_not, in_force, self._in_force)):
            self._in_force, self._terms = in_force, {}
        if table not in self._terms:
            named = {LIVE + section.name: section for section in self._house.config.table}
            section = named.get(table) or self._sections[table]
            self._terms[table] = terms_of(self._house, section, closing=table not in named)
        return self._terms[table]

    async def use_settings(self) -> None:
        """Open tables that the settings name, close those they do not name, and let the others change (OFF-02)."""
        runtimes: list[TableRuntime[Any]] = [*self._registry.live.values(), *self._registry.solo.values()]
        for runtime in runtimes:
            runtime.change(lambda adapter: adapter.renew())
        self.leftovers = await self._house.read(self._find_leftovers)
        sections = (*self._house.config.table, *self.leftovers.values())
        if self._registry.elsewhere is not None:
            self._registry.elsewhere.expect_only(
                {LIVE + section.name for section in sections} - self._registry.live.keys()
            )
            return
        for section in sections:
            if LIVE + section.name not in self._registry.live:
                try:
                    await self.open(section)
                except Exception as error:  # tried again at the next look at the settings
                    failed("a table cannot be opened yet", error, table=section.name)

    def _find_leftovers(self, connection: Database) -> dict[str, TableSection]:
        named = [LIVE + section.name for section in self._house.config.table]
        return queries.leftovers(connection, LIVE, {*named, *self._registry.live})

    def _end(self, runtime: TableRuntime[Any]) -> None:
        """A table that was taken away has returned all money: those who look at it are told, and it is gone."""
        if self._registry.live.get(runtime.name) is not runtime or not runtime.table.terms.is_over:
            return
        del self._registry.live[runtime.name]
        runtime.broadcast(messages.Closed(runtime.name, "closed/table"))
        runtime.close()
        self._registry.spawn(self._release(runtime))

    async def _release(self, runtime: LiveRuntime) -> None:
        try:
            await self._house.work(partial(self._house.store.release, runtime.adapter.base.stream))
            self._registry.announce(node_messages.SettingsMade())  # nobody expects it elsewhere any more
        except Exception as error:  # its owner keeps a table that nobody wants
            failed("a table is not given up", error, table=runtime.name)
