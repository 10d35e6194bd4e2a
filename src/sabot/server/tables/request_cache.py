"""Idempotency memory: a request that comes again is answered and not carried out again (ASR-11)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from sabot.engine.commands import Player
from sabot.errors import Refusal

#: A player and the id of one of the player's requests.
Key = tuple[Player, str]
#: One who waits for a response.
Waiting = TypeVar("Waiting")


class CachedRequest(NamedTuple):
    """The contents of a request, and whether what it did is committed."""

    digest: bytes
    stored: bool


class RequestCache(Generic[Waiting]):
    """The last requests that a table has carried out; the store knows older ones."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._known: OrderedDict[Key, CachedRequest] = OrderedDict()
        #: Those who sent the same while it was on its way.
        self._again: dict[Key, list[Waiting]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def find(self, key: Key) -> CachedRequest | None:
        """What is known of a request."""
        return self._known.get(key)

    def add(self, key: Key, digest: bytes) -> None:
        """A request was carried out; it is not committed yet."""
        self._known[key] = CachedRequest(digest, stored=False)
        if len(self._known) > self._kept:
            self._known.popitem(last=False)

    def wait(self, key: Key, waiting: Waiting) -> None:
        """The same came while it is on its way."""
        self._again.setdefault(key, []).append(waiting)

    def store(self, key: Key) -> None:
        """What it did is committed."""
        known = self._known.get(key)
        if known is not None:
            self._known[key] = known._replace(stored=True)

    def take_waiting(self, key: Key) -> list[Waiting]:
        """Those who sent the same meanwhile, once."""
        return self._again.pop(key, [])

    def learn(self, found: Iterable[tuple[Key, bytes]]) -> None:
        """Requests that the log has."""
        for key, digest in found:
            self._known.setdefault(key, CachedRequest(digest, stored=True))

    def unstored(self) -> list[Key]:
        """Requests that were carried out, and may be committed or not."""
        return [key for key, known in self._known.items() if not known.stored]

    def forget(self, keys: Iterable[Key]) -> None:
        """What these did was taken back."""
        for key in keys:
            self._known.pop(key, None)


class RequestClaims:
    """Who is carrying out which request: a second owner is refused, the same one may look at it again.

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
