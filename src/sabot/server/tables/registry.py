"""Finds and opens the runtimes of tables: live ones with the house, solo ones when their player comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from operator import is_not
from typing import TYPE_CHECKING, Any, TypeAlias, cast, get_args

from sqlalchemy import Connection as Database

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.games.options import OptionError
from sabot.odds.startup import check_game
from sabot.protocol import messages
from sabot.server.accounts import logins
from sabot.server.accounts.logins import Login
from sabot.server.accounts.preferences import Settings, at_seats
from sabot.server.accounts.queries import LIMITED
from sabot.server.cluster import messages as node_messages
from sabot.server.config import Config, TableSection
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.server.office.switches import Switches
from sabot.server.office.talk import ChatArchive
from sabot.server.tables import queries
from sabot.server.tables.chat import MOST_MUTED, Chat
from sabot.server.tables.clock import TableClock
from sabot.server.tables.floor import FloorState
from sabot.server.tables.limits import check_limits, choices_of
from sabot.server.tables.live import LiveAdapter
from sabot.server.tables.lobby import LobbyFeed
from sabot.server.tables.opening import (
    LIVE,
    SoloName,
    end_solo,
    open_live_table,
    open_solo,
    table_config,
    terms_of,
)
from sabot.server.tables.runtime import TableRuntime
from sabot.store.kinds import Currency
from sabot.store.nodes import owners_of
from sabot.store.register import muted_since
from sabot.tables.live.table import LiveTable
from sabot.tables.live.terms import TableTerms
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

#: Seconds between two sweeps.
SWEEP = 60.0
#: Seconds before a table that could not be opened is tried again.
_PATIENCE = 0.5
_LONGEST_MUTED_MS = 60_000 * MOST_MUTED
#: Refusals of a table that another node has taken, because it is alive or because this one was taken for dead.
_OWNED_ELSEWHERE = ("stream/owned", "node/buried")


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
        #: Live tables that the settings do not name any more, but where money or a round was left.
        self.leftovers: dict[str, TableSection] = {}
        #: Live tables that are or were open here, the terms of each, and the settings that they follow from.
        self._sections: dict[str, TableSection] = {}
        self._terms: dict[str, TableTerms] = {}
        self._in_force: tuple[Config, Switches] | None = None
        self._opening: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._reopening: set[TableRuntime[Any]] = set()
        house.losses.bound = self._bound_loss

    # The house opens and closes

    async def open(self) -> None:
        """Open the live tables of the settings."""
        await self._read_mutes()
        self.leftovers = await self.house.read(self._find_leftovers)
        if self.elsewhere is None:
            for section in (*self.house.config.table, *self.leftovers.values()):
                await self.open_live(section)
        self._run(self.lobby.run())

    async def open_live(self, section: TableSection) -> None:
        """Open a live table; `stream/owned` if it is another node's."""
        name = LIVE + section.name
        self._sections[name] = section
        reopen = partial(open_live_table, self.house, partial(self.terms_of, name))
        runtime = TableRuntime(
            self.house, await reopen(), reopen, self._reopen_soon, TableClock, self._end_live
        )
        await self.chat.open(runtime.name)
        self.live[runtime.name] = runtime
        runtime.start()
        if self.elsewhere is not None:
            self.elsewhere.arrive(runtime.name)

    async def check_settings(self, config: Config) -> None:
        """Refuse limits, weights, maximum wins or tables that do not fit the rules (LNK-08, LNK-31, PLT-64)."""
        check_limits(config)
        for section in config.table:
            table_config(section, config)
        for game in CATALOGUE.values():
            if not game.live:
                choices = {
                    choice for money in get_args(Currency) for choice in choices_of(config, game.name, money)
                }
                try:
                    await self.house.work(partial(check_game, game, tuple(choices)))
                except OptionError as error:
                    raise Refusal("limits/settings", name=game.name, reason=str(error)) from None

    # Settings change

    def terms_of(self, table: str) -> TableTerms:
        """What a live table is run by, from its next round on; one that the settings do not name is closing."""
        in_force = (self.house.config, self.house.switches)
        if self._in_force is None or any(map(is_not, in_force, self._in_force)):
            self._in_force, self._terms = in_force, {}
        if table not in self._terms:
            named = {LIVE + section.name: section for section in self.house.config.table}
            section = named.get(table) or self._sections[table]
            self._terms[table] = terms_of(self.house, section, closing=table not in named)
        return self._terms[table]

    async def use_settings(self) -> None:
        """Open tables that the settings name, close those they do not name, and let the others change (OFF-02)."""
        runtimes: list[TableRuntime[Any]] = [*self.live.values(), *self.solo.values()]
        for runtime in runtimes:
            runtime.change(lambda adapter: adapter.renew())
        self.leftovers = await self.house.read(self._find_leftovers)
        sections = (*self.house.config.table, *self.leftovers.values())
        if self.elsewhere is not None:
            self.elsewhere.expect_only({LIVE + section.name for section in sections} - self.live.keys())
            return
        for section in sections:
            if LIVE + section.name not in self.live:
                try:
                    await self.open_live(section)
                except Exception as error:  # tried again at the next look at the settings
                    failed("a table cannot be opened yet", error, table=section.name)

    def _find_leftovers(self, connection: Database) -> dict[str, TableSection]:
        named = [LIVE + section.name for section in self.house.config.table]
        return queries.leftovers(connection, LIVE, {*named, *self.live})

    def _end_live(self, runtime: TableRuntime[Any]) -> None:
        """A table that was taken away has returned all money: those who look at it are told, and it is gone."""
        if self.live.get(runtime.name) is not runtime or not runtime.table.terms.is_over:
            return
        del self.live[runtime.name]
        runtime.broadcast(messages.Closed(runtime.name, "closed/table"))
        runtime.close()
        self._run(self._release(runtime))

    async def _release(self, runtime: LiveRuntime) -> None:
        try:
            await self.house.work(partial(self.house.store.release, runtime.adapter.base.stream))
            self.announce(node_messages.SettingsMade())  # nobody expects it elsewhere any more
        except Exception as error:  # its owner keeps a table that nobody wants
            failed("a table is not given up", error, table=runtime.name)

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

    def _run(self, work: Any) -> None:
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
        async with self._opening.setdefault(table, asyncio.Lock()):
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
                on_shift="" if runtime.table.studio is None else runtime.table.studio.shift.presenter,
            )
            for runtime in self.live.values()
        )

    # Opening

    async def open_solo(self, name: SoloName, vip: int) -> SoloRuntime:
        """A player's own table, as it was left; in this process or read back from the log."""
        name.check_game()
        table = str(name)
        async with self._opening.setdefault(table, asyncio.Lock()):
            runtime = self.solo.get(table)
            if runtime is None:
                try:
                    runtime = await self._read_solo(name, vip)
                except Refusal as error:
                    if error.code == "stream/owned" and self.elsewhere is not None:
                        self.elsewhere.expect(table, cast(int, error.params["node"]))
                    raise
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
        return TableRuntime(self.house, await reopen(), reopen, self._reopen_soon)

    def _reopen_soon(self, runtime: TableRuntime[Any]) -> None:
        """Have a table read back; a solo table that has lost something is opened when its player comes."""
        if self._reopens(runtime):
            if runtime not in self._reopening:
                self._reopening.add(runtime)
                self._run(self._reopen(runtime))
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
                taken = isinstance(error, Refusal) and error.code in _OWNED_ELSEWHERE
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

    # Players

    def logout(self, player: int, token: bytes | None) -> None:
        """A login of the player's ends, or all of them: its connections close, and money at tables goes back (PLT-04).

        A round that has begun can be finished after the next login, or is played out later (ASR-41).
        """
        self.announce(node_messages.LoggedOut(player, token))
        self.log_out_here(player, token)

    def log_out_here(self, player: int, token: bytes | None) -> None:
        """A login has ended, at this node."""
        for connection in list(self.connections):
            if connection.login.player == player and token in (None, connection.login.token):
                connection.close_for_logout()
        for runtime in self.solo.values():
            if runtime.adapter.owner == player:
                runtime.change(lambda adapter: adapter.log_out(str(player)))
        for live in self.live.values():
            live.change(lambda adapter: adapter.log_out(str(player)))

    async def end_logins(self) -> None:
        """Close the connections of logins that have expired, or were revoked elsewhere (ASR-30)."""
        tokens = {connection.login.token for connection in self.connections}
        if not tokens:
            return
        at = self.house.clock.wall_ms()
        ended = tokens - await self.house.read(lambda connection: logins.holding(connection, tokens, at))
        for connection in list(self.connections):  # some have come meanwhile
            if connection.login.token in ended:
                connection.close_for_logout()

    async def repair(self) -> None:
        """Read what other nodes have told and may have been lost on the way: ends of logins, and mutes."""
        await self.end_logins()
        await self._read_mutes()

    async def _read_mutes(self) -> None:
        since = self.house.clock.wall_ms() - _LONGEST_MUTED_MS
        self.chat.remember(await self.house.read(lambda connection: muted_since(connection, since)))

    def prefer(self, player: int, settings: Settings) -> None:
        """A player has changed the settings."""
        self.announce(node_messages.Preferred(player, settings))
        self.prefer_here(player, settings)

    def prefer_here(self, player: int, settings: Settings) -> None:
        """A player has changed the settings, at this node."""
        for runtime in self.live.values():
            runtime.change(lambda adapter: adapter.prefer(str(player), at_seats(settings)))

    def mute(self, player: int, minutes: int) -> None:
        """Let a player say nothing for some minutes, at any table; 0 ends it."""
        self.announce(node_messages.Muted(player, minutes))
        self.chat.mute(player, minutes)

    async def bring_granted(self, player: int, currency: Currency) -> None:
        """Bring golden chips of a player's account to the table where the player sits, for its next round (MAJ-50)."""
        self.announce(node_messages.Granted(player, currency))
        await self.bring_granted_here(player, currency)

    async def bring_granted_here(self, player: int, currency: Currency) -> None:
        """Bring golden chips to a table of this node."""
        async with self.house.player_locks.turn(player):
            for runtime in list(self.live.values()):
                config = runtime.adapter.base.config
                if config.currency == currency and str(player) in runtime.adapter.base.sittings:
                    look = partial(queries.funds_of, store=self.house.store, config=config, player=player)
                    _, chips = await self.house.read(look)
                    await runtime.order(partial(_grant, player=str(player), chips=chips))

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
        async with self._opening.setdefault(table, asyncio.Lock()):
            runtime = self.solo.get(table)
            if runtime is None:  # opened for this alone, and put away again
                runtime = await self._read_solo(SoloName.parse(table), vip=0)
            await void(runtime, code)

    # Abandoned tables

    async def sweep(self) -> None:
        """End what nobody came back to: idle sittings (PLT-04), and rounds open for too long (PLT-30)."""
        house = self.house
        now, idle = house.clock.monotonic(), 60.0 * house.config.house.idle_minutes
        for name, runtime in list(self.solo.items()):
            if not runtime.subscribers.players() and now - runtime.used_at > idle:
                del self.solo[name]
        wall = house.clock.wall_ms()
        old = wall - 3_600_000 * house.config.house.abandoned_hours
        away = wall - int(1000 * idle)
        for table in await house.read(lambda connection: queries.left_behind(connection, old, away)):
            if table.startswith(LIVE):
                continue
            async with self._opening.setdefault(table, asyncio.Lock()):
                if table not in self.solo:
                    await self._end_solo(SoloName.parse(table))

    async def _end_solo(self, name: SoloName) -> None:
        """Play an abandoned round out; one that another node owns is that node's matter."""
        try:
            await self.house.work(partial(end_solo, self.house, name))
        except Refusal as error:
            if error.code not in (*_OWNED_ELSEWHERE, "stream/fenced"):
                raise


async def void(runtime: TableRuntime[Any], code: str) -> None:
    """Give every stake of this round back; another round is not touched (PLT-32, ASR-13)."""

    def act(_: object) -> None:
        if runtime.adapter.base.code != code or not runtime.adapter.base.in_round:
            raise Refusal("round/over")
        runtime.adapter.void()

    await runtime.order(act)


def _grant(live: LiveTable, player: Player, chips: dict[int, int]) -> None:
    live.sittings.grant(player, chips)
