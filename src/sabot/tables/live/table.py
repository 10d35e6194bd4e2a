"""A live table: what it does when, and who may do what in its rounds.

The owner calls a method for what a player asks, and `tick` when `due` is reached; `begin` goes on from the round as the
log has it. Tables with seats and tables with boxes add how a decision is made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from sabot.engine import AnyCommand, AnyEvent, Bet, Round
from sabot.engine.commands import (
    BoundLoss,
    CloseOffers,
    Consent,
    Deal,
    Decision,
    Insure,
    PlaceBets,
    Player,
    Vote,
)
from sabot.engine.events import (
    BetReturned,
    BetSettled,
    CardDealt,
    CutCardShown,
    HoleDealt,
    HoleShown,
    InsuranceOffered,
    PlayerPaid,
    Private,
)
from sabot.engine.places import Places
from sabot.errors import Refusal
from sabot.store.entry import RequestKey
from sabot.tables.crowd import CrowdTable
from sabot.tables.live.clock import Clock
from sabot.tables.live.events import CardsProved, CrowdCounted
from sabot.tables.live.gathering import Gathering
from sabot.tables.live.notices import KEPT_MS, LACKS, unseen
from sabot.tables.live.proofs import proofs
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import Notice
from sabot.tables.table import Step

#: Events of which each is a card that the dealer puts down or turns.
_CARDS = (CardDealt, HoleDealt, HoleShown)


class LiveTable(Gathering):
    """The part that tables with seats and tables with boxes share."""

    def __init__(self, table: CrowdTable, timers: Timers, clock: Clock) -> None:
        super().__init__(table, timers, clock)
        #: What became of everyone's bets in this round or the last, for those who come back: by line, and in sum.
        self.results: dict[Player, list[BetSettled]] = {}
        self.paid: dict[Player, PlayerPaid] = {}
        #: Whether the decision has a window, or is only shown before it is made.
        self._waiting = False

    # What tables with seats and tables with boxes do in their own ways

    @abstractmethod
    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse bets that the table does not take from this player."""

    @abstractmethod
    def waits(self) -> bool:
        """Whether the decision that is awaited has someone to make it."""

    @abstractmethod
    def window(self) -> float:
        """How long a decision is waited for."""

    @abstractmethod
    def play_automatically(self) -> None:
        """The decision that is made when the time is over, or nobody is there to make it."""

    @abstractmethod
    def count_crowd(self) -> CrowdCounted:
        """How many there are."""

    # The clock

    def begin(self) -> None:
        """Go on where the log ends; a table that was paused stays so, and what was not seen is told (PLT-49)."""
        self.notices = unseen(self.table.told_before, self.now - KEPT_MS)
        for player in self.table.sittings:
            guest = self.guest(player)
            guest.absent_since, guest.counted = self._clock.monotonic(), True
        round = self.round
        if round is None or round.over:
            self._between_rounds()
        else:
            self._take_up(round)
        if self.paused:
            self._stop_clock()

    def _take_up(self, round: Round) -> None:
        """A round that was left in the middle."""
        for player, consent in round.book.consents.items():
            if player in self.table.sittings:
                self.guest(player).consent = (consent.double, consent.split)
        self.turn = sum(_moves_on(command) for command in round.commands)
        self._places = Places(round.tape.start)
        self._places.pass_over(self._sort(round.log))
        if round.phase == "betting":
            self._open_betting()
        else:
            self._go_on()

    def tick(self) -> None:
        """The end of a phase, if it is reached."""
        if self.paused or not self.is_due():
            return
        if self.phase == "betting":
            self.bets_closed = self.due
        self.due = None
        match self.phase:
            case "idle" | "payout":
                self._between_rounds()
            case "shuffle":
                self._seed_shoe()
            case "betting":
                self._close_betting()
            case "closing":
                self._deal()
            case "dealing":
                self._go_on()
            case "insurance":
                self._close_insurance()
            case "decisions":
                self.play_automatically()
            case "dealer":
                self._enter("payout", self.timers.payout)

    # Betting

    def _new_round(self) -> None:
        self.results, self.paid = {}, {}
        super()._new_round()

    def place_bets(
        self,
        player: Player,
        code: str,
        bets: tuple[Bet, ...],
        request: RequestKey | None = None,
        at: float | None = None,
        most: int | None = None,
    ) -> None:
        """Replace a player's bets; too late is too late by this clock, and is written down (ASR-20).

        `at` is when they were read from the socket, by the steady clock; nothing says now. `most` is what the player's
        own loss limit lets be staked in the round; None changes nothing of it (ASR-41).
        """
        self._check_open()
        if self.phase != "betting" or code != self.code or self.is_due(at):
            self._note_late(player, code, bets, at)
            raise Refusal("bet/late")
        self.check_bets(player, bets)
        if most is not None:
            self._apply(BoundLoss(player, most))
        self._apply(PlaceBets(player, bets), request)
        self.crowd_changed = True

    def _note_late(self, player: Player, code: str, bets: tuple[Bet, ...], at: float | None) -> None:
        """Write down a late bet, and how many milliseconds after the close it was read."""
        closed = self.due if self.phase == "betting" and code == self.code else self.bets_closed
        read = self._clock.monotonic() if at is None else at
        late = {
            "player": player,
            "round": code,
            "bets": bets,
            "now": self.code,
            "phase": self.phase,
            "late_ms": None if closed is None else round(1000 * (read - closed)),
        }
        self._units.append(self.table.note("late-bet", late, self.now))

    def bound_loss(self, player: Player, code: str, most: int) -> int | None:
        """Bound what a player may stake in the round being played; gives what is staked, None if it is over (ASR-41)."""
        round = self.round
        if round is None or round.over or code != self.code or not self.table.plays(player):
            return None
        self._apply(BoundLoss(player, most))
        return round.book.purses[player].staked

    def consent(self, player: Player, double: bool, split: bool, request: RequestKey | None = None) -> None:
        """What a player follows when others decide; after the close it holds from the next round on (MAJ-12)."""
        if self.phase == "betting" and self.table.plays(player):
            self._apply(Consent(player, double, split), request)
        elif request is not None:
            agreed = {"player": player, "double": double, "split": split}
            self._units.append(self.table.note("consent", agreed, self.now, request))
        self.guest(player).consent = (double, split)
        self._touch(player)

    def _close_betting(self) -> None:
        self._announce("no-more-bets")
        self._enter("closing", self.timers.closing)

    def _deal(self) -> None:
        round = self.round
        assert round is not None, "bets are in a round"
        if round.betting.any_staked():
            self._enter("dealing", self._shown(self._apply(Deal())))
            return
        # What stands below a minimum or behind an empty seat goes back, and betting reopens (FRB-34, FRB-41).
        for player, bets in [(player, bets) for player, bets in round.book.bets.items() if bets]:
            self._tell_returned(player, bets, "nobody-plays")
            self._apply(PlaceBets(player, ()))
        self._announce("nobody-bet")
        self._between_rounds()

    def _tell_returned(self, player: Player, bets: Iterable[Bet], why: str) -> None:
        """Bets of a player go back before the deal (FRB-34, FRB-41)."""
        told = (
            Notice("bet-returned", round=self.code, spot=bet.spot, detail=why, amount=bet.face)
            for bet in sorted(bets, key=lambda bet: (bet.spot, bet.kind))
        )
        self._notify(*((player, notice) for notice in told))

    # In the round

    def _close_insurance(self) -> None:
        """Silence and absence have refused (FRB-31, MAJ-61)."""
        assert self.round is not None
        silent = (
            (player, Notice("insurance-refused", round=self.code, spot=spot))
            for player, spot in self.round.offers.open
        )
        self._notify(*silent)
        self._after(self._apply(CloseOffers()))

    def insure(
        self,
        player: Player,
        code: str,
        turn: int,
        accept: bool,
        spot: int | None = None,
        request: RequestKey | None = None,
    ) -> None:
        """A player's own answer; with the last one the window closes (FRB-31, MAJ-03)."""
        self._check_moment(code, turn, "insurance")
        events = self._apply(Insure(player, accept, spot), request)
        if self.round is not None and self.round.phase != "offers":
            self._after(events)
        else:
            self._stop_waiting()

    def _go_on(self) -> None:
        """The cards lie: offers, decisions, or the end."""
        if self.round is not None and self.round.phase == "offers":
            self._enter("insurance", self.timers.insurance)
            self._stop_waiting()
        else:
            self._after(())

    def _stop_waiting(self) -> None:
        round = self.round
        if round is None or self.paused:
            return
        if self.phase == "insurance":
            if all(self.gone(player) for player, _ in round.offers.open):
                self._hurry()
        elif self.phase == "decisions" and self._waiting and not self.waits():
            self._waiting = False
            self._hurry()

    def _after(self, events: tuple[AnyEvent, ...]) -> None:
        """A step of the play is done: the next decision, or the dealer."""
        shown = self._shown(events)
        if self.round is None or self.round.over:
            self._enter("dealer", max(shown, self.timers.pace))
        else:
            self._waiting = self.waits()
            self._enter("decisions", shown + (self.window() if self._waiting else self.timers.pace))

    def decided(self, command: AnyCommand, request: RequestKey | None = None) -> None:
        """Carry a decision out and go on; who wanted to follow it and could not is told (PLT-49)."""
        round = self.round
        assert round is not None
        made = (round.turn, command.__struct_config__.tag)
        events = self._apply(command, request)
        missed = (
            (player, Notice(LACKS[lack], round=self.code, spot=spot, hand=hand, detail=why))
            for player, declined in round.book.declined.items()
            for spot, hand, why, lack in declined
            if ((spot, hand), why) == made
        )
        self._notify(*missed)
        self._after(events)

    def _shown(self, events: tuple[AnyEvent, ...]) -> float:
        """The time the dealer needs for the cards of a step."""
        return self.timers.pace * sum(isinstance(event, _CARDS) for event in events)

    def void(self, reason: str) -> None:
        """Every stake of the round goes back (PLT-32, ASR-13)."""
        self._step(self.table.void(reason, self.now))
        self._end_pause()
        self._enter("payout", self.timers.payout)

    # Inside

    def tell_crowd(self) -> None:
        """Count, and tell."""
        self.crowd_changed = False
        self._told.append(self.count_crowd())

    def _apply(self, command: AnyCommand, request: RequestKey | None = None) -> tuple[AnyEvent, ...]:
        """Carry a command out; gives what everyone sees of it."""
        step = self.table.apply(command, self.now, request)
        self.turn += _moves_on(command)
        return self._step(step)

    def _step(self, step: Step) -> tuple[AnyEvent, ...]:
        """Sort what happened: what everyone sees, whose own part has changed, and how a round ended."""
        self._units += step.units
        round, public = self.round, self._sort(step.events)
        self._told += public
        if round is None or not step.events:
            return public
        for event in public:
            if isinstance(event, CutCardShown):
                self._announce("last-round")
            elif isinstance(event, InsuranceOffered):
                self._touch(*(player for player, _ in round.offers.open))
        for event in step.events:
            if isinstance(event, BetReturned):
                self._tell_returned(event.player, (event.bet,), event.reason)
        proved = proofs(round.shoe, self._places, public)
        if proved:
            self._told.append(CardsProved(proved))
        if round.over:
            self._ended(round)
        return public

    def _sort(self, events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
        """Take private events out, of which a crowd makes many, and note what became of bets; gives the public ones."""
        public: list[AnyEvent] = []
        touched, results = self._touched, self.results
        for event in events:
            if not isinstance(event, Private):
                public.append(event)
                continue
            player = event.player
            touched[player] = None
            if isinstance(event, BetSettled):
                if player in results:
                    results[player].append(event)
                else:
                    results[player] = [event]
            elif isinstance(event, PlayerPaid):
                self.paid[player] = event
        return tuple(public)

    def _ended(self, round: Round) -> None:
        """A void takes back what was settled before it."""
        if round.phase == "voided":
            self.results, self.paid = {}, {}
            self._touch(*round.book.bets)


def _moves_on(command: AnyCommand) -> bool:
    """Whether a command ends a moment of the round; a crowd's bets, answers and votes do not."""
    return isinstance(command, Deal | CloseOffers | Decision) and not isinstance(command, Vote)
