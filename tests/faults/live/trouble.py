"""What else befalls live tables of the real server: one who never reads, a database that goes away, two owners."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import aiohttp
import msgspec
from msgspec import Struct

from sabot.client import PlayerClient, demo_token
from sabot.client.connection import new_id
from sabot.protocol import codec, requests
from sabot.store.database import Database
from tests.faults.live.hall import check_balances, furnish, playing, punters
from tests.faults.postgres import Outage
from tests.faults.serving import check_books, process
from tests.faults.simulated.invariants import check_house, rows_of
from tests.support.clock import PATIENCE

MAJORITY = {"majority": "majority-us"}
BOTH = {"freebet": "freebet", **MAJORITY}
#: How often tables change hands while two processes have them.
CHANGES = 4


# One who never reads (ASR-22)


class Silence(Struct):
    """What became of one who does not read, and of the others meanwhile."""

    closed: bool = False
    slow_sockets: float = 0.0
    #: Answers that another player had before that one was closed, who had read nothing.
    answers: int = 0
    came_back: bool = False


async def never_reads(folder: Path, url: str) -> Silence:
    """A socket asks to be shown the table again and again and reads nothing, while others play on."""
    furnish(folder, MAJORITY)
    found = Silence()
    async with process(folder, url) as (address, _), aiohttp.ClientSession() as session:
        players = await punters(address, ["live/majority"], 3, 1, lambda _: True)
        token = await demo_token(session, address)
        async with playing(address, players):
            await check_balances(url, players)
            deaf = await asyncio.to_thread(_deaf_socket, address, token)
            try:
                async with PlayerClient(address, players[0].token) as other, asyncio.timeout(2 * PATIENCE):
                    await other.enter("live/majority")
                    while not (found.slow_sockets and found.answers):
                        await other.consent("live/majority", True, True)
                        found.answers += 1
                        found.slow_sockets = await _slow_sockets(session, address)
                found.closed = await asyncio.to_thread(_is_closed, deaf)
            finally:
                deaf.close()
            async with PlayerClient(address, token) as client:
                await client.enter("live/majority")
                found.came_back = client.tables["live/majority"].live is not None
    await asyncio.to_thread(check_books, folder, url)
    return found


def _deaf_socket(address: str, token: str) -> socket.socket:
    """A socket that asks and asks, and takes next to nothing of what comes."""
    host, port = address.removeprefix("http://").split(":")
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect((host, int(port)))
    deaf.sendall(
        f"GET /api/v1/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {codec.SUBPROTOCOL}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    asks = b"".join(_masked(requests.Enter(new_id(), "live/majority")) for _ in range(400))
    deaf.sendall(asks)
    return deaf


def _masked(ask: requests.AnyRequest) -> bytes:
    """A question as a client's frame; a mask of zeros changes nothing."""
    text = msgspec.json.encode(ask)
    assert len(text) < 126
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


def _is_closed(deaf: socket.socket) -> bool:
    """Whether the house has broken the connection off: what was sent can be read, and then there is an end."""
    deaf.settimeout(PATIENCE)
    try:
        while deaf.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


async def _slow_sockets(session: aiohttp.ClientSession, address: str) -> float:
    """How many the house has broken off because they did not read."""
    async with session.get(f"{address}/metrics") as response:
        lines = (await response.text()).splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith("sabot_slow_sockets_total "))


# The database goes away (ASR-24)


async def database_goes(folder: Path, url: str) -> int:
    """The database is cut off in the middle of live rounds and comes back; gives the rounds played after it."""
    furnish(folder, BOTH)
    outage = Outage(url)
    async with process(folder, url) as (address, _), aiohttp.ClientSession() as session:
        players = await punters(
            address, ["live/freebet", "live/majority"], 3, 1, lambda name: "majority" in name
        )
        async with playing(address, players):
            await check_balances(url, players)
            await _until(lambda: all(len(player.rounds) > 1 for player in players))
            before = await asyncio.to_thread(_rows, url)
            await asyncio.to_thread(outage.begin)
            try:
                await _until_down(session, address)
            finally:
                await asyncio.to_thread(outage.end)
            rounds = {code for player in players for code in player.rounds}
            await _until(lambda: all(len(player.rounds - rounds) > 1 for player in players))
            await check_balances(url, players)
            after = await asyncio.to_thread(_rows, url)
    assert before.items() <= after.items(), "rows are gone"
    await asyncio.to_thread(check_books, folder, url)
    return len({code for player in players for code in player.rounds} - rounds)


async def _until(ready: Callable[[], bool], seconds: float = 2 * PATIENCE) -> None:
    async with asyncio.timeout(seconds):
        while not ready():
            await asyncio.sleep(0.05)


async def _until_down(session: aiohttp.ClientSession, address: str) -> None:
    """Wait until the house says that it takes no bets."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with session.get(f"{address}/readyz") as response:
                if response.status == 503 and (await response.json())["why"] == "down":
                    return
            await asyncio.sleep(0.05)


def _rows(url: str) -> dict[tuple[int, int], bytes]:
    database = Database(url)
    try:
        return rows_of(database)
    finally:
        database.close()


# Two owners (ASR-23)


class Owners(Struct):
    """Two processes on one database."""

    #: How often the tables had another owner while both were there.
    changes: int = 0
    #: Rounds played by the second alone, when the first was dead.
    rounds: int = 0


async def two_owners(folder: Path, url: str) -> Owners:
    """A process takes the tables of another; people sit at both, and each is fenced in turn. Then the first is killed."""
    furnish(folder, BOTH)
    names, found = ["live/freebet", "live/majority"], Owners()
    async with process(folder, url) as (second, _):
        intruders = await punters(second, names, 1, 2, lambda name: "majority" in name)
        for intruder in intruders:
            intruder.spot = 6 if "freebet" in intruder.table else 1
        async with playing(second, intruders):
            await check_balances(url, intruders)
            async with process(folder, url) as (first, _):  # takes everything from the one that is there
                players = await punters(first, names, 3, 1, lambda name: "majority" in name)
                before = await asyncio.to_thread(_epochs, url)
                async with playing(first, players), asyncio.timeout(2 * PATIENCE):
                    while found.changes < CHANGES:
                        await asyncio.sleep(0.1)
                        await asyncio.to_thread(_check_sums, url)
                        found.changes = await asyncio.to_thread(_epochs, url) - before
            for player in players:
                player.before = None  # the second may not know yet what the first has shown last
            async with playing(second, players):
                await _until(lambda: all(len(player.rounds) > 1 for player in (*players, *intruders)))
                await check_balances(url, (*players, *intruders))
    found.rounds = len({code for player in players for code in player.rounds})
    await asyncio.to_thread(check_books, folder, url)
    return found


def _check_sums(url: str) -> None:
    database = Database(url)
    check_house(database)
    database.close()


def _epochs(url: str) -> int:
    database = Database(url)
    with database.reading() as connection:
        query = "SELECT sum(epoch) FROM streams WHERE name LIKE 'live/%%'"
        found = int(connection.exec_driver_sql(query).scalar_one())
    database.close()
    return found
