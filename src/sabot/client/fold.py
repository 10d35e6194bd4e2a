"""A round as its events tell it: `fold_view` takes what everyone sees and an event, and gives what everyone sees next.

Totals, options and endings are told, not worked out. The events of a round so fold to the house's own `table_view`; the
web client does the same, and the golden files prove both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from sabot.cards import Card, Hand
from sabot.engine import events as told
from sabot.engine.commands import DEALER
from sabot.engine.view import BonusView, HandView, SpotView, TableView
from sabot.protocol import messages

_NO_CARDS = HandView((), 0, False, None)

#: A round that has just been opened.
EMPTY = TableView(
    phase="betting", dealer=_NO_CARDS, hole=False, spots=(), turn=None, options=(), tally=(), bonus=None
)


def fold_view(view: TableView, event: messages.TableEvent) -> TableView:
    """What everyone sees after an event."""
    match event:
        case messages.RoundOpened():
            return EMPTY
        case told.BettingClosed(spots=spots):
            return replace(view, spots=tuple(map(_staked, spots)))
        case told.CardDealt() | told.HoleShown():
            return _dealt(view, event)
        case told.HoleDealt():
            return replace(view, hole=True)
        case told.InsuranceOffered() | told.EvenMoneyOffered():
            return replace(view, phase="offers")
        case told.TurnStarted(spot=spot, hand=hand, options=options):
            return replace(view, phase="decisions", turn=(spot, hand), options=options)
        case told.Acted(spot=spot, action=action):
            return _no_turn(replace(view, spots=_split(view.spots, spot)) if action == "split" else view)
        case told.HandEnded(spot=spot, hand=hand, how=how, total=total):
            return _at_hand(view, spot, hand, lambda found: replace(found, total=total, ended=how))
        case told.RoundSettled():
            return replace(_no_turn(view), phase="settled")
        case told.RoundVoided():
            return replace(_no_turn(view), phase="voided", bonus=None)
        case _:
            return _fold_bonus(view, event)


def _fold_bonus(view: TableView, event: messages.TableEvent) -> TableView:
    match event:
        case told.BonusStarted(spot=spot):
            bonus = BonusView(spot, "wheel", None, (), (), 0)
            return replace(_no_turn(view), phase="bonus", bonus=bonus)
        case told.TableOpened(feature=feature, tiles=tiles, cells=cells, spins=spins):
            return _bonus(view, stage="intro", feature=feature, tiles=tiles, cells=cells, spins=spins)
        case told.TableEntered():
            return _bonus(view, stage="table")
        case told.CellsLocked(cells=cells, spins=spins):
            locked = view.bonus.cells if view.bonus is not None else ()
            return _bonus(view, cells=tuple(sorted((*locked, *cells))), spins=spins)
        case told.BonusEnded():
            return replace(view, bonus=None)
    return view


def _bonus(view: TableView, **changes: object) -> TableView:
    return view if view.bonus is None else replace(view, bonus=replace(view.bonus, **changes))


def _no_turn(view: TableView) -> TableView:
    return replace(view, turn=None, options=(), tally=())


def _staked(spot: told.StakedSpot) -> SpotView:
    return SpotView(spot.spot, spot.owner, spot.mode, spot.backers, (_NO_CARDS,))


def _dealt(view: TableView, event: told.CardDealt | told.HoleShown) -> TableView:
    def with_card(hand: HandView) -> HandView:
        return replace(hand, cards=(*hand.cards, event.card), total=event.total, soft=event.soft)

    if isinstance(event, told.HoleShown):
        return replace(view, hole=False, dealer=with_card(view.dealer))
    if event.spot == DEALER:
        return replace(view, dealer=with_card(view.dealer))
    return _at_hand(view, event.spot, event.hand, with_card)


def _at_hand(view: TableView, spot: int, hand: int, change: Callable[[HandView], HandView]) -> TableView:
    """The table with one hand changed."""

    def changed(found: SpotView) -> SpotView:
        hands = (change(one) if index == hand else one for index, one in enumerate(found.hands))
        return replace(found, hands=tuple(hands))

    return replace(view, spots=_at_spot(view.spots, spot, changed))


def _split(spots: Iterable[SpotView], at: int) -> tuple[SpotView, ...]:
    """A pair becomes two hands of one card each; their second cards come next, or none (MAJ-44)."""

    def alone(card: int) -> HandView:
        hand = Hand([Card(card)])
        return HandView((card,), hand.total, hand.soft, None)

    return _at_spot(spots, at, lambda spot: replace(spot, hands=tuple(map(alone, spot.hands[0].cards))))


def _at_spot(
    spots: Iterable[SpotView], at: int, change: Callable[[SpotView], SpotView]
) -> tuple[SpotView, ...]:
    return tuple(change(spot) if spot.spot == at else spot for spot in spots)
