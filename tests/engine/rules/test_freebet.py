"""Classic Free Bet Blackjack, one seat and its neighbours: FRB-01 to FRB-12.

One seat's cards are: first card, up card, second card, hole card, then draws.
"""

from __future__ import annotations

import pytest

from sabot.engine import DEALER, Bet, Stake
from sabot.engine.events import (
    Acted,
    BetSettled,
    CardDealt,
    HoleDealt,
    HoleShown,
    InsuranceOffered,
    Peeked,
    StakeAdded,
    TurnStarted,
)
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.options import Limits
from tests.support.table import ADA, Table, cards_of, solo

BOB = "bob"
STOOD = ("0.0 stand", "0.1 stand")


def seat(cards: str, *commands: str, stake: int = 1000, purse: int = 100_000) -> Table:
    """One seat with a main bet, dealt and played."""
    return solo("freebet", cards, *commands, stake=stake, purse=purse)


def two_seats(cards: str, *commands: str, stake: int = 1000) -> Table:
    """Ada on seat 0 and Bob on seat 1, dealt and played."""
    table = Table("freebet", cards, purses={ADA: 100_000, BOB: 100_000})
    table.bet((0, "main", stake)).bet((1, "main", stake), player=BOB)
    return table.deal(*commands)


def offered(table: Table) -> dict[str, tuple[int, bool]]:
    """What may be decided now: cost and whether it is free."""
    return {option.action: (option.cost, option.free) for option in table.round.options_now.values()}


# FRB-01: dealing, and what the game does not have


@pytest.mark.rule("FRB-01")
def test_cards_go_from_the_first_seat_one_each_then_the_dealer_twice() -> None:
    table = Table("freebet", "2 3 4 5 6 7 8 9", purses={ADA: 10_000, BOB: 10_000, "cleo": 10_000})
    table.bet((6, "main", 1000), player="cleo").bet((3, "main", 1000), player=BOB).bet((0, "main", 1000))
    table.deal()
    shown = [
        (e.spot, e.total) if isinstance(e, CardDealt) else "hole"
        for e in table.round.log
        if isinstance(e, (CardDealt, HoleDealt))
    ]
    # the value of each hand goes with each card: 2 + 6, 3 + 7, 4 + 8 beside a dealer's 5
    assert shown == [(0, 2), (3, 3), (6, 4), (DEALER, 5), (0, 8), (3, 10), (6, 12), "hole"]
    assert table.round.turn == (0, 0)


@pytest.mark.rule("FRB-01")
def test_seats_decide_clockwise_each_to_its_end() -> None:
    table = two_seats("10 10 7 3 2 10")
    with pytest.raises(Refusal) as refused:
        table.do("1.0 hit")
    assert refused.value.code == "turn/not-yours"
    assert table.do("0.0 stand").round.turn == (1, 0)


@pytest.mark.rule("FRB-01")
def test_no_charlie_so_eleven_cards_lose_to_a_better_total() -> None:
    # 2 x 6 = 12, then five aces: 17 with eleven cards against 10 + 9
    table = seat("2 10 2 9 2 2 2 2 A A A A A", *["0.0 hit"] * 9)
    assert table.round.turn == (0, 0)
    assert table.do("0.0 stand").net() == -1000


@pytest.mark.rule("FRB-01")
def test_no_surrender() -> None:
    table = seat("10 9 6 10")
    assert table.legal() == {"0.0 stand", "0.0 hit", "0.0 double"}
    with pytest.raises(Refusal) as refused:
        table.do("0.0 surrender")
    assert refused.value.code == "action/not-legal"


@pytest.mark.rule("FRB-01")
def test_no_even_money_on_a_blackjack_under_an_ace() -> None:
    table = seat("A A K 9")
    assert table.round.phase == "offers"
    assert not any("even-money" in move for move in table.legal())
    with pytest.raises(Refusal) as refused:
        table.do("0 even-money yes")
    assert refused.value.code == "offer/none"


@pytest.mark.rule("FRB-01")
def test_eight_decks_seven_seats_one_to_five_thousand() -> None:
    game = find("freebet")
    assert (game.rules.decks, game.rules.spots) == (8, 7)
    assert game.options.main == Limits(100, 500_000)


