"""Nodes: the processes that serve a house, who of them lives, and which of them owns a stream (CLU-03).

A node renews its lease every two seconds, by the database's clock. A lease that has run out kills nobody: another node,
whose own renewals are quick, must find it dead, and dead it stays. So nothing moves while the database is away and all
leases run out together.
"""

from __future__ import annotations

import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import BigInteger, Connection
from sqlalchemy.dialects import postgresql, sqlite

from sabot.store import schema
from sabot.store.database import Database, DatabaseError
from sabot.store.ids import SMALLEST_BLOCK, reserve

#: How long a node is held alive after a renewal, and how often it renews.
LEASE_MS = 6_000
RENEWALS_PER_LEASE = 3
#: Slots of living nodes; a slot is a letter of game codes.
SLOTS = 32
#: Seconds that a transaction about nodes may take.
PATIENCE = 2.0
#: Who finds others dead has made so many renewals in a row, each within so many seconds.
_RENEWALS, _QUICK = 4, 1.0
#: Seconds between two looks at a node that may be dead.
_LOOK = 0.25
#: Advisory lock of joining on PostgreSQL.
_JOIN_LOCK = 7_245_302

#: The name under which tools write, in streams of their own.
CONSOLE = "console"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_RELEASE = re.compile(r"(\d+)\.(\d+)")

#: Now, by the clock of PostgreSQL, in milliseconds.
_POSTGRES_NOW: Any = sqlalchemy.literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")

_NAMES: Any = sqlalchemy.bindparam("names", expanding=True)
_LIVING = (
    sqlalchemy.select(schema.nodes).where(schema.nodes.c.dead_at.is_(None)).order_by(schema.nodes.c.slot)
)
_OWNERS = (
    sqlalchemy.select(schema.streams.c.name, schema.streams.c.owner)
    .join_from(schema.streams, schema.nodes, schema.streams.c.owner == schema.nodes.c.id)
    .where(
        schema.streams.c.name.in_(_NAMES),
        schema.nodes.c.dead_at.is_(None),
    )
)

#: Changes the row of a node, unless it was found dead; gives the end of its lease.
_OWN = (
    sqlalchemy.update(schema.nodes)
    .where(schema.nodes.c.id == sqlalchemy.bindparam("me"), schema.nodes.c.dead_at.is_(None))
    .returning(schema.nodes.c.until)
)

_HOUSE_ID, _VAULT = "id", "vault"


class Node(Struct, frozen=True):
    """A process that serves the house, from its start to its end; its id is never used again."""

    id: int
    #: A small number that no other living node has.
    slot: int
    name: str
    release: str = ""
    #: A digest of what nodes must have in common.
    settings: str = ""
    #: The end of its lease, by the database's clock.
    until: int = 0
    draining: bool = False
    load: dict[str, float] = {}


class NodeError(DatabaseError):
    """A process that may not serve this house; the message says why."""


