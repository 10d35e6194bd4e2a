"""What is done for a player who does not come back (PLT-30)."""

from __future__ import annotations

from sabot.engine.commands import AnyCommand, EvenMoney, Insure, Player, Stand
from sabot.engine.round import Round


def absent_move(round: Round, player: Player) -> AnyCommand:
    """Offers are refused, hands stand, bonus spins are played; RESA and CASHBACK are never automatic."""
    if round.phase == "offers":
        (_, spot), offer = round.offers.current
        return EvenMoney(spot, False) if offer.kind == "even-money" else Insure(player, False, spot)
    if round.turn is not None:
        return Stand(*round.turn)
    return round.legal()[0]  # the bonus: its one next step
