"""Majority Rules Speed Blackjack Live, dealt EU or US style (MAJ)."""

from msgspec.structs import replace

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

_EU = Rules(
    "majority-eu",
    decks=8,
    spots=2,
    backing="boxes",
    hole_card=False,
    checks=(),
    charlie=10,
    ten_up_returns_double=True,
    side_bets=_SIDE_BETS,
)
_US = replace(_EU, name="majority-us", hole_card=True, checks=("ace",))

GAMES = (
    Game(_EU, "Majority Rules Speed Blackjack Live (EU)", published=_PUBLISHED),
    Game(_US, "Majority Rules Speed Blackjack Live (US)", published=_PUBLISHED),
)
