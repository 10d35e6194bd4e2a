"""Rounds of Free Bet, worked out by hand (they prove the oracle only). One seat is dealt: seat, up card, seat, hole card."""

import pytest

from tests.oracle.cards import parse
from tests.oracle.script import round_of
from tests.oracle.state import Disagreement, LineKey

MAIN: LineKey = ("ann", 0, 0, "initial")
DOUBLE: LineKey = ("ann", 0, 0, "double")
SPLIT: LineKey = ("ann", 0, 1, "split")
STAKE = "ann: main 0 1000"
BARE = {"ann": 1000}


@pytest.mark.parametrize(
    ("cards", "main", "added"),
    [
        ("6s 7h 5d 10c 9s", 2000, 1000),  # 20 against 17
        ("6s 10h 5d 10c 2s", 0, 0),  # 13 against 20
        ("6s 10h 5d 10c 9s", 1000, 0),  # 20 against 20
        ("6s 10h 5d 6c 9s 6d", 1000, 0),  # the dealer has 22
        ("6s Kh 5d Ac 9s", 0, 0),  # a blackjack under the ten
    ],
)
def test_free_double(cards: str, main: int, added: int) -> None:
    """FRB-04, FRB-07, FRB-11: with nothing left in the purse."""
    seen = round_of("freebet", cards, STAKE, "deal", "double 0", purses=BARE)
    assert (seen.paid, seen.balances) == ({MAIN: main, DOUBLE: added}, {"ann": main + added})


@pytest.mark.parametrize(("left", "added"), [("10s", 1000), ("9s", 0), ("2s", 0)])
def test_free_split(left: str, added: int) -> None:
    """FRB-06: right 18 wins against 17; the free left hand has 18, 17 or 10."""
    script = [STAKE, "deal", "split 0", "stand 0.0", "stand 0.1"]
    seen = round_of("freebet", f"8s 7h 8d 10c 10d {left}", *script, purses=BARE)
    assert seen.paid == {MAIN: 2000, SPLIT: added}


def test_dealer_draws_for_a_free_hand_alone() -> None:
    """COM-07: right is bust, left is free and wins when the dealer busts."""
    script = [STAKE, "deal", "split 0", "hit 0.0", "stand 0.1"]
    seen = round_of("freebet", "8s 6h 8d 10c 10d 9s 5s 7s", *script, purses=BARE)
    assert seen.paid == {MAIN: 0, SPLIT: 1000}


def test_split_tens_are_paid() -> None:
    """FRB-06: right 19 wins, left 16 loses."""
    script = [STAKE, "deal", "split 0", "stand 0.0", "stand 0.1"]
    seen = round_of("freebet", "10s 7h Kd 10c 9s 6s", *script)
    assert (seen.paid, seen.balances) == ({MAIN: 2000, SPLIT: 0}, {"ann": 100_000})
    with pytest.raises(Disagreement):
        round_of("freebet", "10s 7h Kd 10c 9s 6s", *script, purses=BARE)


def test_split_aces() -> None:
    """FRB-05, FRB-08: one card each; A-K is an ordinary 21 and pays 1:1."""
    seen = round_of("freebet", "As 7h Ad 10c Ks 7s", STAKE, "deal", "split 0")
    assert seen.paid == {MAIN: 2000, SPLIT: 1000}


@pytest.mark.parametrize(
    ("cards", "main", "added"),
    [
        ("As 7h 7d 10c 2s", 2000, 2000),  # soft 18 is no free double
        ("As 10h 7d 6c 2s 6d", 1000, 1000),  # 22: both come back
        ("5s Kh 3d Ac 10s", 0, 0),  # FRB-11: a paid double is lost
    ],
)
def test_paid_double(cards: str, main: int, added: int) -> None:
    """FRB-03, FRB-07, FRB-11."""
    assert round_of("freebet", cards, STAKE, "deal", "double 0").paid == {MAIN: main, DOUBLE: added}


