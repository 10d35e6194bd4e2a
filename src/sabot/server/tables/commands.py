"""From a request in a round to the engine's command.

>>> command_of(requests.Insure("a", "solo/7/surrender/FUN", "260829-104000-K7QA", 2, accept=True), "7")
Insure(player='7', accept=True, spot=None)
"""

from __future__ import annotations

from sabot.engine.commands import AnyCommand, Insure
from sabot.errors import Refusal
from sabot.protocol import requests


def command_of(request: requests.AnyRequest, player: str) -> AnyCommand:
    """The engine's command of a request in a round at a solo table."""
    match request:
        case requests.Act(command=command):
            return command
        case requests.Insure(accept=accept, spot=spot):
            return Insure(player, accept, spot)
    raise unknown(request)


def unknown(request: requests.AnyRequest) -> Refusal:
    """Nothing that can be done at this table."""
    found = request.command if isinstance(request, requests.Act) else request
    return Refusal("command/unknown", command=type(found).__name__)
