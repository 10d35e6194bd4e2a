"""The step of a live table: what one request or tick gives to store and to show."""

from typing import NamedTuple

from sabot.engine import AnyEvent
from sabot.engine.commands import Player
from sabot.store.entry import LogEntry
from sabot.tables.live.events import Announced, Announcement, LiveEvent


class StudioAlarm(NamedTuple):
    """Something that the supervisor of a studio table must know: a word of the catalogues, and what it is about."""

    what: str
    about: dict[str, int | str]


class LiveStep(NamedTuple):
    """Events for everyone, sent once the log entries are committed."""

    events: tuple[AnyEvent | LiveEvent, ...]
    entries: tuple[LogEntry, ...]
    #: Players whose own part has changed.
    touched: tuple[Player, ...]
    #: Money that players took with them by leaving.
    taken: dict[Player, int]
    #: Whether the table is closed for good once this is committed.
    over: bool = False
    alarms: tuple[StudioAlarm, ...] = ()


class StepBuilder:
    """Collects a step from the parts of the table."""

    def __init__(self) -> None:
        self.events: list[AnyEvent | LiveEvent] = []
        self.entries: list[LogEntry] = []
        self.touched: dict[Player, None] = {}
        self.taken: dict[Player, int] = {}
        self.over = False
        self.alarms: list[StudioAlarm] = []

    def show(self, event: AnyEvent | LiveEvent) -> None:
        """Add an event for everyone."""
        self.events.append(event)

    def announce(self, what: Announcement) -> None:
        """Add an announcement of the presenter."""
        self.events.append(Announced(what))

    def store(self, entry: LogEntry) -> None:
        """Add a log entry."""
        self.entries.append(entry)

    def touch(self, *players: Player) -> None:
        """Send these players their own part again."""
        self.touched.update(dict.fromkeys(players))

    def alarm(self, what: str, **about: int | str) -> None:
        """Tell the supervisor of a studio table."""
        self.alarms.append(StudioAlarm(what, about))

    def take(self) -> LiveStep:
        """The step so far; a new one begins."""
        told = (tuple(self.events), tuple(self.entries), tuple(self.touched), self.taken, self.over)
        step = LiveStep(*told, tuple(self.alarms))
        self.events, self.entries, self.touched, self.taken, self.over = [], [], {}, {}, False
        self.alarms = []
        return step
