"""The classic game of the literature, for comparison: one hand, no side bets."""

from sabot.games.game import Game
from sabot.games.rules import Rules

GAMES = (
    Game(Rules("classic-6"), "Classic Blackjack, 6 decks"),
    Game(Rules("classic-8", decks=8), "Classic Blackjack, 8 decks"),
)
