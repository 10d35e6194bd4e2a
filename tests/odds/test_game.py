"""Whole-game returns: the published ones, the golden ones, and what is counted as staked (RET-01..06)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import msgspec
import numpy as np
import pytest

from sabot.games import CATALOGUE, Rules, find
from sabot.games.strategy import BestTable
from sabot.odds.game import Return, best_return, game_tables, game_values, table_return
from sabot.odds.table import COLUMNS, UpCard
from tests.odds.naive import CARDS, Choose, Hand, Shoe, checks, forget, is_soft, total, whole_game

GAMES = sorted(CATALOGUE)

#: The usual "Las Vegas Strip" basic strategy: six decks, the dealer stands on soft 17, double after split.
STRIP = BestTable(
    hard=dict.fromkeys(range(4, 9), "HHHHHHHHHH")
    | {9: "HDDDDHHHHH", 10: "DDDDDDDDHH", 11: "DDDDDDDDDH", 12: "HHSSSHHHHH"}
    | dict.fromkeys(range(13, 17), "SSSSSHHHHH")
    | dict.fromkeys(range(17, 21), "SSSSSSSSSS"),
    soft={12: "HHHHDHHHHH", 17: "HDDDDHHHHH", 18: "SddddSSHHH", 19: "SSSSSSSSSS", 20: "SSSSSSSSSS"}
    | dict.fromkeys((13, 14), "HHHDDHHHHH")
    | dict.fromkeys((15, 16), "HHDDDHHHHH"),
    pairs={
        1: "PPPPPPPPPP",
        2: "PPPPPPHHHH",
        3: "PPPPPPHHHH",
        4: "HHHPPHHHHH",
        5: "DDDDDDDDHH",
        6: "PPPPPHHHHH",
        7: "PPPPPPHHHH",
        8: "PPPPPPPPPP",
        9: "PPPPPSPPSS",
        10: "SSSSSSSSSS",
    },
)


def rules_of(game: str) -> Rules:
    return find(game).rules


def percent(value: float) -> str:
    return f"{100 * value:.2f}"


# The numbers the games must have


@pytest.mark.rule("RET-02", "RET-03", "RET-04")
@pytest.mark.parametrize(("game", "golden"), [("classic-6", -0.4568846453), ("classic-8", -0.4857803589)])
def test_the_classic_games_have_the_golden_values_of_the_literature(game: str, golden: float) -> None:
    """Farmer's analyser: per cent of the initial bet, composition-dependent, after-split play adapted to the pair."""
    assert 100 * game_values(rules_of(game)).best.net == pytest.approx(golden, abs=1e-8)


@pytest.mark.rule("RET-01", "RET-05", "RET-06")
@pytest.mark.parametrize("game", ["link", "freebet", "surrender", "majority-eu"])
def test_the_published_return_is_that_of_the_best_table(game: str) -> None:
    assert percent(game_values(rules_of(game)).table.per_stake) == find(game).published["main"]


@pytest.mark.rule("RET-05")
def test_free_bet_returns_a_little_more_with_a_table_of_its_own_for_the_free_hand() -> None:
    one_table, _, own = game_values(rules_of("freebet"))
    assert own is not None
    assert percent(one_table.per_stake) == "98.26"
    assert percent(own.per_stake) == "98.27"
    assert own.staked == one_table.staked


def test_no_other_game_has_a_free_hand() -> None:
    assert [game for game in GAMES if game_values(rules_of(game)).own_free_table] == ["freebet"]


@pytest.mark.rule("RET-05")
def test_majority_dealt_us_style_returns_a_hair_more() -> None:
    eu, us = (game_values(rules_of(game)).table.per_stake for game in ("majority-eu", "majority-us"))
    assert eu < us < eu + 0.0001


@pytest.mark.rule("RET-05")
def test_cashback_returns_exactly_what_link_does() -> None:
    assert game_values(rules_of("cashback")) == game_values(rules_of("link"))
    assert percent(game_values(rules_of("cashback")).table.per_stake) == "99.57"


@pytest.mark.rule("RET-05")
def test_the_published_return_of_cashback_is_that_of_the_ordinary_strip_table() -> None:
    """It always splits aces and eights, which costs two hundredths where the dealer does not check."""
    columns = game_tables(rules_of("cashback")).columns
    strip = table_return(columns, STRIP)
    assert percent(strip.per_stake) == find("cashback").published["main"] == "99.55"
    assert 100 * strip.per_stake == pytest.approx(99.54618517, abs=1e-8)
    best = game_tables(rules_of("cashback")).best
    split_less = msgspec.structs.replace(STRIP, pairs=STRIP.pairs | {1: "PPPPPPPPPH", 8: "PPPPPPPPHH"})
    assert split_less == best


