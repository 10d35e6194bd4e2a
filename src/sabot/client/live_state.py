"""A live table beside its round, as its events tell it: phase and clock, seats, crowd, shoe.

It folds to the house's own `live_view`. What the house counts now and then, the crowd, is as fresh as it was last told.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from sabot.engine import events as told
from sabot.engine.commands import Bet, Player
from sabot.protocol import messages
from sabot.tables.live import events as live
from sabot.tables.live.timers import Phase, Timers
from sabot.tables.live.view import LiveView, SeatView, ShoeView


class _Seat(Struct):
    player: Player
    name: str
    bot: bool
    streak: int = 0


class LiveState(Struct):
    """What is known of a live table."""

    phase: Phase
    #: The end of the phase by the server's clock, in milliseconds of UTC.
    until: int | None
    #: Why the table is paused; empty while it is not.
    paused: str
    crowd: live.CrowdCounted
    shoe: ShoeView | None
    timers: Timers
    #: Cards before the cut card of the next shoe.
    cut: int
    #: What is promised of the shoe at the shuffling table; empty without one (FRB-30).
    next_commitment: str = ""
    #: The root over the cards of the shoe, for who was there when it was told, and the cards that were proved since.
    root: str = ""
    proofs: dict[int, live.CardProof] = {}
    #: The shoe before, with its seeds.
    revealed: live.ShoeRevealed | None = None
    #: What the presenter said last.
    announced: live.Announcement | None = None
    _seats: dict[int, _Seat] = {}
    #: Seated players who have pressed INIZIARE ORA, and bets that can be seen.
    _started: set[Player] = set()
    _shown: dict[Player, tuple[Bet, ...]] = {}
    #: Seats that take no bets behind, in the round whose bets are open and from the next one on (FRB-43).
    _closed: set[int] = set()
    _closed_next: set[int] = set()

    @classmethod
    def of(cls, view: LiveView, cut: int) -> LiveState:
        """The table of a snapshot."""
        closed = {seat.spot for seat in view.seats if not seat.behind}
        return cls(
            view.phase,
            view.until,
            view.paused,
            view.crowd,
            view.shoe,
            view.timers,
            cut,
            view.next_commitment,
            _seats={seat.spot: _Seat(seat.player, seat.name, seat.bot, seat.streak) for seat in view.seats},
            _started={seat.player for seat in view.seats if seat.started},
            _shown={seat.player: seat.bets for seat in view.seats if seat.bets},
            _closed=closed,
            _closed_next=set(closed),
        )

    def view(self, round: str | None) -> LiveView:
        """The table as a snapshot would show it; `round` is the phase of the round, None without one."""
        return LiveView(
            self.phase,
            self.until,
            self.paused,
            self.seats(round),
            self.crowd,
            self.shoe,
            self.timers,
            self.next_commitment,
        )

    def seats(self, round: str | None) -> tuple[SeatView, ...]:
        """The seats that are taken."""
        closed = self._closed if round == "betting" else self._closed_next
        seen = {} if round in ("settled", "voided") else self._shown
        return tuple(
            SeatView(
                spot,
                seat.player,
                seat.name,
                seat.streak,
                spot not in closed,
                seat.player in self._started,
                seen.get(seat.player, ()),
                seat.bot,
            )
            for spot, seat in sorted(self._seats.items())
        )

    # Events

    def fold(self, event: messages.TableEvent, *, betting: bool) -> None:
        """Take an event; `betting` says whether the round's bets are open."""
        match event:
            case live.PhaseChanged(phase=phase, until=until):
                self.phase, self.until = phase, until
            case live.Announced(what=what):
                self.announced = what
            case live.TablePaused(reason=reason):
                self.paused, self.until = reason, None
            case live.TableResumed():
                self.paused = ""
            case live.CrowdCounted():
                self.crowd = event
            case told.TurnStarted() | told.Acted() | told.RoundSettled() | told.RoundVoided():
                self.crowd = replace(self.crowd, tally=())
            case live.RoundOpened():
                self._started, self._shown = set(), {}
                self._closed = set(self._closed_next)
            case _:
                self._fold_seats(event, betting)
                self._fold_shoe(event)

    def _fold_seats(self, event: messages.TableEvent, betting: bool) -> None:
        match event:
            case live.SeatTaken(spot=spot, player=player, name=name, bot=bot):
                before = self._seats.get(spot)
                streak = before.streak if before is not None and before.player == player else 0
                self._seats[spot] = _Seat(player, name, bot, streak)
            case live.SeatLeft(spot=spot):
                self._seats.pop(spot, None)
            case live.StreakChanged(spot=spot, rounds=rounds) if spot in self._seats:
                self._seats[spot].streak = rounds
            case live.BetsShown(player=player, bets=bets):
                self._shown[player] = bets
                if betting:
                    self._started.add(player)
            case told.BettingClosed():
                self._started = set()
            case told.BehindAllowed(spot=spot, allowed=allowed, next_round=next_round):
                for closed in (self._closed_next,) if next_round else (self._closed_next, self._closed):
                    closed.difference_update({spot} if allowed else ())
                    closed.update(() if allowed else {spot})

    def _fold_shoe(self, event: messages.TableEvent) -> None:
        match event:
            case live.ShoeCommitted(commitment=commitment):
                self.shoe = ShoeView(commitment, "", 0, 0, self.cut)
                self.root, self.proofs, self.next_commitment = "", {}, ""
            case live.NextShoeCommitted(commitment=commitment):
                self.next_commitment = commitment
            case live.ShoeSeeded(client_seed=client_seed, seeds=seeds, root=root) if self.shoe is not None:
                self.shoe = replace(self.shoe, client_seed=client_seed, seeds=seeds)
                self.root = root
            case live.ShoeRevealed():
                self.revealed = event
            case live.CardsProved(cards=cards):
                self.proofs.update((proof.position, proof) for proof in cards)
            case told.CardDealt() | told.HoleDealt() | told.CardBurnt() if self.shoe is not None:
                self.shoe = replace(self.shoe, dealt=self.shoe.dealt + 1)
