"""A login that has ended ends its sockets: by time, by revocation, also for one who says nothing (ASR-30)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
import sqlalchemy
from sqlalchemy import Connection

from sabot.client import PlayerClient, RequestError, demo_token
from sabot.protocol import requests
from sabot.server.tables.player_changes import PlayerChanges
from sabot.store import schema
from sabot.store.database import Database
from tests.support.clock import PATIENCE
from tests.support.served import served
from tests.support.shoes import StackedShoes

HOURS = 3_600_000

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def ended(client: PlayerClient) -> int | None:
    """Wait until the socket is closed; gives the code."""
    await asyncio.wait_for(client._reader, PATIENCE)
    return client._socket.close_code


@pytest.mark.rule("ASR-30")
async def test_a_request_after_the_login_expired_is_refused_and_the_socket_closed(database: Database) -> None:
    async with served(database, StackedShoes()) as house:
        async with aiohttp.ClientSession() as session:
            token = await demo_token(session, house.url)
        async with PlayerClient(house.url, token) as client:
            house.clock.ms += 24 * HOURS - 1
            await client.open("surrender")
            house.clock.ms += 1
            with pytest.raises(RequestError, match="login/required"):
                await client.send(requests.WatchLobby("a"))
            assert await ended(client) == aiohttp.WSCloseCode.POLICY_VIOLATION
        assert not house.registry.connections


@pytest.mark.rule("ASR-30")
@pytest.mark.parametrize("revoked", [False, True])
async def test_a_silent_socket_ends_with_its_login(database: Database, revoked: bool) -> None:
    """Also one whose login was revoked by another process, of which this one hears nothing."""

    async with served(database, StackedShoes()) as house:
        async with aiohttp.ClientSession() as session:
            token, other = await demo_token(session, house.url), await demo_token(session, house.url)
        async with PlayerClient(house.url, token) as client:
            await PlayerChanges(house.registry).end_logins()
            assert not client.closed
            if revoked:
                revoke = sqlalchemy.update(schema.logins).values(revoked_at=1)
                await house.house.write(lambda connection: connection.execute(revoke))
            else:
                house.clock.ms += 24 * HOURS
            await PlayerChanges(house.registry).end_logins()
            assert await ended(client) == aiohttp.WSCloseCode.POLICY_VIOLATION
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with PlayerClient(house.url, other):
                pass


@pytest.mark.rule("ASR-30")
async def test_a_socket_that_opens_while_logins_are_read_stays(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its login was not among those that were asked for."""
    async with served(database, StackedShoes()) as house:
        async with aiohttp.ClientSession() as session:
            first, second = await demo_token(session, house.url), await demo_token(session, house.url)
        async with PlayerClient(house.url, first), PlayerClient(house.url, second) as late:
            await late.close()
            read = house.house.read

            async def connect_meanwhile(act: Callable[[Connection], Any]) -> Any:
                found = await read(act)
                monkeypatch.setattr(house.house, "read", read)
                await late.connect()
                await late.send(requests.WatchLobby("a"))
                return found

            monkeypatch.setattr(house.house, "read", connect_meanwhile)
            await PlayerChanges(house.registry).end_logins()
            await late.send(requests.WatchLobby("b"))
            assert len(house.registry.connections) == 2


async def test_a_login_that_is_revoked_while_its_socket_opens_opens_none(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(database, StackedShoes()) as house:
        async with aiohttp.ClientSession() as session:
            token = await demo_token(session, house.url)
        prepare = aiohttp.web.WebSocketResponse.prepare

        async def revoke_first(
            self: aiohttp.web.WebSocketResponse, request: aiohttp.web.BaseRequest
        ) -> object:
            revoke = sqlalchemy.update(schema.logins).values(revoked_at=1)
            await house.house.write(lambda connection: connection.execute(revoke))
            return await prepare(self, request)

        monkeypatch.setattr(aiohttp.web.WebSocketResponse, "prepare", revoke_first)
        async with PlayerClient(house.url, token) as client:
            assert await ended(client) == aiohttp.WSCloseCode.POLICY_VIOLATION
