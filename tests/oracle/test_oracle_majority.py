"""Rounds of Majority, worked out by hand (they prove the oracle only). One box in EU dealing: box, up card, box."""

import pytest

from tests.oracle.cards import parse
from tests.oracle.script import round_of
from tests.oracle.state import LineKey

MAIN: LineKey = ("ann", 0, 0, "initial")
DOUBLE: LineKey = ("ann", 0, 0, "double")
SPLIT: LineKey = ("ann", 0, 1, "split")
INSURANCE: LineKey = ("ann", 0, 0, "insurance")
STAKE = "ann: main 0 1000"


def test_eu_second_card_comes_after_the_decisions() -> None:
    """MAJ-02."""
    seen = round_of("majority-eu", "10s 7h 4d 5s 10c", STAKE, "deal", "hit 0", "stand 0")
    assert (seen.hands, seen.dealer, seen.paid) == (
        {(0, 0): parse("10s 4d 5s")},
        parse("7h 10c"),
        {MAIN: 2000},
    )


def test_eu_bust_draws_nothing() -> None:
    """COM-07 (b), MAJ-06."""
    seen = round_of("majority-eu", "10s 7h 6d 10h 7c", STAKE, "deal", "hit 0")
    assert (seen.dealer, seen.cards_used) == (parse("7h"), 4)


def test_eu_dealer_pair_draws_the_second_card() -> None:
    """SB-15: 7h 7c is mixed, 6:1; no third card."""
    seen = round_of("majority-eu", "10s 7h 6d 10h 7c", "ann: main 0 1000, dealer-pair 0 100", "deal", "hit 0")
    assert (seen.paid, seen.cards_used) == ({MAIN: 0, ("ann", 0, 0, "dealer-pair"): 700}, 5)


def test_eu_insurance_of_a_bust_hand() -> None:
    """COM-33."""
    seen = round_of("majority-eu", "10s Ah 6d 10h Kc", STAKE, "deal", "insure ann all yes", "hit 0")
    assert seen.paid == {MAIN: 0, INSURANCE: 1500}


@pytest.mark.parametrize(("up", "paid", "used"), [("9h", 2500, 3), ("Kh", 1000, 4)])
def test_eu_blackjack_needs_the_second_card_only_where_it_may_push(up: str, paid: int, used: int) -> None:
    """COM-07 (b)."""
    seen = round_of("majority-eu", f"As {up} Kd Ac", STAKE, "deal")
    assert (seen.paid, seen.cards_used) == ({MAIN: paid}, used)


@pytest.mark.parametrize(
    ("cards", "script", "keeps", "dealer", "paid"),
    [
        ("10s 6h 6d 10h 10c 10d", ["hit 0"], True, "6h 10c 10d", 300),
        ("10s 6h 6d 10h 10c 10d", ["hit 0"], False, "6h", 0),
        ("As 6h Kd 10c 10d", [], False, "6h 10c 10d", 300),
    ],
)
def test_buster_keeps_the_dealer_drawing(
    cards: str, script: list[str], keeps: bool, dealer: str, paid: int
) -> None:
    """MAJ-06, SB-13, RET-08."""
    bets = "ann: main 0 1000, buster 0 100"
    seen = round_of("majority-eu", cards, bets, "deal", *script, buster_keeps_dealer=keeps)
    assert (seen.dealer, seen.paid[("ann", 0, 0, "buster")]) == (parse(dealer), paid)


def test_buster_of_a_blackjack() -> None:
    """SB-13: eight cards 22 (after 2 2 2 2 3 3 2, which is 16): 2000:1 for the blackjack box, 250:1 for the other."""
    bets = "ann: main 0 100, buster 0 100, main 1 100, buster 1 100"
    seen = round_of("majority-us", "As 10s 2h Kd 9d 2c 2d 2s 3h 3d 2h 6s", bets, "deal", "stand 1")
    assert len(seen.dealer) == 8
    assert (seen.paid[("ann", 0, 0, "buster")], seen.paid[("ann", 1, 0, "buster")]) == (200_100, 25_100)


def test_us_check_under_the_ace_also_without_insurance() -> None:
    """MAJ-03."""
    seen = round_of("majority-us", "10s Ah 9d Kc", STAKE, "deal", insurance=False)
    assert seen.paid == {MAIN: 0}


def test_us_blackjack_under_a_ten_returns_the_double() -> None:
    """MAJ-04, COM-47."""
    seen = round_of("majority-us", "6s Kh 5d Ac 9s", STAKE, "consent ann double", "deal", "double 0")
    assert seen.paid == {MAIN: 0, DOUBLE: 1000}


