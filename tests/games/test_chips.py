"""Chips fit the limits of every table: what is allowed can be staked with them, and no chip is refused where it leads on."""

from __future__ import annotations

from random import Random
from typing import get_args

import msgspec
import pytest

from sabot.games import CATALOGUE, Game, TableOptions
from sabot.games.chips import MOST, PRESSES, check_chips, fitting_chips
from sabot.games.options import LIMIT_CHOICES, LimitChoice, Limits, OptionError
from sabot.server.config import Config, TableSection
from sabot.server.tables.limits import choices_of
from sabot.server.tables.opening import check_section, table_config
from sabot.store.kinds import Currency

#: Every table of a house that sets nothing: solo with each choice of each VIP level and currency, and live.
SHIPPED = [
    pytest.param(game, game.with_limits(choice), id=f"{name}-{currency}-{choice.name}")
    for name, game in CATALOGUE.items()
    if not game.live
    for currency in get_args(Currency)
    for choice in choices_of(Config(), name, currency)
] + [
    pytest.param(CATALOGUE[section.game], table_config(section, Config()).options, id=section.name)
    for section in Config().table
]


def presses(stake: int, chips: tuple[int, ...], maximum: int, *, live: bool) -> int:
    """The fewest presses of one chip that make a stake; at a live table the last one fills up to the maximum (FRB-22)."""
    counts = [stake // chip for chip in chips if stake % chip == 0]
    if live and stake == maximum:
        counts.append(-(-stake // chips[-1]))
    return min(counts, default=10**9)


def assert_fit(game: Game, options: TableOptions) -> None:
    """Every minimum and every maximum can be staked in ten presses, of every kind of bet with its own limits (COM-23)."""
    chips = options.chips
    assert list(chips) == sorted(set(chips))
    for limits in game.limits(options):
        assert chips[0] <= limits.minimum, "the smallest chip is a bet that is allowed, or less"
        assert presses(limits.minimum, chips, limits.maximum, live=game.live) <= PRESSES
        assert limits.maximum <= PRESSES * chips[-1]
        assert presses(limits.maximum, chips, limits.maximum, live=game.live) <= PRESSES
    check_chips(chips, game.limits(options))


@pytest.mark.rule("PLT-69", "COM-23", "COM-26", "PLT-45")
@pytest.mark.parametrize(("game", "options"), SHIPPED)
def test_the_chips_of_every_table_fit_its_limits(game: Game, options: TableOptions) -> None:
    """No more of them than keys, all of them even."""
    assert_fit(game, options)
    assert len(options.chips) <= MOST
    assert [chip % 2 for chip in options.chips] == [0] * len(options.chips)
    # From the minimum on every whole multiple of the smallest chip can be made up.
    assert all(limits.minimum % options.chips[0] == 0 for limits in game.limits(options))


@pytest.mark.rule("PLT-69")
def test_the_chips_of_the_limits_that_ship() -> None:
    """As they lie there: at each choice of a solo game, and up to 5,000.00 at Free Bet."""
    found = {choice.name: CATALOGUE["link"].with_limits(choice).chips for choice in LIMIT_CHOICES}
    assert found == {
        "low": (100, 200, 500, 1_000, 2_500),
        "standard": (100, 200, 500, 1_000, 2_500, 5_000, 10_000),
        "high": (200, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000),
        "salon": (1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000),
    }
    assert CATALOGUE["freebet"].options.chips == (
        100,
        200,
        500,
        1_000,
        2_500,
        10_000,
        25_000,
        50_000,
        100_000,
    )
    assert CATALOGUE["majority-eu"].options.chips == found["standard"]


def some_limits(rng: Random, least: int) -> Limits:
    """Limits of whatever size: round ones, odd ones, a minimum that is the maximum."""
    unit = rng.choice((2, 10, 50, 100, 100, 1_000, 10_000))
    minimum = max(least, unit * rng.choice((1, 1, 2, 3, 5, 7, 10, 33)))
    return Limits(minimum, minimum * rng.choice((1, 1, 2, 3, 7, 10, 50, 99, 500, 5_000)))


@pytest.mark.rule("PLT-69", "COM-23", "COM-26")
@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_chips_fit_whatever_the_operator_sets(name: str) -> None:
    """Side bets with limits of their own too; with even limits every chip is even."""
    game, rng = CATALOGUE[name], Random(f"chips {name}")
    for _ in range(400):
        own = {bet.name: some_limits(rng, 2) for bet in game.rules.side_bets if rng.random() < 0.3}
        side, behind = some_limits(rng, 2), some_limits(rng, 2)
        base = msgspec.structs.replace(game.options, behind=behind, side_by_name=own)
        chosen = LimitChoice("own", 0, some_limits(rng, 2), side)
        options = msgspec.structs.replace(game, options=base).with_limits(chosen)
        assert_fit(game, options)
        assert not any(chip % 2 for chip in options.chips)


@pytest.mark.rule("PLT-69")
@pytest.mark.parametrize(
    ("limits", "chips"),
    [
        (Limits(333, 333), (333,)),
        (Limits(1, 7), (1, 2, 7)),
        (Limits(100, 33_300), (100, 200, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 33_300)),
        (Limits(10, 10**8), (10, 50, 200, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 25_000_000)),
    ],
)
def test_what_no_usual_chip_makes_up_is_a_chip_itself(limits: Limits, chips: tuple[int, ...]) -> None:
    """And where there would be more than keys, those that are close to others are left out."""
    assert fitting_chips([limits]) == chips


@pytest.mark.rule("PLT-69")
def test_limits_without_a_common_chip_need_no_chips_of_the_operator() -> None:
    """A minimum of 5.00 beside one of 2.00: the chips of the house are 2.00 and 5.00, and neither is a part of the other."""
    limits = {"main": {"minimum": 200, "maximum": 20_000}, "side": {"minimum": 500, "maximum": 5_000}}
    section = TableSection(name="one", game="majority-eu", options=limits)
    check_section(section, Config())
    options = table_config(section, Config()).options
    assert options is not None
    assert options.chips[:2] == (200, 500)


@pytest.mark.rule("PLT-69", "PLT-10")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"chips": [500, 10_000], "main": {"minimum": 100, "maximum": 50_000}}, "from 5.00 to 100.00"),
        ({"chips": [100, 4_900], "main": {"minimum": 100, "maximum": 50_000}}, "from 1.00 to 49.00"),
        (
            {"chips": [100, 5_000], "side_by_name": {"top-3": {"minimum": 150, "maximum": 200}}},
            "from 1.50 to 2.00",
        ),
    ],
)
def test_chips_of_an_operator_that_do_not_fit_are_refused(options: dict[str, object], says: str) -> None:
    section = TableSection(name="one", game="majority-eu", options=options)
    with pytest.raises(Exception, match=says) as refused:
        check_section(section, Config())
    assert getattr(refused.value, "code", "") == "table/settings"


@pytest.mark.rule("PLT-69")
def test_chips_of_an_operator_that_fit_are_kept() -> None:
    given = {"chips": [100, 5_000], "main": {"minimum": 100, "maximum": 50_000}}
    section = TableSection(name="one", game="majority-eu", options=given)
    check_section(section, Config())
    options = table_config(section, Config()).options
    assert options is not None
    assert options.chips == (100, 5_000)
    with pytest.raises(OptionError):
        check_chips((100, 5_000), [Limits(50, 100)])
