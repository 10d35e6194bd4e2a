"""A live table beside its round, as its events tell it: phase and clock, seats, crowd, shoe, and a player's own part.

It folds to `LiveTable.view` and `LivePlay.part`; the round itself is folded by `engine.view`. What the house counts
now and then, the crowd, is as fresh as it was last told. What concerns one player only is sent to that player whole:
`fold_part` takes what every player can tell from what happens for all.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sabot.engine import events as round_events
from sabot.engine.events import Event
from sabot.engine.view import TableView
from sabot.tables.live import events
from sabot.tables.live.view import LivePart, LiveView, SeatView, ShoeView


def fold_live(view: LiveView, event: Event, round: TableView | None) -> LiveView:
    """What everyone sees beside the round after an event; `round` is what they saw of the round before it."""
    match event:
        case events.PhaseChanged(phase=phase, until=until):
            return replace(view, phase=phase, until=until)
        case events.TablePaused(reason=reason):
            return replace(view, paused=reason, until=None)
        case events.TableResumed():
            return replace(view, paused="")
        case events.CrowdCounted():
            return replace(view, crowd=event)
        case round_events.TurnStarted() | round_events.Acted():
            return _no_votes(view)
        case round_events.RoundSettled() | round_events.RoundVoided():
            return _at_seats(_no_votes(view), _over)
        case events.RoundOpened():
            return _at_seats(view, lambda seat: replace(_over(seat), started=False))
        case round_events.BettingClosed():
            return _at_seats(view, lambda seat: replace(seat, started=False, behind=seat.behind_next))
        case _:
            return _fold_shoe(_fold_seats(view, event, "" if round is None else round.phase), event)


def _fold_seats(view: LiveView, event: Event, phase: str) -> LiveView:
    match event:
        case events.SeatTaken(spot=spot):
            others = (seat for seat in view.seats if seat.spot != spot)
            seats = sorted((*others, _taken(view, event)), key=lambda seat: seat.spot)
            return replace(view, seats=tuple(seats))
        case events.SeatLeft(spot=spot):
            return replace(view, seats=tuple(seat for seat in view.seats if seat.spot != spot))
        case events.StreakChanged(spot=spot, rounds=rounds):
            return _at_seats(view, lambda seat: replace(seat, streak=rounds) if seat.spot == spot else seat)
        case events.BetsShown(player=player, bets=bets) if phase not in ("settled", "voided"):
            return _at_seats(
                view,
                lambda seat: (
                    replace(seat, bets=bets, started=seat.started or phase == "betting")
                    if seat.player == player
                    else seat
                ),
            )
        case round_events.BehindAllowed(spot=spot, allowed=allowed, next_round=next_round):
            waits = next_round and phase == "betting"
            return _at_seats(
                view,
                lambda seat: (
                    replace(seat, behind=seat.behind if waits else allowed, behind_next=allowed)
                    if seat.spot == spot
                    else seat
                ),
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


def _no_votes(view: LiveView) -> LiveView:
    return replace(view, crowd=replace(view.crowd, tally=()))


def _over(seat: SeatView) -> SeatView:
    return replace(seat, bets=(), behind=seat.behind_next)


def _at_seats(view: LiveView, change: Callable[[SeatView], SeatView]) -> LiveView:
    return replace(view, seats=tuple(map(change, view.seats)))


def fold_part(part: LivePart, event: Event, round: TableView | None) -> LivePart:
    """A player's own part after an event that everyone was told."""
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
