"""The audit of the store: every hash chain, transfer, balance and table, checked against the log.

It reads the log stream by stream, computes the hashes again, compares the movements with the ledger, and rebuilds the
rows of all other tables from the facts. Each difference is a finding.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection, Table

from sabot.store import schema
from sabot.store.audit_rows import UNKNOWN, Fold, Ledger, key_of, keyed, table_of, text_of
from sabot.store.cashier import name_proof
from sabot.store.database import REVISION, revision
from sabot.store.entry import GENESIS, Body, decode_body, row_hash
from sabot.store.facts import Change, GoldenMoved, PlayerRegistered, RowContext, StreamOwned
from sabot.store.ids import SMALLEST_BLOCK
from sabot.store.kinds import KEEPS_BALANCE

#: Tables whose rows belong to one stream.
_OF_STREAM = (
    schema.sittings,
    schema.seats,
    schema.golden,
    schema.shoes,
    schema.sealed,
    schema.rounds,
    schema.notices,
)
#: Tables whose rows are added by one stream and changed by another.
_OF_PEOPLE = (schema.profiles, schema.protections, schema.terms_accepted, schema.reality_checks)
#: Tables whose rows are added by operators' streams; a proposal may be decided in another stream than its own.
_OF_OFFICE = (schema.proposals, schema.changes)
#: How far the clocks of two nodes may be apart.
_CLOCKS_MS = 2_000
#: The column with the ids of each kind.
_NUMBERED = {
    "stream": schema.streams.c.id,
    "player": schema.players.c.id,
    "account": schema.accounts.c.id,
    "sitting": schema.sittings.c.id,
    "seat": schema.seats.c.id,
    "shoe": schema.shoes.c.id,
    "proposal": schema.proposals.c.id,
}


class Finding(Struct, frozen=True):
    """A difference from the log, and its place."""

    place: str
    message: str


class Anchor(Struct, frozen=True):
    """The head of a stream at some time; kept elsewhere, it shows whether the log was cut or rewritten."""

    n: int
    hash: str


class AuditReport(Struct):
    """Counts and findings of an audit."""

    findings: list[Finding] = []
    rows: int = 0
    transfers: int = 0
    #: Rounds replayed.
    rounds: int = 0
    #: Seeds of open shoes that need the key.
    sealed: int = 0
    anchors: dict[str, Anchor] = {}

    def find(self, place: str, message: str) -> None:
        """Add a finding."""
        self.findings.append(Finding(place, message))


def audit_store(connection: Connection) -> AuditReport:
    """Check the log, the ledger and every other table at one moment."""
    return _Audit(connection).run()


def check_anchors(connection: Connection, anchors: dict[str, Anchor], report: AuditReport) -> None:
    """Check that the rows of earlier anchors are still there."""
    log, streams = schema.log.c, schema.streams.c
    query = sqlalchemy.select(log.hash).join_from(schema.streams, schema.log, streams.id == log.stream)
    for name, anchor in anchors.items():
        found = connection.execute(query.where(streams.name == name, log.n == anchor.n)).scalar()
        if found is None:
            report.find(f"anchor {name}", f"row {anchor.n} of this stream is gone")
        elif found.hex() != anchor.hash:
            report.find(f"anchor {name}", f"row {anchor.n} of this stream is another than it was")


class _Dated(NamedTuple):
    """A change, and the place of its row."""

    at: int
    stream: int
    n: int
    change: Change


class _Audit:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._report = AuditReport()
        self._find = self._report.find
        #: Expected balances by account.
        self._sums: dict[object, int] = defaultdict(int)
        #: Golden chips by account and value.
        self._golden: dict[tuple[int, int], int] = defaultdict(int)
        self._proofs: dict[int, str] = {}
        #: Secrets of players, shoes and face-down cards, which the log does not hold.
        self._secrets: dict[int, Any] = defaultdict(lambda: UNKNOWN)
        #: Accounts and players, and changes to the tables of people, from all streams.
        self._fold = Fold()
        self._people: list[_Dated] = []
        self._office: list[Change] = []
        #: The highest number of an owner; nodes have theirs from the same counter.
        self._owner = 0

    def run(self) -> AuditReport:
        found = revision(self._connection)
        if found != REVISION:
            self._find("alembic_version", f"the revision is {found}, this sabot knows {REVISION}")
        streams = self._connection.execute(sqlalchemy.select(schema.streams).order_by("id")).all()
        for stream in streams:
            self._check_stream(stream)
        self._find_strangers()
        self._check_accounts()
        self._check_golden()
        self._check_players()
        self._check_people()
        self._check_office()
        self._check_counters()
        return self._report

    # One stream

    def _check_stream(self, stream: sqlalchemy.Row[Any]) -> None:
        """Check the chain, the transfers and the other tables of a stream."""
        head, last, epoch, name, owner = GENESIS, 0, 0, stream.name, None
        fold = Fold()
        ledger = Ledger(self._connection, stream.id)
        for row in self._select(schema.log, schema.log.c.stream == stream.id, "n"):
            place = f"log, stream {stream.name}, row {row.n}"
            if row.n != last + 1:
                self._find(place, f"row {last + 1} is missing before it")
            if row_hash(head, tuple(row[:-2]), row.body) != row.hash:
                self._find(place, "the hash does not fit: this row or the one before it was changed")
            head, last, epoch = row.hash, row.n, row.epoch
            self._report.rows += 1
            try:
                body = decode_body(row.body)
            except msgspec.DecodeError as error:
                self._find(place, f"the body cannot be read: {error}")
                continue
            for message in ledger.compare(row.n, body):
                self._find(f"transfers, stream {stream.name}, row {row.n}", message)
            if taken := self._account_for(body, place):
                name, owner = taken.name, taken.owner
            for i, fact in enumerate(body.facts):
                for change in fact.changes(RowContext(stream.id, row.n, row.at, row.round, self._secrets, i)):
                    if table_of(change) in _OF_OFFICE:
                        self._office.append(change)
                    elif table_of(change) in _OF_PEOPLE:
                        self._people.append(_Dated(row.at, stream.id, row.n, change))
                    else:
                        fold.take(change)
        for n, message in ledger.rest():
            self._find(f"transfers, stream {stream.name}, row {n}", message)
        if stream.owner not in (None, owner):
            self._find(f"streams, {stream.name}", f"its owner is {stream.owner}, the log says {owner}")
        if (stream.name, stream.epoch, stream.n, stream.head) != (name, epoch, last, head):
            self._find(
                f"streams, {stream.name}",
                f"it says row {stream.n} of epoch {stream.epoch}, the log of {name} ends with row {last}"
                f" of epoch {epoch}" + ("" if stream.head == head else ", and with another hash"),
            )
        if last:
            self._report.anchors[stream.name] = Anchor(last, head.hex())
        for table in (schema.accounts, schema.players):
            self._fold.rows[table.name] |= fold.rows[table.name]
        for table in _OF_STREAM:
            self._compare(table, fold, table.c.stream == stream.id)
        codes = sqlalchemy.select(schema.rounds.c.code).where(schema.rounds.c.stream == stream.id)
        self._compare(schema.played, fold, schema.played.c.code.in_(codes))

    def _account_for(self, body: Body, place: str) -> StreamOwned | None:
        """Add the movements and facts of a row to what is expected; returns who took the stream, if anyone did."""
        taken = None
        for fact in body.facts:
            match fact:
                case StreamOwned():
                    taken, self._owner = fact, max(self._owner, fact.owner)
                case PlayerRegistered():
                    self._proofs[fact.player] = fact.proof
                case GoldenMoved():
                    self._golden[fact.account, fact.value] += fact.count
        for movement in body.movements:
            if movement.amount <= 0 or movement.debit == movement.credit:
                self._find(place, f"the movement {movement.key} moves nothing")
            self._sums[movement.debit] -= movement.amount
            self._sums[movement.credit] += movement.amount
            self._report.transfers += 1
        return taken

    # Across streams

    def _find_strangers(self) -> None:
        """Find rows of unknown streams and rounds."""
        known = sqlalchemy.select(schema.streams.c.id)
        for table in (schema.log, schema.transfers, *_OF_STREAM):
            for row in self._select(table, table.c.stream.not_in(known)):
                key = text_of(key_of(table, row))
                self._find(
                    table.name, f"there is no stream {row.stream}, to which {table.name} {key} belongs"
                )
        codes = sqlalchemy.select(schema.rounds.c.code)
        for row in self._select(schema.played, schema.played.c.code.not_in(codes)):
            self._find(schema.played.name, f"there is no round {row.code}, to which a line belongs")

    def _check_accounts(self) -> None:
        """Balances must be the sums of movements, none below zero (ASR-10)."""
        accounts = self._fold.rows[schema.accounts.name]
        for key, (id, name, kind, *cells, _) in accounts.items():
            balance = self._sums[id] if kind in KEEPS_BALANCE else None
            accounts[key] = (id, name, kind, *cells, balance)
            if balance is not None and balance < 0:
                self._find(f"accounts, {name}", f"the movements leave {balance} in it")
        for id in self._sums.keys() - {id for id, *_ in accounts.values()}:
            self._find("accounts", f"account {id} was never opened, but money moved through it")
        self._compare(schema.accounts, self._fold)
        if total := sum(self._sums.values()):
            self._find("transfers", f"the sum over all accounts is {total}, not 0")

    def _check_golden(self) -> None:
        """Only players and sessions hold golden chips, none fewer than zero (MAJ-50)."""
        for (account, value), count in sorted(self._golden.items()):
            row = self._fold.rows[schema.accounts.name].get((account,))
            if row is None or row[2] not in KEEPS_BALANCE:
                self._find("golden", f"account {account} cannot hold golden chips, but some came to it")
            elif count < 0:
                self._find(f"golden, {row[1]}", f"the log leaves {count} chips of {value} in it")

    def _check_players(self) -> None:
        self._compare(schema.players, self._fold)
        for row in self._select(schema.players):
            proof = self._proofs.get(row.id)
            if proof is not None and name_proof(row.salt, row.name) != proof:
                self._find(f"players, {row.id}", "the name is not the one that was registered")

    def _check_people(self) -> None:
        """Check roles, VIP levels and player limits; profiles are added before they are changed.

        Of two nodes that change a profile at once, the clocks do not say which was the last: either may be.
        """
        stored = {row.player: row._mapping for row in self._select(schema.profiles)}
        changed: dict[tuple[str, object], list[_Dated]] = defaultdict(list)
        for dated in sorted(self._people, key=lambda dated: dated[:3]):
            if isinstance(dated.change.target, str):
                changed[dated.change.target, dated.change.row[-1]].append(dated)
            else:
                self._fold.take(dated.change)
        for (name, player), all_of_it in changed.items():
            last = all_of_it[-1]
            ends = {dated.stream: dated for dated in all_of_it if dated.at >= last.at - _CLOCKS_MS}
            found = stored[player][name] if player in stored else None
            chosen = next((end for end in ends.values() if end.change.row[0] == found), last)
            self._fold.take(chosen.change)
        for table in _OF_PEOPLE:
            self._compare(table, self._fold)

    def _check_office(self) -> None:
        """Check proposals and changes; a proposal is made before it is decided, and decided once (OFF-10)."""
        for change in sorted(self._office, key=lambda change: isinstance(change.target, str)):
            self._fold.take(change)
        for table in _OF_OFFICE:
            self._compare(table, self._fold)

    def _check_counters(self) -> None:
        """A counter is above every id in use, at the end of a block; blocks may be skipped."""
        counters = {row.name: row.next for row in self._select(schema.counters)}
        nodes = self._connection.execute(sqlalchemy.select(sqlalchemy.func.max(schema.nodes.c.id))).scalar()
        given = {"owner": max(self._owner, nodes or 0)}
        for kind, column in _NUMBERED.items():
            highest = sqlalchemy.select(sqlalchemy.func.max(column))
            given[kind] = self._connection.execute(highest).scalar() or 0
        for kind, last in given.items():
            next = counters.pop(kind, None if last else 1)
            if next is None:
                self._find("counters", f"there is none for {kind}, but numbers up to {last} are given")
            elif next <= last or (next - 1) % SMALLEST_BLOCK:
                self._find(f"counters, {kind}", f"the next number is {next}, the last one given is {last}")
        for kind in counters:
            self._find(f"counters, {kind}", "nothing is numbered by it")

    # Comparing

    def _select(self, table: Table, where: Any = None, *order: str) -> Iterator[sqlalchemy.Row[Any]]:
        query = sqlalchemy.select(table).order_by(*order).execution_options(yield_per=1000)
        return iter(self._connection.execute(query if where is None else query.where(where)))

    def _compare(self, table: Table, fold: Fold, where: Any = None) -> None:
        """Compare rebuilt rows with stored ones, cell by cell."""
        rebuilt, stored = fold.rows[table.name], keyed(table, self._select(table, where))
        for key, row in rebuilt.items():
            found = stored.get(key)
            if found is None:
                self._find(table.name, f"the row {text_of(key)} is missing")
                continue
            for name, expected, actual in zip(table.columns.keys(), row, found, strict=True):
                if expected != actual:
                    self._find(
                        f"{table.name}, {text_of(key)}", f"{name} is {actual!r}, the log says {expected!r}"
                    )
        for key in stored.keys() - rebuilt.keys():
            self._find(table.name, f"the row {text_of(key)} is not in the log")
