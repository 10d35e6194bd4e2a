"""The registry of refusals."""

from __future__ import annotations

import re

import pytest

from sabot.errors import ENGLISH, REFUSALS, Refusal, SentenceFormatter

CODE = re.compile(r"[a-z]+/[a-z-]+")


def test_the_registry_is_in_order_and_has_statuses_of_http() -> None:
    assert list(REFUSALS) == sorted(REFUSALS)
    assert all(400 <= entry.status < 600 for entry in REFUSALS.values())
    assert all(CODE.fullmatch(code) for code in REFUSALS)


def test_a_code_that_is_not_registered_cannot_be_raised() -> None:
    with pytest.raises(KeyError):
        Refusal("no/such")


def test_what_a_refusal_carries() -> None:
    error = Refusal("bet/no-such-spot", spot=9, last=4)
    assert error.args == ("bet/no-such-spot", {"spot": 9, "last": 4})
    assert (error.code, error.params, error.rule) == (
        "bet/no-such-spot",
        {"spot": 9, "last": 4},
        "COM-50",
    )
    assert str(error) == "You cannot bet on hand 10 here: the numbers are 1 to 5 (COM-50)"
    assert repr(error) == "Refusal('bet/no-such-spot', {'spot': 9, 'last': 4})"
    assert str(Refusal("account/unknown", account="ada")) == "There is no account ada"  # of no rule


def test_amounts_are_written_with_their_thousands_and_their_sign() -> None:
    english = SentenceFormatter(ENGLISH)
    assert [english.amount(cents) for cents in (0, 5, -5, -123_456_789)] == [
        "0.00",
        "0.05",
        "-0.05",
        "-1,234,567.89",
    ]
    italian = SentenceFormatter({"language.thousands": ".", "language.decimal": ","})
    assert italian.amount(123_456_789) == "1.234.567,89"


def test_a_game_has_the_words_of_its_family() -> None:
    """`majority-us` speaks of boxes, as majority does."""
    assert SentenceFormatter(ENGLISH, "majority-us").place(0) == SentenceFormatter(ENGLISH, "majority").place(
        0
    )
    assert SentenceFormatter(ENGLISH, "majority-us").place(0) != SentenceFormatter(ENGLISH).place(0)


def test_the_reason_of_a_refusal_may_be_another_refusal() -> None:
    """Its sentence, without its rule, in the words at hand; a share in hundredths of a per cent."""
    reason = Refusal("option/weights", expected=9_001, least=9_389, most=9_957)
    told = "the bonus weights return 90.01% of the LINK bet: choose weights between 93.89% and 99.57%"
    assert str(Refusal("change/unusable", reason=reason)) == f"This cannot be set: {told}"
    italian = SentenceFormatter(
        ENGLISH | {"language.decimal": ",", "error.option/weights": "i pesi rendono il {expected:percent}"}
    )
    assert italian.format("No: {reason}", reason=reason) == "No: i pesi rendono il 90,01%"
