"""Writes a group of log entries in one transaction.

It reads and locks the rows that the group touches, then decides every entry in memory, in order: is it the next row of
its stream, is its epoch the owner's, is its request new, do the accounts cover its movements. The accepted entries are
written in a few guarded bulk statements. A refused entry does not disturb its group, and a group can be run again:
entries that are already stored are found.
"""

import re
from collections import ChainMap
from collections.abc import Container, Mapping, Sequence
from itertools import chain

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection, Table

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.driver import Answered, Driver, Head, driver_of
from sabot.store.entry import LogEntry, Movement
from sabot.store.facts import STATEMENTS, AccountOpened, Change, GoldenMoved, Row, StreamOwned
from sabot.store.kinds import ADJUST, GRANT, KEEPS_BALANCE, PAYMENTS

#: The largest movement: sums stay far inside 64 bits, beyond which SQLite uses floats.
MOST_CENTS = 10**14


class Committed(Struct, frozen=True, gc=False):
    """The entry is stored."""

    hash: bytes


class Repeated(Struct, frozen=True, gc=False):
    """The request was answered before, by this row; nothing was written (ASR-11)."""

    stream: int
    n: int


class Refused(Struct, frozen=True, gc=False):
    """The entry was not stored: a code with its params."""

    code: str
    params: Mapping[str, object] = {}


class Lost(Struct, frozen=True, gc=False):
    """The database did not answer; whether the entry is stored is known after the stream is read again."""

    reason: str


Outcome = Committed | Repeated | Refused | Lost


def failure(outcome: Outcome) -> Refusal:
    """The error for an entry that was not stored."""
    if isinstance(outcome, Refused):
        return Refusal(outcome.code, **outcome.params)
    return Refusal("unit/lost")


_UNWRITABLE = Refused("unit/unwritable")
_SURROGATE = re.compile("[\ud800-\udfff]")


def commit_group(connection: Connection, entries: Sequence[LogEntry]) -> list[Outcome]:
    """Decide and write entries in a transaction that the caller commits."""
    group = _Group(driver_of(connection), connection, entries)
    outcomes = [group.decide(entry) for entry in entries]
    group.write()
    return outcomes


def _is_storable(cell: object) -> bool:
    """Whether both databases can hold a cell: no NUL, no lone surrogate, 64 bits."""
    if isinstance(cell, str):
        return "\0" not in cell and (cell.isascii() or not _SURROGATE.search(cell))
    return not isinstance(cell, int) or -(2**63) <= cell < 2**63


