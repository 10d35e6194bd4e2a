"""Commands to a round, as frozen values; `type` on the wire is the name in kebab-case.

>>> import msgspec
>>> msgspec.json.encode(Hit(spot=0, hand=0))
b'{"type":"hit","spot":0,"hand":0}'
"""

import re
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from sabot.games.rules import Action

#: The place beside the dealer's hand, where the one dealer pair bet of a solo round stands (COM-56).
DEALER = -1

Player = str
#: Carries out a command that was checked.
Effect = Callable[[], None]
Spot = Annotated[int, Meta(ge=DEALER, le=6)]
Hand = Annotated[int, Meta(ge=0, le=1)]
Amount = Annotated[int, Meta(ge=0, le=10**12)]
#: The name of a bet; the lookahead refuses a line end, which `$` lets through.
BetName = Annotated[str, Meta(pattern=r"^[a-z0-9+-]{1,32}$(?!\n)")]


def kebab(name: str) -> str:
    """A class name as it stands on the wire.

    >>> kebab("PlaceBets")
    'place-bets'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Bet(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One bet of a player: on a spot, of a kind (`main`, `behind` or a side bet's name)."""

    spot: Spot
    kind: BetName
    stake: Amount = 0
    #: Face values of the golden chips in it (MAJ-50).
    golden: tuple[Amount, ...] = ()

    @property
    def face(self) -> int:
        """The whole bet, golden chips at face value: what limits look at (MAJ-57)."""
        return self.stake + sum(self.golden) if self.golden else self.stake


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag=kebab):
    """Base of all commands."""


class PlaceBets(Command, frozen=True):
    """Replace all bets of a player by these."""

    player: Player
    bets: tuple[Bet, ...] = ()


class Consent(Command, frozen=True):
    """Whether a player follows doubles and splits that others decide (FRB-42, MAJ-12)."""

    player: Player
    double: bool
    split: bool


class AllowBehind(Command, frozen=True):
    """Whether others may bet behind a seat (FRB-43)."""

    spot: Spot
    allowed: bool


class AddMoney(Command, frozen=True):
    """Bring more money to the game (LNK-09)."""

    player: Player
    amount: Amount


class BoundLoss(Command, frozen=True):
    """The most own money that a player's loss limit lets stake in the round (ASR-41)."""

    player: Player
    most: Amount


class Join(Command, frozen=True):
    """Come to a live table with money and golden chips while its bets are open (FRB-29, MAJ-13)."""

    player: Player
    money: Amount
    golden: dict[Amount, int] = {}


class Deal(Command, frozen=True):
    """Close betting and deal. `insurance` is off where the player has switched offers off (SUR-06, CSH-12)."""

    insurance: bool = True


class Insure(Command, frozen=True):
    """Take or refuse insurance: for one spot, or without a spot for all not yet answered (COM-31)."""

    player: Player
    accept: bool
    spot: Spot | None = None


class EvenMoney(Command, frozen=True):
    """Take or refuse even money on a blackjack (LNK-04)."""

    spot: Spot
    accept: bool


class CloseOffers(Command, frozen=True):
    """The time for offers is over; no answer is a refusal (COM-32)."""


class Decision(Command, frozen=True):
    """Base of all decisions on a hand."""

    spot: Spot
    hand: Hand = 0


class Hit(Decision, frozen=True):
    """Take a card."""


class Stand(Decision, frozen=True):
    """Take no more cards."""


class Double(Decision, frozen=True):
    """Double the stake, take one card, stand; free where the hand allows it free."""


class Split(Decision, frozen=True):
    """Make two hands of a pair; free where the pair allows it free."""


class Surrender(Decision, frozen=True):
    """Give the hand up for half its stake (RESA)."""


#: The decisions that are an action on a hand and nothing more.
PlainDecision = Hit | Stand | Double | Split | Surrender
DECISIONS: dict[Action, type[PlainDecision]] = {
    "hit": Hit,
    "stand": Stand,
    "double": Double,
    "split": Split,
    "surrender": Surrender,
}


class Cashback(Decision, frozen=True, kw_only=True):
    """Sell the hand for the price shown (CSH-15)."""

    price: Amount


class Vote(Decision, frozen=True, kw_only=True):
    """A player's vote on the hand's next action (MAJ-20)."""

    player: Player
    action: Action


class Spin(Command, frozen=True):
    """Spin the wheel, or the empty cells of the bonus table (GIRA)."""

    spot: Spot


class Continue(Command, frozen=True):
    """Leave the intro screen of a bonus table (CONTINUA)."""

    spot: Spot


class Scan(Command, frozen=True):
    """The card that is due was read, where a person deals (STU-02)."""

    card: Annotated[int, Meta(ge=0, le=51)]


class Pay(Command, frozen=True):
    """The dealer pays, where a person deals: until then the last card can be taken back (STU-08)."""


class ShowCutCard(Command, frozen=True):
    """The cut card came out of a shoe from which a person deals (COM-12)."""


class Void(Command, frozen=True):
    """A malfunction: give everything back (PLT-32)."""

    reason: str


PlayerCommand = PlaceBets | Consent | AllowBehind | AddMoney | BoundLoss | Join
OfferCommand = Insure | EvenMoney | CloseOffers
BonusCommand = Spin | Continue
#: Commands of a dealer who is a person; a record has none of them, only the cards.
DealerCommand = Scan | Pay | ShowCutCard
AnyCommand = (
    PlayerCommand
    | Deal
    | OfferCommand
    | PlainDecision
    | Cashback
    | Vote
    | BonusCommand
    | DealerCommand
    | Void
)
