"""A refusal carries its code and params, for programs as for people."""

from __future__ import annotations

from sabot.errors import Refusal


def test_what_a_refusal_carries() -> None:
    error = Refusal("bet/no-such-spot", spot=9, last=4)
    assert error.args == ("bet/no-such-spot", {"spot": 9, "last": 4})
    assert (error.code, error.params, error.rule) == (
        "bet/no-such-spot",
        {"spot": 9, "last": 4},
        "COM-50",
    )
    assert str(error) == "No bet goes on hand 10 here: the numbers are 1 to 5 (COM-50)"
    assert repr(error) == "Refusal('bet/no-such-spot', {'spot': 9, 'last': 4})"
