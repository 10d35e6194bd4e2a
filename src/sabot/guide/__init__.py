"""A game's guide: every rule that affects a player, in sentences with the numbers in force (PLT-66)."""

from sabot.guide.facts import Facts
from sabot.guide.guide import SECTIONS, Section, Sentence, guide, stated

__all__ = ["SECTIONS", "Facts", "Section", "Sentence", "guide", "stated"]
