from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.store.database import Database
from tests.support.databases import sqlite_url


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An SQLite file: the demo's own house has one."""
    opened = Database(sqlite_url(tmp_path / "demo.db"), durable=False)
    yield opened
    opened.close()
