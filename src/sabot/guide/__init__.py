"""A game's guide: every rule that a player can be affected by, in sentences made from what is in force (PLT-66)."""

from sabot.guide.facts import Facts, Sentence
from sabot.guide.guide import Section, guide, stated
from sabot.guide.sentences import SECTIONS

__all__ = ["SECTIONS", "Facts", "Section", "Sentence", "guide", "stated"]