def test_the_strip_table_is_the_best_where_the_dealer_checks() -> None:
    assert game_tables(rules_of("classic-6")).best == STRIP


@pytest.mark.rule("RET-02")
@pytest.mark.parametrize("game", GAMES)
def test_both_measures_are_of_one_result_and_no_table_beats_play_by_the_cards(game: str) -> None:
    values = game_values(rules_of(game))
    for result in filter(None, values):
        assert result.per_initial == 1 + result.net
        assert result.per_stake == 1 + result.net / result.staked
        assert 1 <= result.staked <= 1.2
        assert values.best.net >= result.net


#: Everything to twelve decimals, so that a change is seen: table per stake, per initial bet; by the cards likewise.
PINNED = {
    "cashback": (0.995658115539, 0.995110223983, 0.995685276417, 0.995140517029),
    "classic-6": (0.995920310548, 0.995400644064, 0.995947618784, 0.995431153547),
    "classic-8": (0.995675649346, 0.995123251777, 0.995692448089, 0.995142196411),
    "freebet": (0.982639603437, 0.982576427522, 0.982716318417, 0.982653421674),
    "link": (0.995658115539, 0.995110223983, 0.995685276417, 0.995140517029),
    "majority-eu": (0.995409991693, 0.994829262513, 0.995426670680, 0.994848051731),
    "majority-us": (0.995483705843, 0.994909621124, 0.995500375405, 0.994928409623),
    "surrender": (0.996638888942, 0.996210754206, 0.996679251934, 0.996256031401),
}


@pytest.mark.parametrize("game", GAMES)
def test_the_returns_are_what_they_were(game: str) -> None:
    table, best, _ = game_values(rules_of(game))
    found = (table.per_stake, table.per_initial, best.per_stake, best.per_initial)
    assert found == pytest.approx(PINNED[game], abs=1e-11)


# The whole game by enumeration, from a shoe so small that it can be done

SMALL: Shoe = (2, 1, 2, 1, 1, 2, 1, 2, 1, 5)


@cache
def small_columns(game: str) -> tuple[UpCard, ...]:
    shoe = np.array(SMALL, dtype=np.float64)
    return tuple(UpCard(rules_of(game), up, shoe) for up in COLUMNS)


def reading(table: BestTable) -> Callable[[int], Choose]:
    """How a table is read against an up card: what cannot be done hits, in small letters stands."""

    def against(up: int) -> Choose:
        column = 9 if up == 1 else up - 2

        def choose(hand: Hand, legal: tuple[str, ...]) -> str:
            if legal == ("stand",):
                return "stand"
            rows = table.soft if is_soft(hand) else table.hard
            letter = (table.pairs[hand[0]] if "split" in legal else rows[total(hand)])[column]
            first = {"S": "stand", "H": "hit", "D": "double", "R": "surrender", "P": "split"}[letter.upper()]
            return first if first in legal else "hit" if letter.isupper() else "stand"

        return choose

    return against


slow = pytest.mark.slow  # every deal enumerated
DIFFERENT = [
    pytest.param("classic-6", marks=slow),
    "freebet",
    "link",
    pytest.param("majority-us", marks=slow),
    "surrender",
]


@pytest.fixture(scope="module", autouse=True)
def _memory() -> Iterator[None]:
    yield
    forget()


@pytest.mark.slow  # every deal enumerated
@pytest.mark.rule("RET-01", "RET-02", "RET-03")
@pytest.mark.parametrize("game", DIFFERENT)
def test_a_small_game_returns_what_the_enumeration_of_every_deal_gives(game: str) -> None:
    result = best_return(small_columns(game))
    assert result == pytest.approx(whole_game(rules_of(game), SMALL), abs=1e-9)


@pytest.mark.slow  # every deal enumerated
@pytest.mark.rule("RET-01", "RET-02", "RET-03")
@pytest.mark.parametrize("game", DIFFERENT)
def test_a_small_game_by_the_table_returns_what_the_enumeration_of_every_deal_gives(game: str) -> None:
    tables = game_tables(rules_of(game))
    choose = reading(tables.best)
    result = table_return(small_columns(game), tables.best)
    assert result == pytest.approx(whole_game(rules_of(game), SMALL, choose), abs=1e-9)
    if tables.free:
        result = table_return(small_columns(game), tables.best, tables.free)
        expected = whole_game(rules_of(game), SMALL, choose, reading(tables.free))
        assert result == pytest.approx(expected, abs=1e-9)


# What counts as staked: tables so simple that every deal can be reckoned by hand


def simple(letter: str, pairs: str) -> BestTable:
    """One letter for every total, one for every pair."""
    return BestTable(
        hard=dict.fromkeys(range(4, 21), letter * 10),
        soft=dict.fromkeys(range(12, 21), letter * 10),
        pairs=dict.fromkeys(CARDS, pairs * 10),
    )


