"""Whether a seat has won a round: for the icon of players who win in a row (FRB-45)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sabot.engine.events import BetSettled

_MAIN = ("initial", "double", "split")


def seat_round(settled: Iterable[BetSettled], spot: int) -> Literal["won", "lost", "neither"]:
    """What a round was for a seat, from what became of its player's bets: with a lost hand it is lost.

    >>> from sabot.engine.events import Stake
    >>> seat_round([BetSettled("ada", 0, 0, "initial", Stake(500), "win", 1000)], 0)
    'won'
    """
    lines = [line for line in settled if line.spot == spot and line.why in _MAIN]
    if any(line.result == "lose" for line in lines):
        return "lost"
    return "won" if sum(line.paid - line.stake.own for line in lines) > 0 else "neither"