class TakenError(NodeError):
    """Another node stands in the way; it lives, or its lease has not run out yet."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.node = node


class BuriedError(Exception):
    """Another node has found this one dead; it can join again, as a new node."""


class JoinRule(Struct, frozen=True):
    """Which processes may serve a house together; a mistake is refused with what would be right."""

    #: How many, and what to do for more of them.
    most: int = SLOTS
    more: str = ""
    #: Settings that are the same at all of them, by name.
    common: dict[str, str] = {}

    def check(self, connection: Connection, living: Sequence[Node], name: str, release: str) -> None:
        """`TakenError` if a process may not join those that live; one that is the first settles what they have in common."""
        for node in living:
            if node.name == name:
                raise TakenError(
                    f"a node named {name!r} serves this house already: give each node a name of its own", node
                )
        if len(living) >= self.most < SLOTS:
            names = ", ".join(repr(node.name) for node in living)
            verb = "serves this database" if self.most == 1 else "serve this house"
            raise TakenError(f"{names} {verb} already: {self.more}", min(living, key=lambda node: node.until))
        for node in living:
            if not _are_adjacent(node.release, release):
                raise TakenError(
                    f"node {node.name!r} is of release {node.release}, this one of {release}: only adjacent releases"
                    " serve a house together",
                    node,
                )
        for key, value in self.common.items():
            found = _settle(connection, key, value)
            if found != value and living:
                raise TakenError(
                    f"node {living[0].name!r} serves this database with {key} = {found!r}, this one has {value!r}:"
                    " two houses need two databases, and one house the same settings",
                    living[0],
                )
            if found != value:
                _change(connection, key, value)


#: Any number of nodes, whatever their settings.
ANYONE = JoinRule()


class Membership:
    """This process among the nodes of its house. Its connection is its own, so it never waits for the writer."""

    def __init__(
        self,
        database: Database,
        *,
        lease_ms: int = LEASE_MS,
        patience: float = PATIENCE,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        monotonic: Callable[[], float] = time.monotonic,
        database_clock: Callable[[], int] | None = None,
    ) -> None:
        """`patience` is how many seconds a transaction may take; `database_clock` is the clock of SQLite, which has none."""
        shared = database.is_sqlite
        url = database.url.render_as_string(hide_password=False)
        self._database = database if shared else Database(url, deadline=patience)
        self.lease_ms = lease_ms
        self._clock, self._monotonic = clock, monotonic
        #: Now, by the database's clock, in milliseconds, and the statement that looks at nodes and owners.
        self._now: Any = _POSTGRES_NOW
        if shared:
            self._now = sqlalchemy.bindparam("now", callable_=database_clock or clock, type_=BigInteger)
        streams, nodes = schema.streams.c, schema.nodes.c
        owned = (streams.owner == nodes.id) & streams.name.in_(_NAMES)
        self._look = _LIVING.add_columns(
            (nodes.until < self._now).label("is_late"), streams.name.label("stream")
        ).join_from(schema.nodes, schema.streams, owned, isouter=True)
        self._renewal = _OWN.values(until=self._until(), load=sqlalchemy.bindparam("packed"))
        #: This node, once it has joined.
        self.node: Node | None = None
        #: When the last renewal that succeeded was begun, by `monotonic`.
        self.renewed_at = 0.0
        #: The database's clock minus this machine's, in milliseconds.
        self.offset_ms = 0
        #: Seconds of the last renewals.
        self._took: deque[float] = deque(maxlen=_RENEWALS)

    # Coming and going

    def join(self, name: str, release: str, settings: str, rule: JoinRule = ANYONE) -> Node:
        """Become a node; `TakenError` if one of this name has a lease, or the rule does not let it join the others.

        Nodes in the way whose lease has run out are found dead.
        """
        if not _NAME.fullmatch(name) or name == CONSOLE:
            raise NodeError(
                f"{name!r} is no name of a node: write letters, digits and . _ -, and not {CONSOLE!r}"
            )
        nodes = schema.nodes.c
        began = self._monotonic()
        with self._database.writing_in_time() as connection:
            if not self._database.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_JOIN_LOCK})")
            is_full = len(_living(connection)) >= rule.most
            connection.execute(self._bury(sqlalchemy.true() if is_full else nodes.name == name))
            living = _living(connection)
            rule.check(connection, living, name, release)
            slot = min(set(range(SLOTS)) - {node.slot for node in living}, default=None)
            if slot is None:
                raise NodeError(f"{SLOTS} nodes serve this house already, and more it cannot have")
            id = reserve(connection, "owner") - SMALLEST_BLOCK
            cells = (id, name, slot, release, settings, self._until(), None, False, "{}")
            until = connection.execute(
                sqlalchemy.insert(schema.nodes).values(cells).returning(nodes.until)
            ).scalar_one()
        self._took.clear()
        self.renewed_at = began
        self.node = Node(id, slot, name, release, settings, until)
        return self.node

    def claim(
        self,
        name: str,
        release: str,
        settings: str,
        rule: JoinRule = ANYONE,
        *,
        wait: Callable[[float], object] = time.sleep,
    ) -> Node:
        """Join, and wait for the end of a lease in the way: its node was killed, unless it renews (`TakenError`)."""
        leases: dict[int, int] = {}
        while True:
            try:
                return self.join(name, release, settings, rule)
            except TakenError as error:
                other = error.node
                if leases.setdefault(other.id, other.until) != other.until:
                    raise
                wait(_LOOK)

    def renew(self, load: Mapping[str, float] | None = None) -> int:
        """Renew the lease; returns its end. `BuriedError` if this node was found dead."""
        began, sent = self._monotonic(), self._clock()
        packed = msgspec.json.encode(load or {}).decode()
        took, self._took = self._took, deque(maxlen=_RENEWALS)  # after a renewal that fails it is not healthy
        until = self._change_own(self._renewal, {"packed": packed})
        took.append(self._monotonic() - began)
        self._took, self.renewed_at = took, began
        self.offset_ms = until - self.lease_ms - (sent + self._clock()) // 2
        return until

    def drain(self) -> None:
        """Say that this node takes no more tables. `BuriedError` if it was found dead."""
        self._change_own(_OWN.values(draining=True))

    def leave(self) -> None:
        """End: everything that this node owns can be taken at once."""
        with suppress(BuriedError):
            self._change_own(_OWN.values(dead_at=self._now))
        self.node = None

    def close(self) -> None:
        """Close the connection of its own."""
        if not self._database.is_sqlite:
            self._database.close()

    @property
    def is_sure(self) -> bool:
        """Whether no other node can have found this one dead; after two thirds of a lease it may soon."""
        return self._monotonic() - self.renewed_at < self.lease_ms / 1500

    # The others

    @property
    def is_healthy(self) -> bool:
        """Whether the last renewals were quick, so that a lease that has run out says something of the other node."""
        return len(self._took) == _RENEWALS and max(self._took) < _QUICK

    def bury(self) -> list[int]:
        """Find those dead whose lease has run out; nobody while this node is not healthy itself. Returns their ids."""
        if self.node is None or not self.is_healthy:
            return []
        own = schema.nodes.alias().c
        is_alive = sqlalchemy.exists().where(own.id == self.node.id, own.dead_at.is_(None))
        with self._database.stating_in_time() as connection:
            found = connection.execute(self._bury(is_alive).returning(schema.nodes.c.id))
            return sorted(found.scalars())

    def living(self) -> list[Node]:
        """The nodes that are not dead, by slot."""
        with self._database.stating_in_time() as connection:
            return _living(connection)

    def look(self, names: Collection[str]) -> tuple[list[Node], dict[str, int | None]]:
        """Find those dead whose lease has run out; then the nodes that live, and the owners of streams of these names."""
        rows = self._rows(names)
        if any(row.is_late for row in rows) and self.bury():
            rows = self._rows(names)
        living = {row.id: row for row in rows}
        owners = {row.stream: row.id for row in rows if row.stream is not None}
        return [_node(row) for row in living.values()], dict.fromkeys(names) | owners

    # Inside

    def _rows(self, names: Collection[str]) -> Sequence[Any]:
        """The nodes that live, each once for every stream of these names that it owns."""
        with self._database.stating_in_time() as connection:
            return connection.execute(self._look, {"names": list(names)}).all()

    def _bury(self, where: Any) -> Any:
        """The statement that finds those dead whose lease has run out."""
        nodes, now = schema.nodes.c, self._now
        gone = (nodes.until < now, nodes.dead_at.is_(None))
        return sqlalchemy.update(schema.nodes).where(*gone, where).values(dead_at=now)

    def _change_own(self, own: Any, values: Mapping[str, object] = MappingProxyType({})) -> int:
        """Change the row of this node; returns the end of its lease."""
        if self.node is None:
            raise BuriedError
        with self._database.stating_in_time() as connection:
            until = connection.execute(own, {"me": self.node.id, **values}).scalar()
        if until is None:
            self.node = None
            raise BuriedError
        return int(until)

    def _until(self) -> Any:
        return self._now + self.lease_ms


def _living(connection: Connection) -> list[Node]:
    return [_node(row) for row in connection.execute(_LIVING)]


def _node(row: Any) -> Node:
    cells = (row.id, row.slot, row.name, row.release, row.settings, row.until, row.draining)
    return Node(*cells, msgspec.json.decode(row.load, type=dict[str, float]))


def node_names(connection: Connection) -> dict[int, str]:
    """The names of nodes that live, by their ids."""
    nodes = schema.nodes.c
    query = sqlalchemy.select(nodes.id, nodes.name).where(nodes.dead_at.is_(None))
    return dict(connection.execute(query).all())


def releases(connection: Connection) -> set[str]:
    """The releases of the nodes that live."""
    query = sqlalchemy.select(schema.nodes.c.release).where(schema.nodes.c.dead_at.is_(None))
    return set(connection.execute(query).scalars())


def owners_of(connection: Connection, names: Collection[str]) -> dict[str, int | None]:
    """The node that owns each stream and lives; None for a stream that can be taken."""
    rows = connection.execute(_OWNERS, {"names": list(names)}) if names else ()
    return dict.fromkeys(names) | {row.name: row.owner for row in rows}


class NodeState(Struct, frozen=True):
    """A living node as operators see it (CLU-24)."""

    name: str
    slot: int
    release: str
    draining: bool
    #: Milliseconds until its lease ends; below 0 it is late, and may be found dead.
    left_ms: int
    #: The live tables that it owns, and how many solo tables, sockets and milliseconds of lag it says it has.
    tables: tuple[str, ...]
    solo: int
    sockets: int
    lag_ms: int


def node_states(connection: Connection) -> list[NodeState]:
    """The living nodes, by slot."""
    streams = schema.streams.c
    now = time.time_ns() // 1_000_000
    if connection.dialect.name != "sqlite":
        now = connection.execute(sqlalchemy.select(_POSTGRES_NOW)).scalar_one()
    living = _living(connection)
    query = (
        sqlalchemy.select(streams.owner, streams.name)
        .where(streams.owner.in_([node.id for node in living]), streams.name.startswith("live/"))
        .order_by(streams.name)
    )
    owned: dict[int, list[str]] = {node.id: [] for node in living}
    for owner, name in connection.execute(query):
        owned[owner].append(name)
    return [
        NodeState(
            name=node.name,
            slot=node.slot,
            release=node.release,
            draining=node.draining,
            left_ms=node.until - now,
            tables=tuple(owned[node.id]),
            solo=int(node.load.get("solo", 0)),
            sockets=int(node.load.get("sockets", 0)),
            lag_ms=int(node.load.get("lag_ms", 0)),
        )
        for node in living
    ]


# What holds for the whole house


def house_id(database: Database) -> str:
    """The id of the house, made at the first call."""
    with database.writing() as connection:
        return _settle(connection, _HOUSE_ID, secrets.token_hex(8))


def check_vault(database: Database, keys: Sequence[str]) -> None:
    """Check the fingerprints of this node's vault keys, the newest first; the first node's are the house's.

    `NodeError` if the key with which the house seals is not among them, or if there is none and the house has one: so
    make no key file before this has passed. A node with a newer key beside it makes that the house's.
    """
    with database.writing() as connection:
        if not keys:
            found = connection.execute(_find(_VAULT)).scalar()
            if found is not None:
                raise NodeError(
                    f"this node has no vault key: copy the key file of the house, with key {found}"
                )
            return
        found = _settle(connection, _VAULT, keys[0])
        if found not in keys:
            raise NodeError(
                f"the vault key of this node is {keys[0]}, that of the house is {found}: copy the key file of the house"
            )
        if found != keys[0]:
            _change(connection, _VAULT, keys[0])


def _find(name: str) -> Any:
    return sqlalchemy.select(schema.house.c.value).where(schema.house.c.name == name)


def _settle(connection: Connection, name: str, value: str) -> str:
    """What holds for the house: this value, if it has none yet."""
    make = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(schema.house)
    connection.execute(make.on_conflict_do_nothing(), {"name": name, "value": value})
    return str(connection.execute(_find(name)).scalar_one())


def _change(connection: Connection, name: str, value: str) -> None:
    house = schema.house
    connection.execute(house.update().where(house.c.name == name).values(value=value))


def _are_adjacent(one: str, other: str) -> bool:
    """Whether two releases can serve a house together (CLU-22): the same, or the next minor one.

    >>> [_are_adjacent("0.4.1", other) for other in ("0.4.1", "0.4.7", "0.5.0", "0.6.0", "1.4.1", "new")]
    [True, True, True, False, False, False]
    """
    if one == other:
        return True
    found = [_RELEASE.match(release) for release in (one, other)]
    if found[0] is None or found[1] is None:
        return False
    (major, minor), (others_major, others_minor) = (map(int, match.groups()) for match in found if match)
    return major == others_major and abs(minor - others_minor) <= 1
