"""A stranger who sends odd frames and requests to a real house (ASR-32)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.hostile import campaign

#: In `make faults` on both.
KIND = "sqlite"

pytestmark = pytest.mark.slow  # hundreds of requests to a real server


@pytest.mark.rule("ASR-32")
async def test_odd_frames_and_requests_harm_nobody(database_url: str, tmp_path: Path) -> None:
    found = await campaign(tmp_path, database_url, 300, 300, seed=1)
    assert found.frames >= 300
    assert found.requests == 300
    assert found.served > 0
    assert set(found.codes) <= {"ok", "command/malformed", "table/not-open", "table/unknown", "chat/empty"}
