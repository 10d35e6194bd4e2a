"""Writing a group of units: one transaction in which each unit is decided in its turn.

First the rows that the group touches are read and locked. Then every unit is decided in memory, in order: is it the
next row of its stream and its owner's epoch, was its request answered before, does each account cover what it gives.
What was decided is then written in a few bulk statements, each guarded by what was read. So a unit that is refused
never disturbs its group, and a group can be run again: what is already there is found and told so.
"""

from __future__ import annotations

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
from sabot.store.facts import STATEMENTS, AccountOpened, Change, GoldenMoved, Row, StreamOwned, changes_of
from sabot.store.kinds import KEEPS_BALANCE

#: The largest amount of one movement: sums of many stay far inside 64 bits, beyond which SQLite goes on in floats.
MOST_CENTS = 10**14


class Committed(Struct, frozen=True, gc=False):
    """The unit is stored."""

    hash: bytes


class Repeated(Struct, frozen=True, gc=False):
    """The same request was answered before, by this row; nothing was written (ASR-11)."""

    stream: int
    n: int


class Refused(Struct, frozen=True, gc=False):
    """The unit was not stored, and nothing of it: a code with its params."""

    code: str
    params: Mapping[str, object] = {}


class Lost(Struct, frozen=True, gc=False):
    """The database did not answer: whether the unit is stored is known once the stream is read again."""

    reason: str


Outcome = Committed | Repeated | Refused | Lost

_UNWRITABLE = Refused("unit/unwritable")
_SURROGATE = re.compile("[\ud800-\udfff]")


def commit_group(connection: Connection, units: Sequence[LogEntry]) -> list[Outcome]:
    """Decide and write units inside a transaction that the caller commits.

    One that holds what a database cannot store is refused before it can harm the others.
    """
    readable = [unit for unit in units if unit.request is None or _is_storable(unit.request.id)]
    group = _Group(driver_of(connection), connection, readable)
    outcomes = iter([group.decide(unit) for unit in readable])
    group.write()
    if len(readable) == len(units):
        return list(outcomes)
    taken = {id(unit) for unit in readable}
    return [next(outcomes) if id(unit) in taken else _UNWRITABLE for unit in units]


def _is_storable(cell: object) -> bool:
    """Whether both databases can hold a text or a number: no NUL, no half of a surrogate pair, 64 bits."""
    if isinstance(cell, str):
        return "\0" not in cell and (cell.isascii() or not _SURROGATE.search(cell))
    return not isinstance(cell, int) or -(2**63) <= cell < 2**63


