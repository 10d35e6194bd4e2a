"""Events of a live table beside its round. Names on the wire are these in kebab-case."""

from typing import Literal

from msgspec import Struct

from sabot.engine.commands import Bet, Player
from sabot.engine.events import Event, Mode, SideBetDecided
from sabot.engine.view import TableView
from sabot.games.options import TableOptions
from sabot.games.rules import Action
from sabot.tables.live.closed import WhyClosed
from sabot.tables.live.timers import Phase, Timers

#: Announcements of the presenter; the words are in the catalogues.
Announcement = Literal[
    "place-your-bets", "no-more-bets", "last-round", "shuffle", "shoes-exchanged", "nobody-bet"
]


class PhaseChanged(Event, frozen=True):
    """The table goes on; `until` is the end of the phase by the server's clock, in milliseconds of UTC."""

    phase: Phase
    until: int | None


class RoundOpened(Event, frozen=True):
    """A round begins; its code is what to quote to support (PLT-20)."""

    code: str


class Announced(Event, frozen=True):
    """The presenter says something."""

    what: Announcement


class SeatTaken(Event, frozen=True):
    """A player sits down; the screen name stands under the seat (FRB-20)."""

    spot: int
    player: Player
    name: str
    bot: bool = False


class SeatLeft(Event, frozen=True):
    """A seat is free."""

    spot: int


class BetsShown(Event, frozen=True):
    """A seated player's bets can be seen: they are final (FRB-24)."""

    player: Player
    bets: tuple[Bet, ...]


class StakeSum(Struct, frozen=True, gc=False):
    """How many players staked on a spot with one kind of bet, and how much all together."""

    kind: str
    players: int
    amount: int


class Backer(Struct, frozen=True, gc=False):
    """Somebody who stands behind a seat, with the stake."""

    player: Player
    name: str
    amount: int


class SpotStakes(Struct, frozen=True, gc=False):
    """The final stakes on a spot that no seat shows: at a seat the bets behind it, at a box all bets of all its players."""

    spot: int
    sums: tuple[StakeSum, ...]
    #: Who stands behind a seat, the largest stakes first; not all of a crowd, whom the sum counts.
    backers: tuple[Backer, ...] = ()


class StakesShown(Event, frozen=True):
    """The final stakes of everyone, when betting closes (PLT-71)."""

    spots: tuple[SpotStakes, ...]


class BoxCount(Struct, frozen=True, gc=False):
    """Players with a bet on a box, and its mode (MAJ-10)."""

    spot: int
    players: int
    mode: Mode


class CrowdCounted(Event, frozen=True):
    """The number of people and programs at the table, and their votes; shown from time to time."""

    players: int
    bots: int = 0
    boxes: tuple[BoxCount, ...] = ()
    tally: tuple[tuple[Action, int], ...] = ()


class StreakChanged(Event, frozen=True):
    """Rounds that a seat has won in a row (FRB-45)."""

    spot: int
    rounds: int


class ShoeCommitted(Event, frozen=True):
    """The house has committed to the shoe that is in use from now on; no other waits."""

    commitment: str


class NextShoeCommitted(Event, frozen=True):
    """The house has committed to the shoe at the shuffling table: players send their seeds for it (FRB-30)."""

    commitment: str


class ShoeRevealed(Event, frozen=True):
    """The shoe is done: both seeds, for everyone to check."""

    commitment: str
    server_seed: str
    client_seed: str


class ShoeSeeded(Event, frozen=True):
    """The players' seeds are in the shuffle: their digest, their number, and the root over all salted cards."""

    client_seed: str
    seeds: int
    root: str


class CardProof(Struct, frozen=True, gc=False):
    """The opening of a sealed card: its place, the card, its salt."""

    position: int
    card: int
    salt: str


class CardsProved(Event, frozen=True):
    """The salts of cards that were turned: with them, and their paths to the root, they can be checked (ASR-02)."""

    cards: tuple[CardProof, ...]


class TablePaused(Event, frozen=True):
    """A supervisor looks at something (PLT-33); the reason is a word of the catalogues, not the supervisor's own."""

    reason: str


class TableResumed(Event, frozen=True):
    """The round goes on."""


class PresenterChanged(Event, frozen=True):
    """Another presenter deals at a studio table, or none (STU-09)."""

    name: str


class DealerAwaited(Event, frozen=True):
    """A card that a person deals is late, or is not any more (STU-10)."""

    late: bool


class HandShoeChanged(Event, frozen=True):
    """A person deals from another shoe of real cards, which nobody has committed to (STU-30)."""


class HoleSealed(Event, frozen=True):
    """A card lies face down, dealt by a person: the commitment to it; empty if it was taken back (STU-06).

    Sent again with the same commitment when the reading that turned the card is taken back (STU-08).
    """

    commitment: str


class HoleOpened(Event, frozen=True):
    """The face-down card was turned: SHA-256 over the salt and the card as one byte is the commitment (STU-06)."""

    card: int
    salt: str


class CardCorrected(Event, frozen=True):
    """A card that was read wrongly was taken back or corrected: this is the round as it stands (STU-08)."""

    view: TableView
    sides: tuple[SideBetDecided, ...]
    #: Cards that are dealt from the shoe.
    dealt: int


class LimitsShown(Struct, frozen=True):
    """Limits that the player may choose at a solo table (COM-54)."""

    name: str
    main: tuple[int, int]
    side: tuple[int, int]
    #: The maximum win of a round, and the most to bring to a sitting.
    max_win: int | None = None
    cap: int | None = None
    #: Chips that fit these limits (PLT-69).
    chips: tuple[int, ...] = ()


class SettingsChanged(Event, frozen=True):
    """The operator has changed the table: these settings hold from the next round on (PLT-10).

    A table that is `closed` takes no new bets. Limits to choose are of a solo table, the rest of a live one.
    """

    options: TableOptions
    closed: WhyClosed = ""
    limits: tuple[LimitsShown, ...] = ()
    title: str = ""
    cap: int | None = None
    timers: Timers | None = None
    #: The qualities of its video, the best first (STU-20).
    video: tuple[str, ...] = ()


SeatEvent = SeatTaken | SeatLeft | BetsShown | StakesShown | StreakChanged
ShoeEvent = ShoeCommitted | NextShoeCommitted | ShoeRevealed | ShoeSeeded | CardsProved
CourseEvent = (
    PhaseChanged | RoundOpened | Announced | CrowdCounted | TablePaused | TableResumed | SettingsChanged
)
StudioEvent = PresenterChanged | DealerAwaited | HandShoeChanged | HoleSealed | HoleOpened | CardCorrected
LiveEvent = CourseEvent | SeatEvent | ShoeEvent | StudioEvent
