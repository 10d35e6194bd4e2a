"""Questions of players' that were carried out: one that comes again is answered and not carried out again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from sabot.engine.commands import Player

#: How many are kept; older ones are in the log.
KEPT = 65_536

#: Whose question, and its id.
Key = tuple[Player, str]


class Known(NamedTuple):
    """What was asked, and whether what it did is durable."""

    digest: bytes
    stored: bool


class Remembered:
    """The last questions of a table's players."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Known] = OrderedDict()
        #: Who asked the same while it was on its way.
        self._again: dict[Key, list[asyncio.Future[None]]] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def find(self, key: Key) -> Known | None:
        """What is known of a question."""
        return self._known.get(key)

    def add(self, key: Key, digest: bytes) -> None:
        """A question was carried out; it is not durable yet."""
        self._known[key] = Known(digest, stored=False)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)

    def wait(self, key: Key, answered: asyncio.Future[None]) -> None:
        """The same was asked while it is on its way."""
        self._again.setdefault(key, []).append(answered)

    def store(self, key: Key) -> list[asyncio.Future[None]]:
        """What it did is durable; gives those who asked the same meanwhile."""
        known = self._known.get(key)
        if known is not None:
            self._known[key] = known._replace(stored=True)
        return self._again.pop(key, [])

    def learn(self, found: Iterable[tuple[Player, str, bytes]]) -> None:
        """What the log knows of questions."""
        for player, id, digest in found:
            self._known.setdefault((player, id), Known(digest, stored=True))

    def unstored(self) -> list[Key]:
        """Questions that were carried out, and may be stored or not."""
        return [key for key, known in self._known.items() if not known.stored]

    def follow(self, lost: Remembered) -> None:
        """Come after another, of which what is durable is so."""
        self._known = OrderedDict((key, known) for key, known in lost._known.items() if known.stored)
