"""The live tables of a house: opened with it, each in the hands of one owner, opened again when a row was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Protocol

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine.commands import Bet, Player
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.options import TableOptions
from sabot.protocol import codec, messages, requests
from sabot.rounds.queries import golden_of
from sabot.server.accounts.logins import Login
from sabot.server.accounts.names import screen_name
from sabot.server.accounts.preferences import at_seats, settings_of
from sabot.server.accounts.queries import answered_among, answered_by, balance_of
from sabot.server.config import Config, TableSection
from sabot.server.house import House
from sabot.server.http import models
from sabot.server.http.models import MOST_MUTED
from sabot.server.logs import failed
from sabot.server.refusals import answer
from sabot.server.tables.chat import Chat
from sabot.server.tables.limits import most_brought
from sabot.server.tables.live_messages import table_head
from sabot.server.tables.live_runtime import LiveDesk
from sabot.server.tables.subscribers import Subscriber, Visitor
from sabot.server.ws import checks
from sabot.server.ws.framing import pack
from sabot.store import schema
from sabot.store.cashier import account_name
from sabot.store.register import muted_since
from sabot.tables.live.table import LiveTable
from sabot.tables.table import TableConfig

#: How the names of live tables begin.
LIVE = "live/"
#: Seconds between two looks at what the lobby shows.
LOBBY_SECONDS = 1.0
#: Seconds before a table that could not be opened is tried again.
_PATIENCE = 0.5
_LONGEST_MUTED_MS = 60_000 * MOST_MUTED


class Guest(Subscriber, Protocol):
    """A socket, and whose it is."""

    @property
    def login(self) -> Login:
        """Who came in."""
        ...


class Floor:
    """Every live table, by name."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.desks: dict[str, LiveDesk] = {}
        self.chat = Chat(house.clock, house.config.house.hidden_words)
        self._tasks: list[asyncio.Task[None]] = []
        self._lobby: set[Guest] = set()

    async def open(self) -> None:
        """Open the tables of the settings; a table that does not fit its game is refused here, by name."""
        since = self.house.clock.wall_ms() - _LONGEST_MUTED_MS
        self.chat.remember(await self.house.read(lambda connection: muted_since(connection, since)))
        for section in self.house.config.table:
            config = table_config(section, self.house.config)
            self.desks[config.name] = await self._open(section, config)
        for section in self.house.config.table:
            self._tasks.append(asyncio.create_task(self._own(section)))
        self._tasks.append(asyncio.create_task(self._tell_lobby()))

    async def close(self) -> None:
        """The owners go; open rounds wait in the log."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        for desk in self.desks.values():
            desk.close()

    def find(self, table: str) -> LiveDesk:
        """A live table that is open."""
        desk = self.desks.get(table)
        if desk is None:
            raise Refusal("table/not-open", table=table)
        return desk

    def heads(self) -> tuple[messages.TableHead, ...]:
        """Every table as the lobby shows it (PLT-44)."""
        return tuple(table_head(desk.live, desk.title) for desk in self.desks.values())

    def farewell(self, player: int) -> None:
        """A login has ended."""
        for desk in self.desks.values():
            desk.farewell(str(player))

    def prefer(self, player: int, settings: models.Settings) -> None:
        """A player has changed the settings."""
        for desk in self.desks.values():
            desk.prefer(str(player), at_seats(settings))

    # Questions

    async def hear(
        self, ask: requests.AnyRequest, guest: Guest, gate: checks.Door | None, at: float | None = None
    ) -> None:
        """Handle a socket's request for a live table, or for the lobby; `at` is when it was read (ASR-20)."""
        player = guest.login.player
        if isinstance(ask, requests.WatchLobby):
            self._lobby.add(guest)
            guest.send(codec.encode(messages.Lobby(self.heads())))
            guest.send(answer(ask.id, at=self.house.clock.wall_ms()))
            return
        desk = self.find(getattr(ask, "table", ""))
        match ask:
            case requests.Enter():
                await self._enter(desk, guest, ask.id, None)
            case requests.Resume(epoch=epoch, since=since):
                await self._enter(desk, guest, ask.id, (epoch, since))
            case requests.Exit():
                desk.exit(guest)
                guest.send(answer(ask.id, at=self.house.clock.wall_ms()))
            case _ if not desk.expects(guest):
                raise Refusal("table/not-open", table=desk.name)
            case requests.Say(text=text):
                self.chat.say(desk, guest.login, text)
                guest.send(answer(ask.id, at=self.house.clock.wall_ms()))
            case requests.Sit(amount=amount) | requests.AddMoney(amount=amount):
                await self._bring(desk, ask, amount, guest, at)
            case requests.PlaceBets(bets=bets) if gate is not None:
                await self._bet(desk, ask, bets, guest, gate, at)
            case _:
                desk.ask(ask, str(player), guest, at=at)

    async def _enter(self, desk: LiveDesk, guest: Guest, id: str, since: tuple[int, int] | None) -> None:
        """Show a table to a socket; then what was said there, and the answer."""
        login = guest.login
        account = account_name(login.player, desk.live.table.config.currency)

        def look(connection: Connection) -> tuple[int, dict[str, bytes], models.Settings]:
            player = login.player
            return (
                balance_of(connection, account),
                answered_by(connection, player),
                settings_of(connection, player),
            )

        while True:
            moves = desk.wallets.moves(str(login.player))
            balance, answered, settings = await self.house.read(look)
            now = self.find(desk.name)
            if now is desk:
                break
            desk = now  # taken up anew meanwhile: what was read may be older than what the table knows

        def then(error: Refusal | None) -> None:
            for said in self.chat.before(desk.name) if error is None else ():
                guest.send(codec.encode(said))
            guest.send(answer(id, error, self.house.clock.wall_ms()))

        visitor = Visitor(str(login.player), login.screen_name, login.bot, at_seats(settings))
        desk.enter(guest, visitor, balance, answered, since, then, moves)

    async def _bring(
        self, desk: LiveDesk, ask: requests.AnyRequest, amount: int, guest: Guest, at: float | None
    ) -> None:
        """Money comes to a table that many share: what the account does not have must never get that far."""
        player, config = guest.login.player, desk.live.table.config
        if guest.login.vip < config.vip and str(player) not in desk.live.table.sittings:
            raise Refusal("table/vip", vip=config.vip, yours=guest.login.vip)
        account = account_name(player, config.currency)

        def look(connection: Connection) -> tuple[int, dict[int, int]]:
            return balance_of(connection, account), self.chips(connection, desk, player)

        async with self.house.player_locks.turn(player) as turn:
            balance, golden = await self.house.read(look)
            if amount > balance and not desk.knows(str(player), ask.id):
                raise Refusal("funds/insufficient", cost=amount, balance=balance)
            # The turn lasts until the money has moved, also for a socket that is gone by then.
            desk.ask(ask, str(player), guest, golden, at).add_done_callback(lambda _: turn.end())
            turn.keep()

    def chips(self, connection: Connection, desk: LiveDesk, player: int) -> dict[int, int]:
        """The golden chips that a player can bring to a table: those in the account, to one that takes them (MAJ-50)."""
        table = desk.live.table
        own = self.house.store.find_account(account_name(player, table.config.currency))  # known from now on
        if own is None or table.rules.backing != "boxes":
            return {}
        return golden_of(connection, [own]).get(own, {})

    async def bound_loss(self, table: str, code: str, player: Player, most: int) -> int | None:
        """Bound what a player may stake in a round; gives what is staked, None if the round is not played any more."""
        staked: list[int | None] = []
        await self.find(table).order(lambda live: staked.append(live.play.bound_loss(player, code, most)))
        return staked[0]

    async def _bet(
        self,
        desk: LiveDesk,
        ask: requests.PlaceBets,
        bets: tuple[Bet, ...],
        guest: Guest,
        gate: checks.Door,
        at: float | None,
    ) -> None:
        """Bets: what they add to the stakes must be within the player's own limits (ASR-41)."""
        player, currency = str(guest.login.player), desk.live.table.config.currency
        async with gate.turn(currency) as turn:
            stake, staked = (
                sum(bet.stake for bet in some) for some in (bets, desk.live.play.bets_of(player))
            )
            most = None
            if stake > staked and not desk.knows(player, ask.id):
                most = await gate.may_bet(bets, currency, ask.round)
            if most is not None:
                self.house.losses.set_aside(int(player), ask.round, most)
            desk.ask(ask, player, guest, at=at, most=most).add_done_callback(lambda _: turn.end())
            turn.keep()

    def look_away(self, guest: Guest) -> None:
        """A socket is gone."""
        self._lobby.discard(guest)
        for desk in self.desks.values():
            desk.exit(guest)

    # The lobby

    async def _tell_lobby(self) -> None:
        """Tell those who look at the lobby what has changed, once a second at most."""
        told = self.heads()
        while True:
            await asyncio.sleep(LOBBY_SECONDS)
            heads = self.heads()
            if heads != told and self._lobby:
                frame = pack(codec.encode(messages.Lobby(heads)))
                for guest in self._lobby:
                    guest.send_packed(frame)
            told = heads

    # Owning

    async def _own(self, section: TableSection) -> None:
        """Own a table, and take it up again whenever it is lost; those who look at it stay."""
        config = table_config(section, self.house.config)
        while True:
            desk = self.desks[config.name]
            try:
                await desk.run()
            except Exception as error:
                failed("a table failed", error, table=config.name)
                desk.broken = True
            desk.close()
            self.desks[config.name] = await self._take_up(section, config, desk)

    async def _take_up(self, section: TableSection, config: TableConfig, lost: LiveDesk) -> LiveDesk:
        """Open a table again, as soon as the database answers."""
        while True:
            try:
                desk = await self._open(section, config)
                found = await self.house.read(partial(answered_among, asked=lost.unanswered()))
                accounts: dict[Player, int] = {}
                while coming := set(lost.players()) - accounts.keys():  # some came while the books were read
                    accounts |= await self.house.read(partial(_accounts, lost=lost, players=coming))
            except Exception as error:  # whatever it is: without an owner a table stands still for ever
                failed("a table cannot be opened yet", error, table=config.name)
                await asyncio.sleep(_PATIENCE)
                continue
            desk.follow(lost, found, accounts)
            return desk

    async def _open(self, section: TableSection, config: TableConfig) -> LiveDesk:
        tools, clock = self.house.tools, self.house.clock
        live = await self.house.work(lambda: LiveTable.open(config, tools, section.timers, clock))
        people = [seat.player for seat in live.table.seats.values()]
        for player, name, bot in await self.house.read(lambda connection: _names(connection, people)):
            presence = live.attendance.of(player)
            presence.name, presence.bot = screen_name(name), bot
        if live.round is not None and not live.round.over:  # what loss limits left for it (ASR-41)
            for player, purse in live.round.book.purses.items():
                if purse.most is not None:
                    self.house.losses.set_aside(int(player), live.code, max(purse.most, purse.staked))
        return LiveDesk(self.house, live, section.title or config.game.title, pack)


