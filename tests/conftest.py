"""Settings of every run: where the tests write, in which order they run, which examples hypothesis draws."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.clock import PATIENCE

pytest_plugins = [
    "pytester",
    "tests.conformance.plugin",
    "tests.support.databases",
    "tests.support.doctests",
]

# The same examples in every run; `pytest --hypothesis-profile=random` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("random", deadline=None)
# Fewer of them, for `make check`; a test that says how many it needs has as many.
settings.register_profile("some", settings.get_profile("repeatable"), max_examples=25)
settings.load_profile("repeatable")

#: A folder in memory, where a commit waits for no disk, and the bytes that a run may need there.
MEMORY, ROOM = Path("/dev/shm"), 2 << 30


def _write_into_memory() -> None:
    """Put temporary files into memory, unless TMPDIR says where they go or there is little room."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


_write_into_memory()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what collection makes: it lives as long as the run."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


def pytest_collection_finish() -> None:
    """Let a house wait for its database as long as a test does: it has 4.5 seconds, which a busy machine may need."""
    house = sys.modules.get("sabot.server.house")  # not imported for tests that need none
    if house is not None:
        vars(house)["_LONGEST"] = PATIENCE


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin each worker's part of the tests with slow ones, so that no long test is left for the end.

    xdist first gives each worker an equal part of the list; who is done early takes from the end of another's part.
    """
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    slow: list[list[pytest.Item]] = [[] for _ in range(workers)]
    slow_items = [item for item in items if item.get_closest_marker("slow")]
    for number, (_, module) in enumerate(groupby(slow_items, lambda item: item.path)):
        slow[number % workers].extend(module)
    fast = [item for item in items if not item.get_closest_marker("slow")]
    items.clear()
    for number, part in enumerate(slow):
        size = (len(fast) + len(slow_items)) // workers - len(part)
        last = number == workers - 1
        items.extend(part)
        items.extend(fast if last else fast[: max(size, 0)])
        del fast[: max(size, 0)]
