"""Blackjack Link (LNK)."""

from sabot.games.bonus import Bonus
from sabot.games.game import Game
from sabot.games.options import TableOptions
from sabot.games.rules import Rules
from sabot.games.sidebets import DEALER_PAIR, LINK, PLAYER_PAIR, TWENTY_ONE_PLUS_3

GAMES = (
    Game(
        Rules(
            "link",
            spots=5,
            checks=(),
            even_money=True,
            charlie=10,
            ten_up_returns_double=True,
            side_bets=(PLAYER_PAIR, TWENTY_ONE_PLUS_3, LINK, DEALER_PAIR),
            bonus=Bonus(),
        ),
        "Blackjack Link",
        # The regulation publishes one range, 93.89 to 99.57, over all bets (RET-09 sets the LINK bet's own).
        published={"main": "99.57", "21+3": "95.38", "player-pair": "93.89", "dealer-pair": "93.89"},
        options=TableOptions(max_win=50_000_000),
        insurance_switch=False,
    ),
)