@pytest.mark.rule("FRB-01")
def test_a_stake_below_the_minimum_is_returned_at_the_close_and_not_dealt() -> None:
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000, BOB: 10_000})
    table.bet((0, "main", 99)).bet((1, "main", 100), player=BOB).deal()
    assert table.round.balance(ADA) == 10_000
    assert list(table.round.play.spots) == [1]


@pytest.mark.rule("FRB-01")
def test_dealer_stands_on_soft_17() -> None:
    # ace up, hole 6: soft 17 stands, so 18 wins; a card more (10, then 4: 21) would have beaten it
    assert seat("10 A 8 6 10 4", "all insure no @ada", "0.0 stand").net() == 1000


@pytest.mark.rule("FRB-01")
def test_dealer_draws_nothing_more_when_every_hand_is_bust() -> None:
    table = seat("10 6 6 10 K", "0.0 hit")
    assert (table.shoe.dealt, table.dealer) == (5, 16)
    assert table.net() == -1000


@pytest.mark.rule("FRB-01")
@pytest.mark.parametrize(("stake", "won"), [(100, 150), (101, 151), (333, 499), (500_000, 750_000)])
def test_blackjack_pays_three_to_two_rounded_down(stake: int, won: int) -> None:
    table = seat("A 9 K 8", stake=stake, purse=500_000)
    assert table.paid() == stake + won


# FRB-02: insurance for everyone, a check under the ace only


@pytest.mark.rule("FRB-02")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_under_an_ace_the_dealer_checks_whether_or_not_anyone_insures(answer: str) -> None:
    table = seat("10 A 9 K", f"all insure {answer} @ada")
    assert [event.blackjack for event in table.all(Peeked)] == [True]
    assert table.round.phase == "settled"
    assert not table.all(TurnStarted)
    # uninsured: the stake; insured: -1000 and +2 x 500
    assert table.net() == (0 if answer == "yes" else -1000)


@pytest.mark.rule("FRB-02")
def test_silence_refuses_insurance_and_the_dealer_still_checks() -> None:
    table = seat("10 A 9 K", "close-offers")
    assert len(table.all(Peeked)) == 1
    assert table.net() == -1000


@pytest.mark.rule("FRB-02")
def test_insurance_is_lost_at_the_check_when_there_is_no_blackjack() -> None:
    table = seat("10 A 9 8", "all insure yes @ada")
    assert table.round.turn == (0, 0)
    assert table.paid("insurance") == 0  # settled before the decision
    # 19 against A + 8 = 19 pushes: only the insurance is lost
    assert table.do("0.0 stand").net() == -500


@pytest.mark.rule("FRB-02")
@pytest.mark.parametrize(
    ("hole", "insured", "net"),
    [
        ("K", "yes", 1000),  # push, insurance 500 wins 1000
        ("K", "no", 0),  # push
        ("9", "yes", 1000),  # 1500 less the insurance
        ("9", "no", 1500),
    ],
)
def test_a_blackjack_is_offered_insurance_too(hole: str, insured: str, net: int) -> None:
    table = seat(f"A A K {hole}", f"0 insure {insured} @ada")
    assert table.net() == net


@pytest.mark.rule("FRB-02")
def test_a_dealer_blackjack_at_the_check_beats_other_hands_and_pushes_blackjacks() -> None:
    table = two_seats("A 10 A Q 10 K", "all insure no @ada", "all insure no @bob")
    assert not table.all(TurnStarted)
    assert (table.net(), table.net(BOB)) == (0, -1000)


@pytest.mark.rule("FRB-02")
def test_no_decision_before_all_offers_are_answered() -> None:
    table = two_seats("10 10 A 9 9 9", "all insure no @ada")
    with pytest.raises(Refusal) as refused:
        table.do("0.0 stand")
    assert refused.value.code == "round/offers-open"
    assert not table.all(Peeked)


