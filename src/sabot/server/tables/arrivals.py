"""Coming to a table and going: a connection is shown the table in its turn, and then receives what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.server.tables.outbox import Outgoing, Task
from sabot.server.tables.subscribers import Subscriber
from sabot.server.tables.wallets import Moves
from sabot.tables.live.presence import Preferences

if TYPE_CHECKING:
    from sabot.server.tables.runtime import TableRuntime

_NO_PREFERENCES = Preferences()


@dataclass(frozen=True, eq=False)
class Arrival:
    """A connection that wants to see the table."""

    subscriber: Subscriber
    #: What the player has, and what the table had moved of it when it was read.
    account: int
    moves: Moves | None = None
    #: The player's latest requests in the log.
    answered: Mapping[str, bytes] = field(default_factory=dict)
    preferences: Preferences = _NO_PREFERENCES
    #: Epoch and seq of the last frame that was seen.
    since: tuple[int, int] | None = None
    #: Called when the table was shown, or with why it cannot be.
    then: Callable[[Refusal | None], None] = lambda error: None


class Arrivals:
    """Those who come to a table and were not shown it yet."""

    def __init__(self, runtime: TableRuntime[Any]) -> None:
        self._runtime = runtime
        self._coming: dict[Arrival, None] = {}

    def __len__(self) -> int:
        return len(self._coming)

    def players(self) -> set[Player]:
        """Those who see the table, or are about to."""
        coming = (str(one.subscriber.login.player) for one in self._coming)
        return {*self._runtime.subscribers.players(), *coming}

    def subscribe(self, arrival: Arrival) -> None:
        """Show the table to a connection, in its turn: the frames since a seq of this epoch, or a snapshot (ASR-21)."""
        self._coming[arrival] = None
        if not self._runtime.broken:
            task = Task(partial(self._arrive, arrival), partial(self._turn_away, arrival), again=False)
            self._runtime.put(task)

    def expects(self, subscriber: Subscriber) -> bool:
        """Whether a connection sees the table, or is on its way in."""
        return subscriber in self._runtime.subscribers or any(
            one.subscriber is subscriber for one in self._coming
        )

    def _arrive(self, arrival: Arrival) -> Outgoing | None:
        if arrival not in self._coming:  # gone before it came
            return None
        runtime, subscriber, since = self._runtime, arrival.subscriber, arrival.since
        player = str(subscriber.login.player)
        runtime.wallets.read(player, arrival.account, arrival.moves)
        runtime.requests.cache.learn(((player, id), digest) for id, digest in arrival.answered.items())
        new = subscriber not in runtime.subscribers
        if new:
            runtime.adapter.come(subscriber.login, arrival.preferences)
            runtime.subscribers.add(subscriber, arrival.preferences)
        outgoing = runtime.prepare(runtime.adapter.take())
        # To one who is there already, frames are on their way: they would come twice.
        replays = new and since is not None and self._can_replay(*since)
        snapshot = b"" if replays else runtime.adapter.snapshot(runtime.seq)
        me = runtime.packed_me(player)

        def show() -> None:
            if arrival not in self._coming:
                return
            del self._coming[arrival]
            subscriber.send_packed(runtime.outbox.since(since[1]) if since and replays else snapshot)
            subscriber.send_packed(me)
            runtime.subscribers.show(subscriber)
            arrival.then(None)

        outgoing.then = show
        return outgoing

    def _can_replay(self, epoch: int, since: int) -> bool:
        """Whether the frames since are kept; where they are more than a snapshot, that is sent instead."""
        runtime = self._runtime
        return epoch == runtime.adapter.base.stream.epoch and runtime.outbox.can_replay(since, runtime.seq)

    def _turn_away(self, arrival: Arrival, error: Refusal | None) -> None:
        """A connection cannot be shown the table."""
        self._coming.pop(arrival, None)
        self.unsubscribe(arrival.subscriber)
        arrival.then(error)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """A connection receives nothing more; a request of its own to see the table is answered."""
        for arrival in [one for one in self._coming if one.subscriber is subscriber]:
            del self._coming[arrival]
            arrival.then(None)
        runtime = self._runtime
        if runtime.subscribers.remove(subscriber) and not runtime.broken:
            runtime.change(partial(runtime.adapter.go, str(subscriber.login.player)), again=False)

    def show_again(self, accounts: Mapping[Player, int]) -> None:
        """The table was read back: everyone is shown it, who is there and who comes."""
        known = self._runtime.subscribers.clear()
        there = [Arrival(one, 0, preferences=preferences) for one, preferences in known.items()]
        coming, self._coming = [*there, *self._coming], {}
        for one in coming:
            account = accounts[str(one.subscriber.login.player)]
            self.subscribe(replace(one, account=account, moves=None, since=None))

    def turn_all_away(self, error: Refusal) -> None:
        """The table is closed."""
        for arrival in list(self._coming):
            self._turn_away(arrival, error)
