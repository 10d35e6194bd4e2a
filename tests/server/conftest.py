from pathlib import Path

import pytest


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """An SQLite file of the test's own, where the kind of database does not matter."""
    return f"sqlite:///{tmp_path / 'site.db'}"
