"""A stream of the log and its owner, who alone writes its next row."""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.commit import Committed, Outcome, Refused
from sabot.store.database import Database
from sabot.store.entry import GENESIS, Body, LogEntry, RequestKey
from sabot.store.facts import StreamOwned
from sabot.store.ids import Ids
from sabot.store.writer import Writer, write


class Stream:
    """The head of a stream, as its owner knows it."""

    def __init__(self, id: int, name: str, epoch: int, n: int) -> None:
        self.id = id
        self.name = name
        self.epoch = epoch
        self.n = n

    def entry(
        self,
        at: int,
        kind: str,
        body: Body,
        *,
        round: str | None = None,
        request: RequestKey | None = None,
        secrets: dict[int, Any] | None = None,
        guard: RequestKey | None = None,
    ) -> LogEntry:
        """Make the next entry, and advance."""
        self.n += 1
        return LogEntry(
            stream=self.id,
            epoch=self.epoch,
            n=self.n,
            at=at,
            kind=kind,
            body=body,
            round=round,
            request=request,
            guard=guard,
            secrets=secrets or {},
        )


def take_stream(database: Database, writer: Writer, ids: Ids, name: str, at: int) -> Stream:
    """Become the owner of a stream; the owner before is fenced (ASR-23)."""
    owner = ids.take("owner")
    while True:
        stream = _find(database, ids, name)
        stream.epoch += 1
        entry = stream.entry(at, "stream-owned", Body(facts=(StreamOwned(name, owner),)))
        outcome = write(writer, entry)
        if isinstance(outcome, Committed):
            return stream
        if not (isinstance(outcome, Refused) and outcome.code == "stream/fenced"):
            raise failure(outcome)


def failure(outcome: Outcome) -> Refusal:
    """The error for an entry that was not stored."""
    if isinstance(outcome, Refused):
        return Refusal(outcome.code, **outcome.params)
    return Refusal("unit/lost")


def _find(database: Database, ids: Ids, name: str) -> Stream:
    """The stream of a name, made if there is none."""
    table = schema.streams
    query = sqlalchemy.select(table).where(table.c.name == name)
    with database.reading() as connection:
        found = connection.execute(query).first()
    if found is None:
        make = (sqlite if database.is_sqlite else postgresql).insert(table)
        new = {"id": ids.take("stream"), "name": name, "epoch": 0, "n": 0, "head": GENESIS}
        with database.writing() as connection:
            connection.execute(make.on_conflict_do_nothing(), new)
            found = connection.execute(query).one()
    return Stream(found.id, found.name, found.epoch, found.n)
