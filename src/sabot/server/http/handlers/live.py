"""Live tables: the lobby, and the commitments and proofs of their shoes (PLT-44, ASR-02)."""

from sqlalchemy import Connection

from sabot.cards import DECK_SIZE
from sabot.fairness.live import ShoePromise
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.server.tables.live import LiveAdapter

#: Proofs in one response.
PAGE = 52


async def tables(call: Call) -> models.Tables:
    """Every live table: game, currency, phase, seats, players, limits."""
    return models.Tables(call.registry.heads())


async def shoe(call: Call, table: models.TableName) -> models.Shoes:
    """The commitments of a live table's shoes, and the seed of the one before."""
    adapter = _adapter(call, table)
    return await call.house.read(lambda connection: _shoes(connection, adapter))


async def proofs(call: Call, table: models.TableName, query: models.ProofsQuery) -> models.Proofs:
    """Cards of a live table's shoe that were turned, each with its proof."""
    adapter = _adapter(call, table)
    return await call.house.read(lambda connection: _proofs(connection, adapter, query.from_))


def _adapter(call: Call, table: str) -> LiveAdapter:
    adapter = call.registry.find_live(table).adapter
    assert isinstance(adapter, LiveAdapter)
    return adapter


def _shoes(connection: Connection, adapter: LiveAdapter) -> models.Shoes:
    table = adapter.table.table
    in_use, done, waiting = adapter.shoes.look(connection)
    now = before = None
    if in_use is not None:
        rounds = adapter.shoes.rounds(connection, in_use)
        promise = _promise(in_use.promise or ShoePromise(table.rules.decks, in_use.commitment, (), "", ""))
        now = models.ShoeNow(promise, rounds[-1].dealt if rounds else 0, table.options.cut)
    if done is not None:
        before = models.ShoeBefore(_promise(done.promise), done.seed)
    return models.Shoes(now, before, models.Promise(table.rules.decks, waiting) if waiting else None)


def _promise(promise: ShoePromise) -> models.Promise:
    return models.Promise(**promise._asdict())


def _proofs(connection: Connection, adapter: LiveAdapter, known: int) -> models.Proofs:
    cards = adapter.table.table.rules.decks * DECK_SIZE
    in_use = adapter.shoes.look(connection).in_use
    if in_use is None or in_use.promise is None:
        return models.Proofs("" if in_use is None else in_use.commitment, "", cards, 0, (), 0)
    turned = [place for round in adapter.shoes.rounds(connection, in_use) for place, _ in round.turned]
    found = adapter.shoes.openings(connection, in_use, turned[known : known + PAGE])
    promise = in_use.promise
    return models.Proofs(
        promise.commitment,
        promise.root,
        cards,
        len(turned),
        tuple(models.Proof(*opening) for opening in found),
        min(known + PAGE, len(turned)),
    )
