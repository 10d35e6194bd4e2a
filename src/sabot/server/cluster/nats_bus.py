"""The bus on NATS: one subject for each node (CLU-02, CLU-25)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from nats.aio.client import Client
from nats.aio.subscription import Subscription
from nats.errors import Error

from sabot.errors import Refusal
from sabot.server.addresses import without_login
from sabot.server.cluster.credentials import Credentials
from sabot.server.config import BusConfig
from sabot.server.logs import failed

#: Bytes that may wait to be sent; beyond, they are dropped and the links notice the gap.
MOST_WAITING = 8 * 1024 * 1024
#: Seconds to connect, and between two signs of life, of which two may be missing.
_PATIENCE, _PING = 3, 2


class _Client(Client):
    """Hands bytes on as they are read, whatever headers a stranger has put before them: odd ones would end the reading."""

    receive: Callable[[bytes], None]

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        self.receive(data)


class NatsBus:
    """A connection to NATS, which comes back by itself. What is posted while it is down is dropped."""

    def __init__(self, config: BusConfig, house: str, key: bytes) -> None:
        """`house` keeps houses apart that share a bus."""
        self.key = key
        self._config = config
        self._house = house
        self._client: _Client | None = None
        self._subscription: Subscription | None = None

    @property
    def up(self) -> bool:
        """Whether the server is connected."""
        return self._client is not None and self._client.is_connected

    async def open(self, node: int, receive: Callable[[bytes], None]) -> None:
        """Connect, and hand on what comes for a node."""
        if self._client is None:
            self._client = await self._connect()
        if self._subscription is not None:
            with suppress(Error):
                await self._subscription.unsubscribe()
        self._client.receive = receive
        self._subscription = await self._client.subscribe(self._subject(node))
        # A ping overtakes what waits to be sent: only the second one follows the subscription.
        for _ in range(2):
            await self._client.flush(_PATIENCE)

    async def _connect(self) -> _Client:
        """Connect for the first time; what cannot be reached at once is refused, and not waited for."""
        config, told = self._config, list[Exception]()

        async def note(error: Exception) -> None:
            told.append(error)
            if self.up:
                failed("the bus failed", error)

        client = _Client()
        try:
            credentials = Credentials(config.credentials) if config.credentials else None
            async with asyncio.timeout(_PATIENCE):
                await client.connect(
                    list(config.url),
                    name=f"sabot {self._house}",
                    token=config.token or None,
                    user_jwt_cb=credentials.token if credentials else None,
                    signature_cb=credentials.sign if credentials else None,
                    connect_timeout=_PATIENCE,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.2,  # type: ignore[arg-type]  # it takes parts of seconds too
                    ping_interval=_PING,
                    max_outstanding_pings=2,
                    pending_size=0,  # nothing is kept while it is down: it would come late
                    error_cb=note,
                )
        except (Error, OSError, TimeoutError, ValueError) as error:
            reason = told[-1] if told else error
            shown = ", ".join(map(without_login, config.url))
            raise Refusal("bus/unreachable", url=shown, reason=str(reason)) from None
        return client

    async def close(self) -> None:
        """Send what waits and disconnect."""
        if self._client is not None:
            with suppress(Error, OSError):
                await self._client.close()

    def post(self, node: int, packed: bytes) -> None:
        """Send bytes to a node; dropped while the bus is down or too much waits, which is noticed by their number."""
        client = self._client
        if client is not None and self.up and client.pending_data_size + len(packed) <= MOST_WAITING:
            with suppress(Error, OSError, StopIteration):  # it waits for nothing, so one step is all of it
                client.publish(self._subject(node), packed).send(None)

    def _subject(self, node: int) -> str:
        return f"sabot.{self._house}.n.{node}"
