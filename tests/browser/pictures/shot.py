"""A picture to be taken of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sabot.rounds.shoes import ShoeSource
from tests.browser.support.guest import Guest
from tests.support.shoes import StackedShoes


class Shot(NamedTuple):
    """What it is called, how a guest gets there, whether all of the page is in it, and the shoes if it needs its own."""

    name: str
    title: str
    go: Callable[[Guest], None]
    whole: bool = True
    english: bool = False
    shoes: Callable[[], ShoeSource] | None = None


def stacked(*cards: str, draws: Sequence[Sequence[int]] = ()) -> Callable[[], ShoeSource]:
    """Shoes with chosen cards, and chosen draws of a bonus."""
    return lambda: StackedShoes(*cards, draws=draws)
