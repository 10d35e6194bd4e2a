"""A crowd that bets just before the close: `python -m tests.faults.live.closing --players 1000` (ASR-20).

Everyone sends a bet between 95 and 64 ms before betting ends, as far as this machine can send so many in that time
(`--first` gives it more). A bet that the server read before the close must be taken: one that is refused is a failure.
Those that it read after the close are counted, with how late they were by the server's stamp in the log.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import msgspec
import sqlalchemy
import uvloop
from msgspec import Struct, field

from sabot.bots.player import open_session
from sabot.client import PlayerClient, demo_token
from sabot.engine import Bet
from sabot.protocol import codec, requests
from sabot.store import schema
from sabot.store.database import Database
from tests.faults.live.hall import furnish
from tests.faults.serving import check_books, process

TABLE = "live/crowd"
#: Seconds before the close in which the bets are sent.
FIRST, LAST = 0.095, 0.064
#: Players who come in at once.
_AT_ONCE = 20


class Rush(Struct):
    """What became of the bets."""

    #: How many were sent, and the seconds before the close of the last of them.
    sent: int = 0
    last: float = 0.0
    #: What they were answered with; "" is yes.
    answers: Counter[str] = field(default_factory=Counter)
    #: Milliseconds after the close at which those refused as late were read, as the log has it.
    late_ms: list[int] = field(default_factory=list)

    def report(self) -> str:
        """In one line."""
        return (
            f"{self.sent} bets, the last {1000 * self.last:.0f} ms before the close: {self.answers['']} taken,"
            f" {len(self.late_ms)} read {min(self.late_ms, default=0)} to {max(self.late_ms, default=0)} ms after it"
            f" and refused, answers {dict(self.answers)}"
        )

    def check(self) -> None:
        """Every bet was taken, or was read after the close."""
        early = [late for late in self.late_ms if late < 0]
        assert not early, f"{len(early)} bets were read up to {-min(early)} ms before the close and refused"
        assert set(self.answers) <= {"", "bet/late"}, f"bets were refused: {dict(self.answers)}"
        assert self.answers["bet/late"] == len(self.late_ms), (
            f"{self.report()}; not all of them are in the log"
        )


class Hasty:
    """A player on a bare socket, who reads nothing but answers."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._reading = asyncio.create_task(self._read())

    async def send(self, ask: requests.AnyRequest) -> asyncio.Future[str]:
        """Send a request; the future is the code of the refusal, or nothing."""
        answered = self._answers[ask.id] = asyncio.get_running_loop().create_future()
        await self._socket.send_bytes(codec.encode(ask))
        return answered

    async def _read(self) -> None:
        async for message in self._socket:
            data = message.data if isinstance(message.data, bytes) else message.data.encode()
            if data.startswith(b'{"type":"answer"'):
                told = msgspec.json.decode(data)
                answered = self._answers.pop(told["id"], None)
                if answered is not None:
                    answered.set_result(told["error"]["code"] if told["error"] else "")

    async def end(self) -> None:
        """Go."""
        self._reading.cancel()
        await self._socket.close()


async def rush(folder: Path, url: str, players: int, first: float = FIRST) -> Rush:
    """Bring so many players to a table, and let all of them bet just before the close."""
    furnish(folder, {"crowd": "majority-us"}, betting=15)
    found, gate = Rush(), asyncio.Semaphore(_AT_ONCE)
    async with process(folder, url) as (address, _), open_session() as session:

        async def come_in() -> Hasty:
            async with gate:
                token = await demo_token(session, address, bot=True)
                headers = {"Authorization": f"Bearer {token}"}
                socket = await session.ws_connect(
                    f"{address}/api/v1/socket", headers=headers, protocols=(codec.SUBPROTOCOL,)
                )
                hasty = Hasty(socket)
                for ask in (
                    requests.Enter("enter", TABLE),
                    requests.Sit("sit", TABLE, 10_000),
                    requests.ConsentRequest("consent", TABLE, True, True),
                ):
                    assert await (await hasty.send(ask)) == ""
                return hasty

        crowd = await asyncio.gather(*(come_in() for _ in range(players)))
        async with PlayerClient(address, await demo_token(session, address, bot=True), session) as clock:
            await clock.enter(TABLE)
            state = clock.tables[TABLE]
            while state.live is None or state.live.phase != "betting" or (clock.left(TABLE) or 0) < 3:
                await asyncio.sleep(0.05)
            close = time.monotonic() + (state.live.until or 0) / 1000 - time.time()  # one machine, one clock
            ask, answers = requests.PlaceBetsRequest("bet", TABLE, state.round, (Bet(0, "main", 100),)), []
            await asyncio.sleep(close - first - time.monotonic())
            for hasty in crowd:  # one after the other, without a look at what comes in
                if time.monotonic() > close - LAST:
                    break  # this machine is too slow for more
                answers.append(await hasty.send(ask))
            found.sent, found.last = len(answers), close - time.monotonic()
            found.answers.update(await asyncio.gather(*answers))
        for hasty in crowd:
            await hasty.end()
    await asyncio.to_thread(check_books, folder, url)
    found.late_ms = _late_ms(url)
    return found


def _late_ms(url: str) -> list[int]:
    """What the log says of the bets refused as late."""
    database = Database(url)
    query = sqlalchemy.select(schema.log.c.body).where(schema.log.c.kind == "late-bet")
    with database.reading() as connection:
        bodies = connection.execute(query).scalars().all()
    database.close()
    return [msgspec.json.decode(bytes(body))["detail"]["late_ms"] for body in bodies]


def main() -> None:
    """A crowd, as large as asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.live.closing", description=__doc__)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument(
        "--first", type=float, default=FIRST, help="seconds before the close of the first bet"
    )
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory(prefix="sabot-closing-") as folder:
        found = uvloop.run(rush(Path(folder), f"sqlite:///{folder}/sabot.db", asked.players, asked.first))
    print(found.report(), flush=True)
    found.check()


if __name__ == "__main__":
    main()
