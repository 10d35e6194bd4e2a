"""Which category cards make, by name: what an event tells and a replay compares, also where nothing is paid."""

from __future__ import annotations

import pytest

from sabot.cards import parse_cards
from sabot.games.sidebets import dealer_bust, lucky, pair, three_cards


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("7s 7s", "perfect"),
        ("7h 7d", "coloured"),
        ("7s 7c", "coloured"),
        ("7s 7h", "mixed"),
        ("7s 8s", ""),
        ("10s Ks", ""),
    ],
)
def test_the_kinds_of_pair(cards: str, category: str) -> None:
    assert pair(*parse_cards(cards)) == category


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("Qh Qh Qh", "suited-three"),
        ("Qh Kh Ah", "straight-flush"),
        ("2h Ah 3h", "straight-flush"),
        ("Qh Qs Qd", "three"),
        ("9s 7h 8d", "straight"),
        ("2s 9s Ks", "flush"),
        ("Kh Ah 2s", ""),
        ("2s 2h 9d", ""),
    ],
)
def test_the_poker_hands_of_three_cards(cards: str, category: str) -> None:
    assert three_cards(*parse_cards(cards)) == category


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("7h 7h 7h", "suited-777"),
        ("7h 7s 7d", "777"),
        ("8h 6h 7h", "suited-678"),
        ("8h 6s 7d", "678"),
        ("9h 10h 2h", "suited-21"),
        ("9h 10s 2d", "21"),
        ("As 9h Ad", "21"),
        ("As 4h 6d", "21"),
        ("10h 4s 6d", "20"),
        ("As 3h 6d", "20"),
        ("10h 3h 6h", "19"),
        ("As 2h 6d", "19"),
        # No other total pays; three aces are 3, 13, 23 or 33.
        ("10h 3s 5d", ""),
        ("10h 6s 6d", ""),
        ("As Ah Ad", ""),
        ("As Ah 10d", ""),
        ("As 8h 10d", "19"),
        ("As Kh Qd", "21"),
    ],
)
def test_the_categories_of_lucky_lucky(cards: str, category: str) -> None:
    assert lucky(*parse_cards(cards)) == category


@pytest.mark.parametrize(
    ("cards", "category", "with_blackjack"),
    [
        (3, "3-4", "3-4"),
        (4, "3-4", "3-4"),
        (5, "5", "5"),
        (6, "6", "6"),
        (7, "7", "7-blackjack"),
        (8, "8+", "8+-blackjack"),
        (9, "8+", "8+-blackjack"),
    ],
)
def test_the_categories_of_buster(cards: int, category: str, with_blackjack: str) -> None:
    assert dealer_bust(cards, False) == category
    assert dealer_bust(cards, True) == with_blackjack
