"""One table of another node: which connections here look at it, and what each of them has of it (CLU-05, ASR-21).

A frame is passed on only if it is the next one. So a connection sees an unbroken sequence, or the table anew and then an
unbroken sequence, whatever the bus loses, repeats or reorders and whoever owns the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sabot.server.cluster import messages
from sabot.server.ws.dispatch import Dispatcher

#: Epoch and number of the last frame that a connection has.
Since: TypeAlias = tuple[int, int]

#: Of a table that was never shown.
NOTHING: Since = (0, 0)


@dataclass(slots=True)
class Waiting:
    """A request that waits for its response."""

    ask: messages.Ask
    #: When it was read, by the steady clock: a wall clock that is set does not make it early or late (ASR-20).
    at: float
    #: When it is given up, by the steady clock.
    until: float
    #: How often it was sent by its client.
    times: int = 1


@dataclass(eq=False, slots=True)
class Viewer:
    """A connection of this node, with what it has asked of tables elsewhere."""

    number: int
    dispatcher: Dispatcher
    waiting: dict[str, Waiting] = field(default_factory=dict)
    #: Nodes that know of the connection.
    nodes: set[int] = field(default_factory=set)

    #: Sends a frame to its socket.
    send: Callable[[bytes], None] = field(init=False)

    def __post_init__(self) -> None:
        self.send = self.dispatcher.connection.send


@dataclass(slots=True)
class Hidden:
    """What a connection has that is not shown the table at present, and when its owner was last asked to show it."""

    since: Since
    asked_at: float = 0.0


@dataclass(eq=False, slots=True)
class RemoteTable:
    """A table of another node; without an owner as long as none is known."""

    name: str
    owner: int | None = None
    #: The last frame of those who are shown the table: they all have the same.
    at: Since = NOTHING
    shown: dict[Viewer, None] = field(default_factory=dict)
    hidden: dict[Viewer, Hidden] = field(default_factory=dict)

    @property
    def viewers(self) -> list[Viewer]:
        """Connections that look at the table, or are about to."""
        return [*self.shown, *self.hidden]

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer in self.shown or viewer in self.hidden

    def since(self, viewer: Viewer) -> Since:
        """The last frame that a connection has."""
        return self.at if viewer in self.shown else self.hidden[viewer].since

    def hide(self, viewer: Viewer, since: Since | None = None) -> None:
        """A connection is to be shown the table, anew or for the first time."""
        if since is None:
            since = self.at if viewer in self.shown else NOTHING
        self.shown.pop(viewer, None)
        self.hidden.setdefault(viewer, Hidden(since))

    def hide_all(self) -> None:
        """Everyone is to be shown the table anew."""
        for viewer in list(self.shown):
            self.hide(viewer)

    def take_away(self) -> list[Viewer]:
        """Nobody has anything of the table any more; gives the connections that had, whose pages are to be told."""
        self.hide_all()
        had = [viewer for viewer, hidden in self.hidden.items() if hidden.since != NOTHING]
        for viewer in had:
            self.hidden[viewer].since = NOTHING
        return had

    def forget(self, viewer: Viewer) -> bool:
        """A connection does not look at the table any more; says whether it did."""
        looked = viewer in self
        self.shown.pop(viewer, None)
        self.hidden.pop(viewer, None)
        return looked

    def show(self, viewer: Viewer, shown: messages.TableShown) -> None:
        """Show the table to a connection; frames that do not follow on what it has are dropped, and asked for again."""
        since = self.since(viewer)
        if shown.epoch < since[0] or (shown.since is not None and (shown.epoch, shown.since) != since):
            return
        at = (shown.epoch, shown.seq)
        if at != self.at:  # the others are shown it in their turn
            self.hide_all()
            self.at = at
        self.hidden.pop(viewer, None)
        self.shown[viewer] = None
        viewer.send(shown.packed)

    def publish(self, frame: messages.PublicFrame) -> bool:
        """Pass a frame on to those who are shown the table; False if one before it is missing."""
        epoch, seq = self.at
        if not self.shown or (frame.epoch, frame.seq or seq) < self.at:
            return True
        if frame.seq:
            if (frame.epoch, frame.seq) == self.at:
                return True
            if (frame.epoch, frame.seq) != (epoch, seq + 1):
                self.hide_all()
                return False
            self.at = (frame.epoch, frame.seq)
        for viewer in self.shown:
            viewer.send(frame.packed)
        return True
