"""The shoe: where cards come from, and which place in it each card had."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from sabot.cards import DECK_SIZE, Card, CardError, ShoeEmptyError
from sabot.engine.events import CardBurnt, CardDealt, Event, HoleDealt, HoleShown

_ALL = frozenset(range(DECK_SIZE))


class Shoe(Protocol):
    """A source of cards, already shuffled."""

    #: Cards dealt so far.
    dealt: int

    def draw(self) -> Card | None:
        """The next card; None if it has not come yet, `ShoeEmptyError` if there is none left."""
        ...


class HandShoe:
    """A shoe from which a person deals: cards come one by one, each when it was read (STU-02, STU-07).

    >>> shoe = HandShoe(1)
    >>> shoe.draw() is None, shoe.put(22), shoe.draw(), shoe.draw() is None, shoe.dealt
    (True, None, 22, True, 1)
    >>> shoe.can_hold(22), shoe.can_hold(23)
    (False, True)
    """

    def __init__(self, decks: int, gone: Sequence[int] = (), unseen: int = 0) -> None:
        """`gone` has how many of each card were dealt before, `unseen` how many cards more, which no one has read."""
        self._decks = decks
        self.gone = list(gone) or [0] * DECK_SIZE
        self.dealt = sum(self.gone) + unseen
        #: Whether the cut card was seen (COM-12).
        self.cut_seen = False
        self._read: Card | None = None

    def can_hold(self, card: int) -> bool:
        """Whether the shoe can still contain a card (STU-07)."""
        return self.gone[card] < self._decks

    def put(self, card: int) -> None:
        """A card was read; the round takes it next."""
        self._read = Card(card)

    def draw(self) -> Card | None:
        """The card that was read, if one was."""
        card = self.read_again()
        if card is not None:
            self.gone[card] += 1
            self.dealt += 1
        return card

    def read_again(self) -> Card | None:
        """The card that was read; it lies on the table already."""
        card, self._read = self._read, None
        return card


class StackedShoe:
    """A shoe in a given order, for replays, tests and analysis.

    >>> shoe = StackedShoe([0, 22])
    >>> shoe.draw(), shoe.draw(), shoe.dealt
    (0, 22, 2)
    """

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = list(cards)
        if not _ALL.issuperset(self._cards):
            wrong = next(card for card in self._cards if card not in _ALL)
            raise CardError(f"{wrong} is no card: cards are the numbers 0 to 51")
        self.dealt = 0

    @property
    def left(self) -> int:
        """Cards still to come."""
        return len(self._cards) - self.dealt

    def draw(self) -> Card:
        """The next card of the given order."""
        dealt = self.dealt
        if dealt == len(self._cards):
            raise ShoeEmptyError(f"all {dealt} cards of the shoe are dealt")
        self.dealt = dealt + 1
        return Card(self._cards[dealt])


class Places:
    """Counts the places of dealt cards, from events; a face-down card has a place but no face yet.

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
