"""A live table: its parts put together, and its phases in their order, from the shuffle to the payout.

It has one owner, no sockets, and never waits. The owner calls a method of the table or of a part for each request, and
`tick` when `due` is reached; `take` gives what there is to store and to show. What is refused has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sabot.engine import AnyCommand, AnyEvent, Bet
from sabot.engine.commands import DECISIONS, CloseOffers, Deal, Insure, Player, Vote
from sabot.engine.events import CardDealt, HoleDealt, HoleShown
from sabot.errors import Refusal
from sabot.fairness.vault import VaultError
from sabot.games.rules import Action
from sabot.store.entry import RequestKey, Stream
from sabot.tables.config import TableConfig, Tools
from sabot.tables.live.boxes import Boxes
from sabot.tables.live.closed import check_open
from sabot.tables.live.delays import Delays
from sabot.tables.live.events import SettingsChanged, TablePaused, TableResumed
from sabot.tables.live.notices import Notices
from sabot.tables.live.phases import Phases, PhaseTime
from sabot.tables.live.play import LivePlay
from sabot.tables.live.presence import Attendance
from sabot.tables.live.seats import Seats
from sabot.tables.live.shoe_cycle import ShoeCycle
from sabot.tables.live.sittings import Sittings
from sabot.tables.live.step import LiveStep, StepBuilder
from sabot.tables.live.studio import Studio, StudioCourse, waiting_phase
from sabot.tables.live.terms import TableTerms
from sabot.tables.live.timers import Clock, Phase, Timers
from sabot.tables.live.view import LiveView, ShoeView
from sabot.tables.opening import open_table
from sabot.tables.table import Table

#: Events of a card that the dealer puts down or turns.
_CARDS = (CardDealt, HoleDealt, HoleShown)


class LiveTable:
    """A table of a live game."""

    def __init__(self, table: Table, timers: Timers, clock: Clock) -> None:
        self.table = table
        self.timers = timers
        self._step = StepBuilder()
        self.phases = Phases(clock, self._step)
        self.attendance = Attendance(clock, timers.grace)
        self.notices = Notices(table, self.phases, self._step)
        self.shoes = ShoeCycle(table, self.phases, self._step, timers.shuffling_table)
        self.play = LivePlay(table, self.phases, self.attendance, self.notices, self._step)
        self.seats = self.play.seats = Seats(self.play, timers)
        self.boxes = Boxes(self.play, timers) if table.rules.backing == "boxes" else None
        self.spots = self.play.spots = self.boxes or self.seats
        #: What decides on hands, by votes or at the seats.
        self.decisions = self.boxes or self.seats.decisions
        #: How much later each player sees the cards, at a table with video.
        self.delays = Delays()
        self.sittings = Sittings(self.play, self.seats, timers, self._wake, self._seats_freed)
        #: Where a person deals (STU-01).
        self.studio: Studio | None = None
        if table.by_hand is not None:
            course = StudioCourse(
                self._follow, self._open_by_presenter, self._between_rounds, self.pause, self.void
            )
            self.studio = Studio(self.play, table.by_hand, course)
        #: Whether no new rounds are dealt.
        self.is_draining: Callable[[], bool] = lambda: False
        #: The terms in use, and those that the next round will have.
        only = TableTerms(config=table.config, timers=timers)
        self.terms: Callable[[], TableTerms] = lambda: only
        table.keep_options()
        self.used = replace(only, config=table.config)
        #: Whether the decision has a window, or is only shown before it is made.
        self._waiting = False

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
        elif self.studio is not None and self.studio.has_shoe:
            in_use = ShoeView("", "", 0, self.studio.dealt)
        return LiveView(
            phases.phase,
            phases.until,
            self.table.paused,
            self.seats.views(),
            self.spots.count(),
            in_use,
            self.timers,
            "" if shoes.waiting is None else shoes.waiting.commitment,
            None if self.studio is None else self.studio.view(),
        )

    def show_crowd(self) -> None:
        """Show the number of players, and their votes so far."""
        self.attendance.changed = False
        self._step.show(self.spots.count())

    # Coming and going

    def enter(self, player: Player, name: str, *, bot: bool = False) -> None:
        """A player opens a connection to the table."""
        before = self.attendance.of(player).name
        self.attendance.enter(player, name, bot)
        if not self.is_draining() and self.sittings.any_present():
            self._wake()
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
            self._stop_waiting()
        elif self.attendance.of(player).consent is None:
            del self.attendance.players[player]
        if not self.table.paused:
            self._await_absence()

    def _seats_freed(self) -> None:
        """Players still seated may all have started; a table that waits for its presenter may be empty."""
        if self.phases.phase == "betting":
            self._stop_waiting()
        elif self.studio is not None and not self.table.paused:
            self._await_absence()

    # Phases

    def begin(self, moment: PhaseTime | None = None) -> None:
        """Go on where the log ends; a table that was paused stays so.

        An owner whose last entry was refused hands in the moment before it: no window begins again.
        """
        for player in self.table.sittings:
            presence = self.attendance.of(player)
            presence.absent_since, presence.counted = self.phases.steady, True
        round = self.play.round
        if round is None or round.over:
            self._between_rounds()
        else:
            self.play.reopen(round)
            if round.phase == "betting":
                self._open_betting()
            else:
                self._go_on()
        if self.table.paused:
            self._stop_clock()
        if moment is not None:
            self.phases.restore(moment)

    def tick(self) -> None:
        """Go on if the time of the phase is over."""
        phases = self.phases
        if self.table.paused or not phases.is_due():
            return
        if self.studio is not None and self._awaits_card():
            if not self._rest_if_empty():
                self.studio.remind()
            return
        if phases.phase == "betting":
            phases.bets_closed = phases.due
        phases.due = None
        match phases.phase:
            case "idle" | "payout":
                self._between_rounds()
            case "shuffle" if self.studio is not None:
                self._between_rounds()
            case "shuffle":
                self._open_betting() if self.shoes.mix() else self._shuffle()
            case "betting":
                self._step.announce("no-more-bets")
                phases.enter("closing", self.timers.closing)
            case "closing":
                self._deal()
            case "dealing":
                self._go_on()
            case "insurance":
                self.play.notify_silent()
                self._after(self.play.apply(CloseOffers()))
            case "decisions":
                self._after(self.play.decide(self.decisions.automatic()))
            case "dealer":
                phases.enter("payout", self.timers.payout)

    def _wake(self) -> None:
        """Start a table that rests."""
        if self.phases.phase == "idle" and not self.table.paused:
            self._between_rounds()

    def _between_rounds(self, opening: bool = False) -> None:
        """Let players leave, change the shoe if its cut card is out, open the betting (COM-12).

        Where a person deals, the presenter changes the shoe and opens the betting.
        """
        self._renew()
        self.sittings.tidy_up()
        if self.used.closing:
            self._step.over = True
            self.sittings.send_all_away()
        if self.is_draining() or self.used.closed or not self.sittings.any_present():
            self._rest()
        elif self.studio is not None and not opening:
            self._await_presenter(self.studio)
        elif self.studio is not None:
            self._open_betting()
        elif self.shoes.is_over:
            self._open_betting() if self.shoes.exchange() else self._shuffle()
        elif not self.table.shoes.seeded:
            self.phases.enter("shuffle", self.timers.shuffle)
        else:
            self._open_betting()

    def _rest(self) -> None:
        """Nobody plays: close an empty round."""
        if self.table.in_round:
            self.play.carry(self.table.void("nobody plays", self.phases.now))
        self.phases.enter("idle", None)
        self._await_absence()

    def _await_absence(self) -> None:
        """Wake a resting table, or one that waits for its presenter, when the next player has been away for too long."""
        if self._rest_if_empty() or self._awaits_card():
            return
        if self.phases.phase == "idle" or self._awaits_presenter():
            self.phases.due = self.attendance.next_absence(self.sittings.patience)

    def _shuffle(self) -> None:
        self.shoes.shuffle()
        self.phases.enter("shuffle", self.timers.shuffle)

    def _open_betting(self) -> None:
        table, play = self.table, self.play
        if not table.in_round:
            if self.studio is None:
                self.shoes.prepare_next()
            before = self.play.round
            try:
                play.open(tuple(sorted(self.seats.closed)))
            except VaultError:  # the shoe is sealed with a key that is gone
                self._shuffle()
                return
            self.seats.opened(before)
            if self._awaits_card():  # one is burnt before betting (MAJ-07)
                self._follow()
                return
        self._take_bets()

    def _take_bets(self) -> None:
        table, play = self.table, self.play
        for player in [player for player in table.sittings if not table.plays(player)]:
            play.join(player)  # sat down when bets were closed, and nothing was dealt (FRB-34)
        self._step.announce("place-your-bets")
        self.phases.enter("betting", self.timers.betting)

    def _deal(self) -> None:
        self.seats.closing()
        round = self.play.round
        assert round is not None, "bets are in a round"
        if round.betting.staked():
            shown = self._shown(self.play.apply(Deal()))
            if self.studio is None:
                self.phases.enter("dealing", shown)
            else:
                self._follow()
        else:
            # What stands below a minimum or behind an empty seat goes back, and betting reopens (FRB-34, FRB-41).
            for player in [player for player, bets in round.book.bets.items() if bets]:
                self.play.give_back(player, (), "nobody-plays")
            self._step.announce("nobody-bet")
            self._between_rounds()
        self.seats.dealt(round)

    def _go_on(self) -> None:
        """Go on after the cards: offers, decisions, or the end."""
        if self.play.round is not None and self.play.round.phase == "offers":
            asked = {player for player, _ in self.play.round.offers.open}
            self.phases.enter("insurance", self.timers.insurance + self.delays.longest(asked))
            self._stop_waiting()
        else:
            self._after(())

    def _after(self, events: tuple[AnyEvent, ...]) -> None:
        """Go on after a step of the play: the next decision, or the dealer."""
        if self._awaits_card():
            self._follow()
            return
        shown, pace = self._shown(events), self.timers.pace
        if self.play.round is None or self.play.round.over:
            self.phases.enter("dealer", max(shown, pace))
        else:
            window = self.decisions.begin_turn()
            self._waiting = window is not None
            late = self.delays.longest(self.decisions.deciders())
            self.phases.enter("decisions", shown + (pace if window is None else window + late))

    def _shown(self, events: tuple[AnyEvent, ...]) -> float:
        """The time the dealer needs for the cards of a step; a person's hands take their own."""
        if self.studio is not None:
            return 0.0
        return self.timers.pace * sum(isinstance(event, _CARDS) for event in events)

    # Where a person deals

    def _awaits_card(self) -> bool:
        """Whether the round waits for the dealer; no player's time runs then (STU-10)."""
        round = self.play.round
        return self.studio is not None and round is not None and round.play.due is not None

    def _await_presenter(self, studio: Studio) -> None:
        """Wait until the presenter changes the shoe, or opens the betting."""
        phase = self.phases.phase
        waits: Phase = "shuffle" if studio.needs_shoe else phase if phase in ("idle", "payout") else "idle"
        if waits != phase or self.phases.until is not None:
            self.phases.enter(waits, None)
        self._await_absence()

    def _awaits_presenter(self) -> bool:
        """Whether the presenter is awaited, before the betting of a round."""
        waits = self.phases.phase in ("idle", "shuffle", "payout") and self.phases.until is None
        return self.studio is not None and waits

    def _rest_if_empty(self) -> bool:
        """Rest if the presenter is awaited and nobody is left to play."""
        rests = self.phases.phase == "idle" and not self.table.in_round
        if self.studio is None or rests or not self._awaits_presenter() or self.sittings.any_present():
            return False
        self.studio.on_time()
        self._rest()
        return True

    def _open_by_presenter(self) -> None:
        phases = self.phases
        if phases.phase not in ("idle", "payout") or phases.until is not None or self._awaits_card():
            raise Refusal("table/not-now", phase=phases.phase)
        if self.is_draining() or self.used.closed or not self.sittings.any_present():
            raise Refusal("studio/nobody")
        self._between_rounds(opening=True)

    def _follow(self) -> None:
        """Go on after a step of the dealer: wait for the next card, or let players decide."""
        round, phases = self.play.round, self.phases
        assert round is not None
        if round.over:
            phases.enter("payout", self.timers.payout)
        elif round.play.due is not None:
            phase = waiting_phase(round, phases.phase)
            if phase != phases.phase or phases.until is not None or phases.due is None:
                phases.enter(phase, None)
            phases.due = phases.steady + self.table.config.late
        elif round.phase == "betting":
            self._take_bets()
        else:
            self._go_on()

    def _stop_waiting(self) -> None:
        """End a window early if no player can use it any more."""
        round, over = self.play.round, False
        if round is None or self.table.paused:
            return
        if self.phases.phase == "betting":
            over = self.seats.all_ready()
        elif self.phases.phase == "insurance":
            over = all(self.attendance.gone(player) for player, _ in round.offers.open)
        elif self.phases.phase == "decisions" and self._waiting:
            self._waiting = self.decisions.waits()
            over = not self._waiting
        if over:
            self.phases.due = self.phases.steady

    # Terms

    def renew(self) -> None:
        """The owner's terms have changed: they are used now between two rounds, and else after this one (PLT-10)."""
        phase = self.phases.phase
        if phase == "betting" and self.terms().closed and self._is_idle_round():
            self._between_rounds()
            return
        if self.table.in_round or phase in ("dealer", "payout"):
            return
        if phase == "idle" and not self.table.paused:
            self._between_rounds()
            return
        self._renew()
        if self.used.closed and not self.table.paused:
            self._between_rounds()

    def _is_idle_round(self) -> bool:
        """Whether nobody has bet in the round: at a table that closes nobody waits for its cards."""
        round = self.play.round
        if self.studio is not None or self.table.paused or round is None:
            return False
        return not any(round.book.bets.values())

    def _renew(self) -> None:
        """Use the terms of the next round."""
        terms = self.terms()
        if terms is self.used or terms == self.used:
            return
        if self.table.in_round:  # nobody has bet in it
            self.play.carry(self.table.void("nobody plays", self.phases.now))
        self.used, self.table.config, self.timers = terms, terms.config, terms.timers
        for part in (self.seats, self.seats.decisions, self.boxes, self.sittings):
            if part is not None:
                part.timers = terms.timers
        self.attendance.grace, self.shoes.aside = terms.timers.grace, terms.timers.shuffling_table
        shown = (terms.closed, (), terms.title, terms.config.cap, terms.timers, terms.video)
        self._step.show(SettingsChanged(self.table.options, *shown))

    @property
    def is_over(self) -> bool:
        """Whether the table was taken away, and nobody has money there any more."""
        return self.used.closing and self.terms().closing and not (self.table.in_round or self.table.sittings)

    def check_open(self) -> None:
        """Refuse someone who would sit down at a table that is closed (OFF-02)."""
        check_open(self.terms().closed, self.table.config.game.title)

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse more at a table, or on a side bet, that is closed; what stands may stay or be taken back (OFF-02)."""
        placed = {(bet.spot, bet.kind): bet.face for bet in self.play.bets_of(player)}
        more = {bet.kind for bet in bets if bet.face > placed.get((bet.spot, bet.kind), 0)}
        if not more:
            return
        self.check_open()
        options = self.terms().config.options or self.table.config.game.options
        for kind in options.side_bets_off:
            if kind in more and kind not in self.table.options.side_bets_off:
                raise Refusal("closed/bet", kind=kind)

    # In the round

    def start_now(
        self, player: Player, code: str, request: RequestKey | None = None, at: float | None = None
    ) -> None:
        """INIZIARE ORA: when all seated players have pressed it, the cards are dealt (FRB-24)."""
        self.seats.start(player, code, request, at)
        self._stop_waiting()

    def insure(self, code: str, turn: int, answer: Insure, request: RequestKey | None = None) -> None:
        """A player's own answer; with the last one the window closes (FRB-31, MAJ-03)."""
        self.play.check_moment(code, turn, "insurance")
        events = self.play.apply(answer, request)
        if self.play.round is not None and self.play.round.phase != "offers":
            self._after(events)
        else:
            self._stop_waiting()

    def decide(
        self, player: Player, code: str, turn: int, command: AnyCommand, request: RequestKey | None = None
    ) -> None:
        """A decision of the seat whose turn it is, by its player."""
        if self.boxes is not None:
            raise Refusal("table/votes")
        self.play.check_moment(code, turn, "decisions")
        self._after(self.play.decide(self.seats.decisions.by_player(player, command), request))

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
        self._stop_waiting()

    def tell_delay(self, player: Player, milliseconds: int) -> None:
        """A player's page shows the cards so much later, with the video (STU-24)."""
        if not self.used.video:
            raise Refusal("video/none", table=self.table.config.name)
        self.delays.tell(player, milliseconds)

    # The supervisor

    def pause(self, reason: str) -> None:
        """Pause the table; the reason is a word of the catalogues (PLT-33)."""
        self.play.check_open()
        self._step.store(self.table.pause(reason, self.phases.now))
        self._stop_clock()

    def _stop_clock(self) -> None:
        self.phases.stop()
        self._step.show(TablePaused(self.table.paused))

    def resume(self) -> None:
        """Go on with the time that was left; players who have left are not waited for."""
        if not self.table.paused:
            raise Refusal("table/not-paused")
        self._end_pause()
        if self.studio is not None and (self.studio.moved or self._awaits_card()):
            self.studio.moved = False
            self._follow()
            return
        self.phases.go_on()
        self._wake()
        self._stop_waiting()

    def void(self, reason: str) -> None:
        """Return every stake of the round (PLT-32, ASR-13)."""
        self.play.carry(self.table.void(reason, self.phases.now))
        if self.table.paused:
            self._end_pause()
        if self.studio is not None:
            self.studio.moved = False
            self.studio.on_time()
        self.phases.enter("payout", self.timers.payout)

    def _end_pause(self) -> None:
        self._step.store(self.table.resume(self.phases.now))
        self._step.show(TableResumed())
