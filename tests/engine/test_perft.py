"""Exact counts of reachable states, as chess engines do it: every legal line of play from a fixed shoe.

The first shoe of each game is small enough to count by hand; the others notice any change of what is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from sabot.cards import decks
from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import AnyCommand, Deal, PlaceBets
from sabot.games import find
from tests.support.table import ADA, cards_of, fixed_price

ONE = (Bet(0, "main", 1_000),)
TWO = (Bet(0, "main", 1_000), Bet(1, "main", 1_000))
FOUR = tuple(Bet(spot, "main", 1_000) for spot in range(4))


def perft(game: str, cards: Sequence[int], bets: tuple[Bet, ...]) -> list[int]:
    """The number of states after each number of commands from the deal on."""
    counts: list[int] = []
    lines: list[tuple[AnyCommand, ...]] = [()]
    while lines:
        counts.append(len(lines))
        lines = [(*line, move) for line in lines for move in played(game, cards, bets, line).legal()]
    return counts


def played(game: str, cards: Sequence[int], bets: tuple[Bet, ...], line: tuple[AnyCommand, ...]) -> Round:
    """A round after a line of play: it has no undo, so it is played again."""
    round = Round(
        find(game).rules,
        StackedShoe(cards),
        purses={ADA: 100_000},
        price=fixed_price(900_000_000),
        draw=lambda n: 0,
    )
    for command in (PlaceBets(ADA, bets), Deal(), *line):
        round.apply(command)
    return round


@pytest.mark.parametrize(
    ("game", "cards", "counts"),
    [
        # 16 against 9: stand, hit (a 5: 21), double; the hit and the double end the hand.
        ("classic-6", "10 9 6 10 5", [1, 3]),
        # the same hand may also be given up
        ("surrender", "10 9 6 10 5", [1, 4]),
        # or sold
        ("cashback", "10 9 6 10 5", [1, 4]),
        # a blackjack under an ace: even money or not
        ("link", "A A K 9", [1, 2]),
        # 9: stand, hit (a 2: 11, then stand or hit to 21), free double
        ("freebet", "5 9 4 10 2 10", [1, 3, 2]),
        # 20 in a box: stand, hit (a 5: bust), double, split; nobody follows the split, so the left hand gets no
        # card and the right one, 10-5, stands, hits (an ace: 16, then stands or hits) or doubles
        ("majority-eu", "10 9 10 5 A 6 8 2", [1, 4, 3, 2]),
    ],
)
def test_counted_by_hand(game: str, cards: str, counts: list[int]) -> None:
    assert perft(game, cards_of(cards), ONE) == counts


def shuffled(game: str, seed: int) -> list[int]:
    """The first cards of a shuffled shoe."""
    return Random(f"{game}/{seed}").sample(decks(find(game).rules.decks), 60)


@pytest.mark.parametrize(
    ("game", "seed", "bets", "counts"),
    [
        ("classic-6", 10, ONE, [1, 4, 3, 9, 6]),
        ("classic-8", 7, ONE, [1, 4, 3, 9]),
        ("surrender", 9, TWO, [1, 4, 16, 8, 8, 8]),
        ("surrender", 10, TWO, [1, 4, 14, 14, 6, 4]),
        ("surrender", 3, FOUR, [1, 4, 14, 12, 2]),
        ("cashback", 7, TWO, [1, 5, 20, 22, 62, 48, 6]),
        ("cashback", 11, TWO, [1, 4, 16, 62, 148, 148, 156, 48]),
        ("link", 9, ONE, [1, 4, 16, 12, 36, 16, 16]),
        ("link", 6, TWO, [1, 4, 15, 18, 63, 27, 77, 48, 8]),
        ("link", 2, FOUR, [1, 3, 9, 24, 67, 82, 54, 20]),
        ("freebet", 8, TWO, [1, 7, 29, 96, 258, 156, 240]),
        ("freebet", 3, FOUR, [1, 3, 9, 27, 81, 16]),
        ("majority-eu", 11, TWO, [1, 3, 9, 24, 21, 27, 30, 12]),
        ("majority-us", 4, TWO, [1, 4, 12, 13, 10, 10, 2]),
        ("majority-us", 11, TWO, [1, 4, 13, 26, 15, 6, 6]),
    ],
)
def test_fixed_shoes(game: str, seed: int, bets: tuple[Bet, ...], counts: list[int]) -> None:
    assert perft(game, shuffled(game, seed), bets) == counts
