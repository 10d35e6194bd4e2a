"""Before a solo game opens: with every choice of limits its bets keep their returns (LNK-08, LNK-31)."""

from __future__ import annotations

from sabot.games import Game
from sabot.games.options import LIMIT_CHOICES, LimitChoice
from sabot.odds.startup import check_table


def check_opening(game: Game, choices: tuple[LimitChoice, ...] = LIMIT_CHOICES) -> None:
    """Refuse, with an `OptionError`, a game whose weights or maximum win do not fit some limits."""
    for choice in choices:
        check_table(game.rules, game.options.with_limits(choice))