def test_what_is_free_needs_no_money_and_no_double_follows_a_split() -> None:
    """FRB-03, FRB-12."""
    cards = "5s 7h 5d 10c 3s 6s"
    assert round_of("freebet", cards, STAKE, "deal", purses=BARE).legal == ["double", "hit", "split", "stand"]
    assert round_of("freebet", cards, STAKE, "deal", "split 0").legal == ["hit", "stand"]


def test_blackjack_does_not_meet_the_22() -> None:
    """FRB-07: seat 0 has a blackjack, seat 1 a 20."""
    script = [STAKE, "bob: main 1 1000", "deal", "stand 1"]
    seen = round_of("freebet", "As 10s 6h Kd 10d 10c 6s", *script)
    assert seen.paid == {MAIN: 2500, ("bob", 1, 0, "initial"): 1000}


def test_no_check_under_a_ten() -> None:
    """FRB-02: the blackjack waits and pushes, the other decides first."""
    script = [STAKE, "bob: main 1 1000", "deal", "stand 1"]
    seen = round_of("freebet", "As 10s Kh Kd 10d Ac", *script)
    assert seen.paid == {MAIN: 1000, ("bob", 1, 0, "initial"): 0}


def test_insurance_is_each_ones_own() -> None:
    """FRB-02, FRB-31, FRB-42: the blackjack is insured, the one behind refuses, silence refuses too."""
    bets = [STAKE, "bob: behind 0 500, main 1 1000", "cal: behind 0 500"]
    offers = ["insure ann all yes", "insure bob 1 yes", "insure bob 0 no", "close-offers"]
    seen = round_of("freebet", "As 10s Ah Kd 9d Kc", *bets, "deal", *offers)
    assert seen.paid == {
        MAIN: 1000,
        ("bob", 0, 0, "initial"): 500,
        ("cal", 0, 0, "initial"): 500,
        ("bob", 1, 0, "initial"): 0,
        ("ann", 0, 0, "insurance"): 1500,
        ("bob", 1, 0, "insurance"): 1500,
    }


BEHIND = [STAKE, "bob: behind 0 500", "cal: behind 0 500", "consent cal double split", "deal"]


def test_following_a_paid_double() -> None:
    """FRB-42, FRB-44: bob stays single, cal follows."""
    seen = round_of("freebet", "As 7h 7d 10c 2s", *BEHIND, "double 0")
    assert seen.paid == {
        MAIN: 2000,
        DOUBLE: 2000,
        ("bob", 0, 0, "initial"): 1000,
        ("cal", 0, 0, "initial"): 1000,
        ("cal", 0, 0, "double"): 1000,
    }


def test_not_following_a_paid_split() -> None:
    """FRB-44: bob has the right hand; cal's balance does not cover it, so neither has cal the left."""
    seen = round_of("freebet", "10s 7h Kd 10c As 6s", *BEHIND, "split 0", "stand 0.1", purses={"cal": 999})
    assert seen.paid == {
        MAIN: 2000,
        SPLIT: 0,
        ("bob", 0, 0, "initial"): 1000,
        ("cal", 0, 0, "initial"): 1000,
    }


def test_free_bets_reach_those_behind() -> None:
    """FRB-42."""
    seen = round_of("freebet", "6s 7h 5d 10c 9s", *BEHIND, "double 0")
    assert (seen.paid[("bob", 0, 0, "double")], seen.paid[("cal", 0, 0, "double")]) == (500, 500)


def test_bets_behind_an_idle_seat_go_back() -> None:
    """COM-25, FRB-41: ann's 0.50 goes back with her pair, and bob's bet behind it too."""
    bets = ["ann: main 0 50, player-pair 0 100", "bob: behind 0 500, main 1 1000"]
    seen = round_of("freebet", "10s 7h 9d 10c", *bets, "deal", "stand 1")
    assert seen.paid == {("bob", 1, 0, "initial"): 2000}
    assert (seen.balances, seen.hands) == ({"ann": 100_000, "bob": 101_000}, {(1, 0): parse("10s 9d")})


def test_live_stakes_are_taken_when_placed() -> None:
    """COM-27: a new set replaces the old one."""
    assert round_of("freebet", "", STAKE, "ann: main 0 300").balances == {"ann": 99_700}
