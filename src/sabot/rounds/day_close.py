"""The books of a day: stakes and payments per game and currency, and the row that closes a day for good.

A day is a day of UTC, and a round belongs to the day it ended on. Closing a day appends its sums to the stream `house`,
with the ends of all streams as anchors: from then on no change of either goes unseen. The sums leave bots out, because
they show what a game returned to people; the ledger has everything.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import msgspec
import sqlalchemy
from msgspec import Raw, Struct
from sqlalchemy import Connection, func

from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.store import schema
from sabot.store.audit import Anchor
from sabot.store.commit import Repeated
from sabot.store.database import Database
from sabot.store.entry import Body, RequestKey, decode_body
from sabot.store.store import Store

HOUSE = "house"
KIND = "day-closed"
#: Number of the house, in place of a player.
_NOBODY = 0
#: Time after midnight in which rounds of the day before may still be stored.
GRACE_MS = 60_000
_DAY_MS = 86_400_000


class DayLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A game in one currency on one day: all rounds, also those of bots, and people's stakes and payments."""

    game: str
    currency: str
    rounds: int
    voided: int
    staked: int
    paid: int

    @property
    def hold(self) -> int:
        """The part of people's stakes that the house kept; below zero if it lost."""
        return self.staked - self.paid

    @property
    def held(self) -> float | None:
        """The hold as a fraction of the stakes; None without any."""
        return self.hold / self.staked if self.staked else None

    @property
    def published(self) -> float | None:
        """The return of the game's regulation, a fraction of the stakes."""
        game = CATALOGUE.get(self.game)
        return None if game is None else game.published_return("main")


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the row that closes a day."""

    day: str
    lines: tuple[DayLine, ...]
    anchors: dict[str, Anchor]


class ClosedDay(NamedTuple):
    """A closed day, and when it was closed."""

    at: int
    closing: Closing


class DayChangedError(Exception):
    """A day was closed with other sums than its rounds have now."""

    def __init__(self, day: date, was: Sequence[DayLine], now: Sequence[DayLine]) -> None:
        super().__init__(f"{day}: closed with {was}, now {now}")
        self.day = day
        self.was = tuple(was)
        self.now = tuple(now)

    @property
    def changes(self) -> list[tuple[DayLine | None, DayLine | None]]:
        """Each line that differs: as it was closed, and as it is now."""
        was, now = ({(line.game, line.currency): line for line in lines} for lines in (self.was, self.now))
        keys = sorted(was.keys() | now.keys())
        return [(was.get(key), now.get(key)) for key in keys if was.get(key) != now.get(key)]


def day_sums(connection: Connection, day: date) -> tuple[DayLine, ...]:
    """The books of a day, by game and currency."""
    rounds, played, profiles = schema.rounds.c, schema.played.c, schema.profiles.c
    by_people = played.player.not_in(sqlalchemy.select(profiles.player).where(profiles.bot))
    begin, end = _bounds(day)
    of_day = (rounds.closed_at >= begin, rounds.closed_at < end)
    settled = func.count().filter(rounds.state == "settled")
    voided = func.count().filter(rounds.state == "voided")
    counts = (
        sqlalchemy.select(rounds.game, rounds.currency, settled, voided)
        .where(*of_day)
        .group_by(rounds.game, rounds.currency)
    )
    money = (
        sqlalchemy.select(rounds.game, rounds.currency, func.sum(played.staked), func.sum(played.paid))
        .join_from(schema.rounds, schema.played, played.code == rounds.code)
        .where(*of_day, rounds.state == "settled", by_people)
        .group_by(rounds.game, rounds.currency)
    )
    sums = {(game, currency): (int(a), int(b)) for game, currency, a, b in connection.execute(money)}
    lines = [
        DayLine(game, currency, ended, void, *sums.get((game, currency), (0, 0)))
        for game, currency, ended, void in connection.execute(counts)
    ]
    return tuple(sorted(lines, key=lambda line: (line.currency, line.game)))


def closed_day(connection: Connection, day: date) -> ClosedDay | None:
    """How a day was closed, if it was."""
    log = schema.log.c
    query = sqlalchemy.select(log.at, log.body).where(log.player == _NOBODY, log.request == _request_id(day))
    found = connection.execute(query).first()
    if found is None:
        return None
    detail = decode_body(found.body).detail
    return ClosedDay(found.at, msgspec.json.decode(detail, type=Closing))  # type: ignore[arg-type]  # every such row has one


def check_day(connection: Connection, day: date) -> ClosedDay | None:
    """How a day was closed, if it was; `DayChangedError` if its rounds have other sums now."""
    closed = closed_day(connection, day)
    if closed is not None:
        now = day_sums(connection, day)
        if closed.closing.lines != now:
            raise DayChangedError(day, closed.closing.lines, now)
    return closed


def close_day(database: Database, day: date, at: int) -> ClosedDay:
    """Close a day that is over; closing it again gives the same answer and writes nothing."""
    if at < _bounds(day)[1] + GRACE_MS:
        raise Refusal("day/not-over", day=day.isoformat())
    store = Store(database)
    while True:
        with database.reading() as connection:
            closed = check_day(connection, day)
            if closed is not None:
                return closed
            closing = Closing(day.isoformat(), day_sums(connection, day), _anchors(connection))
        request = RequestKey.of(_NOBODY, _request_id(day), closing.day, closing.lines)
        body = Body(detail=Raw(msgspec.json.encode(closing)))
        try:
            outcome = store.store(store.take(HOUSE, at).entry(at, KIND, body, request=request))
            if not isinstance(outcome, Repeated):
                return ClosedDay(at, closing)
        except Refusal as error:
            if error.code not in ("stream/fenced", "command/reused"):
                raise
        # Another process closed a day in the meantime: look again.


def _request_id(day: date) -> str:
    return f"{KIND}/{day.isoformat()}"


def _anchors(connection: Connection) -> dict[str, Anchor]:
    """The ends of all streams."""
    streams = schema.streams.c
    query = sqlalchemy.select(streams.name, streams.n, streams.head).order_by(streams.id)
    return {name: Anchor(n, bytes(head).hex()) for name, n, head in connection.execute(query) if n}


def _bounds(day: date) -> tuple[int, int]:
    """The first moment of a day, and of the next."""
    begin = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000
    return begin, begin + _DAY_MS


def day_before(at: int) -> date:
    """The last day that is over at a moment.

    >>> day_before(1_788_000_000_000).isoformat()
    '2026-08-28'
    """
    return datetime.fromtimestamp(at / 1000, UTC).date() - timedelta(days=1)
