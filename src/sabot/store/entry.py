"""Log entries, and the streams of the log that they belong to.

An entry is one row with its movements and facts, stored whole or not at all.
The hash of a row covers the hash of the row before it in the stream, the row's columns and its body.

>>> entry = LogEntry(stream=1, epoch=1, n=1, at=0, kind="deposit", body=Body(movements=(Movement("a", 1, 2, 500),)))
>>> entry.encode()
b'{"movements":[["a",1,2,500]]}'
>>> entry.hash(GENESIS, entry.encode()).hex()[:16]
'5196a81ce5d48858'
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from sabot.store.facts import AnyFact, Change, RowContext

#: Hash before the first row of a stream.
GENESIS = bytes(32)


class Movement(Struct, frozen=True, gc=False, array_like=True):
    """A transfer: an amount from the account debited to the account credited, under a key used once."""

    key: str
    debit: int
    credit: int
    amount: int


class Body(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The contents of a row: command, events, movements, facts."""

    command: Raw | UnsetType = UNSET
    events: Raw | UnsetType = UNSET
    #: Further data, for instance how a round was opened.
    detail: Raw | UnsetType = UNSET
    #: Cashback prices that were shown, in order.
    prices: tuple[int, ...] = ()
    movements: tuple[Movement, ...] = ()
    facts: tuple[AnyFact, ...] = ()


class RequestKey(Struct, frozen=True, gc=False):
    """A request: player, the id the client gave it, and a digest of its contents (ASR-11)."""

    player: int
    id: str
    digest: bytes

    @classmethod
    def of(cls, player: int, id: str, *contents: object) -> RequestKey:
        """The key of a request with these contents."""
        return cls(player, id, hashlib.sha256(msgspec.json.encode(contents)).digest())


class LogEntry(Struct, frozen=True, gc=False, kw_only=True):
    """Row `n` of a stream, written by the owner of an epoch."""

    stream: int
    epoch: int
    n: int
    at: int
    kind: str
    body: Body
    round: str | None = None
    request: RequestKey | None = None
    #: The request of a later row of the same command; if it was answered, this row is refused too. Not stored.
    guard: RequestKey | None = None
    #: Data for the tables that the log must not hold: names and sealed seeds, by id.
    secrets: dict[int, Any] = {}

    @property
    def has_next(self) -> bool:
        """Whether the next entry is of the same command: both are stored, or none."""
        return self.guard is not None

    def encode(self) -> bytes:
        """The body as it is stored."""
        return msgspec.json.encode(self.body)

    def columns(self) -> tuple[object, ...]:
        """The columns of the row before its body."""
        request = self.request
        asked = (None, None, None) if request is None else (request.player, request.id, request.digest)
        return (self.stream, self.n, self.epoch, self.at, self.kind, self.round, *asked)

    def hash(self, before: bytes, body: bytes) -> bytes:
        """The hash of the row; `before` is that of the row before."""
        return row_hash(before, self.columns(), body)

    def changes(self) -> Iterator[Change]:
        """The changes of the facts to other tables, in order."""
        for i, fact in enumerate(self.body.facts):
            yield from fact.changes(RowContext(self.stream, self.n, self.at, self.round, self.secrets, i))


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


def row_hash(before: bytes, columns: tuple[object, ...], body: bytes) -> bytes:
    """SHA-256 over the hash before, the columns as a JSON list (digest in base64), and the body."""
    return hashlib.sha256(b"%b%b\n%b" % (before, msgspec.json.encode(columns), body)).digest()


_BODY = msgspec.json.Decoder(Body)


def decode_body(body: bytes) -> Body:
    """The body of a stored row."""
    return _BODY.decode(body)
