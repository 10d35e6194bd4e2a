"""Seats: each seat's player decides, others may bet behind (FRB-20..45)."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from sabot.engine import Bet, Round
from sabot.engine.commands import AllowBehind, Player
from sabot.engine.events import BehindAllowed, BetSettled
from sabot.errors import Refusal
from sabot.store import facts
from sabot.store.entry import Body, LogEntry, RequestKey
from sabot.tables.live.events import BetsShown, CrowdCounted, SeatLeft, SeatTaken, StreakChanged
from sabot.tables.live.play import LivePlay
from sabot.tables.live.presence import Preferences
from sabot.tables.live.seat_decisions import SeatDecisions
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice, SeatView
from sabot.tables.table import Seat


class Seats:
    """The seats of a table, and who holds them; nobody holds one where players bet on boxes."""

    def __init__(self, play: LivePlay, timers: Timers) -> None:
        self._play = play
        self.timers = timers
        self._table = play.table
        self._step = play.step
        self.decisions = SeatDecisions(play, timers)
        #: Seated players who have pressed INIZIARE ORA (FRB-24).
        self.started: set[Player] = set()
        #: Rounds in a row without a bet, and rounds won in a row, by seat.
        self._idle: dict[int, int] = {}
        self._streaks: dict[int, int] = {}
        #: Seats that their players have closed for bets behind; after a restart too (FRB-43).
        self.closed = set(play.round.betting.behind_closed_next) if play.round is not None else set()
        #: The id of the next seat that is taken, fetched in advance; 0 if none is.
        self.reserved = 0
        #: Seats that are free after the round.
        self._leaving: set[int] = set()
        #: The bets of seated players that were shown when betting closed.
        self._shown: dict[Player, tuple[Bet, ...]] = {}

    def entered(self, player: Player, name_before: str) -> None:
        """Show the name at a player's seats, where it has changed (FRB-20)."""
        if self._play.attendance.of(player).name == name_before:
            return
        for spot in self._table.seats_of(player):
            self._show_taken(spot, player)

    def _show_taken(self, spot: int, player: Player) -> None:
        presence = self._play.attendance.of(player)
        self._step.show(SeatTaken(spot, player, presence.name, presence.bot))

    def set_preferences(self, player: Player, preferences: Preferences, *, changed: bool) -> None:
        """Apply a player's settings to the seats held and to what is followed (FRB-43).

        On arrival they only close seats, and set what is followed if the player has not answered here.
        """
        if self._table.rules.backing != "seats":
            return
        presence = self._play.attendance.of(player)
        presence.preferences = preferences
        for spot in self._table.seats_of(player):
            is_open = spot not in self.closed
            if is_open != preferences.allow_behind and (changed or is_open):
                self._set_behind(spot, preferences.allow_behind)
        follows = presence.consent or (False, False)
        if follows != preferences.follow and (changed or presence.consent is None):
            self._play.consent(player, *preferences.follow)

    # Holding seats

    def check_free(self, player: Player, spot: int) -> None:
        """Refuse a seat that is taken, or more seats than a player may hold (FRB-20)."""
        self._check_spot(spot)
        most = self.timers.seats_each
        if len(self._table.seats_of(player)) >= most:
            raise Refusal("seat/too-many", most=most)
        if spot in self._table.seats:
            raise Refusal("bet/seat-taken", spot=spot)

    def _check_spot(self, spot: int) -> None:
        if self._table.rules.backing != "seats":
            raise Refusal("seat/at-boxes")
        last = self._table.rules.spots - 1
        if not 0 <= spot <= last:
            raise Refusal("seat/none", spot=spot, last=last)

    def _check_own(self, player: Player, spot: int) -> None:
        self._check_spot(spot)
        if spot not in self._table.seats_of(player):
            raise Refusal("seat/not-yours", spot=spot)

    def reserve(self) -> None:
        """Take the id of the next seat now, because that can fail and nothing must change before."""
        self.reserved = self.reserved or self._table.tools.store.ids.take("seat")

    def take(self, player: Player, spot: int, entry: LogEntry) -> LogEntry:
        """Give a free seat to a player; gives the log entry that brings the money, with the seat in it."""
        self.reserve()
        self._table.seats[spot] = seat = Seat(self.reserved, player)
        self.reserved = 0
        self._idle[spot] = self._streaks[spot] = 0
        self._show_taken(spot, player)
        if self._are_closed() and (bets := self._play.bets_of(player)):
            self._step.show(BetsShown(player, bets))  # behind other seats, before the player had one
        if not self._play.attendance.of(player).preferences.allow_behind:
            self._set_behind(spot, False)
        self._step.touch(player)
        added = (*entry.body.facts, facts.SeatTakenFact(seat.id, spot, int(player)))
        return replace(entry, body=replace(entry.body, facts=added))

    def leave(self, player: Player, spot: int, request: RequestKey | None = None) -> None:
        """X: a seat with a bet on it is free after the round (FRB-33)."""
        self._check_own(player, spot)
        if any(bet.spot == spot and bet.kind != "behind" for bet in self._play.bets_of(player)):
            self._leaving.add(spot)
        else:
            self._free(spot, request)
        self._step.touch(player)

    def left(self, player: Player) -> None:
        """Free the seats of a player who leaves."""
        for spot in self._table.seats_of(player):
            self._free(spot)

    def _free(self, spot: int, request: RequestKey | None = None) -> None:
        """Free a seat: bets behind it go back at once (FRB-41), and it is open for them again."""
        self._return_behind(spot)
        if spot in self.closed:
            self._set_behind(spot, True)
        self._step.touch(self._table.seats[spot].player)
        left = facts.SeatLeftFact(self._table.seats.pop(spot).id)
        entry = self._table.stream.entry(
            self._play.phases.now, "leave-seat", Body(facts=(left,)), request=request
        )
        self._step.store(entry)
        for marks in (self._idle, self._streaks, self.decisions.wishes):
            marks.pop(spot, None)
        self._leaving.discard(spot)
        self._step.show(SeatLeft(spot))

    def _return_behind(self, spot: int) -> None:
        round = self._play.round
        if round is None or round.phase != "betting":
            return
        for player, bets in list(round.book.bets.items()):
            kept = tuple(bet for bet in bets if (bet.spot, bet.kind) != (spot, "behind"))
            if kept != bets:
                self._play.give_back(player, kept, "seat-left")
                if player in self.started:  # the bets shown before have changed
                    self._step.show(BetsShown(player, kept))

    def tidy_up(self) -> Iterator[Player]:
        """Free seats that were left in the round, and those without a bet for too long (FRB-20)."""
        for spot, (_, player) in sorted(self._table.seats.items()):
            if spot in self._leaving:
                self._free(spot)
            elif self._idle.get(spot, 0) < self.timers.idle_rounds or spot not in self._table.seats:
                continue
            elif self._play.attendance.present(player) or self._play.bets_of(player):
                self._play.notices.send((player, Notice("seat-lost", spot=spot)))
                self._free(spot)
            else:  # nobody is there to play on without it
                yield player

    # Betting

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse unequal main bets on own seats, and bets behind own or empty seats (FRB-22, FRB-40)."""
        if player in self.started:
            raise Refusal("bet/final")
        own = self._table.seats_of(player)
        mains = {bet.spot: bet.stake for bet in bets if bet.kind == "main"}
        for bet in bets:
            if bet.kind != "behind":
                self._check_own(player, bet.spot)
            elif bet.spot in own:
                raise Refusal("seat/own-behind", spot=bet.spot)
            elif bet.spot not in self._table.seats:
                self._check_spot(bet.spot)
                raise Refusal("seat/empty", spot=bet.spot)
        if mains and (set(mains) != set(own) or len(set(mains.values())) > 1):
            raise Refusal("bet/unequal-seats")

    def start(self, player: Player, code: str, request: RequestKey | None, at: float | None) -> None:
        """INIZIARE ORA: the bets are final and shown."""
        play, phases = self._play, self._play.phases
        play.check_open()
        if code != play.code or phases.phase != "betting" or phases.is_due(at):
            raise Refusal("table/not-now", phase=phases.phase)
        minimum = self._table.options.main.minimum
        staked = {bet.spot: bet.stake for bet in play.bets_of(player) if bet.kind == "main"}
        own = self._table.seats_of(player)
        if not own or any(staked.get(spot, 0) < minimum for spot in own):
            raise Refusal("start/too-little", minimum=minimum)
        if request is not None:
            detail = {"player": player, "round": code}
            self._step.store(self._table.note("start-now", detail, phases.now, request))
        if player not in self.started:
            self.started.add(player)
            self._step.show(BetsShown(player, play.bets_of(player)))
        self._step.touch(player)

    def all_ready(self) -> bool:
        """Whether every seated player has pressed INIZIARE ORA (FRB-24)."""
        seated = {seat.player for seat in self._table.seats.values()}
        return bool(seated) and seated <= self.started

    def allow_behind(
        self, player: Player, spot: int, allowed: bool, request: RequestKey | None = None
    ) -> None:
        """A seat's player opens it for bets behind, or closes it (FRB-43)."""
        self._check_own(player, spot)
        self._set_behind(spot, allowed, request)

    def _set_behind(self, spot: int, allowed: bool, request: RequestKey | None = None) -> None:
        if self._table.in_round:
            self._play.apply(AllowBehind(spot, allowed), request)
        else:
            self._step.show(BehindAllowed(spot, allowed, next_round=False))
        if allowed:
            self.closed.discard(spot)
        else:
            self.closed.add(spot)

    def opened(self, before: Round | None) -> None:
        """A new round: show which seats take bets behind where that has changed."""
        self.started.clear()
        self.decisions.wishes.clear()
        closed = set(before.betting.behind_closed) if before is not None else self.closed
        for spot in sorted(closed ^ self.closed):
            self._step.show(BehindAllowed(spot, spot not in self.closed, next_round=False))

    def closing(self) -> None:
        """Count rounds without a bet, and note which bets were shown."""
        self._shown = {}
        for spot, seat in self._table.seats.items():
            bets = self._play.bets_of(seat.player)
            staked = any(bet.spot == spot and bet.kind == "main" for bet in bets)
            self._idle[spot] = 0 if staked else self._idle.get(spot, 0) + 1
            self._shown[seat.player] = bets if seat.player in self.started else ()
        self.started.clear()

    def dealt(self) -> None:
        """Send seated players their own part: they may decide in advance (FRB-25)."""
        self._step.touch(*self._shown)

    def show_bets(self, round: Round) -> None:
        """Show the bets of seated players as they stand (COM-25, FRB-24)."""
        for player, shown in self._shown.items():
            bets = round.book.bets.get(player, ())
            if bets and bets != shown:
                self._step.show(BetsShown(player, bets))

    # After the round

    def ended(self, round: Round) -> None:
        """Count the rounds that each seat has won in a row (FRB-45)."""
        for spot, owner in round.book.owners.items() if round.phase == "settled" else ():
            won = seat_round(self._play.results.get(owner, ()), spot)
            before = self._streaks.get(spot, 0)
            after = before + 1 if won == "won" else 0 if won == "lost" else before
            if after != before and spot in self._table.seats:
                self._streaks[spot] = after
                self._step.show(StreakChanged(spot, after))

    def count(self) -> CrowdCounted:
        """The number of players; bets are not shown before the close (FRB-24)."""
        return CrowdCounted(*self._play.attendance.headcount())

    def _are_closed(self) -> bool:
        """Whether bets are closed: then everyone sees them."""
        round = self._play.round
        return round is not None and round.phase != "betting"

    def views(self) -> tuple[SeatView, ...]:
        """The seats as everyone sees them."""
        round, attendance, shown = self._play.round, self._play.attendance, self._are_closed()
        closed = self.closed if round is None or shown else round.betting.behind_closed
        views = []
        for spot, (_, player) in sorted(self._table.seats.items()):
            presence, started = attendance.of(player), player in self.started
            bets = self._play.bets_of(player) if shown or started else ()
            name, streak, bot = presence.name, self._streaks.get(spot, 0), presence.bot
            behind, behind_next = spot not in closed, spot not in self.closed
            views.append(SeatView(spot, player, name, streak, behind, started, bets, bot, behind_next))
        return tuple(views)


def seat_round(settled: Iterable[BetSettled], spot: int) -> Literal["won", "lost", "neither"]:
    """The result of a round for a seat, from its player's bets: with a lost hand it is lost (FRB-45).

    >>> from sabot.engine.events import Stake
    >>> seat_round([BetSettled("ada", 0, 0, "initial", Stake(500), "win", 1000)], 0)
    'won'
    """
    lines = [line for line in settled if line.spot == spot and line.why in ("initial", "double", "split")]
    if any(line.result == "lose" for line in lines):
        return "lost"
    return "won" if sum(line.paid - line.stake.own for line in lines) > 0 else "neither"
