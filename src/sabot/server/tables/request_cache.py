"""Questions that were carried out: one that comes again is answered and not carried out again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

#: What a question is known by: its id, and at a table of many whose it is.
Key = TypeVar("Key", bound=Hashable)
#: Who is answered.
Asker = TypeVar("Asker")


class CachedRequest(NamedTuple):
    """What was asked, and whether what it did is durable."""

    digest: bytes
    stored: bool


class RequestCache(Generic[Key, Asker]):
    """The last questions that a table has heard; older ones are in the log."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._known: OrderedDict[Key, CachedRequest] = OrderedDict()
        #: Who asked the same while it was on its way.
        self._again: dict[Key, list[Asker]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def find(self, key: Key) -> CachedRequest | None:
        """What is known of a question."""
        return self._known.get(key)

    def add(self, key: Key, digest: bytes) -> None:
        """A question was carried out; it is not durable yet."""
        self._known[key] = CachedRequest(digest, stored=False)
        if len(self._known) > self._kept:
            self._known.popitem(last=False)

    def wait(self, key: Key, asker: Asker) -> None:
        """The same was asked while it is on its way."""
        self._again.setdefault(key, []).append(asker)

    def store(self, key: Key) -> None:
        """What it did is durable."""
        known = self._known.get(key)
        if known is not None:
            self._known[key] = known._replace(stored=True)

    def take_waiting(self, key: Key) -> list[Asker]:
        """Those who asked the same meanwhile, once."""
        return self._again.pop(key, [])

    def learn(self, found: Iterable[tuple[Key, bytes]]) -> None:
        """What the log knows of questions."""
        for key, digest in found:
            self._known.setdefault(key, CachedRequest(digest, stored=True))

    def unstored(self) -> list[Key]:
        """Questions that were carried out, and may be stored or not."""
        return [key for key, known in self._known.items() if not known.stored]

    def follow(self, lost: RequestCache[Key, Asker]) -> None:
        """Come after another, of which what is durable is so."""
        self._known = OrderedDict((key, known) for key, known in lost._known.items() if known.stored)
