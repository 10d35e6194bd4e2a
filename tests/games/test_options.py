"""Table options: limits, chips, margins and the cut, and what is refused at a table's opening."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from sabot.engine import Round, StackedShoe
from sabot.errors import Refusal
from sabot.games import TableOptions, find
from sabot.games.options import (
    LIMIT_CHOICES,
    GoldenOptions,
    LimitChoice,
    Limits,
    OptionError,
    check_cut,
    limit_choices,
)
from tests.support.table import Table, solo

LIVE = ("freebet", "majority-eu", "majority-us")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Limits(0, 100), "limits 0.00 to 1.00: the minimum must be above 0 and not above the maximum"),
        (lambda: Limits(-1, 100), "limits -0.01 to 1.00: the minimum must be above 0"),
        (lambda: Limits(200, 199), "limits 2.00 to 1.99: the minimum must be above 0 and not above the maximum"),
        (lambda: TableOptions(chips=(200, 100)), "chips (200, 100): write different amounts above 0 in ascending order"),
        (lambda: TableOptions(chips=(100, 100)), "chips (100, 100): write different amounts"),
        (lambda: TableOptions(chips=(0, 100)), "chips (0, 100): write different amounts above 0"),
        (lambda: TableOptions(chips=(-2, 100)), "chips (-2, 100): write different amounts above 0"),
        (lambda: TableOptions(cashback_margin=-1), "cashback margin -1: write basis points from 0 to 9999"),
        (lambda: TableOptions(cashback_margin=10_000), "cashback margin 10000: write basis points from 0 to 9999"),
        (lambda: TableOptions(max_win=0), "maximum win 0.00: write an amount above 0, or none"),
        (lambda: TableOptions(max_win=-500), "maximum win -5.00: write an amount above 0, or none"),
        (lambda: TableOptions(vote_threshold=0), "vote threshold 0: write a number of players from 1"),
        (lambda: TableOptions(vote_threshold=-3), "vote threshold -3: write a number of players from 1"),
        (lambda: GoldenOptions(cap=-1), "-1"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_with_what_would_be_right(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(OptionError) as refusal:
        make()
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Limits(1, 1),
        lambda: Limits(100, 100),
        lambda: TableOptions(chips=(2,)),
        lambda: TableOptions(cashback_margin=0),
        lambda: TableOptions(cashback_margin=9_999),
        lambda: TableOptions(max_win=1),
        lambda: TableOptions(max_win=None),
        lambda: TableOptions(vote_threshold=1),
        lambda: GoldenOptions(cap=0),
        lambda: GoldenOptions(cap=None),
    ],
)
def test_the_ends_of_each_range_are_taken(make: Callable[[], object]) -> None:
    make()


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"main": {"minimum": 0}}, "main"),
        ({"main": {"minimum": 300, "maximum": 200}}, "main"),
        ({"side": {"minimum": 1.5}}, "side"),
        ({"side_by_name": {"21+3": {"maximum": "much"}}}, "side_by_name"),
        ({"chips": [100, 50]}, "chips"),
        ({"chips": [0.5]}, "chips"),
        ({"max_win": -1}, "maximum win"),
        ({"max_win": "none"}, "max_win"),
        ({"insurance": 1}, "insurance"),
        ({"cashback_margin": 0.01}, "cashback_margin"),
        ({"golden": {"mixing": "yes"}}, "golden"),
        ({"vote_threshold": 0}, "vote threshold"),
        ({"side_bets_off": "top-3"}, "side_bets_off"),
        ({"cut": "208"}, "cut"),
    ],
)
def test_a_bad_value_in_a_file_is_refused_by_name(written: dict[str, object], place: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=place):
        msgspec.convert(written, TableOptions)


@pytest.mark.parametrize(
    "written",
    [{"mian": {"minimum": 200}}, {"main": {"minumum": 200}}, {"golden": {"mix": True}}, {"maxwin": 1}],
)
def test_an_unknown_key_in_a_file_is_refused(written: dict[str, object]) -> None:
    """A misspelt limit must not quietly be the default."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert(written, TableOptions)


# Limits


@pytest.mark.rule("COM-23")
def test_each_kind_of_bet_has_limits_of_its_own() -> None:
    options = TableOptions(
        main=Limits(100, 200),
        behind=Limits(300, 400),
        side=Limits(500, 600),
        side_by_name={"21+3": Limits(700, 800)},
    )
    assert [options.limits(kind) for kind in ("main", "behind", "player-pair", "21+3")] == [
        Limits(100, 200),
        Limits(300, 400),
        Limits(500, 600),
        Limits(700, 800),
    ]


@pytest.mark.rule("COM-23")
@pytest.mark.parametrize(
    ("kind", "low", "high"), [("main", 200, 900), ("21+3", 50, 70), ("player-pair", 30, 40)]
)
@pytest.mark.parametrize("game", ["surrender", "cashback", "link"])
def test_the_limits_of_each_kind_bind(game: str, kind: str, low: int, high: int) -> None:
    options = TableOptions(main=Limits(200, 900), side=Limits(30, 40), side_by_name={"21+3": Limits(50, 70)})

    def place(stake: int) -> None:
        others = () if kind == "main" else ((0, "main", 200),)
        Table(game, "", options=options).bet(*others, (0, kind, stake))

    place(low)
    place(high)
    for stake, code in ((low - 1, "bet/below-minimum"), (high + 1, "bet/above-maximum")):
        with pytest.raises(Refusal) as refusal:
            place(stake)
        assert refusal.value.code == code
        # The message names both limits, in units.
        assert f"stake from {low // 100}.{low % 100:02d} to {high // 100}.{high % 100:02d}" in str(
            refusal.value
        )


