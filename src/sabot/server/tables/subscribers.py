"""Who looks at a live table, and through which sockets."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sabot.engine.commands import Player
from sabot.tables.live.stage import Preferences


class Watcher(Protocol):
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


class Onlookers:
    """Those who came, and of them those who were shown the table: only these are sent what happens."""

    def __init__(self) -> None:
        self.visitors: dict[Watcher, Visitor] = {}
        self._shown: set[Watcher] = set()
        self._by_player: dict[Player, list[Watcher]] = {}

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self.visitors

    def __len__(self) -> int:
        return len(self.visitors)

    def add(self, watcher: Watcher, visitor: Visitor) -> None:
        """A socket has come; it is shown the table in its turn."""
        self.visitors[watcher] = visitor

    def show(self, watcher: Watcher) -> None:
        """A socket was shown the table: from now on it is sent what happens."""
        visitor = self.visitors.get(watcher)
        if visitor is not None and watcher not in self._shown:
            self._shown.add(watcher)
            self._by_player.setdefault(visitor.player, []).append(watcher)

    def remove(self, watcher: Watcher) -> Visitor | None:
        """A socket is gone; gives whose it was."""
        visitor = self.visitors.pop(watcher, None)
        if visitor is not None and watcher in self._shown:
            self._shown.remove(watcher)
            own = self._by_player[visitor.player]
            own.remove(watcher)
            if not own:
                del self._by_player[visitor.player]
        return visitor

    def sees(self, watcher: Watcher) -> bool:
        """Whether a socket was shown the table and is still there."""
        return watcher in self._shown

    def everyone(self) -> list[Watcher]:
        """Every socket that was shown the table, as of now."""
        return [watcher for watchers in self._by_player.values() for watcher in watchers]

    def of(self, player: Player) -> tuple[Watcher, ...]:
        """A player's own sockets, as of now."""
        return tuple(self._by_player.get(player, ()))
