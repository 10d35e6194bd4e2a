"""Game codes, which name rounds (PLT-20)."""

import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime

#: The letters of a code, as base32 has them: no 0 and no 1.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
#: Codes that a node gives in a second, of 32,768: of the last ones it would have to look long for one that is free.
_MOST = 30_000
#: Seconds whose codes are remembered.
_REMEMBERED = 16

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

    The first letter is the node's slot, so no other living node gives the same code; the others are drawn, and not given
    again within their second. Where a second has no more, the code is of the next one.

    >>> codes = SecureCodes(slot=2)
    >>> len({codes(0) for _ in range(1_000)}), codes(0)[-4]
    (1000, 'C')
    """

    def __init__(self, slot: int = 0) -> None:
        self.slot = slot
        self._lock = threading.Lock()
        #: The numbers given in each second.
        self._given: dict[int, set[int]] = {}

    def __call__(self, at: int) -> str:
        """A new code."""
        second = at // 1000
        with self._lock:
            while len(given := self._given.setdefault(second, set())) >= _MOST:
                second += 1
            while (number := secrets.randbelow(32**3)) in given:
                pass
            given.add(number)
            while len(self._given) > _REMEMBERED:
                del self._given[next(iter(self._given))]
        letters = (self.slot, number >> 10, number >> 5 & 31, number & 31)
        return game_code(1000 * second, "".join(_LETTERS[letter] for letter in letters))


secure_code = SecureCodes()