def by_table(game: str, table: BestTable) -> Return:
    return table_return(game_tables(rules_of(game)).columns, table)


def deals(decks: int) -> Iterator[tuple[float, Hand, int, int]]:
    """Every deal: its chance, the hand, the up card and the hole card."""
    shoe = [4 * decks] * 9 + [16 * decks]

    def dealt(cards: tuple[int, ...], chance: float) -> Iterator[tuple[float, Hand, int, int]]:
        if len(cards) == 4:
            yield chance, cards[:2], cards[2], cards[3]
            return
        for card in CARDS:
            left = shoe[card - 1] - cards.count(card)
            yield from dealt((*cards, card), chance * left / (sum(shoe) - len(cards)))

    return dealt((), 1.0)


def expected(game: str, count: Callable[[Rules, Hand, int, int], float]) -> float:
    """The mean over every deal of what is counted where neither a player's nor a found blackjack ended it; else 1."""
    rules, mean = rules_of(game), 0.0
    for chance, hand, up, hole in deals(rules.decks):
        over = total(hand) == 21 or ({up, hole} == {1, 10} and checks(rules, up))
        mean += chance * (1.0 if over else count(rules, hand, up, hole))
    return mean


@pytest.mark.rule("RET-01")
@pytest.mark.parametrize("game", ["link", "surrender", "freebet", "majority-us"])
def test_a_double_is_staked_unless_it_is_free_or_a_check_ended_the_round(game: str) -> None:
    def doubled(rules: Rules, hand: Hand, up: int, hole: int) -> float:
        return 1.0 if total(hand) in rules.free_double and not is_soft(hand) else 2.0

    assert by_table(game, simple("D", "D")).staked == pytest.approx(expected(game, doubled), abs=1e-12)


@pytest.mark.rule("RET-01")
@pytest.mark.parametrize("game", ["link", "surrender", "freebet", "majority-us"])
def test_a_split_is_staked_unless_it_is_free_or_a_check_ended_the_round(game: str) -> None:
    def split(rules: Rules, hand: Hand, up: int, hole: int) -> float:
        return 2.0 if hand[0] == hand[1] and hand[0] not in rules.free_split else 1.0

    assert by_table(game, simple("S", "P")).staked == pytest.approx(expected(game, split), abs=1e-12)


@pytest.mark.rule("RET-01")
@pytest.mark.parametrize("game", ["link", "surrender", "majority-us"])
def test_split_hands_are_staked_twice_where_they_double(game: str) -> None:
    """Split aces never double, and a ten that gets an ace is 21."""

    def split_and_doubled(rules: Rules, hand: Hand, up: int, hole: int) -> float:
        if hand[0] != hand[1]:
            return 2.0
        if hand[0] == 1:
            return 2.0
        seen = [*hand, up, hole]
        ace = (4 * rules.decks - seen.count(1)) / (52 * rules.decks - 4) if hand[0] == 10 else 0.0
        return 2 * (2 - ace)

    result = by_table(game, simple("D", "P"))
    assert result.staked == pytest.approx(expected(game, split_and_doubled), abs=1e-12)


@pytest.mark.rule("RET-01")
@pytest.mark.parametrize("game", ["link", "majority-us"])
def test_a_refunded_double_counts_as_staked(game: str) -> None:
    """The refund is one stake for each doubled hand that is not bust when a blackjack is found under a ten."""
    rules, table = rules_of(game), simple("D", "D")
    columns = [UpCard(msgspec.structs.replace(rules, ten_up_returns_double=False), up) for up in COLUMNS]
    kept, refunded = table_return(columns, table), by_table(game, table)
    shoe = [4 * rules.decks] * 9 + [16 * rules.decks]
    refund = 0.0
    for chance, hand, up, hole in deals(rules.decks):
        if (up, hole) == (10, 1) and total(hand) < 21:
            seen = (*hand, up, hole)
            for card in CARDS:
                if total((*hand, card)) <= 21:
                    refund += chance * (shoe[card - 1] - seen.count(card)) / (sum(shoe) - 4)
    assert refunded.staked == kept.staked
    assert refunded.net - kept.net == pytest.approx(refund, abs=1e-12)


@pytest.mark.rule("RET-01")
def test_a_surrendered_hand_staked_one_and_lost_half() -> None:
    """But only after the check; a blackjack is paid."""
    result, rules = by_table("surrender", simple("R", "R")), rules_of("surrender")
    net = 0.0
    for chance, hand, up, hole in deals(rules.decks):
        found = {up, hole} == {1, 10}
        if total(hand) == 21:
            net += 0.0 if found else 1.5 * chance
        else:
            net -= chance if found else chance / 2
    assert result == pytest.approx((net, 1.0), abs=1e-12)
