"""Pause and shoe state of a live table, and the cards turned in a round, read from the log.

A card that lies face down has a place here and no face: the log does not have it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.engine.shoe import Places
from sabot.fairness import commitment
from sabot.fairness.live import ShoePromise
from sabot.games.options import TableOptions
from sabot.rounds.queries import newest_body, public_rows
from sabot.store import schema
from sabot.store.entry import decode_body
from sabot.store.facts import AnyFact, ShoeCommittedFact, ShoeRevealedFact, ShoeSeededFact


class _Why(Struct, frozen=True):
    """The detail of a pause; the end of a pause has none."""

    reason: str = ""


class _Start(Struct, frozen=True):
    """The part of an opening about the shoe, without the purses of a crowd."""

    start: int
    options: TableOptions


_WHY = msgspec.json.Decoder(_Why)
_START = msgspec.json.Decoder(_Start)
_MARKED = sqlalchemy.text(schema.MARKS)


class ShoeInUse(NamedTuple):
    """The shoe that a table deals from."""

    id: int
    #: Whole once the players' seeds are mixed in; only the commitment before.
    promise: ShoePromise
    #: The rounds dealt from it, in order.
    rounds: tuple[str, ...]


class ShoeBefore(Struct, frozen=True):
    """The shoe before, with its seed: anyone can shuffle it again and compare every card (ASR-02)."""

    promise: ShoePromise
    server_seed: str


class KnownShoes(NamedTuple):
    """The shoes of a table: in use, the last one revealed, and the commitment to one that waits (FRB-30)."""

    in_use: ShoeInUse | None = None
    before: ShoeBefore | None = None
    next: str = ""


class RoundCards(NamedTuple):
    """The cards of a round: the number dealt from the shoe after it, and the turned ones as place and face."""

    dealt: int
    turned: tuple[tuple[int, int], ...]


def why_paused(connection: Connection, stream: int) -> str:
    """Why a table is paused; empty if it is not."""
    log = schema.log.c
    bodies = sqlalchemy.select(log.body).where(log.stream == stream, _MARKED)
    detail = newest_body(connection, bodies.where(log.kind.in_(("pause", "resume")))).detail
    return _WHY.decode(detail).reason if isinstance(detail, msgspec.Raw) else ""


def shoes_now(connection: Connection, stream: int) -> tuple[int | None, int | None]:
    """The shoe in use at a table, and the one that waits at its shuffling table."""
    found = _ShoeRows()
    for row in _newest_first(connection, stream):
        found.read(*row)
        if found.in_use is not None:
            break
    return found.in_use, found.waiting


def shoes_of(connection: Connection, stream: int, decks: int) -> KnownShoes:
    """The public facts about a table's shoes."""
    found = _ShoeRows()
    for row in _newest_first(connection, stream):
        found.read(*row)
        if found.before is not None:  # what came after it was read by then
            break
    return found.known(decks)


class _ShoeRows:
    """The shoes of a table, as far as its rows were read, from the newest on."""

    def __init__(self) -> None:
        self.in_use: int | None = None
        self.waiting: int | None = None
        self.commitments: dict[int, str] = {}
        self._seeded: dict[int, ShoeSeededFact] = {}
        self._revealed: dict[int, str] = {}
        self._rounds: list[str] = []

    def read(self, code: str | None, facts: tuple[AnyFact, ...]) -> None:
        """A row: the round that was opened, or what happened to shoes."""
        if code is not None and self.in_use is None:
            self._rounds.append(code)
        for fact in reversed(facts):
            match fact:
                case ShoeCommittedFact(shoe=shoe, commitment=commitment, waiting=waiting):
                    self.commitments[shoe] = commitment
                    self._take(shoe, waiting)
                case ShoeSeededFact(shoe=shoe):
                    self._seeded[shoe] = fact
                    self._take(shoe, False)
                case ShoeRevealedFact(shoe=shoe, seed=seed):
                    self._revealed[shoe] = seed

    def _take(self, shoe: int, waiting: bool) -> None:
        """Rows come newest first: the first shoe seeded or replaced is in use; one committed to after that waits."""
        if self.in_use is None:
            self.in_use, self.waiting = (None, shoe) if waiting else (shoe, self.waiting)

    @property
    def before(self) -> int | None:
        """The last shoe that was revealed; not one that waited and was never used."""
        return next((shoe for shoe in self._revealed if shoe in self._seeded), None)

    def known(self, decks: int) -> KnownShoes:
        """The shoes that were read."""
        in_use = before = None
        if self.in_use is not None:
            promise = self._promise(self.in_use, self.commitments[self.in_use], decks)
            in_use = ShoeInUse(self.in_use, promise, tuple(reversed(self._rounds)))
        if self.before is not None:
            seed = self._revealed[self.before]
            before = ShoeBefore(self._promise(self.before, commitment(bytes.fromhex(seed)), decks), seed)
        return KnownShoes(in_use, before, "" if self.waiting is None else self.commitments[self.waiting])

    def _promise(self, shoe: int, commitment: str, decks: int) -> ShoePromise:
        mixed = self._seeded.get(shoe)
        if mixed is None:
            return ShoePromise(decks, commitment)
        return ShoePromise(decks, commitment, mixed.seeds, mixed.client_seed, mixed.root)


def seeded_before(connection: Connection, stream: int, n: int) -> ShoeSeededFact | None:
    """The fact that published the shoe of a row of the table."""
    log = schema.log.c
    bodies = sqlalchemy.select(log.body).where(log.stream == stream, log.n < n, _MARKED)
    facts = newest_body(connection, bodies.where(log.kind == "shoe-seeded")).facts
    return next((fact for fact in facts if isinstance(fact, ShoeSeededFact)), None)


def _newest_first(connection: Connection, stream: int) -> Iterator[tuple[str | None, tuple[AnyFact, ...]]]:
    """What happened to the shoes of a table: the round that was opened, or the facts."""
    log = schema.log.c
    opened = log.kind == "round-opened"
    body = sqlalchemy.case((opened, sqlalchemy.null()), else_=log.body)
    query = (
        sqlalchemy.select(sqlalchemy.case((opened, log.round)), body)
        .where(log.stream == stream, _MARKED)
        .order_by(log.n.desc())
    )
    for code, facts in connection.execute(query, execution_options={"yield_per": 100}):
        yield code, () if facts is None else decode_body(facts).facts


def round_cards(connection: Connection, code: str) -> RoundCards:
    """The cards of a live round, as far as its rows tell."""
    rows = public_rows(connection, code)
    opening = _START.decode(rows[0].body.detail)  # type: ignore[arg-type]  # the first row says how it was opened
    places = Places(opening.start + opening.options.burn)
    turned = [card for row in rows for card in places.turned(row.decoded_events)]
    return RoundCards(places.next, tuple(turned))
