from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import settings

pytest_plugins = ["pytester", "tests.conformance.plugin", "tests.databases"]

# The same examples in every run; `pytest --hypothesis-profile=random` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def _patient_house() -> Iterator[None]:
    """Requests wait for the database as long as a machine with much to do needs."""
    with patch("sabot.server.house._LONGEST", 60.0):
        yield
