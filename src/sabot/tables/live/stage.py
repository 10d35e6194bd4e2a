"""Who is at a live table, what its clock says, and what there is to tell: everything but the round.

It has one owner, no sockets, and never waits. The owner calls a method for what a player asks and takes what there is
to tell with `take`. What is refused has changed nothing.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from msgspec.structs import replace

from sabot.engine import AnyEvent, Bet, Round
from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.store.entry import LogEntry
from sabot.tables.crowd import CrowdTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.events import (
    Announced,
    Announcement,
    LiveEvent,
    PhaseChanged,
    TablePaused,
    TableResumed,
)
from sabot.tables.live.notices import KEPT_EACH, KEPT_PLAYERS, after, place
from sabot.tables.live.timers import Phase, Timers
from sabot.tables.live.view import Notice


class Told(NamedTuple):
    """What is to be told once the rows are stored."""

    events: tuple[AnyEvent | LiveEvent, ...]
    units: tuple[LogEntry, ...]
    #: Players whose own part has changed.
    touched: tuple[Player, ...]
    #: What players who left took with them.
    taken: dict[Player, int]


class Preferences(NamedTuple):
    """What a player has set for every table with seats (FRB-43): it stands in the profile."""

    #: Whether others may bet behind the own seats.
    allow_behind: bool = True
    #: Whether a paid double and a paid split of the seat are followed (FRB-42).
    follow: tuple[bool, bool] = (False, False)


class Guest:
    """Someone who looks at the table, or sits there."""

    __slots__ = ("absent_since", "bot", "consent", "counted", "leaving", "name", "preferences", "sockets")

    def __init__(self) -> None:
        self.name = ""
        #: A program.
        self.bot = False
        #: Open connections.
        self.sockets = 0
        #: When the last of them was lost.
        self.absent_since = -inf
        #: Whether others see that someone is here; who is away is found out between rounds.
        self.counted = False
        #: Whether doubles and splits that others decide are followed (FRB-42, MAJ-12); None before the answer.
        self.consent: tuple[bool, bool] | None = None
        self.preferences = Preferences()
        #: Goes when the round is over.
        self.leaving = False


class Stage:
    """The table, its guests and its clock."""

    def __init__(self, table: CrowdTable, timers: Timers, clock: Clock) -> None:
        self.table = table
        self.timers = timers
        self._clock = clock
        self.phase: Phase = "idle"
        #: When the phase ends, in steady seconds; and by the wall clock, as it is told.
        self.due: float | None = None
        self.until: int | None = None
        #: When betting last closed, in steady seconds.
        self.bets_closed: float | None = None
        #: What was left of the phase when the table was paused.
        self._left: float | None = None
        #: No new rounds are dealt.
        self.draining = False
        self.guests: dict[Player, Guest] = {}
        #: What players have not seen yet of what was done to them (PLT-49).
        self.notices: dict[Player, tuple[Notice, ...]] = {}
        #: Counts decisions and closings: what a question in a round must carry.
        self.turn = 0
        #: Whether counts or tallies have changed since they were last told.
        self.crowd_changed = False
        self._told: list[AnyEvent | LiveEvent] = []
        self._units: list[LogEntry] = []
        self._touched: dict[Player, None] = {}
        self._taken: dict[Player, int] = {}

    # What is there

    @property
    def round(self) -> Round | None:
        """The round being played, or the one before."""
        return self.table.current.round if self.table.current else None

    @property
    def code(self) -> str:
        """Its code."""
        return self.table.current.code if self.table.current else ""

    @property
    def paused(self) -> str:
        """What players are told of a pause; empty while there is none."""
        return self.table.paused

    def bets_of(self, player: Player) -> tuple[Bet, ...]:
        """A player's bets in the round being played."""
        round = self.round
        return round.book.bets.get(player, ()) if round is not None and not round.over else ()

    def present(self, player: Player) -> bool:
        """Whether a player has a connection, or lost it so short a time ago that it counts all the same (PLT-31)."""
        guest = self.guests.get(player)
        if guest is None:
            return False
        in_grace = self._clock.monotonic() < guest.absent_since + self.timers.grace
        return guest.sockets > 0 or (in_grace and not guest.leaving)

    def gone(self, player: Player) -> bool:
        """Whether a player has left and is not waited for; one who lost the connection may come back (FRB-26)."""
        guest = self.guests.get(player)
        return guest is None or (guest.leaving and not guest.sockets)

    def headcount(self) -> tuple[int, int]:
        """How many people and how many programs are here, as far as was told."""
        here = [guest.bot for guest in self.guests.values() if guest.counted]
        return here.count(False), here.count(True)

    def guest(self, player: Player) -> Guest:
        """What is known of a player."""
        guest = self.guests.get(player)
        if guest is None:
            guest = self.guests[player] = Guest()
        return guest

    def crowded(self) -> bool:
        """Whether somebody is there to play."""
        return any(self.present(player) for player in self.table.sittings)

    # What is told

    def take(self) -> Told:
        """What there is to tell, once."""
        told = Told(tuple(self._told), tuple(self._units), tuple(self._touched), self._taken)
        self._told, self._units, self._touched, self._taken = [], [], {}, {}
        return told

    def _announce(self, what: Announcement) -> None:
        self._told.append(Announced(what))

    def _touch(self, *players: Player) -> None:
        self._touched.update(dict.fromkeys(players))

    # What is done to players

    def _notify(self, *told: tuple[Player, Notice]) -> None:
        """Tell players what was done to them, and write it down for the history, all in one row (PLT-49)."""
        if not told:
            return
        facts = []
        for player, notice in told:
            told_of = {name: getattr(notice, name) for name in ("round", "spot", "hand", "detail", "amount")}
            facts.append(self.table.noticed(player, notice.what, **told_of))
        unit = self.table.tell(facts, self.now)
        self._units.append(unit)
        for i, (player, notice) in enumerate(told):
            placed = replace(notice, number=place(unit.n, i), at=unit.at)
            self.notices[player] = (*self.notices.pop(player, ()), placed)[-KEPT_EACH:]
        self._touch(*(player for player, _ in told))
        while len(self.notices) > KEPT_PLAYERS:
            del self.notices[next(iter(self.notices))]

    def see(self, player: Player, number: int) -> None:
        """A player has seen what was told, up to a number; that is written down, for after a restart."""
        told = self.notices.pop(player, ())
        left = after(told, number)
        if left:
            self.notices[player] = left
        if left != told:
            self._units.append(self.table.see(player, min(number, told[-1].number), self.now))
        self._touch(player)

    # The clock

    @property
    def now(self) -> int:
        """Milliseconds of UTC, for what is stored."""
        return self._clock.wall_ms()

    def is_due(self, at: float | None = None) -> bool:
        """Whether the phase has come to its end, now or at a moment of the steady clock.

        What a player asks is judged by when it was read from the socket, not by when its turn in a queue came (ASR-20).
        """
        return self.due is not None and (self._clock.monotonic() if at is None else at) >= self.due

    def _enter(self, phase: Phase, seconds: float | None) -> None:
        self.phase = phase
        self.due = None if seconds is None else self._clock.monotonic() + seconds
        self.until = None if seconds is None else self.now + round(1000 * seconds)
        self._told.append(PhaseChanged(phase, self.until))

    def _hurry(self) -> None:
        """Nobody is waited for any longer: the phase ends now."""
        self.due = self._clock.monotonic()

    def _check_open(self) -> None:
        if self.paused:
            raise Refusal("table/paused", reason=self.paused)

    def _check_moment(self, code: str, turn: int, phase: Phase) -> None:
        """Refuse what was asked for another moment than this."""
        self._check_open()
        if code != self.code or turn != self.turn:
            raise Refusal("command/stale", round=self.code, turn=self.turn)
        if self.phase != phase:
            raise Refusal("table/not-now", phase=self.phase)

    # The supervisor

    def pause(self, reason: str) -> None:
        """Everything waits, and everyone is told, in a word of the catalogues (PLT-33)."""
        self._check_open()
        self._units.append(self.table.pause(reason, self.now))
        self._stop_clock()

    def _stop_clock(self) -> None:
        """Nothing is due while the table is paused."""
        self._left = None if self.due is None else max(0.0, self.due - self._clock.monotonic())
        self.due = self.until = None
        self._told.append(TablePaused(self.paused))

    def resume(self) -> None:
        """Go on where the table was paused, with the time that was left."""
        if not self.paused:
            raise Refusal("table/not-paused")
        self._end_pause()
        self._enter(self.phase, self._left)

    def _end_pause(self) -> None:
        if self.paused:
            self._units.append(self.table.resume(self.now))
            self._told.append(TableResumed())
