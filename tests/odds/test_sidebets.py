"""Side bets by enumeration: counts worked out by hand, returns as published."""

from __future__ import annotations

from math import comb

import pytest

from sabot.games import find
from sabot.odds.sidebets import category_counts, side_bet_moments


@pytest.mark.rule("RET-07")
@pytest.mark.parametrize(
    ("game", "bet", "published"),
    [
        ("surrender", "player-pair", "93.89"),
        ("surrender", "dealer-pair", "93.89"),
        ("surrender", "21+3", "95.38"),
        ("freebet", "player-pair", "95.90"),
        ("freebet", "21+3", "96.30"),
        ("majority-eu", "dealer-pair", "95.90"),
        ("majority-eu", "top-3", "91.00"),
        # published as 96.10, which is 96.09 with one decimal
        ("majority-eu", "lucky-lucky", "96.09"),
    ],
)
def test_returns_are_as_published(game: str, bet: str, published: str) -> None:
    rules = find(game).rules
    side_bet = rules.side_bet(bet)
    assert side_bet is not None
    assert f"{100 * side_bet_moments(side_bet, rules).expected:.2f}" == published


@pytest.mark.rule("RET-07")
@pytest.mark.parametrize("decks", [6, 8])
def test_counts_of_pairs(decks: int) -> None:
    counts = category_counts("hand-pair", decks)
    assert counts["perfect"] == 52 * comb(decks, 2)
    assert counts["coloured"] == 26 * decks * decks
    assert counts["mixed"] == 52 * decks * decks
    assert sum(counts.values()) == comb(52 * decks, 2)


@pytest.mark.rule("RET-07", "SB-11")
@pytest.mark.parametrize("decks", [6, 8])
def test_counts_of_three_cards(decks: int) -> None:
    counts = category_counts("poker", decks)
    suited_three = 52 * comb(decks, 3)
    # twelve straights, A-2-3 to Q-K-A
    straight_flush = 12 * 4 * decks**3
    assert counts["suited-three"] == suited_three
    assert counts["straight-flush"] == straight_flush
    assert counts["three"] == 13 * comb(4 * decks, 3) - suited_three
    assert counts["straight"] == 12 * (4 * decks) ** 3 - straight_flush
    assert counts["flush"] == 4 * comb(13 * decks, 3) - suited_three - straight_flush
    assert sum(counts.values()) == comb(52 * decks, 3)


def test_a_bet_that_the_first_cards_do_not_decide() -> None:
    with pytest.raises(ValueError, match="'dealer-bust' is not decided by the first cards"):
        category_counts("dealer-bust", 6)
