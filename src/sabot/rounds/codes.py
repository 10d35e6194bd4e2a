"""Game codes, which name rounds (PLT-20)."""

import base64
import secrets
from collections.abc import Callable
from datetime import UTC, datetime

#: Recent codes that are not given again.
_REMEMBERED = 16_384

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

    There are a million for each second; recent ones are not given again. The store refuses a code of two processes.

    >>> codes = SecureCodes()
    >>> len({codes(0) for _ in range(10_000)})
    10000
    """

    def __init__(self) -> None:
        self._given: dict[str, None] = {}

    def __call__(self, at: int) -> str:
        """A new code."""
        while (code := game_code(at, base64.b32encode(secrets.token_bytes(3)).decode()[:4])) in self._given:
            pass
        self._given[code] = None
        if len(self._given) > _REMEMBERED:
            del self._given[next(iter(self._given))]
        return code


secure_code = SecureCodes()