class _Group:
    """The rows that a group touches, with the changes of the entries decided so far."""

    def __init__(self, driver: Driver, connection: Connection, entries: Sequence[LogEntry]) -> None:
        self._driver = driver
        self._connection = connection
        moved = {id for entry in entries for m in entry.body.movements for id in (m.debit, m.credit)}
        golden = {fact.account for entry in entries for fact in _golden(entry)}
        requests = {
            (request.player, request.id)
            for entry in entries
            if (request := entry.request or entry.guard) and _is_storable(request.id)
        }
        found = driver.find({entry.stream for entry in entries}, moved | golden, requests)
        self._read = found.heads
        self._heads = dict(self._read)
        self._currencies = {id: currency for id, currency, _ in found.accounts}
        #: Balances as they were read, and as they are decided.
        self._had = {id: balance for id, _, balance in found.accounts if balance is not None}
        self._have = dict(self._had)
        #: Golden chips by account and value, as they are decided.
        self._chips = driver.golden(golden) if golden else {}
        self._answered = {_key(row.kind, row.stream, row.player, row.request): row for row in found.answered}
        #: Who takes which stream, if anyone does; then the owners that streams have, and the nodes among them all.
        taken = [(entry.stream, fact.owner) for entry in entries for fact in _taking(entry)]
        self._owners = driver.owners({stream for stream, _ in taken}) if taken else {}
        known = {owner for _, owner in taken} | {
            owner for owner in self._owners.values() if owner is not None
        }
        self._lives = driver.nodes(known) if taken else {}
        self._log: list[Row] = []
        self._transfers: list[Row] = []
        self._rows: dict[Table, list[Row]] = {}
        self._runs: dict[str, list[Row]] = {}

    # Deciding

    def decide(self, entry: LogEntry) -> Outcome:
        """Accept the entry, or say why not."""
        try:
            return self._take(entry)
        except Refusal as error:
            return Refused(error.code, error.params)
        except UnicodeEncodeError:  # half of a surrogate pair in the body
            return _UNWRITABLE

    def _take(self, entry: LogEntry) -> Outcome:
        if entry.request is not None and not _is_storable(entry.request.id):
            return _UNWRITABLE
        body = entry.encode()
        head = self._heads.get(entry.stream)
        if head is None:
            raise Refusal("stream/unknown", stream=entry.stream)
        if entry.n <= head.n and (stored := self._stored(entry, body)) is not None:
            return Committed(stored)
        taking = _taking(entry)
        epoch = head.epoch + bool(taking)
        # A fenced owner learns only that, also where the next one has answered the request meanwhile.
        if entry.epoch == epoch and (answered := self._answer(entry)) is not None:
            return Repeated(answered.stream, answered.n)
        if (entry.n, entry.epoch) != (head.n + 1, epoch):
            raise Refusal("stream/fenced", stream=entry.stream, n=entry.n, epoch=entry.epoch)
        for fact in taking:
            self._check_taker(entry.stream, fact)
        opened = [fact for fact in entry.body.facts if isinstance(fact, AccountOpened)]
        after = self._move(entry.body.movements, opened)
        chips = self._hand_over(_golden(entry), after)
        changes = self._changes(entry)
        # From here on nothing can be refused.
        hash = entry.hash(head.hash, body)
        self._heads[entry.stream] = Head(entry.epoch, entry.n, hash)
        self._owners.update((entry.stream, fact.owner) for fact in taking)
        self._currencies.update((fact.account, fact.currency) for fact in opened)
        self._have.update(after)
        self._chips.update(chips)
        self._note(entry, body, hash, changes)
        return Committed(hash)

    def _check_taker(self, stream: int, fact: StreamOwned) -> None:
        """Nothing is taken from another node that lives, and nothing by one that was found dead (CLU-03).

        The stream is locked and the dead stay dead: who was found dead after this look gives the stream up to others.
        """
        owner = self._owners[stream]
        if self._lives.get(fact.owner) is False:
            raise Refusal("node/buried")
        if owner is not None and owner != fact.owner and self._lives.get(owner):
            raise Refusal("stream/owned", stream=fact.name, node=owner)

    def _answer(self, entry: LogEntry) -> Answered | None:
        """The row that answered the entry's request before; another content under the same id is refused."""
        request = entry.request or entry.guard
        if request is None:
            return None
        answered = self._answered.get(_key(entry.kind, entry.stream, request.player, request.id))
        if answered is not None and answered.digest != request.digest:
            raise Refusal("command/reused", id=request.id)
        return answered

    def _stored(self, entry: LogEntry, body: bytes) -> bytes | None:
        """The hash of the entry's row if it is stored already and its answer was lost."""
        if entry.n < 1:
            return None
        log = schema.log.c
        found = self._connection.execute(
            sqlalchemy.select(log.n, log.hash)
            .where(log.stream == entry.stream, log.n.in_((entry.n - 1, entry.n)))
            .order_by(log.n)
        ).all()
        before = found[0].hash if entry.n > 1 and found else bytes(32)
        if not found or found[-1].n != entry.n:
            return None
        hash = entry.hash(before, body)
        return hash if found[-1].hash == hash else None

    def _move(self, movements: Sequence[Movement], opened: Sequence[AccountOpened]) -> dict[int, int]:
        """The balances after the movements; each must be covered in its turn (ASR-10)."""
        currencies: Mapping[int, str] = self._currencies
        after: dict[int, int] = {}
        if opened:
            currencies = ChainMap({fact.account: fact.currency for fact in opened}, self._currencies)
            after = {fact.account: 0 for fact in opened if fact.kind in KEEPS_BALANCE}
        have = self._have
        for movement in movements:
            debit, credit, amount = movement.debit, movement.credit, movement.amount
            for account in (debit, credit):
                if account not in currencies:
                    raise Refusal("account/unknown", account=account)
            if not 0 < amount <= MOST_CENTS or debit == credit:
                raise Refusal("transfer/no-amount", key=movement.key, amount=amount)
            if currencies[debit] != currencies[credit]:
                raise Refusal("transfer/currencies", key=movement.key)
            balance = after.get(debit)
            if balance is None:
                balance = have.get(debit)
            if balance is not None:
                if balance < amount:
                    raise Refusal("funds/insufficient", cost=amount, balance=balance)
                after[debit] = balance - amount
            balance = after.get(credit)
            if balance is None:
                balance = have.get(credit)
            if balance is not None:
                after[credit] = balance + amount
        return after

    def _hand_over(self, golden: Sequence[GoldenMoved], opened: Container[int]) -> dict[tuple[int, int], int]:
        """The golden chips after the facts; each account must hold what it gives (MAJ-50)."""
        after: dict[tuple[int, int], int] = {}
        for fact in golden:
            if fact.account not in self._have and fact.account not in opened:
                raise Refusal("account/unknown", account=fact.account)
            of_value = (fact.account, fact.value)
            held = after.get(of_value, self._chips.get(of_value, 0))
            if held + fact.count < 0:
                raise Refusal("golden/not-held", count=-fact.count, value=fact.value, held=held)
            after[of_value] = held + fact.count
        return after

    def _changes(self, entry: LogEntry) -> list[Change]:
        """The changes of the facts, if both databases can hold them."""
        changes = list(entry.changes())
        cells = [entry.at, entry.kind, entry.round, *(movement.key for movement in entry.body.movements)]
        if not all(map(_is_storable, chain(cells, *(change.row for change in changes)))):
            raise Refusal("unit/unwritable")
        return changes

    def _note(self, entry: LogEntry, body: bytes, hash: bytes, changes: Sequence[Change]) -> None:
        """Collect what is to be written for an accepted entry."""
        request, stream, n = entry.request, entry.stream, entry.n
        if request is not None:
            found = Answered(request.player, request.id, entry.kind, stream, n, request.digest)
            self._answered[_key(entry.kind, stream, request.player, request.id)] = found
        self._log.append((*entry.columns(), body, hash))
        self._transfers += [
            (stream, n, i, m.key, m.debit, m.credit, m.amount) for i, m in enumerate(entry.body.movements)
        ]
        for target, row in changes:
            if isinstance(target, str):
                self._runs.setdefault(target, []).append(row)
            else:
                self._rows.setdefault(target, []).append(row)

    # Writing

    def write(self) -> None:
        """Write what was accepted; `ConflictError` if a guard fails, and then the caller must roll back."""
        if not self._log:
            return
        several = (self._log, self._transfers, *self._rows.values(), *self._runs.values())
        with self._driver.together(sum(map(len, several))):
            self._write(self._driver)

    def _write(self, driver: Driver) -> None:
        moves = [(id, self._read[id], head) for id, head in self._heads.items() if head != self._read[id]]
        driver.move_heads(moves)
        for table, rows in self._rows.items():
            driver.insert(table, rows)
        driver.insert(schema.log, self._log)
        if self._transfers:
            driver.insert(schema.transfers, self._transfers)
        had = self._had
        moved = {id: has - had.get(id, 0) for id, has in self._have.items() if has != had.get(id, 0)}
        if moved:
            driver.add_to_balances(moved)
        # In this order: money is brought before a player leaves, a shoe is seeded before it is revealed.
        for name in STATEMENTS:
            if name in self._runs:
                driver.run(name, self._runs[name])


def _key(kind: str, stream: int, player: int, id: str) -> tuple[int | str, int, str]:
    """What a request's id is used once for: its table's stream, or the payments or grants of the whole house."""
    scope = "payments" if kind in PAYMENTS else kind if kind in (GRANT, ADJUST) else stream
    return (scope, player, id)


def _taking(entry: LogEntry) -> list[StreamOwned]:
    return [fact for fact in entry.body.facts if isinstance(fact, StreamOwned)]


def _golden(entry: LogEntry) -> list[GoldenMoved]:
    return [fact for fact in entry.body.facts if isinstance(fact, GoldenMoved)]
