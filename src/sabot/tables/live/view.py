"""Views of a live table: everyone's, and one player's own. Types alone; they are part of the protocol."""

from __future__ import annotations

from msgspec import Struct

from sabot.engine.commands import Bet, Player
from sabot.engine.events import Option
from sabot.games.rules import Action
from sabot.store.kinds import NoticeKind
from sabot.tables.live.events import CrowdCounted
from sabot.tables.live.timers import Phase, Timers


class SeatView(Struct, frozen=True):
    """A seat that is taken."""

    spot: int
    player: Player
    name: str
    #: Rounds won in a row (FRB-45).
    streak: int
    #: Whether others may bet behind it.
    behind: bool
    #: Whether its player has pressed INIZIARE ORA, and the bets that can be seen.
    started: bool
    bets: tuple[Bet, ...]
    bot: bool = False
    #: Whether others may bet behind it in the next round; in betting that may differ (FRB-43).
    behind_next: bool = True


class ShoeView(Struct, frozen=True):
    """The shoe in use: what the house has promised of it."""

    commitment: str
    client_seed: str
    seeds: int
    dealt: int


class LiveView(Struct, frozen=True):
    """A live table beside its round."""

    phase: Phase
    until: int | None
    paused: str
    seats: tuple[SeatView, ...]
    crowd: CrowdCounted
    shoe: ShoeView | None
    timers: Timers
    #: What the house has promised of the shoe at the shuffling table; empty without one (FRB-30).
    next_commitment: str = ""


class Notice(Struct, frozen=True):
    """A thing that happened to a player, until the player's page says that it was seen."""

    what: NoticeKind
    #: Its place in the table's log, and when it was.
    number: int = 0
    at: int = 0
    round: str = ""
    #: The seat or box; -1 where it is none.
    spot: int = -1
    hand: int = 0
    #: What was decided ("hit"), what was wanted and what was done in its place ("double hit"), what was wanted and could
    #: not be followed ("double"), or why a bet went back.
    detail: str = ""
    amount: int = 0


class LivePart(Struct, frozen=True):
    """A player's own part of a live table beside the round."""

    seats: tuple[int, ...]
    bets: tuple[Bet, ...]
    consent: tuple[bool, bool] | None
    #: Golden chips that are not on the table, by face value.
    golden: dict[int, int]
    leaving: bool
    started: bool = False
    #: First decisions made in advance, by seat (FRB-25).
    wishes: dict[int, Action] = {}
    #: What can still be decided in advance, by seat.
    ahead: dict[int, tuple[Option, ...]] = {}
    vote: Action | None = None
    #: What was done to the player and was not seen yet (PLT-49).
    notices: tuple[Notice, ...] = ()
