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
    """Every section that has something to say of this game."""
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
    """A sentence, filled in; it begins with a capital also where a bet's name comes first."""
    line = speaker.text(sentence.key, **sentence.params(speaker, speaker.facts))
    return line[:1].upper() + line[1:]


def holding(facts: Facts, section: str) -> Iterator[Sentence]:
    """The sentences of a section that hold for this game."""
    return (sentence for sentence in SECTIONS[section] if sentence.applies(facts))


def stated(facts: Facts) -> frozenset[str]:
    """The ids of all rules that the guide of this game states."""
    return frozenset(
        rule for section in SECTIONS for sentence in holding(facts, section) for rule in sentence.rules
    )
