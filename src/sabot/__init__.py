"""A blackjack house: five games, one pure engine."""

__version__ = "0.1.0"
