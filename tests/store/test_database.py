"""The database itself: its address, and the schema that comes by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint

from sabot.store import schema
from sabot.store.audit import audit_store
from sabot.store.cashier import Cashier, name_proof
from sabot.store.database import REVISION, Database, DatabaseError, migrate, revision
from sabot.store.entry import row_hash
from sabot.store.store import Store
from tests.support.clock import PATIENCE
from tests.support.databases import KINDS

_numbers = count(1)


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with nothing in it, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    address: str = request.getfixturevalue("postgres")
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.replace("/postgres?", f"/{name}?")


@pytest.fixture
def empty(empty_url: str) -> Iterator[Database]:
    database = Database(empty_url)
    yield database
    database.close()


@pytest.mark.parametrize(
    "url", ["", "sabot.db", "mysql://localhost/x", "sqlite+aiosqlite:///x", "postgresql+asyncpg://h/x", "://"]
)
def test_an_address_that_will_not_do(url: str) -> None:
    with pytest.raises(DatabaseError) as error:
        Database(url)
    assert (
        str(error.value) == f"{url!r} is not a database: write sqlite:///FILE or postgresql://USER@HOST/NAME"
    )


@pytest.mark.parametrize("driver", ["postgresql", "postgresql+psycopg"])
def test_both_ways_to_write_a_postgresql_address(driver: str) -> None:
    database = Database(f"{driver}://ada@localhost/sabot")
    assert database.url.drivername == "postgresql+psycopg"
    assert not database.is_sqlite


def test_a_file_waits_for_the_disk(tmp_path: Path) -> None:
    """WAL with synchronous=FULL: what was committed is there after a power cut."""
    database = Database(f"sqlite:///{tmp_path / 'x.db'}")
    for side in (database.reading, database.writing):
        with side() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    database.close()


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The log, names and hashes of passwords are nobody else's; the files that SQLite puts beside it follow."""
    before = os.umask(0)
    try:
        database = Database(f"sqlite:///{tmp_path / 'x.db'}")
        assert list(tmp_path.iterdir()) == []
        migrate(database)
        with database.reading():
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert modes == {"x.db": 0o600, "x.db-wal": 0o600, "x.db-shm": 0o600}


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.touch()
    path.chmod(0o640)
    database = Database(f"sqlite:///{path}")
    migrate(database)
    with database.reading():
        modes = {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    database.close()
    assert modes == {0o640}


def test_a_file_that_cannot_be_made_is_told_by_sqlite(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'no' / 'x.db'}")
    with pytest.raises(sqlalchemy.exc.OperationalError, match="unable to open database file"):
        migrate(database)


def test_a_transaction_is_whole_or_nothing(database: Database) -> None:
    def broken() -> None:
        with database.writing() as connection:
            connection.execute(sqlalchemy.insert(schema.counters), {"name": "x", "next": 1})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    with database.reading() as connection:
        assert connection.execute(sqlalchemy.select(schema.counters)).all() == []


def test_reading_sees_one_moment(database: Database) -> None:
    counted = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.counters)
    with database.reading() as reader:
        assert reader.execute(counted).scalar() == 0
        with database.writing() as writer:
            writer.execute(sqlalchemy.insert(schema.counters), {"name": "x", "next": 1})
        assert reader.execute(counted).scalar() == 0
    with database.reading() as reader:
        assert reader.execute(counted).scalar() == 1


# The schema


def test_an_empty_database_is_filled_once(empty: Database) -> None:
    with empty.reading() as connection:
        assert revision(connection) is None
    migrate(empty)
    migrate(empty)
    with empty.reading() as connection:
        assert revision(connection) == REVISION


def test_the_newest_script_is_the_revision_of_this_package() -> None:
    config = Config()
    config.set_main_option("script_location", "sabot.store:migrations")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [REVISION]
    assert scripts.get_bases() == ["0001"]


@pytest.mark.filterwarnings("ignore:.*expression-based index")  # SQLite does not tell of players_name
def test_the_migrations_make_the_schema(empty: Database) -> None:
    """Tables, columns, types, keys and indexes, and the checks by name and text."""
    migrate(empty)
    with empty.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        inspector = sqlalchemy.inspect(connection)
        for table in schema.metadata.sorted_tables:
            wanted = {str(c.name) for c in table.constraints if isinstance(c, CheckConstraint)}
            assert {check["name"] for check in inspector.get_check_constraints(table.name)} == wanted
            key = inspector.get_pk_constraint(table.name)["constrained_columns"]
            assert key == [column.name for column in table.primary_key]
            unique = {tuple(u["column_names"]) for u in inspector.get_unique_constraints(table.name)}
            assert unique == {
                tuple(column.name for column in constraint.columns)
                for constraint in table.constraints
                if isinstance(constraint, sqlalchemy.UniqueConstraint)
            }


def test_the_database_itself_refuses_a_name_that_differs_in_capitals_only(empty: Database) -> None:
    migrate(empty)
    ada = {"id": 1, "name": "ada", "salt": b"", "registered_at": 0}
    with pytest.raises(sqlalchemy.exc.IntegrityError), empty.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.players), [ada, ada | {"id": 2, "name": "Ada"}])


