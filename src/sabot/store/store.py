"""The store: a database, its one writer, and ids for new things."""

from __future__ import annotations

import sqlalchemy

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.commit import Committed, Outcome, Repeated
from sabot.store.database import Database, migrate
from sabot.store.entry import LogEntry
from sabot.store.ids import Ids
from sabot.store.stream import Stream, failure, take_stream
from sabot.store.writer import InlineWriter, Writer, write


class Store:
    """Reads and writes everything that is stored."""

    def __init__(self, database: Database, writer: Writer | None = None) -> None:
        """Migrate the database; without a writer each entry is written at once, in the caller's thread."""
        migrate(database)
        self.database = database
        self.writer: Writer = writer or InlineWriter(database)
        self.ids = Ids(database)
        self._accounts: dict[str, int] = {}

    def take(self, name: str, at: int) -> Stream:
        """Become the owner of a stream; the owner before is fenced."""
        return take_stream(self.database, self.writer, self.ids, name, at)

    def write(self, entry: LogEntry) -> Outcome:
        """Store an entry and wait for its outcome."""
        return write(self.writer, entry)

    def store(self, entry: LogEntry) -> Committed | Repeated:
        """Store an entry; `Refusal` if it is refused."""
        outcome = self.write(entry)
        if isinstance(outcome, Committed | Repeated):
            return outcome
        raise failure(outcome)

    def append(self, stream: Stream, entry: LogEntry) -> None:
        """Store the next entry of a stream; a refused or repeated one leaves its place to the next."""
        try:
            outcome = self.store(entry)
        except Refusal:
            stream.n -= 1
            raise
        if isinstance(outcome, Repeated):
            stream.n -= 1

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
