"""The nodes of a house as the database has them: who lives, and which of them owns a stream."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.store import schema
from sabot.store.database import DatabaseError

#: Now, by the clock of PostgreSQL, in milliseconds.
POSTGRES_NOW: Any = sqlalchemy.literal_column("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")

#: Names of streams, as a parameter; nodes that live; who owns a stream.
NAMES: Any = sqlalchemy.bindparam("names", expanding=True)
LIVING = sqlalchemy.select(schema.nodes).where(schema.nodes.c.dead_at.is_(None)).order_by(schema.nodes.c.slot)
_OWNERS = (
    sqlalchemy.select(schema.streams.c.name, schema.streams.c.owner)
    .join_from(schema.streams, schema.nodes, schema.streams.c.owner == schema.nodes.c.id)
    .where(
        schema.streams.c.name.in_(NAMES),
        schema.nodes.c.dead_at.is_(None),
    )
)


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


def living_nodes(connection: Connection) -> list[Node]:
    """The nodes that are not dead, by slot."""
    return [node_of(row) for row in connection.execute(LIVING)]


def node_of(row: Any) -> Node:
    """The node of a row."""
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
        now = connection.execute(sqlalchemy.select(POSTGRES_NOW)).scalar_one()
    living = living_nodes(connection)
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
