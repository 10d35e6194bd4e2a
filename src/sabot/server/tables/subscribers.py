"""Who looks at a live table, and through which sockets."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sabot.engine.commands import Player
from sabot.tables.live.presence import Preferences


class Subscriber(Protocol):
    """A socket that looks at the table."""

    def send(self, frame: bytes) -> None:
        """Send a frame; never waits."""
        ...

    def send_packed(self, packed: bytes) -> None:
        """Send bytes that are packed for the wire already, the same for everyone."""
        ...


class Visitor(NamedTuple):
    """Who looks at the table."""

    player: Player
    name: str
    bot: bool = False
    preferences: Preferences = Preferences()


class Subscribers:
    """Those who came, and of them those who were shown the table: only these are sent what happens."""

    def __init__(self) -> None:
        self.visitors: dict[Subscriber, Visitor] = {}
        self._shown: set[Subscriber] = set()
        self._by_player: dict[Player, list[Subscriber]] = {}

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self.visitors

    def __len__(self) -> int:
        return len(self.visitors)

    def add(self, subscriber: Subscriber, visitor: Visitor) -> None:
        """A socket has come; it is shown the table in its turn."""
        self.visitors[subscriber] = visitor

    def show(self, subscriber: Subscriber) -> None:
        """A socket was shown the table: from now on it is sent what happens."""
        visitor = self.visitors.get(subscriber)
        if visitor is not None and subscriber not in self._shown:
            self._shown.add(subscriber)
            self._by_player.setdefault(visitor.player, []).append(subscriber)

    def remove(self, subscriber: Subscriber) -> Visitor | None:
        """A socket is gone; gives whose it was."""
        visitor = self.visitors.pop(subscriber, None)
        if visitor is not None and subscriber in self._shown:
            self._shown.remove(subscriber)
            own = self._by_player[visitor.player]
            own.remove(subscriber)
            if not own:
                del self._by_player[visitor.player]
        return visitor

    def sees(self, subscriber: Subscriber) -> bool:
        """Whether a socket was shown the table and is still there."""
        return subscriber in self._shown

    def everyone(self) -> list[Subscriber]:
        """Every socket that was shown the table, as of now."""
        return [subscriber for subscribers in self._by_player.values() for subscriber in subscribers]

    def of(self, player: Player) -> tuple[Subscriber, ...]:
        """A player's own sockets, as of now."""
        return tuple(self._by_player.get(player, ()))
