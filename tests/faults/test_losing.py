"""The real server whose database freezes, is locked or full: it says so, refuses in time, and goes on (ASR-24)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.faults.losing import Report, campaign
from tests.faults.simulated.troubles import Frozen, FullDisk, Locked, Trouble, postgres_server
from tests.support.clock import PATIENCE
from tests.support.databases import sqlite_url

pytestmark = [pytest.mark.slow, pytest.mark.rule("ASR-24")]  # a real server, and seconds without its database


async def lose(folder: Path, url: str, trouble: Trouble) -> Report:
    return await campaign(folder, url, trouble, times=1, people=3, seconds=1.0, pause=0.05)


def check(found: Report) -> None:
    assert found.troubles == 1
    assert found.refusals["house/down"] > 0
    assert max(found.slowest_ask, found.slowest_healthz) < PATIENCE  # in `make faults` some seconds
    assert found.log_lines > 0


async def test_a_frozen_database(tmp_path: Path) -> None:
    with TemporaryDirectory() as cluster, postgres_server(cluster) as server:
        check(await lose(tmp_path, server.get_uri(), Frozen(server)))


@pytest.mark.parametrize("kind", ["locked", "full"])
async def test_a_file_that_cannot_be_written(kind: str, tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "sabot.db")
    check(await lose(tmp_path, url, Locked(url) if kind == "locked" else FullDisk()))
