"""This process among the nodes of its house: its lease, and the nodes that it finds dead (CLU-03).

A node renews its lease every two seconds, by the database's clock. A lease that has run out kills nobody: another node,
whose own renewals are quick, must find it dead, and dead it stays. So nothing moves while the database is away and all
leases run out together.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import msgspec
import sqlalchemy
from sqlalchemy import BigInteger

from sabot.store import schema
from sabot.store.database import Database
from sabot.store.ids import SMALLEST_BLOCK, reserve
from sabot.store.nodes.joining import ANYONE, SLOTS, JoinRule
from sabot.store.nodes.node import (
    LIVING,
    NAMES,
    POSTGRES_NOW,
    BuriedError,
    Node,
    NodeError,
    TakenError,
    living_nodes,
    node_of,
)

#: How long a node is held alive after a renewal, and how often it renews.
LEASE_MS = 6_000
RENEWALS_PER_LEASE = 3
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

#: Changes the row of a node, unless it was found dead; gives the end of its lease.
_OWN = (
    sqlalchemy.update(schema.nodes)
    .where(schema.nodes.c.id == sqlalchemy.bindparam("me"), schema.nodes.c.dead_at.is_(None))
    .returning(schema.nodes.c.until)
)


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
        self._now: Any = POSTGRES_NOW
        if shared:
            self._now = sqlalchemy.bindparam("now", callable_=database_clock or clock, type_=BigInteger)
        streams, nodes = schema.streams.c, schema.nodes.c
        owned = (streams.owner == nodes.id) & streams.name.in_(NAMES)
        self._look = LIVING.add_columns(
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
            is_full = len(living_nodes(connection)) >= rule.most
            connection.execute(self._bury(sqlalchemy.true() if is_full else nodes.name == name))
            living = living_nodes(connection)
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
            return living_nodes(connection)

    def look(self, names: Collection[str]) -> tuple[list[Node], dict[str, int | None]]:
        """Find those dead whose lease has run out; then the nodes that live, and the owners of streams of these names."""
        rows = self._rows(names)
        if any(row.is_late for row in rows) and self.bury():
            rows = self._rows(names)
        living = {row.id: row for row in rows}
        owners = {row.stream: row.id for row in rows if row.stream is not None}
        return [node_of(row) for row in living.values()], dict.fromkeys(names) | owners

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
