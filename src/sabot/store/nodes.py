"""Nodes: the processes that serve a house, and which of them owns a stream (CLU-03)."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.store import schema


class Node(Struct, frozen=True):
    """A process that serves the house, from its start to its end; its id is never used again."""

    id: int
    #: A small number that no other living node has.
    slot: int
    name: str


def owners_of(connection: Connection, names: Collection[str]) -> dict[str, int | None]:
    """The node that owns each stream and lives; None for a stream that can be taken."""
    streams, nodes = schema.streams.c, schema.nodes.c
    query = (
        sqlalchemy.select(streams.name, streams.owner)
        .join_from(schema.streams, schema.nodes, streams.owner == nodes.id)
        .where(streams.name.in_(names), nodes.dead_at.is_(None))
    )
    return dict.fromkeys(names) | {row.name: row.owner for row in connection.execute(query)}
