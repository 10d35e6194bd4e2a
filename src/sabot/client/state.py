"""A table as a client knows it: a snapshot, and every frame since folded in."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from sabot.client.own import fold_own
from sabot.engine.events import Option, RoundVoided, SideBetDecided, TurnStarted
from sabot.engine.view import EMPTY, SpotView, TableView, fold
from sabot.protocol import messages
from sabot.tables.live.events import (
    CrowdCounted,
    LiveEvent,
    RoundOpened,
    ShoeCommitted,
    ShoeRevealed,
    ShoeSeeded,
)
from sabot.tables.live.timers import Phase
from sabot.tables.live.view import LiveView, SeatView, fold_live

#: Lines of talk that are kept.
KEPT_LINES = 100
#: What belongs to no round: it is folded, and not kept.
_PASSING = tuple({*get_args(LiveEvent)} - {RoundOpened, ShoeCommitted, ShoeRevealed})


class TableState(Struct):
    """A table as it was last told."""

    snapshot: messages.Snapshot
    me: messages.OwnPart | None = None
    epoch: int = 0
    seq: int = 0
    round: str = ""
    turn: int = 0
    commitment: str = ""
    view: TableView | None = None
    outcome: messages.PublicOutcome = messages.PublicOutcome()
    #: Beside the round; of a live table only.
    live: LiveView | None = None
    #: The root over the cards of a live shoe, for who was there when it was told; and the shoe before, with its seeds.
    root: str = ""
    revealed: ShoeRevealed | None = None
    #: What people said, by number.
    said: dict[int, messages.Said] = {}
    #: Everything that was told of the round.
    events: list[messages.TableEvent] = []

    @classmethod
    def of(cls, snapshot: messages.Snapshot) -> TableState:
        """The table of a snapshot."""
        state = cls(snapshot)
        state.show(snapshot)
        return state

    # What is there

    @property
    def over(self) -> bool:
        """Whether no round is being played."""
        return self.view is None or self.view.phase in ("settled", "voided")

    @property
    def options(self) -> tuple[Option, ...]:
        """What the hand in turn may do."""
        return () if self.view is None else self.view.options

    @property
    def phase(self) -> Phase:
        """What a live table is doing."""
        return "idle" if self.live is None else self.live.phase

    @property
    def paused(self) -> str:
        """Why a live table is paused; empty while it is not."""
        return "" if self.live is None else self.live.paused

    @property
    def seats(self) -> dict[int, SeatView]:
        """The seats of a live table that are taken."""
        return {} if self.live is None else {seat.spot: seat for seat in self.live.seats}

    @property
    def own_seats(self) -> tuple[int, ...]:
        """Those of the player."""
        return () if self.me is None or self.me.live is None else self.me.live.seats

    def spot(self, number: int) -> SpotView | None:
        """A spot that plays."""
        spots = () if self.view is None else self.view.spots
        return next((spot for spot in spots if spot.spot == number), None)

    def picture(self) -> messages.Snapshot:
        """The table as a snapshot would show it; its time is that of the snapshot all began with."""
        return replace(
            self.snapshot,
            epoch=self.epoch,
            seq=self.seq,
            commitment=self.commitment,
            round=self.round,
            turn=self.turn,
            view=self.view,
            outcome=self.outcome,
            live=self.live,
        )

    # What is told

    def show(self, snapshot: messages.Snapshot) -> None:
        """Take a snapshot; what it does not tell of the shoe in use stays known."""
        view = snapshot.view
        if snapshot.commitment != self.commitment:
            self.root, self.revealed = "", None
        self.snapshot = snapshot
        self.epoch, self.seq = snapshot.epoch, snapshot.seq
        self.round, self.turn = snapshot.round, snapshot.turn
        self.commitment, self.view, self.outcome = snapshot.commitment, view, snapshot.outcome
        self.live = snapshot.live
        self.events = [TurnStarted(*view.turn, view.options)] if view is not None and view.turn else []

    def advance(self, frame: messages.Frame) -> None:
        """Take a frame; one that was seen before changes nothing."""
        if frame.epoch == self.epoch and frame.seq <= self.seq:
            return
        self.seq, self.round, self.turn = frame.seq, frame.round, frame.turn
        for event in frame.events:
            self._fold(event)

    def _fold(self, event: messages.TableEvent) -> None:
        if self.live is not None:
            self.live = fold_live(self.live, event, self.view)
        if self.me is not None:
            self.me = fold_own(self.me, event, self.view)
        if self.view is not None:
            self.view = fold(self.view, event)
        match event:
            case CrowdCounted(tally=tally) if self.view is not None:
                self.view = replace(self.view, tally=tally)
            case RoundOpened():
                self.events, self.view, self.outcome = [], EMPTY, messages.PublicOutcome()
            case ShoeCommitted(commitment=commitment):
                self.commitment, self.root = commitment, ""
            case ShoeSeeded(root=root):
                self.root = root
            case ShoeRevealed() if self.live is None:
                self.outcome = replace(self.outcome, revealed=event)
            case ShoeRevealed():  # of a live table it is another round's
                self.revealed = event
            case SideBetDecided():
                self.outcome = replace(self.outcome, sides=(*self.outcome.sides, event))
            case RoundVoided(reason=reason):
                self.outcome = replace(self.outcome, voided=reason)
        if not isinstance(event, _PASSING):
            self.events.append(event)

    def hear(self, said: messages.Said) -> None:
        """Somebody said something; what was heard before comes again to one who comes back."""
        self.said[said.id] = said
        while len(self.said) > KEPT_LINES:
            del self.said[min(self.said)]
