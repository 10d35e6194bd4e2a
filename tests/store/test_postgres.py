"""A database that does not answer is given up: by the writer after its deadline, by everyone else when they hear of it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from sabot.errors import Refusal
from sabot.store.cashier import Cashier
from sabot.store.commit import Refused, commit_group
from sabot.store.database import Database, migrate
from sabot.store.entry import Body, Stream
from sabot.store.errors import DATABASE_ERRORS, UnreachableError, is_timeout, is_unreachable
from sabot.store.postgres import lift_limits, options_of
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from tests.faults.simulated.test_loss import until
from tests.support.clock import PATIENCE
from tests.support.cluster.stores import bury, store_of
from tests.support.ledger import check_chains

pytestmark = pytest.mark.rule("ASR-24")
#: Longer than anyone waits who gives up.
SLEEP = "SELECT pg_sleep(3600)"


@pytest.fixture
def patient(database_url: str) -> Iterator[Database]:
    opened = Database(database_url, deadline=0.5)
    migrate(opened)
    yield opened
    opened.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.slow  # it waits for a database that does not answer
def test_the_writer_gives_a_silent_server_up_and_so_does_everyone(patient: Database) -> None:
    begun = threading.Event()

    def read() -> None:
        with patient.reading() as connection:
            begun.set()
            connection.exec_driver_sql(SLEEP)

    with ThreadPoolExecutor() as threads:
        reading = threads.submit(read)
        assert begun.wait(PATIENCE)
        with pytest.raises(DATABASE_ERRORS) as silent, patient.writing_in_time() as connection:
            connection.exec_driver_sql(SLEEP)
        assert is_timeout(silent.value)
        assert patient.unreachable
        error = reading.exception(PATIENCE)  # let go, long before it would have been answered
        assert error is not None
        assert is_unreachable(error)
    with pytest.raises(UnreachableError), patient.reading():
        pass
    patient.deadline = PATIENCE  # however busy the machine is
    with patient.writing_in_time() as connection:  # the writer looks on
        connection.exec_driver_sql("SELECT 1")
    until(lambda: not patient.unreachable)
    with patient.reading() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.slow  # it waits for a database that does not answer
def test_a_slow_statement_of_a_reader_is_not_given_up(patient: Database) -> None:
    """The deadline is the writer's: a long look at the books is answered."""
    with patient.reading() as connection:
        assert connection.exec_driver_sql("SELECT 7 FROM pg_sleep(1)").scalar() == 7


@pytest.mark.rule("CLU-03")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.slow  # it waits until the server cuts a frozen process off
def test_a_node_that_is_frozen_in_a_transaction_is_cut_off(database_url: str) -> None:
    """It holds the row of its table when it goes silent: whoever takes the table over gets it, and it writes no more."""
    databases = [Database(database_url, deadline=PATIENCE) for _ in range(2)]
    frozen, other = (store_of(database, slot) for slot, database in enumerate(databases))
    stream = frozen.take("table", at=1)
    bury(frozen)
    taken: list[Stream] = []

    def freeze() -> None:
        """The other takes the table before the silent one goes on."""
        with frozen.database.writing_in_time() as connection:
            commit_group(connection, [stream.entry(2, "said", Body())])
            taken.append(take_over(other))
            connection.exec_driver_sql("SELECT 1")

    with pytest.raises(DATABASE_ERRORS):
        freeze()
    assert [(new.epoch, new.n) for new in taken] == [(2, 2)]
    late = frozen.write(stream.entry(3, "said", Body()))
    assert isinstance(late, Refused)
    assert late.code == "stream/fenced"
    check_chains(databases[0])
    for database in databases:
        database.close()


def take_over(store: Store) -> Stream:
    """Take the table, whose row may be locked."""
    for _ in range(20):
        with suppress(Refusal):
            return store.take("table", at=9)
    raise AssertionError("nobody cut the other off")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.slow  # a server of its own
def test_readers_have_time_that_the_writer_has_not(patient: Database) -> None:
    """A long look at the books is not cut off."""
    with patient.reading() as reader, patient.writing() as writer:
        shown = [
            connection.exec_driver_sql(f"SHOW {name}").scalar()
            for connection in (reader, writer)
            for name in ("lock_timeout", "idle_in_transaction_session_timeout")
        ]
    assert shown == ["2500ms", "10s", "1500ms", "2s"]


@pytest.mark.slow
def test_a_writer_with_nothing_to_do_finds_out(tmp_path: Path) -> None:
    """Another program holds the lock of the file: units are refused though none was lost, until it lets go."""
    file = tmp_path / "house.db"
    database = Database(f"sqlite:///{file}", deadline=PATIENCE)
    migrate(database)
    writer = GroupWriter(database)
    cashier = Cashier.open(Store(database, writer), at=1)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    until(lambda: writer.down)
    with pytest.raises(Refusal, match="cannot store"):
        cashier.register("ada", at=2)
    before = list(holder.iterdump())
    holder.execute("COMMIT")
    until(lambda: not writer.down)
    assert list(holder.iterdump()) == before  # what was written to find out left nothing
    holder.close()
    Cashier.open(Store(database, writer), at=3).register("ada", at=4)
    writer.close()
    database.close()


@pytest.mark.rule("CLU-03")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_ends_what_a_lost_process_has_left(patient: Database) -> None:
    """Else its sessions stay, with their locks, until no more are let in; migrations take as long as they need."""
    with patient.writing() as connection:
        assert connection.exec_driver_sql("SHOW transaction_timeout").scalar() == "8s"
        lift_limits(connection)
        assert connection.exec_driver_sql("SHOW transaction_timeout").scalar() == "0"
    with patient.reading() as connection:
        assert connection.exec_driver_sql("SHOW transaction_timeout").scalar() == "0"
    options = options_of(patient.url, {})["options"]
    assert "tcp_keepalives_idle=2" in options
    assert "tcp_user_timeout=5000" in options


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_the_connections_of_all_threads_that_read_are_kept(database_url: str) -> None:
    """One that is closed when it comes back and opened for the next read costs more than the read."""
    database, count = Database(database_url, deadline=PATIENCE), 10
    together = threading.Barrier(count)

    def read(_: int) -> int:
        with database.reading() as connection:
            together.wait(PATIENCE)
            return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())

    with ThreadPoolExecutor(count) as threads:
        first, again = (set(threads.map(read, range(count))) for _ in range(2))
    database.close()
    assert len(first) == count
    assert again == first
