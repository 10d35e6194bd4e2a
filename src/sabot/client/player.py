"""One socket to the house: ask and wait for the answer, and keep the table as it was last told."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct

from sabot.engine import Bet
from sabot.engine.events import Option, TurnStarted
from sabot.server import wire

_TOLD: msgspec.json.Decoder[wire.AnyTold] = msgspec.json.Decoder(wire.AnyTold)
_FRAME = msgspec.json.Decoder(wire.Frame)


class AskError(Exception):
    """The house refused what was asked."""

    def __init__(self, failure: wire.Failure) -> None:
        super().__init__(failure.code, failure.params)
        self.code = failure.code
        self.params = failure.params


class TableState(Struct):
    """A table as a client knows it."""

    snapshot: wire.Snapshot
    me: wire.Me | None = None
    epoch: int = 0
    seq: int = 0
    round: str = ""
    turn: int = 0
    over: bool = True
    commitment: str = ""
    #: What the hand in turn may do.
    options: tuple[Option, ...] = ()
    #: Everything that was told of the round.
    events: list[wire.TableEvent] = []


class PlayerClient:
    """A player at the other end of a socket.

    ```python
    async with PlayerClient("http://127.0.0.1:8765", token) as client:
        table = await client.open("surrender")
        await client.sit(table, 10_000)
        await client.deal(table, [Bet(0, "main", 1_000)])
        while not client.tables[table].over:
            await client.decide(table, "stand")
    ```
    """

    def __init__(self, url: str, token: str, session: aiohttp.ClientSession | None = None) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._session = session
        self._own_session = session is None
        self._answers: dict[str, asyncio.Future[wire.Failure | None]] = {}
        self._changed = asyncio.Event()
        self.tables: dict[str, TableState] = {}
        #: Called with every frame as it comes.
        self.heard: Callable[[bytes], None] | None = None

    async def __aenter__(self) -> PlayerClient:
        self._session = self._session or aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(
            f"{self._url}/api/v1/socket",
            protocols=(wire.SUBPROTOCOL,),
            headers={"Authorization": f"Bearer {self._token}"},
            max_msg_size=0,
        )
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._socket.close()
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader
        if self._own_session and self._session is not None:
            await self._session.close()

    # Asking

    async def ask(self, ask: wire.AnyAsk) -> None:
        """Send a question and wait for its answer; `AskError` if it is refused."""
        future = self._answers.setdefault(ask.id, asyncio.get_running_loop().create_future())
        await self._socket.send_str(msgspec.json.encode(ask).decode())
        failure = await future
        if failure is not None:
            raise AskError(failure)

    async def open(self, game: str, currency: str = "FUN") -> str:
        """Open a game; gives the name of the table once it is shown."""
        known = set(self.tables)
        await self.ask(wire.Open(new_id(), game, "EUR" if currency == "EUR" else "FUN"))
        while True:
            for name, state in self.tables.items():
                if state.snapshot.game == game and state.me is not None and (name not in known or state.me):
                    return name
            self._changed.clear()
            await self._changed.wait()

    async def sit(self, table: str, amount: int) -> None:
        """Sit down with money."""
        await self.ask(wire.Sit(new_id(), table, amount))

    async def leave(self, table: str) -> None:
        """Leave with what is left."""
        await self.ask(wire.Leave(new_id(), table))

    async def deal(self, table: str, bets: list[Bet], client_seed: str = "sabot") -> None:
        """Stake and deal."""
        await self.ask(wire.Deal(new_id(), table, tuple(bets), client_seed))

    async def decide(self, table: str, action: str, **more: Any) -> None:
        """A decision on the hand in turn, or an answer to an offer, at the turn the client knows."""
        state = self.tables[table]
        turn = next((e for e in reversed(state.events) if isinstance(e, TurnStarted)), None)
        fields: dict[str, Any] = {
            "type": action,
            "id": new_id(),
            "table": table,
            "round": state.round,
            "turn": state.turn,
            **({"spot": turn.spot, "hand": turn.hand} if turn is not None and "spot" not in more else {}),
            **more,
        }
        await self.ask(msgspec.convert(fields, wire.AnyAsk))

    # Hearing

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                data = message.data.encode()
                if self.heard is not None:
                    self.heard(data)
                self._hear(data)
                self._changed.set()
        finally:
            for future in self._answers.values():
                if not future.done():
                    future.set_result(wire.Failure("socket/closed"))

    def _hear(self, data: bytes) -> None:
        if data.startswith(b'{"type"'):
            told = _TOLD.decode(data)
            match told:
                case wire.Answer(id=id, error=error):
                    future = self._answers.pop(id, None)
                    if future is not None and not future.done():
                        future.set_result(error)
                case wire.Snapshot():
                    self._show(told)
                case wire.Me(table=table) if table in self.tables:
                    self.tables[table].me = told
                case wire.Closed(table=table):
                    self.tables.pop(table, None)
            return
        frame = _FRAME.decode(data)
        state = self.tables.get(frame.table)
        if state is None:
            return  # it was opened by another client of this player
        state.seq, state.round, state.turn = frame.seq, frame.round, frame.turn
        for event in frame.events:
            self._fold(state, event)

    def _show(self, snapshot: wire.Snapshot) -> None:
        view = snapshot.view
        self.tables[snapshot.table] = TableState(
            snapshot,
            epoch=snapshot.epoch,
            seq=snapshot.seq,
            round=snapshot.round,
            turn=snapshot.turn,
            over=view is None or view.phase in ("settled", "voided"),
            commitment=snapshot.commitment,
            options=view.options if view else (),
            events=[TurnStarted(*view.turn, view.options)] if view and view.turn else [],
        )

    @staticmethod
    def _fold(state: TableState, event: wire.TableEvent) -> None:
        match event:
            case wire.RoundOpened():
                state.events, state.over, state.options = [], False, ()
            case wire.ShoeCommitted(commitment=commitment):
                state.commitment = commitment
            case TurnStarted(options=options):
                state.options = options
            case _ if type(event).__name__ in ("RoundSettled", "RoundVoided"):
                state.over, state.options = True, ()
        state.events.append(event)


def new_id() -> str:
    """An id no other question has."""
    return str(uuid.uuid4())
