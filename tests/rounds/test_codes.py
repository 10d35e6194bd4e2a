"""Game codes: none is given twice, by one node or by two."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from sabot.rounds.codes import SecureCodes

NOW = 1_788_000_000_123


@pytest.mark.rule("PLT-20")
def test_two_nodes_never_give_the_same_code() -> None:
    """With the same first letter hundreds of them would be the same."""
    nodes = [SecureCodes(slot) for slot in (0, 1, 31)]
    codes = [{codes(NOW) for _ in range(5_000)} for codes in nodes]
    assert {code[-4] for code in codes[0]} == {"A"}
    assert {code[-4] for code in codes[2]} == {"7"}
    assert len(set.union(*codes)) == 15_000


@pytest.mark.rule("PLT-20")
def test_a_second_that_has_no_more_codes_goes_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits; and when the next second has come, what was given of it is not given again."""
    monkeypatch.setattr("sabot.rounds.codes._MOST", 2_000)
    codes = SecureCodes()
    first = [codes(NOW) for _ in range(3_000)]
    later = [codes(NOW + 1_000) for _ in range(2_000)]
    given = first + later
    assert len(set(given)) == len(given)
    assert [code[:13] for code in (first[0], first[-1], later[0], later[-1])] == [
        "260829-104000",
        "260829-104001",
        "260829-104001",
        "260829-104002",
    ]
    assert all(re.fullmatch(r"\d{6}-\d{6}-A[A-Z2-7]{3}", code) for code in given)


def test_threads_get_codes_of_their_own() -> None:
    codes = SecureCodes()
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda _: [codes(NOW) for _ in range(5_000)], range(4)))
    assert len({code for part in given for code in part}) == 20_000


def test_a_clock_that_goes_back_and_forth() -> None:
    codes = SecureCodes()
    given = [codes(NOW + 1_000 * (i % 7)) for i in range(20_000)]
    assert len(set(given)) == 20_000
