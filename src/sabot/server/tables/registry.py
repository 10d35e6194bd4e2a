"""Finds the runtimes of tables; opens solo ones when their player comes, and reads tables back that have failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sabot.errors import Refusal
from sabot.protocol import messages
from sabot.server.accounts.logins import Login
from sabot.server.accounts.queries import LIMITED
from sabot.server.cluster import messages as node_messages
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.server.metrics import loop_lag_ms
from sabot.server.office.talk import ChatArchive
from sabot.server.tables import queries
from sabot.server.tables.chat import Chat
from sabot.server.tables.floor import CALLED, FloorState
from sabot.server.tables.live import LiveAdapter
from sabot.server.tables.live_tables import LiveTables
from sabot.server.tables.lobby import LobbyFeed
from sabot.server.tables.opening import (
    LIVE,
    SoloName,
    open_solo,
)
from sabot.server.tables.runtime import TableRuntime
from sabot.store.nodes.node import owners_of
from sabot.tables.live.studio.shoes import CHECK
from sabot.tables.live.table import LiveTable
from sabot.tables.table import Table

if TYPE_CHECKING:
    from sabot.server.cluster.remote_tables import RemoteTables
    from sabot.server.http.dispatch import Asked
    from sabot.server.studio.devices import TableDevice
    from sabot.server.ws.connection import Connection
    from sabot.server.ws.dispatch import Route

#: Sends what is asked of a table, by the name of the route, to the table's owner; gives the result.
SendErrand: TypeAlias = "Callable[[str, str, Asked, Login | None, TableDevice | None], Awaitable[object]]"

SoloRuntime: TypeAlias = TableRuntime[Table]
LiveRuntime: TypeAlias = TableRuntime[LiveTable]

#: Seconds before a table that could not be opened is tried again.
_PATIENCE = 0.5
#: Refusals of a table that another node has taken, because it is alive or because this one was taken for dead.
OWNED_ELSEWHERE = ("stream/owned", "node/buried")


class TableElsewhereError(Exception):
    """A live table that another node owns; what is asked of it is done there."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class TableRegistry:
    """The runtimes of a house, by the names of their tables, and its open connections."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.live: dict[str, LiveRuntime] = {}
        self.solo: dict[str, SoloRuntime] = {}
        self.chat = Chat(house.clock, ChatArchive(house), house.config.house.hidden_words)
        self.lobby = LobbyFeed(self.heads)
        self.connections: dict[Connection, None] = {}
        #: Tables of other nodes, in a house of several; and what hands requests for them on.
        self.elsewhere: RemoteTables | None = None
        #: Does what is asked over HTTP of another node's table there.
        self.send_errand: SendErrand | None = None
        #: Tells every other node something.
        self.announce: Callable[[node_messages.AnyMessage], None] = lambda message: None
        #: Tells every other node that a table is not here any more.
        self.moved: Callable[[str], None] = lambda table: None
        self.live_tables = LiveTables(self)
        self._opening: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._reopening: set[TableRuntime[Any]] = set()
        house.losses.bound = self._bound_loss

    # The house opens and closes

    async def open(self) -> None:
        """Open the live tables of the settings."""
        await self.chat.read_muted()
        await self.live_tables.open_all()
        self.spawn(self.lobby.run())

    async def close(self) -> None:
        """Stop every table; open rounds wait in the log."""
        runtimes: list[TableRuntime[Any]] = [*self.live.values(), *self.solo.values()]
        for runtime in runtimes:
            runtime.close()
        for task in list(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.chat.flush()

    def load(self) -> dict[str, int]:
        """How much this node has to do, as its page and its row among the nodes say (CLU-24)."""
        return {"solo": len(self.solo), "sockets": len(self.connections), "lag_ms": loop_lag_ms()}

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside what is asked, until the house closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Tables of other nodes

    @property
    def route(self) -> Route | None:
        """Hands requests for tables of other nodes on; None in a house of one node."""
        return None if self.elsewhere is None else self.elsewhere.ask

    def holds(self, table: str) -> bool:
        """Whether a table is open here."""
        return table in self.live or table in self.solo

    def depart(self, runtime: TableRuntime[Any]) -> None:
        """A table is another node's from now on, which shows it to those who look at it here and elsewhere."""
        assert self.elsewhere is not None
        if self.live.get(runtime.name) is runtime:
            del self.live[runtime.name]
        if self.solo.get(runtime.name) is runtime:
            del self.solo[runtime.name]
        seeing = [each.dispatcher for each in self.connections if runtime.subscribers.expects(each)]
        runtime.close()
        if seeing or runtime.name.startswith(LIVE):
            self.elsewhere.adopt(runtime.name, seeing, runtime.adapter.base.stream.epoch, runtime.seq)
        self.moved(runtime.name)

    def is_used_here(self, runtime: TableRuntime[Any]) -> bool:
        """Whether something is under way at a table, or a connection of this node sees it or is on its way in."""
        if runtime.busy or len(runtime.in_flight) or runtime.subscribers.any_here():
            return True
        return any(each.dispatcher.asks(runtime.name) for each in self.connections)

    async def let_go(self, table: str) -> None:
        """Give a solo table up that nobody looks at here: its player's node takes it (CLU-04)."""
        async with self.opening(table):
            runtime = self.solo.get(table)
            if runtime is not None:
                if self.is_used_here(runtime):  # its player has come meanwhile
                    return
                self.depart(runtime)
            await self.house.work(partial(self.house.store.release_named, table))

    # Finding

    def find(self, table: str, player: int) -> SoloRuntime | LiveRuntime:
        """Find an open table; another player's solo table is not found."""
        if table in self.live:
            return self.live[table]
        runtime = self.solo.get(table)
        if runtime is None or runtime.adapter.owner != player:
            raise Refusal("table/not-open", table=table)
        runtime.used_at = self.house.clock.monotonic()
        return runtime

    def find_live(self, name: str) -> LiveRuntime:
        """An open live table by the name that its operator gave it."""
        runtime = self.live.get(LIVE + name)
        if runtime is None:
            self._check_here(LIVE + name)
            raise Refusal("table/not-open", table=LIVE + name)
        return runtime

    def check_unlocked(self, presenter: int) -> None:
        """Refuse a presenter whose console is locked, at a table of any node: nothing goes out in that name (STU-27)."""
        if any(state.locked == presenter for _, state in self.floor().values()):
            raise Refusal("studio/locked")

    def _check_here(self, table: str) -> None:
        if self.elsewhere is not None and self.elsewhere.knows(table):
            raise TableElsewhereError(table)

    async def resume(self, table: str, login: Login) -> SoloRuntime | LiveRuntime:
        """A table by its name: for a page that lost its connection."""
        if table.startswith(LIVE):
            return self.find(table, login.player)
        name = SoloName.parse(table)
        if name.player != login.player:
            raise Refusal("table/not-open", table=table)
        return await self.open_solo(name, login.vip)

    def heads(self) -> tuple[messages.TableHead, ...]:
        """Every live table as the lobby shows it, in the order of the settings (PLT-44)."""
        own = self.own_heads()
        if self.elsewhere is None:
            return own
        found = {head.table: head for head in (*self.elsewhere.heads.heads(), *own)}
        names = (LIVE + section.name for section in self.house.config.table)
        return tuple(found[name] for name in names if name in found)

    def own_heads(self) -> tuple[messages.TableHead, ...]:
        """The live tables of this node."""
        adapters = (runtime.adapter for runtime in self.live.values())
        return tuple(adapter.head() for adapter in adapters if isinstance(adapter, LiveAdapter))

    def own_floor(self) -> tuple[FloorState, ...]:
        """The live tables of this node as the floor shows them (OFF-05)."""
        return tuple(
            FloorState(
                runtime.name,
                viewers=runtime.subscribers.viewers(),
                presenters=runtime.subscribers.presenters(),
                down=bool(runtime.broken),
                on_shift="" if studio is None else studio.shift.presenter,
                locked=studio.shift.by if studio is not None and studio.shift.locked else None,
                called=runtime.table.table.paused in (CALLED, CHECK),
                late=studio is not None and studio.late,
            )
            for runtime in self.live.values()
            for studio in (runtime.table.studio,)
        )

    def floor(self) -> dict[str, tuple[int | None, FloorState]]:
        """Every live table of the house that a node runs, by name, with the node; None is this one."""
        states: dict[str, tuple[int | None, FloorState]] = {}
        if self.elsewhere is not None:
            states = {state.table: (node, state) for node, state in self.elsewhere.heads.floor()}
        return states | {state.table: (None, state) for state in self.own_floor()}

    # Opening

    def opening(self, table: str) -> asyncio.Lock:
        """Held while a solo table is opened, let go or ended."""
        return self._opening.setdefault(table, asyncio.Lock())

    async def open_solo(self, name: SoloName, vip: int) -> SoloRuntime:
        """A player's own table, as it was left; in this process or read back from the log."""
        name.check_game()
        table = str(name)
        async with self.opening(table):
            runtime = self.solo.get(table)
            if runtime is None:
                with self.house.same_node():
                    runtime = await self._read_solo(name, vip)
                    if runtime.table.in_round and name.currency == LIMITED:
                        # What the loss limit left for this round may have been lost elsewhere (ASR-41).
                        await self.house.losses.share(name.player, partial(self._bound_loss, opened=runtime))
                if not runtime.broken:
                    self.solo[table] = runtime
                    if self.elsewhere is not None:
                        self.elsewhere.arrive(table)
        runtime.used_at = self.house.clock.monotonic()
        return runtime

    async def _read_solo(self, name: SoloName, vip: int) -> SoloRuntime:
        reopen = partial(open_solo, self.house, name, vip)
        try:
            return TableRuntime(self.house, await reopen(), reopen, self.reopen_soon)
        except Refusal as error:
            if error.code == "stream/owned" and self.elsewhere is not None:
                self.elsewhere.expect(str(name), cast(int, error.params["node"]))
            raise

    def reopen_soon(self, runtime: TableRuntime[Any]) -> None:
        """Have a table read back; a solo table that has lost something is opened when its player comes."""
        if self._reopens(runtime):
            if runtime not in self._reopening:
                self._reopening.add(runtime)
                self.spawn(self._reopen(runtime))
        elif self.solo.get(runtime.name) is runtime:
            del self.solo[runtime.name]
            runtime.close()

    def _reopens(self, runtime: TableRuntime[Any]) -> bool:
        """Whether a table is read back by itself."""
        return self.live.get(runtime.name) is runtime or runtime.rest is not None

    async def _reopen(self, runtime: TableRuntime[Any]) -> None:
        """Read a table back as soon as the database answers; those who are there stay."""
        while runtime.broken and self._reopens(runtime):
            try:
                await runtime.reopen()
            except Exception as error:  # whatever it is: a table that is not run stands still for ever
                if runtime.closed:  # it is no matter of this runtime any more, and may be open here again
                    break
                taken = isinstance(error, Refusal) and error.code in OWNED_ELSEWHERE
                if taken and self.elsewhere is not None:
                    self.depart(runtime)
                else:
                    failed("a table cannot be opened yet", error, table=runtime.name)
                    runtime.throw_away("house/down")
                    await asyncio.sleep(_PATIENCE)
        self._reopening.discard(runtime)

    # Loss limits

    async def _bound_loss(
        self, table: str, code: str, player: int, most: int, opened: SoloRuntime | None = None
    ) -> int | None:
        """Bound what a player may stake in a round, if its table is open or just being opened."""
        runtime: TableRuntime[Any] | None = self.live.get(table) or self.solo.get(table)
        if opened is not None and opened.name == table:
            runtime = opened
        if runtime is None:
            return None
        staked: list[int | None] = []
        await runtime.order(lambda _: staked.append(runtime.adapter.bound_loss(str(player), code, most)))
        return staked[0]

    # Malfunctions

    async def table_of(self, code: str) -> str:
        """The table of an open round; a round that is unknown, over, or of a table that is not here is refused."""
        table, live = await self.house.read(lambda connection: queries.table_of(connection, code))
        if live and table not in self.live:
            self._check_here(table)
            raise Refusal("round/live", code=code)
        if not live and self.elsewhere is not None and table not in self.solo:
            owner = (await self.house.read(partial(owners_of, names=[table])))[table]
            if owner not in (None, self.house.store.node and self.house.store.node.id):
                self.elsewhere.expect(table, owner)
                raise TableElsewhereError(table)
        return table

    async def void(self, table: str, code: str) -> None:
        """Void an open round, wherever it was left (PLT-32)."""
        if table in self.live:
            await void(self.live[table], code)
            return
        async with self.opening(table):
            runtime = self.solo.get(table)
            if runtime is None:  # opened for this alone, and put away again
                runtime = await self._read_solo(SoloName.parse(table), vip=0)
            await void(runtime, code)


async def void(runtime: TableRuntime[Any], code: str) -> None:
    """Give every stake of this round back; another round is not touched (PLT-32, ASR-13)."""

    def act(_: object) -> None:
        if runtime.adapter.base.code != code or not runtime.adapter.base.in_round:
            raise Refusal("round/over")
        runtime.adapter.void()

    await runtime.order(act)
