from pathlib import Path

import pytest

from tests.support.databases import sqlite_url


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """An SQLite file of the test's own, where the kind of database does not matter."""
    return sqlite_url(tmp_path / "site.db")