@pytest.mark.rule("FRB-02")
@pytest.mark.parametrize("up", ["10", "J", "Q", "K"])
def test_under_a_ten_no_insurance_and_no_check(up: str) -> None:
    table = seat(f"10 {up} 9 A")
    assert table.round.turn == (0, 0)
    table.do("0.0 stand")
    assert not table.all(Peeked)
    assert not table.all(InsuranceOffered)
    assert table.net() == -1000


@pytest.mark.rule("FRB-02")
@pytest.mark.parametrize(("hole", "net"), [("A", 0), ("9", 1500)])
def test_under_a_ten_a_blackjack_waits_for_the_hole_card(hole: str, net: int) -> None:
    # seat 1 decides while seat 0 waits with a blackjack
    table = two_seats(f"A 10 10 K 9 {hole}")
    assert not [e for e in table.all(BetSettled) if e.player == ADA]
    assert not table.all(HoleShown)
    assert table.do("1.0 stand").net() == net


@pytest.mark.rule("FRB-02")
@pytest.mark.parametrize("up", ["2", "9"])
def test_under_a_small_card_no_insurance_and_no_check(up: str) -> None:
    table = seat(f"10 {up} 9 10")
    assert table.round.turn == (0, 0)
    assert not table.all(Peeked)
    assert not table.all(InsuranceOffered)


# FRB-03: double


@pytest.mark.rule("FRB-03")
@pytest.mark.parametrize("hand", ["2 3", "4 4", "10 2", "10 10", "A A", "A 2", "A 9", "5 4", "6 5"])
def test_double_on_any_first_two_cards(hand: str) -> None:
    first, second = hand.split()
    assert "0.0 double" in seat(f"{first} 6 {second} 10").legal()


@pytest.mark.rule("FRB-03")
def test_no_double_on_21() -> None:
    assert seat("A 6 K 10").round.phase == "settled"


@pytest.mark.rule("FRB-03")
def test_a_double_takes_one_card_only() -> None:
    # 12 doubled draws 2: 14 stands; the dealer's 16 draws 5
    table = seat("10 6 2 10 2 5", "0.0 double")
    assert table.round.phase == "settled"
    assert table.net() == -2000


@pytest.mark.rule("FRB-03")
@pytest.mark.parametrize("hand", ["2 3 4", "5 4 2", "2 3 6"])  # hard 9 and 11 of three cards too
def test_no_double_after_a_third_card(hand: str) -> None:
    first, second, third = hand.split()
    assert seat(f"{first} 6 {second} 10 {third}", "0.0 hit").legal() == {"0.0 stand", "0.0 hit"}


@pytest.mark.rule("FRB-03")
@pytest.mark.parametrize(
    "cards",
    [
        "8 6 8 10 2 3",  # free split; right 10, left 11: no free double either
        "10 6 K 10 5 6",  # paid split; right 15, left 16
    ],
)
def test_no_double_after_a_split(cards: str) -> None:
    table = seat(cards, "0.0 split")
    assert table.legal() == {"0.0 stand", "0.0 hit"}
    assert table.do("0.0 stand").legal() == {"0.1 stand", "0.1 hit"}


@pytest.mark.rule("FRB-03")
@pytest.mark.parametrize(
    ("last", "net"),
    [
        ("2", 2000),  # 18: 20 wins both stakes
        ("4", 0),  # 20: push
        ("5", -2000),  # 21
        ("7", 2000),  # 23
    ],
)
def test_a_paid_double_stakes_own_money(last: str, net: int) -> None:
    table = seat(f"10 6 2 10 8 {last}", "0.0 double")
    assert [event.stake for event in table.all(StakeAdded)] == [Stake(1000)]
    assert table.net() == net


@pytest.mark.rule("FRB-03")
def test_a_paid_double_that_the_balance_does_not_cover_is_refused() -> None:
    table = seat("10 6 2 10 8 2", purse=1999)
    assert table.round.options_now["double"].unavailable == "funds/insufficient"
    with pytest.raises(Refusal) as refused:
        table.do("0.0 double")
    assert refused.value.code == "funds/insufficient"


# FRB-04, FRB-09, FRB-12: the free double


