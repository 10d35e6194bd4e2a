"""Views of a round and their fold: the table as everyone sees it, and a player's own part.

Only these functions show the state of a round, so there is one place to check that no face-down card leaks.
`fold(view, event)` gives the table view after an event: folding all events of a round gives its `table_view`. Totals,
options and endings are in the events, so a client needs no rules; votes are not public, so their tally comes from
outside the round.

>>> fold(EMPTY, events.HoleDealt()).hole
True
"""

from collections.abc import Callable
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from sabot.cards import Card, Hand
from sabot.engine import events
from sabot.engine.commands import DEALER, Player
from sabot.engine.events import DueCard, Means, Mode, Option, Result, Stake, means
from sabot.engine.round import Phase, Round
from sabot.games.bonus import Tile
from sabot.games.rules import Action


class HandView(Struct, frozen=True):
    """A hand's face-up cards, its total, and how it ended; what paid for its double, and for it if it is of a split."""

    cards: tuple[int, ...]
    total: int
    soft: bool
    ended: str | None
    doubled: Means | None = None
    split: Means | None = None
    #: What became of it, once all is paid.
    result: Result | None = None
    #: What it was sold for (CSH-02); the stake does not come back.
    sold: int | None = None


class SpotView(Struct, frozen=True):
    """A spot that plays."""

    spot: int
    owner: Player | None
    mode: Mode
    backers: int
    hands: tuple[HandView, ...]
    #: The owner's stake on the first hand; 0 at boxes.
    stake: int = 0


class BonusView(Struct, frozen=True):
    """A bonus as far as it is played."""

    spot: int
    stage: str
    feature: str | None
    tiles: tuple[Tile, ...]
    cells: tuple[tuple[int, int], ...]
    spins: int


class TableView(Struct, frozen=True):
    """The table as everyone sees it."""

    phase: Phase
    dealer: HandView
    #: Whether a card of the dealer lies face down.
    hole: bool
    spots: tuple[SpotView, ...]
    turn: tuple[int, int] | None
    options: tuple[Option, ...]
    tally: tuple[tuple[Action, int], ...]
    bonus: BonusView | None
    #: What the dealer is awaited for, where a person deals (STU-02).
    due: DueCard | None = None


class LineView(Struct, frozen=True):
    """One of the player's stakes."""

    spot: int
    hand: int
    why: str
    stake: Stake


class OfferView(Struct, frozen=True):
    """An offer to the player."""

    spot: int
    kind: str
    cost: int
    affordable: bool


class DeclinedView(Struct, frozen=True):
    """A double or split of others that the player could not follow, and why (MAJ-41, ASR-41)."""

    spot: int
    hand: int
    why: str
    reason: str


class PlayerView(Struct, frozen=True):
    """The player's own part: balance, golden chips, stakes and open offers."""

    balance: int
    golden: dict[int, int]
    lines: tuple[LineView, ...]
    offers: tuple[OfferView, ...]
    #: The rest that the loss limit allows to stake in this round; None without a limit (ASR-41).
    left: int | None = None
    declined: tuple[DeclinedView, ...] = ()


def table_view(round: Round) -> TableView:
    """The table as everyone sees it now."""
    play = round.play
    dealer = play.dealer
    return TableView(
        phase=round.phase,
        dealer=HandView(tuple(dealer.cards), dealer.total, dealer.soft, None),
        hole=play.hole_down,
        spots=tuple(_spot_view(round, spot) for spot in play.spots),
        turn=round.turn,
        options=tuple(round.options_now.values()),
        tally=round.ballot.tally(),
        bonus=_bonus_view(round),
        due=play.due,
    )


def _spot_view(round: Round, spot: int) -> SpotView:
    results = {(hand.spot, hand.hand): hand.result for hand in round.settlement.results}
    hands = tuple(
        HandView(
            tuple(hand.cards),
            hand.total,
            hand.soft,
            hand.ended,
            hand.doubled,
            hand.split,
            results.get((spot, index)),
            round.settlement.cashbacks.get((spot, index)),
        )
        for index, hand in enumerate(round.play.spots[spot])
    )
    book = round.book
    owner = book.owners.get(spot)
    bets = () if owner is None else book.bets.get(owner, ())
    stake = next((bet.face for bet in bets if bet.spot == spot and bet.kind == "main"), 0)
    return SpotView(spot, owner, round.mode(spot), len(book.backers[spot, 0]), hands, stake)


