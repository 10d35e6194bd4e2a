"""From a question of a player's to the engine's command.

>>> command_of(messages.Hit("a", "solo/7/surrender/FUN", "260829-104000-K7QA", 2, spot=1), "7")
Hit(spot=1, hand=0)
"""

from __future__ import annotations

from sabot.engine import commands as play
from sabot.protocol import messages
from sabot.server.errors import ServerError


def command_of(ask: messages.AnyAsk, player: str) -> play.AnyCommand:
    """The engine's command for what a player asks in a round."""
    match ask:
        case messages.Cashback(spot=spot, hand=hand, price=price):
            return play.Cashback(spot, hand, price=price)
        case messages.Insure(accept=accept, spot=spot):
            return play.Insure(player, accept, spot)
        case messages.EvenMoney(spot=spot, accept=accept):
            return play.EvenMoney(spot, accept)
        case messages.Spin(spot=spot):
            return play.Spin(spot)
        case messages.Continue(spot=spot):
            return play.Continue(spot)
        case messages.Decide(spot=spot, hand=hand) if type(ask) in _DECISIONS:
            return _DECISIONS[type(ask)](spot, hand)
    raise ServerError("command/unknown", command=type(ask).__name__)


_DECISIONS: dict[
    type[messages.Decide], type[play.Hit | play.Stand | play.Double | play.Split | play.Surrender]
] = {
    messages.Hit: play.Hit,
    messages.Stand: play.Stand,
    messages.Double: play.Double,
    messages.Split: play.Split,
    messages.Surrender: play.Surrender,
}