@pytest.mark.rule("COM-54")
@pytest.mark.parametrize(
    ("vip", "names"),
    [
        (0, ["low", "standard"]),
        (1, ["low", "standard", "high"]),
        (2, ["low", "standard", "high", "salon"]),
        (9, ["low", "standard", "high", "salon"]),
    ],
)
def test_the_vip_level_opens_choices_of_limits(vip: int, names: list[str]) -> None:
    assert [choice.name for choice in limit_choices(vip)] == names


@pytest.mark.rule("COM-54")
def test_a_house_may_have_choices_of_its_own() -> None:
    choices = tuple(
        LimitChoice(name, vip, Limits(), Limits()) for name, vip in [("a", 3), ("b", 0), ("c", 2)]
    )
    assert [[choice.name for choice in limit_choices(vip, choices)] for vip in range(4)] == [
        ["b"],
        ["b"],
        ["b", "c"],
        ["a", "b", "c"],
    ]


@pytest.mark.rule("COM-54")
@pytest.mark.parametrize("choice", LIMIT_CHOICES, ids=lambda choice: choice.name)
def test_the_chosen_limits_are_the_tables(choice: LimitChoice) -> None:
    options = TableOptions(main=choice.main, side=choice.side)
    for main, side, taken in [
        (choice.main.minimum, choice.side.minimum, True),
        (choice.main.maximum, choice.side.maximum, True),
        (choice.main.minimum - 1, choice.side.minimum, False),
        (choice.main.maximum + 1, choice.side.minimum, False),
        (choice.main.minimum, choice.side.minimum - 1, False),
        (choice.main.minimum, choice.side.maximum + 1, False),
    ]:
        table = Table("surrender", "", options=options, purse=10**9)
        if taken:
            table.bet((0, "main", main), (0, "21+3", side))
        else:
            with pytest.raises(Refusal, match=r"(above the maximum|below the minimum): stake from"):
                table.bet((0, "main", main), (0, "21+3", side))


@pytest.mark.rule("COM-54")
def test_everyone_has_a_choice_and_a_name_is_one_choice() -> None:
    assert limit_choices(0)
    assert len({choice.name for choice in LIMIT_CHOICES}) == len(LIMIT_CHOICES)


def test_free_bet_is_played_from_1_to_5000() -> None:
    """The Free Bet chapter: limits 1-5,000 EUR."""
    assert find("freebet").options.limits("main") == Limits(100, 500_000)


# Chips


@pytest.mark.rule("COM-26")
@pytest.mark.parametrize("chip", find("surrender").options.chips)
def test_insurance_on_any_chip_is_exactly_half(chip: int) -> None:
    table = solo("surrender", "10 A 8 K", "0 insure yes @ada", stake=chip)
    # Half the chip at 2:1 is the chip: an insured loss is nothing lost.
    assert table.net() == 0


# The cut


@pytest.mark.rule("COM-12")
def test_the_default_cut_is_208_and_good_for_every_live_game() -> None:
    assert TableOptions().cut == 208
    for name in LIVE:
        check_cut(find(name).rules.decks, find(name).options.cut)


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize(("decks", "last"), [(8, 276), (6, 172), (4, 68)])
def test_140_cards_lie_behind_the_cut(decks: int, last: int) -> None:
    check_cut(decks, last)
    check_cut(decks, 1)
    with pytest.raises(OptionError) as refusal:
        check_cut(decks, last + 1)
    assert str(refusal.value) == (
        f"the cut after {last + 1} of {52 * decks} cards leaves 139 behind it: leave at least 140"
    )


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("cut", [0, -1, -208, 416, 1000])
def test_a_cut_outside_the_shoe_is_refused(cut: int) -> None:
    with pytest.raises(OptionError, match=f"the cut after {cut} of 416 cards"):
        check_cut(8, cut)


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("name", LIVE)
@pytest.mark.parametrize(("cut", "opens"), [(276, True), (277, False), (0, False)])
def test_a_live_table_does_not_open_with_a_bad_cut(name: str, cut: int, opens: bool) -> None:
    def open_table() -> Round:
        return Round(find(name).rules, StackedShoe([]), purses={"ada": 100}, options=TableOptions(cut=cut))

    if opens:
        open_table()
    else:
        with pytest.raises(OptionError, match=f"the cut after {cut} of 416 cards"):
            open_table()


@pytest.mark.rule("OFF-02")
def test_side_bets_are_switched_off_beside_those_that_are_off() -> None:
    options = TableOptions(side_bets_off=("21+3",))
    assert options.without() is options
    assert options.without("player-pair", "21+3").side_bets_off == ("21+3", "player-pair")
