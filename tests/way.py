"""The way of a request through the house: `python -m tests.way` lists each file that a hit and a vote pass.

A file is on the way if the house calls one of its functions. A coroutine that only goes on does not count: the handler
of an open socket, and what is around it, waits for the next frame and does nothing with this one.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from unittest.mock import patch

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.server import app, metrics
from sabot.server.tables import lobby
from sabot.store.database import Database
from tests.support.databases import sqlite_url
from tests.support.hall import MAJORITY, Hall, open_hall
from tests.support.shoes import StackedShoes

_SOURCES = str(Path(__file__).parents[1] / "src" / "sabot") + "/"
_CLIENT = _SOURCES + "client/"


class Way:
    """Files of the house in the order of their first call, while it is noted."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self._notes = False
        threading.setprofile(self._call)  # also for the threads of the house, which begin later

    def _call(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        of_house = self._notes and event == "call" and name.startswith(_SOURCES)
        if of_house and _begins(frame) and not _is_of_client(frame):
            self.files[name.removeprefix(_SOURCES)] = None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note the calls of every thread."""
        self.files.clear()
        self._notes = True
        sys.setprofile(self._call)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._notes = False


def _begins(frame: FrameType) -> bool:
    """Whether a frame is called, and not resumed: `RESUME` has an argument where a coroutine goes on."""
    return frame.f_code.co_code[frame.f_lasti + 1] == 0


def _is_of_client(frame: FrameType) -> bool:
    """Whether a call comes from the client in the same process, and not from the house."""
    caller: FrameType | None = frame
    while caller is not None and not caller.f_code.co_filename.startswith(_CLIENT):
        caller = caller.f_back
    return caller is not None


async def hit(hall: Hall, way: Way) -> None:
    """A hit at a solo table."""
    client = await hall.at(await hall.member("ada"), "live/two", bring=0)
    table = await client.open("surrender")
    await client.sit(table, 10_000)
    await client.deal(table, [Bet(0, "main", 500)])
    await client.decide(table, "hit")  # whatever is done once only is not on the way of the next
    with way.noted():
        await client.decide(table, "hit")


async def vote(hall: Hall, way: Way) -> None:
    """A vote at a table with boxes, one of three."""
    table, clients = "live/two", list[PlayerClient]()
    for name in ("bob", "carla", "dora"):
        clients.append(await hall.at(await hall.member(name), table))
        await clients[-1].consent(table, double=True, split=True)
    await hall.until(table, "betting")
    for client in clients:
        await client.bet(table, [Bet(0, "main", 500)])
    await hall.until(table, "decisions")
    with way.noted():
        await clients[0].vote(table, "hit")


@contextmanager
def nothing_by_the_way() -> Iterator[None]:
    """What the house does every second or minute, it does not do now: it would be taken for a part of the way."""
    rarely = 3_600.0
    with (
        patch.object(lobby, "LOBBY_SECONDS", rarely),
        patch.object(metrics, "_EVERY", rarely),
        patch.object(app, "SWEEP", rarely),
    ):
        yield


async def ways() -> dict[str, list[str]]:
    """The files of both ways, in the order of their first call."""
    way, found = Way(), dict[str, list[str]]()
    try:
        for request in (hit, vote):
            with TemporaryDirectory() as folder, nothing_by_the_way():
                database = Database(sqlite_url(Path(folder) / "house.db"))
                async with open_hall(database, StackedShoes("5 9 4 8 2 3 4 5"), MAJORITY) as hall:
                    await request(hall, way)
                    found[request.__name__] = list(way.files)
    finally:
        threading.setprofile(None)
    return found


if __name__ == "__main__":
    for name, files in asyncio.run(ways()).items():
        print(f"{name}: {len(files)} files", *files, sep="\n  ")
