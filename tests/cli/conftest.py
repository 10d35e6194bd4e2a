"""Commands speak Italian unless a test says otherwise."""

from __future__ import annotations

import pytest

from tests.support.bench import LOCALES


@pytest.fixture(autouse=True)
def _italian_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LOCALES:
        monkeypatch.delenv(name, raising=False)
