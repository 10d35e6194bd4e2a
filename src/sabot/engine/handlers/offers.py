"""Handlers of answers to insurance and even money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import CloseOffers, Effect, EvenMoney, Insure
from sabot.engine.events import EvenMoneyAnswered
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def insure(round: Round, command: Insure) -> Effect:
    """Insurance for one hand or for all not yet answered (COM-31, COM-32)."""
    round.check_phase("offers")
    round.book.purse(command.player)
    places = round.offers.answered_by(command.player, command.spot)
    if command.accept:
        round.book.afford(command.player, sum(offer.cost for offer in places.values()))

    def effect() -> None:
        round.offers.insure(places, command.accept)
        round.next_offer()

    return effect


def even_money(round: Round, command: EvenMoney) -> Effect:
    """Even money on a blackjack (LNK-04)."""
    round.check_phase("offers")
    place = round.offers.even_money_at(command.spot)

    def effect() -> None:
        del round.offers.open[place]
        round.emit(EvenMoneyAnswered(command.spot, command.accept))
        if command.accept:
            round.play.end(command.spot, 0, "even-money")
        round.next_offer()

    return effect


def close_offers(round: Round, command: CloseOffers) -> Effect:
    """Close the window of a live table; no answer is a refusal (COM-32)."""
    round.check_phase("offers")
    if round.rules.backing == "solo":
        raise Refusal("offer/none")

    def effect() -> None:
        round.offers.close()
        round.end_offers()

    return effect