@pytest.mark.rule("FRB-04", "FRB-09", "FRB-12")
@pytest.mark.parametrize("hand", ["2 7", "5 4", "6 3", "2 8", "6 4", "5 5", "2 9", "6 5", "8 3"])
def test_the_double_of_hard_9_10_and_11_is_free_and_the_paid_form_not_offered(hand: str) -> None:
    first, second = hand.split()
    table = seat(f"{first} 6 {second} 10", purse=1000)  # nothing left in the purse
    assert offered(table)["double"] == (0, True)
    (turn,) = table.all(TurnStarted)
    assert [option.free for option in turn.options if option.action == "double"] == [True]


@pytest.mark.rule("FRB-04", "FRB-09")
@pytest.mark.parametrize("hand", ["2 6", "5 3", "4 4", "10 2", "9 3", "A 8", "A 9", "A A", "A 7", "9 9"])
def test_other_doubles_are_paid(hand: str) -> None:
    first, second = hand.split()
    table = seat(f"{first} 6 {second} 10", stake=700)
    assert offered(table)["double"] == (700, False)


FREE_DOUBLE = [
    # 9 + 10 = 19 against 16 and one card more: what own stake and free bet are paid
    ("2", 2000, 1000),  # 18: paid on both, the own stake comes back
    ("5", 0, 0),  # 21: the own stake is lost
    ("3", 1000, 0),  # 19: the own stake comes back
    ("6", 1000, 0),  # 22: the same
    ("7", 2000, 1000),  # 23
]


@pytest.mark.rule("FRB-04", "FRB-07")
@pytest.mark.parametrize(("last", "own", "free"), FREE_DOUBLE)
def test_what_a_free_double_pays(last: str, own: int, free: int) -> None:
    table = seat(f"5 6 4 10 10 {last}", "0.0 double", purse=1000)
    assert [event.free for event in table.all(Acted)] == [True]
    assert (table.paid(), table.paid("double")) == (own, free)
    assert table.net(brought=1000) == own + free - 1000


@pytest.mark.rule("FRB-04")
def test_a_free_double_takes_nothing_and_gives_one_card() -> None:
    table = two_seats("5 10 6 4 8 10 2", "0.0 double")
    assert table.round.balance(ADA) == 99_000
    assert [event.stake for event in table.all(StakeAdded)] == [Stake(free=1000)]
    assert table.hand() == "doubled"
    assert table.round.turn == (1, 0)


@pytest.mark.rule("FRB-04")
def test_a_free_double_to_21_is_no_blackjack() -> None:
    # 11 + 10 = 21 pushes with the dealer's 10 + 6 + 5
    assert seat("6 10 5 6 K 5", "0.0 double").net() == 0


# FRB-05: split


@pytest.mark.rule("FRB-05")
@pytest.mark.parametrize("pair", ["A A", "2 2", "9 9", "10 10", "10 K", "J Q"])
def test_two_cards_of_one_value_may_be_split(pair: str) -> None:
    first, second = pair.split()
    assert "0.0 split" in seat(f"{first} 6 {second} 10").legal()


@pytest.mark.rule("FRB-05")
@pytest.mark.parametrize("hand", ["9 10", "A K", "A 2", "5 6"])
def test_different_values_may_not(hand: str) -> None:
    first, second = hand.split()
    assert "0.0 split" not in seat(f"{first} 6 {second} 10").legal()


@pytest.mark.rule("FRB-05")
def test_a_third_card_ends_the_right_to_split() -> None:
    assert "0.0 split" not in seat("4 6 4 10 4", "0.0 hit").legal()


@pytest.mark.rule("FRB-05")
@pytest.mark.parametrize("value", ["8", "10"])
def test_once_per_hand(value: str) -> None:
    table = seat(f"{value} 6 {value} 10 {value} {value}", "0.0 split")
    assert table.legal() == {"0.0 stand", "0.0 hit"}
    assert table.do("0.0 stand").legal() == {"0.1 stand", "0.1 hit"}


