"""A live table as a client has it, and what it must have in common with the house's own.

Both the table and a player's own part are folded together by the client that ships.
"""

from __future__ import annotations

from msgspec.structs import replace

from sabot.client.state import TableState
from sabot.protocol import messages
from sabot.tables.live.events import CrowdCounted
from sabot.tables.live.view import LiveView


def advance(table: messages.Snapshot, frame: messages.Frame) -> messages.Snapshot:
    """The table after a frame."""
    state = TableState.of(table)
    state.advance(frame)
    return state.picture()


def live_of(table: messages.Snapshot) -> LiveView:
    """The part beside the round."""
    assert table.live is not None
    return table.live


def comparable(table: messages.Snapshot) -> messages.Snapshot:
    """What a folded table and a told one must have in common: all but the time, and what is counted now and then."""
    view, live = table.view, table.live
    crowd = CrowdCounted(0)
    view = None if view is None else replace(view, tally=())
    return replace(table, at=0, view=view, live=None if live is None else replace(live, crowd=crowd))


def advance_own(me: messages.OwnPart, table: messages.Snapshot, frame: messages.Frame) -> messages.OwnPart:
    """The own part after a frame for everyone, at the table as it was before."""
    state = TableState.of(table)
    state.me = me
    state.advance(frame)
    return state.me
