"""What a request was answered, for the player who asks again (contract: same id, same contents, same answer)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.store import schema
from sabot.store.errors import StoreError
from sabot.store.unit import Request, decode_body

_EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])


class Answer(NamedTuple):
    """The row that answered a request: where it stands, and the events it made."""

    stream: int
    n: int
    round: str | None
    events: tuple[AnyEvent, ...]


def find_answer(connection: Connection, request: Request) -> Answer | None:
    """The answer a request was given, if it was; the same id for other contents is refused."""
    log = schema.log.c
    query = sqlalchemy.select(log.stream, log.n, log.round, log.digest, log.body).where(
        log.player == request.player, log.request == request.id
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    if row.digest != request.digest:
        raise StoreError("command/reused", id=request.id)
    events = decode_body(row.body).events
    found = _EVENTS.decode(events) if isinstance(events, msgspec.Raw) else ()
    return Answer(row.stream, row.n, row.round, found)
