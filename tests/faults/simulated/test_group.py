"""The group writer when things go wrong: too much to do, a unit that spoils its group, an end in the middle."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

import pytest
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed, Outcome, Refused
from sabot.store.database import Database
from sabot.store.entry import LogEntry, Movement, RequestKey
from sabot.store.store import Store
from sabot.store.writer import BUSY, Done, GroupWriter, InlineWriter
from tests.support.clock import PATIENCE
from tests.support.ledger import rows
from tests.support.store.store_house import NOWHERE, House


class GatedDatabase(Database):
    """Each transaction of the writer's thread waits at a gate and says that it does."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.waiting: queue.Queue[None] = queue.Queue()
        self.gate = threading.Semaphore(0)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        if threading.current_thread().name == "sabot-writer":
            self.waiting.put(None)
            assert self.gate.acquire(timeout=PATIENCE)
        with super().writing() as connection:
            yield connection

    def opened(self) -> None:
        """From now on nobody waits at the gate."""
        self.gate.release(1_000)


@pytest.fixture
def gated(database_url: str) -> Iterator[GatedDatabase]:
    opened = GatedDatabase(database_url)
    yield opened
    opened.close()


def answers(outcomes: queue.Queue[Outcome], number: int) -> list[Outcome]:
    return [outcomes.get(timeout=PATIENCE) for _ in range(number)]


def test_a_full_queue_refuses_at_once_and_keeps_what_it_has(gated: GatedDatabase) -> None:
    house, outcomes = House(gated), queue.Queue[Outcome]()
    writer = GroupWriter(gated, capacity=3)
    units = [house.unit(house.move(house.ada, house.bank, 1)) for _ in range(5)]
    writer.submit(units[0], outcomes.put)
    gated.waiting.get(timeout=PATIENCE)
    for unit in units[1:4]:
        writer.submit(unit, outcomes.put)
    assert writer.waiting == 3
    writer.submit(units[4], outcomes.put)
    assert outcomes.get_nowait() == BUSY
    gated.opened()
    assert [type(outcome) for outcome in answers(outcomes, 4)] == [Committed] * 4
    assert house.balances("ada") == (996,)
    writer.submit(units[4], outcomes.put)
    assert [type(outcome) for outcome in answers(outcomes, 1)] == [Committed]
    writer.close()


def deal(house: House, *movements: Movement) -> list[LogEntry]:
    """Two units of one request."""
    request = RequestKey.of(7, "deal")
    return [house.unit(guard=request), house.unit(*movements, request=request)]


@pytest.mark.rule("CLU-21")
def test_the_units_of_a_deal_are_one_transaction(gated: GatedDatabase) -> None:
    """The writer has taken the first when the second comes: a node that ended between them would leave a round to void."""
    house, outcomes = House(gated), queue.Queue[Outcome]()
    groups: list[Callable[[], None]] = []
    writer = GroupWriter(gated, post=groups.append)
    gated.opened()
    first, second = deal(house, house.move(house.ada, house.bank, 1))
    writer.submit(first, outcomes.put)
    while writer.waiting:
        pass
    writer.submit(second, outcomes.put)
    writer.close()
    assert len(groups) == 1
    groups[0]()
    assert [type(outcome) for outcome in answers(outcomes, 2)] == [Committed] * 2


@pytest.mark.rule("CLU-21")
def test_the_first_unit_of_a_deal_is_not_stored_without_the_second(gated: GatedDatabase) -> None:
    """The second spoils the group: neither is there, and the others are."""
    house, outcomes = House(gated), queue.Queue[Outcome]()
    other = house.store.take("other", at=1)
    writer = GroupWriter(gated)
    writer.submit(house.unit(house.move(house.ada, house.bank, 1, "once")), outcomes.put)
    gated.waiting.get(timeout=PATIENCE)
    units = [
        *deal(house, house.move(house.ada, house.bank, 7, "once")),
        house.unit(house.move(house.bob, house.bank, 2), stream=other),
    ]
    for unit in units:
        writer.submit(unit, outcomes.put)
    gated.opened()
    found = answers(outcomes, 4)
    assert found[1:3] == [Refused("unit/conflict")] * 2
    assert [type(found[0]), type(found[3])] == [Committed] * 2
    writer.close()
    assert rows(gated, f"SELECT max(n) FROM log WHERE stream = {house.stream.id}") == [(units[0].n - 1,)]


