"""Views of a live table and their fold: phase and clock, seats, crowd, shoe, and a player's own part.

`LiveTable.view` and `LivePlay.part` make the views; clients fold events into them, and those of the round into
`engine.view`. The crowd is as fresh as its last count. A player's own part is sent whole; `fold_part` changes what
follows from public events.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sabot.engine import events as round_events
from sabot.engine.commands import Bet, Player
from sabot.engine.events import Event, Option
from sabot.engine.view import TableView
from sabot.games.rules import Action
from sabot.store.kinds import NoticeKind
from sabot.tables.live import events
from sabot.tables.live.events import CrowdCounted, SpotStakes
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


class StudioView(Struct, frozen=True):
    """A table where a person deals, as everyone sees it (STU)."""

    presenter: str = ""
    #: Whether the dealer is being waited for (STU-10).
    late: bool = False
    #: The commitment to the card that lies face down in this round, and the salt that opens it once it is turned.
    commitment: str = ""
    salt: str = ""


class LiveView(Struct, frozen=True):
    """A live table beside its round."""

    phase: Phase
    until: int | None
    paused: str
    seats: tuple[SeatView, ...]
    crowd: CrowdCounted
    shoe: ShoeView | None
    timers: Timers
    #: The commitment to the shoe at the shuffling table; empty without one (FRB-30).
    next_commitment: str = ""
    #: Where a person deals.
    studio: StudioView | None = None
    #: The final stakes that no seat shows, from the close to the end of the round (PLT-71).
    stakes: tuple[SpotStakes, ...] = ()


class Notice(Struct, frozen=True):
    """A notice to a player, kept until the player's page has shown it."""

    what: NoticeKind
    #: Its place in the table's log, and when it was.
    number: int = 0
    at: int = 0
    round: str = ""
    #: The seat or box; -1 where it is none.
    spot: int = -1
    hand: int = 0
    #: The decision ("hit"); the wanted action and its replacement ("double hit"); an action that could not be followed
    #: ("double"); why a bet went back; "closed" for money of a table that was taken away.
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
    #: Options that can still be decided in advance, by seat.
    ahead: dict[int, tuple[Option, ...]] = {}
    vote: Action | None = None
    #: Notices that the player has not seen yet (PLT-49).
    notices: tuple[Notice, ...] = ()


def fold_live(view: LiveView, event: Event, round: TableView | None) -> LiveView:
    """The view beside the round after an event; `round` is the view of the round before it."""
    match event:
        case events.PhaseChanged(phase=phase, until=until):
            return replace(view, phase=phase, until=until)
        case events.TablePaused(reason=reason):
            return replace(view, paused=reason, until=None)
        case events.TableResumed():
            return replace(view, paused="")
        case events.CrowdCounted():
            return replace(view, crowd=event)
        case events.SettingsChanged(timers=Timers() as timers):
            return replace(view, timers=timers)
        case round_events.TurnStarted() | round_events.Acted():
            return _no_votes(view)
        case round_events.RoundSettled() | round_events.RoundVoided():
            return replace(_at_seats(_no_votes(view), _over), stakes=())
        case events.StakesShown(spots=spots):
            return replace(view, stakes=spots)
        case events.RoundOpened():
            opened = _at_seats(replace(view, stakes=()), lambda seat: replace(_over(seat), started=False))
            return opened if view.studio is None else _studio(opened, commitment="", salt="")
        case round_events.BettingClosed():
            return _at_seats(view, lambda seat: replace(seat, started=False, behind=seat.behind_next))
        case _:
            seats = _fold_seats(view, event, "" if round is None else round.phase)
            return _fold_studio(_fold_shoe(seats, event), event)


