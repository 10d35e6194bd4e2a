"""A live table with boxes: any number of players on each, who vote (MAJ-10..44)."""

from __future__ import annotations

from sabot.engine import AnyEvent, Bet, Round
from sabot.engine.box import box_move
from sabot.engine.commands import Player, Vote
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.games.tables import BEST_TABLES
from sabot.store.entry import RequestKey
from sabot.tables.crowd import CrowdTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.events import BoxCount, CrowdCounted
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Timers


class BoxTable(LiveTable):
    """Boxes, their modes, and their votes."""

    def __init__(self, table: CrowdTable, timers: Timers, clock: Clock) -> None:
        super().__init__(table, timers, clock)
        #: Those who may still vote on the hand whose turn it is: present, with a stake on it (MAJ-22).
        self._voters: set[Player] = set()

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Before the first bet a player says what the box may decide (MAJ-12)."""
        guest = self.guests.get(player)
        if bets and (guest is None or guest.consent is None):
            raise Refusal("consent/needed")

    # Votes

    def vote(
        self,
        player: Player,
        code: str,
        turn: int,
        spot: int,
        hand: int,
        action: Action,
        request: RequestKey | None = None,
    ) -> None:
        """One vote of a player with a stake on the hand; the result may be certain with it (MAJ-20)."""
        self._check_moment(code, turn, "decisions")
        self._apply(Vote(spot, hand, player=player, action=action), request)
        self._voters.discard(player)
        self.crowd_changed = True
        self._stop_waiting()

    def waits(self) -> bool:
        """A vote is waited for while someone is there who has not voted and could change it."""
        round = self.round
        if round is None or round.turn is None or round.mode(round.turn[0]) != "vote":
            return False
        return not round.ballot.certain(len(self._voters))

    def _after(self, events: tuple[AnyEvent, ...]) -> None:
        """Who may vote is counted once, not at every vote: there may be ten thousand."""
        round = self.round
        self._voters = set()
        if round is not None and round.turn is not None:
            silent = [player for player in round.book.backers[round.turn] if not self._is_done(round, player)]
            self._voters = {player for player in silent if self.present(player)}
            if not self._voters and not round.ballot.cast_votes:
                self._voters = set(silent)  # all of them have lost the connection: one may come back in time
        super()._after(events)

    def _is_done(self, round: Round, player: Player) -> bool:
        """Whether a player has voted, or will not."""
        return round.ballot.vote_of(player) is not None or self.gone(player)

    def come(self, player: Player, name: str, *, bot: bool = False) -> None:
        """One who comes back may vote again, if there is no vote yet."""
        super().come(player, name, bot=bot)
        round = self.round
        if round is None or round.turn is None or round.ballot.vote_of(player) is not None:
            return
        if player in round.book.backers[round.turn]:
            self._voters.add(player)

    def go(self, player: Player) -> None:
        """One who has left does not vote (MAJ-61)."""
        guest = self.guest(player)
        if guest.leaving and guest.sockets == 1:
            self._voters.discard(player)
        super().go(player)

    def window(self) -> float:
        """The time of a vote."""
        return self.timers.vote

    def play_automatically(self) -> None:
        """What the votes say, or the best table (MAJ-20, MAJ-21, MAJ-30)."""
        assert self.round is not None
        best = BEST_TABLES[self.table.rules.name]
        self.decided(box_move(self.round, best))

    # The crowd

    def count_crowd(self) -> CrowdCounted:
        """Players on each box, the mode that makes, and the votes so far (MAJ-10)."""
        round = self.round
        if round is None:
            return CrowdCounted(*self.headcount())
        boxes = []
        for spot in range(round.rules.spots):
            players = len(round.book.backers.get((spot, 0), ()))
            boxes.append(BoxCount(spot, players, round.betting.mode(players)))
        return CrowdCounted(*self.headcount(), tuple(boxes), round.ballot.tally())
