"""A presenter's desk over HTTP: the console with its orders, and a card-reading shoe beside it (STU-03..05)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import aiohttp
import msgspec

from sabot.client.connection import RequestError
from sabot.client.http import get, post
from sabot.server.http.handlers.studio import Console, Scanned

#: Seconds before something that was not answered is sent again.
_AGAIN = 0.5
LOST = (aiohttp.ClientError, TimeoutError, ConnectionError)

Sleep = Callable[[float], Awaitable[object]]


class PresenterAccount(NamedTuple):
    """The account of a presenter; the code is that of a second factor, where the house asks for one."""

    name: str
    password: str
    code: str = ""


class StudioDesk:
    """One table of a house, as its presenter and its shoe reach it."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        table: str,
        account: PresenterAccount,
        device_token: str,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._session = session
        self._url = url
        self.table = table
        self._account = account
        self._device_token = device_token
        self._sleep = sleep
        self._token = ""
        #: The number of the shoe's last reading; None until it is asked for.
        self._number: int | None = None
        #: Readings that were sent again because no answer came.
        self.repeated = 0

    async def log_in(self) -> None:
        """Log in as the presenter, with the second factor if there is one."""
        name, password, code = self._account
        body = {"name": name, "password": password, "bearer": True}
        self._token = (await post(self._session, self._url, "/login", body))["token"]
        if code:
            proved = await post(self._session, self._url, "/office/prove", {"code": code}, self._token)
            self._token = proved["token"]

    async def console(self) -> Console:
        """What the presenter sees."""
        if not self._token:
            await self.log_in()
        return msgspec.convert(
            await get(self._session, self._url, f"/studio/{self.table}", self._token), Console
        )

    async def order(self, type: str, **about: object) -> None:
        """An order of the presenter."""
        await post(
            self._session, self._url, f"/studio/{self.table}/orders", {"type": type, **about}, self._token
        )

    async def unlock(self) -> None:
        """Unlock the console."""
        await self.order("unlock", password=self._account.password)

    async def scan(self, code: str) -> None:
        """Let the shoe read a card; without an answer the same reading is sent again (STU-05)."""
        path, device = f"/studio/{self.table}/scans", self._device_token
        if self._number is None:
            answer = msgspec.convert(await get(self._session, self._url, path, device), Scanned)
            self._number = answer.scan
        reading = {"scan": self._number + 1, "code": code}
        while True:
            try:
                await post(self._session, self._url, path, reading, device)
                break
            except LOST:
                self.repeated += 1
                await self._sleep(_AGAIN)
            except RequestError:
                self._number = None
                raise
        self._number += 1

    async def take_shoe(self, console: Console) -> None:
        """Let the table read from the shoe: of the devices of the settings, the one that is no console."""
        await self.order("take-device", device=console.devices[-1])
