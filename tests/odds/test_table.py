"""The best tables: the cells the Majority seed prints, the rule they are made by, and the tables themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sabot.games import CATALOGUE, Rules, find
from sabot.games.strategy import BestTable
from sabot.odds.game import game_tables
from sabot.odds.values import Behind, action_values
from tests.odds.naive import CARDS, FREE_HAND, Hand, Naive, checks, decks, forget, is_soft, total, without

GAMES = sorted(CATALOGUE)

#: As the regulation prints them, for the up cards 2 to 10 and the ace; SP is P here.
PRINTED = {
    "hard 20": "SSSSSSSSSS",
    "soft 13": "HHHDDHHHHH",
    "soft 14": "HHHDDHHHHH",
    "soft 15": "HHDDDHHHHH",
    "soft 16": "HHDDDHHHHH",
    "soft 17": "HDDDDHHHHH",
    "soft 18": "SDDDDSSHHH",
    "soft 19": "SSSSSSSSSS",
    "soft 20": "SSSSSSSSSS",
    "pairs 2": "PPPPPPHHHH",
    "pairs 3": "PPPPPPHHHH",
}

CLASSIC = """\
hard 4   HHHHHHHHHH
hard 5   HHHHHHHHHH
hard 6   HHHHHHHHHH
hard 7   HHHHHHHHHH
hard 8   HHHHHHHHHH
hard 9   HDDDDHHHHH
hard 10  DDDDDDDDHH
hard 11  DDDDDDDDDH
hard 12  HHSSSHHHHH
hard 13  SSSSSHHHHH
hard 14  SSSSSHHHHH
hard 15  SSSSSHHHHH
hard 16  SSSSSHHHHH
hard 17  SSSSSSSSSS
hard 18  SSSSSSSSSS
hard 19  SSSSSSSSSS
hard 20  SSSSSSSSSS
soft 12  HHHHDHHHHH
soft 13  HHHDDHHHHH
soft 14  HHHDDHHHHH
soft 15  HHDDDHHHHH
soft 16  HHDDDHHHHH
soft 17  HDDDDHHHHH
soft 18  SddddSSHHH
soft 19  SSSSSSSSSS
soft 20  SSSSSSSSSS
pairs 1  PPPPPPPPPP
pairs 2  PPPPPPHHHH
pairs 3  PPPPPPHHHH
pairs 4  HHHPPHHHHH
pairs 5  DDDDDDDDHH
pairs 6  PPPPPHHHHH
pairs 7  PPPPPPHHHH
pairs 8  PPPPPPPPPP
pairs 9  PPPPPSPPSS
pairs 10 SSSSSSSSSS
"""

NO_CHECK = """\
pairs 1  PPPPPPPPPH
pairs 8  PPPPPPPPHH
"""

#: The rows in which each game's table differs from the classic one.
DIFFERENCES = {
    "cashback": NO_CHECK,
    "classic-6": "",
    "classic-8": "",
    "freebet": """\
hard 9   DDDDDDDDDD
hard 10  DDDDDDDDDD
hard 11  DDDDDDDDDD
hard 12  HHHHHHHHHH
hard 13  HSSSSHHHHH
hard 14  HSSSSHHHHH
soft 12  HHHHHHHHHH
soft 13  HHHHHHHHHH
soft 14  HHHHHHHHHH
soft 15  HHHHHHHHHH
soft 16  HHHHHHHHHH
soft 17  HHHDDHHHHH
soft 18  SSSddSSHHH
pairs 2  PPPPPPPPPP
pairs 3  PPPPPPPPPP
pairs 4  PPPPPPPPPP
pairs 5  DDDDDDDDDD
pairs 6  PPPPPPPPPP
pairs 7  PPPPPPPPPP
pairs 9  PPPPPPPPPP
""",
    "link": NO_CHECK,
    "majority-eu": NO_CHECK,
    "majority-us": """\
pairs 8  PPPPPPPPHP
""",
    "surrender": """\
