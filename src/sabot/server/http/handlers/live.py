"""Live tables as anyone may look at them: the lobby, and what is promised and proved of their shoes (PLT-44, ASR-02)."""

from __future__ import annotations

from sqlalchemy import Connection

from sabot.cards import DECK_SIZE
from sabot.fairness.live import ShoePromise
from sabot.rounds.marks import ShoeDone, ShoeInUse
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.server.tables.live_runtime import LiveDesk
from sabot.server.tables.orders import desk_of

#: Proofs of one answer.
PAGE = 52


async def tables(call: Call) -> models.Tables:
    """Every live table, as the lobby shows it."""
    return models.Tables(call.registry.floor.heads())


async def shoe(call: Call) -> models.Shoes:
    """The shoe in use at a table, the one before with its seed, and the promise of one at the shuffling table."""
    desk = desk_of(call.registry.floor, call.path.table)
    return await call.house.read(lambda connection: _shoes(connection, desk))


async def proofs(call: Call, query: models.ProofsQuery) -> models.Proofs:
    """Cards of the shoe in use that were turned, each with what proves it."""
    desk = desk_of(call.registry.floor, call.path.table)
    return await call.house.read(lambda connection: _proofs(connection, desk, query.from_))


def _shoes(connection: Connection, desk: LiveDesk) -> models.Shoes:
    in_use, done, next = desk.shoes.look(connection)
    now = None if in_use is None else _now(connection, desk, in_use)
    waits = models.Promise(desk.live.table.rules.decks, next) if next else None
    return models.Shoes(now, None if done is None else _before(done), waits)


def _now(connection: Connection, desk: LiveDesk, shoe: ShoeInUse) -> models.ShoeNow:
    table = desk.live.table
    rounds = desk.shoes.rounds(connection, shoe)
    promise = (
        models.Promise(table.rules.decks, shoe.commitment) if shoe.promise is None else _promise(shoe.promise)
    )
    return models.ShoeNow(promise, rounds[-1].dealt if rounds else 0, table.options.cut)


def _before(done: ShoeDone) -> models.ShoeBefore:
    return models.ShoeBefore(_promise(done.promise), done.seed)


def _promise(promise: ShoePromise) -> models.Promise:
    decks, commitment, seeds, client_seed, root = promise
    return models.Promise(decks, commitment, client_seed, seeds, root)


def _proofs(connection: Connection, desk: LiveDesk, known: int) -> models.Proofs:
    cards = desk.live.table.rules.decks * DECK_SIZE
    in_use = desk.shoes.look(connection).in_use
    if in_use is None or in_use.promise is None:
        return models.Proofs("" if in_use is None else in_use.commitment, "", cards, 0, (), 0)
    turned = [place for round in desk.shoes.rounds(connection, in_use) for place, _ in round.turned]
    found = desk.shoes.openings(connection, in_use, turned[known : known + PAGE])
    promise = in_use.promise
    return models.Proofs(
        promise.commitment,
        promise.root,
        cards,
        len(turned),
        tuple(models.Proof(*opening) for opening in found),
        min(known + PAGE, len(turned)),
    )
