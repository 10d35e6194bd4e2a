"""How a best-strategy table is read (MAJ-31), and which rows are none."""

from __future__ import annotations

import pytest

from sabot.cards import Hand, parse_card, parse_cards
from sabot.games.rules import Action
from sabot.games.strategy import BestTable

FREE: set[Action] = {"stand", "hit", "double", "split", "surrender"}
UP_CARDS = ("2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "As")
NOTHING = BestTable(hard={}, soft={}, pairs={})


def read(table: BestTable, cards: str, up: str = "6s", legal: set[Action] = FREE) -> Action:
    """What the table plays."""
    return table.action(Hand(parse_cards(cards)), parse_card(up), legal)


def every(letter: str) -> str:
    """A row of one letter."""
    return letter * 10


# Which cell


@pytest.mark.parametrize("column", range(10))
def test_the_columns_are_the_up_cards_from_two_to_ace(column: int) -> None:
    row = "H" * column + "S" + "H" * (9 - column)
    table = BestTable(hard={16: row}, soft={18: row}, pairs={8: row})
    for cards in ("10s 6h", "As 7h", "8s 8h"):
        played = [read(table, cards, up) for up in UP_CARDS]
        assert [at for at, action in enumerate(played) if action == "stand"] == [column]


@pytest.mark.parametrize("up", ["Js", "Qh", "Kd"])
def test_court_cards_are_read_as_tens(up: str) -> None:
    assert read(BestTable(hard={16: "HHHHHHHHSH"}, soft={}, pairs={}), "10s 6h", up) == "stand"


def test_a_hand_is_read_as_a_pair_before_its_total_and_as_soft_before_hard() -> None:
    table = BestTable(
        hard={16: every("S"), 12: every("S"), 18: every("H")},
        soft={18: every("D"), 12: every("H")},
        pairs={8: every("P"), 1: every("P")},
    )
    assert read(table, "8s 8h") == "split"
    assert read(table, "10s 6h") == "stand"
    assert read(table, "As 7h") == "double"
    assert read(table, "10s 8h") == "hit"
    assert read(table, "As Ah") == "split"


def test_only_two_cards_of_one_value_are_read_as_a_pair() -> None:
    table = BestTable(hard={16: every("H"), 20: every("H")}, soft={}, pairs={10: every("S"), 6: every("S")})
    # The first or the second card has a row among the pairs: that alone is none.
    assert read(table, "10s 6h") == "hit"
    assert read(table, "6s 10h") == "hit"
    assert read(table, "6s 6h 4d") == "hit"
    # A ten and a king are a pair (COM-40).
    assert read(table, "10s Kh") == "stand"


@pytest.mark.rule("MAJ-31")
def test_a_pair_that_may_not_be_split_is_read_by_its_total() -> None:
    table = BestTable(hard={16: every("S")}, soft={12: every("D")}, pairs={8: every("P"), 1: every("P")})
    assert read(table, "8s 8h", legal={"stand", "hit", "double"}) == "stand"
    assert read(table, "As Ah", legal={"stand", "hit", "double"}) == "double"
    assert read(table, "As Ah", legal={"stand", "hit"}) == "hit"


@pytest.mark.parametrize(
    ("cards", "action"),
    [
        ("2s 2h", "hit"),
        ("10s 6h", "hit"),
        ("10s 7h", "stand"),
        ("10s 8h", "stand"),
        ("As 5h", "hit"),
        ("As 6h", "stand"),
        ("As 9h", "stand"),
    ],
)
def test_a_total_without_a_row_stands_from_17(cards: str, action: Action) -> None:
    assert read(NOTHING, cards) == action


# What a letter plays


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(
    ("letter", "wanted", "otherwise"),
    [
        ("H", "hit", "hit"),
        ("S", "stand", "stand"),
        ("D", "double", "hit"),
        ("d", "double", "stand"),
        ("R", "surrender", "hit"),
        ("r", "surrender", "stand"),
    ],
)
def test_what_each_letter_plays_and_where_that_is_not_legal(
    letter: str, wanted: Action, otherwise: Action
) -> None:
    table = BestTable(hard={16: every(letter)}, soft={17: every(letter)}, pairs={9: every(letter)})
    for cards in ("10s 6h", "As 6h", "9s 9h"):
        assert read(table, cards) == wanted
        assert read(table, cards, legal={"stand", "hit"}) == otherwise


@pytest.mark.rule("MAJ-31")
@pytest.mark.parametrize(
    ("cards", "action"),
    [("As 6h", "hit"), ("As 7h", "stand"), ("As 8h", "hit"), ("10s 8h", "hit"), ("9s 9h", "hit")],
)
def test_a_soft_18_that_may_not_be_doubled_stands(cards: str, action: Action) -> None:
    rows = dict.fromkeys((17, 18, 19), every("D"))
    table = BestTable(hard=rows, soft=rows, pairs={9: every("D")})
    assert read(table, cards, legal={"stand", "hit"}) == action
    assert read(table, cards) == "double"


def test_a_soft_18_that_may_not_be_surrendered_plays_its_letter() -> None:
    table = BestTable(hard={}, soft={18: every("R")}, pairs={})
    assert read(table, "As 7h", legal={"stand", "hit"}) == "hit"


# Rows


@pytest.mark.parametrize(
    ("kind", "total", "row"),
    [
        ("hard", 16, "HHHHHHHHH"),
        ("hard", 16, "HHHHHHHHHHH"),
        ("hard", 16, ""),
        ("hard", 16, "HHHHHHHHHX"),
        ("hard", 16, "HHHHHHHHHs"),
        ("hard", 16, "HHHHHHHHHP"),
        ("soft", 18, "PHHHHHHHHH"),
        ("soft", 18, "HHHH HHHHH"),
    ],
)
def test_a_row_is_ten_letters_and_only_pairs_split(kind: str, total: int, row: str) -> None:
    with pytest.raises(ValueError, match="is not ten letters") as error:
        BestTable(**{"hard": {}, "soft": {}, "pairs": {}, kind: {total: row}})
    assert str(error.value) == f"{kind} {total}: {row!r} is not ten letters of H S D d R r"


def test_a_pair_has_one_letter_more() -> None:
    with pytest.raises(ValueError, match="is not ten letters") as error:
        BestTable({}, {}, {8: "PPPPPPPPPX"})
    assert str(error.value) == "pairs 8: 'PPPPPPPPPX' is not ten letters of H S D d R r P"


def test_one_bad_row_among_good_ones_is_found() -> None:
    with pytest.raises(ValueError, match="soft 19: 'S' is not ten letters"):
        BestTable({17: every("S")}, {18: every("S"), 19: "S"}, {})


def test_a_row_may_hold_every_letter() -> None:
    table = BestTable({16: "HSDdRrHHHH"}, {18: "HSDdRrHHHH"}, {8: "HSDdRrPHHH"})
    assert [read(table, "8s 8h", up) for up in UP_CARDS[:7]] == [
        "hit",
        "stand",
        "double",
        "double",
        "surrender",
        "surrender",
        "split",
    ]
