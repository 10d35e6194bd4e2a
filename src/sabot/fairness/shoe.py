"""A shoe that a random stream shuffles while it is dealt."""

from functools import cache

from sabot.cards import Card, ShoeEmptyError, decks
from sabot.fairness.stream import SeedStream


@cache
def _in_order(count: int) -> tuple[Card, ...]:
    if count < 1:
        raise ValueError(f"a shoe has one deck or more, not {count}")
    return tuple(decks(count))


class SeededShoe:
    """Full decks in the order of a Fisher-Yates shuffle from the first card on (COM-13).

    Card ``k`` changes places with card ``k + stream.below(cards left)`` when it is drawn, so a round takes one number
    for each card. Only cards that changed places are stored; all shoes share the rest.

    >>> from sabot.cards import format_card
    >>> shoe = SeededShoe(1, SeedStream(bytes(32), "my seed", "shoe"))
    >>> cards = [shoe.draw() for _ in range(52)]
    >>> sorted(cards) == decks(1)
    True
    >>> shoe.draw()
    Traceback (most recent call last):
    sabot.cards.ShoeEmptyError: all 52 cards of the shoe are dealt
    """

    def __init__(self, decks: int, stream: SeedStream) -> None:
        self._cards = _in_order(decks)
        self._moved: dict[int, Card] = {}
        self._stream = stream
        #: How many cards have been drawn.
        self.dealt = 0

    def draw(self) -> Card:
        """The next card."""
        cards, moved, top = self._cards, self._moved, self.dealt
        left = len(cards) - top
        if not left:
            raise ShoeEmptyError(f"all {top} cards of the shoe are dealt")
        place = top + self._stream.below(left)
        first = moved.pop(top, cards[top])
        self.dealt = top + 1
        if place == top:
            return first
        card = moved.get(place, cards[place])
        moved[place] = first
        return card