def _fold_seats(view: LiveView, event: Event, phase: str) -> LiveView:
    match event:
        case events.SeatTaken(spot=spot):
            others = (seat for seat in view.seats if seat.spot != spot)
            seats = sorted((*others, _taken(view, event)), key=lambda seat: seat.spot)
            return replace(view, seats=tuple(seats))
        case events.SeatLeft(spot=spot):
            return replace(view, seats=tuple(seat for seat in view.seats if seat.spot != spot))
        case events.StreakChanged(spot=spot, rounds=rounds):
            return _at_seats(view, lambda seat: replace(seat, streak=rounds), lambda seat: seat.spot == spot)
        case events.BetsShown(player=player, bets=bets) if phase not in ("settled", "voided"):
            starts = view.phase == "betting"  # at the close all bets are shown, and nobody starts
            return _at_seats(
                view,
                lambda seat: replace(seat, bets=bets, started=seat.started or starts),
                lambda seat: seat.player == player,
            )
        case round_events.BehindAllowed(spot=spot, allowed=allowed, next_round=next_round):
            waits = next_round and phase == "betting"
            return _at_seats(
                view,
                lambda seat: replace(seat, behind=seat.behind if waits else allowed, behind_next=allowed),
                lambda seat: seat.spot == spot,
            )
    return view


def _taken(view: LiveView, event: events.SeatTaken) -> SeatView:
    """A seat as its player finds it, or the same under another name; bets are seen at all seats of a player."""
    own = [seat for seat in view.seats if seat.player == event.player]
    before = next((seat for seat in own if seat.spot == event.spot), None)
    if before is not None:
        return replace(before, name=event.name, bot=event.bot)
    started, bets = (own[0].started, own[0].bets) if own else (False, ())
    return SeatView(event.spot, event.player, event.name, 0, True, started, bets, event.bot)


def _fold_shoe(view: LiveView, event: Event) -> LiveView:
    shoe = view.shoe
    match event:
        case events.ShoeCommitted(commitment=commitment):
            return replace(view, shoe=ShoeView(commitment, "", 0, 0), next_commitment="")
        case events.NextShoeCommitted(commitment=commitment):
            return replace(view, next_commitment=commitment)
        case events.ShoeSeeded(client_seed=client_seed, seeds=seeds) if shoe is not None:
            return replace(view, shoe=replace(shoe, client_seed=client_seed, seeds=seeds))
        case round_events.CardDealt() | round_events.HoleDealt() | round_events.CardBurnt() if (
            shoe is not None
        ):
            return replace(view, shoe=replace(shoe, dealt=shoe.dealt + 1))
    return view


def _fold_studio(view: LiveView, event: Event) -> LiveView:
    match event:
        case events.PresenterChanged(name=name):
            return _studio(view, presenter=name)
        case events.DealerAwaited(late=late):
            return _studio(view, late=late)
        case events.HoleSealed(commitment=commitment):
            return _studio(view, commitment=commitment, salt="")
        case events.HoleOpened(salt=salt):
            return _studio(view, salt=salt)
        case events.HandShoeChanged():
            return replace(view, shoe=ShoeView("", "", 0, 0))
        case events.CardCorrected(dealt=dealt) if view.shoe is not None:
            return replace(_no_votes(view), shoe=replace(view.shoe, dealt=dealt))
    return view


def _studio(view: LiveView, **changed: Any) -> LiveView:
    return replace(view, studio=replace(view.studio or StudioView(), **changed))


def _no_votes(view: LiveView) -> LiveView:
    return replace(view, crowd=replace(view.crowd, tally=()))


def _over(seat: SeatView) -> SeatView:
    return replace(seat, bets=(), behind=seat.behind_next)


def _at_seats(
    view: LiveView,
    change: Callable[[SeatView], SeatView],
    where: Callable[[SeatView], bool] = lambda seat: True,
) -> LiveView:
    return replace(view, seats=tuple(change(seat) if where(seat) else seat for seat in view.seats))


def fold_part(part: LivePart, event: Event, round: TableView | None) -> LivePart:
    """A player's own part after a public event."""
    match event:
        case events.RoundOpened():
            return replace(part, bets=(), started=False, wishes={}, ahead={}, vote=None)
        case events.PhaseChanged(phase="decisions") if round is not None and round.turn is not None:
            turn = round.turn[0]
            return replace(part, ahead={spot: ahead for spot, ahead in part.ahead.items() if spot != turn})
        case round_events.TurnStarted():
            return replace(part, vote=None)
        case round_events.Acted(spot=acted):
            wishes = {spot: wish for spot, wish in part.wishes.items() if spot != acted}
            return replace(part, wishes=wishes, vote=None)
        case round_events.RoundSettled() | round_events.RoundVoided():
            return replace(part, bets=(), ahead={}, vote=None)
    return part
