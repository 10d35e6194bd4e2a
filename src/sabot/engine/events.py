"""Events of a round, as frozen values with all that a client needs to show them.

A `Private` event is for the player it names; all others are public. No event holds a card before it is
face up, so a log of events holds no secret. Events hold no cycles, so the garbage collector skips them.
"""

from typing import Literal

from msgspec import Struct

from sabot.engine.commands import Bet, Player, kebab
from sabot.games.bonus import DiamondPrize, Section, Tile
from sabot.games.rules import Action

#: How a hand ended. `unstaked` is the left half of a split that nobody followed (MAJ-44).
Ending = Literal[
    "stood",
    "bust",
    "blackjack",
    "twenty-one",
    "charlie",
    "doubled",
    "surrendered",
    "cashed-back",
    "even-money",
    "unstaked",
]
#: Kinds of stakes.
Why = str
#: Result of a bet.
Result = Literal["win", "blackjack", "even-money", "push", "lose", "half", "cashback", "returned"]
Mode = Literal["owner", "vote", "best-strategy"]
#: What paid for a double or a split: money, or a free bet (FRB-04, FRB-06).
Means = Literal["money", "free"]


def means(free: bool) -> Means:
    """What pays for a double or a split."""
    return "free" if free else "money"


class Event(Struct, frozen=True, gc=False, tag_field="type", tag=kebab):
    """Base of all events."""


class Private(Event, frozen=True):
    """Base of events for one player."""

    player: Player


class Stake(Struct, frozen=True, gc=False):
    """The stake of a line: own money, golden chips by face value, and a free bet."""

    own: int = 0
    golden: tuple[int, ...] = ()
    free: int = 0

    @property
    def face(self) -> int:
        """The amount that wins."""
        if self.golden:
            return self.own + self.free + sum(self.golden)
        return self.own + self.free


class StakedSpot(Struct, frozen=True, gc=False):
    """A spot that plays: its owner, its backers, who decides, and the owner's own stake; 0 at boxes."""

    spot: int
    owner: Player | None
    backers: int
    staked: int
    mode: Mode
    stake: int


class HandResult(Struct, frozen=True, gc=False):
    """The result of a hand against the dealer, the same for everyone who staked on it."""

    spot: int
    hand: int
    result: Result


class Option(Struct, frozen=True, gc=False):
    """An action that the cards allow: its cost, and why it is not available, if so (COM-24)."""

    action: Action
    cost: int = 0
    free: bool = False
    #: What the action pays: the price of a cashback, the half a surrender returns.
    pays: int = 0
    unavailable: str | None = None


class DueCard(Struct, frozen=True, gc=False):
    """What a round waits for where a person deals: a card for a hand (spot -1 is the dealer), face up or, as a hole or
    burnt card, face down; the hole card turned; the payment."""

    what: Literal["card", "hole", "burn", "turn", "pay"]
    spot: int = -1
    hand: int = 0


class CardAwaited(Event, frozen=True):
    """The round waits for the dealer (STU-02)."""

    due: DueCard


class CardBurnt(Event, frozen=True):
    """A card was burnt face down (MAJ-07)."""


class BetsPlaced(Private, frozen=True):
    """The player's bets are now these."""

    bets: tuple[Bet, ...]
    balance: int


class BetReturned(Private, frozen=True):
    """A bet was returned before the deal: too small, or behind a seat that does not play (COM-25, FRB-41)."""

    bet: Bet
    reason: Literal["below-minimum", "seat-not-playing", "no-main-bet"]


class ConsentGiven(Private, frozen=True):
    """What the player follows from now on."""

    double: bool
    split: bool


class BehindAllowed(Event, frozen=True):
    """Whether a seat takes bets behind, and from when (FRB-43)."""

    spot: int
    allowed: bool
    next_round: bool


class LossBounded(Private, frozen=True):
    """The player's own loss limit lets so much more be staked in the round (ASR-41)."""

    left: int


class MoneyAdded(Private, frozen=True):
    """The player brought money."""

    amount: int
    balance: int


class PlayerJoined(Private, frozen=True):
    """The player came while bets were open."""

    balance: int


class BettingClosed(Event, frozen=True):
    """No more bets; these spots play."""

    spots: tuple[StakedSpot, ...]


class CardDealt(Event, frozen=True):
    """A card was dealt face up to a hand, or with spot -1 to the dealer; with the new total."""

    spot: int
    hand: int
    card: int
    total: int
    soft: bool


class HoleDealt(Event, frozen=True):
    """The dealer's second card came face down."""


class SideBetDecided(Event, frozen=True):
    """A side bet is decided: its category, empty where it loses, and what it pays to 1 (SB-09)."""

    spot: int
    kind: str
    category: str
    pays: int


class InsuranceOffered(Event, frozen=True):
    """Insurance is offered: for one hand at its cost (solo), or to everyone at once (live)."""

    spot: int | None
    cost: int


