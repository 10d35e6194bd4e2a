"""Which place of the shoe each card came from: the salts of cards that are turned, and of no other (ASR-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sabot.engine.events import CardBurnt, CardDealt, Event, HoleDealt, HoleShown
from sabot.engine.shoe import Shoe
from sabot.fairness.live import LiveShoe
from sabot.live.events import CardProof


class Places:
    """The place of the next card of the shoe, and of the one that lies face down before the dealer."""

    def __init__(self, start: int) -> None:
        self._next = start
        self._hole = start

    def turned(self, events: Iterable[Event]) -> Iterator[tuple[int, int]]:
        """The place and the face of each card that these events turn."""
        for event in events:
            if isinstance(event, CardDealt):
                yield self._next, event.card
                self._next += 1
            elif isinstance(event, HoleDealt):
                self._hole = self._next
                self._next += 1
            elif isinstance(event, HoleShown):
                yield self._hole, event.card
            elif isinstance(event, CardBurnt):
                self._next += 1

    def pass_over(self, events: Iterable[Event]) -> None:
        """Count what these events dealt, and say nothing."""
        for _ in self.turned(events):
            pass


def proofs(shoe: Shoe, places: Places, events: Iterable[Event]) -> tuple[CardProof, ...]:
    """The proofs of the cards these events turn; a shoe that is not sealed card by card has none."""
    turned = list(places.turned(events))
    if not isinstance(shoe, LiveShoe):
        return ()
    return tuple(CardProof(place, card, shoe.salt(place)) for place, card in turned)
