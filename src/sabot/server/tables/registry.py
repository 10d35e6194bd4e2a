"""All tables of this process: opened when someone asks for them, put away when nobody looks any more."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol, get_args

import sqlalchemy
from sqlalchemy import Connection

from sabot.engine.absent import absent_move
from sabot.errors import Refusal
from sabot.games import CATALOGUE, Game
from sabot.games.options import OptionError
from sabot.odds.startup import check_game
from sabot.rounds.queries import find_round
from sabot.server.accounts import logins
from sabot.server.accounts.logins import Login
from sabot.server.accounts.queries import LIMITED, answered_by, balance_of
from sabot.server.house import House
from sabot.server.tables import orders
from sabot.server.tables.limits import check_limits, choices_of
from sabot.server.tables.live_registry import Floor
from sabot.server.tables.solo_runtime import SoloDesk
from sabot.store import schema
from sabot.store.cashier import account_name
from sabot.store.kinds import Currency
from sabot.tables.solo import SoloTable
from sabot.tables.table import TableConfig

#: Seconds between two looks at what was left behind.
SWEEP = 60.0


class Guest(Protocol):
    """A socket, and whose it is."""

    @property
    def login(self) -> Login:
        """Who came in."""
        ...

    def dismiss(self) -> None:
        """Close the socket."""
        ...

    def bid_farewell(self) -> None:
        """Close the socket because the house closes."""
        ...


class TableRegistry:
    """The desks of a house, by the name of their table."""

    def __init__(self, house: House) -> None:
        self.house = house
        #: The live tables.
        self.floor = Floor(house)
        self._desks: dict[str, SoloDesk] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._seen: dict[str, float] = {}
        #: Open sockets.
        self.guests: set[Guest] = set()
        house.losses.bound = self._bound_loss

    async def check_games(self) -> None:
        """Refuse to open with limits, weights or maximum wins that do not fit the rules (LNK-08, LNK-31, PLT-64)."""
        config = self.house.config
        check_limits(config)
        for game in CATALOGUE.values():
            if not game.live:
                choices = {
                    choice for money in get_args(Currency) for choice in choices_of(config, game.name, money)
                }
                try:
                    await self.house.work(partial(check_game, game, tuple(choices)))
                except OptionError as error:
                    raise Refusal("limits/settings", name=game.name, reason=str(error)) from None

    def find(self, table: str, player: int) -> SoloDesk:
        """An open table of the player's; another's is not found."""
        desk = self._desks.get(table)
        if desk is None or desk.broken or desk.player != player:
            raise Refusal("table/not-open", table=table)
        self._seen[table] = self.house.clock.monotonic()
        return desk

    async def open(self, game: str, player: int, currency: Currency, vip: int) -> SoloDesk:
        """The player's table of a solo game, as it was left; in this process or read back from the log."""
        name = solo_name(player, _solo_game(game), currency)
        async with self._opening.setdefault(name, asyncio.Lock()):
            desk = self._desks.get(name)
            if desk is None or desk.broken:
                desk = await self._read_back(name, CATALOGUE[game], player, currency, vip, desk)
                if desk.table.in_round and currency == LIMITED:
                    await self._bound_again(desk)
                self._desks[name] = desk
        self._seen[name] = self.house.clock.monotonic()
        desk.see_vip(vip)
        await self.see_account(desk)
        return desk

    async def _bound_again(self, opened: SoloDesk) -> None:
        """A round that was left: what the player's loss limit left for it may have been lost elsewhere (ASR-41)."""

        async def bound(table: str, code: str, player: int, most: int) -> int | None:
            if table == opened.name:
                return opened.bound_loss(code, most)
            return await self._bound_loss(table, code, player, most)

        await self.house.losses.share(opened.player, bound)

    async def _bound_loss(self, table: str, code: str, player: int, most: int) -> int | None:
        """Bound what a player may stake in a round, if its table is open; a table that is not is bound when it is opened."""
        if table in self.floor.desks:
            return await self.floor.bound_loss(table, code, str(player), most)
        desk = self._desks.get(table)
        return None if desk is None else desk.bound_loss(code, most)

    async def resume(self, table: str, player: int, vip: int) -> SoloDesk:
        """A table of the player's by its name: for a page that lost its connection."""
        kind, _, rest = table.partition("/")
        owner, _, rest = rest.partition("/")
        game, _, currency = rest.partition("/")
        if kind != "solo" or owner != str(player) or currency not in get_args(Currency):
            raise Refusal("table/not-open", table=table)
        return await self.open(game, player, _currency(currency), vip)

    async def see_account(self, desk: SoloDesk) -> None:
        """Look at the player's money that is not at the table."""
        account = account_name(desk.player, desk.table.config.currency)

        def look(connection: Connection) -> int:
            self.house.store.find_account(account)  # the table will need its number
            return balance_of(connection, account)

        desk.account = await self.house.read(look)

    async def _read_back(
        self, name: str, game: Game, player: int, currency: Currency, vip: int, lost: SoloDesk | None = None
    ) -> SoloDesk:
        """Open a table from the log; after a refused unit in the place of the desk that is `lost`."""
        sitting = self.house.config.house.sitting
        config = TableConfig(name=name, game=game, currency=currency, sitting=sitting)
        at = self.house.clock.wall_ms()
        rest = None if lost is None else lost.rest
        table = await self.house.work(lambda: SoloTable.open(config, self.house.tools, at, rest))
        answered = await self.house.read(lambda connection: answered_by(connection, player))
        desk = SoloDesk(self.house, table, player, vip, answered)
        if lost is not None and rest is not None:
            desk.seq = lost.seq  # the epoch is the same
        return desk

    def farewell(self, player: int, token: bytes | None) -> None:
        """A login of the player's ends, or all of them: its sockets close, and money at tables goes back (PLT-04).

        A round that has begun can be finished after the next login, or is played out later (ASR-41).
        """
        for guest in list(self.guests):
            if guest.login.player == player and token in (None, guest.login.token):
                guest.dismiss()
        for desk in self._desks.values():
            if desk.player == player and not desk.broken:
                desk.log_out()
        self.floor.farewell(player)

    async def end_logins(self) -> None:
        """Close the sockets of logins that have expired, or were revoked elsewhere (ASR-30)."""
        tokens = {guest.login.token for guest in self.guests}
        if not tokens:
            return
        at = self.house.clock.wall_ms()
        held = await self.house.read(lambda connection: logins.holding(connection, tokens, at))
        for guest in list(self.guests):
            if guest.login.token not in held:
                guest.dismiss()

    # Malfunctions

    async def table_of(self, code: str) -> str:
        """The table of an open round; a round that is unknown, over, or of a table that is not here is refused."""
        table, live = await self.house.read(lambda connection: _table_of(connection, code))
        if live and table not in self.floor.desks:
            raise Refusal("round/live", code=code)
        return table

    async def void(self, table: str, code: str) -> None:
        """Void an open round, wherever it was left: every stake goes back, and the players are told (PLT-32)."""
        if table in self.floor.desks:
            await orders.void(self.floor.find(table), code)
            return
        player, game, currency = _parts(table)
        async with self._opening.setdefault(table, asyncio.Lock()):
            desk = self._desks.get(table)
            if desk is None or desk.broken:  # opened for this alone, and put away again
                if desk is not None:
                    desk.rest = None  # another owner of the stream comes
                desk = await self._read_back(table, CATALOGUE[game], player, currency, vip=0)
            await desk.void(code)

    # What was left behind

    async def sweep(self) -> None:
        """End what nobody came back to: idle sittings (PLT-04), and rounds open for too long (PLT-30)."""
        house = self.house
        now, idle = house.clock.monotonic(), 60.0 * house.config.house.idle_minutes
        for name, desk in list(self._desks.items()):
            if desk.broken or (not desk.subscribers and now - self._seen.get(name, now) > idle):
                del self._desks[name]
                self._seen.pop(name, None)
        wall = house.clock.wall_ms()
        old = wall - 3_600_000 * house.config.house.abandoned_hours
        away = wall - int(1000 * idle)
        for name, player in await house.read(lambda connection: _left_behind(connection, old, away)):
            if name.startswith("solo/"):
                async with self._opening.setdefault(name, asyncio.Lock()):
                    if name not in self._desks:
                        await house.work(partial(self._end, name, player))

    def _end(self, name: str, player: int) -> None:
        """Play an abandoned round out, and give the player's money back; in a worker's thread."""
        _, game, currency = _parts(name)
        config = TableConfig(name=name, game=CATALOGUE[game], currency=currency)
        at, store = self.house.clock.wall_ms(), self.house.store
        table = SoloTable.open(config, self.house.tools, at)
        while table.in_round and table.current is not None:
            for unit in table.apply(absent_move(table.current.round, str(player)), at).units:
                store.store(unit)
        if str(player) in table.sittings:
            store.store(table.leave(str(player), at))


