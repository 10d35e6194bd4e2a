"""Boxes: any number of players bet on each, and vote (MAJ-10..44)."""

from collections.abc import Collection

from sabot.engine import AnyCommand, Bet
from sabot.engine.commands import Player
from sabot.engine.handlers.votes import box_move
from sabot.errors import Refusal
from sabot.games.tables import BEST_TABLES
from sabot.tables.live.events import BoxCount, CrowdCounted
from sabot.tables.live.play import LivePlay
from sabot.tables.live.timers import Timers


class Boxes:
    """The boxes of a table, and the players who may still vote."""

    def __init__(self, play: LivePlay, timers: Timers) -> None:
        self._play = play
        self.timers = timers
        #: Players who may still vote on the hand in turn: present, with a stake on it (MAJ-22).
        self._voters: set[Player] = set()

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse bets before the player has answered what to follow (MAJ-12)."""
        presence = self._play.attendance.players.get(player)
        if bets and (presence is None or presence.consent is None):
            raise Refusal("consent/needed")

    # Votes

    def begin_turn(self) -> float | None:
        """Voters are counted once, not at every vote: there may be ten thousand."""
        round, attendance = self._play.round, self._play.attendance
        self._voters = set()
        if round is not None and round.turn is not None:
            backers, vote_of = round.book.backers[round.turn], round.ballot.vote_of
            silent = [player for player in backers if vote_of(player) is None and not attendance.gone(player)]
            self._voters = {player for player in silent if attendance.present(player)}
            if not self._voters and not round.ballot.cast_votes:
                self._voters = set(silent)  # all of them have lost the connection: one may come back in time
        return self.timers.vote if self.waits() else None

    def deciders(self) -> Collection[Player]:
        """Players who may decide now."""
        return self._voters

    def waits(self) -> bool:
        """Whether a player who has not voted is there and could change the result."""
        round = self._play.round
        if round is None or round.turn is None or round.mode(round.turn[0]) != "vote":
            return False
        return not round.ballot.certain(len(self._voters))

    def voted(self, player: Player) -> None:
        """A player has voted."""
        self._voters.discard(player)

    def entered(self, player: Player) -> None:
        """A player who comes back may vote, if there is no vote yet."""
        round = self._play.round
        if round is None or round.turn is None or round.ballot.vote_of(player) is not None:
            return
        if player in round.book.backers[round.turn]:
            self._voters.add(player)

    def exited(self, player: Player) -> None:
        """A player who has left does not vote (MAJ-61)."""
        if self._play.attendance.gone(player):
            self._voters.discard(player)

    def automatic(self) -> AnyCommand:
        """The decision by votes, or by the best table (MAJ-20, MAJ-21, MAJ-30)."""
        round = self._play.round
        assert round is not None
        return box_move(round, BEST_TABLES[round.rules.name])

    def count(self) -> CrowdCounted:
        """Players on each box, its mode, and the votes so far (MAJ-10)."""
        here, round = self._play.attendance.headcount(), self._play.round
        if round is None:
            return CrowdCounted(*here)
        players = [len(round.book.backers.get((spot, 0), ())) for spot in range(round.rules.spots)]
        boxes = (BoxCount(spot, count, round.betting.mode(count)) for spot, count in enumerate(players))
        return CrowdCounted(*here, tuple(boxes), round.ballot.tally())
