"""Every way a hand ends, as it is told: the spot, the hand, how, and its total."""

from __future__ import annotations

import pytest

from sabot.engine.events import HandEnded, SideBetDecided
from tests.support.table import ADA, Table

# Two hands of one player: the right one stands on 20, the left one ends as the case says.
LEFT_ENDS: list[tuple[str, str, str, str, int]] = [
    ("surrender", "10 10 9 10 7 8", "3.0 stand", "stood", 17),
    ("surrender", "10 10 9 10 7 8 5", "3.0 hit", "bust", 22),
    ("surrender", "10 10 9 10 7 8 4", "3.0 hit", "twenty-one", 21),
    ("surrender", "10 A 9 10 K 8", "", "blackjack", 21),
    ("surrender", "10 5 9 10 6 8 4", "3.0 double", "doubled", 15),
    ("surrender", "10 10 9 10 7 8 5", "3.0 double", "bust", 22),
    ("surrender", "10 10 9 10 7 8", "3.0 surrender", "surrendered", 17),
    ("cashback", "10 10 9 10 7 8", "3.0 cashback 891", "cashed-back", 17),
]


@pytest.mark.parametrize(("game", "cards", "command", "how", "total"), LEFT_ENDS)
def test_how_a_hand_ends(game: str, cards: str, command: str, how: str, total: int) -> None:
    table = Table(game, cards).bet((1, "main", 1000), (3, "main", 1000)).deal()
    table.do("1.0 stand", *([command] if command else []))
    assert sorted((end.spot, end.hand, end.how, end.total) for end in table.all(HandEnded)) == [
        (1, 0, "stood", 20),
        (3, 0, how, total),
    ]


def test_a_charlie_ends_at_its_last_card() -> None:
    table = Table("surrender", "2 9 2 8 2 2 3 3 3").bet((2, "main", 1000)).deal(*["2.0 hit"] * 5)
    assert table.all(HandEnded) == [HandEnded(2, 0, "charlie", 17)]


def test_even_money_ends_a_blackjack_anew() -> None:
    table = Table("link", "A A K 8").bet((4, "main", 1000)).deal("4 even-money yes")
    assert table.all(HandEnded) == [HandEnded(4, 0, "blackjack", 21), HandEnded(4, 0, "even-money", 21)]


@pytest.mark.rule("COM-42")
def test_the_hands_of_a_split_end_one_by_one() -> None:
    # Aces stand on one card each; a ten on an ace is 21 and no blackjack.
    table = Table("link", "A 9 A 8 K 5").bet((2, "main", 1000)).deal("2.0 split")
    assert table.all(HandEnded) == [HandEnded(2, 0, "twenty-one", 21), HandEnded(2, 1, "stood", 16)]
    table = Table("link", "8 9 8 8 3 2 10 7 4").bet((2, "main", 1000))
    table.deal("2.0 split", "2.0 hit", "2.1 hit", "2.1 hit")
    assert table.all(HandEnded) == [HandEnded(2, 0, "twenty-one", 21), HandEnded(2, 1, "twenty-one", 21)]


@pytest.mark.rule("MAJ-44")
def test_the_left_half_of_a_split_that_nobody_follows_ends_with_one_card() -> None:
    table = Table("majority-eu", "8 9 8 3 8").bet((1, "main", 1000)).deal("1.0 split")
    assert table.all(HandEnded) == [HandEnded(1, 1, "unstaked", 8)]


@pytest.mark.rule("SB-12")
@pytest.mark.parametrize(
    ("cards", "category", "pays"),
    [
        ("7h 8h 9h 2c", "straight-flush", 180),
        ("7h 7s 7d 2c", "three", 90),
        # A straight, a flush and nothing do not pay and have no name at Top 3.
        ("7h 8s 9d 2c", "", 0),
        ("7h 2h 9h 2c", "", 0),
        ("7h 2s 9d 2c", "", 0),
    ],
)
def test_a_category_is_told_where_it_pays(cards: str, category: str, pays: int) -> None:
    table = Table("majority-us", cards).bet((1, "main", 1000), (1, "top-3", 100), player=ADA).deal()
    assert table.all(SideBetDecided) == [SideBetDecided(1, "top-3", category, pays)]


@pytest.mark.rule("LNK-35")
def test_a_link_bet_is_told_lost_at_the_deal_unless_its_hand_is_a_blackjack() -> None:
    table = Table("link", "A 10 10 9 K A 9 8")
    table.bet(*((spot, kind, 100) for spot in (0, 1, 2) for kind in ("main", "link"))).deal()
    # Spots 0 and 1 are blackjacks: their bonus decides.
    assert table.all(SideBetDecided) == [SideBetDecided(2, "link", "", 0)]
