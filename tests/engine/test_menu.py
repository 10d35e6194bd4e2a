"""The options a hand is offered, each whole menu to the letter: what costs, what is free, what pays, what is out of reach.

Menus are remembered from round to round, so every test here begins with none.
"""

from __future__ import annotations

from typing import Any

import pytest

from sabot.engine.commands import AddMoney
from sabot.engine.events import Option, TurnStarted
from sabot.engine.legal import make_menu
from sabot.games.rules import Action
from tests.support.table import ADA, Table, solo

BOB = "bob"
STAND, HIT = Option("stand"), Option("hit")


@pytest.fixture(autouse=True)
def no_menu_remembered() -> None:
    make_menu.cache_clear()


def asked(table: Table) -> tuple[Option, ...]:
    """The options of the last turn."""
    return table.all(TurnStarted)[-1].options


@pytest.mark.rule("COM-24")
def test_a_double_and_a_split_cost_the_stake_of_the_hand() -> None:
    assert asked(solo("link", "8 9 8 7", stake=700)) == (
        STAND,
        HIT,
        Option("double", cost=700),
        Option("split", cost=700),
    )


@pytest.mark.rule("COM-24")
def test_what_the_balance_does_not_cover_is_shown_with_the_reason() -> None:
    short = "funds/insufficient"
    assert asked(solo("link", "8 9 8 7", stake=700, purse=1399)) == (
        STAND,
        HIT,
        Option("double", cost=700, unavailable=short),
        Option("split", cost=700, unavailable=short),
    )
    exactly = solo("link", "8 9 8 7", stake=700, purse=1400)
    assert [option.unavailable for option in asked(exactly)] == [None] * 4


def test_a_surrender_shows_the_half_it_returns() -> None:
    assert asked(solo("surrender", "10 9 6 8", stake=700)) == (
        STAND,
        HIT,
        Option("double", cost=700),
        Option("surrender", pays=350),
    )
    # Half of 7.01 is 3.50: rounded down.
    assert asked(solo("surrender", "10 9 6 8", stake=701))[-1] == Option("surrender", pays=350)


def test_a_cashback_shows_its_price() -> None:
    # 90 % of 10.00 less the house's 1 %.
    table = solo("cashback", "10 9 6 8 2", "0.0 hit", price=900_000_000)
    assert asked(table) == (STAND, HIT, Option("cashback", pays=891))


@pytest.mark.parametrize(
    ("cards", "double", "split"),
    [
        # Hard 10 doubles free and fives split free.
        ("5 9 5 8", Option("double", free=True), Option("split", free=True)),
        # Tens do neither.
        ("K 9 10 8", Option("double", cost=1000), Option("split", cost=1000)),
        # Hard 16 does not double free, eights split free.
        ("8 9 8 7", Option("double", cost=1000), Option("split", free=True)),
        # Hard 9 doubles free and is no pair.
        ("5 9 4 8", Option("double", free=True), None),
    ],
)
def test_a_free_bet_costs_nothing(cards: str, double: Option, split: Option | None) -> None:
    assert asked(solo("freebet", cards)) == (STAND, HIT, double, *([split] if split else []))


def test_a_free_bet_is_open_to_an_empty_purse() -> None:
    table = solo("freebet", "5 9 5 8", purse=1000)
    assert asked(table)[2:] == (Option("double", free=True), Option("split", free=True))


def test_a_box_pays_nothing_as_such() -> None:
    # Nobody's money stands behind the box itself, so nothing is out of its reach.
    assert asked(solo("majority-us", "8 9 8 7", purse=1000)) == (
        STAND,
        HIT,
        Option("double"),
        Option("split"),
    )


@pytest.mark.rule("LNK-09", "COM-24")
def test_money_brought_at_the_turn_opens_what_it_covers() -> None:
    table = solo("link", "8 9 7 8", purse=1999)
    assert asked(table)[-1] == Option("double", cost=1000, unavailable="funds/insufficient")
    assert table.round.apply(AddMoney(ADA, 1))[1:] == (
        TurnStarted(0, 0, (STAND, HIT, Option("double", cost=1000))),
    )
    # The same options are not told twice.
    assert len(table.round.apply(AddMoney(ADA, 1))) == 1


@pytest.mark.rule("COM-24")
def test_only_the_money_of_the_player_in_turn_counts() -> None:
    # Ada's seat 0 has stood; it is the turn of Bob's seat 1, whose hand 0 he cannot double for 10.00.
    table = Table("freebet", "10 10 9 8 7 8", purses={ADA: 1000, BOB: 1000})
    table.bet((0, "main", 1000)).bet((1, "main", 1000), player=BOB).deal("0.0 stand")
    assert asked(table)[-1] == Option("double", cost=1000, unavailable="funds/insufficient")
    assert len(table.round.apply(AddMoney(ADA, 5000))) == 1
    assert table.round.apply(AddMoney(BOB, 1000))[1:] == (
        TurnStarted(1, 0, (STAND, HIT, Option("double", cost=1000))),
    )


ALL: tuple[Action, ...] = ("stand", "hit", "double", "split", "surrender", "cashback")


@pytest.mark.parametrize(
    ("covered", "free_double", "free_split", "double", "split"),
    [
        (True, False, False, {"cost": 300}, {"cost": 300}),
        (True, True, False, {"free": True}, {"cost": 300}),
        (True, False, True, {"cost": 300}, {"free": True}),
        (False, True, True, {"free": True}, {"free": True}),
        (False, True, False, {"free": True}, {"cost": 300, "unavailable": "funds/insufficient"}),
        (False, False, True, {"cost": 300, "unavailable": "funds/insufficient"}, {"free": True}),
    ],
)
def test_a_menu_of_every_action(
    covered: bool, free_double: bool, free_split: bool, double: dict[str, Any], split: dict[str, Any]
) -> None:
    options = (
        STAND,
        HIT,
        Option("double", **double),
        Option("split", **split),
        Option("surrender", pays=150),
        Option("cashback", pays=271),
    )
    lack = None if covered else "funds/insufficient"
    made = make_menu(ALL, 300, lack, free_double, free_split, 271)
    assert tuple(made.values()) == options
    assert dict(made) == dict(zip(ALL, options, strict=True))


def test_a_menu_holds_the_actions_it_is_made_of() -> None:
    made = make_menu(("stand", "double"), 300, None, False, False, 0)
    assert tuple(made.values()) == (STAND, Option("double", cost=300))
    assert list(made) == ["stand", "double"]