class EvenMoneyOffered(Event, frozen=True):
    """A blackjack may be taken at 1:1."""

    spot: int


class Insured(Private, frozen=True):
    """The player's answer to an insurance offer."""

    spot: int
    accepted: bool
    cost: int
    balance: int


class EvenMoneyAnswered(Event, frozen=True):
    """The answer to an even-money offer."""

    spot: int
    accepted: bool


class Peeked(Event, frozen=True):
    """The dealer looked for a blackjack."""

    blackjack: bool


class TurnStarted(Event, frozen=True):
    """A hand has a decision to make, among these."""

    spot: int
    hand: int
    options: tuple[Option, ...]


class VoteCast(Private, frozen=True):
    """The player's vote counts."""

    spot: int
    hand: int
    action: Action


class Acted(Event, frozen=True):
    """A decision was carried out; with votes, their tally."""

    spot: int
    hand: int
    action: Action
    free: bool = False
    tally: tuple[tuple[Action, int], ...] = ()


class StakeAdded(Private, frozen=True):
    """A double or split took a further stake, or put a free bet."""

    spot: int
    hand: int
    why: Why
    stake: Stake
    balance: int


class StakeDeclined(Private, frozen=True):
    """The player's loss limit forbids following a double or split (ASR-41)."""

    spot: int
    hand: int
    why: Why
    cost: int


class HandEnded(Event, frozen=True):
    """A hand is finished."""

    spot: int
    hand: int
    how: Ending
    total: int


class BonusStarted(Event, frozen=True):
    """A blackjack with a LINK bet opens its bonus."""

    spot: int


class WheelStopped(Event, frozen=True):
    """The wheel shows a section."""

    spot: int
    section: Section


class TableOpened(Event, frozen=True):
    """A bonus table with its tiles and the prizes that stand at the start, as (cell, prize)."""

    spot: int
    feature: str
    tiles: tuple[Tile, ...]
    cells: tuple[tuple[int, int], ...]
    spins: int


class TableEntered(Event, frozen=True):
    """The intro screen is left."""

    spot: int


class CellsLocked(Event, frozen=True):
    """A spin of the bonus table: the new prizes, as (cell, prize), and the spins left."""

    spot: int
    cells: tuple[tuple[int, int], ...]
    spins: int


class DiamondWon(Event, frozen=True):
    """A full block over a diamond drew a prize."""

    spot: int
    block: int
    prize: DiamondPrize
    pays: int


class BonusEnded(Event, frozen=True):
    """The bonus is over: what it pays to 1."""

    spot: int
    pays: int


class HoleShown(Event, frozen=True):
    """The dealer's second card was turned."""

    card: int
    total: int
    soft: bool


class DealerEnded(Event, frozen=True):
    """The dealer's hand is finished."""

    total: int
    bust: bool
    blackjack: bool


class BetSettled(Private, frozen=True):
    """The result of a line: money paid, its stake included, and golden chips returned."""

    spot: int
    hand: int
    why: Why
    stake: Stake
    result: Result
    paid: int
    golden_back: tuple[int, ...] = ()


class WinCapped(Private, frozen=True):
    """The maximum win cut this much (LNK-08)."""

    amount: int
    max_win: int


class CutCardShown(Event, frozen=True):
    """The cut card came out: the shoe is changed before the next betting (COM-12)."""


class RoundSettled(Event, frozen=True):
    """All is paid, hand by hand. `golden` marks a round with golden chips (MAJ-56)."""

    golden: bool
    results: tuple[HandResult, ...]


class PlayerPaid(Private, frozen=True):
    """The sums of the round for a player: staked, paid, balance, and whether golden chips were used."""

    staked: int
    paid: int
    balance: int
    golden: bool


class RoundVoided(Event, frozen=True):
    """A malfunction: every stake went back and every win of the round is void (PLT-32)."""

    reason: str


PlayerEvent = ConsentGiven | LossBounded | MoneyAdded | PlayerJoined
BettingEvent = BetsPlaced | BetReturned | BehindAllowed | BettingClosed
OfferEvent = InsuranceOffered | EvenMoneyOffered | Insured | EvenMoneyAnswered | Peeked
DecisionEvent = TurnStarted | VoteCast | Acted | StakeAdded | StakeDeclined | HandEnded
BonusEvent = BonusStarted | WheelStopped | TableOpened | TableEntered | CellsLocked | DiamondWon | BonusEnded
CardEvent = CardAwaited | CardBurnt | CardDealt | HoleDealt | SideBetDecided
DealerEvent = HoleShown | DealerEnded | CutCardShown
EndEvent = BetSettled | WinCapped | RoundSettled | PlayerPaid | RoundVoided
DealtEvent = CardEvent | OfferEvent | DecisionEvent | BonusEvent | DealerEvent
AnyEvent = PlayerEvent | BettingEvent | DealtEvent | EndEvent
