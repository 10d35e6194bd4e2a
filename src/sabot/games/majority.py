"""Majority Rules Speed Blackjack, dealt EU or US style (MAJ)."""

from sabot.games.game import Game
from sabot.games.rules import Rules
from sabot.games.sidebets import (
    BUSTER,
    DEALER_PAIR_PER_BOX,
    LUCKY_LUCKY,
    PLAYER_PAIR,
    TOP_3,
    TWENTY_ONE_PLUS_3,
)

_SIDE_BETS = (TWENTY_ONE_PLUS_3, PLAYER_PAIR, DEALER_PAIR_PER_BOX, TOP_3, BUSTER, LUCKY_LUCKY)
_PUBLISHED = {
    "main": "99.54",
    "21+3": "96.30",
    "player-pair": "95.90",
    "dealer-pair": "95.90",
    "top-3": "91.00",
    "buster": "93.87",
    "lucky-lucky": "96.10",
}

GAMES = (
    Game(
        Rules(
            "majority-eu",
            decks=8,
            spots=2,
            backing="boxes",
            hole_card=False,
            checks=(),
            charlie=10,
            ten_up_returns_double=True,
            side_bets=_SIDE_BETS,
        ),
        "Majority Rules Speed Blackjack (EU)",
        published=_PUBLISHED,
    ),
    Game(
        Rules(
            "majority-us",
            decks=8,
            spots=2,
            backing="boxes",
            checks=("ace",),
            charlie=10,
            ten_up_returns_double=True,
            side_bets=_SIDE_BETS,
        ),
        "Majority Rules Speed Blackjack (US)",
        published=_PUBLISHED,
    ),
)
