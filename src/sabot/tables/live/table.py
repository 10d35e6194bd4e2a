"""A live table: its parts put together, and what players and supervisors do at it.

It has one owner, no sockets, and never waits. The owner calls a method of the table or of a part for each request, and
`course.tick` when `due` is reached; `take` gives what there is to store and to show. What is refused has changed nothing.
"""

from __future__ import annotations

from sabot.engine import AnyCommand
from sabot.engine.commands import DECISIONS, Insure, Player, Vote
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.store.entry import RequestKey, Stream
from sabot.tables.config import TableConfig, Tools
from sabot.tables.live.boxes import Boxes
from sabot.tables.live.course import Course
from sabot.tables.live.delays import Delays
from sabot.tables.live.events import TableResumed
from sabot.tables.live.notices import Notices
from sabot.tables.live.phases import Phases
from sabot.tables.live.play import LivePlay
from sabot.tables.live.presence import Attendance
from sabot.tables.live.seats import Seats
from sabot.tables.live.shoe_cycle import ShoeCycle
from sabot.tables.live.step import LiveStep, StepBuilder
from sabot.tables.live.studio import Studio, StudioCourse
from sabot.tables.live.terms import TermsInUse
from sabot.tables.live.timers import Clock, Timers
from sabot.tables.live.view import LiveView, ShoeView
from sabot.tables.opening import open_table
from sabot.tables.table import Table


