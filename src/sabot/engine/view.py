"""Views of a round: the table as everyone sees it, and a player's own part.

Only these functions show the state of a round, so there is one place to check that no face-down card leaks.
"""

from __future__ import annotations

from msgspec import Struct

from sabot.engine.commands import Player
from sabot.engine.events import Mode, Option, Stake
from sabot.engine.round import Phase, Round
from sabot.games.bonus import Tile
from sabot.games.rules import Action


class HandView(Struct, frozen=True):
    """A hand's face-up cards, its total, and how it ended."""

    cards: tuple[int, ...]
    total: int
    soft: bool
    ended: str | None


class SpotView(Struct, frozen=True):
    """A spot that plays."""

    spot: int
    owner: Player | None
    mode: Mode
    backers: int
    hands: tuple[HandView, ...]


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
    #: What the loss limit leaves to stake in this round; None without a limit (ASR-41).
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
    )


def _spot_view(round: Round, spot: int) -> SpotView:
    hands = tuple(
        HandView(tuple(hand.cards), hand.total, hand.soft, hand.ended) for hand in round.play.spots[spot]
    )
    book = round.book
    return SpotView(spot, book.owners.get(spot), round.mode(spot), len(book.backers[spot, 0]), hands)


def _bonus_view(round: Round) -> BonusView | None:
    bonus = round.bonus
    if bonus is None:
        return None
    cells = tuple(sorted(bonus.cells.items()))
    return BonusView(bonus.spot, bonus.stage, bonus.feature, bonus.tiles, cells, bonus.spins)


def player_view(round: Round, player: Player) -> PlayerView:
    """What the player alone sees now."""
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
