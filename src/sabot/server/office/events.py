"""Significant events: noted without waiting, stored in batches, searched and exported (OFF-11)."""

import csv
import io
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection, Select
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.protocol.fields import Code, Form, Language, Millis, Name, PageSize, whole
from sabot.reports.render import safe_cell
from sabot.rounds.day_close import GRACE_MS
from sabot.rounds.sums import DAY_MS
from sabot.server.addresses import rate_key
from sabot.server.office.batches import Batches, Write
from sabot.store import schema
from sabot.store.kinds import EventKind, Severity
from sabot.tables.live.timers import Clock
from sabot.texts import Catalogue

_MINUTE_MS = 60_000
#: After the end of a day, how long its events are taken: half of the time until its reports are closed.
_LATE_MS = GRACE_MS // 2
#: Addresses whose failed logins have rows of their own in a minute; those of others are told in one.
MOST_ADDRESSES = 100
#: The accounts that one row of failed logins names at most.
_MOST_NAMED = 20
#: Lines of an exported file; of more an operator asks for a shorter interval.
MOST_EXPORTED = 100_000


class EventRow(NamedTuple):
    """An event as it is stored."""

    at: int
    id: int
    node: str
    severity: Severity
    kind: EventKind
    player: int | None
    round: str | None
    place: str | None
    address: str | None
    times: int
    detail: bytes


class _Failures:
    """Failed logins from one address beyond the first of a minute; what was typed as a name may be a password."""

    def __init__(self) -> None:
        self.times = self.unknown = 0
        #: Accounts that there are, by number; the first of many.
        self.players = set[int]()

    def add(self, player: int | None) -> None:
        self.times += 1
        if player is None:
            self.unknown += 1
        elif len(self.players) < _MOST_NAMED:
            self.players.add(player)


class Events:
    """Takes the events of a process, on its event loop."""

    def __init__(self, write: Write, clock: Clock, node: Callable[[], str]) -> None:
        self._clock = clock
        self._node = node
        self._batches = Batches(write, self.store)
        #: Failed logins of the present minute that are not stored yet, by address.
        self._failed: dict[str, _Failures] = {}
        self._minute = 0

    def note(self, kind: EventKind, severity: Severity, **about: Any) -> None:
        """Note an event, with the parameters of `row`. Never waits, never raises."""
        self._batches.add(self.row(kind, severity, **about))

    def row(
        self,
        kind: EventKind,
        severity: Severity,
        *,
        player: int | None = None,
        round: str | None = None,
        table: str | None = None,
        address: str | None = None,
        times: int = 1,
        at: int | None = None,
        **detail: object,
    ) -> EventRow:
        """An event of now, or of another moment; `detail` is stored as JSON and holds no personal data."""
        return EventRow(
            self._clock.wall_ms() if at is None else at,
            secrets.randbits(40),
            self._node(),
            severity,
            kind,
            player,
            round,
            table,
            address,
            times,
            msgspec.json.encode(detail),
        )

    def login_failed(self, address: str, player: int | None) -> None:
        """Note a failed login; more from the same address in the same minute are told in one row."""
        self._tell_failed()
        key = rate_key(address)
        if key in self._failed or len(self._failed) >= MOST_ADDRESSES:
            self._failed.setdefault(key if key in self._failed else "", _Failures()).add(player)
        else:
            self._failed[key] = _Failures()
            about = {"unknown": 1} if player is None else {}
            self.note("login-failed", "info", player=player, address=address, **about)

    def _tell_failed(self) -> None:
        """Note what was counted in a minute that is over."""
        minute = self._clock.wall_ms() // _MINUTE_MS
        if minute != self._minute:
            for address, more in self._failed.items():
                if more.times:
                    about: dict[str, Any] = {"players": sorted(more.players)} if more.players else {}
                    about |= {"unknown": more.unknown} if more.unknown else {}
                    self.note("login-failed", "warning", address=address or None, times=more.times, **about)
            self._failed, self._minute = {}, minute

    def store(self, connection: Connection, rows: list[EventRow]) -> None:
        """Add events; one that is there already is left alone."""
        store_events(connection, rows, self._clock.wall_ms())

    async def flush(self) -> None:
        """Store what waits, and what was counted in minutes that are over."""
        self._tell_failed()
        await self._batches.flush()

    async def close(self) -> None:
        """Store everything."""
        self._minute = 0
        await self.flush()


def store_events(connection: Connection, rows: list[EventRow], now: int) -> None:
    """Add events; one that is there already is left alone."""
    table = schema.events
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    connection.execute(insert.on_conflict_do_nothing(), [_in_open_day(row, now)._asdict() for row in rows])


