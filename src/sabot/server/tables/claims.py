"""Request ids on their way to the store. The log holds an id of a player once, whichever table it was sent to (ASR-11).

>>> claims = RequestClaims()
>>> done = claims.take(7, "a", "live/one")
>>> again = claims.take(7, "a", "live/one")
>>> claims.take(7, "a", "cashier")
Traceback (most recent call last):
sabot.errors.Refusal: The id 'a' was used before for another command: give each command an id of its own
>>> done(), again(), done()
(None, None, None)
>>> claims.take(7, "a", "cashier")()
"""

from __future__ import annotations

from collections.abc import Callable

from sabot.errors import Refusal


class RequestClaims:
    """Who is carrying out which request: a second owner is refused, the same one may look at it again."""

    def __init__(self) -> None:
        self._held: dict[tuple[int, str], tuple[str, int]] = {}

    def take(self, player: int, id: str, owner: str) -> Callable[[], None]:
        """Claim an id for a table or the cashier; gives what lets go of it, once, however often it is called."""
        key = (player, id)
        holder, count = self._held.get(key, (owner, 0))
        if holder != owner:
            raise Refusal("command/reused", id=id)
        self._held[key] = (owner, count + 1)
        held = [key]
        return lambda: self._let_go(held.pop()) if held else None

    def _let_go(self, key: tuple[int, str]) -> None:
        owner, count = self._held.pop(key)
        if count > 1:
            self._held[key] = (owner, count - 1)
