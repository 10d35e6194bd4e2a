"""What games and table options say when they cannot be, and what they allow when they can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.games import Rules, TableOptions, UnknownGameError, find
from sabot.games.bonus import Bonus
from sabot.games.options import (
    LIMIT_CHOICES,
    GoldenOptions,
    LimitChoice,
    Limits,
    OptionError,
    check_bets,
    check_cut,
)
from sabot.games.sidebets import LINK

KNOWN = ["player-pair", "21+3"]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Rules("odd", hole_card=False),
            "odd: a dealer without a hole card has nothing to check under ('ace', 'ten')",
        ),
        (
            lambda: Rules("odd", hole_card=False, checks=("ace",)),
            "odd: a dealer without a hole card has nothing to check under ('ace',)",
        ),
        (lambda: Rules("odd", bonus=Bonus()), "odd: a bonus and a bet that opens it go together"),
        (lambda: Rules("odd", side_bets=(LINK,)), "odd: a bonus and a bet that opens it go together"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^odd: ") as error:
        make()
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Limits(200, 199),
            "limits 2.00 to 1.99: the minimum must be above 0 and not above the maximum",
        ),
        (
            lambda: GoldenOptions(cap=-1),
            "golden chip cap -1: write a number of chips from 0, or none",
        ),
        (
            lambda: TableOptions(chips=(200, 100)),
            "chips (200, 100): write different amounts above 0 in ascending order",
        ),
        (
            lambda: TableOptions(cashback_margin=10_000),
            "cashback margin 10000: write basis points from 0 to 9999",
        ),
        (lambda: TableOptions(max_win=0), "maximum win 0.00: write an amount above 0, or none"),
        (lambda: TableOptions(vote_threshold=0), "vote threshold 0: write a number of players from 1"),
        (
            lambda: check_bets(TableOptions(side_bets_off=("21 + 3",)), KNOWN),
            "there is no side bet '21 + 3': the game has 21+3, player-pair",
        ),
        (
            lambda: check_bets(TableOptions(side_by_name={"buster": Limits()}), KNOWN),
            "there is no side bet 'buster': the game has 21+3, player-pair",
        ),
        (
            lambda: check_bets(TableOptions(side_bets_off=("21+3",)), ()),
            "there is no side bet '21+3': the game has none",
        ),
        (
            lambda: check_cut(8, 277),
            "the cut after 277 of 416 cards leaves 139 behind it: leave at least 140",
        ),
    ],
)
def test_options_that_cannot_be_are_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(OptionError) as error:
        make()
    assert str(error.value) == sentence


@pytest.mark.parametrize("chips", [(), (1,), (1, 2, 3)])
def test_a_chip_may_be_worth_one_cent(chips: tuple[int, ...]) -> None:
    assert TableOptions(chips=chips).chips == chips


def test_options_may_name_each_bet_of_the_game() -> None:
    check_bets(TableOptions(side_bets_off=("21+3",), side_by_name={"player-pair": Limits()}), KNOWN)


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownGameError) as error:
        find("poker")
    assert str(error.value) == (
        "there is no game 'poker': the games are cashback, classic-6, classic-8, freebet, link, "
        "majority-eu, majority-us, surrender"
    )


@pytest.mark.rule("COM-54")
@pytest.mark.parametrize("choice", LIMIT_CHOICES, ids=lambda choice: choice.name)
def test_a_choice_of_limits_changes_the_limits_alone(choice: LimitChoice) -> None:
    options = TableOptions(behind=Limits(7, 8), max_win=500, burn=True)
    chosen = options.with_limits(choice)
    assert (chosen.main, chosen.side) == (choice.main, choice.side)
    assert replace(chosen, main=options.main, side=options.side) == options


def test_a_choice_of_limits_may_name_its_own_maximum_win() -> None:
    choice = replace(LIMIT_CHOICES[0], max_win=900)
    assert TableOptions(max_win=500).with_limits(choice).max_win == 900


# What may be decided; the rules are new in every test, so nothing is remembered of the catalogue's


@pytest.mark.parametrize(
    ("fields", "two", "pair", "split", "three"),
    [
        ({}, "stand hit double", "stand hit double split", "stand hit double", "stand hit"),
        (
            {"double_after_split": False},
            "stand hit double",
            "stand hit double split",
            "stand hit",
            "stand hit",
        ),
        (
            {"surrender": True},
            "stand hit double surrender",
            "stand hit double split surrender",
            "stand hit double",
            "stand hit",
        ),
        (
            {"cashback": True},
            "stand hit double cashback",
            "stand hit double split cashback",
            "stand hit double cashback",
            "stand hit cashback",
        ),
    ],
)
def test_the_decisions_of_a_hand(fields: dict[str, Any], two: str, pair: str, split: str, three: str) -> None:
    actions = Rules("new", **fields).actions
    # By whether the hand has two cards, is a pair, comes from a split.
    assert actions[True, False, False] == tuple(two.split())
    assert actions[True, True, False] == tuple(pair.split())
    assert actions[True, False, True] == actions[True, True, True] == tuple(split.split())
    assert actions[False, False, False] == actions[False, False, True] == tuple(three.split())