hard 15  SSSSSHHHRH
hard 16  SSSSSHHRRR
""",
}

#: The free split hand of Free Bet, as it differs from the classic table; it has no doubles and no pairs.
FREE_HAND_DIFFERENCES = """\
hard 9   HHHHHHHHHH
hard 10  HHHHHHHHHH
hard 11  HHHHHHHHHH
hard 12  HHHSSHHHHH
hard 13  HSSSSHHHHH
hard 14  HSSSSHHHHH
hard 17  SSSSSHHHSH
soft 12  HHHHHHHHHH
soft 13  HHHHHHHHHH
soft 14  HHHHHHHHHH
soft 15  HHHHHHHHHH
soft 16  HHHHHHHHHH
soft 17  HHHHHHHHHH
soft 18  HSSSSSHHHH
"""


def table_of(game: str) -> BestTable:
    return game_tables(find(game).rules).best


def rows_of(table: BestTable) -> dict[str, str]:
    return {
        f"{kind} {number}": row
        for kind in ("hard", "soft", "pairs")
        for number, row in getattr(table, kind).items()
    }


def read(text: str) -> dict[str, str]:
    return {line[:8].strip(): line[9:] for line in text.splitlines()}


# The tables as printed and as pinned


@pytest.mark.rule("MAJ-30")
@pytest.mark.parametrize("row", PRINTED)
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_every_cell_the_regulation_prints(game: str, row: str) -> None:
    """Its rows give one ace column for EU and US dealing; none of them differs."""
    assert rows_of(table_of(game))[row].upper() == PRINTED[row]


@pytest.mark.parametrize("game", GAMES)
def test_a_soft_18_that_would_double_stands_where_it_cannot(game: str) -> None:
    assert "D" not in table_of(game).soft[18]
    others = [row for name, row in rows_of(table_of(game)).items() if name != "soft 18"]
    assert not set("dr") & set("".join(others))


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_are_what_they_were(game: str) -> None:
    assert rows_of(table_of(game)) == read(CLASSIC) | read(DIFFERENCES[game])


def test_the_table_of_the_free_hand_is_what_it_was() -> None:
    free = game_tables(find("freebet").rules).free
    assert free is not None
    classic = {name: row for name, row in read(CLASSIC).items() if not name.startswith("pairs")}
    assert rows_of(free) == classic | read(FREE_HAND_DIFFERENCES)


def test_the_eu_and_the_us_table_differ_only_under_the_ace() -> None:
    eu, us = rows_of(table_of("majority-eu")), rows_of(table_of("majority-us"))
    assert {name: row[:9] for name, row in eu.items()} == {name: row[:9] for name, row in us.items()}
    assert {name for name in eu if eu[name] != us[name]} == {"pairs 1", "pairs 8"}


# What any table should look like


@pytest.mark.parametrize("game", GAMES)
def test_higher_hard_totals_stand_where_lower_ones_do(game: str) -> None:
    table = table_of(game)
    for column in range(10):
        letters = [table.hard[hard][column] for hard in range(4, 21)]
        stands = [letter == "S" for letter in letters]
        assert stands == sorted(stands), column
        assert not any(stands[: 12 - 4]), "a hand that cannot bust never stands"
        assert all(stands[17 - 4 :])
        doubles = [letter == "D" for letter in letters[5:8]]
        assert doubles == sorted(doubles), "11 doubles wherever 10 does, 10 wherever 9 does"
        soft = [table.soft[total][column] in "Sd" for total in range(13, 21)]
        assert soft == sorted(soft)


# The rule they are made by, once more (RET-06)


def hands_of(wanted: int, soft: bool) -> list[Hand]:
    """The two-card hands of a total that are no pair, or the pair where there is no other."""
    found = [
        (a, b) for a in CARDS for b in range(a, 11) if total((a, b)) == wanted and is_soft((a, b)) == soft
    ]
    return [hand for hand in found if hand[0] != hand[1]] or list(found)


def weight_of(rules: Rules, hand: Hand, up: int) -> float:
    """How often the hand is dealt and its decision reached, but for what is the same for all hands."""
    left = without(decks(rules.decks), up)
    first = left[hand[0] - 1]
    ways = first * (first - 1) if hand[0] == hand[1] else 2 * first * left[hand[1] - 1]
    if not checks(rules, up):
        return float(ways)
    unseen = without(left, *hand)
    found = unseen[{1: 10, 10: 1}[up] - 1] / sum(unseen)
    return ways * (1 - found)


def best_letter(rules: Rules, rows: list[tuple[float, dict[str, float]]]) -> str:
    """The letter of the best mean value; ties stand, and in small letters a double or surrender that else stands."""
    mean = {action: sum(weight * values[action] for weight, values in rows) for action in rows[0][1]}
    best = max(mean.values())
    letter = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}[
        next(
            action for action in ("stand", "hit", "double", "split", "surrender") if mean.get(action) == best
        )
    ]
    return letter.lower() if letter in "DR" and mean["stand"] >= mean["hit"] else letter


def cells(rules: Rules, up: int) -> Iterator[tuple[str, str]]:
    """Every row's letter under an up card, made from the values of each two-card hand on its own."""
    behind = Behind(rules, np.array(without(decks(rules.decks), up), dtype=np.float64), up - 1)
    values: dict[Hand, dict[str, float]] = {
        (a, b): {
            str(action): value for action, value in action_values(behind, behind.row((a - 1, b - 1))).items()
        }
        for a in CARDS
        for b in range(a, 11)
    }
    for soft, totals in ((False, range(4, 21)), (True, range(12, 21))):
        for wanted in totals:
            rows = []
            for hand in hands_of(wanted, soft):
                without_split = {action: v for action, v in values[hand].items() if action != "split"}
                rows.append((weight_of(rules, hand, up), without_split))
            yield f"{'soft' if soft else 'hard'} {wanted}", best_letter(rules, rows)
    for card in CARDS:
        yield f"pairs {card}", best_letter(rules, [(1.0, values[card, card])])


