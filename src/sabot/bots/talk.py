"""What bots say, from the catalogue of their language."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Literal

from sabot.texts import Catalogue

Occasion = Literal["hello", "won", "lost", "even", "bust"]


def line(rng: Random, language: str, occasion: Occasion) -> str:
    """A random line for an occasion.

    >>> line(Random(3), "en", "hello") in lines("en", "hello")
    True
    """
    return rng.choice(lines(language, occasion))


@cache
def lines(language: str, occasion: Occasion) -> tuple[str, ...]:
    """All lines for an occasion."""
    catalogue = Catalogue(language)
    keys = sorted(key for key in catalogue.keys() if key.startswith(f"bots.{occasion}."))  # noqa: SIM118  # a catalogue is no dict
    return tuple(catalogue.text(key) for key in keys)
