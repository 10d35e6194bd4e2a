"""Slow, silent and flooding connections against the real server, while an honest player plays on.

`python -m tests.faults.connections` starts a house that may open 1,024 files and brings 1,100 of each.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import aiohttp
import uvloop
from msgspec import Struct, field

from sabot.client import PlayerClient, demo_token
from tests.faults.serving import check_books, process, step
from tests.support.clock import PATIENCE

FILES = 1_024
#: Seconds that the house waits for a head, a body or a frame.
WAITS = 1.0
#: The most that an honest player may have to wait for an answer, in seconds, if the machine does nothing else.
HITCH = 5.0
#: Connections that are opened at once.
_AT_ONCE = 50


class Siege(Struct):
    """What became of everyone."""

    #: Connections that were opened, and those that the house ended, by kind.
    opened: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    #: Why, as the house counts it.
    cut: dict[str, float] = field(default_factory=dict)
    #: Answers that the honest player got, and the seconds of the slowest.
    answers: int = 0
    slowest: float = 0.0
    #: New connections that were answered, and the seconds of the slowest.
    visits: int = 0
    slowest_visit: float = 0.0

    def report(self) -> str:
        """In one line."""
        return (
            f"opened {dict(self.opened)}, ended by the house {dict(self.ended)}, cut {self.cut};"
            f" honest: {self.answers} answers, slowest {1000 * self.slowest:.0f} ms,"
            f" {self.visits} new connections, slowest {1000 * self.slowest_visit:.0f} ms"
        )


class Place(Struct):
    """The house that is attacked."""

    url: str
    host: str
    port: int
    #: A login, for sockets.
    token: str

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A TCP connection."""
        return await asyncio.open_connection(self.host, self.port)

    async def upgrade(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A socket, by hand."""
        reader, writer = await self.connect()
        writer.write(
            f"GET /api/v1/socket HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {self.token}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        return reader, writer


Attack = Callable[[Place], Awaitable[None]]


async def silent(place: Place) -> None:
    """Connect and say nothing."""
    reader, writer = await place.connect()
    await _until_ended(reader, writer)


async def slow_head(place: Place) -> None:
    """A head that never ends."""
    reader, writer = await place.connect()
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    await _until_ended(reader, writer, drip=b"x")


async def slow_body(place: Place) -> None:
    """A body of which the last bytes never come."""
    reader, writer = await place.connect()
    head = (
        f"POST /api/v1/demo HTTP/1.1\r\nHost: {place.host}:{place.port}\r\nContent-Type: application/json\r\n"
    )
    writer.write(head.encode() + b"Content-Length: 4000\r\n\r\n{")
    await _until_ended(reader, writer, drip=b" ")


async def slow_frame(place: Place) -> None:
    """A frame of a socket that comes byte by byte."""
    reader, writer = await place.upgrade()
    writer.write(b"\x81\xfd\x00\x00\x00\x00{")  # 125 bytes are to come
    await _until_ended(reader, writer, drip=b" ")


async def flood(place: Place) -> None:
    """Frames that are no requests, as fast as they go out."""
    await _flood(place, b"\x81\x81\x00\x00\x00\x00{")


async def pings(place: Place) -> None:
    """Pings, as fast as they go out."""
    await _flood(place, b"\x89\x80\x00\x00\x00\x00")


async def _flood(place: Place, frame: bytes) -> None:
    reader, writer = await place.upgrade()
    with suppress(ConnectionError):
        while not reader.at_eof() and not writer.is_closing():
            writer.write(frame * 20)
            await writer.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    await reader.read(65_536)
    writer.close()


async def _until_ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drip: bytes = b"") -> None:
    """Wait until the house ends a connection; meanwhile a byte comes now and then."""
    with suppress(ConnectionError):
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(WAITS / 5):
                    if not await reader.read(4_096):
                        break
            if drip and not writer.is_closing():
                writer.write(drip)
                await writer.drain()
    writer.close()


async def besiege(folder: Path, attacks: dict[Attack, int], files: int = FILES, rounds: int = 5) -> Siege:
    """Bring every attack, so many of each at once; all of them must be ended by the house, and nobody else hindered."""
    url, siege = f"sqlite:///{folder}/sabot.db", Siege()
    settings = f"[server]\npatience_seconds = {WAITS}\nsockets_account = 100000\n"
    rates = "".join(f"rate_{name} = [1000000, 0.0]\n" for name in ("address", "account", "demo_address"))
    (folder / "sabot.toml").write_text(f"table = []\n{settings}{rates}")
    async with process(folder, url, files) as (address, _), AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        parts = urlsplit(address)
        token = await demo_token(session, address)
        place = Place(address, str(parts.hostname), int(parts.port or 0), token)
        honest = await stack.enter_async_context(PlayerClient(address, await demo_token(session, address)))
        done = asyncio.Event()
        company = [
            asyncio.create_task(_play(honest, siege, done)),
            asyncio.create_task(_visit(address, siege, done)),
        ]
        for attack, count in attacks.items():
            gate = asyncio.Semaphore(_AT_ONCE)
            async with asyncio.TaskGroup() as group:
                for _ in range(count):
                    group.create_task(_attack(attack, place, siege, gate))
        before = siege.answers
        while siege.answers < before + rounds and not any(task.done() for task in company):
            await asyncio.sleep(0.05)
        done.set()
        await asyncio.gather(*company)
        siege.cut = await _cuts(session, address)
    await asyncio.to_thread(check_books, folder, url)
    return siege


async def _attack(attack: Attack, place: Place, siege: Siege, gate: asyncio.Semaphore) -> None:
    """One connection of an attack, opened when others have been."""
    name = attack.__name__
    async with gate:
        await asyncio.sleep(0)
    siege.opened[name] += 1
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        await attack(place)
    siege.ended[name] += 1


async def _play(client: PlayerClient, siege: Siege, done: asyncio.Event) -> None:
    """An honest player, who plays round after round."""
    table = await client.open("surrender")
    await client.sit(table, 100_000)
    while not done.is_set():
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            await step(client, table, client.tables[table])
        siege.answers += 1
        siege.slowest = max(siege.slowest, time.monotonic() - began)
        await asyncio.sleep(0.1)  # as many as the account's rate lets through


async def _visit(address: str, siege: Siege, done: asyncio.Event) -> None:
    """Honest visitors, each with a connection of its own."""
    while not done.is_set():
        began = time.monotonic()
        async with (
            asyncio.timeout(PATIENCE),
            aiohttp.ClientSession() as session,
            session.get(f"{address}/healthz") as response,
        ):
            assert response.status == 200
        siege.visits += 1
        siege.slowest_visit = max(siege.slowest_visit, time.monotonic() - began)
        await asyncio.sleep(0.05)


async def _cuts(session: aiohttp.ClientSession, address: str) -> dict[str, float]:
    """What the house counts of connections that it ended."""
    async with session.get(f"{address}/metrics") as response:
        lines = (await response.text()).splitlines()
    found = [line for line in lines if line.startswith("sabot_connections_cut_total{")]
    return {line.split('"')[1]: float(line.rsplit(" ", 1)[1]) for line in found}


def main() -> None:
    """Every attack with more connections than the house has files."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.connections", description=__doc__)
    parser.add_argument("--each", type=int, default=1_100)
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    attacks: dict[Attack, int] = dict.fromkeys((silent, slow_head, slow_body), asked.each)
    attacks |= {slow_frame: asked.each // 3, flood: 20, pings: 20}
    with TemporaryDirectory(prefix="sabot-siege-") as folder:
        siege = uvloop.run(besiege(Path(folder), attacks))
    print(siege.report(), flush=True)
    assert siege.ended == siege.opened
    assert max(siege.slowest, siege.slowest_visit) < HITCH


if __name__ == "__main__":
    main()
