"""The shipped best tables: those of the solver, and of the regulation where it prints them."""

from __future__ import annotations

from itertools import product

import pytest

from sabot.cards import Hand, parse_card, parse_cards
from sabot.games import CATALOGUE
from sabot.games.rules import Action
from sabot.games.tables import BEST_TABLES, FREE_TABLES
from sabot.odds.game import game_tables

#: The cells that the Majority regulation prints, for the up cards 2 to 10 and the ace.
PRINTED = {
    "hard": {20: "SSSSSSSSSS"},
    "soft": {
        13: "HHHDDHHHHH",
        14: "HHHDDHHHHH",
        15: "HHDDDHHHHH",
        16: "HHDDDHHHHH",
        17: "HDDDDHHHHH",
        18: "SDDDDSSHHH",
        19: "SSSSSSSSSS",
        20: "SSSSSSSSSS",
    },
    "pairs": {2: "PPPPPPHHHH", 3: "PPPPPPHHHH"},
}
ALL: set[Action] = {"stand", "hit", "double", "split"}


@pytest.mark.rule("MAJ-30")
@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_the_shipped_table_is_the_solvers(game: str) -> None:
    made = game_tables(CATALOGUE[game].rules)
    assert BEST_TABLES[game] == made.best
    assert FREE_TABLES.get(game) == made.free


@pytest.mark.rule("MAJ-30")
@pytest.mark.parametrize(
    ("game", "kind"), [*product(("majority-eu", "majority-us"), ("hard", "soft", "pairs"))]
)
def test_majority_agrees_with_every_printed_cell(game: str, kind: str) -> None:
    rows = getattr(BEST_TABLES[game], kind)
    for total, row in PRINTED[kind].items():
        assert rows[total].upper() == row, (kind, total)


@pytest.mark.rule("MAJ-30")
def test_eu_and_us_differ_under_the_ace_only() -> None:
    eu, us = BEST_TABLES["majority-eu"], BEST_TABLES["majority-us"]
    differing = {
        (kind, total, column)
        for kind in ("hard", "soft", "pairs")
        for total, row in getattr(eu, kind).items()
        for column, cell in enumerate(row)
        if getattr(us, kind)[total][column] != cell
    }
    assert differing == {("pairs", 1, 9), ("pairs", 8, 9)}


@pytest.mark.parametrize(
    ("game", "cards", "up", "action"),
    [
        ("majority-eu", "8s 8h", "Ad", "hit"),
        ("majority-us", "8s 8h", "Ad", "split"),
        ("majority-eu", "As Ah", "Ad", "hit"),
        ("majority-us", "As Ah", "Ad", "split"),
        ("majority-eu", "8s 8h", "Kd", "hit"),
        ("majority-eu", "6s 5h", "Kd", "double"),
        ("classic-6", "8s 8h", "Kd", "split"),
        ("freebet", "4s 4h", "Kd", "split"),
    ],
)
def test_what_the_tables_play(game: str, cards: str, up: str, action: Action) -> None:
    hand = Hand(parse_cards(cards))
    assert BEST_TABLES[game].action(hand, parse_card(up), ALL) == action