class _Group:
    """What is known of the rows a group touches, as it will be after the units decided so far."""

    def __init__(self, driver: Driver, connection: Connection, units: Sequence[LogEntry]) -> None:
        self._driver = driver
        self._connection = connection
        self._read = driver.heads({unit.stream for unit in units})
        self._heads = dict(self._read)
        moved = {id for unit in units for m in unit.body.movements for id in (m.debit, m.credit)}
        golden = {fact.account for unit in units for fact in _golden(unit)}
        accounts = driver.accounts(moved | golden) if moved or golden else ()
        self._currencies = {id: currency for id, currency, _ in accounts}
        #: What accounts that keep a balance have, as it was read and as it is decided.
        self._had = {id: balance for id, _, balance in accounts if balance is not None}
        self._have = dict(self._had)
        #: Golden chips by account and value, as they are decided.
        self._chips = driver.golden(golden) if golden else {}
        asked = {(request.player, request.id) for unit in units if (request := unit.request or unit.guard)}
        self._answered = driver.answered(list(asked))
        self._log: list[Row] = []
        self._transfers: list[Row] = []
        self._rows: dict[Table, list[Row]] = {}
        self._runs: dict[str, list[Row]] = {}

    # Deciding

    def decide(self, unit: LogEntry) -> Outcome:
        """Take the unit in, or say why not."""
        try:
            return self._take(unit)
        except Refusal as error:
            return Refused(error.code, error.params)
        except UnicodeEncodeError:  # half of a surrogate pair in the body
            return _UNWRITABLE

    def _take(self, unit: LogEntry) -> Outcome:
        body = unit.encode()
        head = self._heads.get(unit.stream)
        if head is None:
            raise Refusal("stream/unknown", stream=unit.stream)
        answered = self._answer(unit)
        if unit.n <= head.n and (stored := self._stored(unit, body)) is not None:
            return Committed(stored)
        if answered is not None:
            return Repeated(answered.stream, answered.n)
        if unit.n != head.n + 1 or unit.epoch != head.epoch + _new_owner(unit):
            raise Refusal("stream/fenced", stream=unit.stream, n=unit.n, epoch=unit.epoch)
        opened = [fact for fact in unit.body.facts if isinstance(fact, AccountOpened)]
        after = self._move(unit.body.movements, opened)
        chips = self._hand_over(_golden(unit), after)
        changes = self._changes(unit)
        # From here on nothing can be refused.
        hash = unit.hash(head.hash, body)
        self._heads[unit.stream] = Head(unit.epoch, unit.n, hash)
        self._currencies.update((fact.account, fact.currency) for fact in opened)
        self._have.update(after)
        self._chips.update(chips)
        self._note(unit, body, hash, changes)
        return Committed(hash)

    def _answer(self, unit: LogEntry) -> Answered | None:
        """The row that answered the unit's request before; the same id for other contents is refused."""
        request = unit.request or unit.guard
        if request is None:
            return None
        answered = self._answered.get((request.player, request.id))
        if answered is not None and answered.digest != request.digest:
            raise Refusal("command/reused", id=request.id)
        return answered

    def _stored(self, unit: LogEntry, body: bytes) -> bytes | None:
        """The hash of the unit's row if this very unit is stored: the answer to it was lost."""
        if unit.n < 1:
            return None
        log = schema.log.c
        found = self._connection.execute(
            sqlalchemy.select(log.n, log.hash)
            .where(log.stream == unit.stream, log.n.in_((unit.n - 1, unit.n)))
            .order_by(log.n)
        ).all()
        before = found[0].hash if unit.n > 1 and found else bytes(32)
        if not found or found[-1].n != unit.n:
            return None
        hash = unit.hash(before, body)
        return hash if found[-1].hash == hash else None

    def _move(self, movements: Sequence[Movement], opened: Sequence[AccountOpened]) -> dict[int, int]:
        """The balances that the movements change; each must be covered in its turn (ASR-10)."""
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
        """The golden chips that the facts leave in accounts; each must hold in its turn what it gives (MAJ-50)."""
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

    def _changes(self, unit: LogEntry) -> list[Change]:
        """What the facts do to the tables, if both databases can hold it. The body is JSON, where a NUL is written out."""
        changes = list(changes_of(unit.body.facts, unit.context))
        cells = [unit.at, unit.kind, unit.round, *(movement.key for movement in unit.body.movements)]
        if not all(map(_is_storable, chain(cells, *(change.row for change in changes)))):
            raise Refusal("unit/unwritable")
        return changes

    def _note(self, unit: LogEntry, body: bytes, hash: bytes, changes: Sequence[Change]) -> None:
        """Remember what is to be written for a unit that was taken."""
        request = unit.request
        player, id, digest = (
            (None, None, None) if request is None else (request.player, request.id, request.digest)
        )
        if request is not None:
            self._answered[request.player, request.id] = Answered(unit.stream, unit.n, request.digest)
        columns = (unit.stream, unit.n, unit.epoch, unit.at, unit.kind, unit.round, player, id, digest)
        self._log.append((*columns, body, hash))
        stream, n = unit.stream, unit.n
        self._transfers += [
            (stream, n, i, m.key, m.debit, m.credit, m.amount) for i, m in enumerate(unit.body.movements)
        ]
        for target, row in changes:
            if isinstance(target, str):
                self._runs.setdefault(target, []).append(row)
            else:
                self._rows.setdefault(target, []).append(row)

    # Writing

    def write(self) -> None:
        """Write what was taken; `ConflictError` if a guard fails, and then nothing may be kept."""
        driver = self._driver
        if not self._log:
            return
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
        # In their order: money is brought before a player leaves, a shoe is seeded before it is revealed.
        for name in STATEMENTS:
            if name in self._runs:
                driver.run(name, self._runs[name])


def _new_owner(unit: LogEntry) -> bool:
    """Whether the unit takes the stream over: it alone begins a new epoch."""
    return any(isinstance(fact, StreamOwned) for fact in unit.body.facts)


def _golden(unit: LogEntry) -> list[GoldenMoved]:
    return [fact for fact in unit.body.facts if isinstance(fact, GoldenMoved)]
