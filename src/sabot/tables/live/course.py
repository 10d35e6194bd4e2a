"""The phases of a live table in their order, from the shuffle to the payout, and what each waits for."""

from __future__ import annotations

from collections.abc import Callable

from sabot.engine import AnyEvent
from sabot.engine.commands import CloseOffers, Deal
from sabot.engine.events import CardDealt, HoleDealt, HoleShown
from sabot.errors import Refusal
from sabot.fairness.vault import VaultError
from sabot.tables.live.boxes import Boxes
from sabot.tables.live.delays import Delays
from sabot.tables.live.events import SettingsChanged, TablePaused
from sabot.tables.live.phases import PhaseTime
from sabot.tables.live.play import LivePlay
from sabot.tables.live.shoe_cycle import ShoeCycle
from sabot.tables.live.sittings import Sittings
from sabot.tables.live.studio import Studio, waiting_phase
from sabot.tables.live.terms import TermsInUse
from sabot.tables.live.timers import Phase, Timers

#: Events of a card that the dealer puts down or turns.
_CARDS = (CardDealt, HoleDealt, HoleShown)


class Course:
    """Leads a table from phase to phase."""

    def __init__(
        self, play: LivePlay, boxes: Boxes | None, shoes: ShoeCycle, delays: Delays, terms: TermsInUse
    ) -> None:
        self.table = play.table
        self.phases = play.phases
        self.attendance = play.attendance
        self.play = play
        self.seats = play.seats
        self.boxes = boxes
        #: What decides on hands, by votes or at the seats.
        self.decisions = boxes or play.seats.decisions
        self.shoes = shoes
        self.delays = delays
        self.terms = terms
        self.sittings = Sittings(play, play.seats, terms.used.timers, self.wake, self._seats_freed)
        #: Where a person deals (STU-01).
        self.studio: Studio | None = None
        #: Whether no new rounds are dealt.
        self.is_draining: Callable[[], bool] = lambda: False
        self._step = play.step
        #: Whether the decision has a window, or is only shown before it is made.
        self._waiting = False

    @property
    def timers(self) -> Timers:
        """How long each phase lasts."""
        return self.terms.used.timers

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
            self.between_rounds()
        else:
            self.play.reopen(round)
            if round.phase == "betting":
                self._open_betting()
            else:
                self._go_on()
        if self.table.paused:
            self.stop_clock()
        if moment is not None:
            self.phases.restore(moment)

    def tick(self) -> None:
        """Go on if the time of the phase is over."""
        phases = self.phases
        if self.table.paused or not phases.is_due():
            return
        if self.studio is not None and self.awaits_card():
            if not self._rest_if_empty():
                self.studio.remind()
            return
        if phases.phase == "betting":
            phases.bets_closed = phases.due
        phases.due = None
        match phases.phase:
            case "idle" | "payout":
                self.between_rounds()
            case "shuffle" if self.studio is not None:
                self.between_rounds()
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
                self.after(self.play.apply(CloseOffers()))
            case "decisions":
                self.after(self.play.decide(self.decisions.automatic()))
            case "dealer":
                phases.enter("payout", self.timers.payout)

    def wake(self) -> None:
        """Start a table that rests."""
        if self.phases.phase == "idle" and not self.table.paused:
            self.between_rounds()

    def between_rounds(self, opening: bool = False) -> None:
        """Let players leave, change the shoe if its cut card is out, open the betting (COM-12).

        Where a person deals, the presenter changes the shoe and opens the betting.
        """
        self._use_next_terms()
        self.sittings.tidy_up()
        if self.terms.used.closing:
            self._step.over = True
            self.sittings.send_all_away()
        if self.is_draining() or self.terms.used.closed or not self.sittings.any_present():
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
        self.await_absence()

    def await_absence(self) -> None:
        """Wake a resting table, or one that waits for its presenter, when the next player has been away for too long."""
        if self._rest_if_empty() or self.awaits_card():
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
            if self.awaits_card():  # one is burnt before betting (MAJ-07)
                self.follow()
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
                self.follow()
        else:
            # What stands below a minimum or behind an empty seat goes back, and betting reopens (FRB-34, FRB-41).
            for player in [player for player, bets in round.book.bets.items() if bets]:
                self.play.give_back(player, (), "nobody-plays")
            self._step.announce("nobody-bet")
            self.between_rounds()
        self.seats.dealt()

    def _go_on(self) -> None:
        """Go on after the cards: offers, decisions, or the end."""
        if self.play.round is not None and self.play.round.phase == "offers":
            asked = {player for player, _ in self.play.round.offers.open}
            self.phases.enter("insurance", self.timers.insurance + self.delays.longest(asked))
            self.stop_waiting()
        else:
            self.after(())

    def after(self, events: tuple[AnyEvent, ...]) -> None:
        """Go on after a step of the play: the next decision, or the dealer."""
        if self.awaits_card():
            self.follow()
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

    def awaits_card(self) -> bool:
        """Whether the round waits for the dealer; no player's time runs then (STU-10)."""
        round = self.play.round
        return self.studio is not None and round is not None and round.play.due is not None

    def _await_presenter(self, studio: Studio) -> None:
        """Wait until the presenter changes the shoe, or opens the betting."""
        phase = self.phases.phase
        waits: Phase = "shuffle" if studio.shoes.is_due else phase if phase in ("idle", "payout") else "idle"
        if waits != phase or self.phases.until is not None:
            self.phases.enter(waits, None)
        self.await_absence()

    def _awaits_presenter(self) -> bool:
        """Whether the presenter is awaited, before the betting of a round."""
        waits = self.phases.phase in ("idle", "shuffle", "payout") and self.phases.until is None
        return self.studio is not None and waits

    def _rest_if_empty(self) -> bool:
        """Rest if the presenter is awaited and nobody is left to play; a pause ends first."""
        rests = self.phases.phase == "idle" and not self.table.in_round
        if self.studio is None or self.table.paused or rests or not self._awaits_presenter():
            return False
        if self.sittings.any_present():
            return False
        self.studio.on_time()
        self._rest()
        return True

    def open_by_presenter(self) -> None:
        """The presenter opens the betting, or is told why not yet."""
        phases = self.phases
        if phases.phase not in ("idle", "payout") or phases.until is not None or self.awaits_card():
            raise Refusal("table/not-now", phase=phases.phase)
        if self.is_draining() or self.terms.used.closed or not self.sittings.any_present():
            raise Refusal("studio/nobody")
        self.between_rounds(opening=True)

    def follow(self) -> None:
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
            self._rest_if_empty()
        elif round.phase == "betting":
            self._take_bets()
        else:
            self._go_on()

    def stop_waiting(self) -> None:
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

    def _seats_freed(self) -> None:
        """Players still seated may all have started; a table that waits for its presenter may be empty."""
        if self.phases.phase == "betting":
            self.stop_waiting()
        elif self.studio is not None and not self.table.paused:
            self.await_absence()

    def stop_clock(self) -> None:
        """Stop the time of the phase for a pause."""
        self.phases.stop()
        self._step.show(TablePaused(self.table.paused))

    # Terms

    def renew(self) -> None:
        """The owner's terms have changed: they are used now between two rounds, and else after this one (PLT-10)."""
        phase = self.phases.phase
        if phase == "betting" and self.terms.next().closed and self._is_idle_round():
            self.between_rounds()
            return
        if self.table.in_round or phase in ("dealer", "payout"):
            return
        if phase == "idle" and not self.table.paused:
            if self.terms.used.closing or self.terms.next() != self.terms.used:
                self.between_rounds()
            return
        self._use_next_terms()
        if self.terms.used.closed and not self.table.paused:
            self.between_rounds()

    def _is_idle_round(self) -> bool:
        """Whether nobody has bet in the round: at a table that closes nobody waits for its cards."""
        round = self.play.round
        if self.studio is not None or self.table.paused or round is None:
            return False
        return not any(round.book.bets.values())

    def _use_next_terms(self) -> None:
        """Use the terms of the next round."""
        terms = self.terms.next()
        if terms is self.terms.used or terms == self.terms.used:
            return
        if self.table.in_round:  # nobody has bet in it
            self.play.carry(self.table.void("nobody plays", self.phases.now))
        self.terms.used, self.table.config = terms, terms.config
        for part in (self.seats, self.seats.decisions, self.boxes, self.sittings):
            if part is not None:
                part.timers = terms.timers
        self.attendance.grace, self.shoes.aside = terms.timers.grace, terms.timers.shuffling_table
        shown = (terms.closed, (), terms.title, terms.config.cap, terms.timers, terms.video)
        self._step.show(SettingsChanged(self.table.options, *shown))