def solo_name(player: int, game: str, currency: Currency) -> str:
    """The name of a player's table."""
    return f"solo/{player}/{game}/{currency}"


def _parts(name: str) -> tuple[int, str, Currency]:
    """Player, game and currency of a solo table.

    >>> _parts(solo_name(7, "link", "EUR"))
    (7, 'link', 'EUR')
    """
    _, player, game, currency = name.split("/")
    return int(player), game, _currency(currency)


def _solo_game(game: str) -> str:
    solo = [name for name, found in CATALOGUE.items() if not found.live]
    if game not in solo:
        raise Refusal("table/unknown", name=game, known=", ".join(solo))
    return game


def _currency(text: str) -> Currency:
    return "EUR" if text == "EUR" else "FUN"


def _table_of(connection: Connection, code: str) -> tuple[str, bool]:
    """The table of an open round, and whether it is a live one."""
    head = find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    if head.state != "open":
        raise Refusal("round/over")
    streams = schema.streams.c
    query = sqlalchemy.select(streams.name).where(streams.id == head.stream)
    return str(connection.execute(query).scalar_one()), CATALOGUE[head.game].live


def _left_behind(connection: Connection, old: int, away: int) -> list[tuple[str, int]]:
    """Tables with a sitting whose last sign of life is long ago: an open round's longer than one without."""
    sittings, streams, rounds, log = schema.sittings.c, schema.streams.c, schema.rounds.c, schema.log.c
    last = sqlalchemy.select(log.at).where(log.stream == streams.id, log.n == streams.n).scalar_subquery()
    open_round = (
        sqlalchemy.select(rounds.code).where(rounds.stream == streams.id, rounds.state == "open").exists()
    )
    query = (
        sqlalchemy.select(streams.name, sittings.player)
        .join_from(schema.sittings, schema.streams, sittings.stream == streams.id)
        .where(sittings.closed_at.is_(None))
        .where(sqlalchemy.or_(last < old, sqlalchemy.and_(last < away, ~open_round)))
    )
    return [(row.name, row.player) for row in connection.execute(query)]
