"""Which language to speak: the one asked for, else the locale's, else Italian."""

from __future__ import annotations

from collections.abc import Mapping

from sabot.texts import Catalogue


def language_of(environment: Mapping[str, str]) -> str:
    """Italian for an Italian locale or none, else English.

    >>> language_of({}), language_of({"LANG": "it_IT.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "it_IT"})
    ('it', 'it', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = environment.get(name)
        if locale:
            return "it" if locale.lower().startswith("it") else "en"
    return "it"


def catalogue_for(asked: str | None, environment: Mapping[str, str]) -> Catalogue:
    """The catalogue to speak from; `UnknownLanguageError` for a language asked for in vain."""
    return Catalogue(asked or language_of(environment))
