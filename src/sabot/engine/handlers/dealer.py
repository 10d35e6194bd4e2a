"""Handlers of a dealer who is a person: cards that were read, the cut card, the payment (STU-02, STU-06, STU-07)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import Effect, Pay, Scan, ShowCutCard
from sabot.engine.shoe import HandShoe
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def scan(round: Round, command: Scan) -> Effect:
    """Take the card that is due, if the shoe can contain it; a turned card must be the one that lay there."""
    shoe, due = _shoe_of(round), round.play.due
    if due is None or due.what == "pay":
        raise Refusal("card/not-due")
    if due.what == "turn":
        if command.card != round.play.hole:
            raise Refusal("card/not-the-hole")
    elif not shoe.can_hold(command.card):
        # A card that lies face down is not named: whoever reads the error must not learn it (STU-06).
        raise Refusal("card/not-in-shoe", decks=round.rules.decks)

    def effect() -> None:
        shoe.put(command.card)
        round.play.go_on()

    return effect


def pay(round: Round, command: Pay) -> Effect:
    """Settle the round, once the last card lies."""
    _shoe_of(round)
    due = round.play.due
    if due is None or due.what != "pay":
        raise Refusal("round/not-to-pay")
    return round.play.go_on


def show_cut_card(round: Round, command: ShowCutCard) -> Effect:
    """The cut card came out: the shoe is changed after this round (COM-12)."""
    shoe = _shoe_of(round)
    if round.over:
        raise Refusal("round/over")
    if shoe.cut_seen:
        raise Refusal("shoe/cut-seen")

    def effect() -> None:
        shoe.cut_seen = True

    return effect


def _shoe_of(round: Round) -> HandShoe:
    """The shoe, if a person deals from it."""
    if not isinstance(round.shoe, HandShoe):
        raise Refusal("card/by-house")
    return round.shoe
