"""The bus on a real NATS server: it asks for its token, carries bytes, and comes back after a restart (CLU-23, CLU-25)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.errors import Refusal
from sabot.server.cluster.links import EVERYONE
from sabot.server.cluster.nats_bus import NatsBus
from sabot.server.config import BusConfig
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tools.cluster.processes import Process, free_port

pytestmark = pytest.mark.slow  # a server of its own


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    port = free_port()
    program = str(Path(sys.executable).parent / "nats-server")
    command = [program, "-a", "127.0.0.1", "-p", str(port), "--auth", "geheim"]
    server = Process(command, tmp_path / "nats.log", address=("127.0.0.1", port))
    server.start()
    yield server
    server.kill()


def bus_at(server: Process, token: str = "geheim") -> NatsBus:
    return NatsBus(BusConfig(url=(f"nats://127.0.0.1:{server.port}",), token=token), "house", b"key")


@pytest.mark.rule("CLU-23")
async def test_bytes_arrive_in_order_and_again_after_a_restart(server: Process) -> None:
    heard: list[bytes] = []
    one, two = bus_at(server), bus_at(server)
    async with asyncio.timeout(PATIENCE):
        await one.open(1, lambda packed: None)
        await two.open(2, heard.append)
        for number in range(100):
            one.post(2 if number % 2 else EVERYONE, bytes([number]))
        one.post(3, b"for another")
        await until(lambda: len(heard) == 100)
        assert [packed[0] for packed in heard if packed[0] % 2] == list(range(1, 100, 2))
        server.kill()
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


@pytest.mark.rule("CLU-25")
async def test_a_bus_that_does_not_let_the_house_in_is_refused_at_the_start(server: Process) -> None:
    with pytest.raises(Refusal, match="cannot be reached"):
        await bus_at(server, token="guessed").open(1, lambda packed: None)