def table_config(section: TableSection, config: Config) -> TableConfig:
    """What the settings of a table come to.

    >>> table_config(TableSection(name="one", game="freebet", options={"cut": 200}), Config()).options.cut
    200
    """
    try:
        game = find(section.game)
    except LookupError as error:
        raise Refusal("table/settings", table=section.name, reason=str(error)) from None
    if not game.live:
        raise Refusal("table/settings", table=section.name, reason=f"{game.name} is played alone")
    if section.bots and section.currency != "FUN":
        raise Refusal("table/settings", table=section.name, reason="bots play for play money only")
    known = {**msgspec.to_builtins(game.options), **section.options}
    try:
        options = msgspec.convert(known, TableOptions)
        stakes = (options.main, options.behind) if game.rules.backing == "seats" else (options.main,)
        cap = most_brought(config, section.currency, *stakes, cap=section.cap)
    except (msgspec.ValidationError, ValueError) as error:
        raise Refusal("table/settings", table=section.name, reason=str(error)) from None
    return TableConfig(
        name=f"{LIVE}{section.name}",
        game=game,
        currency=section.currency,
        options=options,
        cap=cap,
        sitting=config.house.sitting,
        vip=section.vip,
    )


def _accounts(connection: Connection, lost: LiveDesk, players: Iterable[Player]) -> dict[Player, int]:
    """What those who look at a table have that is not at a table."""
    currency = lost.live.table.config.currency
    return {player: balance_of(connection, account_name(int(player), currency)) for player in players}


def _names(connection: Connection, players: Iterable[Player]) -> list[tuple[Player, str, bool]]:
    people, profiles = schema.players.c, schema.profiles.c
    query = (
        sqlalchemy.select(people.id, people.name, profiles.bot)
        .join_from(schema.players, schema.profiles, people.id == profiles.player)
        .where(people.id.in_([int(player) for player in players]))
    )
    return [(str(row.id), row.name, row.bot) for row in connection.execute(query)]