@pytest.mark.rule("FRB-05")
def test_both_hands_get_a_card_at_once_and_the_right_is_played_first() -> None:
    table = seat("8 6 8 10 2 3 9", "0.0 split")
    right, left = table.round.play.spots[0]
    assert (right.cards, left.cards) == (cards_of("8s 2s"), cards_of("8h 3s"))
    assert table.round.turn == (0, 0)
    table.do("0.0 hit")
    assert table.round.play.spots[0][0].total == 19
    assert table.do("0.0 stand").round.turn == (0, 1)


@pytest.mark.rule("FRB-05")
def test_a_split_hand_may_draw_more_than_one_card() -> None:
    table = seat("8 6 8 10 2 3 2 3 4 10", "0.0 split", "0.0 hit", "0.0 hit", "0.0 hit")
    # right 8 2 2 3 4 = 19; left 8 3 stands on 11; dealer 16 + 10 busts
    assert table.do(*STOOD).net() == 2000


@pytest.mark.rule("FRB-05")
def test_split_aces_get_one_card_each() -> None:
    # right A 2 and left A 5 stand; the dealer's 10 + 7 beats both: the free hand loses nothing
    table = seat("A 10 A 7 2 5", "0.0 split")
    assert table.round.phase == "settled"
    assert table.net() == -1000


# FRB-06, FRB-12: the free split


@pytest.mark.rule("FRB-06", "FRB-09", "FRB-12")
@pytest.mark.parametrize("value", ["A", "2", "3", "4", "5", "6", "7", "8", "9"])
def test_every_pair_but_tens_splits_free_and_the_paid_form_is_not_offered(value: str) -> None:
    table = seat(f"{value} 6 {value} 10", purse=1000)
    (turn,) = table.all(TurnStarted)
    split = [option for option in turn.options if option.action == "split"]
    assert [(option.cost, option.free) for option in split] == [(0, True)]


@pytest.mark.rule("FRB-06", "FRB-09")
@pytest.mark.parametrize("pair", ["10 10", "J J", "Q Q", "K K", "10 K", "Q J"])
def test_ten_values_split_with_an_own_stake(pair: str) -> None:
    first, second = pair.split()
    table = seat(f"{first} 6 {second} 10 2 3", stake=700)
    assert offered(table)["split"] == (700, False)
    table.do("0.0 split")
    assert table.round.balance(ADA) == 100_000 - 1400
    assert [event.free for event in table.all(Acted)] == [False]


@pytest.mark.rule("FRB-06")
def test_a_paid_split_that_the_balance_does_not_cover_is_refused() -> None:
    table = seat("10 6 10 10", purse=1999)
    assert table.round.options_now["split"].unavailable == "funds/insufficient"
    with pytest.raises(Refusal) as refused:
        table.do("0.0 split")
    assert refused.value.code == "funds/insufficient"


@pytest.mark.rule("FRB-06")
def test_the_own_stake_stays_on_the_right_hand_and_the_free_bet_is_on_the_left() -> None:
    table = seat("8 6 8 10 10 J", "0.0 split")
    assert table.round.balance(ADA) == 99_000
    (added,) = table.all(StakeAdded)
    assert (added.hand, added.why, added.stake) == (1, "split", Stake(free=1000))


#: Eights split: right 18, left 19 against 16 and one card more.
FREE_SPLIT = [
    ("A", 2000, 1000),  # 17: both win, only the own stake comes back
    ("2", 1000, 1000),  # 18: right pushes, left wins
    ("3", 0, 0),  # 19: right loses, left pushes and returns nothing
    ("4", 0, 0),  # 20: both lose, one stake
    ("6", 1000, 0),  # 22: own stake back, the free hand nothing
    ("7", 2000, 1000),  # 23
]


@pytest.mark.rule("FRB-06", "FRB-07")
@pytest.mark.parametrize(("last", "right", "left"), FREE_SPLIT)
def test_what_a_free_split_pays(last: str, right: int, left: int) -> None:
    table = seat(f"8 6 8 10 10 A {last}", "0.0 split", *STOOD, purse=1000)
    assert (table.paid(), table.paid("split", hand=1)) == (right, left)
    assert table.net(brought=1000) == right + left - 1000


