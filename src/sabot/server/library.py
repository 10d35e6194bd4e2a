"""The games: their rules, prizes, returns and limits, all from the values that the engine runs (PLT-61)."""

from __future__ import annotations

from functools import cache

from sabot.games import CATALOGUE, Game
from sabot.games.options import LIMIT_CHOICES
from sabot.games.tables import BEST_TABLES
from sabot.server import forms
from sabot.server.errors import ServerError
from sabot.server.route import Call


async def games(call: Call) -> forms.Games:
    """Every game of the house; for a player also which limits are hers."""
    return forms.Games(tuple(_head(game) for game in CATALOGUE.values()), _limits(call))


async def game(call: Call) -> forms.GamePage:
    """All about one game; for a player also which limits are hers (PLT-11)."""
    found = CATALOGUE.get(call.path.game)
    if found is None:
        raise ServerError("game/unknown", game=call.path.game)
    return forms.GamePage(
        game=_head(found),
        rules=found.rules,
        options=found.options,
        returns=await call.house.work(lambda: _returns(found.name)),
        best=BEST_TABLES[found.name],
        limits=_limits(call),
    )


def _limits(call: Call) -> tuple[forms.GameLimits, ...]:
    """The limits to choose from, and which of them the visitor may."""
    vip = 0 if call.visitor is None else call.visitor.vip
    return tuple(
        forms.GameLimits(choice.name, choice.vip, choice.main, choice.side, choice.vip <= vip)
        for choice in LIMIT_CHOICES
    )


def _head(game: Game) -> forms.GameHead:
    return forms.GameHead(game.name, game.title, game.live, game.rules.sha256)


@cache
def _returns(name: str) -> tuple[forms.GameReturn, ...]:
    """The exact returns of a game, worked out when they are first asked for: a house starts without."""
    from sabot.odds.returns import bet_returns

    return tuple(
        forms.GameReturn(row.bet, row.published, row.per_stake, row.per_initial, row.sd)
        for row in bet_returns(CATALOGUE[name])
    )
