"""The connections that receive a table's frames."""

from __future__ import annotations

from typing import Protocol

from sabot.engine.commands import Player
from sabot.server.accounts.logins import Login
from sabot.tables.live.presence import Preferences


class Subscriber(Protocol):
    """A connection that receives a table's frames."""

    @property
    def login(self) -> Login:
        """Who is logged in on it."""

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""

    def send_packed(self, packed: bytes) -> None:
        """Send bytes that are packed for the wire already, the same for everyone."""


class Subscribers:
    """Connections at a table, by player. Only those that were shown the table are sent what happens."""

    def __init__(self) -> None:
        self._by_player: dict[Player, dict[Subscriber, Preferences]] = {}
        self._shown: set[Subscriber] = set()

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._by_player.get(str(subscriber.login.player), ())

    def __len__(self) -> int:
        return sum(map(len, self._by_player.values()))

    def add(self, subscriber: Subscriber, preferences: Preferences) -> None:
        """A connection comes; it is shown the table in its turn."""
        self._by_player.setdefault(str(subscriber.login.player), {})[subscriber] = preferences

    def show(self, subscriber: Subscriber) -> None:
        """A connection was shown the table: from now on it is sent what happens."""
        if subscriber in self:
            self._shown.add(subscriber)

    def remove(self, subscriber: Subscriber) -> bool:
        """A connection is gone; says whether it was there."""
        player = str(subscriber.login.player)
        own = self._by_player.get(player, {})
        if subscriber not in own:
            return False
        del own[subscriber]
        self._shown.discard(subscriber)
        if not own:
            del self._by_player[player]
        return True

    def clear(self) -> dict[Subscriber, Preferences]:
        """Forget all; gives them, with their players' settings."""
        found = {one: preferences for own in self._by_player.values() for one, preferences in own.items()}
        self._by_player, self._shown = {}, set()
        return found

    def has(self, player: Player) -> bool:
        """Whether a player has a connection here, shown the table or not."""
        return player in self._by_player

    def players(self) -> list[Player]:
        """Those who have a connection here."""
        return list(self._by_player)

    def sees(self, subscriber: Subscriber) -> bool:
        """Whether a connection was shown the table and is still there."""
        return subscriber in self._shown

    def everyone(self) -> list[Subscriber]:
        """Every connection that was shown the table, as of now."""
        shown = self._shown
        return [subscriber for own in self._by_player.values() for subscriber in own if subscriber in shown]

    def of(self, player: Player) -> list[Subscriber]:
        """A player's own connections that were shown the table, as of now."""
        return [subscriber for subscriber in self._by_player.get(player, ()) if subscriber in self._shown]