@pytest.mark.rule("FRB-06")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        # right 8 5 10 bust, left 18 wins 1000 on dealer 17: the own stake is lost
        ("8 6 8 10 5 10 J A", ("0.0 hit", "0.1 stand"), 0),
        # right 18 wins on 17, left 8 5 10 bust loses nothing
        ("8 6 8 10 10 5 J A", ("0.0 stand", "0.1 hit"), 1000),
        # both bust: one stake
        ("8 6 8 10 5 6 10 J", ("0.0 hit", "0.1 hit"), -1000),
    ],
)
def test_a_bust_costs_the_own_stake_on_the_right_and_nothing_on_the_left(
    cards: str, commands: tuple[str, ...], net: int
) -> None:
    assert seat(cards, "0.0 split", *commands).net() == net


#: Tens split with own money: right 18, left 19 against 16 and one card more.
PAID_SPLIT = [
    ("A", 2000, 2000),
    ("2", 1000, 2000),  # right pushes
    ("3", 0, 1000),  # left pushes: its stake comes back
    ("4", 0, 0),
    ("6", 1000, 1000),  # 22: both stakes come back
    ("7", 2000, 2000),
]


@pytest.mark.rule("FRB-06", "FRB-07")
@pytest.mark.parametrize(("last", "right", "left"), PAID_SPLIT)
def test_what_a_paid_split_pays(last: str, right: int, left: int) -> None:
    table = seat(f"10 6 K 10 8 9 {last}", "0.0 split", *STOOD)
    assert (table.paid(), table.paid("split", hand=1)) == (right, left)
    assert table.net() == right + left - 2000


@pytest.mark.rule("FRB-12")
def test_fives_may_take_the_free_double_or_the_free_split() -> None:
    assert offered(seat("5 6 5 10")) == {
        "stand": (0, False),
        "hit": (0, False),
        "double": (0, True),
        "split": (0, True),
    }


@pytest.mark.rule("FRB-12")
@pytest.mark.parametrize(
    ("commands", "net"),
    [
        # 5 5 10 = 20 against 16 + 9 = 25: own and free stake win
        (("0.0 double",), 2000),
        # right 15, left 5 9 = 14 against 16 + 8 = 24: both win
        (("0.0 split", *STOOD), 2000),
    ],
)
def test_either_choice_for_fives_costs_nothing(commands: tuple[str, ...], net: int) -> None:
    assert seat("5 6 5 10 10 9 8", *commands, purse=1000).net(brought=1000) == net


# FRB-07: the dealer's 22


@pytest.mark.rule("FRB-07")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 6 2 10 6", ("0.0 stand",), 0),  # 12 not bust
        ("10 6 10 10 6", ("0.0 stand",), 0),  # 20
        ("10 6 5 10 6 6", ("0.0 hit",), 0),  # a 21 of three cards
        ("10 6 2 10 8 6", ("0.0 double",), 0),  # paid double: both come back
        ("10 6 2 10 K", ("0.0 hit",), -1000),  # bust alone: no 22 is drawn
        ("10 6 2 10 K", ("0.0 double",), -2000),
        ("10 6 2 10 9 2", ("0.0 stand",), 1000),  # 25 is no 22
    ],
)
def test_dealer_22_pushes_every_hand_not_bust(cards: str, commands: tuple[str, ...], net: int) -> None:
    assert seat(cards, *commands).net() == net


@pytest.mark.rule("FRB-07")
def test_dealer_22_of_an_ace_counted_one() -> None:
    # A + 5 = 16, + 6 = 12, + 10 = 22
    assert seat("10 A 10 5 10 6", "close-offers", "0.0 stand").net() == 0


@pytest.mark.rule("FRB-07")
def test_a_bust_hand_loses_to_22() -> None:
    table = two_seats("10 10 6 6 10 10 K 6", "0.0 hit", "1.0 stand")
    assert table.dealer == 22
    assert (table.net(), table.net(BOB)) == (-1000, 0)


