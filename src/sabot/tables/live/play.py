"""The round of a live table: commands in, log entries and events out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sabot.engine import AnyCommand, AnyEvent, Bet, Round, commands
from sabot.engine.commands import Player
from sabot.engine.events import (
    Acted,
    BetReturned,
    BetSettled,
    BettingClosed,
    CutCardShown,
    DealerEnded,
    InsuranceOffered,
    PlayerPaid,
    Private,
)
from sabot.engine.shoe import Places
from sabot.errors import Refusal
from sabot.fairness.live import LiveShoe
from sabot.rounds.stored import StoredRound
from sabot.store.entry import RequestKey
from sabot.tables.live.events import (
    Backer,
    CardProof,
    CardsProved,
    RoundOpened,
    SpotStakes,
    StakesShown,
    StakeSum,
)
from sabot.tables.live.notices import LACKS, Notices
from sabot.tables.live.phases import Phases
from sabot.tables.live.presence import Attendance
from sabot.tables.live.step import StepBuilder
from sabot.tables.live.timers import Phase
from sabot.tables.live.view import LivePart, Notice
from sabot.tables.table import Step, Table

if TYPE_CHECKING:
    from sabot.tables.live.boxes import Boxes
    from sabot.tables.live.seats import Seats


#: Commands that end a moment of the round.
_MOVES = commands.Deal | commands.CloseOffers | commands.Decision | commands.Scan | commands.Pay
#: Hands of the dealer that the lobby shows.
KEPT_HANDS = 8
#: Players behind a seat that are named; a crowd is only counted.
NAMED_BACKERS = 8


@dataclass(eq=False)
class LivePlay:
    """The round being played, or the last one, with its results."""

    table: Table
    phases: Phases
    attendance: Attendance
    notices: Notices
    step: StepBuilder
    #: Counts decisions, closings and cards that a person deals: a request in a round must carry it.
    turn: int = 0
    #: Results of bets, by line and in sum, for players who come back.
    results: dict[Player, list[BetSettled]] = field(default_factory=dict)
    paid: dict[Player, PlayerPaid] = field(default_factory=dict)
    #: The last bets of each player at the table, to be repeated (MAJ-57).
    last: dict[Player, tuple[Bet, ...]] = field(default_factory=dict)
    #: The final stakes that no seat shows, from the close to the end of the round (PLT-71).
    stakes: tuple[SpotStakes, ...] = ()
    #: How the dealer's last hands ended, the newest first.
    dealer_hands: deque[DealerEnded] = field(default_factory=lambda: deque(maxlen=KEPT_HANDS))
    #: The seats of the table, and what takes bets and makes decisions: they, or boxes.
    seats: Seats = field(init=False)
    spots: Seats | Boxes = field(init=False)
    _places: Places = field(default_factory=lambda: Places(0))

    @property
    def round(self) -> Round | None:
        """The round being played, or the one before."""
        return self.table.current.round if self.table.current else None

    @property
    def code(self) -> str:
        """Its code."""
        return self.table.code

    def bets_of(self, player: Player) -> tuple[Bet, ...]:
        """A player's bets in the round being played."""
        round = self.round
        return round.book.bets.get(player, ()) if round is not None and not round.over else ()

    def check_open(self) -> None:
        """Refuse anything while the table is paused."""
        if self.table.paused:
            raise Refusal("table/paused", reason=self.table.paused)

    def check_moment(self, code: str, turn: int, phase: Phase) -> None:
        """Refuse a request that was made for another moment."""
        self.check_open()
        if code != self.code or turn != self.turn:
            raise Refusal("command/stale", round=self.code, turn=self.turn)
        if self.phases.phase != phase:
            raise Refusal("table/not-now", phase=self.phases.phase)

    # A round begins

    def open(self, behind_closed: tuple[int, ...]) -> None:
        """Open a round for all players at the table, with their consents."""
        self.results, self.paid, self.stakes = {}, {}, ()
        agreed = {player: self.attendance.of(player).consent for player in self.table.sittings}
        consents = {player: consent for player, consent in agreed.items() if consent is not None}
        self.step.store(
            self.table.open_round(self.phases.now, behind_closed=behind_closed, consents=consents)
        )
        self.turn = 0
        self.attendance.changed = True
        self.step.show(RoundOpened(self.code))
        if self.round is not None:
            self._places = Places(self.round.tape.start)
            self.carry(Step(tuple(self.round.log), ()))

    def reopen(self, round: Round) -> None:
        """Go on with a round that was left in the middle."""
        for player, consent in round.book.consents.items():
            if player in self.table.sittings:
                self.attendance.of(player).consent = (consent.double, consent.split)
        self.turn = self._turn_of(round)
        self._places = Places(round.tape.start)
        self._places.pass_over(self._sort(round.log))
        self.dealer_hands.extendleft(event for event in round.log if isinstance(event, DealerEnded))
        if round.phase != "betting":
            self._keep_last(round)
            self.stakes = self._final_stakes(round)

    def restore(self, after: StoredRound) -> None:
        """Go on with a round in which a card was taken back or corrected (STU-08)."""
        before, round = self.round, after.round
        self.table.current = after
        self.turn = self._turn_of(round)
        if before is not None and any(isinstance(event, DealerEnded) for event in before.log):
            self.dealer_hands.popleft()
        self.dealer_hands.extendleft(event for event in round.log if isinstance(event, DealerEnded))
        wishes = self.seats.decisions.wishes
        for spot in [spot for spot in wishes if spot in round.play.spots]:
            if before is None or before.play.spots[spot][0].cards != round.play.spots[spot][0].cards:
                del wishes[spot]
        self.step.touch(*round.book.bets)

    def _turn_of(self, round: Round) -> int:
        """The number of moments that are over: cards count too, and those that were taken back (STU-08)."""
        changes = self.table.current.changes if self.table.current is not None else 0
        return sum(moves_on(command) for command in round.commands) + changes

    def _keep_last(self, round: Round) -> None:
        self.last.update((player, bets) for player, bets in round.book.bets.items() if bets)

    def join(self, player: Player) -> None:
        """Bring a player, with an earlier consent, into the round whose bets are open (MAJ-12)."""
        self.carry(self.table.join(player, self.phases.now))
        agreed = self.attendance.of(player).consent
        if agreed is not None:
            self.carry(self.table.apply(commands.Consent(player, *agreed), self.phases.now))

    # Commands

    def apply(self, command: AnyCommand, request: RequestKey | None = None) -> tuple[AnyEvent, ...]:
        """Carry out a command; gives its public events."""
        step = self.table.apply(command, self.phases.now, request)
        self.turn += moves_on(command)
        return self.carry(step)

    def decide(self, command: AnyCommand, request: RequestKey | None = None) -> tuple[AnyEvent, ...]:
        """Carry out a decision; players whose stake did not follow it get a notice (FRB-43, PLT-49)."""
        round = self.round
        assert round is not None
        made = (round.turn, command.__struct_config__.tag)
        events = self.apply(command, request)
        missed = (
            (player, Notice(LACKS[lack], round=self.code, spot=spot, hand=hand, detail=why))
            for player, declined in round.book.declined.items()
            for spot, hand, why, lack in declined
            if ((spot, hand), why) == made
        )
        self.notices.send(*missed, *self._not_followed(round, events))
        return events

    def _not_followed(self, round: Round, events: Iterable[AnyEvent]) -> Iterator[tuple[Player, Notice]]:
        """Notices to players behind a seat who have chosen not to follow its paid double or split (FRB-43)."""
        for event in events if round.rules.backing == "seats" else ():
            if not isinstance(event, Acted) or event.action not in ("double", "split") or event.free:
                continue
            spot, hand, why, book = event.spot, event.hand, event.action, round.book
            for player in book.backers[spot, hand]:
                consent = book.consents.get(player)
                follows = consent is not None and (consent.double if why == "double" else consent.split)
                if not follows and player != book.owners[spot]:
                    yield player, Notice("not-followed", round=self.code, spot=spot, hand=hand, detail=why)

    def notify_silent(self) -> None:
        """Notify players whose unanswered offer is refused (FRB-31, MAJ-61)."""
        assert self.round is not None
        silent = self.round.offers.open
        refused = (
            (player, Notice("insurance-refused", round=self.code, spot=spot)) for player, spot in silent
        )
        self.notices.send(*refused)

    # Betting

    def place_bets(
        self,
        player: Player,
        code: str,
        bets: tuple[Bet, ...],
        request: RequestKey | None = None,
        at: float | None = None,
        most: int | None = None,
    ) -> None:
        """Replace a player's bets; late bets are refused, and noted in the log (ASR-20).

        `at` is when they were read from the socket, by the steady clock; None is now. `most` is what the player's own
        loss limit lets be staked in the round; None leaves it as it is (ASR-41).
        """
        self.check_open()
        if self.phases.phase != "betting" or code != self.code or self.phases.is_due(at):
            self._note_late(player, code, bets, at)
            raise Refusal("bet/late")
        self.spots.check_bets(player, bets)
        if most is not None:
            self.apply(commands.BoundLoss(player, most))
        self.apply(commands.PlaceBets(player, bets), request)
        self.attendance.changed = True

    def _note_late(self, player: Player, code: str, bets: tuple[Bet, ...], at: float | None) -> None:
        """Note a late bet in the log, with the milliseconds between the close and its reading."""
        phases = self.phases
        closed = phases.due if phases.phase == "betting" and code == self.code else phases.bets_closed
        read = phases.steady if at is None else at
        late = {
            "player": player,
            "round": code,
            "bets": bets,
            "now": self.code,
            "phase": phases.phase,
            "late_ms": None if closed is None else round(1000 * (read - closed)),
        }
        self.step.store(self.table.note("late-bet", late, phases.now))

    def bound_loss(self, player: Player, code: str, most: int) -> int | None:
        """Bound what a player may stake in the round; gives what is staked, None if the round is over (ASR-41)."""
        round = self.round
        if round is None or round.over or code != self.code or not self.table.plays(player):
            return None
        self.apply(commands.BoundLoss(player, most))
        return round.book.purses[player].staked

    def consent(self, player: Player, double: bool, split: bool, request: RequestKey | None = None) -> None:
        """Set what a player follows; after the close it holds from the next round on (MAJ-12)."""
        if self.phases.phase == "betting" and self.table.plays(player):
            self.apply(commands.Consent(player, double, split), request)
        elif request is not None:
            agreed = {"player": player, "double": double, "split": split}
            self.step.store(self.table.note("consent", agreed, self.phases.now, request))
        self.attendance.of(player).consent = (double, split)
        self.step.touch(player)

    def give_back(self, player: Player, kept: tuple[Bet, ...], why: str) -> None:
        """Return a player's bets before the deal, except those that are kept (FRB-34, FRB-41)."""
        self._notify_returned(player, set(self.bets_of(player)) - set(kept), why)
        self.apply(commands.PlaceBets(player, kept))

    def _notify_returned(self, player: Player, bets: Iterable[Bet], why: str) -> None:
        sent = (
            Notice("bet-returned", round=self.code, spot=bet.spot, detail=why, amount=bet.face)
            for bet in sorted(bets, key=lambda bet: (bet.spot, bet.kind))
        )
        self.notices.send(*((player, notice) for notice in sent))
        self.attendance.changed = True

    def carry(self, step: Step) -> tuple[AnyEvent, ...]:
        """Add a step of the round to the table's; gives its public events."""
        self.step.entries += step.entries
        round, public = self.round, self._sort(step.events)
        for event in public:
            self.step.show(event)
            if round is not None and isinstance(event, BettingClosed):
                self._show_stakes(round)
        if round is None or not step.events:
            return public
        for event in public:
            if isinstance(event, CutCardShown):
                self.step.announce("last-round")
            elif isinstance(event, DealerEnded):
                self.dealer_hands.appendleft(event)
            elif isinstance(event, BettingClosed):
                self._keep_last(round)
            elif isinstance(event, InsuranceOffered):
                self.step.touch(*(player for player, _ in round.offers.open))
        for event in step.events:
            if isinstance(event, BetReturned):
                self._notify_returned(event.player, (event.bet,), event.reason)
        if public:
            self._prove(round, public)
        if round.over:
            self.stakes = ()
            # Golden chips that were granted in the round can be staked now (MAJ-50).
            self.step.touch(*(player for player, sitting in self.table.sittings.items() if sitting.golden))
            if round.phase == "voided":  # what was settled before is taken back
                self.results, self.paid = {}, {}
                self.step.touch(*round.book.bets)
            self.seats.ended(round)
        return public

    def _show_stakes(self, round: Round) -> None:
        """Show what everyone staked, before the first card (FRB-24, PLT-71)."""
        self.seats.show_bets(round)
        self.stakes = self._final_stakes(round)
        if self.stakes:
            self.step.show(StakesShown(self.stakes))

    def _final_stakes(self, round: Round) -> tuple[SpotStakes, ...]:
        """The stakes on each spot that no seat shows: behind a seat, or of all players of a box."""
        seats = round.rules.backing == "seats"
        sums: dict[tuple[int, str], list[int]] = {}
        backers: dict[int, list[Backer]] = {}
        for player, bets in round.book.bets.items():
            for bet in bets:
                if seats and bet.kind != "behind":
                    continue
                total = sums.setdefault((bet.spot, bet.kind), [0, 0])
                total[0] += 1
                total[1] += bet.face
                if seats:
                    name = self.attendance.of(player).name
                    backers.setdefault(bet.spot, []).append(Backer(player, name, bet.face))
        kinds = round.betting.kinds()
        return tuple(
            SpotStakes(
                spot,
                tuple(StakeSum(kind, *sums[spot, kind]) for kind in kinds if (spot, kind) in sums),
                _largest(backers.get(spot, [])),
            )
            for spot in sorted({spot for spot, _ in sums})
        )

    def _sort(self, events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
        """Note results and players with private events; gives the public events."""
        public: list[AnyEvent] = []
        touched, results = self.step.touched, self.results
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

    def _prove(self, round: Round, events: Iterable[AnyEvent]) -> None:
        """Show the salts of cards that are turned, and of no other (ASR-03)."""
        turned, shoe = list(self._places.turned(events)), round.shoe
        if turned and isinstance(shoe, LiveShoe):
            proofs = (CardProof(place, card, shoe.salt(place)) for place, card in turned)
            self.step.show(CardsProved(tuple(proofs)))

    def part(self, player: Player) -> LivePart:
        """The player's own part beside the round."""
        table, round, presence = self.table, self.round, self.attendance.players.get(player)
        sitting, held = table.sittings.get(player), tuple(table.seats_of(player))
        golden, vote = sitting.golden if sitting is not None else {}, None
        if round is not None and table.plays(player):
            golden = {value: count for value, count in round.book.purses[player].golden.items() if count}
            vote = None if round.turn is None else round.ballot.vote_of(player)  # counted while a card is due
        decisions = self.seats.decisions
        return LivePart(
            seats=held,
            bets=self.bets_of(player),
            consent=presence.consent if presence is not None else None,
            golden=golden,
            leaving=presence is not None and presence.leaving,
            started=player in self.seats.started,
            wishes={spot: wish for spot, wish in decisions.wishes.items() if spot in held},
            ahead={spot: options for spot in held if (options := decisions.ahead(spot))},
            vote=vote,
            notices=self.notices.unseen.get(player, ()),
        )


def _largest(backers: list[Backer]) -> tuple[Backer, ...]:
    return tuple(sorted(backers, key=lambda one: (-one.amount, int(one.player)))[:NAMED_BACKERS])


def moves_on(command: AnyCommand) -> bool:
    """Whether a command ends a moment of the round; bets, answers and votes do not."""
    return isinstance(command, _MOVES) and not isinstance(command, commands.Vote)
