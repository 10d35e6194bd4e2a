"""A blackjack house: five games, one pure engine."""

__version__ = "1.0.0"
