"""What one act at a live table gives to store and to show."""

from __future__ import annotations

from typing import NamedTuple

from sabot.engine import AnyEvent
from sabot.engine.commands import Player
from sabot.store.entry import LogEntry
from sabot.tables.live.events import Announced, Announcement, LiveEvent


class LiveStep(NamedTuple):
    """Events for everyone, to be shown once the log entries are committed."""

    events: tuple[AnyEvent | LiveEvent, ...]
    entries: tuple[LogEntry, ...]
    #: Players whose own part has changed.
    touched: tuple[Player, ...]
    #: What players who left took with them.
    taken: dict[Player, int]


class StepBuilder:
    """Collects the step while the parts of the table act."""

    def __init__(self) -> None:
        self.events: list[AnyEvent | LiveEvent] = []
        self.entries: list[LogEntry] = []
        self.touched: dict[Player, None] = {}
        self.taken: dict[Player, int] = {}

    def tell(self, event: AnyEvent | LiveEvent) -> None:
        """Show an event to everyone."""
        self.events.append(event)

    def announce(self, what: Announcement) -> None:
        """Let the presenter say something."""
        self.events.append(Announced(what))

    def store(self, entry: LogEntry) -> None:
        """Write a log entry."""
        self.entries.append(entry)

    def touch(self, *players: Player) -> None:
        """Send these players their own part again."""
        self.touched.update(dict.fromkeys(players))

    def take(self) -> LiveStep:
        """Give the step, and begin the next."""
        step = LiveStep(tuple(self.events), tuple(self.entries), tuple(self.touched), self.taken)
        self.events, self.entries, self.touched, self.taken = [], [], {}, {}
        return step
