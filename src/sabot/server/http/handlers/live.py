"""Live tables: the lobby, and the commitments and proofs of their shoes (PLT-44, ASR-02)."""

from typing import Annotated

from msgspec import Meta, Struct, field
from sqlalchemy import Connection

from sabot.cards import DECK_SIZE
from sabot.fairness.live import CardOpening, ShoePromise
from sabot.protocol.fields import Form, TableName
from sabot.protocol.messages import TableHead
from sabot.rounds.marks import ShoeBefore
from sabot.server.http.dispatch import Call
from sabot.server.tables.live import LiveAdapter

#: Proofs in one response.
PAGE = 52


class Tables(Struct, frozen=True):
    """The lobby (PLT-44)."""

    tables: tuple[TableHead, ...]


class ShoeNow(Struct, frozen=True):
    """The shoe in use, how many of its cards are dealt, and where the cut card is."""

    promise: ShoePromise
    dealt: int
    cut: int


class Shoes(Struct, frozen=True):
    """The shoes of a live table."""

    now: ShoeNow | None
    before: ShoeBefore | None
    #: The one at the shuffling table (FRB-30): only its commitment.
    next: ShoePromise | None = None


class ProofsQuery(Form, frozen=True):
    """How many cards the client has already."""

    from_: Annotated[int, Meta(ge=0, le=1000)] = field(default=0, name="from")


class Proofs(Struct, frozen=True):
    """Cards of the shoe in use in the order they were turned; `next` is the `from` of the next page."""

    commitment: str
    root: str
    #: How many cards the shoe has, and how many were turned.
    cards: int
    turned: int
    proofs: tuple[CardOpening, ...]
    next: int


async def tables(call: Call) -> Tables:
    """Every live table: game, currency, phase, seats, players, limits."""
    return Tables(call.registry.heads())


async def shoe(call: Call, table: TableName) -> Shoes:
    """The commitments of a live table's shoes, and the seed of the one before."""
    adapter = _adapter(call, table)
    return await call.house.read(lambda connection: _shoes(connection, adapter))


async def proofs(call: Call, table: TableName, query: ProofsQuery) -> Proofs:
    """Cards of a live table's shoe that were turned, each with its proof."""
    adapter = _adapter(call, table)
    return await call.house.read(lambda connection: _proofs(connection, adapter, query.from_))


def _adapter(call: Call, table: str) -> LiveAdapter:
    adapter = call.registry.find_live(table).adapter
    assert isinstance(adapter, LiveAdapter)
    return adapter


def _shoes(connection: Connection, adapter: LiveAdapter) -> Shoes:
    table = adapter.table.table
    in_use, before, waiting = adapter.shoes.look(connection)
    now = None
    if in_use is not None:
        rounds = adapter.shoes.rounds(connection, in_use)
        now = ShoeNow(in_use.promise, rounds[-1].dealt if rounds else 0, table.options.cut)
    return Shoes(now, before, ShoePromise(table.rules.decks, waiting) if waiting else None)


def _proofs(connection: Connection, adapter: LiveAdapter, known: int) -> Proofs:
    cards = adapter.table.table.rules.decks * DECK_SIZE
    in_use = adapter.shoes.look(connection).in_use
    if in_use is None or not in_use.promise.client_seed:
        return Proofs("" if in_use is None else in_use.promise.commitment, "", cards, 0, (), 0)
    turned = [place for round in adapter.shoes.rounds(connection, in_use) for place, _ in round.turned]
    found = adapter.shoes.openings(connection, in_use, turned[known : known + PAGE])
    promise = in_use.promise
    return Proofs(
        promise.commitment,
        promise.root,
        cards,
        len(turned),
        tuple(found),
        min(known + PAGE, len(turned)),
    )