def test_one_answer_for_both_boxes() -> None:
    """MAJ-09, MAJ-55: box 0 is all golden and not insured, of box 1 the own 5.00 are."""
    bets = "ann: main 0 1000g, main 1 500+500g"
    chips = {"ann": {1000: 1, 500: 1}}
    seen = round_of("majority-us", "10s 10h Ah 9d 9c Kc", bets, "deal", "insure ann all yes", golden=chips)
    assert seen.paid == {MAIN: 0, ("ann", 1, 0, "initial"): 0, ("ann", 1, 0, "insurance"): 750}


def test_all_golden_is_offered_nothing() -> None:
    """MAJ-55."""
    seen = round_of("majority-eu", "10s Ah 9d", "ann: main 0 1000g", "deal", golden={"ann": {1000: 1}})
    assert seen.legal == ["double", "hit", "stand"]


def test_who_follows_a_double() -> None:
    """MAJ-40..42: ann consents, bob voted for it, cal voted otherwise, dan is short."""
    bets = [STAKE, "bob: main 0 500", "cal: main 0 500", "dan: main 0 500"]
    consents = ["consent ann double", "consent cal split", "consent dan double"]
    votes = ["vote bob 0 double", "vote cal 0 hit", "vote dan 0 double"]
    script = [*bets, *consents, "deal", *votes, "double 0"]
    seen = round_of("majority-eu", "6s 7h 5d 9s 10c", *script, purses={"dan": 999})
    assert seen.paid == {
        MAIN: 2000,
        DOUBLE: 2000,
        ("bob", 0, 0, "initial"): 1000,
        ("bob", 0, 0, "double"): 1000,
        ("cal", 0, 0, "initial"): 1000,
        ("dan", 0, 0, "initial"): 1000,
    }


def test_split_nobody_follows() -> None:
    """MAJ-43, MAJ-44: the left hand gets no card; 8-3-10 wins on the right."""
    seen = round_of("majority-eu", "8s 7h 8d 3s 10h 10c", STAKE, "deal", "split 0", "hit 0.0")
    assert seen.hands == {(0, 0): parse("8s 3s 10h"), (0, 1): parse("8d")}
    assert (seen.paid, seen.cards_used) == ({MAIN: 2000}, 6)


def test_double_nobody_pays() -> None:
    """MAJ-44: one card, single stake, and the hand stands."""
    seen = round_of("majority-eu", "6s 7h 5d 2s 10c", STAKE, "deal", "double 0")
    assert (seen.paid, seen.hands) == ({MAIN: 0}, {(0, 0): parse("6s 5d 2s")})


def test_a_vote_is_for_one_decision() -> None:
    """MAJ-42: ann voted double on 8-8; the box split; the later double of the right hand is not hers."""
    script = [STAKE, "consent ann split", "deal", "vote ann 0 double", "split 0", "double 0.0", "stand 0.1"]
    seen = round_of("majority-eu", "8s 7h 8d 3s 10h 10d 10c", *script)
    assert seen.paid == {MAIN: 2000, SPLIT: 2000}


def test_follower_of_the_right_hand_loses_to_a_dealer_blackjack() -> None:
    """MAJ-43, COM-47: 21 after a split is no blackjack."""
    seen = round_of("majority-eu", "As Kh Ad Ks Ac", STAKE, "deal", "split 0")
    assert (seen.paid, seen.dealer) == ({MAIN: 0}, parse("Kh Ac"))


@pytest.mark.parametrize(
    ("cards", "paid", "back"),
    [
        ("10s 7h 9d 10c", 2000, []),  # 5.00 back, 15.00 won; the chip stays with the house
        ("10s 9h 9d 10c", 500, [1000]),
        ("10s 10h 9d 10c", 0, []),
        ("As 9h Kd 10c", 2750, []),  # 3:2 on 15.00
    ],
)
def test_golden_chips(cards: str, paid: int, back: list[int]) -> None:
    """MAJ-54."""
    decision = [] if cards.startswith("As") else ["stand 0"]
    seen = round_of(
        "majority-eu", cards, "ann: main 0 500+1000g", "deal", *decision, golden={"ann": {1000: 1}}
    )
    assert (seen.paid, seen.golden_back) == ({MAIN: paid}, {MAIN: back} if back else {})
    assert (seen.balances, seen.golden_left) == ({"ann": 99_500 + paid}, {"ann": {1000: 1} if back else {}})


