"""The database itself: its address, and the schema that comes by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint

from sabot.store import schema
from sabot.store.database import REVISION, Database, DatabaseError, migrate, revision
from sabot.store.store import Store
from tests.support.clock import PATIENCE

_numbers = count(1)


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
    """Tables, columns, types, defaults, keys and indexes, and the checks by name and text."""
    migrate(empty)
    with empty.reading() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
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
        str(error.value) == f"the database is of revision 9999, this sabot knows {REVISION}:"
        " use the release that wrote it, or a newer one"
    )
    with empty.reading() as connection:
        assert revision(connection) == "9999"
