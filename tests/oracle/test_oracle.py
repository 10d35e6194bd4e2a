"""Rounds of the solo games, worked out by hand. Each names the rules it rests on; they prove the oracle only.

One spot is dealt as: spot, dealer's up card, spot, hole card; then as drawn. A stake is 10.00 unless it says otherwise.
"""

import pytest

from tests.oracle.cards import parse
from tests.oracle.script import round_of
from tests.oracle.state import Disagreement, LineKey

MAIN: LineKey = ("ann", 0, 0, "initial")
DOUBLE: LineKey = ("ann", 0, 0, "double")
SPLIT: LineKey = ("ann", 0, 1, "split")
INSURANCE: LineKey = ("ann", 0, 0, "insurance")
STAKE = "ann: main 0 1000"


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        ("10s 7h 9d 10c", 2000),  # 19 against 17
        ("10s 9h 9d Kc", 1000),  # 19 against 19
        ("10s 10h 7d 8c", 0),  # 17 against 18
        ("10s 6h 2d 10c 9s", 2000),  # the dealer draws on 16 and busts
        ("10s 6h 8d Ac 5s", 2000),  # the dealer stands on soft 17 (COM-06)
    ],
)
def test_total_against_total(cards: str, paid: int) -> None:
    """COM-06, COM-08, COM-22."""
    seen = round_of("classic-8", cards, STAKE, "deal", "stand 0")
    assert (seen.over, seen.paid, seen.balances) == ("settled", {MAIN: paid}, {"ann": 99_000 + paid})


def test_odd_blackjack_rounds_down() -> None:
    """COM-20, COM-45: 3:2 on 1.01 is 1.515, so 1.51; the round ends by itself."""
    seen = round_of("surrender", "As 7h Kd 5c", "ann: main 0 101", "deal")
    assert (seen.paid, seen.dealer, seen.cards_used) == ({MAIN: 101 + 151}, parse("7h 5c"), 4)


def test_bust_hand_leaves_the_dealer_still() -> None:
    """COM-05, COM-07 (b): the hole card is turned, nothing is drawn."""
    seen = round_of("surrender", "10s 6h 6d 5c Ks 9s", STAKE, "deal", "hit 0")
    assert (seen.paid, seen.dealer, seen.cards_used) == ({MAIN: 0}, parse("6h 5c"), 5)


def test_two_passes_from_the_rightmost() -> None:
    """COM-10: spot 1 has 19 and wins, spot 3 has 17 and pushes."""
    seen = round_of(
        "classic-6", "10s 9s 7h 9d 8d 10c", "ann: main 3 1000, main 1 500", "deal", "stand 1", "stand 3"
    )
    assert seen.hands == {(1, 0): parse("10s 9d"), (3, 0): parse("9s 8d")}
    assert seen.paid == {("ann", 1, 0, "initial"): 1000, ("ann", 3, 0, "initial"): 1000}


@pytest.mark.parametrize("game", ["surrender", "classic-6", "classic-8"])
def test_check_under_a_ten_ends_the_round(game: str) -> None:
    """SUR-02, SUR-07: no offer, no decision; the blackjack pushes."""
    seen = round_of(game, "10s As Kh 9d Jd Ac", "ann: main 0 1000, main 1 1000", "deal")
    assert seen.paid == {MAIN: 0, ("ann", 1, 0, "initial"): 1000}


def test_insurance_pays_two_to_one() -> None:
    """COM-30: 5.00 of insurance brings 15.00, the stake is lost."""
    seen = round_of("surrender", "10s Ah 9d Kc", STAKE, "deal", "insure ann 0 yes")
    assert (seen.paid, seen.balances) == ({MAIN: 0, INSURANCE: 1500}, {"ann": 100_000})


def test_insurance_of_an_odd_stake_rounds_down() -> None:
    """COM-26: half of 1.01 is 0.50."""
    seen = round_of("surrender", "10s Ah 9d Kc", "ann: main 0 101", "deal", "insure ann all yes")
    assert seen.paid == {MAIN: 0, INSURANCE: 150}


def test_surrender_after_a_lost_insurance() -> None:
    """SUR-03, SUR-08: half of 10.01 is 5.00; the dealer draws nothing."""
    seen = round_of(
        "surrender", "10s Ah 6d 5c", "ann: main 0 1001", "deal", "insure ann 0 yes", "surrender 0"
    )
    assert (seen.paid, seen.cards_used) == ({MAIN: 500, INSURANCE: 0}, 4)


def test_all_answers_for_the_rest() -> None:
    """COM-32: spot 0 refuses, all others take it."""
    script = ["ann: main 0 1000, main 1 1000, main 2 400", "deal", "insure ann 0 no", "insure ann all yes"]
    seen = round_of("surrender", "10s 10h 10d Ah 8s 8h 8d Kc", *script)
    assert {key: paid for key, paid in seen.paid.items() if key[3] == "insurance"} == {
        ("ann", 1, 0, "insurance"): 1500,
        ("ann", 2, 0, "insurance"): 600,
    }


