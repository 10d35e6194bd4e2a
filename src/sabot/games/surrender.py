"""Blackjack Surrender Multihand (SUR)."""

from sabot.games.game import Game
from sabot.games.rules import Rules
from sabot.games.sidebets import DEALER_PAIR, PLAYER_PAIR, TWENTY_ONE_PLUS_3

GAMES = (
    Game(
        Rules(
            "surrender",
            spots=5,
            surrender=True,
            charlie=7,
            side_bets=(PLAYER_PAIR, TWENTY_ONE_PLUS_3, DEALER_PAIR),
        ),
        "Blackjack Surrender Multihand",
        published={"main": "99.66", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"},
    ),
)
