"""Classic Free Bet Blackjack (FRB)."""

from sabot.games.game import Game
from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Rules
from sabot.games.sidebets import PLAYER_PAIR, TWENTY_ONE_PLUS_3

GAMES = (
    Game(
        Rules(
            "freebet",
            decks=8,
            spots=7,
            backing="seats",
            checks=("ace",),
            double_after_split=False,
            free_double=(9, 10, 11),
            free_split=(1, 2, 3, 4, 5, 6, 7, 8, 9),
            dealer_22_pushes=True,
            side_bets=(PLAYER_PAIR, TWENTY_ONE_PLUS_3),
        ),
        "Classic Free Bet Blackjack",
        published={"main": "98.26", "player-pair": "95.90", "21+3": "96.30"},
        options=TableOptions(main=Limits(100, 500_000), behind=Limits(100, 500_000)),
    ),
)
