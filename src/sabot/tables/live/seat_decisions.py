"""Decisions at seats: by the seat's player, in advance, or by the clock (FRB-25..27)."""

from collections.abc import Collection

from msgspec.structs import replace

from sabot.engine import Round
from sabot.engine.commands import DECISIONS, AnyCommand, Player
from sabot.engine.events import Option
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.tables.live.notices import LACKS
from sabot.tables.live.play import LivePlay
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice

#: At the end of a decision's time a hand of at most this takes a card (FRB-26).
_HITS_TO = 11


class SeatDecisions:
    """The decision that is due, and those made in advance."""

    def __init__(self, play: LivePlay, timers: Timers) -> None:
        self._play = play
        self.timers = timers
        #: The first decision of a seat, made before its turn.
        self.wishes: dict[int, Action] = {}

    # In advance

    def pre_decide(self, player: Player, code: str, spot: int, action: Action | None) -> None:
        """Make the first decision of an own seat before its turn; it may be changed until then (FRB-25)."""
        play, round, phase = self._play, self._play.round, self._play.phases.phase
        play.check_open()
        if code != play.code or round is None or round.over or round.phase == "betting":
            raise Refusal("table/not-now", phase=phase)
        if round.book.owners.get(spot) != player:
            raise Refusal("seat/not-yours", spot=spot)
        if self._is_decided(round, spot):
            raise Refusal("table/not-now", phase=phase)
        allowed = round.play.actions(round.play.spots[spot][0])
        if action is None:
            self.wishes.pop(spot, None)
        elif action not in allowed:
            legal = ", ".join(allowed)
            raise Refusal("action/not-legal", action=action, named=f"{spot}.0", legal=legal)
        else:
            self.wishes[spot] = action
        play.step.touch(player)

    def _is_decided(self, round: Round, spot: int) -> bool:
        """Whether the first decision of a seat is made, or being made."""
        its_turn = self._play.phases.phase == "decisions" and round.turn == (spot, 0)
        awaits_card = round.play.due is not None and round.play.due.spot == spot
        return its_turn or awaits_card or not _is_first(round, spot)

    def is_due(self, code: str, spot: int) -> bool:
        """Whether the turn of a seat has begun, and its first decision is awaited."""
        play, round = self._play, self._play.round
        if round is None or code != play.code or round.turn != (spot, 0) or not _is_first(round, spot):
            return False
        return play.phases.phase == "decisions" and self._wish(round) is None

    def ahead(self, spot: int) -> tuple[Option, ...]:
        """The options of a seat before its turn, for its player's buttons."""
        round = self._play.round
        if round is None or round.over or round.phase == "betting" or spot not in round.play.spots:
            return ()
        return () if self._is_decided(round, spot) else tuple(round.menu_of(spot, 0).values())

    def _wish(self, round: Round) -> Action | None:
        """The decision made in advance for the hand whose turn it is, if it is still legal."""
        if round.turn is None or not _is_first(round, round.turn[0]):
            return None
        wish = self.wishes.get(round.turn[0])
        return wish if wish in round.options_now else None

    # Now

    def begin_turn(self) -> float | None:
        """The time of one decision."""
        return self.timers.decision if self.waits() else None

    def deciders(self) -> Collection[Player]:
        """The player who may decide now."""
        round = self._play.round
        return () if round is None or round.turn is None else (round.book.owners[round.turn[0]],)

    def waits(self) -> bool:
        """Whether the table waits for the player in turn: not after a decision in advance (FRB-26)."""
        round = self._play.round
        if round is None or round.turn is None or self._wish(round) is not None:
            return False
        return not self._play.attendance.gone(round.book.owners[round.turn[0]])

    def by_player(self, player: Player, command: AnyCommand) -> AnyCommand:
        """Check a decision of the seat whose turn it is."""
        round, spot = self._play.round, getattr(command, "spot", -1)
        if round is None or round.book.owners.get(spot) != player:
            raise Refusal("seat/not-yours", spot=spot)
        covered = self._covered(round, command, ("funds/insufficient",))
        self.wishes.pop(spot, None)
        return covered

    def automatic(self) -> AnyCommand:
        """The decision made in advance; else 11 or less hits, more stands."""
        round = self._play.round
        assert round is not None
        assert round.turn is not None
        spot, hand = round.turn
        wish = self._wish(round)
        self.wishes.pop(spot, None)
        decision = DECISIONS[wish or _by_total(round)](spot, hand)
        command = self._covered(round, decision, ("funds/insufficient", "limit/loss"))
        if wish is None:
            self._notify(round, Notice("decided", detail=str(command.__struct_config__.tag)))
        return command

    def _covered(self, round: Round, command: AnyCommand, lacks: tuple[str, ...]) -> AnyCommand:
        """A double or split that is refused for such a lack becomes a hit, or at more than 11 a stand (FRB-27)."""
        try:
            round.verify(command)
        except Refusal as error:
            if error.code not in lacks or round.turn is None:
                raise
            wanted = str(command.__struct_config__.tag)
            instead: Action = "hit" if wanted == "double" else _by_total(round)
            cost = error.params["cost"]
            assert isinstance(cost, int)
            self._notify(round, Notice(LACKS[error.code], detail=f"{wanted} {instead}", amount=cost))
            return DECISIONS[instead](*round.turn)
        return command

    def _notify(self, round: Round, notice: Notice) -> None:
        """Send a notice to the player in turn (PLT-49)."""
        assert round.turn is not None
        spot, hand = round.turn
        placed = replace(notice, round=self._play.code, spot=spot, hand=hand)
        self._play.notices.send((round.book.owners[spot], placed))


def _is_first(round: Round, spot: int) -> bool:
    """Whether a seat still has its first hand with two cards."""
    hands = round.play.spots[spot]
    return len(hands) == 1 and len(hands[0].cards) == 2


def _by_total(round: Round) -> Action:
    assert round.turn is not None
    spot, hand = round.turn
    return "hit" if round.play.spots[spot][hand].total <= _HITS_TO else "stand"
