"""Stores of nodes, as several processes of one house have them."""

from __future__ import annotations

import sqlalchemy

from sabot.store import schema
from sabot.store.database import Database
from sabot.store.nodes.node import Node
from sabot.store.store import Store


def store_of(database: Database, slot: int) -> Store:
    """The store of a new node, whose lease has run out; nobody has found it dead."""
    store = Store(database)
    be_node(store, slot)
    return store


def be_node(store: Store, slot: int) -> None:
    """Make a store that of a new node."""
    store.node = Node(store.ids.take("owner"), slot, f"node-{slot}")
    cells = (store.node.id, store.node.name, slot, "1", "", 0, None, False, "{}")
    with store.database.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.nodes).values(cells))


def bury(store: Store) -> None:
    """Another node has found the store's node dead."""
    table = schema.nodes
    with store.database.writing() as connection:
        connection.execute(table.update().where(table.c.id == id_of(store)).values(dead_at=1))


def id_of(store: Store) -> int:
    """The id of a store's node."""
    assert store.node is not None
    return store.node.id
