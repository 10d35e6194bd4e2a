"""The Link bonus as data: what is refused before a wheel can turn, and the ends of what is taken."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.games.bonus import Bonus, BonusTable


@pytest.mark.parametrize(
    ("columns", "start"), [(0, 0), (-2, 0), (1, 0), (3, 0), (5, 3), (6, -1), (6, 19), (2, 7)]
)
def test_a_table_of_odd_columns_or_too_many_prizes_is_refused(columns: int, start: int) -> None:
    with pytest.raises(ValueError, match="a bonus table of") as error:
        BonusTable(columns, start)
    assert str(error.value) == (
        f"a bonus table of {columns} columns and {start} prizes: pairs of columns have a tile, "
        "and the prizes at the start stand on cells"
    )


@pytest.mark.parametrize(
    ("columns", "start", "cells", "blocks"), [(2, 0, 6, 1), (2, 6, 6, 1), (4, 1, 12, 2), (12, 36, 36, 6)]
)
def test_a_table_of_one_pair_of_columns_may_start_empty_or_full(
    columns: int, start: int, cells: int, blocks: int
) -> None:
    table = BonusTable(columns, start)
    assert (table.cells, table.blocks) == (cells, blocks)


@pytest.mark.rule("LNK-23", "LNK-24")
def test_link_has_18_cells_and_3_tiles_mega_link_twice_that() -> None:
    bonus = Bonus()
    assert bonus.table("link") == BonusTable(columns=6, start=3)
    assert bonus.table("mega-link") == BonusTable(columns=12, start=6)
    assert (bonus.link.cells, bonus.link.blocks) == (18, 3)
    assert (bonus.mega_link.cells, bonus.mega_link.blocks) == (36, 6)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"spins": 0}, "bonus spins 0: give at least 1"),
        ({"spins": -3}, "bonus spins -3: give at least 1"),
        ({"cells": ((0, 5),)}, "bonus cells have no prize: name at least one beside the blank"),
        ({"cells": ()}, "bonus cells have no prize: name at least one beside the blank"),
        (
            {"pays": (("mini", 20), ("major", 500))},
            "bonus diamonds draw grand, minor, which pays nothing: add it to pays",
        ),
        ({"wheel": ()}, "bonus wheel has no outcomes: name at least one with its weight"),
        ({"tiles": ()}, "bonus tiles has no outcomes: name at least one with its weight"),
        ({"diamonds": ()}, "bonus diamonds has no outcomes: name at least one with its weight"),
        ({"wheel": ((5, 0),)}, "bonus weight of 5 in wheel is 0: weights are whole numbers above 0"),
        ({"cells": ((1, -1),)}, "bonus weight of 1 in cells is -1: weights are whole numbers above 0"),
        (
            {"tiles": ((2, 1), ("diamond", 0.5))},
            "bonus weight of 'diamond' in tiles is 0.5: weights are whole numbers above 0",
        ),
        (
            {"diamonds": (("mini", True),)},
            "bonus weight of 'mini' in diamonds is True: weights are whole numbers above 0",
        ),
    ],
)
def test_a_bonus_that_cannot_be_played_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^bonus ") as error:
        Bonus(**wrong)
    assert str(error.value) == sentence


def test_one_spin_one_prize_and_a_weight_of_one_are_enough() -> None:
    bonus = Bonus(
        wheel=(("link", 1),),
        cells=((1, 1),),
        tiles=((2, 1),),
        diamonds=(("mini", 1),),
        pays=(("mini", 20),),
        spins=1,
    )
    assert bonus.spins == 1


@pytest.mark.rule("LNK-30")
def test_the_range_of_a_bonus_table_comes_from_its_prizes() -> None:
    assert Bonus().range("link") == (3, 6_900)
    assert Bonus().range("mega-link") == (6, 13_800)
    # Without diamonds the best block is six top prizes five times over.
    assert Bonus(tiles=((2, 1), (5, 1))).range("link") == (3, 3 * 6 * 50 * 5)
    # A diamond that can never be a GRAND does not count as one.
    assert Bonus(diamonds=(("mini", 1),)).range("link")[1] == 3 * 6 * 50 * 5
    assert Bonus(cells=((0, 9), (2, 1), (4, 1)), tiles=((3, 1),)).range("mega-link") == (12, 6 * 6 * 4 * 3)
