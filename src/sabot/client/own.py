"""A player's own part at a live table, after public events."""

from __future__ import annotations

from msgspec.structs import replace

from sabot.engine.events import BettingClosed, RoundSettled, RoundVoided
from sabot.engine.view import PlayerView, TableView
from sabot.protocol import messages
from sabot.tables.live.events import RoundOpened
from sabot.tables.live.view import fold_part


def fold_own(me: messages.OwnPart, event: messages.TableEvent, round: TableView | None) -> messages.OwnPart:
    """The own part after a public event; `round` is the view before it."""
    if me.live is None:
        return me
    own = fold_part(me.live, event, round)
    match event:
        case RoundOpened():
            part = None if me.balance is None else PlayerView(me.balance, own.golden, (), ())
            return replace(me, part=part, results=messages.Results(), live=own)
        case BettingClosed():
            return replace(me, last=own.bets or me.last, live=own)
        case RoundSettled() | RoundVoided():
            return replace(me, part=None, live=own)
    return replace(me, live=own)
