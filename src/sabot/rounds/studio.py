"""Rows of a studio table, where a person deals real cards: what each holds beside its command (STU-02..09).

Nothing here names a card that lies face down: it stands in the table `sealed`, for the row that dealt it.
"""

from msgspec import Struct

from sabot.engine.shoe import HandShoe
from sabot.games.rules import Rules

#: Kinds of rows: cards and readings that were refused; what became of a card; the dealer's other steps.
CARD, SCAN_REFUSED = "card", "scan-refused"
TAKE_BACK, CORRECTION = "take-back", "correction"
PAY, CUT_CARD = "pay", "show-cut-card"
DEVICE_TAKEN, SHIFT, LOCKED = "device-taken", "shift", "console-locked"
#: The history of a shoe: each step is a row `shoe-…` (STU-07).
SHOE_IN_USE = "shoe-in-use"
#: What a device may read instead of a card: the cut card, or a code that stands on nothing.
CUT, UNKNOWN = 52, 53


class StudioRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all details."""


class HandShoeState(StudioRow, frozen=True):
    """A shoe of real cards that is in use, and what is gone of it; unseen cards count in the number only."""

    id: int
    label: str
    #: How many of each card were dealt; nothing before the first.
    gone: tuple[int, ...] = ()
    unseen: int = 0
    #: Whether its cut card came out (COM-12).
    cut_seen: bool = False

    @property
    def dealt(self) -> int:
        """The number of cards that are gone."""
        return sum(self.gone) + self.unseen

    def shoe(self, rules: Rules) -> HandShoe:
        """The shoe itself, for the cards to come."""
        return HandShoe(rules.decks, self.gone, self.unseen)


class StudioState(StudioRow, frozen=True):
    """The studio of a table when a round was opened: a table that is read back needs no older rounds."""

    shoe: HandShoeState | None = None
    #: The presenter on shift, and whether the console is locked (STU-09).
    presenter: int | None = None
    locked: bool = False
    #: The device whose readings are taken, and the last number of each device (STU-05).
    device: str = ""
    numbers: dict[str, int] = {}


class CardRead(StudioRow, frozen=True):
    """The detail of a card's row."""

    device: str
    scan: int
    #: Of a card that lies face down: what players are told, and a digest of the reading, which tells nobody the card.
    commitment: str = ""
    digest: str = ""
    #: Of a card that is turned: the salt that opens its commitment.
    salt: str = ""
    #: The supervisor who let a card be typed that lies face down (STU-06).
    by: int | None = None


class ScanRefused(StudioRow, frozen=True):
    """The detail of a reading that was refused."""

    device: str
    scan: int
    why: str
    params: dict[str, int | str] = {}
    #: Of the reading, which tells nobody the card; empty where the number is not used up: a gap, or another device.
    digest: str = ""
    #: Whether a person named the card.
    typed: bool = False


class DeviceTaken(StudioRow, frozen=True):
    """Another device is read from now on, with the number after this one."""

    device: str
    scan: int = 0
    by: int | None = None


class Shift(StudioRow, frozen=True):
    """A presenter comes to the table, or none any more."""

    presenter: int | None = None


class ConsoleLocked(StudioRow, frozen=True):
    """The console was locked, or unlocked by the presenter's password."""

    locked: bool
    by: int | None = None


class TakenBack(StudioRow, frozen=True):
    """The last card was taken back (STU-08)."""

    row: int
    by: int
    why: str


class Corrected(StudioRow, frozen=True):
    """A supervisor corrected a card; of one that lies face down neither face is told (STU-08)."""

    row: int
    by: int
    why: str
    before: int | None = None
    after: int | None = None
    commitment: str = ""


class Turned(StudioRow, frozen=True):
    """A card that lay face down, by the row that dealt it: told when the round is over."""

    row: int
    card: int
    salt: str


class ClosedByHand(StudioRow, frozen=True):
    """The detail of the last row of a round: what is gone of the shoe, and the cards that lay face down."""

    shoe: HandShoeState
    down: tuple[Turned, ...] = ()


class ShoeStep(StudioRow, frozen=True):
    """A step in the history of a shoe."""

    shoe: int
    label: str
    by: int
    #: Cards counted behind the cut card, at the shoe's end.
    counted: int | None = None
