"""Game codes, which name rounds (PLT-20)."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from datetime import UTC, datetime

#: Gives a new code for a moment in milliseconds.
Codes = Callable[[int], str]


def game_code(at: int, letters: str) -> str:
    """The code of a round: date, GMT time and four letters.

    >>> game_code(1_788_000_000_000, "K7QA")
    '260829-104000-K7QA'
    """
    return f"{datetime.fromtimestamp(at / 1000, UTC):%y%m%d-%H%M%S}-{letters}"


class SecureCodes:
    """Unique codes that cannot be guessed.

    There are a million for each second, so recent codes are remembered to avoid repeats. The store refuses a code that
    two processes give.

    >>> codes = SecureCodes()
    >>> len({codes(0) for _ in range(10_000)})
    10000
    """

    def __init__(self, remembered: int = 16_384) -> None:
        self._remembered = remembered
        self._given: dict[str, None] = {}

    def __call__(self, at: int) -> str:
        """A new code."""
        code = _draw(at)
        while code in self._given:
            code = _draw(at)
        self._given[code] = None
        if len(self._given) > self._remembered:
            del self._given[next(iter(self._given))]
        return code


def _draw(at: int) -> str:
    return game_code(at, base64.b32encode(secrets.token_bytes(3)).decode()[:4])


secure_code = SecureCodes()
