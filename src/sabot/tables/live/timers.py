"""Time at a live table: its phases, how long each lasts, and the clock that is handed in."""

from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(gt=0, le=3600)]

#: The phases of a live table. A pause is no phase: the phase it interrupts goes on after it.
Phase = Literal[
    "idle", "shuffle", "betting", "closing", "dealing", "insurance", "decisions", "dealer", "payout"
]


class Timers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seconds, the seats of a player, and how many shoes there are (FRB-20, FRB-30, FRB-34, MAJ-20)."""

    #: Players send their part in the shuffle (ASR-02).
    shuffle: Seconds = 5
    betting: Seconds = 15
    #: Between "no more bets" and the first card.
    closing: Seconds = 1
    #: Each card that the dealer puts down or turns.
    pace: Seconds = 0.6
    insurance: Seconds = 8
    #: A seat's decision (FRB-26), and a vote (MAJ-20).
    decision: Seconds = 12
    vote: Seconds = 8
    payout: Seconds = 4
    #: Rounds without a bet after which a seat is lost (FRB-20).
    idle_rounds: Annotated[int, Meta(ge=1)] = 3
    #: Seats that one player may hold.
    seats_each: Annotated[int, Meta(ge=1, le=7)] = 2
    #: So long after a lost connection, or after a restart of the house, a player still counts as present (PLT-31).
    grace: Annotated[float, Meta(ge=0, le=3600)] = 15
    #: After so long without a connection a player's money goes back to the account (PLT-04).
    absence: Annotated[float, Meta(gt=0)] = 1800
    #: Two shoes alternate: while one is dealt the next is shuffled aside, and the table does not stop for it (FRB-30).
    shuffling_table: bool = False


class Clock(Protocol):
    """A wall clock for what is stored and sent, and a steady one for deadlines."""

    def wall_ms(self) -> int:
        """Milliseconds of UTC."""

    def monotonic(self) -> float:
        """Seconds that only go forward."""