def test_a_unit_that_spoils_its_group_is_refused_alone(gated: GatedDatabase) -> None:
    """A key that was used before fails the whole transaction; the others are written without it, in order."""
    house, outcomes = House(gated), queue.Queue[Outcome]()
    other = house.store.take("other", at=1)
    writer = GroupWriter(gated)
    writer.submit(NOWHERE, outcomes.put)
    gated.waiting.get(timeout=PATIENCE)
    units = [
        house.unit(house.move(house.ada, house.bank, 1, "once")),
        house.unit(house.move(house.bob, house.bank, 1), stream=other),
        house.unit(house.move(house.ada, house.bank, 7, "once")),
        house.unit(house.move(house.bob, house.bank, 2), stream=other),
        house.unit(house.move(house.ada, house.bank, 50)),
    ]
    for unit in units:
        writer.submit(unit, outcomes.put)
    gated.opened()
    nowhere, first, second, spoilt, third, behind = answers(outcomes, 6)
    assert isinstance(nowhere, Refused)
    assert [type(outcome) for outcome in (first, second, third)] == [Committed] * 3
    assert spoilt == Refused("unit/conflict")
    assert isinstance(behind, Refused)
    assert behind.code == "stream/fenced"
    assert house.balances("ada", "bob") == (999, 497)
    writer.close()


def test_nothing_that_was_taken_is_forgotten_when_the_writer_closes(gated: GatedDatabase) -> None:
    """Threads go on handing in while another closes: each unit gets one answer."""
    House(gated)
    gated.opened()
    for _ in range(20):
        writer = GroupWriter(gated, capacity=8)
        asked, outcomes, start = queue.Queue[None](), queue.Queue[Outcome](), threading.Barrier(5)

        def hand_in(
            writer: GroupWriter = writer,
            asked: queue.Queue[None] = asked,
            outcomes: queue.Queue[Outcome] = outcomes,
            start: threading.Barrier = start,
        ) -> None:
            start.wait(PATIENCE)
            for _ in range(20):
                asked.put(None)
                writer.submit(NOWHERE, outcomes.put)

        threads = [threading.Thread(target=hand_in) for _ in range(4)]
        for thread in threads:
            thread.start()
        start.wait(PATIENCE)
        writer.close()
        for thread in threads:
            thread.join(PATIENCE)
        assert outcomes.qsize() == asked.qsize() == 80


class BusyOnce:
    """A writer that is busy when it is told to be."""

    def __init__(self, database: Database) -> None:
        self._inline = InlineWriter(database)
        self.busy = False

    def submit(self, unit: LogEntry, done: Done) -> None:
        """Refuse once, or write."""
        if self.busy:
            self.busy = False
            done(BUSY)
        else:
            self._inline.submit(unit, done)


def test_the_cashier_goes_on_after_the_house_was_busy(database: Database) -> None:
    """A refused row leaves its place to the next, whatever it was."""
    writer = BusyOnce(database)
    cashier = Cashier.open(Store(database, writer), at=1)
    for attempt in range(2):
        writer.busy = attempt == 0
        with pytest.raises(Refusal) if attempt == 0 else nullcontext():
            cashier.register("ada", at=2)
    bob = cashier.register("bob", at=3)
    writer.busy = True
    with pytest.raises(Refusal):
        cashier.deposit(bob, "EUR", 100, "first", at=4)
    cashier.deposit(bob, "EUR", 100, "first", at=5)
    assert cashier.balance(bob, "EUR") == 100
