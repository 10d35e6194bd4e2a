"""The fold of a round: `fold(view, event)` gives the table view after an event.

Totals, options and endings are in the events: nothing is worked out here, so a client needs no rules. Folding all events
of a round gives its `table_view`; votes are not public, so their tally comes from outside the round.

>>> from sabot.engine.events import HoleDealt
>>> fold(EMPTY, HoleDealt()).hole
True
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sabot.cards import Card, Hand
from sabot.engine import events
from sabot.engine.commands import DEALER
from sabot.engine.view import BonusView, HandView, SpotView, TableView

_NO_CARDS = HandView((), 0, False, None)

#: A round that has just been opened.
EMPTY = TableView(
    phase="betting", dealer=_NO_CARDS, hole=False, spots=(), turn=None, options=(), tally=(), bonus=None
)


def fold(view: TableView, event: events.Event) -> TableView:
    """What everyone sees after an event."""
    match event:
        case events.BettingClosed(spots=spots):
            return replace(view, spots=tuple(map(_staked, spots)))
        case events.CardDealt() | events.HoleShown():
            return _dealt(view, event)
        case events.HoleDealt():
            return replace(view, hole=True)
        case events.InsuranceOffered() | events.EvenMoneyOffered():
            return replace(view, phase="offers")
        case events.TurnStarted(spot=spot, hand=hand, options=options):
            return replace(view, phase="decisions", turn=(spot, hand), options=options)
        case events.Acted(spot=spot, action=action):
            return _no_turn(_split(view, spot) if action == "split" else view)
        case events.HandEnded(spot=spot, hand=hand, how=how):
            return _at_hand(view, spot, hand, lambda found: replace(found, ended=how))
        case events.RoundSettled():
            return replace(_no_turn(view), phase="settled")
        case events.RoundVoided():
            return replace(_no_turn(view), phase="voided", bonus=None)
        case _:
            return _fold_bonus(view, event)


def _fold_bonus(view: TableView, event: events.Event) -> TableView:
    match event:
        case events.BonusStarted(spot=spot):
            bonus = BonusView(spot, "wheel", None, (), (), 0)
            return replace(_no_turn(view), phase="bonus", bonus=bonus)
        case events.TableOpened(feature=feature, tiles=tiles, cells=cells, spins=spins):
            return _bonus(view, stage="intro", feature=feature, tiles=tiles, cells=cells, spins=spins)
        case events.TableEntered():
            return _bonus(view, stage="table")
        case events.CellsLocked(cells=cells, spins=spins):
            locked = view.bonus.cells if view.bonus is not None else ()
            return _bonus(view, cells=tuple(sorted((*locked, *cells))), spins=spins)
        case events.BonusEnded():
            return replace(view, bonus=None)
    return view


def _bonus(view: TableView, **changes: object) -> TableView:
    return view if view.bonus is None else replace(view, bonus=replace(view.bonus, **changes))


def _no_turn(view: TableView) -> TableView:
    return replace(view, turn=None, options=(), tally=())


def _staked(spot: events.StakedSpot) -> SpotView:
    return SpotView(spot.spot, spot.owner, spot.mode, spot.backers, (_NO_CARDS,))


def _dealt(view: TableView, event: events.CardDealt | events.HoleShown) -> TableView:
    def with_card(hand: HandView) -> HandView:
        return replace(hand, cards=(*hand.cards, event.card), total=event.total, soft=event.soft)

    if isinstance(event, events.HoleShown):
        return replace(view, hole=False, dealer=with_card(view.dealer))
    if event.spot == DEALER:
        return replace(view, dealer=with_card(view.dealer))
    return _at_hand(view, event.spot, event.hand, with_card)


def _at_hand(view: TableView, spot: int, hand: int, change: Callable[[HandView], HandView]) -> TableView:
    """The table with one hand changed."""

    def changed(found: SpotView) -> SpotView:
        hands = (change(one) if index == hand else one for index, one in enumerate(found.hands))
        return replace(found, hands=tuple(hands))

    return _at_spot(view, spot, changed)


def _split(view: TableView, at: int) -> TableView:
    """A pair becomes two hands of one card each; their second cards come next, or none (MAJ-44)."""

    def alone(card: int) -> HandView:
        hand = Hand([Card(card)])
        return HandView((card,), hand.total, hand.soft, None)

    return _at_spot(view, at, lambda spot: replace(spot, hands=tuple(map(alone, spot.hands[0].cards))))


def _at_spot(view: TableView, at: int, change: Callable[[SpotView], SpotView]) -> TableView:
    return replace(view, spots=tuple(change(spot) if spot.spot == at else spot for spot in view.spots))
