"""Openings of cards, checked by the program that has nothing of sabot in it."""

from __future__ import annotations

from sabot.cards import format_card
from sabot.fairness.live import CardOpening
from tests.fairness import independent


def check_opening(root: str, cards: int, opening: CardOpening) -> None:
    """Check a card against the root of its shoe; `independent.Refused` if the root did not promise it."""
    card = format_card(opening.card)
    independent.check_opening(root, cards, opening.position, card, opening.salt, opening.path)
