"""Cards and hands (COM-01, COM-02, COM-03, COM-40)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.cards import (
    RANKS,
    SUITS,
    VALUES,
    Card,
    CardError,
    Hand,
    decks,
    format_card,
    format_cards,
    is_ace,
    is_red,
    is_ten,
    parse_card,
    parse_cards,
    rank,
    suit,
)
from sabot.engine import StackedShoe
from sabot.games import find
from tests.support.table import cards_of

TENS = ("10", "J", "Q", "K")


def hand(text: str) -> Hand:
    """A hand of ranks; the suits do not matter."""
    return Hand(cards_of(text))


# The deck


@pytest.mark.rule("COM-01")
def test_a_deck_has_each_rank_in_each_suit_once() -> None:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    names = {name + letter for name, letter in product(ranks, "shdc")}
    deck = [format_card(card) for card in decks(1)]
    assert len(deck) == 52
    assert set(deck) == names


@pytest.mark.rule("COM-01")
@pytest.mark.parametrize(
    ("game", "count", "cards"),
    [
        ("surrender", 6, 312),
        ("cashback", 6, 312),
        ("link", 6, 312),
        ("freebet", 8, 416),
        ("majority-eu", 8, 416),
        ("majority-us", 8, 416),
    ],
)
def test_solo_games_use_six_decks_and_live_games_eight(game: str, count: int, cards: int) -> None:
    shoe = decks(find(game).rules.decks)
    assert len(shoe) == cards
    assert set(Counter(shoe).values()) == {count}
    assert set(shoe) == set(decks(1))


@pytest.mark.rule("COM-01")
def test_every_card_has_one_name_one_rank_and_one_suit() -> None:
    for card in decks(1):
        name = format_card(card)
        assert parse_card(name) == parse_card(name.lower()) == parse_card(name.upper()) == card
        assert f"{RANKS[rank(card)]}{SUITS[suit(card)]}" == name
        assert is_red(card) == (name[-1] in "hd")
    assert parse_cards("As, 10h  Kc") == [parse_card(name) for name in ("As", "10h", "Kc")]
    assert format_cards(parse_cards("as 10H kC")) == "As 10h Kc"


@pytest.mark.rule("COM-01")
@pytest.mark.parametrize(
    "text", ["", " ", "1s", "11h", "0d", "Ax", "A", "10", "s", "ss", "As ", "A s", "AsAs", "-1", "W", "T h"]
)
def test_a_text_that_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(CardError) as refused:
        parse_card(text)
    assert repr(text) in str(refused.value)
    assert "10h" in str(refused.value)


@pytest.mark.rule("COM-01")
@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_a_number_that_is_no_card_is_refused(number: int) -> None:
    with pytest.raises(CardError, match=str(number)):
        format_card(number)
    with pytest.raises(CardError, match=str(number)):
        StackedShoe([0, number])


@pytest.mark.rule("COM-01")
def test_one_bad_card_spoils_a_text() -> None:
    with pytest.raises(CardError, match="12d"):
        parse_cards("As 12d Kc")


# Totals


@pytest.mark.rule("COM-02")
@pytest.mark.parametrize(
    ("name", "value"),
    [("A", 11)] + [(str(number), number) for number in range(2, 11)] + [("J", 10), ("Q", 10), ("K", 10)],
)
def test_a_single_card_counts(name: str, value: int) -> None:
    for letter in SUITS:
        card = parse_card(name + letter)
        assert Hand([card]).total == value
        assert is_ace(card) == (name == "A")
        assert is_ten(card) == (name in TENS)


@pytest.mark.rule("COM-02")
@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("5 6", 11, False),
        ("10 J Q", 30, False),
        ("A 6", 17, True),
        ("6 A", 17, True),
        ("A 6 4", 21, True),
        ("A 6 5", 12, False),  # 22 with the ace as 11
        ("A A", 12, True),  # 11 and 1
        ("A A 9", 21, True),
        ("A A 10", 12, False),
        ("A A A", 13, True),
        ("A 9 A", 21, True),
        ("A K", 21, True),
        ("A K A", 12, False),
        ("A K Q", 21, False),  # ten-value cards leave the ace at 1
        ("10 6 A", 17, False),
        ("A 5 5", 21, True),
        ("A 5 5 A", 12, False),
        ("K Q 2", 22, False),
        ("K Q A A", 22, False),
        ("A A A A A A A A A A A", 21, True),  # 11 and ten ones
        ("A A A A A A A A A A A A", 12, False),
    ],
)
def test_totals(cards: str, total: int, soft: bool) -> None:
    played = hand(cards)
    assert (played.total, played.soft, played.bust) == (total, soft, total > 21)
    assert (f"soft {total}" in repr(played)) == soft


@pytest.mark.rule("COM-02")
@given(st.lists(st.integers(0, 51), min_size=1, max_size=12))
def test_a_total_is_the_best_of_all_ways_to_count_the_aces(numbers: list[int]) -> None:
    cards = [Card(number) for number in numbers]
    aces = sum(card % 13 == 0 for card in numbers)
    low = sum(min(card % 13 + 1, 10) for card in numbers)
    ways = [low + 10 * eleven for eleven in range(aces + 1)]
    best = max((way for way in ways if way <= 21), default=low)
    built = Hand()
    for card in cards:
        built.add(card)
    for played in (Hand(cards), Hand(reversed(cards)), built):
        assert (played.total, played.soft, played.bust) == (best, best > low, best > 21)
    assert built.cards == cards


def test_values_count_the_ace_as_one() -> None:
    assert VALUES == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10) * 4


# Naturals and pairs


@pytest.mark.rule("COM-03")
@pytest.mark.parametrize("ten", TENS)
def test_an_ace_and_a_ten_value_card_are_a_natural_in_any_order_and_suit(ten: str) -> None:
    for ace_suit, ten_suit in product(SUITS, SUITS):
        assert Hand(parse_cards(f"A{ace_suit} {ten}{ten_suit}")).is_natural
        assert Hand(parse_cards(f"{ten}{ten_suit} A{ace_suit}")).is_natural


@pytest.mark.rule("COM-03")
@pytest.mark.parametrize(
    "cards", ["A 9", "A A", "10 K", "A", "K", "A 5 5", "7 7 7", "A K Q", "K A A", "10 10 A", "A A 9", "9 2 K"]
)
def test_nothing_else_is_a_natural(cards: str) -> None:
    assert not hand(cards).is_natural


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize(
    "cards", ["A A", "2 2", "5 5", "9 9", "10 10", "10 K", "J Q", "K J", "Q 10", "8s 8s", "8s 8h"]
)
def test_two_cards_of_one_value_are_a_pair(cards: str) -> None:
    assert hand(cards).is_pair


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize("cards", ["A 10", "A K", "9 10", "2 A", "8s 9s", "5", "5 5 5", "K K A"])
def test_other_cards_are_no_pair(cards: str) -> None:
    assert not hand(cards).is_pair
