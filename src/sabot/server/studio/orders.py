"""Orders of the presenter and the supervisor at a studio table, and how they are carried out (STU-03, STU-07..09)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sabot.cards import parse_card
from sabot.errors import Refusal
from sabot.protocol.fields import Password, Reason, TableName, Title, whole
from sabot.server.studio.codes import CODE, CODE_WORDS
from sabot.tables.live.studio import Studio, StudioPerson
from sabot.tables.live.table import LiveTable

#: The number that a device gives a reading (STU-05).
ScanNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]
#: A code that a scanner reads, and a card that a person types or picks; neither stands in the words of a refusal.
ScanCode = Annotated[str, Meta(pattern=whole(CODE, CODE_WORDS))]
CardName = Annotated[str, Meta(pattern=whole("(10|[2-9AaJjQqKk])[SsHhDdCc]", "a card like 10h, As or Kc"))]
ShoeLabel = Annotated[Title, Meta(min_length=1)]


def _tag(name: str) -> str:
    """The word for an order on the wire.

    >>> _tag("TakeBackOrder")
    'take-back'
    """
    words = name.removesuffix("Order")
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in words).lstrip("-")


class StudioOrder(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    """Base of the orders."""


class OpenBettingOrder(StudioOrder, frozen=True):
    """Open the betting."""


class PayOrder(StudioOrder, frozen=True):
    """Pay: the round is settled."""


class CutCardOrder(StudioOrder, frozen=True):
    """The cut card came out (COM-12)."""


class ShoeEmptyOrder(StudioOrder, frozen=True):
    """The shoe has no card for the one that is due: the round is void."""


class TakeBackOrder(StudioOrder, frozen=True):
    """Take the last card back, while no player has acted on it (STU-08)."""

    why: Reason


class CorrectOrder(StudioOrder, frozen=True):
    """A supervisor puts another card in the place of one, in a pause; `row` as the console shows it (STU-08)."""

    row: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    card: CardName
    why: Reason


class ShiftOrder(StudioOrder, frozen=True):
    """The presenter who is logged in takes the shift (STU-09)."""


class EndShiftOrder(StudioOrder, frozen=True):
    """The shift ends, and nobody has the next one yet; it takes the password as unlocking does (STU-27)."""

    password: Password | None = None


class LockOrder(StudioOrder, frozen=True):
    """Lock the console."""


class UnlockOrder(StudioOrder, frozen=True):
    """Unlock the console with the presenter's password; without one where another node has checked it."""

    password: Password | None = None


class TouchOrder(StudioOrder, frozen=True):
    """The presenter is there: the console stays unlocked."""


class TakeDeviceOrder(StudioOrder, frozen=True):
    """Read cards from another device; `last` is the last number that it has used, if it counts anew (STU-05)."""

    device: TableName
    last: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class ChangeShoeOrder(StudioOrder, frozen=True):
    """Deal from another shoe, which is whole and cut."""

    label: ShoeLabel


class NoteShoeOrder(StudioOrder, frozen=True):
    """A step in the history of a shoe (STU-07)."""

    what: Literal["arrived", "checked", "shuffled", "retired"]
    label: ShoeLabel


class CountShoeOrder(StudioOrder, frozen=True):
    """The cards behind the cut card were counted (STU-07)."""

    counted: Annotated[int, Meta(ge=0, le=1_000)]


class CallSupervisorOrder(StudioOrder, frozen=True):
    """Call the supervisor: the table is paused, and its players see why (PLT-33)."""

    why: Reason


AnyStudioOrder = (
    OpenBettingOrder
    | PayOrder
    | CutCardOrder
    | ShoeEmptyOrder
    | TakeBackOrder
    | CorrectOrder
    | ShiftOrder
    | EndShiftOrder
    | LockOrder
    | UnlockOrder
    | TouchOrder
    | TakeDeviceOrder
    | ChangeShoeOrder
    | NoteShoeOrder
    | CountShoeOrder
    | CallSupervisorOrder
)


def studio_of(live: LiveTable) -> Studio:
    """The studio of a table, if a person deals there."""
    if live.studio is None:
        raise Refusal("card/by-house")
    return live.studio


def carry_out(studio: Studio, order: AnyStudioOrder, by: StudioPerson) -> None:
    """Carry out an order, or raise why not."""
    match order:
        case OpenBettingOrder():
            studio.open_betting(by)
        case PayOrder():
            studio.pay(by)
        case CutCardOrder():
            studio.show_cut_card(by)
        case ShoeEmptyOrder():
            studio.shoe_empty(by)
        case TakeBackOrder(why=why):
            studio.take_back(by, why)
        case CorrectOrder(row=row, card=card, why=why):
            studio.correct(by, row, parse_card(card), why)
        case ShiftOrder():
            studio.begin_shift(by)
        case EndShiftOrder():
            studio.end_shift(by)
        case LockOrder():
            studio.shift.check(by)
            studio.shift.lock(by)
        case UnlockOrder():
            studio.shift.unlock(by)
        case TouchOrder():
            studio.shift.check(by)
        case TakeDeviceOrder(device=device, last=last):
            studio.take_device(device, by, last)
        case ChangeShoeOrder(label=label):
            studio.shoes.change(by, label)
        case NoteShoeOrder(what=what, label=label):
            studio.shoes.note(by, what, label)
        case CountShoeOrder(counted=counted):
            studio.shoes.count(by, counted)
        case CallSupervisorOrder():
            pass  # a pause, which the floor orders too
