"""Random evenings at a live table, as they are told: to everyone in frames, and to each page its player's own part."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from sabot.protocol import messages
from sabot.server.tables.live import LiveAdapter, live_snapshot
from sabot.store.database import Database
from sabot.tables.config import Dealing
from tests.support.databases import fresh_sqlite
from tests.support.house import VAULT, CountedShoes
from tests.tables.live.at_random.storm import PLAYERS, Storm


class Step(Struct, frozen=True):
    """What was told in one step, and what a page that is opened after it would be told."""

    snapshot: messages.Snapshot
    #: None if the table was opened again: then everyone is shown the snapshot.
    frame: messages.Frame | None
    #: The own parts of players who are there, and of whom something was told to them alone.
    parts: dict[int, messages.OwnPart]
    touched: tuple[int, ...]


def evening(game: str, seed: int, steps: int, dealing: Dealing = "house") -> Iterator[Step]:
    """The steps of a random evening."""
    with fresh_sqlite() as database:
        yield from _steps(database, game, seed, steps, dealing)


def _steps(database: Database, game: str, seed: int, steps: int, dealing: Dealing) -> Iterator[Step]:
    shoes = CountedShoes(VAULT, seed) if seed % 3 == 0 else None  # of these, cards are proved
    storm = Storm(database, game, Random(f"{game} {seed}"), shoes, dealing)
    hall, seq = storm.hall, 0
    hall.forget()

    def parts() -> dict[int, messages.OwnPart]:
        there = (player for player in range(1, PLAYERS + 1) if storm.sockets[player])
        return {player: LiveAdapter(hall.live).me(str(player), 0) for player in there}

    known = parts()
    yield Step(live_snapshot(hall.live, seq), None, known, ())
    for _ in range(steps):
        live = hall.live
        storm.step()
        if hall.live.attendance.changed:
            hall.do(hall.live.show_crowd)
        frame = None
        if hall.live is live:
            seq += 1
            epoch, told = live.table.stream.epoch, tuple(hall.told)
            frame = messages.Frame("live/1", epoch, seq, hall.now, live.play.code, live.play.turn, told)
        before, known = known, parts()
        touched = tuple(player for player in known if player in hall.touched or player not in before)
        hall.forget()
        yield Step(live_snapshot(hall.live, seq), frame, known, touched)