@pytest.mark.rule("RET-06")
@pytest.mark.parametrize("up", CARDS)
@pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us", "surrender"])
def test_every_cell_is_the_best_mean_over_the_hands_of_its_total(game: str, up: int) -> None:
    table, column = rows_of(table_of(game)), 9 if up == 1 else up - 2
    assert dict(cells(find(game).rules, up)) == {name: row[column] for name, row in table.items()}


@pytest.mark.slow  # every deal enumerated
@pytest.mark.rule("RET-06")
@pytest.mark.parametrize(
    ("game", "wanted", "up"),
    [
        ("link", 11, 10),
        ("link", 16, 10),
        ("link", 16, 9),
        ("surrender", 15, 10),
        ("surrender", 16, 9),
        ("surrender", 16, 1),
        ("surrender", 15, 1),
        ("freebet", 17, 10),
        ("freebet", 17, 1),
        ("freebet", 13, 3),
        ("majority-us", 11, 1),
        ("majority-eu", 12, 4),
        ("classic-6", 12, 3),
    ],
)
def test_close_cells_agree_with_the_enumeration(game: str, wanted: int, up: int) -> None:
    rules = find(game).rules
    shoe = without(decks(rules.decks), up)
    rows = [
        (weight_of(rules, hand, up), Naive(rules, up, without(shoe, *hand)).values(hand))
        for hand in hands_of(wanted, soft=False)
    ]
    assert table_of(game).hard[wanted][9 if up == 1 else up - 2] == best_letter(rules, rows)
    forget()


@pytest.mark.rule("RET-06")
@pytest.mark.parametrize(
    ("wanted", "up"), [(17, 10), (17, 9), (17, 8), (17, 7), (17, 1), (16, 6), (18, 10), (18, 9)]
)
def test_close_cells_of_the_free_hand_agree_with_the_enumeration(wanted: int, up: int) -> None:
    """It wins or gets nothing, so it draws on a hard 17 against a strong card."""
    rules = find("freebet").rules
    free = game_tables(rules).free
    assert free is not None
    shoe = without(decks(rules.decks), up)
    rows = []
    for hand in hands_of(wanted, soft=False):
        naive = Naive(rules, up, without(shoe, *hand))
        rows.append((weight_of(rules, hand, up), naive.values_of(hand, ("stand", "hit"), FREE_HAND)))
    assert free.hard[wanted][9 if up == 1 else up - 2] == best_letter(rules, rows)
    forget()
