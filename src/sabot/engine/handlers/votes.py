"""The vote of a box on its next action: ballot, handler and decision (MAJ-20..23, MAJ-30).

>>> ballot = Ballot()
>>> for player, action in enumerate(["hit"] * 9 + ["stand"] * 6 + ["double"] * 5):
...     ballot.cast(str(player), action)
>>> ballot.winner()
'hit'
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from sabot.engine.commands import DECISIONS, Effect, PlainDecision, Player, Vote
from sabot.engine.events import VoteCast
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.games.strategy import BestTable

if TYPE_CHECKING:
    from sabot.engine.round import Round

VOTABLE: frozenset[Action] = frozenset(("hit", "stand", "double", "split"))


class Ballot:
    """The votes on one decision of one hand."""

    def __init__(self) -> None:
        self._votes: dict[Player, Action] = {}
        self._tally: dict[Action, int] = {}

    def cast(self, player: Player, action: Action) -> None:
        """Count one vote; a vote is final (MAJ-22)."""
        if player in self._votes:
            raise ValueError(f"{player!r} has voted already")
        self._votes[player] = action
        self._tally[action] = self._tally.get(action, 0) + 1

    def vote_of(self, player: Player) -> Action | None:
        """The vote of a player, if any."""
        return self._votes.get(player)

    @property
    def cast_votes(self) -> int:
        """How many have voted."""
        return len(self._votes)

    def tally(self) -> tuple[tuple[Action, int], ...]:
        """The actions with their votes, most first."""
        if not self._tally:
            return ()
        return tuple(sorted(self._tally.items(), key=itemgetter(1), reverse=True))

    def winner(self) -> Action | None:
        """The action with the most votes; None on a tie or without a vote, where Best Strategy decides (MAJ-21)."""
        ranked = self.tally()
        if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
            return None
        return ranked[0][0]

    def certain(self, outstanding: int) -> bool:
        """Whether the vote can close: all have voted, or the lead exceeds the votes still out."""
        if outstanding <= 0:
            return True
        ranked = self.tally()
        if not ranked:
            return False
        second = ranked[1][1] if len(ranked) > 1 else 0
        return ranked[0][1] - second > outstanding


def vote(round: Round, command: Vote) -> Effect:
    """Cast a final vote for a legal action (MAJ-22, MAJ-23)."""
    round.check_phase("decisions")
    named = f"{command.spot}.{command.hand}"
    if (command.spot, command.hand) != round.turn or round.mode(command.spot) != "vote":
        raise Refusal("vote/none", named=named)
    if command.player not in round.book.backers[round.turn]:
        raise Refusal("vote/no-stake", named=named)
    options = round.options_now
    if command.action not in VOTABLE.intersection(options):
        raise Refusal("action/not-legal", action=command.action, named=named, legal=", ".join(options))
    vote = round.ballot.vote_of(command.player)
    if vote is not None:
        raise Refusal("vote/final", vote=vote)

    def effect() -> None:
        round.ballot.cast(command.player, command.action)
        round.emit(VoteCast(command.player, command.spot, command.hand, command.action))

    return effect


def box_move(round: Round, best: BestTable) -> PlainDecision:
    """The decision of the box in turn: the winner of its vote, or Best Strategy (MAJ-20, MAJ-21, MAJ-30)."""
    if round.turn is None:
        raise ValueError("no box has a decision to make")
    spot, index = round.turn
    action = round.ballot.winner() if round.mode(spot) == "vote" else None
    if action is None:
        action = best.action(round.play.spots[spot][index], round.play.up, round.options_now)
    return DECISIONS[action](spot, index)
