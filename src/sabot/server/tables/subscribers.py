"""The connections at a table: each comes, is shown the table in its turn, receives what happens, and goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.protocol import codec
from sabot.server.accounts.logins import Login
from sabot.server.tables.outbox import Outgoing, Task
from sabot.tables.live.presence import Preferences

if TYPE_CHECKING:
    from sabot.server.tables.runtime import TableRuntime

#: How often a table has moved a player's account, and how often that was committed.
Moves = tuple[int, int]


class Relay(Protocol):
    """Another node with connections at a table: what everyone sees goes there once (CLU-05)."""

    def publish(self, epoch: int, seq: int, packed: bytes) -> None:
        """Send a packed frame to all of them; `seq` is 0 for what is not counted."""


class Subscriber(Protocol):
    """A connection that receives a table's frames."""

    @property
    def login(self) -> Login:
        """Who is logged in on it."""

    def send(self, packed: bytes) -> None:
        """Send a packed frame; never waits."""

    def tell(self, table: str, packed: bytes) -> None:
        """Send what only this connection sees of a table."""

    def show(self, table: str, epoch: int, seq: int, since: int | None, packed: bytes) -> None:
        """Send a table as it is after a frame, those after it follow: the frames after `since`, or a snapshot."""

    def respond(self, id: str, error: Refusal | None = None) -> None:
        """Send the response to a request."""

    def close_for_logout(self) -> None:
        """Close the connection: its login has ended."""

    def relay(self, table: str) -> Relay | None:
        """What carries the frames of a table to the connection's node, if that is another one."""

    def count_vain(self, frames: int) -> None:
        """Count frames in vain: too many close the connection."""


@dataclass(frozen=True, eq=False)
class Arrival:
    """A connection that is to be shown the table."""

    subscriber: Subscriber
    #: The player's account, and what the table had moved of it when it was read.
    account: int
    moves: Moves | None = None
    #: The player's latest requests in the log.
    answered: Mapping[str, bytes] = field(default_factory=dict)
    preferences: Preferences = field(default_factory=Preferences)
    #: Epoch and seq of the last frame that the client has.
    since: tuple[int, int] | None = None
    #: Called when the table was shown, or with the reason why it is not.
    then: Callable[[Refusal | None], None] = lambda error: None


