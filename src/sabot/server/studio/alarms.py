"""Alarms of studio tables as significant events: refused readings, late cards, corrections, counts (OFF-11, STU-05..10)."""

from collections.abc import Iterable

from sabot.server.office.events import Events
from sabot.store.kinds import EventKind, Severity
from sabot.tables.live.step import StudioAlarm

#: What the alarm says, and the event that it becomes; every other alarm is the code of a refused reading.
_KINDS: dict[str, tuple[EventKind, Severity]] = {
    "dealer-late": ("dealer-late", "warning"),
    "card-corrected": ("correction", "warning"),
    "shoe-miscounted": ("shoe-miscounted", "alarm"),
}
#: Readings after which the cards on the table may not be those of the round.
_GRAVE = ("card/not-the-hole", "card/not-in-shoe", "scan/gap", "scan/other-device", "scan/reused")


def note_alarms(events: Events, table: str, round: str, alarms: Iterable[StudioAlarm]) -> None:
    """Note the alarms of a step that is stored."""
    for what, about in alarms:
        if what in _KINDS:
            kind, severity = _KINDS[what]
            events.note(kind, severity, table=table, round=round or None, **about)
        else:
            severity = "alarm" if what in _GRAVE else "warning"
            events.note("scan-refused", severity, table=table, round=round or None, why=what, **about)
