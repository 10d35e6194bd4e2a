"""What the lines of a history show of finished rounds: the cards, and with what the player's bets won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec.structs import asdict
from sqlalchemy import Connection

from sabot.engine.events import BetSettled, BetsPlaced, BonusEnded, SideBetDecided
from sabot.engine.view import EMPTY, SpotView, fold
from sabot.rounds.history import Line, seen_events
from sabot.rounds.queries import RoundRow, seen_rows


class LineWithCards(Line, frozen=True):
    """A round in a player's history, with the face-up cards of the dealer and of each hand the player had a bet on."""

    dealer: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    #: How many of the hands, the last ones, are of seats that the player stood behind (FRB-40).
    behind: int
    #: What each bonus of the round paid to 1 (LNK-20).
    bonuses: tuple[int, ...]
    #: The player's own side bets that won, each with its combination and what that pays to 1 (PLT-70).
    sides: tuple[SideBetDecided, ...]


def with_cards(connection: Connection, player: int, lines: Sequence[Line]) -> tuple[LineWithCards, ...]:
    """The lines of a page with the cards of their rounds."""
    rows = seen_rows(connection, player, *(line.code for line in lines))
    return tuple(_with_cards(line, rows[line.code], str(player)) for line in lines)


def _with_cards(line: Line, rows: Sequence[RoundRow], player: str) -> LineWithCards:
    events = [event for row in rows for event in seen_events(row, player)]
    view = reduce(fold, events, EMPTY)
    placed = [event for event in events if isinstance(event, BetsPlaced)]
    own = {bet.spot for bet in placed[-1].bets} if placed else set()
    spots = [spot for spot in view.spots if spot.spot in own]
    seated = _cards(spot for spot in spots if spot.owner in (None, player))
    behind = _cards(spot for spot in spots if spot.owner not in (None, player))
    bonuses = tuple(event.pays for event in events if isinstance(event, BonusEnded))
    # A side bet is decided for everybody at a live table, and paid to each who has it; in a voided round nothing is paid.
    paid = {(event.spot, event.why) for event in events if isinstance(event, BetSettled) and event.paid}
    decided = (event for event in events if isinstance(event, SideBetDecided))
    sides = tuple(event for event in decided if event.pays and (event.spot, event.kind) in paid)
    return LineWithCards(
        **asdict(line),
        dealer=view.dealer.cards,
        hands=(*seated, *behind),
        behind=len(behind),
        bonuses=bonuses,
        sides=sides,
    )


def _cards(spots: Iterable[SpotView]) -> list[tuple[int, ...]]:
    return [hand.cards for spot in spots for hand in spot.hands if hand.cards]