def test_insurance_switched_off() -> None:
    """SUR-06: the check comes at once."""
    assert round_of("surrender", "10s Ah 9d Kc", STAKE, "deal uninsured").paid == {MAIN: 0}


def test_seven_cards_win() -> None:
    """SUR-04: seven cards, 16, the dealer draws nothing."""
    hits = ["hit 0"] * 5
    seen = round_of("surrender", "2s 6h 2d Kc 2h 2c 3s 3d 2s", STAKE, "deal", *hits)
    assert (seen.paid, seen.dealer) == ({MAIN: 2000}, parse("6h Kc"))


def test_seven_cards_are_no_charlie_elsewhere() -> None:
    """Classic has no Charlie: the hand goes on, and 16 loses to 17."""
    hits = ["hit 0"] * 5
    seen = round_of("classic-6", "2s 7h 2d Kc 2h 2c 3s 3d 2s", STAKE, "deal", *hits, "stand 0")
    assert seen.paid == {MAIN: 0}


def test_cashback_price() -> None:
    """CSH-02, RET-11: 10.01 x 0.9 x 0.99 = 8.91891; the dealer draws nothing."""
    prices = [900_000_000]
    seen = round_of("cashback", "10s 10h 6d 2c", "ann: main 0 1001", "deal", "cashback 0 891", prices=prices)
    assert (seen.paid, seen.cards_used) == ({MAIN: 891}, 4)


def test_cashback_after_a_card_and_on_split_hands() -> None:
    """CSH-04, CSH-15: decisions are 8-8, right 8-3, right 8-3-2, left 8-2: the third and fourth are sold, 4 % kept."""
    prices = [500_000_000, 600_000_000, 700_000_000, 800_000_000]
    script = [STAKE, "deal", "split 0", "hit 0.0", "cashback 0.0 672", "cashback 0.1 768"]
    seen = round_of("cashback", "8s 6h 8d 10c 3s 2d 2s", *script, prices=prices, cashback_margin=400)
    assert (seen.paid, seen.cards_used) == ({MAIN: 672, SPLIT: 768}, 7)


def test_insurance_outlives_a_cashback() -> None:
    """CSH-14."""
    script = [STAKE, "deal", "insure ann 0 yes", "cashback 0 297"]
    seen = round_of("cashback", "10s Ah 6d Kc", *script, prices=[300_000_000])
    assert seen.paid == {MAIN: 297, INSURANCE: 1500}


@pytest.mark.parametrize("game", ["cashback", "link"])
@pytest.mark.parametrize(
    ("cards", "offers", "added"),
    [
        ("6s Kh 5d Ac 9s", [], 1000),  # ten up: the added stake comes back
        ("6s Ah 5d Kc 9s", ["insure ann 0 no"], 0),  # ace up: both are lost
        ("10s Kh 6d Ac 9s", [], 0),  # a bust double is lost whole
    ],
)
def test_double_against_a_blackjack(game: str, cards: str, offers: list[str], added: int) -> None:
    """COM-05, COM-47, CSH-08, LNK-03."""
    seen = round_of(game, cards, STAKE, "deal", *offers, "double 0")
    assert seen.paid == {MAIN: 0, DOUBLE: added}


def test_split_stakes_are_lost_to_a_blackjack_and_doubles_on_them_come_back() -> None:
    """COM-47."""
    script = [STAKE, "deal", "split 0", "double 0.0", "stand 0.1"]
    seen = round_of("link", "8s Kh 8d Ac 3s 9d 9s", *script)
    assert seen.paid == {MAIN: 0, SPLIT: 0, DOUBLE: 1000}


def test_double_after_split() -> None:
    """COM-14, COM-43, LNK-07: 8-3-10 and 8-2-9 against a bust dealer."""
    script = [STAKE, "deal", "split 0", "double 0.0", "double 0.1"]
    seen = round_of("link", "8s 6h 8d 10c 3s 2d 10s 9s Kd", *script)
    assert seen.hands == {(0, 0): parse("8s 3s 10s"), (0, 1): parse("8d 2d 9s")}
    assert seen.paid == {MAIN: 2000, SPLIT: 2000, DOUBLE: 2000, ("ann", 0, 1, "double"): 2000}
    assert seen.balances == {"ann": 104_000}


def test_split_aces_stand_and_are_no_blackjack() -> None:
    """COM-04, COM-42: A-K is 21 at 1:1, A-5 loses to 17."""
    seen = round_of("link", "As 7h Ad 10c Ks 5s", STAKE, "deal", "split 0")
    assert seen.paid == {MAIN: 2000, SPLIT: 0}


