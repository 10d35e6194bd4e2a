"""The golden chips that pay a double or split are those that fit, the fewest first (PLT-65)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.engine import Bet, Round, StackedShoe, Stake, golden
from sabot.engine.commands import Consent, Deal, Double, PlaceBets
from sabot.engine.events import StakeAdded
from sabot.engine.golden import MOST_CHIPS, largest_first, nearest_chips
from sabot.games import find
from sabot.games.options import GoldenOptions, TableOptions
from tests.oracle.play import best_chips
from tests.support.table import cards_of

ADA = "ada"


@pytest.fixture(autouse=True, scope="module")
def no_choice_remembered() -> None:
    golden._nearest.cache_clear()


def doubled(chips: dict[int, int], *, mixing: bool = True) -> Round:
    """A round in which a golden bet of 10.00 was doubled by Best Strategy's ten against a nine."""
    options = TableOptions(golden=GoldenOptions(mixing=mixing), vote_threshold=2)
    shoe, rules = StackedShoe(cards_of("8 9 3 8 8")), find("majority-eu").rules
    held = {**chips, 1000: chips.get(1000, 0) + 1}
    round = Round(rules, shoe, purses={ADA: 5_000}, golden={ADA: held}, options=options)
    round.apply(Consent(ADA, double=True, split=True))
    round.apply(PlaceBets(ADA, (Bet(0, "main", 0, (1000,)),)))
    round.apply(Deal())
    round.apply(Double(0))
    return round


def added(round: Round) -> Stake:
    """What was put on the double."""
    return next(event.stake for event in round.log if isinstance(event, StakeAdded))


@pytest.mark.rule("PLT-65", "MAJ-53")
@pytest.mark.parametrize("mixing", [True, False])
def test_two_fives_pay_a_ten_beside_a_six(mixing: bool) -> None:
    """6 + 5 + 5: a golden 10 is doubled by 5 + 5, not by 6 and 4 in money, nor in money alone."""
    assert added(doubled({600: 1, 500: 2}, mixing=mixing)) == Stake(0, (500, 500))


@pytest.mark.rule("PLT-65")
@pytest.mark.parametrize(
    ("held", "amount", "chips"),
    [
        ({600: 1, 100: 4, 500: 2}, 1000, (500, 500)),  # the fewest, though the largest first would fit too
        ({600: 2, 400: 2, 500: 2}, 1000, (600, 400)),  # of two pairs the one with the largest
        ({700: 1, 500: 1, 400: 1}, 1000, (500, 400)),  # nothing fits: the nearest
        ({700: 1, 400: 1, 300: 2}, 1100, (700, 400)),
        ({2000: 3}, 1000, ()),
        ({}, 1000, ()),
        ({100: 3, 200: 1}, 1000, (200, 100, 100, 100)),  # all together are not enough
        ({950: 1, 700: 1, 300: 2}, 1000, (700, 300)),  # one of two
        ({950: 1, 600: 1, 200: 4}, 1000, (600, 200, 200)),  # two of four
        (
            {1400: 1, 600: 1, 500: 1, 400: 1, 300: 1},
            1500,
            (600, 500, 400),
        ),  # two of 6 and one of 3 would fit too
    ],
)
def test_which_chips_are_chosen(held: dict[int, int], amount: int, chips: tuple[int, ...]) -> None:
    assert nearest_chips(held, amount, amount) == chips


@pytest.mark.rule("PLT-65", "MAJ-51")
def test_chips_beyond_the_room_do_not_count() -> None:
    """4 + 3 + 3 would fit, but there is room for two."""
    assert nearest_chips({900: 1, 500: 1, 450: 1, 400: 1, 300: 2}, 1000, 2) == (500, 450)


@pytest.mark.rule("PLT-65", "MAJ-51")
@given(
    chips=st.lists(st.sampled_from([100, 150, 250, 300, 500, 600, 700, 1000, 2500]), max_size=9),
    amount=st.integers(1, 60).map(lambda units: 50 * units),
    room=st.integers(0, 9),
)
def test_no_other_choice_is_better(chips: list[int], amount: int, room: int) -> None:
    assert list(nearest_chips(Counter(chips), amount, room)) == best_chips(chips, amount, room)


@given(
    held=st.dictionaries(st.integers(1, 100_000), st.integers(1, 5_000), max_size=40),
    amount=st.integers(1, 500_000),
    room=st.integers(0, 500_000),
)
def test_a_search_is_bounded_and_never_worse_than_the_largest_first(
    held: dict[int, int], amount: int, room: int
) -> None:
    """Chips of any values: what is chosen is held and fits, and comes as near as from the largest on."""
    chips, greedy = nearest_chips(held, amount, room), largest_first(held, amount, room)
    assert sum(greedy) <= sum(chips) <= amount
    assert len(chips) <= max(room, 0)
    assert not Counter(chips) - Counter(held)
    assert len(chips) <= MOST_CHIPS or chips == greedy
