"""The Link bonus in closed form, against its published bounds, the engine's own bonus and the range it must keep."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from sabot.engine.handlers.bonus import BonusGame
from sabot.games import TableOptions, find
from sabot.games.bonus import Bonus, BonusTable
from sabot.games.options import Limits, OptionError
from sabot.odds.bonus import (
    bonus_distribution,
    full_chance,
    link_return,
    locked_chances,
    table_distribution,
)
from sabot.odds.startup import check_table

LINK = find("link")


@pytest.mark.rule("RET-09", "RET-10", "LNK-31")
def test_the_default_weights_return_95_per_cent() -> None:
    assert 0.9495 <= link_return(Bonus(), 6) <= 0.9505


@pytest.mark.rule("LNK-30", "RET-10")
@pytest.mark.parametrize(
    ("table", "least", "most"), [(Bonus().link, 3, 6_900), (Bonus().mega_link, 6, 13_800)]
)
def test_the_bounds_are_reached_and_never_passed(table: BonusTable, least: int, most: int) -> None:
    chances = table_distribution(Bonus(), table)
    possible = np.flatnonzero(chances)
    assert (possible[0], possible[-1]) == (least, most)
    assert chances.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.rule("RET-10")
def test_a_block_is_full_as_often_as_counting_says() -> None:
    table = BonusTable(columns=6, start=3)
    for locked in (6, 9, 12):
        expected = Fraction(comb(12, locked - 6), comb(18, locked))
        mean = sum(full * full_chance(table, locked, full) for full in range(4))
        assert mean == pytest.approx(float(3 * expected), abs=1e-12)


@pytest.mark.rule("RET-10")
def test_full_blocks_by_brute_force() -> None:
    table = BonusTable(columns=4, start=1)
    for locked in range(13):
        sets = list(combinations(range(12), locked))
        for full in range(3):
            hits = sum(
                sum(all(cell in chosen for cell in range(6 * block, 6 * block + 6)) for block in range(2))
                == full
                for chosen in map(set, sets)
            )
            assert full_chance(table, locked, full) == pytest.approx(hits / len(sets), abs=1e-12)


@pytest.mark.rule("RET-10")
def test_the_chain_of_locked_cells_ends_somewhere() -> None:
    chances = locked_chances(Bonus(), Bonus().link)
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert chances[:3] == [0, 0, 0]
    # three spins of fifteen blanks each
    assert chances[3] == pytest.approx(0.94**45, abs=1e-12)


@pytest.mark.rule("RET-09", "LNK-27", "LNK-29")
def test_the_engine_plays_what_was_computed() -> None:
    """Weights that fill tables often, so that blocks, tiles and diamonds all count."""
    bonus = replace(Bonus(), cells=((0, 60), (1, 20), (5, 20)), wheel=((5, 1), ("link", 2), ("mega-link", 1)))
    chances = bonus_distribution(bonus)
    pays = np.arange(len(chances))
    mean = float(chances @ pays)
    deviation = sqrt(float(chances @ (pays - mean) ** 2))
    rng = Random(7)
    rounds = 4_000
    won = sum(_play(bonus, rng) for _ in range(rounds)) / rounds
    assert abs(won - mean) < 4 * deviation / sqrt(rounds)


def _play(bonus: Bonus, rng: Random) -> int:
    game = BonusGame(bonus, 0, rng.randrange, lambda event: None)
    while game.stage != "over":
        game.proceed() if game.stage == "intro" else game.spin()
    return game.pays


@pytest.mark.rule("RET-10", "LNK-31")
@pytest.mark.parametrize(("grand", "refused"), [(1, False), (200, True)])
def test_weights_outside_the_published_range_are_refused(grand: int, refused: bool) -> None:
    weights = (("mini", 70), ("minor", 24), ("major", 5), ("grand", grand))
    rules = replace(LINK.rules, bonus=replace(Bonus(), diamonds=weights))
    if refused:
        with pytest.raises(OptionError, match=r"the bonus weights return \d+\.\d\d% of the LINK bet"):
            check_table(rules, LINK.options)
    else:
        check_table(rules, LINK.options)


@pytest.mark.rule("RET-10")
def test_weights_below_the_published_range_are_refused() -> None:
    rules = replace(LINK.rules, bonus=replace(Bonus(), wheel=((5, 1), ("link", 1))))
    with pytest.raises(OptionError, match="choose weights between"):
        check_table(rules, LINK.options)


@pytest.mark.rule("LNK-08")
@pytest.mark.parametrize(
    ("max_win", "side_maximum", "said"),
    [
        (50_000_000, 10_000, ""),
        # 4 x 500.00 can be won with one hand, split and doubled twice
        (199_999, 1_000, "cuts main bets"),
        # 25:1 on 100.00 is 2,500.00; with 24:1 the pairs would return 287 of 311 instead of 292
        (240_000, 10_000, "player-pair"),
        # 100:1 on 100.00 is 10,000.00: cut to 2,500.00, 21+3 falls below
        (250_000, 10_000, "21\\+3"),
        # LINK at 100.00 needs more than 20,000.00 to keep 93.89 %
        (2_000_000, 10_000, "link"),
        (5_000_000, 10_000, ""),
    ],
)
def test_a_maximum_win_may_not_take_a_bet_below_the_range(max_win: int, side_maximum: int, said: str) -> None:
    options = TableOptions(max_win=max_win, side=Limits(100, side_maximum))
    if said:
        with pytest.raises(OptionError, match=said):
            check_table(LINK.rules, options)
    else:
        check_table(LINK.rules, options)
