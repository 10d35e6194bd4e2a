"""Rounds that a person deals, played again without a card or with another (STU-08).

The engine has no undo: the round is opened anew, and its commands are given again.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sabot.engine import AnyCommand, AnyEvent
from sabot.engine.commands import AddMoney, Join, Scan
from sabot.engine.events import HoleDealt, HoleShown
from sabot.engine.inputs import Chance
from sabot.engine.shoe import HandShoe
from sabot.errors import Refusal
from sabot.games import find
from sabot.rounds.stored import Opening, StoredRound
from sabot.rounds.studio import HandShoeState
from sabot.store.entry import Movement

#: By how much a change moves the number of the turn on: what was decided on the card before is out of date. A card
#: that is taken back counts as well as the taking back.
_TAKEN_BACK, _CORRECTED = 2, 1


def hand_chance(opening: Opening) -> Chance:
    """The shoe of a round that a person deals."""
    if opening.studio is None or opening.studio.shoe is None:
        raise LookupError("the round was not dealt by a person")
    return Chance(opening.studio.shoe.shoe(find(opening.game).rules))


def last_card(stored: StoredRound) -> int:
    """The row of the last card, if nothing was done after it; else it cannot be taken back."""
    row = stored.scans.get(_last_place(stored))
    if row is None or stored.round.over:
        raise Refusal("card/acted-on")
    return row


def _last_place(stored: StoredRound) -> int:
    """The place of the last command; money that a player brings is no answer to a card."""
    commands = stored.round.commands
    return max((place for place, one in enumerate(commands) if not isinstance(one, AddMoney)), default=-1)


def without_last(stored: StoredRound) -> StoredRound:
    """The round as it was before its last card."""
    last_card(stored)
    commands, place = stored.round.commands, _last_place(stored)
    before, _, _ = _again(stored, [*commands[:place], *commands[place + 1 :]])
    del before.scans[place]
    before.changes += _TAKEN_BACK
    return before


def with_another(stored: StoredRound, row: int, card: int) -> tuple[StoredRound, list[AnyEvent]]:
    """The round with another card in the place of one, and its events from there on.

    What was decided since must still be possible, and move the same money; else the round can only be voided.
    """
    commands = list(stored.round.commands)
    place = next((place for place, of in stored.scans.items() if of == row), None)
    if place is None or stored.round.over:
        raise Refusal("card/none")
    _, events, moved = _again(stored, commands)
    commands[place] = Scan(card)
    if is_hole(events[place]):
        for turned, happened in enumerate(events):
            if any(isinstance(event, HoleShown) for event in happened):
                commands[turned] = Scan(card)  # it was read again when it was turned
    try:
        after, events, moved_now = _again(stored, commands)
    except Refusal:
        raise Refusal("card/not-correctable") from None
    if moved_now != moved:
        raise Refusal("card/not-correctable")
    after.changes += _CORRECTED
    return after, [event for step in events[place:] for event in step]


def _again(
    stored: StoredRound, commands: Sequence[AnyCommand]
) -> tuple[StoredRound, list[tuple[AnyEvent, ...]], list[Movement]]:
    """The round from its opening on with these commands: with the events of each, and the money they moved."""
    again = StoredRound(stored.code, stored.opening, hand_chance(stored.opening), None)
    joined = iter(stored.joined)
    events: list[tuple[AnyEvent, ...]] = []
    moved: list[Movement] = []
    for command in commands:
        if isinstance(command, Join):
            happened, body = again.join(command, next(joined))
        else:
            happened, body = again.apply(command)
        events.append(happened)
        moved += body.movements
    again.scans = dict(stored.scans)
    again.down, again.holes, again.changes = dict(stored.down), list(stored.holes), stored.changes
    return again, events, moved


def shoe_after(stored: StoredRound) -> HandShoeState:
    """What is gone of the shoe after a round; a burnt card is one that nobody has seen (MAJ-07)."""
    round, studio = stored.round, stored.opening.studio
    assert studio is not None
    assert studio.shoe is not None
    assert isinstance(round.shoe, HandShoe)
    gone, unseen = list(round.shoe.gone), studio.shoe.unseen
    if round.options.burn and round.tape.cards:
        gone[round.tape.cards[0]] -= 1
        unseen += 1
    return replace(studio.shoe, gone=tuple(gone), unseen=unseen, cut_seen=round.shoe.cut_seen)


def card_of(stored: StoredRound, row: int) -> int | None:
    """The card of a row as it is now; None if there is none."""
    for place, of in stored.scans.items():
        command = stored.round.commands[place]
        if of == row and isinstance(command, Scan):
            return command.card
    return None


def is_hole(events: Sequence[AnyEvent]) -> bool:
    """Whether the events of a card laid down a hole card; a burnt one is never turned."""
    return any(isinstance(event, HoleDealt) for event in events)
