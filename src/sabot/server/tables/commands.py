"""From a question of a player's to the engine's command.

>>> command_of(requests.Hit("a", "solo/7/surrender/FUN", "260829-104000-K7QA", 2, spot=1), "7")
Hit(spot=1, hand=0)
"""

from __future__ import annotations

from sabot.engine import commands as play
from sabot.errors import Refusal
from sabot.protocol import requests


def command_of(ask: requests.AnyRequest, player: str) -> play.AnyCommand:
    """The engine's command for what a player asks in a round."""
    match ask:
        case requests.Cashback(spot=spot, hand=hand, price=price):
            return play.Cashback(spot, hand, price=price)
        case requests.Insure(accept=accept, spot=spot):
            return play.Insure(player, accept, spot)
        case requests.EvenMoney(spot=spot, accept=accept):
            return play.EvenMoney(spot, accept)
        case requests.Spin(spot=spot):
            return play.Spin(spot)
        case requests.Continue(spot=spot):
            return play.Continue(spot)
        case requests.Decide(spot=spot, hand=hand) if type(ask) in _DECISIONS:
            return _DECISIONS[type(ask)](spot, hand)
    raise Refusal("command/unknown", command=type(ask).__name__)


_DECISIONS: dict[
    type[requests.Decide], type[play.Hit | play.Stand | play.Double | play.Split | play.Surrender]
] = {
    requests.Hit: play.Hit,
    requests.Stand: play.Stand,
    requests.Double: play.Double,
    requests.Split: play.Split,
    requests.Surrender: play.Surrender,
}