def _in_open_day(row: EventRow, now: int) -> EventRow:
    """An event; one that comes after the books of its day were closed is of the day on which it comes (OFF-22)."""
    if now < (row.at // DAY_MS + 1) * DAY_MS + _LATE_MS:
        return row
    detail = msgspec.json.decode(row.detail) | {"happened": iso_moment(row.at)}
    return row._replace(at=now // DAY_MS * DAY_MS, detail=msgspec.json.encode(detail))


def iso_moment(at: int) -> str:
    """A moment as ISO-8601, to the millisecond."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Searching

#: The place of an event in the order of time: its id on the wire.
EventId = Annotated[str, Meta(pattern=whole("[0-9]{1,16}-[0-9]{1,13}", "the id of an event"))]


class EventFilter(Form, frozen=True, kw_only=True):
    """Which events: what is not given takes all; `table` is a table as the log names it, `live/freebet`."""

    severity: Severity | None = None
    kind: EventKind | None = None
    player: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None
    round: Code | None = None
    table: Name | None = None
    since: Millis | None = None
    until: Millis | None = None
    order: Literal["newest", "oldest"] = "newest"


class EventsFileQuery(EventFilter, frozen=True, kw_only=True):
    """All events as a file."""

    lang: Language = "it"


class EventsQuery(EventFilter, frozen=True, kw_only=True):
    """A page of events after one of them."""

    after: EventId | None = None
    limit: PageSize = 50


class OfficeEvent(Struct, frozen=True):
    """A significant event; `times` counts equal ones that are told in one line."""

    id: EventId
    at: int
    node: str
    severity: Severity
    kind: EventKind
    player: int | None
    name: str | None
    round: str | None
    table: str | None
    address: str | None
    times: int
    detail: dict[str, Any]


class EventsPage(Struct, frozen=True):
    """Events in order of time; `next` is the `after` of the next page."""

    events: tuple[OfficeEvent, ...]
    next: EventId | None


def search_events(connection: Connection, query: EventsQuery) -> EventsPage:
    """A page of events."""
    events = schema.events.c
    wanted = _wanted(query)
    if query.after is not None:
        place = sqlalchemy.tuple_(*map(int, query.after.split("-")))
        key = sqlalchemy.tuple_(events.at, events.id)
        wanted = wanted.where(key < place if query.order == "newest" else key > place)
    found = list(_found(connection, wanted.limit(query.limit + 1)))
    more = len(found) > query.limit
    return EventsPage(tuple(found[: query.limit]), found[query.limit - 1].id if more else None)


class ExportedEvents(NamedTuple):
    """Events as CSV, and whom they name."""

    file: bytes
    players: frozenset[int | None]


def export_events(connection: Connection, filter: EventFilter, texts: Catalogue) -> ExportedEvents:
    """The events as CSV in a language; times are in ISO-8601, details as they are stored."""
    players = set[int | None]()
    text = io.StringIO()
    sheet = csv.writer(text)
    fields = [name for name in OfficeEvent.__struct_fields__ if name != "id"]
    sheet.writerow([texts.named("office.column", "event" if name == "kind" else name) for name in fields])
    found = list(_found(connection, _wanted(filter).limit(MOST_EXPORTED + 1)))
    if len(found) > MOST_EXPORTED:
        raise Refusal("report/too-long", most=MOST_EXPORTED)
    for event in found:
        players.add(event.player)
        cells: dict[str, Any] = {name: getattr(event, name) for name in fields}
        cells |= {
            "at": iso_moment(event.at),
            "severity": texts.named("office.severity", event.severity),
            "kind": texts.named("office.event", event.kind),
            "detail": msgspec.json.encode(event.detail).decode(),
        }
        sheet.writerow(["" if cell is None else safe_cell(str(cell)) for cell in cells.values()])
    return ExportedEvents(text.getvalue().encode(), frozenset(players))


def _wanted(filter: EventFilter) -> Select[Any]:
    events, players = schema.events.c, schema.players.c
    query = sqlalchemy.select(schema.events, players.name.label("name")).join_from(
        schema.events, schema.players, events.player == players.id, isouter=True
    )
    equal = (
        (events.severity, filter.severity),
        (events.kind, filter.kind),
        (events.player, filter.player),
        (events.round, filter.round),
        (events.place, filter.table),
    )
    query = query.where(*(column == value for column, value in equal if value is not None))
    if filter.since is not None:
        query = query.where(events.at >= filter.since)
    if filter.until is not None:
        query = query.where(events.at < filter.until)
    if filter.order == "newest":
        return query.order_by(events.at.desc(), events.id.desc())
    return query.order_by(events.at, events.id)


def _found(connection: Connection, query: Select[Any]) -> Iterator[OfficeEvent]:
    for row in connection.execute(query):
        yield OfficeEvent(
            id=f"{row.at}-{row.id}",
            at=row.at,
            node=row.node,
            severity=row.severity,
            kind=row.kind,
            player=row.player,
            name=row.name,
            round=row.round,
            table=row.place,
            address=row.address,
            times=row.times,
            detail=msgspec.json.decode(row.detail),
        )


def alarms_since(connection: Connection, since: int) -> dict[str, int]:
    """How many warnings and alarms each table had since a moment."""
    events = schema.events.c
    query = (
        sqlalchemy.select(events.place, sqlalchemy.func.count())
        .where(events.at >= since, events.severity != "info", events.place.is_not(None))
        .group_by(events.place)
    )
    return dict(connection.execute(query).all())
