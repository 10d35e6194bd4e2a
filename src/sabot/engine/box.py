"""The decision of a box: the winner of its vote, or Best Strategy (MAJ-20, MAJ-21, MAJ-30)."""

from __future__ import annotations

from sabot.engine.commands import DECISIONS, PlainDecision
from sabot.engine.round import Round
from sabot.games.strategy import BestTable


def box_move(round: Round, best: BestTable) -> PlainDecision:
    """The decision of the box whose turn it is, on the votes cast so far."""
    if round.turn is None:
        raise ValueError("no box has a decision to make")
    spot, index = round.turn
    action = round.ballot.winner() if round.mode(spot) == "vote" else None
    if action is None:
        action = best.action(round.play.spots[spot][index], round.play.up, round.options_now)
    return DECISIONS[action](spot, index)
