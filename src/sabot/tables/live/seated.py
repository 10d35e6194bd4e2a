"""A live table with seats: each seat's player decides, others may bet behind (FRB-20..45)."""

from __future__ import annotations

from sabot.engine import Bet, Round
from sabot.engine.commands import DECISIONS, AllowBehind, AnyCommand, PlaceBets, Player
from sabot.engine.events import BehindAllowed, Option
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.store.entry import RequestKey
from sabot.tables.crowd import CrowdTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.events import BetsShown, CrowdCounted, SeatLeft, SeatTaken, StreakChanged
from sabot.tables.live.notices import LACKS
from sabot.tables.live.stage import Preferences
from sabot.tables.live.streaks import seat_round
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice

#: At the end of a decision's time a hand of at most this takes a card (FRB-26).
_HITS_TO = 11


class SeatedTable(LiveTable):
    """Seats, starting early, decisions made in advance, and those made by the clock."""

    def __init__(self, table: CrowdTable, timers: Timers, clock: Clock) -> None:
        super().__init__(table, timers, clock)
        #: Seated players who have pressed INIZIARE ORA (FRB-24).
        self.started: set[Player] = set()
        #: The first decision of a seat, made before its turn (FRB-25).
        self.wishes: dict[int, Action] = {}
        #: Rounds in a row without a bet, and rounds won in a row, by seat.
        self._idle: dict[int, int] = {}
        self.streaks: dict[int, int] = {}
        self._behind_closed: set[int] = set()
        self._leaving_seats: set[int] = set()

    def begin(self) -> None:
        """Go on where the log ends; seats stay closed for bets behind (FRB-43)."""
        if self.round is not None:
            self._behind_closed = set(self.round.betting.behind_closed_next)
        super().begin()

    def come(self, player: Player, name: str, *, bot: bool = False) -> None:
        """After a restart nobody knows the name under a seat until its player comes back (FRB-20)."""
        before = self.guest(player).name
        super().come(player, name, bot=bot)
        for spot in self.seats_of(player) if name != before else ():
            self._told.append(SeatTaken(spot, player, name, bot))

    def prefer(self, player: Player, preferences: Preferences, *, changed: bool) -> None:
        """Those choices live in the settings: a change acts on seats that are held, too (FRB-43).

        One who comes closes the own seats if the settings say so, and follows what they say, unless answered here.
        """
        guest = self.guest(player)
        guest.preferences = preferences
        for spot in self.seats_of(player):
            is_open = spot not in self._behind_closed
            if is_open != preferences.allow_behind and (changed or is_open):
                self._set_behind(spot, preferences.allow_behind)
        if (guest.consent or (False, False)) != preferences.follow and (changed or guest.consent is None):
            self.consent(player, *preferences.follow)

    # Seats

    def seats_of(self, player: Player) -> list[int]:
        """The seats a player holds."""
        return sorted(spot for spot, seat in self.table.seats.items() if seat.player == player)

    def _check_seat(self, player: Player, spot: int) -> None:
        """A player holds two seats at most (FRB-20)."""
        self._check_spot(spot)
        most = self.timers.seats_each
        if len(self.seats_of(player)) >= most:
            raise Refusal("seat/too-many", most=most)
        if spot in self.table.seats:
            raise Refusal("bet/seat-taken", spot=spot)

    def _check_spot(self, spot: int) -> None:
        last = self.table.rules.spots - 1
        if not 0 <= spot <= last:
            raise Refusal("seat/none", spot=spot, last=last)

    def _check_own(self, player: Player, spot: int) -> None:
        self._check_spot(spot)
        if spot not in self.seats_of(player):
            raise Refusal("seat/not-yours", spot=spot)

    def sit_at(
        self,
        player: Player,
        spot: int,
        amount: int,
        request: RequestKey | None = None,
        golden: dict[int, int] | None = None,
    ) -> None:
        """SIEDITI QUI: take a seat, with money if there is none at the table yet (FRB-20)."""
        self._check_seat(player, spot)
        first, table = len(self._units), self.table
        if player in table.sittings and not amount:
            self._units.append(table.take_seat(spot, player, self.now, request))
        else:
            if player in table.sittings:
                self.add_money(player, amount, request)
            else:
                self.sit(player, amount, request, golden)
            # One row: asked again after a crash between two of them, the money would be brought twice.
            self._units[first] = table.take_seat_with(self._units[first], spot, player)
        self._idle[spot] = self.streaks[spot] = 0
        guest = self.guest(player)
        self._told.append(SeatTaken(spot, player, guest.name, guest.bot))
        if not guest.preferences.allow_behind:
            self._set_behind(spot, False)
        self._touch(player)

    def leave_seat(self, player: Player, spot: int, request: RequestKey | None = None) -> None:
        """X: a seat with a bet on it is free after the round (FRB-33)."""
        self._check_own(player, spot)
        if any(bet.spot == spot and bet.kind != "behind" for bet in self.bets_of(player)):
            self._leaving_seats.add(spot)
        else:
            self._free(spot, request)
        self._touch(player)

    def _leave(self, player: Player, request: RequestKey | None = None) -> None:
        for spot in self.seats_of(player):
            self._free(spot)
        super()._leave(player, request)

    def _free(self, spot: int, request: RequestKey | None = None) -> None:
        """Nobody plays here now: bets behind the seat go back at once (FRB-41), and it is open for them again."""
        self._return_behind(spot)
        if spot in self._behind_closed:
            self._set_behind(spot, True)
        self._touch(self.table.seats[spot].player)
        self._units.append(self.table.leave_seat(spot, self.now, request))
        for marks in (self._idle, self.streaks, self.wishes):
            marks.pop(spot, None)
        self._leaving_seats.discard(spot)
        self._told.append(SeatLeft(spot))
        if self.phase == "betting":
            self._stop_waiting()

    def _return_behind(self, spot: int) -> None:
        round = self.round
        if round is None or round.phase != "betting":
            return
        for player, bets in list(round.book.bets.items()):
            kept = tuple(bet for bet in bets if (bet.spot, bet.kind) != (spot, "behind"))
            if kept != bets:
                self._tell_returned(player, set(bets) - set(kept), "seat-left")
                self._apply(PlaceBets(player, kept))
                if player in self.started:  # what was shown of them is not so any more
                    self._told.append(BetsShown(player, kept))

    def _tidy_up(self) -> None:
        """Also seats that were left in the round, and those without a bet for too long (FRB-20)."""
        super()._tidy_up()
        for spot, (_, player) in sorted(self.table.seats.items()):
            if spot in self._leaving_seats:
                self._free(spot)
            elif self._idle.get(spot, 0) < self.timers.idle_rounds or spot not in self.table.seats:
                continue
            elif self.present(player) or self.bets_of(player):
                self._notify((player, Notice("seat-lost", spot=spot)))
                self._free(spot)
            else:  # nobody is there to play on without it
                self._send_away(player)

    def _send_away(self, player: Player) -> None:
        self._notify(*((player, Notice("seat-lost", spot=spot)) for spot in self.seats_of(player)))
        super()._send_away(player)

    def _patience(self, player: Player) -> float:
        """At a table that rests no rounds are counted: a seat is lost in the time they would take at least (FRB-20)."""
        patience = super()._patience(player)
        if self.phase != "idle" or not self.seats_of(player):
            return patience
        return min(patience, self.timers.grace + self.timers.idle_rounds * self.timers.betting)

    # Betting

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """The same main bet on all own seats, and behind others' only (FRB-22, FRB-40)."""
        if player in self.started:
            raise Refusal("bet/final")
        own = self.seats_of(player)
        mains = {bet.spot: bet.stake for bet in bets if bet.kind == "main"}
        for bet in bets:
            if bet.kind != "behind":
                self._check_own(player, bet.spot)
            elif bet.spot in own:
                raise Refusal("seat/own-behind", spot=bet.spot)
            elif bet.spot not in self.table.seats:
                self._check_spot(bet.spot)
                raise Refusal("seat/empty", spot=bet.spot)
        if mains and (set(mains) != set(own) or len(set(mains.values())) > 1):
            raise Refusal("bet/unequal-seats")

    def start_now(
        self, player: Player, code: str, request: RequestKey | None = None, at: float | None = None
    ) -> None:
        """INIZIARE ORA: the bets are final and seen; when all seated players have pressed it, they are dealt."""
        self._check_open()
        if code != self.code or self.phase != "betting" or self.is_due(at):
            raise Refusal("table/not-now", phase=self.phase)
        minimum = self.table.options.main.minimum
        staked = {bet.spot: bet.stake for bet in self.bets_of(player) if bet.kind == "main"}
        own = self.seats_of(player)
        if not own or any(staked.get(spot, 0) < minimum for spot in own):
            raise Refusal("start/too-little", minimum=minimum)
        if request is not None:
            detail = {"player": player, "round": code}
            self._units.append(self.table.note("start-now", detail, self.now, request))
        if player not in self.started:
            self.started.add(player)
            self._told.append(BetsShown(player, self.bets_of(player)))
        self._touch(player)
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        """Also when every seated player has pressed INIZIARE ORA (FRB-24)."""
        super()._stop_waiting()
        seated = {seat.player for seat in self.table.seats.values()}
        if self.phase == "betting" and not self.paused and seated and seated <= self.started:
            self._hurry()

    def allow_behind(
        self, player: Player, spot: int, allowed: bool, request: RequestKey | None = None
    ) -> None:
        """A seat's player opens it for bets behind, or closes it (FRB-43)."""
        self._check_own(player, spot)
        self._set_behind(spot, allowed, request)

    def _set_behind(self, spot: int, allowed: bool, request: RequestKey | None = None) -> None:
        if self.table.in_round:
            self._apply(AllowBehind(spot, allowed), request)
        else:
            self._told.append(BehindAllowed(spot, allowed, next_round=False))
        if allowed:
            self._behind_closed.discard(spot)
        else:
            self._behind_closed.add(spot)

    def behind_closed(self) -> tuple[int, ...]:
        """As their players wish it."""
        return tuple(sorted(self._behind_closed))

    def _new_round(self) -> None:
        self.started.clear()
        self.wishes.clear()
        before = set(self.round.betting.behind_closed) if self.round is not None else self._behind_closed
        super()._new_round()
        for spot in sorted(before ^ self._behind_closed):  # one who came meanwhile does not know yet
            self._told.append(BehindAllowed(spot, spot not in self._behind_closed, next_round=False))

    def _deal(self) -> None:
        """Bets are final, and those of seated players are seen now, as they stand (COM-25, FRB-24)."""
        self._count_idle()
        round, seated = self.round, dict.fromkeys(seat.player for seat in self.table.seats.values())
        seen = {player: self.bets_of(player) for player in self.started}
        self.started.clear()
        super()._deal()
        assert round is not None, "bets are in a round"
        self._touch(*seated)  # they may decide in advance (FRB-25)
        for player in seated:
            bets = round.book.bets.get(player, ())
            if bets and bets != seen.get(player):
                self._told.append(BetsShown(player, bets))

    def _count_idle(self) -> None:
        for spot, seat in self.table.seats.items():
            staked = any(bet.spot == spot and bet.kind == "main" for bet in self.bets_of(seat.player))
            self._idle[spot] = 0 if staked else self._idle.get(spot, 0) + 1

    # Decisions

    def pre_decide(self, player: Player, code: str, spot: int, action: Action | None) -> None:
        """The first decision of an own seat, before its turn; it may be changed until then (FRB-25)."""
        self._check_open()
        round = self.round
        if code != self.code or round is None or round.over or round.phase == "betting":
            raise Refusal("table/not-now", phase=self.phase)
        if round.book.owners.get(spot) != player:
            raise Refusal("seat/not-yours", spot=spot)
        if self._is_decided(round, spot):
            raise Refusal("table/not-now", phase=self.phase)
        allowed = round.play.actions(round.play.spots[spot][0])
        if action is None:
            self.wishes.pop(spot, None)
        elif action not in allowed:
            legal = ", ".join(allowed)
            raise Refusal("action/not-legal", action=action, named=f"{spot}.0", legal=legal)
        else:
            self.wishes[spot] = action
        self._touch(player)

    def _is_decided(self, round: Round, spot: int) -> bool:
        """Whether the first decision of a seat is made, or being made."""
        hands = round.play.spots[spot]
        its_turn = self.phase == "decisions" and round.turn == (spot, 0)
        return len(hands) > 1 or len(hands[0].cards) > 2 or its_turn

    def ahead(self, spot: int) -> tuple[Option, ...]:
        """What may be decided for a seat before its turn, for its player's buttons."""
        round = self.round
        if round is None or round.over or round.phase == "betting" or spot not in round.play.spots:
            return ()
        return () if self._is_decided(round, spot) else round.menu_of(spot, 0).shown

    def decide(
        self, player: Player, code: str, turn: int, command: AnyCommand, request: RequestKey | None = None
    ) -> None:
        """A decision of the seat whose turn it is, by its player."""
        self._check_moment(code, turn, "decisions")
        spot = getattr(command, "spot", -1)
        if self.round is None or self.round.book.owners.get(spot) != player:
            raise Refusal("seat/not-yours", spot=spot)
        self.decided(self._covered(command, ("funds/insufficient",)), request)
        self.wishes.pop(spot, None)

    def waits(self) -> bool:
        """A player who has not decided in advance is waited for, with a connection or without (FRB-26)."""
        round = self.round
        if round is None or round.turn is None:
            return False
        return self._wish() is None and not self.gone(round.book.owners[round.turn[0]])

    def window(self) -> float:
        """The time of one decision."""
        return self.timers.decision

    def play_automatically(self) -> None:
        """What was decided in advance; else 11 or less hits, more stands (FRB-25, FRB-26)."""
        round = self.round
        assert round is not None
        assert round.turn is not None
        spot, hand = round.turn
        wish = self._wish()
        self.wishes.pop(spot, None)
        decision = DECISIONS[wish or self._by_total(spot, hand)](spot, hand)
        command = self._covered(decision, ("funds/insufficient", "limit/loss"))
        if wish is None:
            owner, action = round.book.owners[spot], str(command.__struct_config__.tag)
            self._notify((owner, Notice("decided", round=self.code, spot=spot, hand=hand, detail=action)))
        self.decided(command)

    def _wish(self) -> Action | None:
        """The decision made in advance for the hand whose turn it is, if it is still legal."""
        round = self.round
        if round is None or round.turn is None:
            return None
        spot = round.turn[0]
        first = len(round.play.spots[spot]) == 1 and len(round.play.spots[spot][0].cards) == 2
        wish = self.wishes.get(spot) if first else None
        return wish if wish in round.options_now else None

    def _by_total(self, spot: int, hand: int) -> Action:
        assert self.round is not None
        return "hit" if self.round.play.spots[spot][hand].total <= _HITS_TO else "stand"

    def _covered(self, command: AnyCommand, lacks: tuple[str, ...]) -> AnyCommand:
        """A double or split that is refused for such a lack becomes a hit, or at more than 11 a stand (FRB-27).

        Its player is told (PLT-49).
        """
        assert self.round is not None
        try:
            self.round.verify(command)
        except Refusal as error:
            if error.code not in lacks or self.round.turn is None:
                raise
            spot, hand = self.round.turn
            wanted = str(type(command).__struct_config__.tag)
            instead: Action = "hit" if wanted == "double" else self._by_total(spot, hand)
            owner, detail, cost = self.round.book.owners[spot], f"{wanted} {instead}", error.params["cost"]
            assert isinstance(cost, int)
            what = LACKS[error.code]
            told = Notice(what, round=self.code, spot=spot, hand=hand, detail=detail, amount=cost)
            self._notify((owner, told))
            return DECISIONS[instead](spot, hand)
        return command

    # After the round

    def _ended(self, round: Round) -> None:
        """Who has won how often in a row (FRB-45)."""
        super()._ended(round)
        for spot, owner in round.book.owners.items() if round.phase == "settled" else ():
            won = seat_round(self.results.get(owner, ()), spot)
            before = self.streaks.get(spot, 0)
            after = before + 1 if won == "won" else 0 if won == "lost" else before
            if after != before and spot in self.table.seats:
                self.streaks[spot] = after
                self._told.append(StreakChanged(spot, after))

    def count_crowd(self) -> CrowdCounted:
        """How many there are; bets are not seen before the close (FRB-24)."""
        return CrowdCounted(*self.headcount())
