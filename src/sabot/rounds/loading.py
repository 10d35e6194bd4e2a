"""Reading a table back from the store: its sittings, its shoes, the rows of its round."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine.commands import AnyCommand
from sabot.rounds.shoes import KeptShoe
from sabot.rounds.stored import Opening
from sabot.store import schema
from sabot.store.facts import RoundClosed, ShoeCommitted
from sabot.store.unit import Body, decode_body

_COMMAND: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_OPENING = msgspec.json.Decoder(Opening)


class RoundRow(NamedTuple):
    """A command of a round as it is stored."""

    n: int
    at: int
    kind: str
    player: int | None
    request: str | None
    digest: bytes | None
    body: Body

    @property
    def command(self) -> AnyCommand | None:
        """The command; None in a row that opens a live round, or voids one from its ledger alone."""
        return _COMMAND.decode(self.body.command) if isinstance(self.body.command, msgspec.Raw) else None

    @property
    def events(self) -> bytes:
        """The events, as they were stored."""
        return bytes(self.body.events) if isinstance(self.body.events, msgspec.Raw) else b"[]"


class RoundHead(NamedTuple):
    """A round as the list of rounds knows it."""

    code: str
    stream: int
    game: str
    currency: str
    engine: int
    state: str
    opened_at: int
    closed_at: int | None


def find_round(connection: Connection, code: str) -> RoundHead | None:
    """A round by its code."""
    query = sqlalchemy.select(schema.rounds).where(schema.rounds.c.code == code)
    found = connection.execute(query).first()
    return None if found is None else RoundHead(*found)


def open_rounds(connection: Connection, stream: int) -> list[str]:
    """The codes of the rounds of a stream that are not over."""
    rounds = schema.rounds.c
    query = sqlalchemy.select(rounds.code).where(rounds.stream == stream, rounds.state == "open")
    return list(connection.execute(query).scalars())


def round_rows(connection: Connection, code: str) -> list[RoundRow]:
    """The rows of a round, in order."""
    log = schema.log.c
    query = (
        sqlalchemy.select(log.n, log.at, log.kind, log.player, log.request, log.digest, log.body)
        .where(log.round == code)
        .order_by(log.n)
    )
    return [RoundRow(*row[:-1], decode_body(row.body)) for row in connection.execute(query)]


def opening_of_rows(rows: Sequence[RoundRow]) -> Opening:
    """How a round was opened."""
    detail = rows[0].body.detail
    if not isinstance(detail, msgspec.Raw):
        raise ValueError("the first row of the round does not say how it was opened")
    return _OPENING.decode(detail)


def sittings_of(connection: Connection, stream: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Those who sit at a table: id, player, account, balance, brought."""
    sittings, accounts = schema.sittings.c, schema.accounts.c
    query = (
        sqlalchemy.select(sittings.id, sittings.player, sittings.account, accounts.balance, sittings.brought)
        .join_from(schema.sittings, schema.accounts, sittings.account == accounts.id)
        .where(sittings.stream == stream, sittings.closed_at.is_(None))
        .order_by(sittings.id)
    )
    for row in connection.execute(query):
        yield row.id, row.player, row.account, row.balance, row.brought


def shoe_by_id(connection: Connection, id: int) -> KeptShoe:
    """A shoe as it is kept."""
    row = connection.execute(sqlalchemy.select(schema.shoes).where(schema.shoes.c.id == id)).first()
    if row is None:
        raise LookupError(f"there is no shoe {id}")
    return _kept(row)


def last_shoe(connection: Connection, stream: int) -> tuple[KeptShoe, bool] | None:
    """The newest shoe of a stream that is not revealed, and whether a client seed was mixed in."""
    shoes = schema.shoes.c
    query = sqlalchemy.select(schema.shoes).where(shoes.stream == stream, shoes.seed.is_(None))
    found = {row.id: row for row in connection.execute(query)}
    if not found:
        return None
    # Processes take ids in blocks, so a higher one is not always newer: the log knows.
    row = next(iter(found.values())) if len(found) == 1 else found[_last_committed(connection, stream, found)]
    return _kept(row), row.client_seed is not None


def _last_committed(connection: Connection, stream: int, among: Collection[int]) -> int:
    """Which of these shoes was committed to last."""
    log = schema.log.c
    query = sqlalchemy.select(log.body).where(log.stream == stream).order_by(log.n.desc())
    for body in connection.execute(query, execution_options={"yield_per": 100}).scalars():
        for fact in decode_body(body).facts:
            if isinstance(fact, ShoeCommitted) and fact.shoe in among:
                return fact.shoe
    raise LookupError(f"the log has none of the shoes {sorted(among)}")


def _kept(row: sqlalchemy.Row[Any]) -> KeptShoe:
    seeds = () if row.seeds is None else tuple(msgspec.json.decode(row.seeds, type=list[str]))
    return KeptShoe(row.id, row.commitment, row.sealed, row.client_seed or "", seeds)


def cards_dealt(connection: Connection, stream: int) -> int:
    """How many cards of a live table's shoe its last round left dealt; none if the shoe came after that round."""
    rounds, log = schema.rounds.c, schema.log.c
    query = (
        sqlalchemy.select(log.body)
        .join_from(schema.log, schema.rounds, log.round == rounds.code, isouter=True)
        .where(log.stream == stream, sqlalchemy.or_(log.kind == "shoe-seeded", rounds.state != "open"))
        .order_by(log.n.desc())
        .limit(1)
    )
    body = connection.execute(query).scalar()
    facts = () if body is None else decode_body(body).facts
    return next((fact.dealt for fact in facts if isinstance(fact, RoundClosed)), 0)
