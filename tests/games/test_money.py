"""Money as text: units, two decimals, the mark of the language."""

from __future__ import annotations

import pytest

from sabot.games.money import format_money


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0.00"),
        (1, "0.01"),
        (-1, "-0.01"),
        (99, "0.99"),
        (100, "1.00"),
        (-100, "-1.00"),
        (1205, "12.05"),
        (-1250, "-12.50"),
        (123_456_789, "1234567.89"),
    ],
)
def test_cents_are_written_as_units_with_two_decimals(cents: int, text: str) -> None:
    assert format_money(cents) == text
    assert format_money(cents, ",") == text.replace(".", ",")