@pytest.mark.rule("FRB-07")
@pytest.mark.parametrize(
    ("commands", "ada"),
    [
        # right 8 5 10 bust, left 8 6 pushes: the free bet returns nothing
        (("0.0 hit", "0.1 stand"), -1000),
        # right 13 pushes, left 8 6 10 bust
        (("0.0 stand", "0.1 hit"), 0),
    ],
)
def test_a_free_split_with_one_hand_bust_against_22(commands: tuple[str, ...], ada: int) -> None:
    table = seat("8 6 8 10 5 6 10 6", "0.0 split", *commands)
    assert table.dealer == 22
    assert table.net() == ada


@pytest.mark.rule("FRB-07")
@pytest.mark.parametrize(
    ("up", "hole", "draws", "answers"),
    [
        ("2", "10", "10", ()),
        ("9", "5", "8", ()),
        ("A", "5", "10 6", ("close-offers",)),
        ("10", "6", "6", ()),
        ("K", "2", "Q", ()),
    ],
)
def test_a_blackjack_never_meets_the_22(up: str, hole: str, draws: str, answers: tuple[str, ...]) -> None:
    table = two_seats(f"A 10 {up} K 9 {hole} {draws}", *answers, "1.0 stand")
    assert table.dealer == 22
    assert (table.net(), table.net(BOB)) == (1500, 0)


@pytest.mark.rule("FRB-07")
@pytest.mark.parametrize(("up", "hole"), [("2", "10"), ("9", "5"), ("A", "5"), ("10", "6")])
def test_for_blackjacks_alone_the_dealer_does_not_draw(up: str, hole: str) -> None:
    table = seat(f"A {up} K {hole}")
    if up == "A":
        table.do("close-offers")
    assert table.shoe.dealt == 4
    assert table.net() == 1500


@pytest.mark.rule("FRB-07")
def test_a_blackjack_pushes_a_ten_up_blackjack() -> None:
    assert seat("A 10 K A").net() == 0


@pytest.mark.rule("FRB-07", "FRB-08")
def test_a_split_21_does_meet_the_22() -> None:
    # A A split: right A 10, left A 9; dealer 10 6 6
    table = seat("A 10 A 6 K 9 6", "0.0 split")
    assert (table.paid(), table.paid("split", hand=1)) == (1000, 0)


# FRB-08: blackjack only with the first two cards


@pytest.mark.rule("FRB-08")
@pytest.mark.parametrize(
    ("cards", "right", "left"),
    [
        ("A 10 A 8 K Q", 2000, 1000),  # against 18: 1:1 on each, the free one without a stake
        ("A 10 A 6 K Q 5", 1000, 0),  # against a 21 of three cards: push
        ("A 10 A A K Q", 0, 0),  # against a blackjack: lost
    ],
)
def test_split_aces_with_tens_are_plain_21s(cards: str, right: int, left: int) -> None:
    table = seat(cards, "0.0 split")
    assert (table.paid(), table.paid("split", hand=1)) == (right, left)


@pytest.mark.rule("FRB-08")
@pytest.mark.parametrize(("hole", "net"), [("8", 2000), ("A", -2000)])
def test_split_tens_with_aces_are_plain_21s(hole: str, net: int) -> None:
    # paid split: right 10 A, left K A, both stand by themselves
    assert seat(f"10 Q K {hole} A A", "0.0 split").net() == net


# FRB-10: side bets


@pytest.mark.rule("FRB-10")
@pytest.mark.parametrize(
    ("kind", "hand", "up", "paid"),
    [
        ("player-pair", "8s 8s", "10h", 2600),
        ("player-pair", "8h 8d", "10h", 1300),
        ("player-pair", "8s 8h", "10h", 700),
        ("player-pair", "10s Ks", "10h", 0),
        ("21+3", "Qh Qh", "Qh", 10_100),
        ("21+3", "10s Js", "Qs", 4100),
        ("21+3", "Ks Kh", "Kd", 3100),
        ("21+3", "2s 3c", "4h", 1100),
        ("21+3", "2c 6c", "10c", 600),
        ("21+3", "2c 6c", "10d", 0),
    ],
)
@pytest.mark.parametrize("hole", ["10c", "As"])
def test_side_bets_are_paid_whatever_becomes_of_the_hand(
    kind: str, hand: str, up: str, paid: int, hole: str
) -> None:
    first, second = hand.split()
    table = Table("freebet", f"{first} {up} {second} {hole} 5c")
    table.bet((0, "main", 1000), (0, kind, 100)).deal()
    if table.round.phase == "decisions":
        table.do("0.0 stand")
    assert table.paid(kind) == paid


