"""What one line is paid, won and given back."""

from __future__ import annotations

import pytest

from sabot.cards import ShoeEmptyError
from sabot.engine import StackedShoe, Stake
from sabot.engine.outcome import HALF, LOSE, PUSH, RETURNED, LinePayment, Outcome, pay


@pytest.mark.rule("COM-20", "MAJ-54")
@pytest.mark.parametrize(
    ("outcome", "payment"),
    [
        (LOSE, LinePayment(0, 0)),
        (HALF, LinePayment(150, 0)),
        (PUSH, LinePayment(301, 0, (500,))),
        (RETURNED, LinePayment(301, 0, (500,))),
        (Outcome("win", (1, 1)), LinePayment(301 + 801, 801)),
        # 3:2 on 8.01 at face value, rounded down once
        (Outcome("blackjack", (3, 2)), LinePayment(301 + 1201, 1201)),
        (Outcome("cashback", amount=400), LinePayment(400, 99)),
        (Outcome("cashback", amount=200), LinePayment(200, 0)),
    ],
)
def test_a_mixed_stake(outcome: Outcome, payment: LinePayment) -> None:
    assert pay(Stake(301, (500,)), outcome) == payment


def test_an_empty_shoe_says_so() -> None:
    with pytest.raises(ShoeEmptyError, match="all 0 cards of the shoe are dealt"):
        StackedShoe([]).draw()
