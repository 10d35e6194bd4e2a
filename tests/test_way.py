"""A request passes few files: a stranger can follow it (`docs/architecture.md`)."""

from __future__ import annotations

from tests.way import ways

MOST = {"hit": 25, "vote": 30}


async def test_a_request_passes_few_files() -> None:
    passed = await ways()
    assert {name: len(files) for name, files in passed.items() if len(files) > MOST[name]} == {}, passed