@pytest.mark.rule("FRB-10")
@pytest.mark.parametrize("kind", ["dealer-pair", "top-3", "buster", "lucky-lucky", "link"])
def test_no_other_side_bets(kind: str) -> None:
    with pytest.raises(Refusal) as refused:
        Table("freebet", "").bet((0, "main", 1000), (0, kind, 100))
    assert refused.value.code == "bet/no-such-bet"


@pytest.mark.rule("FRB-10")
@pytest.mark.parametrize("bets", [[Bet(0, "21+3", 100)], [Bet(1, "main", 1000), Bet(0, "21+3", 100)]])
def test_a_side_bet_needs_the_main_stake_of_its_seat(bets: list[Bet]) -> None:
    with pytest.raises(Refusal) as refused:
        Table("freebet", "").bet(*bets)
    assert refused.value.code == "bet/no-main-bet"


@pytest.mark.rule("FRB-10")
def test_a_free_split_or_double_leaves_side_bets_as_they_were() -> None:
    table = Table("freebet", "8s 6h 8s 10c 2s 3s Ah").bet((0, "main", 1000), (0, "player-pair", 100))
    table.deal("0.0 split", *STOOD)
    assert table.paid("player-pair") == 2600
    assert len([event for event in table.all(BetSettled) if event.why == "player-pair"]) == 1


# FRB-11: a blackjack found under a ten


@pytest.mark.rule("FRB-11")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 10 9 A", ("0.0 stand",), -1000),
        ("10 10 2 A 9", ("0.0 double",), -2000),  # paid double: both, though 21
        ("10 10 2 A K", ("0.0 double",), -2000),  # paid double bust
        ("6 10 5 A K", ("0.0 double",), -1000),  # free double to 21: the own stake only
        ("10 10 K A 9 9", ("0.0 split", *STOOD), -2000),  # paid split
        ("8 10 8 A 10 J", ("0.0 split", *STOOD), -1000),  # free split
        ("7 K 7 A 7 5 7 9", ("0.0 split", "0.0 hit", "0.1 hit"), -1000),  # two 21s of a free split
        ("A 10 K A", (), 0),
    ],
)
def test_a_late_blackjack_takes_every_real_stake_and_no_free_one(
    cards: str, commands: tuple[str, ...], net: int
) -> None:
    assert seat(cards, *commands).net() == net


@pytest.mark.rule("FRB-11")
def test_a_late_blackjack_shows_only_after_all_decisions() -> None:
    table = two_seats("10 10 10 9 8 A", "0.0 stand")
    assert table.round.turn == (1, 0)
    assert not table.all(HoleShown)
    table.do("1.0 stand")
    assert (table.net(), table.net(BOB)) == (-1000, -1000)


# Together


@pytest.mark.rule("FRB-04", "FRB-06", "FRB-07")
def test_seats_with_free_and_paid_bets_against_one_22() -> None:
    table = Table("freebet", "5 8 10 A 6 4 8 2 K 10 10 9 J 8 6", purses={ADA: 5000, BOB: 5000})
    table.bet((0, "main", 1000), (1, "main", 600)).bet((2, "main", 400), (3, "main", 200), player=BOB)
    table.deal("0.0 double", "1.0 split", "1.0 stand", "1.1 stand", "2.0 double")
    assert table.dealer == 22
    # all pushes; Bob's blackjack wins 300
    assert (table.net(brought=5000), table.net(BOB, 5000)) == (0, 300)


@pytest.mark.rule("FRB-04")
def test_a_free_bet_is_not_money_of_the_table() -> None:
    table = seat("5 6 4 10 10 2")
    before = table.round.book.total
    table.do("0.0 double")
    assert table.round.book.total == before == 100_000
    assert table.round.book.house == -2000
