"""Whether a seat has won a round: for the icon of players who win in a row (FRB-45)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sabot.engine.commands import Player
from sabot.engine.events import BetSettled, Event

_MAIN = ("initial", "double", "split")


def seat_round(events: Iterable[Event], owner: Player, spot: int) -> Literal["won", "lost", "neither"]:
    """A lost hand is a lost round; else a round that ends ahead is won.

    >>> from sabot.engine.events import Stake
    >>> seat_round([BetSettled("ada", 0, 0, "initial", Stake(500), "win", 1000)], "ada", 0)
    'won'
    """
    ahead = 0
    for event in events:
        if not isinstance(event, BetSettled) or (event.player, event.spot) != (owner, spot):
            continue
        if event.why in _MAIN:
            if event.result == "lose":
                return "lost"
            ahead += event.paid - event.stake.own
    return "won" if ahead > 0 else "neither"