def test_a_house_of_the_first_revision_is_brought_up_to_date(empty: Database) -> None:
    """Who was registered before there were profiles has one, as the log says."""
    config = Config()
    config.set_main_option("script_location", "sabot.store:migrations")
    with empty.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        player = {"id": 7, "name": "ada", "salt": b"", "registered_at": 0}
        connection.execute(sqlalchemy.insert(schema.players), player)
    migrate(empty)
    with empty.reading() as connection:
        found = connection.execute(sqlalchemy.select(schema.profiles)).all()
    assert found == [(7, "player", 0, False, False, False)]


def test_a_house_of_the_second_revision_is_brought_up_to_date(empty: Database) -> None:
    """Nobody registered before there were bots is one; what the log says is still what the tables have."""
    bodies = [
        b'{"facts":[{"fact":"stream-owned","name":"cashier","owner":1}]}',
        b'{"facts":[{"fact":"player-registered","player":7,"proof":"%b"}]}'
        % name_proof(b"s", "ada").encode(),
        b'{"facts":[{"fact":"player-registered","player":8,"proof":"%b","demo":true}]}'
        % name_proof(b"s", "demo-1").encode(),
        b'{"facts":[{"fact":"vip-given","player":7,"vip":2}]}',
    ]
    head, log = bytes(32), []
    for n, body in enumerate(bodies, 1):
        columns = (1, n, 1, n, "any", None, None, None, None)
        head = row_hash(head, columns, body)
        log.append((*columns, body, head))
    config = Config()
    config.set_main_option("script_location", "sabot.store:migrations")
    with empty.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(sqlalchemy.insert(schema.log).values(log))
        connection.execute(sqlalchemy.insert(schema.streams).values((1, "cashier", 1, len(log), head)))
        people = [(7, "ada", b"s", 2), (8, "demo-1", b"s", 3)]
        connection.execute(sqlalchemy.insert(schema.players).values(people))
        connection.exec_driver_sql(
            "INSERT INTO profiles VALUES (7, 'player', 2, false), (8, 'player', 0, true)"
        )
        numbers = [(name, 501) for name in ("owner", "stream", "player")]
        connection.execute(sqlalchemy.insert(schema.counters).values(numbers))
    migrate(empty)
    with empty.reading() as connection:
        found = connection.execute(sqlalchemy.select(schema.profiles).order_by("player")).all()
        assert found == [(7, "player", 2, False, False, False), (8, "player", 0, True, False, False)]
        assert audit_store(connection).findings == []
    cashier = Cashier.open(Store(empty), at=9)
    bot = cashier.register("demo-2", at=9, demo=True, bot=True)
    with empty.reading() as connection:
        its = sqlalchemy.select(schema.profiles).where(schema.profiles.c.player == bot)
        assert connection.execute(its).one() == (bot, "player", 0, True, True, False)
        assert audit_store(connection).findings == []


def test_each_profile_says_itself_whether_it_is_a_bots(empty: Database) -> None:
    """The default of the migration is gone."""
    migrate(empty)
    with pytest.raises(sqlalchemy.exc.IntegrityError), empty.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO profiles (player, role, vip, demo) VALUES (7, 'player', 0, true)"
        )


def test_the_database_itself_refuses_a_seat_that_is_taken(empty: Database) -> None:
    migrate(empty)
    seat = {"id": 1, "stream": 1, "spot": 3, "player": 7, "taken_at": 0, "left_at": None}
    left = [seat | {"id": id, "left_at": 5} for id in (2, 3)]
    with empty.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.seats), [seat, *left])
    with pytest.raises(sqlalchemy.exc.IntegrityError), empty.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.seats), seat | {"id": 4, "player": 8})


def test_the_database_itself_refuses_a_balance_below_zero(empty: Database) -> None:
    migrate(empty)
    account = {"id": 1, "name": "a", "kind": "player", "currency": "EUR", "balance": -1}
    with pytest.raises(sqlalchemy.exc.IntegrityError), empty.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.accounts), account)


def test_threads_that_migrate_at_once_all_succeed(empty_url: str) -> None:
    together = threading.Barrier(4)

    def open_house(i: int) -> int:
        database = Database(empty_url)
        together.wait()
        stream = Store(database).take(f"table {i}", at=1)
        database.close()
        return stream.id

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(open_house, range(4)))) == 4


@pytest.mark.slow  # many threads, many files
def test_threads_that_open_a_new_file_at_once_all_succeed(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def connect(url: str) -> str:
        database = Database(url)
        together.wait()
        with database.reading() as connection:
            mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        database.close()
        return str(mode)

    with ThreadPoolExecutor(4) as pool:
        for name in range(40):  # one alone would fail in one of ten runs
            assert set(pool.map(connect, [f"sqlite:///{tmp_path}/{name}.db"] * 4)) == {"wal"}


@pytest.mark.slow  # processes of their own
def test_processes_that_migrate_at_once_all_succeed(empty_url: str) -> None:
    script = (
        "import sys; from sabot.store.database import Database, migrate;"
        "d = Database(sys.argv[1]); sys.stdin.readline(); migrate(d); print('done')"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, empty_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=PATIENCE) for process in processes]
    assert [out for out, _ in answers] == ["done\n"] * 3, answers


def test_a_newer_schema_is_left_alone(empty: Database) -> None:
    migrate(empty)
    with empty.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseError) as error:
        Store(empty)
    assert (
        str(error.value)
        == f"the database is of revision 9999, this sabot knows {REVISION}: install a newer one"
    )
    with empty.reading() as connection:
        assert revision(connection) == "9999"
