"""A player's own part at a live table, which is told whole to those whom something concerns.

What every player can tell from what happens for all is not told again: that is folded here.
"""

from __future__ import annotations

from msgspec.structs import replace

from sabot.engine.events import Acted, BettingClosed, TurnStarted
from sabot.protocol import messages
from sabot.tables.live.events import Announced, RoundOpened


def fold_own(me: messages.Me, event: messages.TableEvent) -> messages.Me:
    """The own part after an event that everyone was told."""
    own = me.live
    if own is None:
        return me
    match event:
        case RoundOpened():
            own = replace(own, started=False, wishes={}, vote=None)
            return replace(me, part=None, results=messages.Results(), live=own)
        case BettingClosed() | Announced(what="nobody-bet"):
            return replace(me, live=replace(own, started=False))
        case TurnStarted():
            return replace(me, live=replace(own, vote=None))
        case Acted(spot=acted):
            wishes = {spot: wish for spot, wish in own.wishes.items() if spot != acted}
            return replace(me, live=replace(own, wishes=wishes, vote=None))
    return me
