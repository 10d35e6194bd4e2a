"""What is said at live tables: kept for 90 days, readable by the office, then deleted (OFF-15)."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, NamedTuple

import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from sabot.protocol import messages
from sabot.protocol.fields import Form, Millis, Name, PageSize, whole
from sabot.server.accounts.logins import screen_name
from sabot.server.house import House
from sabot.server.office.batches import Batches
from sabot.server.office.players import PlayerNumber
from sabot.store import schema
from sabot.store.kinds import Role
from sabot.store.register import muted_since

KEPT_MS = 90 * 24 * 3_600_000


class _Line(NamedTuple):
    """A line as it is stored, or the mark on one that was removed."""

    said: messages.Said
    removed_at: int | None = None
    removed_by: int | None = None


class ChatArchive:
    """Keeps what is said, without making anyone wait."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._batches = Batches(house.write, _store)

    def keep(self, said: messages.Said) -> None:
        """Keep a line."""
        self._batches.add(_Line(said))

    def mark_removed(self, said: messages.Said, by: int) -> None:
        """Mark a line as removed from the screens; it is kept all the same."""
        self._batches.add(_Line(said, self._house.clock.wall_ms(), by))

    async def last(self, table: str, most: int) -> list[messages.Said]:
        """The last lines of a table that were not removed, oldest first."""
        await self._batches.flush()
        return await self._house.read(partial(_last, table=table, most=most))

    async def muted_since(self, since: int) -> dict[int, int]:
        """Players who were muted after a moment, and until when."""
        return await self._house.read(lambda connection: muted_since(connection, since))

    async def flush(self) -> None:
        """Store what waits."""
        await self._batches.flush()

    async def sweep(self) -> None:
        """Store what waits, and delete what was said more than 90 days ago."""
        await self.flush()
        said, until = schema.said, self._house.clock.wall_ms() - KEPT_MS
        await self._house.write(lambda connection: connection.execute(said.delete().where(said.c.at < until)))


def _store(connection: Connection, rows: list[_Line]) -> None:
    """Add lines, and mark those that were removed."""
    table = schema.said
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    values = [
        {
            "place": said.table,
            "id": said.id,
            "at": said.at,
            "player": int(said.player),
            "role": said.role,
            "line": said.text,
            "removed_at": removed_at,
            "removed_by": removed_by,
        }
        for said, removed_at, removed_by in rows
    ]
    marks = {name: insert.excluded[name] for name in ("removed_at", "removed_by")}
    newer = insert.excluded.removed_at.is_not(None)
    change = insert.on_conflict_do_update(index_elements=["place", "id"], set_=marks, where=newer)
    connection.execute(change, values)


def _last(connection: Connection, table: str, most: int) -> list[messages.Said]:
    said, players = schema.said.c, schema.players.c
    query = (
        sqlalchemy.select(schema.said, players.name)
        .join_from(schema.said, schema.players, said.player == players.id)
        .where(said.place == table, said.removed_at.is_(None))
        .order_by(said.id.desc())
        .limit(most)
    )
    found = connection.execute(query).all()
    return [
        messages.Said(row.place, row.id, str(row.player), screen_name(row.name), row.line, row.at, row.role)
        for row in reversed(found)
    ]


# Reading

#: The place of a line among all that was said.
LineCursor = Annotated[
    str, Meta(pattern=whole("[0-9]{1,16}-[0-9]{1,16}-live/[a-z0-9-]{1,40}", "the cursor of a page"))
]


class TalkQuery(Form, frozen=True, kw_only=True):
    """What was said: at a table (`live/NAME`), by a player, in a time, removed or not; a page before a line."""

    table: Name | None = None
    player: PlayerNumber | None = None
    removed: bool | None = None
    since: Millis | None = None
    until: Millis | None = None
    before: LineCursor | None = None
    limit: PageSize = 50


class KeptLine(Struct, frozen=True):
    """A line that was said; `muted_until` if its player may not write now."""

    id: int
    table: str
    at: int
    player: int
    name: str
    role: Role
    line: str
    removed_at: int | None
    removed_by: int | None
    muted_until: int | None


class Talk(Struct, frozen=True):
    """Lines, newest first; `next` is the `before` of the next page."""

    lines: tuple[KeptLine, ...]
    next: LineCursor | None


def read_talk(connection: Connection, query: TalkQuery, muted: Callable[[int], int | None]) -> Talk:
    """A page of what was said; `muted` tells until when a player may not write."""
    said, players = schema.said.c, schema.players.c
    order = (said.at, said.id, said.place)
    wanted = (
        sqlalchemy.select(schema.said, players.name)
        .join_from(schema.said, schema.players, said.player == players.id)
        .order_by(*(column.desc() for column in order))
        .limit(query.limit + 1)
    )
    conditions = (
        (query.table, lambda table: said.place == table),
        (query.player, lambda player: said.player == player),
        (query.removed, lambda removed: said.removed_at.is_not(None) == removed),
        (query.since, lambda since: said.at >= since),
        (query.until, lambda until: said.at < until),
        (query.before, lambda cursor: sqlalchemy.tuple_(*order) < sqlalchemy.tuple_(*_place(cursor))),
    )
    wanted = wanted.where(*(make(value) for value, make in conditions if value is not None))
    rows = connection.execute(wanted).all()
    lines = tuple(
        KeptLine(
            id=row.id,
            table=row.place,
            at=row.at,
            player=row.player,
            name=row.name,
            role=row.role,
            line=row.line,
            removed_at=row.removed_at,
            removed_by=row.removed_by,
            muted_until=muted(row.player),
        )
        for row in rows[: query.limit]
    )
    more = len(rows) > query.limit
    return Talk(lines, f"{lines[-1].at}-{lines[-1].id}-{lines[-1].table}" if more else None)


def _place(cursor: str) -> tuple[int, int, str]:
    at, id, table = cursor.split("-", 2)
    return int(at), int(id), table
