"""From a request on a connection to the table it is for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection as Database

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.protocol.messages import Closed
from sabot.server.accounts import logins, own
from sabot.server.accounts.logins import Login
from sabot.server.accounts.preferences import Settings, at_seats
from sabot.server.accounts.queries import answered_by, purse_of
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.metrics import COMMANDS
from sabot.server.refusals import refusal_of
from sabot.server.tables.adapter import Context, Funds
from sabot.server.tables.opening import LIVE, SoloName
from sabot.server.tables.queries import funds_of
from sabot.server.tables.registry import LiveRuntime
from sabot.server.tables.runtime import TableRuntime
from sabot.server.tables.subscribers import Arrival, Subscriber

#: Requests of one connection that may wait for those before them; while so many do, no more are read.
MOST_QUEUED = 16
#: What a request counts whose answer is a whole table.
DEAR = 3
#: The id of what the house asks itself for a connection; nobody waits for a response.
_NOBODY = ""
#: Seconds after which the house tries again to show a table that it could not show.
_SHOW_AGAIN = 1.0


@dataclass(frozen=True, eq=False)
class _Received:
    """A request, when it was read by the steady clock (ASR-20), and its live table, which waits for it."""

    request: requests.AnyRequest
    at: float
    runtime: LiveRuntime | None


#: Requests that show their table to the connection, or take it away.
ENTERING = requests.Open | requests.Resume | requests.Enter | requests.Exit
#: Refusals of a table that may be another node's.
_MOVED = ("stream/owned", "table/not-open")

#: Hands a request on if its table, by name, is not here.
Route = Callable[[str, "Dispatcher", requests.AnyRequest, float], bool]


class Dispatcher:
    """Hands a connection's requests on to tables, the chat and the lobby, in the order in which they were read."""

    def __init__(self, services: Services, connection: Subscriber, route: Route | None = None) -> None:
        """`route` is asked first, in a house of several nodes."""
        self._services = services
        self._route = route
        self._registry = services.registry
        self._players = services.players
        self._house = services.house
        self.connection = connection
        self.login = connection.login
        #: Requests that were read and wait for those before them, and the task that handles them one by one.
        self._queue: deque[_Received] = deque()
        self.handling: asyncio.Task[None] | None = None
        #: Tables that the connection sees, or was about to.
        self._seen: dict[TableRuntime[Any], None] = {}
        #: Tables that the house could not show it, each with the time at which it tries again.
        self._owed: dict[str, asyncio.TimerHandle] = {}

    def close(self) -> None:
        """The connection is gone."""
        if self.handling is not None:
            self.handling.cancel()
        for handle in self._owed.values():
            handle.cancel()
        self._registry.lobby.leave(self.connection)
        if self._registry.elsewhere is not None:
            self._registry.elsewhere.leave(self)
        for runtime in self._seen:
            runtime.subscribers.unsubscribe(self.connection)

    # In order

    @property
    def is_full(self) -> bool:
        """Whether so many requests wait that no more are to be read."""
        return len(self._queue) >= MOST_QUEUED

    def put(self, request: requests.AnyRequest, at: float) -> None:
        """Queue a request that was read at a moment of the steady clock behind those that are being handled."""
        received = _Received(request, at, self._registry.live.get(getattr(request, "table", "")))
        if received.runtime is not None:
            received.runtime.in_flight.add(received, at)
        self._queue.append(received)
        if self.handling is None:
            self.handling = asyncio.create_task(self._handle_queue())
            self.handling.add_done_callback(self._give_up)

    def show_again(self, table: str, since: tuple[int, int]) -> None:
        """Show a table that has moved to this node, in its turn: the frames since one that was seen, or a snapshot."""
        self.put(requests.Resume(_NOBODY, table, *since), self._house.clock.monotonic())

    def asks(self, table: str) -> bool:
        """Whether a request for a table is being handled, or waits."""
        return any(_table_of(one.request, self.login.player) == table for one in self._queue)

    def sees(self, runtime: TableRuntime[Any]) -> bool:
        """Whether the connection sees a table, or was about to."""
        return runtime in self._seen

    async def _handle_queue(self) -> None:
        """Handle requests one by one."""
        while self._queue:
            await self._answer(self._queue[0])
            self._put_down(self._queue.popleft())
        self.handling = None

    def _give_up(self, handling: asyncio.Task[None]) -> None:
        """If the handling was cancelled, even before it began, put down what is left: no table waits for it."""
        if handling.cancelled() or handling.exception() is not None:
            self.handling = None
            while self._queue:
                self._put_down(self._queue.popleft())

    @staticmethod
    def _put_down(received: _Received) -> None:
        if received.runtime is not None:
            received.runtime.landed(received)

    async def _answer(self, received: _Received) -> None:
        """Handle a request; one that is refused or fails gets its response."""
        request = received.request
        kind = str(type(request).__struct_config__.tag)
        with COMMANDS.labels(kind).time():
            try:
                self._admit(request)
                await self._handle(request, received.at)
            except Refusal as error:
                self._end(request, error)
            except Exception as error:
                failed("a request failed", error, kind=kind, player=self.login.player)
                self._end(request, refusal_of(error))

    def _admit(self, request: requests.AnyRequest) -> None:
        """Refuse requests of a login that has expired (ASR-30) or may only withdraw (ASR-41), and those that come too fast.

        No database is read: whoever excludes themselves or is locked loses every login at once.
        """
        if request.id == _NOBODY:
            return
        if self.login.expires_at <= self._house.clock.wall_ms():
            self.connection.close_for_logout()
            raise Refusal("login/required")
        if self.login.locked or self.login.excluded_until is not None:
            self.login.check_may_play()
        dear = isinstance(request, requests.Open | requests.Resume | requests.Enter | requests.WatchLobby)
        try:
            self._services.rates.command(self.login.player, DEAR if dear else 1)
        except Refusal:
            self.connection.count_vain(1)
            raise

    # What is asked

    async def _handle(self, request: requests.AnyRequest, at: float) -> None:
        """Handle a request wherever its table is."""
        table = _table_of(request, self.login.player)
        if isinstance(request, ENTERING) and (owed := self._owed.pop(table, None)) is not None:
            owed.cancel()
        if self._route is None:
            await self._handle_here(request, at)
            return
        if self._route(table, self, request, at):
            return
        try:
            await self._handle_here(request, at)
        except Refusal as error:
            if error.code not in _MOVED or not self._route(table, self, request, at):
                raise

    async def _handle_here(self, request: requests.AnyRequest, at: float) -> None:
        """Handle a request for a table of this node, or for the lobby."""
        registry, login = self._registry, self.login
        match request:
            case requests.WatchLobby():
                registry.lobby.watch(self.connection)
                self._end(request)
            case requests.Open(game=game, currency=currency):
                name = SoloName(login.player, game, currency)
                await self._subscribe(await registry.open_solo(name, login.vip), request, None)
            case requests.Resume(table=table, epoch=epoch, since=since):
                await self._subscribe(await registry.resume(table, login), request, (epoch, since))
            case requests.Enter(table=table):
                await self._subscribe(registry.find(table, login.player), request, None)
            case requests.Exit(table=table):
                registry.find(table, login.player).subscribers.unsubscribe(self.connection)
                self._end(request)
            case _:
                await self._play(registry.find(request.table, login.player), request, at)

    def _end(self, request: requests.AnyRequest, error: Refusal | None = None) -> None:
        """Respond to a request. If it was the house's own attempt to show a table again, and it failed, try again later."""
        if request.id != _NOBODY:
            self.connection.respond(request.id, error)
        elif error is not None and isinstance(request, requests.Resume):
            table, since = request.table, (request.epoch, request.since)
            if error.code == "table/not-open" and table.startswith(LIVE):  # it was taken away
                self.connection.tell(table, codec.pack(Closed(table, "closed/table")))
                return
            again = partial(self.show_again, table, since)
            self._owed[table] = asyncio.get_running_loop().call_later(_SHOW_AGAIN, again)

    async def _subscribe(
        self, runtime: TableRuntime[Any], request: requests.AnyRequest, since: tuple[int, int] | None
    ) -> None:
        """Show a table to the connection; then what was said there, and the response."""
        player = self.login.player

        def look(database: Database) -> tuple[tuple[int, Settings], dict[str, bytes]]:
            base = runtime.adapter.base
            answered = answered_by(database, base.stream.id, player)
            return purse_of(database, player, base.config.currency), answered

        while True:  # if the table is read back or opened anew meanwhile, what was read may be older than what it knows
            adapter, moves = runtime.adapter, runtime.wallets.moves(str(player))
            (balance, settings), answered = await self._house.read(look)
            runtime = self._registry.find(runtime.name, player)
            if runtime.adapter is adapter:
                break

        def then(error: Refusal | None) -> None:
            for said in self._registry.chat.before(runtime.name) if error is None else ():
                self.connection.tell(runtime.name, codec.pack(said))
            self._end(request, error)

        self._seen[runtime] = None
        runtime.subscribers.subscribe(
            Arrival(self.connection, balance, moves, answered, at_seats(settings), since, then)
        )

    async def _play(self, runtime: TableRuntime[Any], request: requests.AnyRequest, at: float) -> None:
        """A request at a table that the connection sees."""
        if self.login.player in self._house.distrusted:
            await runtime.requests.recall(self.connection, request.id)
        if not runtime.subscribers.expects(self.connection):
            raise Refusal("table/not-open", table=runtime.name)
        match request:
            case requests.Say(text=text):
                speaker = await self._speaker()
                self._registry.check_unlocked(speaker.player)
                self._registry.chat.say(runtime, speaker, text)
                self._end(request)
            case requests.Sit() | requests.AddMoneyRequest():
                await self._bring(runtime, request, at)
            case requests.PlaceBetsRequest() | requests.DealRequest():
                await self._bet(runtime, request, at)
            case _:
                runtime.requests.handle(request, self.connection, Context(at))

    async def _speaker(self) -> Login:
        """Who speaks; an operator's words have the house's name on them, so the role must still be there and proved (OFF-06)."""
        if self.login.role == "player":
            return self.login
        at = self._house.clock.wall_ms()
        login = await self._house.read(partial(logins.find_again, token=self.login.token, at=at))
        if login is None:
            raise Refusal("login/required")
        if login.role != "player":
            self._services.operators.check_factor(login)
        return login

    async def _bring(
        self, runtime: TableRuntime[Any], request: requests.Sit | requests.AddMoneyRequest, at: float
    ) -> None:
        """Bring money to a table; nothing else moves the account from its read to the response."""
        await self._check_bettor(runtime, anew=True)
        login, config, house = self.login, runtime.adapter.base.config, self._house
        player = str(login.player)
        if login.vip < config.vip and player not in runtime.adapter.base.sittings:
            raise Refusal("table/vip", vip=config.vip, yours=login.vip)
        async with house.player_locks.turn(login.player) as turn:
            moves = runtime.wallets.moves(player)
            look = partial(funds_of, store=house.store, config=config, player=login.player)
            balance, golden = await house.read(look)
            if request.amount > balance and not runtime.requests.knows(player, request.id):
                raise Refusal("funds/insufficient", cost=request.amount, balance=balance)
            context = Context(at, funds=Funds(balance, moves, golden))
            # The turn lasts until the money has moved, also for a connection that is gone by then.
            runtime.requests.handle(request, self.connection, context, turn.end)
            turn.keep()

    async def _check_bettor(self, runtime: TableRuntime[Any], *, anew: bool) -> None:
        """Refuse who presents or supervises live tables at one of them, also since the socket was opened."""
        if runtime.adapter.owner is None:
            role = await self._players.role_of(self.login, anew=anew)
            own.check_bettor(self._house, self.login.player, role, runtime.name)

    async def _bet(
        self, runtime: TableRuntime[Any], request: requests.PlaceBetsRequest | requests.DealRequest, at: float
    ) -> None:
        """Bet within the player's own limits (ASR-41); the next bets are checked after the response to these."""
        player, currency = str(self.login.player), runtime.adapter.base.config.currency
        code = request.round if isinstance(request, requests.PlaceBetsRequest) else ""
        async with self._players.turn_to_bet(self.login.player, currency) as turn:
            most = None
            stake = sum(bet.stake for bet in request.bets)
            if not runtime.requests.knows(player, request.id):
                raised = stake > runtime.adapter.staked(player)
                if raised:
                    most = await self._players.may_bet(self.login, request.bets, currency, code, turn)
                if raised or any(bet.golden for bet in request.bets):
                    await self._check_bettor(runtime, anew=False)
            if most is not None:
                await self._house.losses.set_aside(self.login.player, code or runtime.name, most)
            runtime.requests.handle(request, self.connection, Context(at, most), turn.end)
            turn.keep()


def _table_of(request: requests.AnyRequest, player: int) -> str:
    """The name of the table that a request is for; the lobby has none."""
    if isinstance(request, requests.Open):
        return str(SoloName(player, request.game, request.currency))
    return "" if isinstance(request, requests.WatchLobby) else request.table