def test_pair_by_value_splits_once() -> None:
    """COM-40, COM-41: after 10-K, right 10-10 may not be split again."""
    seen = round_of("surrender", "10s 7h Kd 10c 10h 5s", STAKE, "deal", "split 0")
    assert (seen.over, seen.legal) == ("", ["double", "hit", "stand"])


TEN_SMALL_CARDS = ["Ad", "Ah", "Ac", "2s", "2h", "2d", "2c", "3s", "3h"]


@pytest.mark.parametrize(
    ("up", "hole", "paid"),
    [("Kh", "9c", 2000), ("Kh", "Ac", 0), ("9h", "3c", 2000)],
)
def test_ten_cards_win_but_against_a_blackjack(up: str, hole: str, paid: int) -> None:
    """COM-46, LNK-06: 18 in ten cards; the dealer draws nothing."""
    second, *rest = TEN_SMALL_CARDS
    seen = round_of("link", f"As {up} {second} {hole} {' '.join(rest)}", STAKE, "deal", *["hit 0"] * 8)
    assert (seen.paid, seen.cards_used) == ({MAIN: paid}, 12)


@pytest.mark.parametrize(
    ("hole", "answer", "paid"),
    [("Kc", "yes", 2000), ("9c", "yes", 2000), ("Kc", "no", 1000), ("9c", "no", 2500)],
)
def test_even_money(hole: str, answer: str, paid: int) -> None:
    """LNK-04."""
    seen = round_of("link", f"As Ah Kd {hole}", STAKE, "deal uninsured", f"even-money 0 {answer}")
    assert seen.paid == {MAIN: paid}


def test_accept_all_leaves_even_money_open() -> None:
    """LNK-05."""
    script = ["ann: main 0 1000, main 1 1000", "deal", "insure ann all yes"]
    cards = "10s As Ah 9d Kd 9c"
    assert round_of("link", cards, *script, "even-money 1 no", "stand 0").paid == {
        MAIN: 0,
        ("ann", 1, 0, "initial"): 2500,
        INSURANCE: 0,
    }
    with pytest.raises(Disagreement):
        round_of("link", cards, *script, "stand 0")


def test_side_bets_are_decided_on_the_first_cards() -> None:
    """SB-08, SB-09: mixed pairs 6:1 twice, three eights 30:1, whatever the split does."""
    bets = "ann: main 0 1000, player-pair 0 100, 21+3 0 200, dealer-pair -1 300"
    script = [bets, "deal", "split 0", "stand 0.0", "stand 0.1"]
    seen = round_of("surrender", "8s 8h 8d 8c 3s 2d 5s", *script)
    assert seen.paid == {
        MAIN: 0,
        SPLIT: 0,
        ("ann", 0, 0, "player-pair"): 700,
        ("ann", 0, 0, "21+3"): 6200,
        ("ann", -1, 0, "dealer-pair"): 2100,
    }


def test_maximum_win_cuts_winnings_only() -> None:
    """LNK-08: wins are 10.00 and 5 x 1.00 (flush), the maximum 12.00 cuts 3.00; both stakes come back."""
    script = ["ann: main 0 1000, 21+3 0 100", "deal", "stand 0"]
    seen = round_of("cashback", "10s 7s 9s 10c", *script, max_win=1200)
    assert seen.paid == {MAIN: 2000, ("ann", 0, 0, "21+3"): 600}
    assert (seen.capped, seen.balances) == ({"ann": 300}, {"ann": 101_200})


def test_a_surrender_wins_nothing() -> None:
    """LNK-08 as read here: half a stake is no win."""
    seen = round_of("surrender", "10s 7s 6s 10c", STAKE, "deal", "surrender 0", max_win=100)
    assert (seen.capped, seen.balances) == ({}, {"ann": 99_500})


def test_empty_shoe_voids() -> None:
    """COM-12, PLT-32: initial and added stakes go back, money brought meanwhile stays."""
    script = [STAKE, "deal", "add-money ann 50", "double 0"]
    seen = round_of("link", "6s 7h 5d 10c", *script)
    assert (seen.over, seen.paid, seen.balances) == ("voided", {}, {"ann": 100_050})


def test_balance_bars_double_and_split() -> None:
    """COM-24."""
    seen = round_of("surrender", "8s 7h 8d 10c", STAKE, "deal", purses={"ann": 1999})
    assert seen.legal == ["hit", "stand", "surrender"]
    with pytest.raises(Disagreement):
        round_of("surrender", "8s 7h 8d 10c 2s", STAKE, "deal", "double 0", purses={"ann": 1999})


def test_new_bets_replace_the_old() -> None:
    """COM-27: only what lies there at the deal is taken."""
    seen = round_of("classic-6", "10s 10h 7d 8c", STAKE, "ann: main 0 300", "deal", "stand 0")
    assert seen.balances == {"ann": 99_700}
