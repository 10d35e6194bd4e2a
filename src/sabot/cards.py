"""Cards and hands: their texts, values and totals.

A card is a small integer, ``13 * suit + rank``, with rank 0 the ace and 12 the king and suits in the
order spades, hearts, diamonds, clubs. Its text is rank and suit letter:

>>> parse_cards("As 10h")
[0, 22]
>>> format_cards([0, 22])
'As 10h'
>>> Hand(parse_cards("As 6d"))
Hand('As 6d', soft 17)
"""

from collections.abc import Iterable
from typing import NewType

Card = NewType("Card", int)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "shdc"
DECK_SIZE = 52

#: What each card counts, the ace as 1 (COM-02).
VALUES: tuple[int, ...] = tuple(min(card % 13 + 1, 10) for card in range(DECK_SIZE))

_NAMES = tuple(f"{RANKS[card % 13]}{SUITS[card // 13]}" for card in range(DECK_SIZE))
_CARDS = {name.upper(): Card(card) for card, name in enumerate(_NAMES)}


class CardError(ValueError):
    """A text or number that is not a card."""


class ShoeEmptyError(Exception):
    """The shoe has no card left (COM-12)."""


def parse_card(text: str) -> Card:
    """The card that a text names, in any case.

    >>> parse_card("qC")
    50
    >>> parse_card("1s")
    Traceback (most recent call last):
    sabot.cards.CardError: '1s' is no card: write a rank (A 2 3 4 5 6 7 8 9 10 J Q K) and a suit (s h d c), like 10h
    """
    try:
        return _CARDS[text.upper()]
    except KeyError:
        ranks, suits = " ".join(RANKS), " ".join(SUITS)
        raise CardError(
            f"{text!r} is no card: write a rank ({ranks}) and a suit ({suits}), like 10h"
        ) from None


def parse_cards(text: str) -> list[Card]:
    """The cards of a text, separated by blanks or commas."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def format_card(card: int) -> str:
    """The text of a card."""
    if not 0 <= card < DECK_SIZE:
        raise CardError(f"{card} is no card: cards are the numbers 0 to 51")
    return _NAMES[card]


def format_cards(cards: Iterable[int]) -> str:
    """The text of several cards, separated by blanks."""
    return " ".join(map(format_card, cards))


def rank(card: int) -> int:
    """0 for an ace, 1 for a two … 12 for a king."""
    return card % 13


def suit(card: int) -> int:
    """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card // 13


def is_red(card: int) -> bool:
    """Hearts and diamonds are red."""
    return 1 <= card // 13 <= 2


def is_ace(card: int) -> bool:
    """
    >>> is_ace(parse_card("Ad")), is_ace(parse_card("2d"))
    (True, False)
    """
    return card % 13 == 0


def is_ten(card: int) -> bool:
    """A ten, jack, queen or king (COM-02).

    >>> [is_ten(card) for card in parse_cards("9s 10s Ks")]
    [False, True, True]
    """
    return card % 13 >= 9


def decks(count: int) -> list[Card]:
    """The cards of whole decks, in order (COM-01)."""
    return [Card(card) for _ in range(count) for card in range(DECK_SIZE)]


class Hand:
    """Cards in the order they came, and their total (COM-02)."""

    __slots__ = ("_ace", "_hard", "cards", "soft", "total")

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        self.cards: list[Card] = []
        self._hard = 0
        self._ace = False
        #: The total, with an ace as 11 where that does not bust the hand.
        self.total = 0
        #: Whether an ace counts 11.
        self.soft = False
        for card in cards:
            self.add(card)

    def add(self, card: Card) -> None:
        """Add a card."""
        self.cards.append(card)
        value = VALUES[card]
        self._hard = hard = self._hard + value
        if value == 1:
            self._ace = True
        self.soft = soft = self._ace and hard <= 11
        self.total = hard + 10 if soft else hard

    @property
    def bust(self) -> bool:
        """Whether the total is over 21."""
        return self.total > 21

    @property
    def is_natural(self) -> bool:
        """Whether the hand is exactly an ace and a ten-value card."""
        return self.total == 21 and len(self.cards) == 2

    @property
    def is_pair(self) -> bool:
        """Whether the hand is two cards of one value (COM-40: 10-K is a pair)."""
        cards = self.cards
        return len(cards) == 2 and VALUES[cards[0]] == VALUES[cards[1]]

    def __repr__(self) -> str:
        soft = "soft " if self.soft else ""
        return f"Hand({format_cards(self.cards)!r}, {soft}{self.total})"
