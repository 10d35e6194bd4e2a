"""The store: a database, its one writer, and ids for new things."""

from __future__ import annotations

from concurrent.futures import Future
from itertools import count

import sqlalchemy
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.commit import Committed, Outcome, Refused, Repeated, failure
from sabot.store.database import Database, migrate
from sabot.store.entry import GENESIS, Body, LogEntry, Stream
from sabot.store.facts import StreamOwned
from sabot.store.ids import Ids
from sabot.store.nodes.node import Node
from sabot.store.writer import InlineWriter, Writer


class Store:
    """Reads and writes everything that is stored."""

    def __init__(self, database: Database, writer: Writer | None = None, node: Node | None = None) -> None:
        """Migrate the database; without a writer each entry is written at once, in the caller's thread.

        `node` owns the streams that are taken, and nobody takes them while it lives; those of a store without one are
        free to be taken by all. A node that was buried joins again, and the store goes on with the new one.
        """
        migrate(database)
        self.database = database
        self.writer: Writer = writer or InlineWriter(database)
        self.ids = Ids(database)
        self.node = node
        self._number: int | None = None
        self._taken = count()
        self._accounts: dict[str, int] = {}

    def own_name(self, name: str) -> str:
        """The name of this node's own stream of a kind, `cashier/north`, so that nodes do not fence each other (CLU-11).

        A store without a node, the only one of its house, has `cashier`.
        """
        return name if self.node is None else f"{name}/{self.node.name}"

    def take(self, name: str, at: int) -> Stream:
        """Become the owner of a stream; the owner before is fenced (ASR-23).

        `stream/owned` if another node owns it and lives; `node/buried` if this one is taken for dead (CLU-03).
        """
        owned = StreamOwned(name, self._owner(), next(self._taken))
        while True:
            stream = self._stream(name)
            stream.epoch += 1
            entry = stream.entry(at, "stream-owned", Body(facts=(owned,)))
            outcome = self.write(entry)
            if isinstance(outcome, Committed):
                return stream
            if not (isinstance(outcome, Refused) and outcome.code == "stream/fenced"):
                raise failure(outcome)

    def release(self, stream: Stream) -> bool:
        """Give a stream up, so that anyone may take it; false if another has it already. Write nothing after it."""
        streams = schema.streams.c
        give_up = (
            sqlalchemy.update(schema.streams)
            .where(streams.id == stream.id, streams.owner == self._owner(), streams.epoch == stream.epoch)
            .values(owner=None)
        )
        with self.database.writing() as connection:
            return connection.execute(give_up).rowcount == 1

    def release_named(self, name: str) -> None:
        """Give a stream up that this node owns and does not use."""
        streams = schema.streams.c
        give_up = sqlalchemy.update(schema.streams).where(
            streams.name == name, streams.owner == self._owner()
        )
        with self.database.writing() as connection:
            connection.execute(give_up.values(owner=None))

    def _owner(self) -> int:
        """The node's id, or a number that no node has."""
        if self.node is not None:
            return self.node.id
        if self._number is None:
            self._number = self.ids.take("owner")
        return self._number

    def _stream(self, name: str) -> Stream:
        """The stream of a name, made if there is none."""
        table = schema.streams
        query = sqlalchemy.select(table).where(table.c.name == name)
        with self.database.reading() as connection:
            found = connection.execute(query).first()
        if found is None:
            make = (sqlite if self.database.is_sqlite else postgresql).insert(table)
            new = {"id": self.ids.take("stream"), "name": name, "epoch": 0, "n": 0, "head": GENESIS}
            with self.database.writing() as connection:
                connection.execute(make.on_conflict_do_nothing(), new)
                found = connection.execute(query).one()
        return Stream(found.id, found.name, found.epoch, found.n)

    def write(self, entry: LogEntry) -> Outcome:
        """Store an entry and wait for its outcome."""
        future: Future[Outcome] = Future()
        self.writer.submit(entry, future.set_result)
        return future.result()

    def store(self, entry: LogEntry) -> Committed | Repeated:
        """Store an entry; `Refusal` if it is refused."""
        outcome = self.write(entry)
        if isinstance(outcome, Committed | Repeated):
            return outcome
        raise failure(outcome)

    def append(self, stream: Stream, entry: LogEntry) -> bool:
        """Store the next entry of a stream, and say whether it was new; a refused or repeated one leaves its place."""
        try:
            outcome = self.store(entry)
        except Refusal:
            stream.n -= 1
            raise
        repeated = isinstance(outcome, Repeated)
        if repeated:
            stream.n -= 1
        return not repeated

    def find_account(self, name: str) -> int | None:
        """The id of an account, if there is one."""
        if name not in self._accounts:
            query = sqlalchemy.select(schema.accounts.c.id).where(schema.accounts.c.name == name)
            with self.database.reading() as connection:
                found = connection.execute(query).scalar()
            if found is None:
                return None
            self._accounts[name] = found
        return self._accounts[name]

    def account(self, name: str) -> int:
        """The id of an account."""
        found = self.find_account(name)
        if found is None:
            raise Refusal("account/unknown", account=name)
        return found
