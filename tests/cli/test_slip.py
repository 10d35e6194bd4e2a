"""Chips before the deal, in cents."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.cli.play.slip import BetSlip, SlipButton
from sabot.engine import DEALER, Bet, Round, StackedShoe
from sabot.engine.commands import PlaceBets
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.options import Limits, TableOptions
from tests.support.bench import press

SURRENDER = find("surrender").rules
LINK = find("link").rules


def slip(balance: int = 100_000, **options: Limits) -> BetSlip:
    return BetSlip(SURRENDER, replace(TableOptions(), **options), balance=balance)


def available(chips: BetSlip) -> tuple[SlipButton, ...]:
    """The buttons that are available now."""
    return tuple(button for button in get_args(SlipButton) if chips.can(button))


def refusal(error: pytest.ExceptionInfo[Refusal]) -> str:
    return error.value.code


@pytest.mark.rule("COM-50")
def test_a_press_adds_the_chip_to_the_bet() -> None:
    chips = slip()
    press(chips, 0, "main", 1000)
    press(chips, 0, "main", 500)
    press(chips, 4, "main", 100)
    assert chips.bets() == (Bet(0, "main", 1500), Bet(4, "main", 100))
    assert chips.total == 1600


@pytest.mark.rule("COM-50")
def test_there_are_five_hands() -> None:
    chips = slip()
    for spot in range(5):
        press(chips, spot, "main", 100 * (spot + 1))
    assert [bet.stake for bet in chips.bets()] == [100, 200, 300, 400, 500]
    with pytest.raises(Refusal) as error:
        press(chips, 5, "main", 100)
    assert refusal(error) == "bet/no-such-spot"
    assert chips.total == 1500


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize(("chip", "code"), [(50, "bet/below-minimum"), (50_100, "bet/above-maximum")])
def test_a_stake_outside_the_limits_places_nothing(chip: int, code: str) -> None:
    chips = slip()
    with pytest.raises(Refusal) as error:
        press(chips, 0, "main", chip)
    assert refusal(error) == code
    assert "1.00 to 500.00" in str(error.value)
    assert chips.bets() == ()
    assert available(chips) == ()


@pytest.mark.rule("COM-25")
def test_a_chip_that_passes_the_maximum_leaves_the_stake_as_it_was() -> None:
    chips = slip()
    press(chips, 0, "main", 50_000)
    with pytest.raises(Refusal) as error:
        press(chips, 0, "main", 100)
    assert refusal(error) == "bet/above-maximum"
    assert chips.bets() == (Bet(0, "main", 50_000),)


@pytest.mark.parametrize("chip", [0, -100, True])
def test_only_whole_cents_are_chips(chip: int) -> None:
    with pytest.raises(Refusal) as error:
        press(slip(), 0, "main", chip)
    assert refusal(error) == "bet/not-whole-cents"


def test_a_chip_the_balance_does_not_cover_is_refused() -> None:
    chips = slip(balance=1500)
    press(chips, 0, "main", 1000)
    with pytest.raises(Refusal) as error:
        press(chips, 1, "main", 1000)
    assert refusal(error) == "funds/insufficient"
    assert chips.total == 1000
    press(chips, 1, "main", 500)


@pytest.mark.rule("SB-08")
def test_a_side_bet_needs_a_main_bet_first() -> None:
    chips = slip()
    for spot, kind, code in (
        (0, "21+3", "bet/no-main-bet"),
        (DEALER, "dealer-pair", "bet/needs-any-main-bet"),
        (0, "link", "bet/no-such-bet"),
    ):
        with pytest.raises(Refusal) as error:
            press(chips, spot, kind, 100)
        assert refusal(error) == code
    assert chips.bets() == ()


@pytest.mark.rule("SB-08")
def test_undoing_the_main_stake_leaves_no_side_bet() -> None:
    chips = slip()
    chips.place({(0, "main"): 1000, (0, "21+3"): 200, (DEALER, "dealer-pair"): 300})
    chips.push("undo")
    assert chips.bets() == ()


@pytest.mark.rule("COM-51")
def test_clear_takes_everything_off() -> None:
    chips = slip()
    press(chips, 0, "main", 1000)
    press(chips, 0, "21+3", 200)
    chips.push("clear")
    assert chips.bets() == ()
    with pytest.raises(Refusal) as error:
        chips.push("clear")
    assert refusal(error) == "bet/none"


@pytest.mark.rule("COM-51")
def test_undo_takes_the_last_chip_back() -> None:
    chips = slip()
    press(chips, 0, "main", 1000)
    press(chips, 0, "main", 500)
    chips.push("undo")
    assert chips.bets() == (Bet(0, "main", 1000),)
    chips.push("undo")
    assert chips.bets() == ()
    with pytest.raises(Refusal) as error:
        chips.push("undo")
    assert refusal(error) == "bet/none"


@pytest.mark.rule("COM-55", "COM-51")
def test_double_doubles_side_bets_too_and_is_one_step() -> None:
    chips = slip()
    press(chips, 0, "main", 1000)
    press(chips, 0, "21+3", 200)
    press(chips, DEALER, "dealer-pair", 300)
    chips.push("double")
    assert [bet.stake for bet in chips.bets()] == [2000, 400, 600]
    chips.push("undo")
    assert [bet.stake for bet in chips.bets()] == [1000, 200, 300]


@pytest.mark.rule("COM-55")
def test_double_is_all_or_nothing() -> None:
    chips = slip()
    press(chips, 0, "main", 1000)
    press(chips, 0, "21+3", 6000)
    assert "double" not in available(chips)
    with pytest.raises(Refusal) as error:
        chips.push("double")
    assert refusal(error) == "bet/above-maximum"
    assert error.value.params["kind"] == "21+3"
    assert [bet.stake for bet in chips.bets()] == [1000, 6000]


@pytest.mark.rule("COM-55")
def test_double_is_refused_by_the_balance() -> None:
    chips = slip(balance=1900)
    press(chips, 0, "main", 1000)
    with pytest.raises(Refusal) as error:
        chips.push("double")
    assert refusal(error) == "funds/insufficient"
    assert error.value.params == {"cost": 2000, "balance": 1900}
    assert chips.total == 1000


@pytest.mark.rule("COM-52", "COM-55")
def test_repeat_restores_the_stakes_as_dealt() -> None:
    chips = slip()
    dealt = (Bet(0, "main", 1000), Bet(0, "21+3", 200), Bet(DEALER, "dealer-pair", 300))
    chips.remember(dealt)
    assert available(chips) == ("repeat", "repeat-and-double")
    press(chips, 3, "main", 500)
    chips.push("repeat")
    assert chips.bets() == dealt
    chips.push("undo")
    assert chips.bets() == ()
    chips.push("repeat-and-double")
    assert [bet.stake for bet in chips.bets()] == [2000, 400, 600]


@pytest.mark.rule("COM-52")
def test_repeat_needs_a_round_before_it() -> None:
    chips = slip()
    buttons: tuple[SlipButton, ...] = ("repeat", "repeat-and-double", "double")
    for button in buttons:
        with pytest.raises(Refusal) as error:
            chips.push(button)
        assert refusal(error) == "bet/none"


@pytest.mark.rule("COM-52")
def test_repeat_is_available_only_within_balance_and_limits() -> None:
    chips = slip(balance=1500)
    chips.remember((Bet(0, "main", 1000),))
    assert available(chips) == ("repeat",)
    chips.balance = 900
    assert available(chips) == ()
    with pytest.raises(Refusal) as error:
        chips.push("repeat")
    assert refusal(error) == "funds/insufficient"
    chips.balance = 10_000
    chips.options = replace(chips.options, main=Limits(2000, 5000))
    with pytest.raises(Refusal) as error:
        chips.push("repeat")
    assert refusal(error) == "bet/below-minimum"
    assert available(chips) == ("repeat-and-double",)


@pytest.mark.rule("MAJ-57")
def test_golden_chips_are_repeated_as_money() -> None:
    chips = BetSlip(find("majority-eu").rules, balance=5000)
    chips.remember((Bet(0, "main", 500, golden=(1000, 500)), Bet(0, "21+3", golden=(200,))))
    chips.push("repeat")
    assert chips.bets() == (Bet(0, "main", 2000), Bet(0, "21+3", 200))


def test_bets_come_hand_by_hand_with_the_dealer_pair_last() -> None:
    chips = BetSlip(LINK, balance=100_000)
    press(chips, 2, "main", 100)
    press(chips, DEALER, "dealer-pair", 100)
    press(chips, 0, "main", 100)
    press(chips, 2, "link", 100)
    press(chips, 0, "21+3", 100)
    assert [(bet.spot, bet.kind) for bet in chips.bets()] == [
        (0, "main"),
        (0, "21+3"),
        (2, "main"),
        (2, "link"),
        (DEALER, "dealer-pair"),
    ]


OPERATIONS = st.one_of(
    st.tuples(
        st.sampled_from((DEALER, *range(6))),
        st.sampled_from(("main", "main", "player-pair", "21+3", "link", "dealer-pair")),
        st.sampled_from((50, 100, 500, 2500, 10_000)),
    ),
    st.sampled_from(("undo", "clear", "double", "repeat", "repeat-and-double", "deal")),
)


@pytest.mark.rule("COM-55", "SB-08")
@given(st.lists(OPERATIONS, max_size=30), st.integers(0, 60_000))
def test_a_slip_only_ever_holds_bets_the_engine_takes(
    operations: list[tuple[int, str, int] | SlipButton], balance: int
) -> None:
    chips = BetSlip(LINK, balance=balance)
    for operation in operations:
        before = chips.bets()
        try:
            if isinstance(operation, tuple):
                press(chips, *operation)
            else:
                chips.push(operation)
                if operation == "deal":
                    chips.remember(before)
        except Refusal:
            assert chips.bets() == before
        round = Round(LINK, StackedShoe(()), purses={"ada": balance}, options=chips.options, draw=lambda n: 0)
        round.verify(PlaceBets("ada", chips.bets()))
        assert chips.can("deal") == bool(chips.bets())
