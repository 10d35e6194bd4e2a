"""Moves for an absent player (PLT-30)."""

from __future__ import annotations

from sabot.engine.commands import AnyCommand, EvenMoney, Insure, Player, Stand
from sabot.engine.round import Round


def absent_move(round: Round, player: Player) -> AnyCommand:
    """Refuse offers, stand, spin; never RESA or CASHBACK."""
    if round.phase == "offers":
        (_, spot), offer = round.offers.current
        return EvenMoney(spot, False) if offer.kind == "even-money" else Insure(player, False, spot)
    if round.turn is not None:
        return Stand(*round.turn)
    return round.legal()[0]  # the only step of the bonus
