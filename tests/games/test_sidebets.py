"""The side bets as tables: which cards make which category, and what it pays (SB-01..07, SB-10..14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from math import comb

import pytest

from sabot.cards import decks, parse_cards
from sabot.games import find
from sabot.games.sidebets import dealer_bust, lucky, pair, three_cards

GAMES = ("surrender", "cashback", "link", "freebet", "majority-eu", "majority-us")
MAJORITY = ("majority-eu", "majority-us")
PAIRS = {"player-pair", "dealer-pair"}


def prize(game: str, name: str, category: str) -> int:
    """What a category pays to 1 in a game."""
    bet = find(game).rules.side_bet(name)
    assert bet is not None
    return bet.prize(category)


# Which game has which bets


@pytest.mark.rule("SB-01", "SB-02", "SB-03", "SB-04", "SB-05", "SB-06", "SB-07")
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("surrender", {"player-pair", "dealer-pair", "21+3"}),
        ("cashback", {"player-pair", "dealer-pair", "21+3"}),
        ("link", {"player-pair", "dealer-pair", "21+3", "link"}),
        ("freebet", {"player-pair", "21+3"}),
        ("majority-eu", {"player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky"}),
        ("majority-us", {"player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky"}),
    ],
)
def test_each_game_has_its_side_bets(game: str, names: set[str]) -> None:
    assert {bet.name for bet in find(game).rules.side_bets} == names


@pytest.mark.rule("SB-02")
@pytest.mark.parametrize(
    ("game", "once"),
    [("surrender", True), ("cashback", True), ("link", True), ("majority-eu", False), ("majority-us", False)],
)
def test_the_dealer_pair_is_one_per_round_or_one_per_box(game: str, once: bool) -> None:
    bet = find(game).rules.side_bet("dealer-pair")
    assert bet is not None
    assert bet.once == once
    assert not any(other.once for other in find(game).rules.side_bets if other.name != "dealer-pair")


# Pairs


@pytest.mark.rule("SB-10")
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("8s 8s", 25),
        ("Kd Kd", 25),
        ("Ah Ah", 25),
        ("8s 8c", 12),
        ("8h 8d", 12),
        ("Ad Ah", 12),
        ("8s 8h", 6),
        ("8s 8d", 6),
        ("8c 8h", 6),
        ("8c 8d", 6),
        ("10s Ks", 0),  # same value, other rank
        ("10s 10s", 25),
        ("Jd Qd", 0),
        ("10h Jh", 0),
        ("9s 8s", 0),
        ("As Ks", 0),
    ],
)
def test_pairs(cards: str, pays: int) -> None:
    first, second = parse_cards(cards)
    for game in GAMES:
        for name in PAIRS & {bet.name for bet in find(game).rules.side_bets}:
            assert prize(game, name, pair(first, second)) == pays
            assert prize(game, name, pair(second, first)) == pays


# 21+3


@pytest.mark.rule("SB-11")
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        # suited three of a kind
        ("7c 7c 7c", 100),
        ("As As As", 100),
        ("Kd Kd Kd", 100),
        # straight flush
        ("5h 6h 7h", 40),
        ("As 2s 3s", 40),
        ("Qd Kd Ad", 40),
        ("10c Jc Qc", 40),
        # three of a kind
        ("7c 7c 7d", 30),
        ("7c 7h 7d", 30),
        ("Kc Kc Kd", 30),
        # straight
        ("5h 6h 7d", 10),
        ("As 2s 3h", 10),
        ("Qd Kd Ac", 10),
        ("9c 10d Js", 10),
        ("10c Jd Qs", 10),
        ("Js Qs Kh", 10),
        # flush
        ("2h 9h Kh", 5),
        ("5h 5h 9h", 5),  # a pair in it changes nothing
        ("As As 3s", 5),
        ("Ks As 2s", 5),  # no straight: a flush only
        ("Qh Ah 2h", 5),
        ("10d Kd Qd", 5),
        # nothing
        ("Ks As 2h", 0),  # an ace is never in the middle
        ("Qs As 2h", 0),
        ("Ks Ah 3d", 0),
        ("10s Jh Kd", 0),  # ten-value cards are ranks, not a straight
        ("10s Kh Qd", 0),
        ("Js Qh Ad", 0),
        ("2s 3h 5d", 0),
        ("5h 5d 9h", 0),  # a pair
        ("5h 5h 6d", 0),
        ("10s Js 10h", 0),
    ],
)
def test_21_plus_3(cards: str, pays: int) -> None:
    hand = parse_cards(cards)
    for order in permutations(hand):
        for game in GAMES:
            assert prize(game, "21+3", three_cards(*order)) == pays


@pytest.mark.rule("SB-11")
def test_three_cards_of_one_deck_make_the_poker_hands_of_the_text_books() -> None:
    made = Counter(three_cards(*cards) for cards in combinations(decks(1), 3))
    assert made["straight-flush"] == 48
    assert made["three"] == 52
    assert made["straight"] == 720
    assert made["flush"] == 1096
    assert made.total() == 22_100
    assert set(made) == {"straight-flush", "three", "straight", "flush", ""}


# Top 3


@pytest.mark.rule("SB-12", "SB-04")
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("7c 7c 7c", 270),
        ("5h 6h 7h", 180),
        ("As 2s 3s", 180),
        ("Qd Kd Ad", 180),
        ("7c 7h 7d", 90),
        ("7c 7c 7d", 90),
        ("5h 6h 7d", 0),  # a straight
        ("2h 9h Kh", 0),  # a flush
        ("Ks As 2s", 0),
        ("5h 5d 9h", 0),
        ("2s 9h Kd", 0),
    ],
)
@pytest.mark.parametrize("game", MAJORITY)
def test_top_3(game: str, cards: str, pays: int) -> None:
    for order in permutations(parse_cards(cards)):
        assert prize(game, "top-3", three_cards(*order)) == pays


# Buster


@pytest.mark.rule("SB-13", "SB-05")
@pytest.mark.parametrize(
    ("cards", "pays", "with_blackjack"),
    [
        (3, 2, 2),
        (4, 2, 2),
        (5, 4, 4),
        (6, 18, 18),
        (7, 50, 800),
        (8, 250, 2000),
        (9, 250, 2000),
        (10, 250, 2000),
        (12, 250, 2000),
    ],
)
@pytest.mark.parametrize("game", MAJORITY)
def test_buster(game: str, cards: int, pays: int, with_blackjack: int) -> None:
    assert prize(game, "buster", dealer_bust(cards, False)) == pays
    assert prize(game, "buster", dealer_bust(cards, True)) == with_blackjack


# Lucky Lucky


@pytest.mark.rule("SB-14", "SB-06")
@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("7c 7c 7c", 200),
        ("6h 7h 8h", 100),
        ("7c 7c 7d", 50),
        ("7s 7h 7d", 50),
        ("6h 7h 8d", 25),
        ("6s 7h 8d", 25),
        # other 21s
        ("10c 9c 2c", 15),
        ("Ks Qs As", 15),
        ("As As 9s", 15),  # 11 + 1 + 9
        ("5h 6h Jh", 15),
        ("10c 9c 2d", 3),
        ("Ks Qh Ad", 3),  # the ace as 1
        ("As 2h 8d", 3),  # the ace as 11
        ("As Ah 9d", 3),
        ("6s 6h 9d", 3),
        ("5s 8h 8d", 3),
        # 20 and 19 pay alike, suited or not
        ("10c 8c 2c", 2),
        ("Ks 5h 5d", 2),
        ("As Ah 8d", 2),  # 11 + 1 + 8
        ("As 9h Kd", 2),  # the ace as 1: 20
        ("As 2h 7d", 2),  # 20
        ("9s 8s 2s", 2),
        ("9s 8h 2d", 2),
        ("As Ah 7d", 2),  # 19
        ("As 9h 9d", 2),  # 19 with the ace as 1
        ("As 8h Qd", 2),  # 19
        ("As As 7s", 2),
        # near misses
        ("10s 10h 2d", 0),  # 22
        ("Ks Qs 2s", 0),
        ("10s 6h 2d", 0),  # 18
        ("As Ah Ad", 0),  # 3, 13 or 23
        ("As 3h 4d", 0),  # 8 or 18
        ("As Kh 7d", 0),  # 18 or 28
        ("As As Ks", 0),  # 12 or 22
        ("7s 7h 8d", 0),  # 22
        ("7s 7s 6s", 2),  # 20
        ("6s 6h 8d", 2),  # 20: a pair, no 6-7-8
        ("6s 7h 7d", 2),  # 20
        ("5s 6h 7d", 0),  # 18
        ("7s 8h 9d", 0),  # 24
    ],
)
@pytest.mark.parametrize("game", MAJORITY)
def test_lucky_lucky(game: str, cards: str, pays: int) -> None:
    for order in permutations(parse_cards(cards)):
        assert prize(game, "lucky-lucky", lucky(*order)) == pays


# The published returns judge categories and prizes together (RET-07: Lucky Lucky prints 96.10 for 96.09)


def exact_return(game: str, name: str, judge: Callable[..., str], cards: int) -> Fraction:
    """What comes back of a bet on so many cards of a full shoe."""
    copies = find(game).rules.decks
    total = Fraction(0)
    for hand in combinations_with_replacement(decks(1), cards):
        ways = 1
        for count in Counter(hand).values():
            ways *= comb(copies, count)
        pays = prize(game, name, judge(*hand))
        total += ways * (pays + 1 if pays else 0)
    return total / comb(52 * copies, cards)


@pytest.mark.parametrize(
    ("game", "name", "judge", "cards", "published"),
    [
        pytest.param("surrender", "player-pair", pair, 2, "93.89", marks=pytest.mark.rule("SB-01", "SB-10")),
        pytest.param("cashback", "dealer-pair", pair, 2, "93.89", marks=pytest.mark.rule("SB-02", "SB-10")),
        pytest.param("freebet", "player-pair", pair, 2, "95.90", marks=pytest.mark.rule("SB-01", "SB-10")),
        pytest.param("link", "21+3", three_cards, 3, "95.38", marks=pytest.mark.rule("SB-03", "SB-11")),
        pytest.param("freebet", "21+3", three_cards, 3, "96.30", marks=pytest.mark.rule("SB-03", "SB-11")),
        pytest.param("majority-eu", "top-3", three_cards, 3, "91.00", marks=pytest.mark.rule("SB-12")),
        pytest.param("majority-us", "lucky-lucky", lucky, 3, "96.09", marks=pytest.mark.rule("SB-14")),
    ],
)
def test_the_return_over_all_cards_is_the_published_one(
    game: str, name: str, judge: Callable[..., str], cards: int, published: str
) -> None:
    assert f"{float(100 * exact_return(game, name, judge, cards)):.2f}" == published