class LiveTable:
    """A table of a live game."""

    def __init__(self, table: Table, timers: Timers, clock: Clock) -> None:
        self.table = table
        self._step = StepBuilder()
        self.phases = Phases(clock, self._step)
        self.attendance = Attendance(clock, timers.grace, table.sittings)
        self.notices = Notices(table, self.phases, self._step)
        self.shoes = ShoeCycle(table, self.phases, self._step, timers.shuffling_table)
        self.play = LivePlay(table, self.phases, self.attendance, self.notices, self._step)
        self.seats = self.play.seats = Seats(self.play, timers)
        self.boxes = Boxes(self.play, timers) if table.rules.backing == "boxes" else None
        self.spots = self.play.spots = self.boxes or self.seats
        #: How much later each player sees the cards, at a table with video.
        self.delays = Delays()
        self.terms = TermsInUse(self.play, timers)
        self.course = Course(self.play, self.boxes, self.shoes, self.delays, self.terms)
        self.sittings = self.course.sittings
        self.studio: Studio | None = None
        if table.by_hand is not None:
            course = self.course
            calls = StudioCourse(
                course.follow, course.open_by_presenter, course.between_rounds, self.pause, self.void
            )
            self.studio = course.studio = Studio(self.play, table.by_hand, calls)

    @classmethod
    def open(
        cls, config: TableConfig, tools: Tools, timers: Timers, clock: Clock, stream: Stream | None = None
    ) -> LiveTable:
        """Take the table's stream, or go on with it, and read it back. It uses the database: not on an event loop."""
        return cls(open_table(config, tools, clock.wall_ms(), stream), timers, clock)

    def prepare(self) -> None:
        """Take the ids that a request of several log entries may need, because that can fail."""
        if not self.table.shoes.reserved:
            self.table.shoes.reserve()
        if self.boxes is None and not self.seats.reserved:
            self.seats.reserve()

    def take(self) -> LiveStep:
        """The step since the last call: what to store and to show."""
        return self._step.take()

    def view(self) -> LiveView:
        """The table as everyone sees it beside the round."""
        phases, round, shoes, in_use = self.phases, self.play.round, self.table.shoes, None
        if shoes.shoe is not None:
            dealt = round.shoe.dealt if round is not None and self.table.in_round else shoes.dealt
            in_use = ShoeView(shoes.commitment, shoes.shoe.client_seed, len(shoes.shoe.seeds), dealt)
        elif self.studio is not None and self.studio.shoes.in_use:
            in_use = ShoeView("", "", 0, self.studio.shoes.dealt)
        return LiveView(
            phases.phase,
            phases.until,
            self.table.paused,
            self.seats.views(),
            self.spots.count(),
            in_use,
            self.terms.used.timers,
            "" if shoes.waiting is None else shoes.waiting.commitment,
            None if self.studio is None else self.studio.view(),
            self.play.stakes,
        )

    def show_crowd(self) -> None:
        """Show the number of players, and their votes so far."""
        self.attendance.changed = False
        self._step.show(self.spots.count())

    # Coming and going

    def enter(self, player: Player, name: str, *, bot: bool = False, staff: bool = False) -> None:
        """A player, or someone who looks on for the house, opens a connection to the table."""
        before = self.attendance.of(player).name
        self.attendance.enter(player, name, bot, staff)
        if not self.course.is_draining() and self.sittings.any_present():
            self.course.wake()
        self.seats.entered(player, before)
        if self.boxes is not None:
            self.boxes.entered(player)

    def exit(self, player: Player) -> None:
        """A connection is lost: bets and answers stay, and no window is shortened, unless the player left (PLT-31)."""
        if not self.attendance.exit(player):
            return
        self.delays.forget(player)
        if self.boxes is not None:
            self.boxes.exited(player)
        if player in self.table.sittings:
            self.course.stop_waiting()
        elif self.attendance.of(player).consent is None:
            del self.attendance.players[player]
        if not self.table.paused:
            self.course.await_absence()

    # In the round

    def start_now(
        self, player: Player, code: str, request: RequestKey | None = None, at: float | None = None
    ) -> None:
        """INIZIARE ORA: when all seated players have pressed it, the cards are dealt (FRB-24)."""
        self.seats.start(player, code, request, at)
        self.course.stop_waiting()

    def insure(self, code: str, turn: int, answer: Insure, request: RequestKey | None = None) -> None:
        """A player's own answer; with the last one the window closes (FRB-31, MAJ-03)."""
        self.play.check_moment(code, turn, "insurance")
        events = self.play.apply(answer, request)
        if self.play.round is not None and self.play.round.phase != "offers":
            self.course.after(events)
        else:
            self.course.stop_waiting()

    def decide(
        self, player: Player, code: str, turn: int, command: AnyCommand, request: RequestKey | None = None
    ) -> None:
        """A decision of the seat whose turn it is, by its player."""
        if self.boxes is not None:
            raise Refusal("table/votes")
        self.play.check_moment(code, turn, "decisions")
        self.course.after(self.play.decide(self.seats.decisions.by_player(player, command), request))

    def pre_decide(
        self, player: Player, code: str, spot: int, action: Action | None, request: RequestKey | None = None
    ) -> None:
        """A decision before the turn; one that arrives when the turn has just begun is the decision itself (FRB-25)."""
        decisions = self.seats.decisions
        decision = None if action is None else DECISIONS.get(action)
        if decision is not None and decisions.is_due(code, spot):
            self.decide(player, code, self.play.turn, decision(spot, 0), request)
        else:
            decisions.pre_decide(player, code, spot, action)

    def vote(self, code: str, turn: int, vote: Vote, request: RequestKey | None = None) -> None:
        """One vote of a player with a stake on the hand; the result may be certain with it (MAJ-20)."""
        if self.boxes is None:
            raise Refusal("command/unknown", command="Vote")
        self.play.check_moment(code, turn, "decisions")
        self.play.apply(vote, request)
        self.boxes.voted(vote.player)
        self.attendance.changed = True
        self.course.stop_waiting()

    def tell_delay(self, player: Player, milliseconds: int) -> None:
        """A player's page shows the cards so much later, with the video (STU-24)."""
        if not self.terms.used.video:
            raise Refusal("video/none", table=self.table.config.name)
        self.delays.tell(player, milliseconds)

    # The supervisor

    def pause(self, reason: str) -> None:
        """Pause the table; the reason is a word of the catalogues (PLT-33)."""
        self.play.check_open()
        self._step.store(self.table.pause(reason, self.phases.now))
        self.course.stop_clock()

    def resume(self) -> None:
        """Go on with the time that was left; players who have left are not waited for."""
        if not self.table.paused:
            raise Refusal("table/not-paused")
        self._end_pause()
        if self.studio is not None and (self.studio.moved or self.course.awaits_card()):
            self.studio.moved = False
            self.course.follow()
            return
        self.phases.go_on()
        self.course.wake()
        self.course.stop_waiting()
        self.course.await_absence()

    def void(self, reason: str) -> None:
        """Return every stake of the round (PLT-32, ASR-13)."""
        self.play.carry(self.table.void(reason, self.phases.now))
        if self.table.paused:
            self._end_pause()
        if self.studio is not None:
            self.studio.moved = False
            self.studio.on_time()
        self.phases.enter("payout", self.terms.used.timers.payout)

    def _end_pause(self) -> None:
        self._step.store(self.table.resume(self.phases.now))
        self._step.show(TableResumed())
