"""A stranger at the door of a real house: thousands of odd frames and requests, and nobody else notices (ASR-32).

`python -m tests.faults.hostile --frames 3000 --requests 3000` does it on an SQLite file and on a PostgreSQL from the
wheel. Meanwhile a player at the same live table asks and is answered. At the end no table was opened again, no row of
the stranger's was written, no request was answered with 500, and the server's log has no traceback.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import sqlalchemy
from msgspec import Struct

from sabot.client import PlayerClient, demo_token
from sabot.client.connection import new_id
from sabot.protocol import codec, requests
from sabot.server.http.routes import ROUTES
from sabot.store import schema
from sabot.store.database import Database
from tests.faults.postgres import own_server
from tests.faults.serving import process
from tests.support.clock import PATIENCE
from tests.support.site import RATES

TABLE = "live/one"
#: Text that a database, a file system, a header or a page could stumble over.
TEXTS = (
    *(
        "\0",
        "a\0b",
        "\x01",
        "\x7f",
        "a\nb",
        "a\r\nb: c",
        "\t",
        "\x85",
        "\u2028",
        "\u202e",
        "\ufeff",
        "\uffff",
        "\U0010ffff",
    ),
    *(
        "",
        " ",
        "../../etc/passwd",
        "..\\..\\x",
        "%00",
        "%s%n",
        "{0}",
        "${x}",
        "';--",
        "<script>",
        "é" * 70,
        "x" * 65,
    ),
    *("x" * 3000, "\u0301" * 60, "null", "٣", "NaN", "solo/1/link/EUR", "live/", "live/one/", "LIVE/ONE"),
)
NUMBERS: tuple[Any, ...] = (
    -2,
    7,
    2**31,
    2**53,
    2**63,
    2**64,
    10**30,
    1.5,
    1e308,
    True,
    None,
    "1",
    "",
    [],
    {},
    [1],
    {"a": 1},
)
#: Questions as they should be; each is sent with one thing in it that is not.
ASKS: tuple[dict[str, Any], ...] = (
    {"type": "open", "game": "surrender", "currency": "FUN"},
    {"type": "resume", "table": TABLE, "epoch": 1, "since": 0},
    {"type": "enter", "table": TABLE},
    {"type": "exit", "table": TABLE},
    {"type": "sit", "table": TABLE, "amount": 100, "spot": 3},
    {"type": "add-money", "table": TABLE, "amount": 100},
    {"type": "leave", "table": TABLE},
    {"type": "choose-limits", "table": "solo/1/link/FUN", "limits": "standard"},
    {"type": "offer-insurance", "table": "solo/1/link/FUN", "offered": False},
    {
        "type": "deal",
        "table": "solo/1/link/FUN",
        "bets": [{"spot": 0, "kind": "main", "stake": 100}],
        "client_seed": "a",
    },
    {"type": "place-bets", "table": TABLE, "round": "x", "bets": [{"spot": 0, "kind": "main", "stake": 100}]},
    {
        "type": "act",
        "table": TABLE,
        "round": "x",
        "turn": 0,
        "command": {"type": "hit", "spot": 0, "hand": 0},
    },
    {"type": "vote", "table": TABLE, "round": "x", "turn": 0, "spot": 0, "action": "hit"},
    {"type": "consent", "table": TABLE, "double": True, "split": True},
    {"type": "send-seed", "table": TABLE, "seed": "abc"},
    {"type": "say", "table": TABLE, "text": "ciao"},
    {"type": "watch-lobby"},
)
#: Bytes that are no question at all.
NOISE = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"{" * 2000,
    b"[" * 3000,
    b"\xff\xfe",
    b'{"id":"a"}',
    b'{"type":"act"}',
    b"\0" * 100,
    b"1e999",
)


class Found(Struct):
    """What a campaign came to."""

    frames: int = 0
    requests: int = 0
    #: Requests of the other player that were answered meanwhile.
    served: int = 0
    codes: dict[str, int] = {}
    statuses: dict[str, int] = {}


# The stranger's frames


def frames(random: Random) -> Iterator[bytes]:
    """Odd frames without end: none of them is a question that could be carried out."""
    while True:
        kind = random.random()
        if kind < 0.1:
            yield random.choice(NOISE)
        elif kind < 0.2:
            yield random.randbytes(random.randrange(1, 200))
        else:
            ask = {"id": secrets.token_hex(8), **json.loads(json.dumps(random.choice(ASKS)))}
            _spoil(ask, random)
            frame = json.dumps(ask).encode()
            yield frame[: random.randrange(1, len(frame))] if kind > 0.9 else frame


def _spoil(ask: dict[str, Any], random: Random) -> None:
    """Put one thing into a question that it cannot hold."""
    name = random.choice(sorted(set(ask) - {"type"}))
    place: dict[str, Any] = ask
    if name == "bets" and random.random() < 0.7:
        place = random.choice(ask["bets"])
        name = random.choice(sorted(place))
    if isinstance(place[name], str) and random.random() < 0.8:
        place[name] = random.choice([text for text in TEXTS if not _is_fine(name, text)])
    else:
        beyond = [n for n in NUMBERS if type(n) is not type(place[name]) or n in (2**64, 10**30)]
        if name == "spot":  # which may be left out
            beyond.remove(None)
        place[name] = random.choice(beyond)
    if random.random() < 0.1:
        ask[random.choice(TEXTS)] = 1


def _is_fine(name: str, text: str) -> bool:
    """Whether a text may stand in a field after all; the question is to be refused."""
    if name == "id":
        return text in ("null", "NaN")
    return (name in ("text", "client_seed", "seed") and text.isprintable() and len(text) <= 64) or (
        name == "table" and text == TABLE
    )


async def send_frames(address: str, token: str, count: int, random: Random, found: Found) -> None:
    """Send odd frames, on a new socket whenever one is closed for what it sent; each is refused with a code."""
    source, codes = frames(random), Counter[str]()
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as session:
        while found.frames < count:
            async with session.ws_connect(
                f"{address}/api/v1/socket", protocols=(codec.SUBPROTOCOL,)
            ) as socket:
                await socket.send_json({"type": "enter", "id": new_id(), "table": TABLE})
                for _ in range(random.randrange(10, 60)):
                    frame = next(source)
                    found.frames += 1
                    with suppress(ConnectionError):
                        if random.random() < 0.5:
                            await socket.send_bytes(frame)
                        else:
                            await socket.send_str(frame.decode("utf-8", "replace"))
                with suppress(ConnectionError):
                    await socket.send_json({"type": "watch-lobby", "id": "last"})
                async with asyncio.timeout(PATIENCE):
                    async for message in socket:
                        told = json.loads(message.data)
                        if told.get("type") == "answer":
                            codes[(told.get("error") or {"code": "ok"})["code"]] += 1
                            if told["id"] == "last":
                                break
    found.codes = dict(codes)


# The stranger's requests


def strange_requests(random: Random, host: str) -> Iterator[bytes]:
    """Odd requests without end."""
    paths = [
        "/",
        "/live/one",
        "/assets/x.js",
        "/healthz",
        "/readyz",
        "/metrics",
        "/api/v1/socket",
        "/history/x",
    ]
    paths += [f"/api/v1{route.path}" for route in ROUTES]
    odd = [
        *(f"%{byte:02x}" for byte in (0, 1, 10, 13, 31, 127, 128, 255)),
        "%c0%80",
        "%ff%fe",
        "%ed%a0%80",
        "\\",
        "..",
        "%2e%2e%2f",
        "%",
    ]
    odd += [
        "%zz",
        "//",
        "x" * 300,
        "%E2%80%AE",
        "a/" * 40,
        "{",
        "|",
        "\xff",
        ";",
        "?x=%00",
        "?\x7f=1",
        "?limit=1&limit=2",
        "#",
        "~",
    ]
    values = [
        b"\0",
        b"\xff\xfe",
        b"\x80" * 20,
        b"null",
        b"",
        b"x" * 3000,
        "é".encode(),
        b"http://evil.example",
        b"a\tb",
        b"*",
    ]
    names = [
        b"Origin",
        b"Host",
        b"Cookie",
        b"Authorization",
        b"Upgrade",
        b"Content-Type",
        b"Content-Length",
        b"Range",
        b"Connection",
    ]
    names += [
        b"If-Modified-Since",
        b"If-None-Match",
        b"Accept-Encoding",
        b"Transfer-Encoding",
        b"Expect",
        b"X-Forwarded-For",
        b"Sec-WebSocket-Key",
    ]
    names += [b"Sec-WebSocket-Version", b"Content-Encoding", b"User-Agent", b"If-Range", b"Forwarded"]
    prefixes = {
        b"Authorization": b"Bearer ",
        b"Cookie": b"sabot=",
        b"Origin": b"http://",
        b"Range": b"bytes=",
        b"Content-Type": b"application/json;",
    }
    while True:
        method = random.choice(
            ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "FOO"]
        )
        path = random.choice(paths).replace("{", "").replace("}", "")
        if random.random() < 0.7:
            parts = path.split("/")
            at = random.randrange(1, len(parts))
            parts[at] = random.choice(odd) if random.random() < 0.5 else parts[at] + random.choice(odd)
            path = "/".join(parts)
        headers = {b"Host": host.encode(), b"Connection": b"close"}
        for _ in range(random.randrange(3)):
            name = random.choice(names)
            value = random.choice(values)
            headers[name] = prefixes.get(name, b"") + value if random.random() < 0.7 else value
        body = (
            random.choice(
                [b"", b"{}", b"\0", b"\xff", b'{"name":"a\\u0000b","password":"\\u0000"}', b"[" * 5000]
            )
            if method in ("POST", "PUT")
            else b""
        )
        if body and b"Content-Length" not in headers and random.random() < 0.9:
            headers[b"Content-Length"] = str(len(body)).encode()
            headers.setdefault(b"Content-Type", b"application/json")
        lines = b"".join(b"%b: %b\r\n" % pair for pair in headers.items())
        yield b"%b %b HTTP/1.1\r\n%b\r\n%b" % (method.encode(), path.encode("latin-1"), lines, body)


async def send_requests(address: str, count: int, random: Random, found: Found) -> None:
    """Send odd requests, each on a connection of its own; any answer will do that is no fault of the house's."""
    parts = urlsplit(address)
    statuses = Counter[str]()
    for request in strange_requests(random, parts.netloc):
        if found.requests >= count:
            break
        found.requests += 1
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            writer.write(request)
            with suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(
                    2 if b"Content-Length" in request or b"Expect" in request else PATIENCE
                ):
                    line = await reader.readline()
                    status = line.split()[1].decode() if line.startswith(b"HTTP/") else "none"
                    statuses[status] += 1
                    assert not status.startswith("5"), f"{status}: {request!r}"
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
    found.statuses = dict(statuses)


