"""Databases for tests: an SQLite file and a real PostgreSQL, each fresh for a test.

The server comes from a wheel, one for each worker, started when the first test asks for it. A fresh database of either
kind is a copy of one that was migrated once.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, event

from sabot.store.database import Database, migrate
from tests.support.store.postgres import start_server

#: In daily work the SQLite half is enough; `make test` runs both.
KINDS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.slow))
#: What no test needs: to outlive the machine, to be compiled, to be swept.
_SETTINGS = (
    "fsync = off",
    "synchronous_commit = off",
    "full_page_writes = off",
    "autovacuum = off",
    "jit = off",
    "max_wal_size = '256MB'",
)
_TEMPLATE = "sabot_template"
_numbers = count(1)


class _Compiled(dict[tuple[Any, ...], Any]):
    """Compiled statements by kind of database: the many engines of a run use the same ones."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        dialect, *statement = key
        return super().get((dialect.name, *statement), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        dialect, *statement = key
        super().__setitem__((dialect.name, *statement), compiled)


_compiled = _Compiled()


@event.listens_for(Engine, "engine_connect")
def _share_compiled(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_compiled)


@cache
def _server(folder: str) -> str:
    """The address of a server that writes into a folder; it ends with the process that started it."""
    address: str = start_server(folder).get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        for setting in _SETTINGS:
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"CREATE DATABASE {_TEMPLATE}")
    template = Database(_named(address, _TEMPLATE))
    migrate(template)
    template.close()
    return address


def _named(address: str, name: str) -> str:
    return address.replace("/postgres?", f"/{name}?")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of the worker's PostgreSQL server."""
    folder = tempfile.mkdtemp(prefix="sabot-pg-")
    yield _server(folder)
    shutil.rmtree(folder, ignore_errors=True)


@cache
def _migrated() -> bytes:
    """An SQLite file without a house, of the newest revision."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.db"
        template = Database(f"sqlite:///{file}")
        migrate(template)
        template.close()
        return file.read_bytes()


def sqlite_url(file: Path) -> str:
    """The address of a migrated SQLite file, which is made where it is not there yet."""
    if not file.exists():
        file.write_bytes(_migrated())
        file.chmod(0o600)
    return f"sqlite:///{file}"


@contextmanager
def fresh_sqlite() -> Iterator[Database]:
    """A migrated SQLite file for a simulation, until the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(sqlite_url(Path(folder) / "sabot.db"), durable=False)
        try:
            yield database
        finally:
            database.close()


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on both kinds; or on one, where the test chooses it or its module says `KIND = "sqlite"`."""
    chosen = any(mark.args[0] == "database_url" for mark in metafunc.definition.iter_markers("parametrize"))
    if "database_url" in metafunc.fixturenames and not chosen:
        kind = getattr(metafunc.module, "KIND", None)
        metafunc.parametrize("database_url", KINDS if kind is None else [kind], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to PostgreSQL the first and the last case of a test that is marked `sampled`."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and "postgresql" in item.name:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = {item for found in cases.values() for item in found[1:-1]}
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh database of the kind that is chosen above."""
    return fresh_url(request, tmp_path)


def fresh_url(request: pytest.FixtureRequest, folder: Path) -> str:
    """The address of a fresh database of the kind that is the fixture's param; it goes with the fixture."""
    if request.param == "sqlite":
        return sqlite_url(folder / "sabot.db")
    address: str = request.getfixturevalue("postgres")
    name = f"sabot_{next(_numbers)}"

    def execute(statement: str) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement)

    execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY file_copy")
    request.addfinalizer(lambda: execute(f"DROP DATABASE {name} WITH (FORCE)"))
    return _named(address, name)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh, migrated database of each kind."""
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with nothing in it, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    address: str = request.getfixturevalue("postgres")
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return _named(address, name)


@pytest.fixture
def empty(empty_url: str) -> Iterator[Database]:
    """A database with nothing in it, of each kind."""
    opened = Database(empty_url)
    yield opened
    opened.close()
