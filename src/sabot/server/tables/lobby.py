"""The lobby: sends every live table to connections, now and when something changes (PLT-44)."""

import asyncio
from collections.abc import Callable

from sabot.protocol import codec, messages
from sabot.server.tables.subscribers import Subscriber

#: Seconds between two checks for changes.
LOBBY_SECONDS = 1.0

Heads = Callable[[], tuple[messages.TableHead, ...]]


class LobbyFeed:
    """Sends the lobby to the connections that show it."""

    def __init__(self, heads: Heads) -> None:
        self._heads = heads
        self._watching: dict[Subscriber, None] = {}

    def watch(self, subscriber: Subscriber) -> None:
        """Show the lobby to a connection, and whatever changes there."""
        self._watching[subscriber] = None
        subscriber.send(codec.pack(messages.Lobby(self._heads())))

    def leave(self, subscriber: Subscriber) -> None:
        """A connection is gone."""
        self._watching.pop(subscriber, None)

    async def run(self) -> None:
        """Send the lobby when it has changed, once a second at most."""
        sent: tuple[messages.TableHead, ...] = ()
        while True:
            await asyncio.sleep(LOBBY_SECONDS)
            if not self._watching:
                continue
            heads = self._heads()
            if heads != sent:
                packed = codec.pack(messages.Lobby(heads))
                for subscriber in list(self._watching):
                    subscriber.send(packed)
            sent = heads
