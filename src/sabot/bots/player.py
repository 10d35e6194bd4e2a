"""A bot at a live table: it sits down, sees and presses only what a person could, and leaves.

Time and chance are passed in. A broken connection is opened again, after longer and longer pauses.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import NamedTuple

import aiohttp
import structlog
from msgspec import Struct, field

from sabot.bots.character import Character, draw_character, think
from sabot.bots.mind import Mind, Move
from sabot.bots.moves import BrokeError, carry_out
from sabot.client import PlayerClient, RequestError, TableState
from sabot.client.connection import CLOSED
from sabot.server.logs import failed

Sleep = Callable[[float], Awaitable[None]]

#: First and longest pause between two attempts to reach the house, in seconds.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
#: Seconds away from the table between two visits.
_BETWEEN_VISITS = (10.0, 45.0)
#: Seconds before a bot tries again a table it had no money for.
_TOO_DEAR = 600.0
#: Seconds a bot has to leave the table when it is stopped.
_LEAVING = 2.0
#: Refusals that say nothing of the move: it may be made again.
_PASSING = frozenset({"house/busy", "house/down", "unit/lost"})
#: Refusals of moves that came too late.
_LATE = frozenset(
    {
        "bet/final",
        "bet/behind-forbidden",
        "bet/late",
        "bet/seat-taken",
        "command/stale",
        "round/not-betting",
        "round/over",
        "seat/empty",
        "seed/late",
        "table/not-now",
        "table/not-open",
        "table/paused",
        "vote/final",
        "vote/none",
    }
)

_log = structlog.get_logger()


class LoginOverError(Exception):
    """The login has ended: the bot needs a new one."""


class Tally(Struct):
    """Counts over a group of bots; amounts in cents."""

    #: Bots at the table now.
    there: int = 0
    rounds: int = 0
    staked: int = 0
    paid: int = 0
    #: Moves by kind: bet, decide, vote, sit, talk, …
    moves: Counter[str] = field(default_factory=Counter)
    #: Moves that came too late.
    late: int = 0
    #: Other refusals, by code.
    errors: Counter[str] = field(default_factory=Counter)
    reconnected: int = 0


class Place(NamedTuple):
    """Where a bot plays: address of the house, table, HTTP session."""

    url: str
    table: str
    session: aiohttp.ClientSession


def open_session() -> aiohttp.ClientSession:
    """An HTTP session with no limit of connections."""
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))


class BotPlayer:
    """One bot. It plays visit after visit while it is wanted, until cancelled."""

    def __init__(
        self,
        place: Place,
        log_in: Callable[[], Awaitable[str]],
        rng: Random,
        tally: Tally,
        *,
        character: Character | None = None,
        keep_free: int = 0,
        sleep: Sleep = asyncio.sleep,
        arrival: float = 0.0,
        wanted: bool = True,
    ) -> None:
        """`arrival`: seconds before it comes once wanted; `keep_free`: seats it leaves to people."""
        self._place = place
        self._log_in = log_in
        self._rng = rng
        self._tally = tally
        self._character = character or draw_character(rng)
        self._keep_free = keep_free
        self._sleep = sleep
        self._arrival = arrival
        self._token = ""
        self._wanted = asyncio.Event()
        if wanted:
            self._wanted.set()
        self._client: PlayerClient | None = None
        self._mind: Mind | None = None
        #: Whether it sat at the table since its login.
        self._has_played = False
        #: The round it has bets in.
        self._staked_in = ""

    # Coming and going

    def rest(self) -> None:
        """Leave after the round, and wait until wanted."""
        self._wanted.clear()
        if self._mind is not None:
            self._mind.called_away = True
        if self._client is not None:
            self._client.wake()

    def come(self) -> None:
        """Start playing."""
        self._wanted.set()

    async def run(self) -> None:
        """Visit the table again and again; an unexpected error ends a visit, not the bot."""
        while True:
            await self._wanted.wait()
            await self._sleep(self._arrival)
            if not self._wanted.is_set():
                continue
            try:
                await self._visit()
            except LoginOverError:
                self._token = ""
            except BrokeError:
                await self._start_anew()
            except Exception as error:
                failed("a bot failed", error, table=self._place.table)
                self._tally.errors[type(error).__name__] += 1
            if self._wanted.is_set():
                await self._sleep(self._rng.uniform(*_BETWEEN_VISITS) * self._character.pace)

    async def _start_anew(self) -> None:
        """Log in again for new money; a bot that never could sit down waits, because the table is too expensive."""
        if self._has_played:
            self._token, self._has_played = "", False
        else:
            self._tally.errors["funds/insufficient"] += 1
            await self._sleep(_TOO_DEAR)

    # A visit

    async def _visit(self) -> None:
        self._mind = mind = Mind(self._rng, self._character, self._keep_free)
        self._token = self._token or await self._get_token()
        self._client = client = PlayerClient(self._place.url, self._token, self._place.session)
        try:
            await self._connect(client)
            self._tally.there += 1
            try:
                await self._play(client, mind)
            finally:
                self._tally.there -= 1
        except asyncio.CancelledError:
            await self._leave(client)
            raise
        finally:
            self._client = self._mind = None
            await client.close()

    async def _play(self, client: PlayerClient, mind: Mind) -> None:
        """Look, wait, act, until it leaves."""
        table = self._place.table

        def look() -> Move | str | None:
            state = client.tables.get(table)
            if state is None:
                return None
            self._count(state, mind)
            return "gone" if mind.is_gone(state) else mind.next(state)

        while True:
            try:
                move = await client.wait_for(look)
                if not isinstance(move, Move):
                    return
                await self._sleep(think(self._rng, self._character, move.kind, client.left(table)))
                if look() == move:
                    await self._do(client, mind, move)
            except RequestError as error:
                if error.code != CLOSED:
                    raise
                self._tally.reconnected += 1
                await self._connect(client)

    async def _do(self, client: PlayerClient, mind: Mind, move: Move) -> None:
        """Make a move, and count refusals."""
        try:
            done = await carry_out(move, client, self._place.table, mind)
        except RequestError as error:
            if error.code == CLOSED:
                raise
            if error.code == "rate/limited":
                await self._sleep(float(error.params["seconds"]))
                return
            if error.code == "funds/insufficient" and move.kind == "sit":
                raise BrokeError from None
            if error.code not in _PASSING:
                mind.did(move)
            if error.code in _LATE:
                self._tally.late += 1
            else:
                self._tally.errors[error.code] += 1
                await self._sleep(_FIRST_PAUSE * self._character.pace)
        else:
            mind.did(move)
            self._tally.moves[move.kind] += done

    def _count(self, state: TableState, mind: Mind) -> None:
        """Count each round it had bets in, once."""
        if state.me is None or state.me.live is None:
            return
        self._has_played |= state.me.balance is not None
        if state.me.live.bets and not state.over:
            self._staked_in = state.round
        paid = state.me.results.paid
        if paid is None or not state.over or state.round != self._staked_in:
            return
        self._staked_in = ""
        mind.rounds_left -= 1
        self._tally.rounds += 1
        self._tally.staked += paid.staked
        self._tally.paid += paid.paid

    async def _leave(self, client: PlayerClient) -> None:
        """Leave the table, if that can be done quickly."""
        with suppress(RequestError, TimeoutError):
            async with asyncio.timeout(_LEAVING):
                await client.leave(self._place.table)

    # Connecting

    async def _connect(self, client: PlayerClient) -> None:
        """Connect and enter the table, with longer and longer pauses between attempts."""
        table, pause = self._place.table, _FIRST_PAUSE
        while True:
            try:
                await client.connect()
                await (client.resume(table) if table in client.tables else client.enter(table))
                return
            except aiohttp.WSServerHandshakeError as error:
                if error.status == 401:
                    raise LoginOverError from None
            except (RequestError, aiohttp.ClientError, OSError, TimeoutError) as error:
                _log.debug("a bot cannot come in yet", table=table, why=type(error).__name__)
            pause = await self._wait(pause)

    async def _get_token(self) -> str:
        """Log in as soon as the house answers."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self._log_in()
            except RequestError as error:
                self._tally.errors[error.code] += 1
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                _log.debug("a bot cannot log in yet", why=type(error).__name__)
            pause = await self._wait(pause)

    async def _wait(self, pause: float) -> float:
        """Pause, and return the next pause."""
        await self._sleep(pause * self._rng.uniform(0.5, 1.5))
        return min(2 * pause, _LONGEST_PAUSE)
