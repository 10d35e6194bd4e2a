"""Cashback Blackjack (CSH)."""

from sabot.games.game import Game
from sabot.games.rules import Rules
from sabot.games.sidebets import DEALER_PAIR, PLAYER_PAIR, TWENTY_ONE_PLUS_3

GAMES = (
    Game(
        Rules(
            "cashback",
            spots=5,
            checks=(),
            cashback=True,
            charlie=10,
            ten_up_returns_double=True,
            side_bets=(PLAYER_PAIR, TWENTY_ONE_PLUS_3, DEALER_PAIR),
        ),
        "Cashback Blackjack",
        published={"main": "99.55", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"},
        refusal_lasts=True,
    ),
)
