"""What the record of a studio round has beside its cards: commitments to hole cards, and corrections (STU-08, STU-30)."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Raw

from sabot.cards import format_card
from sabot.engine.commands import Scan
from sabot.record.own import OwnStudioPart
from sabot.rounds.queries import RoundRow
from sabot.rounds.studio import (
    CARD,
    CORRECTION,
    TAKE_BACK,
    CardRead,
    ClosedByHand,
    Corrected,
    TakenBack,
    Turned,
)
from sabot.rounds.studio_queries import ENDS

_FACE_DOWN = "face down"


class CardChange(NamedTuple):
    """A card that was taken back or corrected: its place in the shoe, what was done, by whom and why."""

    place: int
    text: str
    by: int
    why: str


def card_changes(rows: Sequence[RoundRow], start: int) -> list[CardChange]:
    """The corrections of a round, in their order; a card that lay face down is not named."""
    cards: dict[int, str] = {}
    changes = []
    for row in rows:
        if row.kind == CARD:
            command = row.command
            cards[row.n] = format_card(command.card) if isinstance(command, Scan) else _FACE_DOWN
        elif row.kind == TAKE_BACK:
            back = msgspec.json.decode(_detail(row), type=TakenBack)
            place = start + len(cards) - 1
            changes.append(CardChange(place, f"{cards.pop(back.row)} taken back", back.by, back.why))
        elif row.kind == CORRECTION:
            made = msgspec.json.decode(_detail(row), type=Corrected)
            before, after = cards[made.row], _FACE_DOWN if made.after is None else format_card(made.after)
            place = start + list(cards).index(made.row)
            changes.append(CardChange(place, f"{before} corrected to {after}", made.by, made.why))
            cards[made.row] = after
    return changes


def own_studio_part(rows: Sequence[RoundRow], start: int) -> OwnStudioPart:
    """What a player may keep of the cards that a person dealt."""
    told = {row.n: commitment for row in rows if (commitment := commitment_of(row))}
    holes = (f"{told[one.row]} {one.salt} {format_card(one.card)}" for one in turned_cards(rows))
    changes = (f"{change.place} {change.text}" for change in card_changes(rows, start))
    return OwnStudioPart("studio", start, tuple(holes), tuple(changes))


def commitment_of(row: RoundRow) -> str:
    """The commitment to a card that lay face down, as players were told it; empty in other rows."""
    if row.kind == CARD:
        return msgspec.json.decode(_detail(row), type=CardRead).commitment
    return msgspec.json.decode(_detail(row), type=Corrected).commitment if row.kind == CORRECTION else ""


def turned_cards(rows: Sequence[RoundRow]) -> tuple[Turned, ...]:
    """The hole cards of a round that is over, in the order in which they were dealt or corrected."""
    if not rows or rows[-1].kind not in ENDS or not isinstance(rows[-1].body.detail, Raw):
        return ()
    return msgspec.json.decode(rows[-1].body.detail, type=ClosedByHand).down


def _detail(row: RoundRow) -> Raw:
    assert isinstance(row.body.detail, Raw), "such a row says what was done"
    return row.body.detail
