"""How many connections there may be, and what ends one (ASR-30, ASR-32)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType, web

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.server.app import create_app
from sabot.server.config import Config, Rate, ServerConfig
from sabot.server.house import House
from sabot.server.http.connections import Connections, HouseSite
from sabot.server.http.dispatch import PREFIX
from sabot.server.http.services import SERVICES
from sabot.server.ws.connection import MOST_VAIN
from sabot.store.database import Database
from tests.support.clock import PATIENCE, HandClock
from tests.support.hall import until
from tests.support.house import VAULT, CountedShoes
from tests.support.site import FREE


class Caller:
    """A connection as far as it is counted."""

    def __init__(self) -> None:
        self.ended = False

    def cut(self) -> None:
        """The house ends it."""
        self.ended = True


def counted(**settings: Any) -> Connections:
    """The connections of a house with these settings."""
    return Connections(ServerConfig(**settings), HandClock())


def admit(connections: Connections, address: str) -> Caller | None:
    """A new connection, if it is admitted."""
    caller = Caller()
    return caller if connections.admit(caller, address) else None  # type: ignore[arg-type]  # it need not be one


@pytest.mark.rule("ASR-32")
def test_an_address_has_so_many_connections_and_others_have_theirs() -> None:
    connections = counted(connections_address=2, proxies=("10.0.0.0/8",))
    first = admit(connections, "192.0.2.1")
    assert first is not None
    assert admit(connections, "::ffff:192.0.2.1") is not None
    assert admit(connections, "192.0.2.1") is None
    assert admit(connections, "192.0.2.2") is not None
    for address in ("2001:db8::1", "2001:db8::2"):
        assert admit(connections, address) is not None
    assert admit(connections, "2001:db8::3") is None
    for own in ("127.0.0.1", "::1", "10.1.2.3") * 3:  # bots of the house, and its proxies
        assert admit(connections, own) is not None
    connections.leave(first, "192.0.2.1")  # type: ignore[arg-type]  # it need not be one
    assert admit(connections, "192.0.2.1") is not None


@pytest.mark.rule("ASR-32")
def test_when_no_more_files_can_be_opened_the_longest_without_a_request_makes_room() -> None:
    connections = counted()
    connections.most = 3
    callers = [admit(connections, "127.0.0.1") for _ in range(3)]
    assert admit(connections, "192.0.2.1") is not None
    assert [caller is not None and caller.ended for caller in callers] == [True, False, False]
    connections.plain.clear()  # all have become sockets
    assert admit(connections, "192.0.2.1") is None


def test_an_account_has_so_many_sockets() -> None:
    connections = counted(sockets_account=2, connections_address=3)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(connections.socket(7, "192.0.2.1"))
        with pytest.raises(Refusal, match="Open connections: 2 already"), connections.socket(7, "192.0.2.9"):
            pass
        stack.enter_context(connections.socket(8, "192.0.2.1"))
        with pytest.raises(Refusal, match="Open connections: 3 already"), connections.socket(9, "192.0.2.1"):
            pass
        stack.enter_context(connections.socket(9, "192.0.2.2"))
    with connections.socket(7, "192.0.2.1"):
        pass


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Puts the clock of the running loop on by some seconds."""
    ahead = 0.0

    def put_on(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: time.monotonic() + ahead)

    return put_on


@asynccontextmanager
async def house(
    url: str, **settings: Any
) -> AsyncIterator[tuple[str, aiohttp.ClientSession, web.Application]]:
    """A house on a port that watches its connections."""
    config = Config(server=ServerConfig(**(FREE | settings)), table=())
    app = create_app(House(config, Database(url), CountedShoes(VAULT, 0), HandClock(), None))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await HouseSite(runner, "127.0.0.1", 0, app[SERVICES].connections).start()
    try:
        async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}", session, app
    finally:
        await runner.cleanup()


async def login(session: aiohttp.ClientSession, url: str) -> dict[str, str]:
    """The headers of a demo player."""
    async with session.post(f"{url}{PREFIX}/demo", json={"bearer": True}) as response:
        return {"Authorization": f"Bearer {(await response.json())['token']}"}


