"""The distribution of results: its mean is the return, its splits are those of plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from sabot.games import Rules, find
from sabot.odds.classes import ACE, POINTS, TEN, best_total
from sabot.odds.distribution import LEAST, _split_results, plan_distribution, table_distribution
from sabot.odds.game import best_return, game_tables, table_plans, table_return
from sabot.odds.plan import BestPlan, Plan
from sabot.odds.table import COLUMNS, UpCard

GAMES = ("classic-6", "classic-8", "surrender", "link", "majority-eu", "majority-us")
Shoe = tuple[int, ...]
#: A shoe of few kinds of cards, so that every order of play can be walked.
SMALL: Shoe = (2, 0, 0, 0, 4, 4, 0, 2, 0, 5)


@pytest.mark.slow  # the whole tree of every game
@pytest.mark.rule("RET-02", "RET-03")
@pytest.mark.parametrize("game", [*GAMES, "freebet"])
def test_the_mean_is_the_return(game: str) -> None:
    tables = game_tables(find(game).rules)
    by_table = table_distribution(tables.columns, tables.best)
    assert by_table.chances.sum() == pytest.approx(1, abs=1e-12)
    assert by_table.chances.min() > -1e-15
    assert by_table.mean == pytest.approx(table_return(tables.columns, tables.best).net, abs=1e-12)


@pytest.mark.slow  # the whole distribution of two games
@pytest.mark.parametrize(("game", "variance"), [("classic-6", 1.3146), ("classic-8", 1.3155)])
def test_the_variance_of_the_literature(game: str, variance: float) -> None:
    tables = game_tables(find(game).rules)
    best = plan_distribution(tables.columns, [BestPlan(column) for column in tables.columns])
    assert best.sd**2 == pytest.approx(variance, abs=0.0005)
    assert best.mean == pytest.approx(best_return(tables.columns).net, abs=1e-12)
    assert best.sd == pytest.approx(variance**0.5, abs=0.0005)


def test_what_can_happen() -> None:
    """Two doubled hands win or lose four; a blackjack wins one and a half; a surrender loses a half."""
    tables = game_tables(find("surrender").rules)
    results = [result for result, _ in table_distribution(tables.columns, tables.best).items()]
    assert results == [-4, -3, -2, -1, -0.5, 0, 1, 1.5, 2, 3, 4]


# Splits, by walking every order of cards


def column_of(rules: Rules, up: int) -> tuple[UpCard, Plan]:
    column = UpCard(rules, up, np.array(SMALL, dtype=np.float64))
    tables = game_tables(rules)
    at = COLUMNS.index(up)
    plan = table_plans(tables.columns, tables.best, tables.free)[at]
    return column, plan


@pytest.mark.parametrize(
    ("game", "pair", "up"),
    [
        ("classic-6", 7, 5),
        ("classic-6", 5, 4),
        ("classic-6", 7, 9),
        ("classic-6", 0, 9),
        ("classic-6", 7, 0),
        ("link", 7, 9),
        ("link", 4, 9),
        ("majority-us", 7, 0),
        ("majority-us", 5, 4),
        ("freebet", 5, 4),
        ("freebet", 7, 0),
        ("freebet", 5, 9),
    ],
)
def test_a_split_is_that_of_plain_enumeration(game: str, pair: int, up: int) -> None:
    rules = replace(find(game).rules, charlie=0)
    column, plan = column_of(rules, up)
    walked = walk(rules, column, plan, pair)
    for half, chance in enumerate(_split_results(column, plan, pair), LEAST):
        assert chance == pytest.approx(walked.get(half, 0.0), abs=1e-12), half


def walk(rules: Rules, column: UpCard, plan: Plan, pair: int) -> dict[int, float]:
    """Both hands get their second card, the first is played out, then the second, then the dealer."""
    behind = column.split_hand(pair).behind
    tree = behind.tree
    free = POINTS[pair] in rules.free_split
    own, other = plan.policy(behind, False), plan.policy(behind, free)
    doubles = plan.doubles(behind) if rules.double_after_split else np.zeros(len(own), bool)
    up = column.up
    hidden = {ACE: TEN, TEN: ACE}.get(up) if column.behind.checked else None

    def less(shoe: Shoe, which: int) -> Shoe:
        return (*shoe[:which], shoe[which] - 1, *shoe[which + 1 :])

    def cards(shoe: Shoe) -> Iterator[tuple[int, float]]:
        whole = sum(shoe)
        return ((which, count / whole) for which, count in enumerate(shoe) if count)

    def play(
        shoe: Shoe, row: int, policy: object, chance: float, size: int = 2
    ) -> Iterator[tuple[Shoe, int, int, float]]:
        """Every end of a hand: the shoe after it, its total (22 for a bust), its stakes, the chance."""
        if pair == ACE:
            yield shoe, int(tree.total[row]), 1, chance
        elif size == 2 and doubles[row]:
            for which, odds in cards(shoe):
                after = int(tree.next[row, which])
                yield less(shoe, which), int(tree.total[after]) if after >= 0 else 22, 2, chance * odds
        elif policy[row]:  # type: ignore[index]  # an array of 0 and 1
            for which, odds in cards(shoe):
                after = int(tree.next[row, which])
                if after < 0:
                    yield less(shoe, which), 22, 1, chance * odds
                else:
                    yield from play(less(shoe, which), after, policy, chance * odds, size + 1)
        else:
            yield shoe, int(tree.total[row]), 1, chance

    @cache
    def dealer(shoe: Shoe, hard: int, ace: bool, size: int) -> dict[int, float]:
        """The dealer's ends: a total, 99 for a blackjack."""
        total = best_total(hard, ace)
        if size > 1 and total >= 17:
            return {99 if size == 2 and total == 21 else total: 1.0}
        ends: dict[int, float] = {}
        for which, odds in cards(shoe):
            for end, chance in dealer(
                less(shoe, which), hard + POINTS[which], ace or which == ACE, size + 1
            ).items():
                ends[end] = ends.get(end, 0.0) + odds * chance
        return ends

    def half(total: int, stakes: int, theirs: int, is_free: bool) -> int:
        lost = 0 if is_free else -2 * stakes
        if total > 21:
            return lost
        if theirs == 99:
            return -2 if stakes == 2 and rules.ten_up_returns_double and up == TEN else lost
        if theirs == 22 and rules.dealer_22_pushes:
            return 0
        if theirs > 21 or total > theirs:
            return 2 * stakes
        return 0 if total == theirs else lost

    left = tuple(int(count) for count in column.left)
    left = less(less(left, pair), pair)
    results: dict[int, float] = {}
    root = column.split_hand(pair).root
    for first, a in cards(left):
        after_first = less(left, first)
        for second, b in cards(after_first):
            shoe = less(after_first, second)
            right, other_root = int(tree.next[root, first]), int(tree.next[root, second])
            for shoe_2, total_1, stakes_1, c in play(shoe, right, own, a * b):
                for shoe_3, total_2, stakes_2, d in play(shoe_2, other_root, other, c):
                    for theirs, e in dealer(shoe_3, POINTS[up], up == ACE, 1).items():
                        if hidden is not None and theirs == 99:
                            continue
                        key = half(total_1, stakes_1, theirs, False) + half(total_2, stakes_2, theirs, free)
                        results[key] = results.get(key, 0.0) + d * e
    whole = sum(results.values())
    return {key: chance / whole for key, chance in results.items()}