def _bonus_view(round: Round) -> BonusView | None:
    bonus = round.bonus
    if bonus is None:
        return None
    cells = tuple(sorted(bonus.cells.items()))
    return BonusView(bonus.spot, bonus.stage, bonus.feature, bonus.tiles, cells, bonus.spins)


def player_view(round: Round, player: Player) -> PlayerView:
    """The player's own part now."""
    book = round.book
    purse = book.purse(player)
    return PlayerView(
        balance=purse.money,
        golden={value: count for value, count in sorted(purse.golden.items()) if count},
        lines=tuple(LineView(*line[1:], stake) for line, stake in book.lines_of(player)),
        offers=tuple(
            OfferView(spot, offer.kind, offer.cost, purse.lacks(offer.cost) is None)
            for spot in range(round.rules.spots)
            if (offer := round.offers.open.get((player, spot))) is not None
        ),
        left=purse.left,
        declined=tuple(DeclinedView(*declined) for declined in book.declined.get(player, ())),
    )


# The fold

_NO_CARDS = HandView((), 0, False, None)

#: A round that has just been opened.
EMPTY = TableView(
    phase="betting", dealer=_NO_CARDS, hole=False, spots=(), turn=None, options=(), tally=(), bonus=None
)


def fold(view: TableView, event: events.Event) -> TableView:
    """The view of the table after an event."""
    match event:
        case events.BettingClosed(spots=spots):
            staked = (SpotView(s.spot, s.owner, s.mode, s.backers, (_NO_CARDS,), s.stake) for s in spots)
            return replace(view, spots=tuple(staked))
        case events.CardAwaited(due=due):
            return replace(_no_turn(view), phase="cards", due=due)
        case events.CardDealt() | events.HoleShown():
            return replace(_dealt(view, event), due=None)
        case events.HoleDealt():
            return replace(view, hole=True, due=None)
        case events.CardBurnt():
            return replace(view, phase="betting", due=None)
        case events.InsuranceOffered() | events.EvenMoneyOffered():
            return replace(view, phase="offers")
        case events.TurnStarted(spot=spot, hand=hand, options=options):
            return replace(view, phase="decisions", turn=(spot, hand), options=options)
        case events.Acted():
            return _no_turn(_acted(view, event))
        case events.HandEnded(spot=spot, hand=hand, how=how):
            return _at_hand(view, spot, hand, lambda found: replace(found, ended=how))
        case events.RoundSettled(results=results):
            return replace(reduce(_with_result, results, _no_turn(view)), phase="settled", due=None)
        case events.RoundVoided():
            return replace(_no_turn(view), phase="voided", bonus=None, due=None)
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


def _with_result(view: TableView, found: events.HandResult) -> TableView:
    return _at_hand(view, found.spot, found.hand, lambda hand: replace(hand, result=found.result))


def _acted(view: TableView, event: events.Acted) -> TableView:
    if event.action == "split":
        return _split(view, event.spot, means(event.free))
    if event.action == "double":
        doubled = means(event.free)
        return _at_hand(view, event.spot, event.hand, lambda hand: replace(hand, doubled=doubled))
    if event.action == "cashback":
        price = next(option.pays for option in view.options if option.action == "cashback")
        return _at_hand(view, event.spot, event.hand, lambda hand: replace(hand, sold=price))
    return view


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


def _split(view: TableView, at: int, paid: Means) -> TableView:
    """A pair becomes two hands of one card each; their second cards come next, or none (MAJ-44)."""

    def alone(index: int, card: int) -> HandView:
        hand = Hand([Card(card)])
        return HandView((card,), hand.total, hand.soft, None, split=paid if index else None)

    def divided(spot: SpotView) -> SpotView:
        return replace(spot, hands=tuple(alone(*one) for one in enumerate(spot.hands[0].cards)))

    return _at_spot(view, at, divided)


def _at_spot(view: TableView, at: int, change: Callable[[SpotView], SpotView]) -> TableView:
    return replace(view, spots=tuple(change(spot) if spot.spot == at else spot for spot in view.spots))
