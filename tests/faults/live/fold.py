"""A live table as a client has it, and what it must have in common with the house's own.

Both the table and a player's own part are folded together by the client that ships.
"""

from __future__ import annotations

from msgspec.structs import replace

from sabot.client.own import fold_own
from sabot.client.state import TableState
from sabot.protocol import messages
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


def comparable(table: messages.Snapshot) -> dict[str, object]:
    """What a folded table and a told one must have in common.

    Counts and tallies are told now and then, and whether a seat takes bets behind may hold from the next round only.
    """
    view, live = table.view, live_of(table)
    return {
        "table": (table.table, table.epoch, table.seq, table.game, table.currency),
        "round": (table.round, table.turn),
        "view": None if view is None else replace(view, tally=()),
        "outcome": table.outcome,
        "phase": (live.phase, live.until, live.paused),
        "seats": tuple(replace(seat, behind=True) for seat in live.seats),
        "shoe": (table.commitment, live.shoe, live.next_commitment),
    }


# A player's own part


def advance_own(me: messages.Me, frame: messages.Frame) -> messages.Me:
    """The own part after a frame for everyone."""
    for event in frame.events:
        me = fold_own(me, event)
    return me


def comparable_own(me: messages.Me, table: messages.Snapshot) -> messages.Me:
    """A part without a stake or a question is as good as none; what may be decided ahead ends with the turn."""
    idle = me.part is not None and not me.part.lines and not me.part.offers
    own, view = me.live, table.view
    if own is not None:
        first = -1 if view is None or view.turn is None else view.turn[0]
        playing = view is not None and view.phase in ("offers", "decisions")
        ahead = {spot: options for spot, options in own.ahead.items() if playing and spot > first}
        own = replace(own, ahead=ahead)
    return replace(me, part=None if idle else me.part, live=own)
