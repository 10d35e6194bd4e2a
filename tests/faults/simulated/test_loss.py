"""A full disk and a database that goes away: betting stops, nothing is half done, and it goes on when they are back."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.games import find
from sabot.store.cashier import Cashier
from sabot.store.commit import Lost, Outcome
from sabot.store.database import Database
from sabot.store.store import Store
from sabot.store.writer import DOWN, GroupWriter
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table
from tests.faults.postgres import Outage
from tests.faults.simulated.house import DATABASE_ERRORS
from tests.faults.simulated.invariants import (
    check_audit,
    check_house,
    check_over,
    money_of,
    result_of,
    rows_of,
)
from tests.faults.simulated.shoes import DrawnShoes
from tests.support.clock import PATIENCE
from tests.support.databases import sqlite_url
from tests.support.table import fixed_price

DEPOSIT = 1_000_000
TABLE = TableConfig(name="solo/ada", game=find("surrender"))
#: How a bet is refused when nothing can be stored.
STOPPED = {"unit/lost", "house/down"}


class House:
    """A house with a real writer, one player and one table."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.writer = GroupWriter(database)
        self.store = Store(database, self.writer)
        self.ticks = count(1)
        self.shoes = DrawnShoes("loss")
        cashier = Cashier.open(self.store, self.now())
        self.ada = cashier.register("ada", self.now())
        cashier.deposit(self.ada, "FUN", DEPOSIT, "first", self.now())
        self.table = self.open()
        self.store.store(self.table.sit(self.ada, DEPOSIT // 2, self.now()))

    def now(self) -> int:
        return next(self.ticks)

    def open(self) -> Table:
        tools = Tools(self.store, self.shoes, fixed_price(900_000_000))
        return open_table(TABLE, tools, self.now())

    def keep(self, step: Step) -> None:
        for unit in step.entries:
            self.store.store(unit)

    def round(self) -> None:
        """A round with many rows."""
        self.keep(self.table.deal(self.ada, (Bet(0, "main", 200), Bet(1, "main", 200)), "x", self.now()))
        self.play_out()

    def bring(self) -> None:
        """More money."""
        self.keep(self.table.add_money(str(self.ada), 100, self.now()))

    def play_out(self) -> None:
        while self.table.in_round and self.table.current is not None:
            self.keep(self.table.apply(self.table.current.round.legal()[0], self.now()))

    def finish(self) -> None:
        """Take the table up again, play its round to the end and go home; nothing is missing."""
        self.table = self.open()
        self.play_out()
        self.round()
        self.store.store(self.table.leave(str(self.ada), self.now()))
        self.writer.close()
        check_house(self.database)
        check_audit(self.database)
        check_over(self.database)
        assert money_of(self.database, self.ada) == DEPOSIT + result_of(self.database, self.ada)


def stopped(act: Callable[[], object]) -> bool:
    """Whether it is refused because nothing can be stored."""
    try:
        act()
    except Refusal as error:
        if error.code not in STOPPED:
            raise
        return True
    except DATABASE_ERRORS:
        return True
    return False


def until(condition: Callable[[], bool]) -> None:
    """Look again and again until it is so, or the time is over."""
    end, never = time.monotonic() + PATIENCE, threading.Event()
    while not condition():
        assert time.monotonic() < end, "it did not come"
        never.wait(0.01)


@contextmanager
def full_disk(database: Database, pages_left: int) -> Iterator[None]:
    """SQLite is given so many pages more and not one beyond; its own answer is "database or disk is full"."""
    with database.reading() as connection:
        used = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
    limit = used + pages_left

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit}")

    # It stays: the writer looks for the database in its own thread, and listeners must not change under it.
    event.listen(database._writer, "begin", begin)
    yield
    limit = 2**30


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Database]:
    opened = Database(sqlite_url(tmp_path / "house.db"))
    yield opened
    opened.close()


@pytest.mark.parametrize("pages_left", [0, 1, 2, 5])
def test_a_full_disk_stops_betting_and_loses_nothing(file: Database, pages_left: int) -> None:
    house = House(file)
    house.round()
    with full_disk(file, pages_left):
        for _ in range(4):
            assert stopped(lambda: bet_without_end(house))
            check_house(file)
            check_audit(file)
    until(lambda: not house.writer.down)
    house.finish()


def bet_without_end(house: House) -> None:
    """Open the table again and bet until there is no room for more; a small row may still find some."""
    house.table = house.open()
    house.play_out()
    for _ in range(500):
        house.round()


def test_a_round_stays_as_it_was_when_no_number_is_to_be_had(
    file: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a round needs the number of the next shoe; without one nothing of the command is done."""
    house = House(file)
    house.round()
    house.keep(house.table.deal(house.ada, (Bet(0, "main", 200),), "x", house.now()))
    assert house.table.current is not None
    assert house.table.in_round
    shown = list(house.table.current.round.log)

    def down(kind: str) -> int:
        raise Refusal("house/down")

    house.table.shoes.reserved = 0
    with monkeypatch.context() as patched:
        patched.setattr(house.store.ids, "take", down)
        assert stopped(house.play_out)
    assert house.table.current.round.log == shown
    house.play_out()
    house.finish()


@pytest.mark.slow  # a PostgreSQL
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_lost_database_stops_betting_and_loses_nothing(database_url: str) -> None:
    """The connections are cut in the middle of play, and no new one is let in for a while."""
    database, outage = Database(database_url), Outage(database_url)
    house = House(database)
    house.round()
    house.keep(house.table.deal(house.ada, (Bet(0, "main", 200),), "x", house.now()))
    before = rows_of(database)
    outage.begin()
    try:
        assert stopped(house.play_out) or stopped(house.round)
        until(lambda: house.writer.down)
        assert stopped(house.bring)
        assert stopped(house.open)
    finally:
        outage.end()
    until(lambda: not house.writer.down)
    assert rows_of(database) == before
    house.finish()
    database.close()


@pytest.mark.slow  # a PostgreSQL
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_waits_when_the_database_goes_is_refused_and_nothing_of_it_stored(database_url: str) -> None:
    """Units behind a lost one are lost or refused, never stored out of turn."""
    database, outage = Database(database_url), Outage(database_url)
    house = House(database)
    before = rows_of(database)
    units = [house.table.add_money(str(house.ada), 100, house.now()).entries[0] for _ in range(20)]
    outage.begin()
    outcomes: queue.Queue[Outcome] = queue.Queue()
    for unit in units:
        house.writer.submit(unit, outcomes.put)
    told = [outcomes.get(timeout=PATIENCE) for _ in units]
    outage.end()
    assert all(isinstance(outcome, Lost) or outcome == DOWN for outcome in told)
    until(lambda: not house.writer.down)
    assert rows_of(database) == before
    house.finish()
    database.close()
