"""Places of cards in the shoe, from events; a face-down card has a place but no face yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sabot.engine.events import CardBurnt, CardDealt, Event, HoleDealt, HoleShown


class Places:
    """Counts the places of dealt cards.

    >>> places = Places(10)
    >>> list(places.turned([CardDealt(0, 0, 51, 10, False), HoleDealt(), HoleShown(0, 11, True)]))
    [(10, 51), (11, 0)]
    >>> places.next
    12
    """

    def __init__(self, start: int) -> None:
        self.next = start
        self._hole = start

    def turned(self, events: Iterable[Event]) -> Iterator[tuple[int, int]]:
        """Place and face of each card that these events turn."""
        for event in events:
            if isinstance(event, CardDealt):
                yield self.next, event.card
                self.next += 1
            elif isinstance(event, HoleDealt):
                self._hole = self.next
                self.next += 1
            elif isinstance(event, HoleShown):
                yield self._hole, event.card
            elif isinstance(event, CardBurnt):
                self.next += 1

    def pass_over(self, events: Iterable[Event]) -> None:
        """Count the cards of these events."""
        for _ in self.turned(events):
            pass
