"""A bot at a live table: it comes, sits down, plays with what a person could see and press, and goes again.

Time and chance are handed in. A connection that breaks is opened again, a little later each time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import NamedTuple

import aiohttp
import structlog

from sabot.bots.character import Character, draw_character, think
from sabot.bots.mind import Mind, Move
from sabot.bots.moves import BrokeError, carry_out
from sabot.bots.tally import Tally
from sabot.client import AskError, PlayerClient, TableState
from sabot.client.connection import CLOSED
from sabot.server.logs import failed

Sleep = Callable[[float], Awaitable[None]]

#: Seconds between two attempts at a house that does not answer: at first, and at most.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
#: Seconds away from the table between two visits.
_BETWEEN_VISITS = (10.0, 45.0)
#: Seconds until a table that was too dear is looked at again.
_TOO_DEAR = 600.0
#: Seconds that a bot is given to leave the table when it is stopped.
_FAREWELL = 2.0
#: Refusals that only say that the table has moved on.
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
        "seat/taken",
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
    """The bot's login has ended: it needs another."""


class Place(NamedTuple):
    """Where a bot plays: the house's address, the table, and a session to reach it with."""

    url: str
    table: str
    session: aiohttp.ClientSession


def open_session() -> aiohttp.ClientSession:
    """A session for any number of sockets at once."""
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))


class BotPlayer:
    """One bot. It plays whenever it is wanted, visit after visit, until its task is cancelled."""

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
        """`arrival` are the seconds until it comes, once it is wanted; `keep_free` the seats that it leaves to others."""
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
        #: Whether it has sat at the table since it logged in.
        self._has_played = False
        #: The round that it has bets in.
        self._staked_in = ""

    # Whether it plays

    def rest(self) -> None:
        """Go, when the round is over, and wait to be wanted again."""
        self._wanted.clear()
        if self._mind is not None:
            self._mind.called_away = True
        if self._client is not None:
            self._client.look_again()

    def come(self) -> None:
        """Play."""
        self._wanted.set()

    async def run(self) -> None:
        """Visit after visit; what nobody thought of ends a visit, and not the bot."""
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
        """Come in anew, for new money; one who had none from the beginning finds the table too dear."""
        if self._has_played:
            self._token, self._has_played = "", False
        else:
            self._tally.errors["funds/insufficient"] += 1
            await self._sleep(_TOO_DEAR)

    # A visit

    async def _visit(self) -> None:
        self._mind = mind = Mind(self._rng, self._character, self._keep_free)
        self._token = self._token or await self._admitted()
        self._client = client = PlayerClient(self._place.url, self._token, self._place.session)
        try:
            await self._connect(client)
            self._tally.there += 1
            try:
                await self._play(client, mind)
            finally:
                self._tally.there -= 1
        except asyncio.CancelledError:
            await self._say_farewell(client)
            raise
        finally:
            self._client = self._mind = None
            await client.close()

    async def _play(self, client: PlayerClient, mind: Mind) -> None:
        """Look, think, act; until it has had enough, or is called away."""
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
            except AskError as error:
                if error.code != CLOSED:
                    raise
                self._tally.reconnected += 1
                await self._connect(client)

    async def _do(self, client: PlayerClient, mind: Mind, move: Move) -> None:
        """Do it; a refusal is an answer too."""
        try:
            done = await carry_out(move, client, self._place.table, mind)
        except AskError as error:
            if error.code == CLOSED:
                raise
            if error.code == "rate/limited":
                await self._sleep(float(error.params["seconds"]))
                return
            if error.code == "funds/insufficient" and move.kind == "sit":
                raise BrokeError from None
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
        """Count a round with bets of its own when the result is told, once."""
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

    async def _say_farewell(self, client: PlayerClient) -> None:
        """Leave the table, if that can be done quickly; one who does not sit there yet is told so."""
        with suppress(AskError, TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await client.leave(self._place.table)

    # Coming in

    async def _connect(self, client: PlayerClient) -> None:
        """Open the socket and look at the table; again and again, with longer and longer pauses."""
        table, pause = self._place.table, _FIRST_PAUSE
        while True:
            try:
                await client.connect()
                await (client.resume(table) if table in client.tables else client.enter(table))
                return
            except aiohttp.WSServerHandshakeError as error:
                if error.status == 401:
                    raise LoginOverError from None
            except (AskError, aiohttp.ClientError, OSError, TimeoutError) as error:
                _log.debug("a bot cannot come in yet", table=table, why=type(error).__name__)
            pause = await self._wait(pause)

    async def _admitted(self) -> str:
        """A login, as soon as the house answers."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self._log_in()
            except AskError as error:
                self._tally.errors[error.code] += 1
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                _log.debug("a bot cannot log in yet", why=type(error).__name__)
            pause = await self._wait(pause)

    async def _wait(self, pause: float) -> float:
        """Pause, and give the next pause."""
        await self._sleep(pause * self._rng.uniform(0.5, 1.5))
        return min(2 * pause, _LONGEST_PAUSE)
