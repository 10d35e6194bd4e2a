"""What is refused, with which code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from sabot.client import RequestError
from sabot.errors import Refusal
from sabot.store.backup import BackupError


def refused(code: str, act: Callable[[], object]) -> Any:
    """Do something that is refused with this code; gives the refusal."""
    kinds: tuple[type[Any], ...] = (Refusal, BackupError)
    with pytest.raises(kinds) as error:
        act()
    assert error.value.code == code
    return error.value


async def ask_refused(code: str, asked: Awaitable[object]) -> RequestError:
    """Ask the house over a socket for what it refuses with this code."""
    with pytest.raises(RequestError) as error:
        await asked
    assert error.value.code == code
    return error.value
