"""A table as a client knows it: a snapshot, and every frame since folded in."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from sabot.engine import events as round_events
from sabot.engine.events import Option
from sabot.engine.view import EMPTY, PlayerView, SpotView, TableView, fold
from sabot.protocol import messages
from sabot.tables.live import events as live_events
from sabot.tables.live.timers import Phase
from sabot.tables.live.view import LiveView, SeatView, fold_live, fold_part

#: Chat lines that are kept.
KEPT_LINES = 100
#: Fields of a snapshot that frames change.
_CHANGING = ("epoch", "seq", "commitment", "round", "turn", "view", "outcome", "live")
#: Fields of a snapshot that the operator changes.
_SETTINGS = ("options", "closed", "limits", "title", "cap", "video")
#: Events that belong to no round: they are folded, and not kept.
_PASSING = tuple(
    {*get_args(live_events.LiveEvent)}
    - {live_events.RoundOpened, live_events.ShoeCommitted, live_events.ShoeRevealed}
)


class TableState(Struct):
    """A table as a client knows it."""

    snapshot: messages.Snapshot
    me: messages.OwnPart | None = None
    epoch: int = 0
    seq: int = 0
    round: str = ""
    turn: int = 0
    commitment: str = ""
    view: TableView | None = None
    outcome: messages.PublicOutcome = messages.PublicOutcome()
    #: Of a live table only.
    live: LiveView | None = None
    #: The root over the cards of a live shoe, if the client saw it announced; and the revealed shoe before it.
    root: str = ""
    revealed: live_events.ShoeRevealed | None = None
    #: Chat lines by number.
    said: dict[int, messages.Said] = {}
    #: The events of the round.
    events: list[messages.TableEvent] = []

    @classmethod
    def of(cls, snapshot: messages.Snapshot) -> TableState:
        """The table of a snapshot."""
        state = cls(snapshot)
        state.show(snapshot)
        return state

    @property
    def over(self) -> bool:
        """Whether no round is being played."""
        return self.view is None or self.view.phase in ("settled", "voided")

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the hand in turn."""
        return () if self.view is None else self.view.options

    @property
    def phase(self) -> Phase:
        """The phase of a live table."""
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
        """The player's own seats."""
        return () if self.me is None or self.me.live is None else self.me.live.seats

    def spot(self, number: int) -> SpotView | None:
        """A spot that plays."""
        spots = () if self.view is None else self.view.spots
        return next((spot for spot in spots if spot.spot == number), None)

    def picture(self) -> messages.Snapshot:
        """The table as a snapshot would show it now."""
        return replace(self.snapshot, **{name: getattr(self, name) for name in _CHANGING})

    # Messages

    def show(self, snapshot: messages.Snapshot) -> None:
        """Take over a snapshot; root and revealed shoe stay known while the shoe is the same."""
        if snapshot.commitment != self.commitment:
            self.root, self.revealed = "", None
        self.snapshot = snapshot
        for name in _CHANGING:
            setattr(self, name, getattr(snapshot, name))
        self.events = _turn_in(snapshot.view)

    def advance(self, frame: messages.Frame) -> None:
        """Fold a frame in; one that was seen before changes nothing."""
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
            case live_events.CrowdCounted(tally=tally) if self.view is not None:
                self.view = replace(self.view, tally=tally)
            case live_events.RoundOpened():
                self.events, self.view, self.outcome = [], EMPTY, messages.PublicOutcome()
            case live_events.CardCorrected(view=view, sides=sides):
                self.events, self.view = _turn_in(view), view
                self.outcome = replace(self.outcome, sides=sides)
            case live_events.SettingsChanged():
                changed = {name: getattr(event, name) for name in _SETTINGS}
                self.snapshot = replace(self.snapshot, **changed)
            case live_events.ShoeCommitted(commitment=commitment):
                self.commitment, self.root = commitment, ""
            case live_events.ShoeSeeded(root=root):
                self.root = root
            case live_events.ShoeRevealed() if self.live is None:
                self.outcome = replace(self.outcome, revealed=event)
            case live_events.ShoeRevealed():  # a live shoe is not of one round
                self.revealed = event
            case round_events.SideBetDecided():
                self.outcome = replace(self.outcome, sides=(*self.outcome.sides, event))
            case round_events.RoundVoided(reason=reason):
                self.outcome = replace(self.outcome, voided=reason)
        if not isinstance(event, _PASSING):
            self.events.append(event)

    def add_line(self, said: messages.Said) -> None:
        """Keep a chat line; lines from before come again after a reconnection."""
        self.said[said.id] = said
        while len(self.said) > KEPT_LINES:
            del self.said[min(self.said)]


def fold_own(me: messages.OwnPart, event: messages.TableEvent, round: TableView | None) -> messages.OwnPart:
    """The player's own part of a live table after a public event; `round` is the view before it."""
    if me.live is None:
        return me
    own = fold_part(me.live, event, round)
    match event:
        case live_events.RoundOpened():
            part = None if me.balance is None else PlayerView(me.balance, own.golden, (), ())
            return replace(me, part=part, results=messages.Results(), live=own)
        case round_events.BettingClosed():
            return replace(me, last=own.bets or me.last, live=own)
        case round_events.RoundSettled() | round_events.RoundVoided():
            return replace(me, part=None, live=own)
    return replace(me, live=own)


def _turn_in(view: TableView | None) -> list[messages.TableEvent]:
    """The turn that a view shows, as the event that began it."""
    return [round_events.TurnStarted(*view.turn, view.options)] if view is not None and view.turn else []
