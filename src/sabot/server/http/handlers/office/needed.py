"""Where operators are needed now: calls, late cards, alarms, proposals, told on every page of the office (OFF-07)."""

from msgspec import Struct
from sqlalchemy import Connection

from sabot.server.http.dispatch import Call
from sabot.server.office.events import EventId, EventsQuery, search_events
from sabot.server.office.proposals import ProposalId
from sabot.store.kinds import EventKind

#: Alarms that are shown, of the last so many milliseconds.
_ALARMS, _RECENT_MS = 20, 7 * 86_400_000


class NeededAlarm(Struct, frozen=True):
    """A significant event that is an alarm, without the player that it may name."""

    id: EventId
    at: int
    kind: EventKind
    table: str | None


class Needed(Struct, frozen=True, kw_only=True):
    """What waits for an operator."""

    #: Live tables, `live/one`, that are paused until a supervisor looks; and those that wait for a card that is late.
    calls: tuple[str, ...]
    cards: tuple[str, ...]
    #: Alarms of the last seven days, the newest first.
    alarms: tuple[NeededAlarm, ...]
    #: Proposals that this operator may approve.
    proposals: tuple[ProposalId, ...]


async def needed(call: Call) -> Needed:
    """Tables that need a supervisor, alarms of the last seven days, and proposals that wait for this operator (OFF-07)."""
    since = max(0, call.house.clock.wall_ms() - _RECENT_MS)

    def read(connection: Connection) -> tuple[NeededAlarm, ...]:
        found = search_events(connection, EventsQuery(severity="alarm", since=since, limit=_ALARMS))
        return tuple(NeededAlarm(event.id, event.at, event.kind, event.table) for event in found.events)

    states = [state for _, state in call.registry.floor().values()]
    return Needed(
        calls=tuple(sorted(state.table for state in states if state.called)),
        cards=tuple(sorted(state.table for state in states if state.late)),
        alarms=await call.house.read(read),
        proposals=await call.proposals.waiting_for(call.login),
    )
