"""Every word a player reads, in Italian and English, found by key."""

from sabot.texts.catalogue import LANGUAGES, Catalogue, UnknownLanguageError

__all__ = ["LANGUAGES", "Catalogue", "UnknownLanguageError"]