# The others


async def play(client: PlayerClient, stop: asyncio.Event, found: Found) -> None:
    """A player who asks one thing after the other and is answered."""
    while not stop.is_set():
        async with asyncio.timeout(PATIENCE):
            await client.send(requests.ConsentRequest(new_id(), TABLE, found.served % 2 == 0, True))
        found.served += 1
        await asyncio.sleep(0.02)  # the others are to be served, not the machine to be filled


@asynccontextmanager
async def house(folder: Path, url: str) -> AsyncIterator[str]:
    """A served house in a process of its own, which writes its log into a file."""
    settings = ["[server]", *(f"{rate} = [1000000, 0.0001]" for rate in RATES)]
    settings += ["[[table]]", 'name = "one"', 'game = "freebet"', 'currency = "FUN"']
    (folder / "sabot.toml").write_text("\n".join(settings))
    with (folder / "server.log").open("wb") as log:
        async with process(folder, url, stderr=log) as (address, server):
            yield address
            server.send_signal(signal.SIGTERM)
            assert server.stdout is not None
            log.write(await asyncio.wait_for(server.stdout.read(), PATIENCE))


def state(url: str, stranger: int) -> tuple[int, int]:
    """The epoch of the table, and how many rows of the log are the stranger's."""
    database = Database(url)
    log, streams = schema.log.c, schema.streams.c
    rows = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.log).where(log.player == stranger)
    epoch = sqlalchemy.select(streams.epoch).where(streams.name == TABLE)
    with database.reading() as connection:
        told = connection.execute(epoch).scalar_one(), connection.execute(rows).scalar_one()
    database.close()
    return told


