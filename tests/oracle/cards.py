"""Cards and what they count (COM-01..04). A card is 13 * suit + rank, rank 0 = ace … 12 = king, suits s h d c."""

from __future__ import annotations

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["s", "h", "d", "c"]
RED = ["h", "d"]


def rank(card: int) -> int:
    return card % 13


def suit(card: int) -> str:
    return SUITS[card // 13]


def colour(card: int) -> str:
    return "red" if suit(card) in RED else "black"


def is_ace(card: int) -> bool:
    return rank(card) == 0


def is_ten(card: int) -> bool:
    """10, J, Q or K."""
    return rank(card) >= 9


def low(card: int) -> int:
    """The points of a card, an ace being 1."""
    return 10 if is_ten(card) else rank(card) + 1


def total(cards: list[int]) -> int:
    """COM-02: an ace counts 11 while that does not bust the hand. Two aces can never both count 11.

    >>> total(parse("As 6h")), total(parse("As 6h 10d")), total(parse("Ac Ad 9h"))
    (17, 17, 21)
    """
    lowest = sum(low(card) for card in cards)
    if any(is_ace(card) for card in cards) and lowest + 10 <= 21:
        return lowest + 10
    return lowest


def is_soft(cards: list[int]) -> bool:
    return total(cards) != sum(low(card) for card in cards)


def is_natural(cards: list[int]) -> bool:
    """An ace and a ten-value card, and nothing else. Whether it is a blackjack depends on the split (COM-03, COM-04)."""
    return len(cards) == 2 and total(cards) == 21


def same_value(first: int, second: int) -> bool:
    """COM-40: 10 and K are a pair by value."""
    return low(first) == low(second)


def parse(text: str) -> list[int]:
    """
    >>> parse("As 2s Kc")
    [0, 1, 51]
    """
    return [13 * SUITS.index(word[-1]) + RANKS.index(word[:-1]) for word in text.split()]