def test_golden_side_bet() -> None:
    """MAJ-54: a perfect pair, 25:1 on 5.00."""
    bets = "ann: main 0 1000, player-pair 0 500g"
    seen = round_of("majority-eu", "9s 10h 9s 9d", bets, "deal", "stand 0", golden={"ann": {500: 2}})
    assert seen.paid[("ann", 0, 0, "player-pair")] == 12_500
    assert seen.golden_left == {"ann": {500: 1}}


@pytest.mark.parametrize(
    ("rules", "vote", "own", "left"),
    [
        ({}, [], 200, {400: 1}),  # 700 + 100, the 400s are too large by then; 2.00 in money
        ({"mixing": False}, [], 1000, {100: 1, 400: 1, 700: 1}),
        ({"blind": False}, [], 1000, {100: 1, 400: 1, 700: 1}),
        ({"blind": False}, ["vote ann 0 double"], 200, {400: 1}),
        ({"extra": False}, ["vote ann 0 double"], 200, {400: 1}),  # agreed to beforehand all the same
        ({"extra": False, "blind": False}, ["vote ann 0 double"], 1000, {100: 1, 400: 1, 700: 1}),
        ({"extra": False}, [], 200, {400: 1}),
        ({"cap": 2}, [], 300, {100: 1, 400: 1}),  # one is in the stake, so one more
        ({"cap": 1}, [], 1000, {100: 1, 400: 1, 700: 1}),
    ],
)
def test_golden_double(rules: dict[str, object], vote: list[str], own: int, left: dict[int, int]) -> None:
    """MAJ-51..53: the stake is a chip of 10.00; the double wins 10.00 and its own money comes back."""
    script = ["ann: main 0 1000g", "consent ann double", "deal", *vote, "double 0"]
    chips = {"ann": {1000: 1, 700: 1, 400: 1, 100: 1}}
    seen = round_of("majority-eu", "6s 7h 5d 9s 10c", *script, golden=chips, golden_rules=rules)
    assert seen.paid == {MAIN: 1000, DOUBLE: 1000 + own}
    assert (seen.golden_left, seen.balances) == ({"ann": left}, {"ann": 102_000})


def test_golden_double_comes_back_in_kind() -> None:
    """COM-47, MAJ-54."""
    script = ["ann: main 0 1000g", "consent ann double", "deal", "double 0"]
    seen = round_of("majority-eu", "6s Kh 5d 9s Ac", *script, golden={"ann": {1000: 2}})
    assert (seen.paid, seen.golden_back) == ({MAIN: 0, DOUBLE: 0}, {DOUBLE: [1000]})
    assert seen.golden_left == {"ann": {1000: 1}}


def test_ordinary_stakes_are_followed_with_ordinary_money() -> None:
    """MAJ-53: golden chips in the purse stay there."""
    script = [STAKE, "consent ann double", "deal", "double 0"]
    seen = round_of("majority-eu", "6s 7h 5d 9s 10c", *script, golden={"ann": {1000: 2}})
    assert (seen.golden_left, seen.balances) == ({"ann": {1000: 2}}, {"ann": 102_000})


def test_small_stakes_go_back_with_their_side_bets() -> None:
    """COM-25, MAJ-14, MAJ-57: 0.50 in money and 0.40 golden is below 1.00."""
    bets = ["ann: main 0 50+40g, 21+3 0 100", "bob: main 1 1000, 21+3 1 90"]
    seen = round_of("majority-eu", "10s 7h 9d 10c", *bets, "deal", "stand 1", golden={"ann": {40: 1}})
    assert seen.paid == {("bob", 1, 0, "initial"): 2000}
    assert (seen.balances, seen.golden_left) == ({"ann": 100_000, "bob": 101_000}, {"ann": {40: 1}})


def test_burnt_card() -> None:
    """MAJ-07."""
    seen = round_of("majority-eu", "2c 10s 7h 9d 10c", STAKE, "deal", "stand 0", burn=True)
    assert (seen.cards_used, seen.hands) == (5, {(0, 0): parse("10s 9d")})


def test_void_gives_back_in_kind() -> None:
    """PLT-32, MAJ-54."""
    script = ["ann: main 0 500+1000g", "consent ann double", "deal", "void"]
    seen = round_of("majority-us", "6s 7h 5d 10c", *script, golden={"ann": {1000: 2}})
    assert (seen.over, seen.paid, seen.golden_back) == ("voided", {}, {})
    assert (seen.balances, seen.golden_left) == ({"ann": 100_000}, {"ann": {1000: 2}})
