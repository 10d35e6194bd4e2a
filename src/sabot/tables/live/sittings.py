"""Players' money at a live table: sitting down, bringing more, leaving (PLT-04)."""

from collections.abc import Callable
from dataclasses import dataclass

from sabot.engine.commands import Player
from sabot.store.entry import Body, RequestKey
from sabot.tables.live.play import LivePlay
from sabot.tables.live.seats import Seats
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice


@dataclass(eq=False)
class Sittings:
    """The players at the table with money."""

    play: LivePlay
    seats: Seats
    timers: Timers
    #: Called when a player has sat down, and when a player or a seat has left.
    came: Callable[[], None]
    went: Callable[[], None]

    def any_present(self) -> bool:
        """Whether a player is there to play."""
        return any(self.play.attendance.present(player) for player in self.play.table.sittings)

    def sit(
        self,
        player: Player,
        amount: int,
        request: RequestKey | None = None,
        golden: dict[int, int] | None = None,
    ) -> None:
        """Bring money to the table (PLT-04); while bets are open, into the round (MAJ-13)."""
        play, attendance = self.play, self.play.attendance
        play.step.store(play.table.sit(int(player), amount, play.phases.now, request, golden))
        if play.phases.phase == "betting":
            play.join(player)
        presence = attendance.of(player)
        presence.leaving = False
        if not presence.sockets:  # gone while this was on its way
            presence.absent_since = play.phases.steady
        play.step.touch(player)
        attendance.changed = True
        self.came()

    def sit_at(
        self,
        player: Player,
        spot: int,
        amount: int,
        request: RequestKey | None = None,
        golden: dict[int, int] | None = None,
    ) -> None:
        """SIEDITI QUI: take a seat, with money if there is none at the table yet (FRB-20)."""
        self.seats.check_free(player, spot)
        play, entries = self.play, self.play.step.entries
        first = len(entries)
        if player not in play.table.sittings:
            self.sit(player, amount, request, golden)
        elif amount:
            self.add_money(player, amount, request)
        else:
            play.step.store(play.table.stream.entry(play.phases.now, "take-seat", Body(), request=request))
        # One entry: sent again after a crash between two of them, the money would be brought twice.
        entries[first] = self.seats.take(player, spot, entries[first])

    def add_money(self, player: Player, amount: int, request: RequestKey | None = None) -> None:
        """AGGIUNGI DENARO, in a round too."""
        self.play.carry(self.play.table.add_money(player, amount, self.play.phases.now, request))
        self.play.step.touch(player)

    def grant(self, player: Player, chips: dict[int, int]) -> None:
        """Bring granted golden chips of a player at the table, for the next round on (MAJ-50).

        They leave the account at once, so that they cannot be brought to another table meanwhile.
        """
        if player in self.play.table.sittings and chips:
            self.play.step.store(self.play.table.bring_golden(player, chips, self.play.phases.now))
            self.play.step.touch(player)

    def leave(self, player: Player, request: RequestKey | None = None) -> None:
        """Go with what is left; with a bet in the round, when it is over (FRB-33)."""
        play = self.play
        if play.bets_of(player):
            play.attendance.of(player).leaving = True
            if request is not None:
                play.step.store(play.table.note("leave-later", {}, play.phases.now, request))
        else:
            self._leave(player, request)
        play.step.touch(player)
        self.went()

    def leave_seat(self, player: Player, spot: int, request: RequestKey | None = None) -> None:
        """X: a seat with a bet on it is free after the round (FRB-33)."""
        self.seats.leave(player, spot, request)
        self.went()

    def _leave(self, player: Player, request: RequestKey | None = None) -> None:
        self.seats.left(player)
        play, left = self.play, self.play.table.balance(player)
        play.step.store(play.table.leave(player, play.phases.now, request))
        play.step.taken[player] = left
        play.last.pop(player, None)
        presence = play.attendance.of(player)
        presence.leaving = False
        if not presence.sockets:
            del play.attendance.players[player]
        play.step.touch(player)
        play.attendance.changed = True

    # Between rounds

    def tidy_up(self) -> None:
        """Remove players who leave, and players who have been away for too long."""
        play, players = self.play, self.play.attendance.players
        now = play.phases.steady
        for player in list(play.table.sittings):
            presence = play.attendance.of(player)
            if play.bets_of(player):
                continue
            if presence.leaving:
                self._leave(player)
            elif not presence.sockets and now >= presence.absent_since + self.patience(player):
                self._send_away(player)
        for player, presence in list(players.items()):
            if play.attendance.present(player):
                continue
            play.attendance.changed |= presence.counted
            presence.counted = False
            if player not in play.table.sittings:
                del players[player]
        for player in self.seats.tidy_up():
            self._send_away(player)

    def send_all_away(self) -> None:
        """The table is taken away: everyone's money goes back, with a notice (OFF-02)."""
        for player in list(self.play.table.sittings):
            left = Notice("money-returned", amount=self.play.table.balance(player), detail="closed")
            self.play.notices.send((player, left))
            self._leave(player)

    def _send_away(self, player: Player) -> None:
        """Remove a player who did not ask for it: the money goes back, with a notice."""
        notices = self.play.notices
        notices.send(*((player, Notice("seat-lost", spot=spot)) for spot in self.play.table.seats_of(player)))
        notices.send((player, Notice("money-returned", amount=self.play.table.balance(player))))
        self._leave(player)

    def patience(self, player: Player) -> float:
        """Seconds after which a player without a connection has left; fewer without money at the table.

        At a table that rests no rounds are counted: a seat is lost in the time they would take at least (FRB-20).
        """
        timers = self.timers
        patience = timers.absence if player in self.play.table.sittings else timers.grace
        if self.play.phases.phase != "idle" or not self.play.table.seats_of(player):
            return patience
        return min(patience, timers.grace + timers.idle_rounds * timers.betting)
