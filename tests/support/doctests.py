"""Doctests are looked for only where there are examples: to search every module takes each worker a second."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

Collectors = list[pytest.Collector]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Collectors, Collectors]:
    """Leave out the collector of doctests where a module has no example."""
    collectors = yield
    if any(isinstance(one, DoctestModule) for one in collectors) and b">>>" not in file_path.read_bytes():
        return [one for one in collectors if not isinstance(one, DoctestModule)]
    return collectors
