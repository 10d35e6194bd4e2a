"""The guide of a game at a table, section by section."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from sabot.guide.facts import Facts, Sentence, Speaker
from sabot.guide.sentences import SECTIONS
from sabot.texts import Catalogue


class Section(Struct, frozen=True):
    """A heading and the sentences below it."""

    name: str
    title: str
    lines: tuple[str, ...]


def guide(facts: Facts, language: str) -> tuple[Section, ...]:
    """The sections of the guide of a game."""
    speaker = Speaker(Catalogue(language), facts)
    sections = (
        Section(
            name,
            speaker.text(f"section.{name}"),
            tuple(_line(speaker, each) for each in holding(facts, name)),
        )
        for name in SECTIONS
    )
    return tuple(section for section in sections if section.lines)


def _line(speaker: Speaker, sentence: Sentence) -> str:
    """The text of a sentence, with a capital first letter."""
    line = speaker.text(sentence.key, **sentence.params(speaker, speaker.facts))
    return line[:1].upper() + line[1:]


def holding(facts: Facts, section: str) -> Iterator[Sentence]:
    """The sentences of a section that apply to a game."""
    return (sentence for sentence in SECTIONS[section] if sentence.applies(facts))


def stated(facts: Facts) -> frozenset[str]:
    """The ids of all rules in the guide of a game."""
    return frozenset(
        rule for section in SECTIONS for sentence in holding(facts, section) for rule in sentence.rules
    )
