"""What every bus does, on real servers: it carries bytes in order, and comes back after an outage (CLU-02, CLU-23)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from sabot.errors import Refusal
from sabot.server.cluster import nats_bus as nats_bus_module
from sabot.server.cluster import notify_bus as notify_bus_module
from sabot.server.cluster.nats_bus import NatsBus
from sabot.server.cluster.node import OpenBus
from sabot.server.cluster.notify_bus import PART, NotifyBus
from sabot.server.config import BusConfig
from sabot.store.database import Database
from tests.faults.postgres import Outage
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tools.cluster.processes import Process, free_port

pytestmark = pytest.mark.slow  # servers
KIND = "postgresql"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bus gives a server up that does not answer for three seconds, as one may on a machine with much to do."""
    for bus in (nats_bus_module, notify_bus_module):
        monkeypatch.setattr(bus, "_PATIENCE", PATIENCE)


class BusServer(NamedTuple):
    """A server, the buses on it, and how it is taken away and given back."""

    make: Callable[[], OpenBus]
    stop: Callable[[], None]
    start: Callable[[], None]


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Process]:
    port = free_port()
    program = str(Path(sys.executable).parent / "nats-server")
    command = [program, "-a", "127.0.0.1", "-p", str(port), "--auth", "geheim"]
    server = Process(command, tmp_path / "nats.log", address=("127.0.0.1", port))
    server.start()
    yield server
    server.kill()


def nats_bus(server: Process, token: str = "geheim") -> NatsBus:
    return NatsBus(BusConfig(url=(f"nats://127.0.0.1:{server.port}",), token=token), "house", b"key")


@pytest.fixture(params=["nats", "notify"])
def server(request: pytest.FixtureRequest, nats: Process, database_url: str) -> BusServer:
    if request.param == "nats":
        return BusServer(lambda: nats_bus(nats), nats.kill, nats.start)
    outage = Outage(database_url)
    return BusServer(lambda: NotifyBus(Database(database_url).url, b"key"), outage.begin, outage.end)


@pytest.mark.rule("CLU-02", "CLU-23")
async def test_bytes_arrive_in_order_and_again_after_an_outage(server: BusServer) -> None:
    heard: list[bytes] = []
    one, two = server.make(), server.make()
    async with asyncio.timeout(PATIENCE):
        await one.open(1, lambda packed: None)
        await two.open(2, heard.append)
        for number in range(100):
            one.post(2, bytes([number]))
        one.post(3, b"for another")
        await until(lambda: len(heard) == 100)
        assert [packed[0] for packed in heard] == list(range(100))
        await asyncio.to_thread(server.stop)
        await until(lambda: not one.up and not two.up)
        one.post(2, b"lost")
        await asyncio.to_thread(server.start)
        await until(lambda: one.up and two.up)
        heard.clear()
        while not heard:
            one.post(2, b"back")
            await asyncio.sleep(0.01)
        assert set(heard) == {b"back"}
        await one.close()
        await two.close()


@pytest.mark.rule("CLU-02")
async def test_large_messages_and_equal_ones_arrive_whole(server: BusServer) -> None:
    """Sizes around what fits into one notification of PostgreSQL; two messages of the same bytes are two."""
    heard: list[bytes] = []
    one, two = server.make(), server.make()
    sent = [
        bytes(range(256)) * (size // 256) + bytes(size % 256) for size in (0, 1, PART - 1, PART, PART + 1)
    ]
    sent += [b"\xff" * 500_000, b"same", b"same"]
    async with asyncio.timeout(PATIENCE):
        await one.open(1, lambda packed: None)
        await two.open(2, heard.append)
        for packed in sent:
            one.post(2, packed)
        await until(lambda: len(heard) == len(sent))
        assert heard == sent
        await one.close()
        await two.close()


@pytest.mark.rule("CLU-02")
async def test_a_node_that_begins_anew_hears_what_is_for_its_new_number(server: BusServer) -> None:
    heard: list[bytes] = []
    one, two = server.make(), server.make()
    async with asyncio.timeout(PATIENCE):
        await one.open(1, lambda packed: None)
        await two.open(2, lambda packed: None)
        await two.open(3, heard.append)
        for node in (2, 3):
            one.post(node, bytes([node]))
        await until(lambda: bool(heard))
        one.post(3, b"end")
        await until(lambda: len(heard) == 2)
        assert heard == [b"\x03", b"end"]
        await one.close()
        await two.close()


@pytest.mark.rule("CLU-02")
async def test_a_bus_is_open_when_the_server_has_answered_after_it_knew_what_to_bring() -> None:
    """Else what is posted at once would be lost now and then."""
    said: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload": 1000000}\r\n')
        async for line in reader:
            said.append(line.split()[0])
            if said[-1] == b"PING":
                writer.write(b"PONG\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bus = NatsBus(BusConfig(url=(f"nats://127.0.0.1:{port}",)), "house", b"key")
    async with asyncio.timeout(PATIENCE), server:
        await bus.open(1, lambda packed: None)
        assert said[-1] == b"PING"
        assert b"SUB" in said
        await bus.close()


@pytest.mark.rule("CLU-25")
async def test_a_bus_that_does_not_let_the_house_in_is_refused_at_the_start(
    nats: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus_module, "_PATIENCE", 3)
    with pytest.raises(Refusal, match="cannot be reached"):
        await nats_bus(nats, token="guessed").open(1, lambda packed: None)


@pytest.mark.rule("CLU-25")
@pytest.mark.parametrize("header", [b"NATS/1.0", b"NATS/1.0 \xff\r\n\r\n", b"x\r\n\r\n"])
async def test_odd_headers_of_a_stranger_do_not_keep_a_node_from_hearing(
    nats: Process, header: bytes
) -> None:
    """A stranger who has the token of the bus, and not the key of the house."""
    heard: list[bytes] = []
    bus = nats_bus(nats)
    async with asyncio.timeout(PATIENCE):
        await bus.open(1, heard.append)
        _, writer = await asyncio.open_connection(nats.host, nats.port)
        writer.write(b'CONNECT {"auth_token": "geheim", "headers": true}\r\n')
        writer.write(b"HPUB sabot.house.n.1 %d %d\r\n%s-odd\r\n" % (len(header), len(header) + 4, header))
        writer.write(b"PUB sabot.house.n.1 4\r\ngood\r\n")
        await until(lambda: b"good" in heard)
        writer.close()
        await bus.close()


@pytest.mark.rule("CLU-25")
async def test_what_strangers_notify_is_not_obeyed(database_url: str) -> None:
    """Text that is no part, parts without a beginning, a part twice: nothing of it is heard, and the rest is."""
    heard: list[bytes] = []
    bus = NotifyBus(Database(database_url).url, b"key")
    async with asyncio.timeout(PATIENCE):
        await bus.open(1, heard.append)
        strange = (
            "",
            "x",
            "1 2 3",
            "1 2 x 1 AAAA",
            "9 1 0 1 ***",
            "9 1 1 2 AAAA",
            "9 2 0 2 AAAA",
            "9 2 0 2 AAAA",
        )
        with psycopg.connect(database_url, autocommit=True) as connection:
            for text in (*strange, "9 3 0 1 AAAA"):
                connection.execute("SELECT pg_notify('sabot_1', %s)", (text,))
        await until(lambda: bool(heard))
        assert heard == [bytes(3)]
        await bus.close()
