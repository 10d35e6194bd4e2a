"""Cashback Blackjack (CSH). One hand is dealt as: hand, up card, hand, hole card; a stake is 10.00.

The price function answers (1 + V) in billionths of a stake; the default margin is 1 %, so 400_000_000 on 10.00
offers 3.96.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.cards import Card, format_cards
from sabot.engine.events import BetSettled, HoleShown, InsuranceOffered, Peeked, TurnStarted
from sabot.errors import Refusal
from sabot.fairness import SeededShoe, SeedStream
from sabot.games import Rules, TableOptions, find
from tests.support.table import Table, refused, solo

WORTH = 400_000_000
OFFER = 396


class Question(NamedTuple):
    """What a price was asked for."""

    cards: str
    split: bool
    up: str
    #: The other cards that lie face up, in order of their names.
    seen: str


class Pricer:
    """A price function that keeps what it was asked; each answer is one of the given, the last for ever."""

    def __init__(self, *worths: int) -> None:
        self.worths = list(worths or (WORTH,))
        self.asked: list[Question] = []

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        assert rules.cashback
        others = " ".join(sorted(format_cards(seen).split()))
        self.asked.append(Question(format_cards(cards), split, format_cards([up]), others))
        return self.worths.pop(0) if len(self.worths) > 1 else self.worths[0]


def offer(table: Table) -> int:
    """The amount on the button now."""
    return table.round.options_now["cashback"].pays


def sell(table: Table) -> Table:
    """Press CASHBACK for the hand whose turn it is."""
    assert table.round.turn is not None
    spot, hand = table.round.turn
    return table.do(f"{spot}.{hand} cashback {offer(table)}")


# CSH-01: what it shares


@pytest.mark.rule("CSH-01")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 9 9 8", "stand", 1000),
        ("10 9 9 10", "stand", 0),
        ("A 9 K 8", "", 1500),
        ("5 9 6 8 10", "double", 2000),
        ("10 6 2 10 9", "stand", 1000),
        ("10 6 6 5 K", "hit", -1000),
    ],
)
def test_the_common_game(cards: str, commands: str, net: int) -> None:
    played = [f"0.0 {word}" for word in commands.split()]
    assert solo("cashback", cards, *played).net() == net


@pytest.mark.rule("CSH-01")
def test_five_hands_each_with_its_stake() -> None:
    table = Table("cashback", "10 9 8 7 6 9 10 10 10 10 10 10")
    table.bet(*((spot, "main", 100 * (spot + 1)) for spot in range(5))).deal()
    table.do(*(f"{spot}.0 stand" for spot in range(5)))
    # 20 19 18 17 16 against 19 with 1 2 3 4 5 euro
    assert [table.paid(spot=spot) for spot in range(5)] == [200, 200, 0, 0, 0]


# CSH-02: what CASHBACK does


@pytest.mark.rule("CSH-02")
@pytest.mark.parametrize(
    "cards",
    [
        "10 9 6 10",  # a hand that would lose
        "10 6 6 10 K",  # one that would win: the dealer would bust
        "10 9 9 10",  # one that would push
        "10 K 9 A",  # a dealer blackjack
    ],
)
def test_the_amount_is_all_and_ends_the_hand(cards: str) -> None:
    table = sell(solo("cashback", cards, price=WORTH))
    assert table.hand() == "cashed-back"
    # Nothing is left to decide, so the hole card is turned, no card is drawn and all is paid.
    assert (table.round.phase, table.shoe.dealt) == ("settled", 4)
    assert len(table.all(HoleShown)) == 1
    assert (table.paid(), table.net()) == (OFFER, OFFER - 1000)
    assert [event.result for event in table.all(BetSettled)] == ["cashback"]
    assert table.round.book.house == 1000 - OFFER


@pytest.mark.rule("CSH-02")
def test_an_amount_above_the_stake() -> None:
    # A hand worth 1.8 stakes: 1782 is paid, the stake of 1000 does not come back beside it.
    table = sell(solo("cashback", "5 6 6 10", price=1_800_000_000))
    assert (table.paid(), table.net()) == (1782, 782)


@pytest.mark.rule("CSH-02")
def test_no_further_action_on_a_sold_hand() -> None:
    table = Table("cashback", "10 10 9 6 7 10", price=WORTH).bet((0, "main", 1000), (1, "main", 1000)).deal()
    sell(table)
    assert table.round.turn == (1, 0)
    for action in ("hit", "stand", "double", f"cashback {OFFER}"):
        refused(table, f"0.0 {action}", "turn/not-yours")


@pytest.mark.rule("CSH-02")
def test_the_dealer_plays_on_for_the_other_hands() -> None:
    # Spot 0 sold; spot 1 stands on 17; the dealer's 16 draws a ten.
    table = (
        Table("cashback", "10 10 6 6 7 10 K", price=WORTH).bet((0, "main", 1000), (1, "main", 1000)).deal()
    )
    sell(table).do("1.0 stand")
    assert (table.dealer, table.paid(spot=0), table.paid(spot=1)) == (26, OFFER, 2000)


@pytest.mark.rule("CSH-02")
def test_it_is_credited_at_settlement_and_cannot_be_staked_before() -> None:
    # 20.00 brought and staked on two hands; spot 0 is sold for 9.90 and spot 1 may still not double 10.00 nor 9.90.
    table = Table("cashback", "10 5 9 6 6 8 9", purse=2000, price=1_000_000_000)
    table.bet((0, "main", 1000), (1, "main", 1000)).deal()
    sell(table)
    assert table.round.balance("ada") == 0
    assert table.round.options_now["double"].unavailable == "funds/insufficient"
    refused(table, "1.0 double", "funds/insufficient")
    table.do("1.0 hit", "1.0 stand")  # 5 6 9 = 20 against 17
    assert table.round.balance("ada") == 990 + 2000


# CSH-03: the amount


@pytest.mark.rule("CSH-03", "RET-11")
@pytest.mark.parametrize(
    ("stake", "worth", "margin", "amount"),
    [
        (1000, 400_000_000, 100, 396),
        (1000, 1_000_000_000, 100, 990),
        (1000, 1_000_000_000, 0, 1000),
        (1000, 1_000_000_000, 250, 975),
        (1000, 1_999_999_999, 0, 1999),  # 1999.999… is rounded down
        (203, 500_000_000, 100, 100),  # 101.5 less 1 % is 100.485: rounded once, at the end
        (101, 10_000_000, 100, 0),  # 1.01 less 1 % is less than a cent
        (102, 10_000_000, 100, 1),  # 1.0098
        (1000, 0, 100, 0),
        (1000, -1, 100, 0),  # never negative
        (1000, -1_000_000_000, 100, 0),
        (50_000, 1_234_567_890, 100, 61_111),  # 61728.3945 less 1 % is 61111.11…
    ],
)
def test_fair_value_less_the_margin_rounded_down(stake: int, worth: int, margin: int, amount: int) -> None:
    options = TableOptions(cashback_margin=margin)
    table = solo("cashback", "10 9 6 10", stake=stake, options=options, price=worth)
    assert offer(table) == amount
    sell(table)
    assert (table.paid(), table.net()) == (amount, amount - stake)


@pytest.mark.rule("CSH-03", "RET-11")
@given(stake=st.integers(100, 50_000), worth=st.integers(-(10**9), 2 * 10**9), margin=st.integers(0, 9_999))
def test_every_amount_is_the_formula(stake: int, worth: int, margin: int) -> None:
    fair = stake * Fraction(worth, 10**9)
    options = TableOptions(cashback_margin=margin)
    table = solo("cashback", "10 9 6 10", stake=stake, options=options, price=worth)
    assert offer(table) == max(0, floor(fair * (1 - Fraction(margin, 10_000))))
    assert offer(table) <= max(Fraction(0), fair)


@pytest.mark.rule("CSH-03", "RET-11")
def test_the_default_margin_is_one_per_cent() -> None:
    assert find("cashback").options.cashback_margin == 100


@pytest.mark.rule("CSH-03", "CSH-15")
def test_the_price_is_asked_anew_in_every_state() -> None:
    # Two hands, one of them drawing twice, then the other: four decisions, four prices, each from what lies open.
    price = Pricer(500_000_000, 300_000_000, 200_000_000, 700_000_000)
    table = Table("cashback", "2s 9h 7d 3c 5s Kh 4d 6h", price=price)
    table.bet((0, "main", 1000), (1, "main", 2000)).deal()
    assert offer(table) == 495
    table.do("0.0 hit")
    assert offer(table) == 297
    table.do("0.0 hit")
    assert offer(table) == 198
    table.do("0.0 stand")
    assert offer(table) == 1386  # on 20.00
    assert price.asked == [
        Question("2s 3c", False, "7d", "5s 9h"),
        Question("2s 3c 4d", False, "7d", "5s 9h"),
        Question("2s 3c 4d 6h", False, "7d", "5s 9h"),
        Question("9h 5s", False, "7d", "2s 3c 4d 6h"),
    ]


@pytest.mark.rule("CSH-15")
def test_the_hole_card_is_never_seen() -> None:
    """The price depends on no card that lies face down: another hole card asks the very same questions."""
    asked = []
    for hole in ("Kh", "As", "2c"):
        price = Pricer()
        table = Table("cashback", f"8s 5h 9d 8h 6s {hole} 2d 3h 4c", price=price)
        table.bet((0, "main", 1000), (1, "main", 1000)).deal("0.0 split", "0.0 hit")
        asked.append(price.asked)
        assert not any(hole in (*question.cards.split(), *question.seen.split()) for question in price.asked)
    assert asked[0] == asked[1] == asked[2]


@pytest.mark.rule("CSH-15")
@pytest.mark.parametrize("purse", [1000, 1999, 2000, 100_000])
def test_the_price_does_not_know_the_purse(purse: int) -> None:
    """Every legal action is taken as affordable."""
    price = Pricer()
    table = solo("cashback", "8 9 8 10", purse=purse, price=price)
    assert offer(table) == OFFER
    assert price.asked == [Question("8s 8h", False, "9s", "")]


@pytest.mark.rule("CSH-04", "CSH-15")
def test_each_split_hand_is_priced_alone_on_its_own_stake() -> None:
    # 8-8 split to 8-3 and 8-9. The first is doubled to 2000 in all; the second is still priced on its own 1000.
    price = Pricer(100_000_000, 600_000_000, 300_000_000)
    table = solo("cashback", "8s 6d 8h Kc 3s 9h 7c 10d", "0.0 split", price=price)
    assert offer(table) == 594
    table.do("0.0 double")
    assert offer(table) == 297
    assert price.asked == [
        Question("8s 8h", False, "6d", ""),
        Question("8s 3s", True, "6d", "8h 9h"),
        Question("8h 9h", True, "6d", "3s 7c 8s"),
    ]
    sell(table)
    # 8-3-7 = 18 doubled wins both stakes: the dealer's 16 draws a ten.
    assert (table.paid(), table.paid("double"), table.paid("split", hand=1)) == (2000, 2000, 297)


@pytest.mark.rule("CSH-04", "CSH-15")
def test_one_split_hand_is_sold_the_other_played() -> None:
    # 8-8: the first (8-3) is sold for 5.94, the second (8-9 = 17) stands and beats 6-10-K.
    price = Pricer(100_000_000, 600_000_000, 300_000_000)
    table = solo("cashback", "8s 6d 8h 10c 3s 9h Kc", "0.0 split", price=price)
    sell(table).do("0.1 stand")
    assert (table.paid(), table.paid("split", hand=1), table.net()) == (594, 2000, 594)


# CSH-04: when it is offered


@pytest.mark.rule("CSH-04")
def test_at_each_decision_of_the_hand_whose_turn_it_is() -> None:
    table = Table("cashback", "2 8 7 3 8 10 4 5 2 3 6", price=WORTH)
    table.bet((0, "main", 1000), (1, "main", 1000)).deal()
    for command, turn in [
        ("0.0 hit", (0, 0)),  # 2 3 4
        ("0.0 hit", (0, 0)),  # 2 3 4 5
        ("0.0 stand", (1, 0)),  # 8 8
        ("1.0 split", (1, 0)),  # 8 2
        ("1.0 hit", (1, 0)),  # 8 2 6
        ("1.0 stand", (1, 1)),  # 8 3
    ]:
        table.do(command)
        assert table.round.turn == turn
        assert f"{turn[0]}.{turn[1]} cashback {OFFER}" in table.legal()
        started = table.all(TurnStarted)[-1]
        assert [option.pays for option in started.options if option.action == "cashback"] == [OFFER]


@pytest.mark.rule("CSH-04")
def test_not_on_a_hand_whose_turn_it_is_not() -> None:
    table = Table("cashback", "10 10 9 6 7 10", price=WORTH).bet((0, "main", 1000), (1, "main", 1000)).deal()
    refused(table, f"1.0 cashback {OFFER}", "turn/not-yours")


@pytest.mark.rule("CSH-04")
def test_not_before_the_offers_are_answered() -> None:
    """COM-09: no CASHBACK is carried out before the offers are over."""
    table = solo("cashback", "10 A 6 9", price=WORTH)
    assert table.round.phase == "offers"
    refused(table, f"0.0 cashback {OFFER}", "round/offers-open")
    table.do("0 insure no @ada")
    assert f"0.0 cashback {OFFER}" in table.legal()


@pytest.mark.rule("CSH-04")
@pytest.mark.parametrize("game", ["surrender", "link", "freebet", "majority-us", "classic-6"])
def test_no_other_game_offers_it(game: str) -> None:
    table = solo(game, "10 9 6 10", price=WORTH)
    refused(table, f"0.0 cashback {OFFER}", "action/not-legal")


# CSH-05: when it is not


@pytest.mark.rule("CSH-05")
@pytest.mark.parametrize(
    ("cards", "commands", "asked"),
    [
        ("A 6 10 10", [], []),  # a blackjack
        ("10 6 5 10 6 8", ["0.0 hit"], ["10s 5s"]),  # 21
        ("10 6 5 10 9 8", ["0.0 hit"], ["10s 5s"]),  # bust
        ("5 6 6 10 2 8", ["0.0 double"], ["5s 6h"]),  # after RADDOPPIA
        ("A 6 A 10 5 9 8", ["0.0 split"], ["As Ah"]),  # split aces, 16 and 20
        ("A 6 A 10 10 9 8", ["0.0 split"], ["As Ah"]),  # … one of them 21
    ],
)
def test_hands_that_are_not_bought(cards: str, commands: list[str], asked: list[str]) -> None:
    """The hand is over before a price could be asked for it: the round goes straight to its end."""
    price = Pricer()
    table = solo("cashback", cards, *commands, price=price)
    assert [question.cards for question in price.asked] == asked
    assert table.round.phase == "settled"
    refused(table, f"0.0 cashback {OFFER}", "round/over")


@pytest.mark.rule("CSH-05")
@pytest.mark.parametrize(
    ("cards", "commands"),
    [
        ("A 10 9 10 6 10", []),  # spot 0 a blackjack
        ("9 10 6 5 6 10 7", ["0.0 hit"]),  # spot 0 has 21
        ("5 10 6 6 6 10 2", ["0.0 double"]),  # spot 0 doubled
        ("A 10 6 A 6 10 5 9", ["0.0 split"]),  # spot 0 split aces
    ],
)
def test_the_price_passes_on_to_the_next_hand(cards: str, commands: list[str]) -> None:
    table = Table("cashback", cards, price=WORTH).bet((0, "main", 1000), (1, "main", 1000)).deal(*commands)
    assert table.round.turn == (1, 0)
    for hand in (0, 1):
        refused(table, f"0.{hand} cashback {OFFER}", "turn/not-yours")


@pytest.mark.rule("CSH-05")
def test_a_split_hand_of_21_is_passed_over() -> None:
    # 10-10 split to 10-A (a plain 21) and 10-6: only the second is priced.
    price = Pricer()
    table = solo("cashback", "10 6 J 10 A 6", "0.0 split", price=price)
    assert table.round.turn == (0, 1)
    assert [question.cards for question in price.asked] == ["10s Js", "Js 6h"]


# CSH-06, CSH-11: side bets


@pytest.mark.rule("CSH-06", "CSH-11")
def test_the_side_bets_of_a_sold_hand_stay() -> None:
    # 7h 7d with 7s up: three of a kind 30:1 and a coloured pair 12:1; the dealer's 7s 7c is coloured too, 12:1.
    table = Table("cashback", "7h 7s 7d 7c", price=WORTH)
    table.bet((0, "main", 1000), (0, "21+3", 100), (0, "player-pair", 200), (-1, "dealer-pair", 300)).deal()
    sell(table)
    assert (table.paid("21+3"), table.paid("player-pair")) == (3100, 2600)
    assert (table.paid("dealer-pair", spot=-1), table.paid()) == (3900, OFFER)
    assert table.net() == 3000 + 2400 + 3600 + OFFER - 1000


@pytest.mark.rule("CSH-06")
def test_losing_side_bets_of_a_sold_hand_are_lost() -> None:
    """Nothing of them is in the amount or comes back with it."""
    table = Table("cashback", "7h 9s 2d Kc", price=WORTH)
    table.bet((0, "main", 1000), (0, "21+3", 100), (0, "player-pair", 200), (-1, "dealer-pair", 300)).deal()
    assert offer(table) == OFFER
    sell(table)
    assert table.net() == OFFER - 1600


@pytest.mark.rule("CSH-11")
def test_the_side_bets_of_the_game() -> None:
    bets = find("cashback").rules.side_bets
    assert {bet.name for bet in bets} == {"player-pair", "21+3", "dealer-pair"}
    assert [bet.name for bet in bets if bet.once] == ["dealer-pair"]


@pytest.mark.rule("CSH-11")
@pytest.mark.parametrize("kind", ["link", "top-3", "buster", "lucky-lucky", "behind"])
def test_no_side_bet_of_another_game(kind: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Table("cashback", "").bet((0, "main", 1000), (0, kind, 100))
    assert refusal.value.code == "bet/no-such-bet"


# CSH-07, CSH-08: no check, and the blackjack found at the end


@pytest.mark.rule("CSH-07")
@pytest.mark.parametrize(("up", "hole"), [("A", "K"), ("K", "A"), ("10", "A"), ("A", "10"), ("A", "5")])
def test_decisions_are_made_over_an_unseen_blackjack(up: str, hole: str) -> None:
    table = Table("cashback", f"10 {up} 6 {hole} 2").bet((0, "main", 1000)).do("deal no-insurance")
    assert table.round.turn == (0, 0)
    table.do("0.0 hit")
    assert table.all(Peeked) == []
    assert table.all(HoleShown) == []
    if hole != "5":
        table.do("0.0 stand")
        assert (table.paid(), table.shoe.dealt) == (0, 5)


@pytest.mark.rule("CSH-08")
@pytest.mark.parametrize(
    ("up", "hole", "back"),
    [("A", "K", 0), ("A", "10", 0), ("K", "A", 1000), ("Q", "A", 1000), ("J", "A", 1000), ("10", "A", 1000)],
)
def test_a_doubled_stake_against_a_blackjack(up: str, hole: str, back: int) -> None:
    # 11 doubled to 21: an ace up takes 2000, a ten up gives the added 1000 back.
    table = Table("cashback", f"5 {up} 6 {hole} 10").bet((0, "main", 1000))
    table.do("deal no-insurance", "0.0 double")
    assert (table.paid(), table.paid("double"), table.net()) == (0, back, back - 2000)


@pytest.mark.rule("CSH-08")
def test_a_bust_double_is_lost_whole_against_a_ten_up_blackjack() -> None:
    table = solo("cashback", "10 K 6 A 9", "0.0 double")
    assert (table.hand(), table.paid(), table.paid("double"), table.net()) == ("bust", 0, 0, -2000)


@pytest.mark.rule("CSH-08")
@pytest.mark.parametrize(("up", "hole", "back"), [("K", "A", 1000), ("A", "K", 0)])
def test_split_stakes_against_a_blackjack(up: str, hole: str, back: int) -> None:
    # 8-8 split to 8-3 and 8-2; the first is doubled, the second stands: both split stakes are lost.
    table = Table("cashback", f"8 {up} 8 {hole} 3 2 9").bet((0, "main", 1000))
    table.do("deal no-insurance", "0.0 split", "0.0 double", "0.1 stand")
    assert (table.paid(), table.paid("double"), table.paid("split", hand=1)) == (0, back, 0)
    assert table.net() == back - 3000


@pytest.mark.rule("CSH-08")
def test_both_doubled_split_hands_get_the_added_stake_back() -> None:
    # 8-3 and 8-2, both doubled under a ten: 4000 on the table, 2000 back.
    table = solo("cashback", "8 K 8 A 3 2 9 9", "0.0 split", "0.0 double", "0.1 double")
    assert (table.paid("double"), table.paid("double", hand=1), table.net()) == (1000, 1000, -2000)


@pytest.mark.rule("CSH-08")
def test_a_blackjack_pushes_against_a_blackjack() -> None:
    assert solo("cashback", "A K Q A").net() == 0
    # … and 21 in three cards loses to it.
    assert solo("cashback", "9 K 7 A 5", "0.0 hit").net() == -1000


# CSH-09: the dealer stands on 17


@pytest.mark.rule("CSH-09")
@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        ("10 7 8 10 4", 17),  # hard 17: a four would make 21
        ("10 6 8 A 4", 17),  # soft 17 likewise
        ("10 5 8 A A 4", 17),  # soft 16 draws an ace: soft 17 stands
    ],
)
def test_the_dealer_stands_on_every_17(cards: str, dealer: int) -> None:
    table = solo("cashback", cards, "0.0 stand")
    assert (table.dealer, table.net()) == (dealer, 1000)


@pytest.mark.rule("CSH-09")
def test_the_dealer_draws_on_16() -> None:
    table = solo("cashback", "10 6 8 10 3", "0.0 stand")
    assert (table.dealer, table.net()) == (19, -1000)


# CSH-10: Charlie 10

#: Nine small cards and a tenth: 2 2 2 2 2 2 2 2 A A = 18.
LONG = "2 2 2 2 2 2 A A"


@pytest.mark.rule("CSH-10")
@pytest.mark.parametrize(
    ("up", "hole", "net"),
    [
        ("9", "2", 1000),  # the dealer would have 21 with the ten behind
        ("K", "9", 1000),  # 19 beats 18, but not a Charlie
        ("K", "A", -1000),  # a blackjack does
        ("A", "K", -1000),
        ("A", "9", 1000),
    ],
)
def test_ten_cards_win_unless_the_dealer_has_blackjack(up: str, hole: str, net: int) -> None:
    table = Table("cashback", f"2 {up} 2 {hole} {LONG} 10").bet((0, "main", 1000))
    table.do("deal no-insurance", *["0.0 hit"] * 8)
    assert (table.hand(), table.net(), table.shoe.dealt) == ("charlie", net, 12)


@pytest.mark.rule("CSH-10")
def test_nine_cards_are_no_charlie() -> None:
    # 17 with nine cards has a decision, and loses standing against 19.
    table = solo("cashback", f"2 K 2 9 {LONG}", *["0.0 hit"] * 7)
    assert f"0.0 cashback {offer(table)}" in table.legal()
    table.do("0.0 stand")
    assert (table.hand(), table.net()) == ("stood", -1000)


@pytest.mark.rule("CSH-10")
def test_a_split_hand_can_be_a_charlie() -> None:
    # 2-2 split: 2 2 | 2 10. The first draws eight more; the second stands on 12. The dealer's 9 2 draws a ten: 21.
    cards = f"2 9 2 2 2 10 {LONG} J"
    table = solo("cashback", cards, "0.0 split", *["0.0 hit"] * 8, "0.1 stand")
    assert (table.hand(), table.dealer) == ("charlie", 21)
    assert (table.paid(), table.paid("split", hand=1)) == (2000, 0)


@pytest.mark.rule("CSH-10")
def test_a_seven_card_hand_is_only_a_hand_here() -> None:
    table = solo("cashback", "2 9 2 10 2 2 2 2 A", *["0.0 hit"] * 5)
    assert "0.0 hit" in table.legal()


# CSH-12, CSH-14: insurance


@pytest.mark.rule("CSH-12")
def test_insurance_hand_by_hand_or_for_all() -> None:
    # Three hands of 10.00 each: ACCETTO for the first, then "Applica a tutte" + ACCETTO for the other two.
    table = Table("cashback", "10 10 10 A 8 8 8 K").bet(*((spot, "main", 1000) for spot in range(3))).deal()
    table.do("0 insure yes @ada")
    assert [(event.spot, event.cost) for event in table.all(InsuranceOffered)] == [(0, 500), (1, 500)]
    table.do("all insure yes @ada", "0.0 stand", "1.0 stand", "2.0 stand")
    assert [table.paid("insurance", spot=spot) for spot in range(3)] == [1500] * 3
    assert table.net() == 0  # each loses 1000 and wins 2 x 500


@pytest.mark.rule("CSH-12")
def test_refusing_for_all_asks_no_more_in_the_round() -> None:
    table = Table("cashback", "10 10 10 A 8 8 8 K").bet(*((spot, "main", 1000) for spot in range(3))).deal()
    table.do("0 insure yes @ada", "all insure no @ada", "0.0 stand", "1.0 stand", "2.0 stand")
    assert table.paid("insurance") == 1500
    assert len([event for event in table.all(BetSettled) if event.why == "insurance"]) == 1
    assert table.net() == -2000


@pytest.mark.rule("CSH-12")
@pytest.mark.parametrize(("deal", "asked"), [("deal", [0]), ("deal no-insurance", [])])
def test_the_offer_can_be_switched_off_and_on(deal: str, asked: list[int]) -> None:
    table = Table("cashback", "10 A 8 K").bet((0, "main", 1000)).do(deal)
    assert [event.spot for event in table.all(InsuranceOffered)] == asked
    assert table.round.phase == ("offers" if asked else "decisions")


@pytest.mark.rule("CSH-14")
@pytest.mark.parametrize(("hole", "insurance"), [("K", 1500), ("10", 1500), ("9", 0), ("A", 0)])
def test_insurance_outlives_the_cashback(hole: str, insurance: int) -> None:
    table = solo("cashback", f"10 A 6 {hole}", "0 insure yes @ada", price=WORTH)
    sell(table)
    assert (table.paid(), table.paid("insurance")) == (OFFER, insurance)
    assert table.net() == OFFER - 1500 + insurance


@pytest.mark.rule("CSH-14")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_insurance_is_no_part_of_the_price(answer: str) -> None:
    price = Pricer()
    table = solo("cashback", "10s Ah 6d Kc", f"0 insure {answer} @ada", price=price)
    assert offer(table) == OFFER
    assert price.asked == [Question("10s 6d", False, "Ah", "")]


@pytest.mark.rule("CSH-14")
def test_insurance_waits_for_the_hole_card_whatever_became_of_the_hand() -> None:
    """COM-33: no check, so it stands on through a split, one half sold and one bust."""
    table = solo("cashback", "8 A 8 K 6 5 10", "0 insure yes @ada", "0.0 split", price=WORTH)
    sell(table).do("0.1 hit")
    assert table.hand(hand=1) == "bust"
    assert (table.paid(), table.paid("split", hand=1), table.paid("insurance")) == (OFFER, 0, 1500)


# CSH-13: the shoe


@pytest.mark.rule("CSH-13")
def test_a_full_shoe_of_six_decks_in_another_order_each_round() -> None:
    decks = find("cashback").rules.decks
    orders = []
    for client_seed in ("one", "two"):
        shoe = SeededShoe(decks, SeedStream(bytes(32), client_seed, "shoe"))
        orders.append([shoe.draw() for _ in range(312)])
        assert sorted(orders[-1]) == sorted([*range(52)] * 6)
    assert orders[0] != orders[1]


# CSH-15: the price shown is the price paid


@pytest.mark.rule("CSH-15")
@pytest.mark.parametrize("shown", [OFFER - 1, OFFER + 1, 0, 1000, 10**9])
def test_a_price_that_is_not_the_one_shown_is_refused(shown: int) -> None:
    table = solo("cashback", "10 9 6 10", price=WORTH)
    refused(table, f"0.0 cashback {shown}", "cashback/stale")
    assert sell(table).paid() == OFFER


@pytest.mark.rule("CSH-15")
def test_the_price_of_the_state_before_is_stale() -> None:
    price = Pricer(800_000_000, 300_000_000)
    table = solo("cashback", "5 9 6 10 2", price=price)
    before = offer(table)
    table.do("0.0 hit")
    refused(table, f"0.0 cashback {before}", "cashback/stale")
    assert len(price.asked) == 2  # being refused asks for no other price
    assert sell(table).paid() == 297


@pytest.mark.rule("CSH-15")
def test_the_price_of_one_split_hand_does_not_buy_the_other() -> None:
    price = Pricer(100_000_000, 600_000_000, 300_000_000)
    table = solo("cashback", "8 6 8 10 3 9", "0.0 split", "0.0 stand", price=price)
    refused(table, "0.1 cashback 594", "cashback/stale")
    refused(table, "0.0 cashback 594", "turn/not-yours")
    assert "0.1 cashback 297" in table.legal()