class Subscribers:
    """Connections at a table. Only those that were shown the table are sent what happens."""

    def __init__(self, runtime: TableRuntime[Any]) -> None:
        self._runtime = runtime
        #: Arrivals that were not shown the table yet.
        self._coming: dict[Arrival, None] = {}
        self._by_player: dict[Player, dict[Subscriber, Preferences]] = {}
        self._shown: set[Subscriber] = set()
        #: Of those, the ones of this node, and those at other nodes by what carries frames there.
        self._here: dict[Subscriber, None] = {}
        self._relayed: dict[Relay, set[Subscriber]] = {}
        #: The connections of presenters.
        self._presenting: dict[Subscriber, str] = {}

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._by_player.get(str(subscriber.login.player), ())

    def __len__(self) -> int:
        return sum(map(len, self._by_player.values()))

    # Coming

    def subscribe(self, arrival: Arrival) -> None:
        """Show the table to a connection, in its turn: the frames since a seq of this epoch, or a snapshot (ASR-21)."""
        self._coming[arrival] = None
        if not self._runtime.broken:
            task = Task(partial(self._arrive, arrival), partial(self._turn_away, arrival), again=False)
            self._runtime.put(task)

    def _arrive(self, arrival: Arrival) -> Outgoing | None:
        if arrival not in self._coming:  # gone before it came
            return None
        runtime, subscriber, since = self._runtime, arrival.subscriber, arrival.since
        player = str(subscriber.login.player)
        runtime.wallets.read(player, arrival.account, arrival.moves)
        runtime.requests.cache.learn(((player, id), digest) for id, digest in arrival.answered.items())
        new = subscriber not in self
        if new:
            runtime.adapter.come(subscriber.login, arrival.preferences)
            self._by_player.setdefault(player, {})[subscriber] = arrival.preferences
            if subscriber.login.role == "presenter":
                self._presenting[subscriber] = subscriber.login.name
        outgoing = runtime.prepare(runtime.adapter.take())
        # Frames are on their way to a connection that is here already: they would come twice.
        replays = new and since is not None and self._can_replay(*since)
        snapshot = b"" if replays else runtime.adapter.snapshot(runtime.seq)
        me = codec.pack(runtime.me(player))
        epoch, seq = runtime.adapter.base.stream.epoch, runtime.seq

        def show() -> None:
            if arrival not in self._coming:
                return
            del self._coming[arrival]
            first = since[1] if since is not None and replays else None
            table = snapshot if first is None else runtime.outbox.since(first)
            subscriber.show(runtime.name, epoch, seq, first, table + me)
            if subscriber in self:
                self._add_shown(subscriber)
            arrival.then(None)

        outgoing.then += (show,)
        return outgoing

    def _can_replay(self, epoch: int, since: int) -> bool:
        """Whether the frames since are kept; where they are more than a snapshot, that is sent instead."""
        runtime = self._runtime
        return epoch == runtime.adapter.base.stream.epoch and runtime.outbox.can_replay(since, runtime.seq)

    def _turn_away(self, arrival: Arrival, error: Refusal | None) -> None:
        """Tell a connection that is still there that it cannot be shown the table."""
        if arrival in self._coming:
            del self._coming[arrival]
            self.unsubscribe(arrival.subscriber)
            arrival.then(error)

    def show_again(self, accounts: Mapping[Player, int]) -> None:
        """The table was read back: show it to everyone who is there or comes."""
        there = [
            Arrival(subscriber, 0, preferences=preferences)
            for own in self._by_player.values()
            for subscriber, preferences in own.items()
        ]
        coming = [*there, *self._coming]
        self._coming = {}
        self._forget_all()
        for one in coming:
            account = accounts[str(one.subscriber.login.player)]
            self.subscribe(replace(one, account=account, moves=None, since=None))

    # Going

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """A connection receives nothing more; if it waits to be shown the table, that is answered."""
        for arrival in [one for one in self._coming if one.subscriber is subscriber]:
            del self._coming[arrival]
            arrival.then(None)
        if subscriber not in self:
            return
        player = str(subscriber.login.player)
        del self._by_player[player][subscriber]
        self._shown.discard(subscriber)
        self._here.pop(subscriber, None)
        self._presenting.pop(subscriber, None)
        for relay, own in list(self._relayed.items()):
            own.discard(subscriber)
            if not own:
                del self._relayed[relay]
        if not self._by_player[player]:
            del self._by_player[player]
        if not self._runtime.broken:
            self._runtime.change(lambda adapter: adapter.go(player), again=False)

    def _forget_all(self) -> None:
        self._by_player, self._presenting = {}, {}
        self._shown, self._here, self._relayed = set(), {}, {}

    def turn_all_away(self, error: Refusal) -> None:
        """Remove every subscriber of a closed table. Those who still wait to be shown it get a refusal."""
        for arrival in list(self._coming):
            self._turn_away(arrival, error)
        self._forget_all()

    # Who is there

    def _add_shown(self, subscriber: Subscriber) -> None:
        """A connection was shown the table; one of another node gets its frames with the others there."""
        self._shown.add(subscriber)
        relay = subscriber.relay(self._runtime.name)
        if relay is None:
            self._here[subscriber] = None
        else:
            self._relayed.setdefault(relay, set()).add(subscriber)

    def relays(self) -> list[Relay]:
        """Other nodes with connections that were shown the table."""
        return list(self._relayed)

    def publish(self, seq: int, packed: bytes) -> None:
        """Send a frame to other nodes, once to each; `seq` is 0 for what is not counted."""
        for relay in self._relayed:
            relay.publish(self._runtime.adapter.base.stream.epoch, seq, packed)

    def tell(self, player: Player, own: bytes) -> None:
        """Send a player's own part to the player's connections."""
        for subscriber in self.of(player):
            subscriber.tell(self._runtime.name, own)

    def expects(self, subscriber: Subscriber) -> bool:
        """Whether a connection sees the table, or is on its way in."""
        return subscriber in self or any(one.subscriber is subscriber for one in self._coming)

    def any_here(self) -> bool:
        """Whether a connection of this node sees the table, or is on its way in."""
        there = (subscriber for own in self._by_player.values() for subscriber in own)
        coming = (one.subscriber for one in self._coming)
        return any(each.relay(self._runtime.name) is None for each in (*there, *coming))

    def players(self) -> set[Player]:
        """Players who see the table, or are about to."""
        return {*self._by_player, *(str(one.subscriber.login.player) for one in self._coming)}

    def viewers(self) -> int:
        """How many players see the table, or are about to; staff count only with money at it (PLT-72)."""
        seated = self._runtime.adapter.base.sittings
        seeing = (subscriber for own in self._by_player.values() for subscriber in own)
        logins = (one.login for one in (*seeing, *(one.subscriber for one in self._coming)))
        return len({one.player for one in logins if one.role == "player" or str(one.player) in seated})

    def presenters(self) -> tuple[str, ...]:
        """The names of presenters who see the table, in order."""
        return tuple(sorted(set(self._presenting.values())))

    def has(self, player: Player) -> bool:
        """Whether a player has a connection here, shown the table or not."""
        return player in self._by_player

    def sees(self, subscriber: Subscriber) -> bool:
        """Whether a connection was shown the table and is still there."""
        return subscriber in self._shown

    def everyone(self) -> list[Subscriber]:
        """Every connection of this node that was shown the table, as of now."""
        return list(self._here)

    def of(self, player: Player) -> list[Subscriber]:
        """A player's own connections that were shown the table, as of now."""
        return [subscriber for subscriber in self._by_player.get(player, ()) if subscriber in self._shown]


class Wallets:
    """Players' money that is not at the table, as it is shown to them.

    The table moves it when money is brought or taken away, before that is committed. What was read from the database
    counts only if the table moved nothing since the read began.
    """

    def __init__(self) -> None:
        self._held: dict[Player, int] = {}
        self._begun: dict[Player, int] = {}
        self._committed: dict[Player, int] = {}
        self._moving: list[Player] = []

    def of(self, player: Player) -> int:
        """What a player has."""
        return self._held.get(player, 0)

    def moves(self, player: Player) -> Moves:
        """How often the table has moved the account, and how often that was committed."""
        return self._begun.get(player, 0), self._committed.get(player, 0)

    def read(self, player: Player, amount: int, moves: Moves | None) -> None:
        """The database was read; `moves` is what the table had moved when the read began."""
        begun, committed = self.moves(player)
        if player not in self._held or (begun == committed and moves == (begun, committed)):
            self._held[player] = amount

    def move(self, player: Player, amount: int) -> None:
        """The table brings money back, or takes it."""
        self._held[player] = self.of(player) + amount
        self._begun[player] = self._begun.get(player, 0) + 1
        self._moving.append(player)

    def take_moving(self) -> tuple[Player, ...]:
        """Players whose account was moved since the last call."""
        moving, self._moving = tuple(self._moving), []
        return moving

    def settle(self, moved: tuple[Player, ...]) -> None:
        """What was moved is committed."""
        for player in moved:
            self._committed[player] = self._committed.get(player, 0) + 1
