"""A small house for the tests of the store: one stream, a bank, a few players; units made by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from sabot.store.commit import Outcome, Refused
from sabot.store.database import Database
from sabot.store.entry import Body, LogEntry, Movement, RequestKey, Stream
from sabot.store.facts import AccountOpened, AnyFact
from sabot.store.kinds import AccountKind, Currency
from sabot.store.store import Store
from sabot.store.writer import GroupWriter, InlineWriter, Writer
from tests.support.clock import PATIENCE
from tests.support.ledger import balances, count, rows

#: A unit that every group refuses: its stream does not exist.
NOWHERE = LogEntry(stream=999_999, epoch=1, n=1, at=0, kind="nothing", body=Body())


def write(writer: Writer, unit: LogEntry) -> Outcome:
    """Submit a unit and wait for its outcome."""
    future: Future[Outcome] = Future()
    writer.submit(unit, future.set_result)
    return future.result()


class House:
    """Ada has 10.00, Bob 5.00 and Fay 3.00 of play money; the bank has what it gave them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.store = Store(database)
        self.stream = self.store.take("table", at=1)
        self._keys = 0
        self.bank = self.open("bank", "cashier")
        self.ada, self.bob = self.open("ada", "player"), self.open("bob", "player")
        self.play_bank, self.fay = self.open("play", "cashier", "FUN"), self.open("fay", "player", "FUN")
        self.store.store(
            self.unit(
                self.move(self.bank, self.ada, 1000),
                self.move(self.bank, self.bob, 500),
                self.move(self.play_bank, self.fay, 300),
            )
        )

    def open(self, name: str, kind: AccountKind, currency: Currency = "EUR") -> int:
        """A new account."""
        account = self.store.ids.take("account")
        self.store.store(self.unit(facts=(AccountOpened(account, name, kind, currency),)))
        return account

    def move(self, debit: int, credit: int, amount: int, key: str = "") -> Movement:
        """A movement, under a key of its own if none is named."""
        self._keys += 1
        return Movement(key or f"key/{self._keys}", debit, credit, amount)

    def unit(
        self,
        *movements: Movement,
        facts: tuple[AnyFact, ...] = (),
        request: RequestKey | None = None,
        guard: RequestKey | None = None,
        stream: Stream | None = None,
        at: int = 5,
        round: str | None = None,
    ) -> LogEntry:
        """The next unit of a stream."""
        body = Body(movements=movements, facts=facts)
        return (stream or self.stream).entry(at, "move", body, request=request, guard=guard, round=round)

    def balances(self, *names: str) -> tuple[int, ...]:
        """What accounts have by their entries."""
        found = balances(self.database)
        return tuple(found[name] for name in names)


def write_group(database: Database, units: Sequence[LogEntry]) -> list[Outcome]:
    """Write units as one group of the writer: it is held up by the answer to a first unit while they queue."""
    held, go_on = threading.Event(), threading.Event()
    outcomes: list[Outcome] = []
    groups: list[int] = []

    def hold(outcome: Outcome) -> None:
        held.set()
        assert go_on.wait(PATIENCE)

    def post(answer: Callable[[], None]) -> None:
        before = len(outcomes)
        answer()
        groups.append(len(outcomes) - before)

    writer = GroupWriter(database, post=post)
    writer.submit(NOWHERE, hold)
    assert held.wait(PATIENCE)
    for unit in units:
        writer.submit(unit, outcomes.append)
    go_on.set()
    writer.close()
    assert groups == [0, len(units)], "they were to be one group"
    return outcomes


def one(house: House, unit: LogEntry) -> Outcome:
    """Write a unit alone."""
    return write(InlineWriter(house.database), unit)


def code(outcome: Outcome) -> str:
    """Why a unit was refused."""
    assert isinstance(outcome, Refused), outcome
    return outcome.code


def state(house: House) -> tuple[object, ...]:
    """Everything a refused unit could have changed."""
    tables = ("log", "transfers", "accounts", "golden", "sittings", "seats", "shoes", "rounds", "played")
    heads = rows(house.database, "SELECT id, epoch, n, head FROM streams ORDER BY id")
    kept = rows(house.database, "SELECT id, balance FROM accounts ORDER BY id")
    return (*(count(house.database, table) for table in tables), heads, kept)