async def campaign(folder: Path, url: str, count: int, odd_requests: int, seed: int | str) -> Found:
    """Let a stranger in and see that nobody else is harmed."""
    random, found = Random(str(seed)), Found()
    async with house(folder, url) as address, aiohttp.ClientSession() as session:
        good, bad = await demo_token(session, address), await demo_token(session, address)
        me = await session.get(f"{address}/api/v1/me", headers={"Authorization": f"Bearer {bad}"})
        stranger = int((await me.json())["player"])
        async with PlayerClient(address, good) as client:
            await client.enter(TABLE)
            await client.sit(TABLE, 10_000, 0)
            before = await asyncio.to_thread(state, url, stranger)
            stop = asyncio.Event()
            playing = asyncio.create_task(play(client, stop, found))
            await asyncio.gather(
                send_frames(address, bad, count, random, found),
                send_requests(address, odd_requests, Random(f"{seed} requests"), found),
            )
            served = found.served
            while found.served <= served and not playing.done():
                await asyncio.sleep(0.01)
            stop.set()
            await playing
            after = await asyncio.to_thread(state, url, stranger)
            assert after == before, f"epoch and rows of the stranger: {before}, then {after}"
    log = (folder / "server.log").read_text(errors="replace")
    for fault in ("Traceback", "failed", "house/error"):
        assert fault not in log, log[-4000:]
    return found


def main() -> None:
    """The long campaign."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    options = parser.parse_args()
    with TemporaryDirectory() as folder, TemporaryDirectory() as cluster, own_server(cluster) as address:
        for url in (f"sqlite:///{folder}/sabot.db", address):
            found = asyncio.run(campaign(Path(folder), url, options.frames, options.requests, options.seed))
            print(f"seed {options.seed}, {url.partition(':')[0]}: {found}", flush=True)


if __name__ == "__main__":
    main()