@pytest.mark.rule("ASR-32")
async def test_no_answer_tells_the_version_of_a_library(file_url: str) -> None:
    """Neither to bytes that are no request, nor where nothing is served."""

    async with house(file_url) as (url, _, _):
        for sent in (b"\x16\x03\x01 x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(sent)
            head = await reader.readuntil(b"\r\n\r\n")
            assert b"Server: sabot\r\n" in head
            writer.close()


@pytest.mark.rule("ASR-32")
@pytest.mark.parametrize("expected", [b"much", b"\x80\x80"])
@pytest.mark.parametrize("path", ["/nothing", "/api/v1/nothing", "/api/v1/me", "/healthz"])
async def test_what_cannot_be_expected_is_refused_everywhere(
    file_url: str, path: str, expected: bytes
) -> None:
    async with house(file_url) as (url, _, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
        writer.write(b"Connection: close\r\nExpect: " + expected + b"\r\n\r\n")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 417 "), answer
        assert expected not in answer
        writer.close()


@pytest.mark.rule("ASR-32")
@pytest.mark.parametrize("kind", ["malformed", "ping", "dear"])
async def test_a_socket_that_floods_is_closed_with_a_reason(file_url: str, kind: str) -> None:
    """Frames that are no requests, pings, and requests beyond the rate count; each is answered until it is enough."""

    async def send(socket: aiohttp.ClientWebSocketResponse) -> None:
        if kind == "malformed":
            await socket.send_str("{")
        elif kind == "ping":
            await socket.ping(b"x")
        else:
            await socket.send_bytes(codec.encode(requests.Resume("one", "live/none", 1, 1)))

    async with house(file_url, rate_account=Rate(6, 60.0)) as (url, session, _):
        headers = await login(session, url)
        async with session.ws_connect(f"{url}{PREFIX}/socket", headers=headers, autoping=False) as socket:
            for _ in range(MOST_VAIN + 10):
                await send(socket)
            answers = 0
            while (message := await socket.receive()).type not in (WSMsgType.CLOSE, WSMsgType.CLOSED):
                answers += 1
            assert socket.close_code == WSCloseCode.POLICY_VIOLATION
            assert message.extra == "too many requests"
            assert MOST_VAIN <= answers <= MOST_VAIN + 20
        async with session.get(f"{url}/healthz") as response:
            assert response.status == 200


async def test_a_body_that_does_not_come_is_refused(file_url: str) -> None:
    async with house(file_url, patience_seconds=0.2) as (url, session, app):
        app[SERVICES].connections.patience = PATIENCE  # the head may take its time
        coming = asyncio.Event()

        async def body() -> AsyncIterator[bytes]:
            yield b"{"
            await coming.wait()

        headers = {"Content-Type": "application/json"}
        async with session.post(f"{url}{PREFIX}/demo", data=body(), headers=headers) as response:
            assert response.status == 408
            assert (await response.json())["error"]["code"] == "request/slow"
        coming.set()


async def test_a_page_too_many_of_an_account_is_refused(file_url: str) -> None:
    async with house(file_url, sockets_account=2) as (url, session, _), AsyncExitStack() as stack:
        headers = await login(session, url)
        socket = f"{url}{PREFIX}/socket"
        for _ in range(2):
            await stack.enter_async_context(session.ws_connect(socket, headers=headers))
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(socket, headers=headers)
        assert refused.value.status == 429
        other = await login(session, url)
        await stack.enter_async_context(session.ws_connect(socket, headers=other))


async def test_a_connection_is_kept_between_two_requests_and_ended_in_the_middle_of_a_head(
    file_url: str, pass_time: Callable[[float], None]
) -> None:
    """One that has asked is idle for longer than the patience, and asks again; half a head is not waited for."""
    patience = PATIENCE / 4

    async with house(file_url, patience_seconds=patience) as (url, _, app):
        plain = app[SERVICES].connections.plain
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        silent, _ = await asyncio.open_connection(host, int(port))
        request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        writer.write(request)
        assert b" 200 " in await reader.readuntil(b"}")
        await until(lambda: len(plain) == 2)
        pass_time(patience + 1)
        assert await silent.read() == b""  # ended: so the patience is over
        (kept,) = plain
        writer.write(request)
        assert b" 200 " in await reader.readuntil(b"}")
        writer.write(request[:-2])
        await until(lambda: kept._head_since is not None)
        pass_time(patience + 1)
        assert await reader.read() == b""
