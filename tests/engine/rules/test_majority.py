"""Majority Rules, the hand and who follows: MAJ-01 to MAJ-09, MAJ-14, MAJ-40 to MAJ-44.

One box's cards are: first card, up card, second card, in US dealing the hole card, then draws.
"""

from __future__ import annotations

import msgspec
import pytest

from sabot.engine import DEALER, Bet
from sabot.engine.events import (
    BetSettled,
    BettingClosed,
    CardBurnt,
    CardDealt,
    CutCardShown,
    DealerEnded,
    HoleDealt,
    HoleShown,
    InsuranceOffered,
    Peeked,
    SideBetDecided,
    StakeAdded,
    TurnStarted,
)
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.options import TableOptions
from tests.support.table import ADA, Table

BOB, CLEO = "bob", "cleo"
EU, US = "majority-eu", "majority-us"
STYLES = pytest.mark.parametrize("game", [EU, US])
NO_INSURANCE = TableOptions(insurance=False)
ALL = "consent double split @ada"
DOUBLED = ("0.0 double",)


def box(
    game: str, cards: str, *commands: str, consent: str = ALL, options: TableOptions | None = None
) -> Table:
    """Ada alone with 1000 on box 0, willing to double and split; dealt and played."""
    table = Table(game, cards, options=options).do(consent).bet((0, "main", 1000))
    return table.deal(*commands)


def eu_or_us(game: str, shown: str, second: str, draws: str = "") -> str:
    """One box's cards with the dealer's second card where the style deals it: after or before the draws."""
    return f"{shown} {second} {draws}" if game == US else f"{shown} {draws} {second}"


def crowd(game: str, cards: str, *commands: str, players: str, purse: int = 100_000) -> Table:
    """Players with 1000 each on box 0: `ada+ds bob+d cleo` says what each consents to."""
    names = [word.partition("+") for word in players.split()]
    table = Table(game, cards, purses={name: purse for name, _, _ in names})
    for name, _, consents in names:
        granted = " ".join(word for word in ("double", "split") if word[0] in consents) or "none"
        table.do(f"consent {granted} @{name}").bet((0, "main", 1000), player=name)
    return table.deal(*commands)


# MAJ-01: the common rules, in both styles


@pytest.mark.rule("MAJ-01")
@STYLES
@pytest.mark.parametrize(
    ("shown", "second", "draws", "commands", "net"),
    [
        ("10 9 10", "8", "", ("0.0 stand",), 1000),
        ("10 9 8", "9", "", ("0.0 stand",), 0),
        ("10 9 7", "9", "", ("0.0 stand",), -1000),
        ("A 9 K", "8", "", (), 1500),
        ("10 9 6", "8", "K", ("0.0 hit",), -1000),
        ("8 9 3", "10", "8", ("0.0 double",), 0),  # 19 against 19
        ("8 9 3", "8", "8", ("0.0 double",), 2000),
        ("2 9 2", "8", "2", ("0.0 double",), -2000),  # any two cards, one card only
        # tens by value are split; the second hand gets an equal stake: 19 and 20 against 17
        ("10 9 K", "8", "9 Q", ("0.0 split", "0.0 stand", "0.1 stand"), 2000),
        # split aces: one card each, and a 21 pays 1:1: 21 and 13 against 17
        ("A 9 A", "8", "K 2", ("0.0 split",), 0),
        # double after a split: right 8 3 10 = 21 wins twice, left 18 once
        ("8 9 8", "8", "3 10 10", ("0.0 split", "0.0 double", "0.1 stand"), 3000),
    ],
)
def test_the_common_hand(
    game: str, shown: str, second: str, draws: str, commands: tuple[str, ...], net: int
) -> None:
    assert box(game, eu_or_us(game, shown, second, draws), *commands).net() == net


@pytest.mark.rule("MAJ-01")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("10 6 2 10 6", 1000),  # a dealer's 22 is bust here
        ("10 A 8 6", 1000),  # soft 17 stands
        ("10 6 2 10 A", -1000),  # 16 draws
    ],
)
def test_the_dealer_draws_to_16_and_stands_on_17(cards: str, net: int) -> None:
    table = box(EU, cards, options=NO_INSURANCE)
    assert table.do("0.0 stand").net() == net


@pytest.mark.rule("MAJ-01")
@STYLES
def test_a_split_hand_is_not_split_again_but_may_be_doubled(game: str) -> None:
    table = box(game, eu_or_us(game, "8 6 8", "10", "8 8"), "0.0 split")
    assert table.legal() == {"0.0 stand", "0.0 hit", "0.0 double"}
    assert table.do("0.0 stand").legal() == {"0.1 stand", "0.1 hit", "0.1 double"}


@pytest.mark.rule("MAJ-01")
@STYLES
def test_no_double_after_a_third_card_and_no_free_bets(game: str) -> None:
    table = box(game, eu_or_us(game, "5 6 5", "10", "2"))
    assert table.legal() == {"0.0 stand", "0.0 hit", "0.0 double", "0.0 split"}
    assert not any(option.free for option in table.round.options_now.values())
    assert table.do("0.0 hit").legal() == {"0.0 stand", "0.0 hit"}


@pytest.mark.rule("MAJ-01")
@STYLES
def test_eight_decks_and_two_boxes(game: str) -> None:
    rules = find(game).rules
    assert (rules.decks, rules.spots, rules.backing) == (8, 2, "boxes")


# MAJ-02: when the dealer's second card comes


@pytest.mark.rule("MAJ-02")
@pytest.mark.parametrize(
    ("game", "net"),
    [
        (EU, 2000),  # the double takes the 10: 21; the dealer 9 + 8
        (US, 0),  # the 10 is the hole card; the double takes the 8: 19 against 19
    ],
)
def test_the_same_shoe_is_two_games(game: str, net: int) -> None:
    assert box(game, "6 9 5 10 8", "0.0 double").net() == net


@pytest.mark.rule("MAJ-02")
def test_us_deals_the_hole_card_before_decisions_and_shows_it_after() -> None:
    table = box(US, "10 9 10 8")
    assert len(table.all(HoleDealt)) == 1
    assert not table.all(HoleShown)
    assert table.shoe.dealt == 4
    table.do("0.0 stand")
    assert [event.total for event in table.all(HoleShown)] == [17]


@pytest.mark.rule("MAJ-02")
def test_eu_draws_the_second_card_after_all_decisions() -> None:
    table = Table(EU, "10 9 9 8 8 2 8").bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 stand")
    assert (table.shoe.dealt, len(table.round.play.dealer.cards)) == (5, 1)
    table.do("1.0 hit", "1.0 stand")
    assert table.dealer == 17
    assert not table.all(HoleDealt)


# MAJ-03: insurance and the check


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("threshold", [1, 9])  # voting, and best strategy
@pytest.mark.parametrize("game", [EU, US])
def test_insurance_is_for_each_player_alone_whatever_the_mode(game: str, threshold: int) -> None:
    cards = eu_or_us(game, "10 A 9", "K")
    options = TableOptions(vote_threshold=threshold)
    table = Table(game, cards, purses={ADA: 100_000, BOB: 100_000, CLEO: 100_000}, options=options)
    for player, stake in ((ADA, 1000), (BOB, 600), (CLEO, 400)):
        table.bet((0, "main", stake), player=player)
    table.deal("all insure yes @ada", "all insure no @bob")
    assert table.round.phase == "offers"  # Cleo has not answered
    table.do("close-offers")
    if game == EU:
        table.do("0.0 stand")
    assert (table.net(), table.net(BOB), table.net(CLEO)) == (0, -600, -400)


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("up", ["2", "9", "10", "K"])
@STYLES
def test_insurance_is_offered_under_an_ace_only(game: str, up: str) -> None:
    table = box(game, f"10 {up} 9 9")
    assert table.round.turn == (0, 0)
    assert not table.all(InsuranceOffered)


@pytest.mark.rule("MAJ-03")
@STYLES
def test_a_second_answer_is_refused(game: str) -> None:
    table = Table(game, "10 A 9 9", purses={ADA: 10_000, BOB: 10_000})
    table.bet((0, "main", 1000)).bet((0, "main", 1000), player=BOB).deal("all insure no @ada")
    with pytest.raises(Refusal) as refused:
        table.do("all insure yes @ada")
    assert refused.value.code == "offer/none"


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("options", [None, NO_INSURANCE])
def test_us_with_an_ace_up_a_blackjack_ends_the_round_before_decisions(options: TableOptions | None) -> None:
    table = box(US, "10 A 9 K", options=options)
    if options is None:
        table.do("all insure no @ada")
    assert [event.blackjack for event in table.all(Peeked)] == [True]
    assert not table.all(TurnStarted)
    assert table.net() == -1000


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("options", [None, NO_INSURANCE])
def test_us_with_an_ace_up_and_no_blackjack_the_round_goes_on(options: TableOptions | None) -> None:
    table = box(US, "10 A 9 7", options=options)
    if options is None:
        table.do("all insure yes @ada")
        assert table.paid("insurance") == 0  # settled at the check
    assert [event.blackjack for event in table.all(Peeked)] == [False]
    assert not table.all(HoleShown)
    assert table.do("0.0 stand").net() == (500 if options is None else 1000)


@pytest.mark.rule("MAJ-03")
def test_us_with_a_ten_up_nobody_checks() -> None:
    table = box(US, "10 K 9 A")
    assert table.round.turn == (0, 0)
    assert not table.all(Peeked)
    assert table.do("0.0 stand").net() == -1000


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("second", ["K", "7"])
def test_eu_decides_after_insurance_and_before_the_second_card(second: str) -> None:
    table = box(EU, f"10 A 9 {second}", "all insure yes @ada")
    assert table.round.turn == (0, 0)
    assert not [event for event in table.all(BetSettled) if event.why == "insurance"]
    assert table.shoe.dealt == 3
    # blackjack: -1000 + 1000; 18: +1000 - 500
    assert table.do("0.0 stand").net() == (0 if second == "K" else 500)
    assert not table.all(Peeked)


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 A 6 K Q", ("0.0 hit",), 0),  # bust: -1000, insurance +1000
        ("8 A 3 10 Q", ("0.0 double",), -1000),  # doubled: -2000 + 1000
        ("8 A 8 10 10 Q", ("0.0 split", "0.0 stand", "0.1 stand"), -1000),  # split: the initial stake only
        ("A A K Q", (), 1000),  # a blackjack pushes
        ("A A K 9", (), 1000),  # 1500 - 500
        ("10 A 6 K 9", ("0.0 hit",), -1500),
    ],
)
def test_eu_insurance_waits_for_the_second_card_whatever_became_of_the_hand(
    cards: str, commands: tuple[str, ...], net: int
) -> None:
    assert box(EU, cards, "all insure yes @ada", *commands).net() == net


@pytest.mark.rule("MAJ-03")
@STYLES
def test_where_insurance_is_off_nobody_is_asked(game: str) -> None:
    table = box(game, "10 A 9 7", options=NO_INSURANCE)
    assert table.round.turn == (0, 0)
    assert not table.all(InsuranceOffered)


@pytest.mark.rule("MAJ-03")
@STYLES
def test_insurance_needs_the_money(game: str) -> None:
    table = Table(game, "10 A 9 7", purse=1499).bet((0, "main", 1000)).deal()
    with pytest.raises(Refusal) as refused:
        table.do("all insure yes @ada")
    assert refused.value.code == "funds/insufficient"
    assert table.round.phase == "offers"


# MAJ-04: a dealer blackjack against a double


@pytest.mark.rule("MAJ-04")
@pytest.mark.parametrize(
    ("game", "cards", "commands", "net"),
    [
        (EU, "8 A 3 10 K", DOUBLED, -2000),  # ace up: both stakes, though 21
        (EU, "8 10 3 10 A", DOUBLED, -1000),  # ten up: the added one comes back
        (EU, "8 K 3 9 A", DOUBLED, -1000),
        (US, "8 10 3 A 10", DOUBLED, -1000),
        (US, "8 J 3 A 9", DOUBLED, -1000),
        (EU, "10 10 6 K A", DOUBLED, -2000),  # bust: both, and nothing is drawn
        (US, "10 10 6 A K", DOUBLED, -2000),
    ],
)
def test_the_up_card_decides_what_a_double_loses(
    game: str, cards: str, commands: tuple[str, ...], net: int
) -> None:
    assert box(game, cards, *commands, options=NO_INSURANCE).net() == net


SPLIT_DOUBLED = ("0.0 split", "0.0 double", "0.1 double")


@pytest.mark.rule("MAJ-04")
@STYLES
@pytest.mark.parametrize(
    ("draws", "commands", "net"),
    [
        ("3 2 9 10", SPLIT_DOUBLED, -2000),  # 20 and 20: both added stakes come back
        ("8 2 K 10", SPLIT_DOUBLED, -3000),  # right 8 8 K bust loses both of its stakes
        ("3 8 9 K", SPLIT_DOUBLED, -3000),
        ("3 10 9", ("0.0 split", "0.0 double", "0.1 stand"), -2000),
        ("3 10 10", ("0.0 split", "0.0 double", "0.1 stand"), -2000),  # a doubled 21 loses too
    ],
)
def test_a_late_blackjack_returns_the_double_of_each_split_hand_not_bust(
    game: str, draws: str, commands: tuple[str, ...], net: int
) -> None:
    assert box(game, eu_or_us(game, "8 10 8", "A", draws), *commands).net() == net


@pytest.mark.rule("MAJ-04")
def test_a_returned_double_is_called_returned() -> None:
    table = box(EU, "8 10 3 9 A", "0.0 double")
    assert [(e.why, e.result, e.paid) for e in table.all(BetSettled)] == [
        ("initial", "lose", 0),
        ("double", "returned", 1000),
    ]


@pytest.mark.rule("MAJ-04")
def test_a_dealer_21_of_three_cards_returns_nothing() -> None:
    assert box(EU, "8 10 3 9 6 5", "0.0 double").net() == -2000


@pytest.mark.rule("MAJ-04")
@pytest.mark.parametrize(("up", "second"), [("10", "A"), ("A", "K")])
def test_eu_a_late_blackjack_takes_21s_and_both_split_stakes(up: str, second: str) -> None:
    table = box(EU, f"A {up} A K Q {second}", "0.0 split", options=NO_INSURANCE)
    assert table.net() == -2000


# MAJ-05: Charlie

#: Six twos and four aces: 16 with ten cards.
TEN_CARDS = "2 2 2 2 A A A A"
HITS = ("0.0 hit",) * 8


@pytest.mark.rule("MAJ-05")
@STYLES
@pytest.mark.parametrize(
    ("up", "second", "net"),
    [
        ("10", "10", 1000),  # 16 against 20
        ("K", "A", -1000),  # against a blackjack
        ("10", "6", 1000),  # the dealer's 16 draws nothing for it
        ("9", "", 1000),  # EU: nor is a second card drawn
    ],
)
def test_ten_cards_win_against_all_but_a_blackjack(game: str, up: str, second: str, net: int) -> None:
    if game == US:
        second = second or "10"
    cards = eu_or_us(game, f"2 {up} 2", second, TEN_CARDS)
    table = box(game, cards, *HITS)
    assert table.hand() == "charlie"
    assert table.shoe.dealt == len(cards.split())
    assert table.net() == net


@pytest.mark.rule("MAJ-05")
@STYLES
def test_nine_cards_do_not(game: str) -> None:
    cards = eu_or_us(game, "2 10 2", "10", "2 2 2 2 A A A")
    table = box(game, cards, *HITS[:7])
    assert table.round.turn == (0, 0)
    assert table.do("0.0 stand").net() == -1000


@pytest.mark.rule("MAJ-05")
def test_a_tenth_card_that_busts_is_no_charlie() -> None:
    # eight twos and a three: 19 with nine cards, and another three
    table = box(EU, "2 9 2 2 2 2 2 2 2 3 3", *HITS)
    assert table.hand() == "bust"
    assert table.net() == -1000


@pytest.mark.rule("MAJ-05")
@pytest.mark.parametrize(
    ("up", "second", "rest", "net"),
    [
        # the right hand has ten cards; the left 2 + 10 stands
        ("10", "10", "", 0),  # 20: right wins, left loses
        ("10", "6", "5", 0),  # a 21 of three cards: the same
        ("10", "A", "", -2000),  # a blackjack takes both
        ("9", "8", "", 0),
    ],
)
def test_a_split_hand_can_be_a_charlie(up: str, second: str, rest: str, net: int) -> None:
    cards = f"2 {up} 2 2 10 2 2 2 2 A A A A {second} {rest}"
    table = box(EU, cards, "0.0 split", *HITS, "0.1 stand")
    assert table.hand() == "charlie"
    assert table.net() == net


@pytest.mark.rule("MAJ-05")
def test_an_eu_charlie_under_an_ace_waits_for_the_second_card_alone() -> None:
    table = box(EU, f"2 A 2 {TEN_CARDS} 5", *HITS, options=NO_INSURANCE)
    assert table.dealer == 16
    assert table.net() == 1000


# MAJ-06: what the dealer draws when all are bust

BUST = ("0.0 hit",)


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize("up", ["6", "10", "A"])
def test_eu_all_bust_the_dealer_draws_nothing(up: str) -> None:
    table = box(EU, f"10 {up} 6 K", *BUST, options=NO_INSURANCE)
    assert len(table.round.play.dealer.cards) == 1
    assert table.net() == -1000


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize("up", ["6", "10"])
def test_us_all_bust_the_hole_card_is_turned_and_nothing_drawn(up: str) -> None:
    table = box(US, f"10 {up} 6 5 K", *BUST)
    assert len(table.all(HoleShown)) == 1
    assert table.shoe.dealt == 5


@pytest.mark.rule("MAJ-06")
@STYLES
def test_both_boxes_bust(game: str) -> None:
    cards = "10 10 6 6 6 5 K Q" if game == US else "10 10 6 6 6 K Q"
    table = Table(game, cards).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 hit", "1.0 hit")
    assert table.net() == -2000
    assert table.all(DealerEnded) == [DealerEnded(11 if game == US else 6, bust=False, blackjack=False)]


@pytest.mark.rule("MAJ-06")
def test_one_box_left_makes_the_dealer_complete() -> None:
    table = Table(EU, "10 10 6 6 2 K 10 5").bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 hit", "1.0 stand")
    assert table.dealer == 21


@pytest.mark.rule("MAJ-06")
@STYLES
@pytest.mark.parametrize(("rest", "paid"), [("10", 300), ("5", 0)])
def test_a_live_buster_bet_makes_the_dealer_complete(game: str, rest: str, paid: int) -> None:
    cards = eu_or_us(game, "10 6 6", "10", "K")
    table = Table(game, f"{cards} {rest}").bet((0, "main", 1000), (0, "buster", 100)).deal(*BUST)
    assert len(table.round.play.dealer.cards) == 3
    assert table.paid("buster") == paid


@pytest.mark.rule("MAJ-06")
@STYLES
def test_where_the_rule_is_off_a_buster_bet_draws_nothing_and_loses(game: str) -> None:
    rules = msgspec.structs.replace(find(game).rules, buster_keeps_dealer=False)
    cards = "10 6 6 10 K" if game == US else "10 6 6 K"
    table = Table(game, cards, rules=rules).bet((0, "main", 1000), (0, "buster", 100)).deal(*BUST)
    assert table.net() == -1100


NOT_KEPT = TableOptions(buster_keeps_dealer=False)


@pytest.mark.rule("MAJ-06", "COM-07")
@STYLES
def test_where_the_operator_switched_it_off_the_dealer_draws_no_more_when_all_hands_are_bust(
    game: str,
) -> None:
    """As the regulation says; Buster is decided by the cards there are."""
    cards = "10 6 6 10 K" if game == US else "10 6 6 K"
    table = Table(game, cards, options=NOT_KEPT).bet((0, "main", 1000), (0, "buster", 100)).deal(*BUST)
    assert len(table.round.play.dealer.cards) == (2 if game == US else 1)
    assert table.net() == -1100


@pytest.mark.rule("MAJ-06")
def test_switched_off_a_dealer_pair_still_draws_the_second_card() -> None:
    table = Table(EU, "10 6s 6c K 6h", options=NOT_KEPT)
    table.bet((0, "main", 1000), (0, "buster", 100), (0, "dealer-pair", 100)).deal(*BUST)
    assert len(table.round.play.dealer.cards) == 2
    assert (table.paid("buster"), table.paid("dealer-pair")) == (0, 700)


@pytest.mark.rule("MAJ-06")
@STYLES
def test_switched_off_one_box_left_keeps_the_dealer_drawing_for_buster(game: str) -> None:
    cards = "10 10 6 6 2 10 K 10" if game == US else "10 10 6 6 2 K 10 10"
    table = Table(game, cards, options=NOT_KEPT)
    table.bet((0, "main", 1000), (0, "buster", 100), (1, "main", 1000)).deal("0.0 hit", "1.0 stand")
    assert table.paid("buster") == 300


@pytest.mark.rule("MAJ-06", "MAJ-08")
@pytest.mark.parametrize("keeps", [True, False])
@STYLES
def test_for_blackjacks_alone_a_buster_bet_makes_the_dealer_complete(game: str, keeps: bool) -> None:
    # the switch is for hands that bust (SB-13); 6 + 10 + 10 with three cards pays 2:1
    options = TableOptions(buster_keeps_dealer=keeps)
    table = Table(game, "A 6 K 10 10", options=options).bet((0, "main", 1000), (0, "buster", 100)).deal()
    assert table.net() == 1500 + 200


@pytest.mark.rule("MAJ-06")
def test_eu_all_bust_an_insurance_refused_draws_nothing() -> None:
    table = box(EU, "10 A 6 K", "all insure no @ada", *BUST)
    assert len(table.round.play.dealer.cards) == 1


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize(("second", "net"), [("10", 0), ("9", -1500)])
def test_eu_all_bust_an_insurance_draws_the_second_card_alone(second: str, net: int) -> None:
    table = box(EU, f"10 A 6 K {second}", "all insure yes @ada", *BUST)
    assert len(table.round.play.dealer.cards) == 2
    assert table.net() == net


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize(("second", "paid"), [("6h", 700), ("6s", 2600), ("7s", 0)])
def test_eu_all_bust_a_dealer_pair_draws_the_second_card_alone(second: str, paid: int) -> None:
    table = Table(EU, f"10 6s 6c K {second}").bet((0, "main", 1000), (0, "dealer-pair", 100)).deal(*BUST)
    assert len(table.round.play.dealer.cards) == 2
    assert table.paid("dealer-pair") == paid


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize("kind", ["21+3", "player-pair", "top-3", "lucky-lucky"])
def test_eu_all_bust_other_side_bets_draw_nothing(kind: str) -> None:
    table = Table(EU, "10 6 6 K").bet((0, "main", 1000), (0, kind, 100)).deal(*BUST)
    assert len(table.round.play.dealer.cards) == 1


@pytest.mark.rule("MAJ-06")
@pytest.mark.parametrize(("up", "drawn"), [("6", 1), ("10", 2)])
def test_eu_for_blackjacks_alone_the_second_card_comes_only_if_it_can_matter(up: str, drawn: int) -> None:
    table = box(EU, f"A {up} K 7")
    assert len(table.round.play.dealer.cards) == drawn
    assert table.net() == 1500


# MAJ-07: a card may be burnt


BURN = TableOptions(burn=True)


@pytest.mark.rule("MAJ-07")
@STYLES
def test_a_burnt_card_goes_first_and_is_never_shown(game: str) -> None:
    table = Table(game, f"4c {eu_or_us(game, '10 9 10', '8')}", options=BURN)
    assert table.round.log == [CardBurnt()]  # before any bet
    assert table.shoe.dealt == 1
    table.bet((0, "main", 1000)).deal("0.0 stand")
    assert table.net() == 1000  # 20 against 17: the four went to nobody
    shown = [e.card for e in table.round.log if isinstance(e, (CardDealt, HoleShown))]
    assert len(shown) == 4
    assert CardBurnt.__struct_fields__ == ()  # an event that cannot tell its card


@pytest.mark.rule("MAJ-07")
@STYLES
def test_by_default_no_card_is_burnt(game: str) -> None:
    assert Table(game, "4 10 9 10 8").shoe.dealt == 0


@pytest.mark.rule("MAJ-07")
@pytest.mark.parametrize("burn", [True, False])
def test_a_burnt_card_counts_towards_the_cut(burn: bool) -> None:
    # the deal takes four cards: with the burnt one the fifth
    table = Table(US, "4 10 9 10 8", options=TableOptions(burn=burn, cut=5)).bet((0, "main", 1000)).deal()
    assert len(table.all(CutCardShown)) == burn
    assert table.round.cut_card_out is burn


# MAJ-08: side bets

SIDE_BETS = [
    # kind, box's cards, up card, dealer's further cards, what 100 are paid
    ("21+3", "7s 8s", "9s", "10h", 4100),
    ("21+3", "7s 8h", "10d", "10h", 0),
    ("player-pair", "7s 7s", "10h", "10c", 2600),
    ("player-pair", "10s Ks", "9h", "10c", 0),
    ("dealer-pair", "10s 7h", "9s", "9s", 2600),
    ("dealer-pair", "10s 7h", "9s", "10s", 0),
    ("top-3", "7s 7h", "7d", "10c", 9100),
    ("top-3", "7s 8h", "9d", "10c", 0),
    ("buster", "10s 7h", "6s", "10c 10d", 300),
    ("buster", "10s 7h", "6s", "10c 5d", 0),
    ("lucky-lucky", "7s 7h", "7d", "10c", 5100),
    ("lucky-lucky", "10s 7h", "5d", "10c 5c", 0),
]


@pytest.mark.rule("MAJ-08")
@pytest.mark.parametrize(("kind", "hand", "up", "dealer", "paid"), SIDE_BETS)
@pytest.mark.parametrize("spot", [0, 1])
@STYLES
def test_each_side_bet_on_either_box(
    game: str, spot: int, kind: str, hand: str, up: str, dealer: str, paid: int
) -> None:
    first, second = hand.split()
    others = ("2d", "Kd")  # the other box, which none of the bets likes
    firsts = (first, others[0]) if spot == 0 else (others[0], first)
    seconds = (second, others[1]) if spot == 0 else (others[1], second)
    cards = " ".join([*firsts, up, *seconds, dealer, "Qd"])
    table = Table(game, cards).bet((0, "main", 1000), (1, "main", 1000), (spot, kind, 100))
    table.deal("0.0 stand", "1.0 stand")
    assert table.paid(kind, spot=spot) == paid


@pytest.mark.rule("MAJ-08")
@pytest.mark.parametrize("kind", ["21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky"])
@STYLES
def test_a_side_bet_needs_the_main_bet_of_its_box(game: str, kind: str) -> None:
    table = Table(game, "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000), player=BOB)
    for bets in ([Bet(0, kind, 100)], [Bet(1, "main", 1000), Bet(0, kind, 100)]):
        with pytest.raises(Refusal) as refused:
            table.bet(*bets)
        assert refused.value.code == "bet/no-main-bet"


@pytest.mark.rule("MAJ-08")
@pytest.mark.parametrize("kind", ["21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky"])
@STYLES
def test_each_side_bet_can_be_switched_off(game: str, kind: str) -> None:
    kinds = {"21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky"}
    table = Table(game, "", options=TableOptions(side_bets_off=(kind,)))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (0, kind, 100))
    assert refused.value.code == "bet/no-such-bet"
    table.bet((0, "main", 1000), *[(0, other, 100) for other in sorted(kinds - {kind})])


@pytest.mark.rule("MAJ-08")
@STYLES
def test_a_main_bet_below_the_minimum_takes_its_side_bets_back(game: str) -> None:
    table = Table(game, eu_or_us(game, "10 9 10", "8"), purses={ADA: 10_000, BOB: 10_000})
    table.bet((0, "main", 99), (0, "21+3", 500)).bet((0, "main", 100), player=BOB).deal()
    assert table.round.balance(ADA) == 10_000
    assert not table.all(SideBetDecided)


@pytest.mark.rule("MAJ-08")
@STYLES
def test_each_player_has_side_bets_of_the_own(game: str) -> None:
    cards = eu_or_us(game, "7s 10h 7s", "9h", "10c")
    table = Table(game, cards, purses={ADA: 10_000, BOB: 10_000, CLEO: 10_000})
    table.bet((0, "main", 1000), (0, "player-pair", 100))
    table.bet((0, "main", 1000), (0, "player-pair", 300), player=BOB)
    table.bet((0, "main", 1000), player=CLEO).deal("0.0 hit")
    # all bust; perfect pair 25:1
    assert [table.net(p, 10_000) for p in (ADA, BOB, CLEO)] == [1500, 6500, -1000]


@pytest.mark.rule("MAJ-08")
def test_buster_pays_more_on_the_box_with_the_blackjack() -> None:
    # the dealer: 2 2 2 2 3 5 K = 26 with seven cards
    table = Table(EU, "A 10 2 K 9 2 2 2 3 5 K")
    table.bet(*[(spot, kind, 100) for spot in (0, 1) for kind in ("main", "buster")])
    table.deal("1.0 stand")
    assert (table.paid("buster"), table.paid("buster", spot=1)) == (80_100, 5100)


@pytest.mark.rule("MAJ-08")
def test_us_a_blackjack_at_the_check_loses_the_buster_bet() -> None:
    table = Table(US, "10 A 9 K").bet((0, "main", 1000), (0, "buster", 100)).deal("close-offers")
    assert table.net() == -1100


# MAJ-09: one insurance answer for both boxes


@pytest.mark.rule("MAJ-09")
@STYLES
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_one_answer_insures_both_boxes(game: str, answer: str) -> None:
    table = Table(game, "10 10 A 9 8 K").bet((0, "main", 1000), (1, "main", 600))
    table.deal(f"all insure {answer} @ada")
    if game == EU:
        table.do("0.0 stand", "1.0 stand")
    assert table.net() == (0 if answer == "yes" else -1600)
    if answer == "yes":
        assert [table.paid("insurance", spot=spot) for spot in (0, 1)] == [1500, 900]


@pytest.mark.rule("MAJ-09")
@pytest.mark.parametrize("spot", [0, 1])
@STYLES
def test_an_answer_for_one_box_is_refused(game: str, spot: int) -> None:
    table = Table(game, "10 10 A 9 8 K").bet((0, "main", 1000), (1, "main", 600)).deal()
    with pytest.raises(Refusal) as refused:
        table.do(f"{spot} insure yes @ada")
    assert refused.value.code == "offer/one-answer"


@pytest.mark.rule("MAJ-09")
@STYLES
def test_the_answer_needs_the_money_for_both(game: str) -> None:
    table = Table(game, "10 10 A 9 8 K", purse=1600 + 799).bet((0, "main", 1000), (1, "main", 600)).deal()
    with pytest.raises(Refusal) as refused:
        table.do("all insure yes @ada")
    assert refused.value.code == "funds/insufficient"
    assert not [event for event in table.all(BetSettled) if event.why == "insurance"]
    assert table.round.balance(ADA) == 799


@pytest.mark.rule("MAJ-09")
@STYLES
def test_golden_stakes_are_left_out_of_the_answer(game: str) -> None:
    table = Table(game, "10 10 A 9 8 K", golden={ADA: {1000: 1}})
    table.bet(Bet(0, "main", golden=(1000,)), (1, "main", 600)).deal("all insure yes @ada")
    if game == EU:
        table.do("0.0 stand", "1.0 stand")
    assert [event.spot for event in table.all(BetSettled) if event.why == "insurance"] == [1]
    assert table.net() == 0  # 600 lost, 300 insured; the golden chip is gone


# MAJ-14: box 1 then box 2


@pytest.mark.rule("MAJ-14")
@STYLES
def test_the_first_box_is_dealt_and_decides_first(game: str) -> None:
    table = Table(game, "2 3 4 5 6 10 9", purses={ADA: 10_000, BOB: 10_000})
    table.bet((1, "main", 1000)).bet((0, "main", 1000), player=BOB).deal()  # box 2 was staked first
    assert [event.spot for event in table.all(CardDealt)] == [0, 1, DEALER, 0, 1]
    assert table.round.turn == (0, 0)
    with pytest.raises(Refusal) as refused:
        table.do("1.0 stand")
    assert refused.value.code == "turn/not-yours"
    assert table.do("0.0 stand").round.turn == (1, 0)


@pytest.mark.rule("MAJ-14")
@pytest.mark.parametrize("spot", [0, 1])
@STYLES
def test_an_unstaked_box_is_not_dealt(game: str, spot: int) -> None:
    table = Table(game, eu_or_us(game, "10 9 10", "8")).bet((spot, "main", 1000)).deal(f"{spot}.0 stand")
    assert list(table.round.play.spots) == [spot]
    assert table.shoe.dealt == 4
    assert table.net() == 1000


@pytest.mark.rule("MAJ-14")
@STYLES
def test_a_box_with_stakes_below_the_minimum_only_is_not_dealt(game: str) -> None:
    table = Table(game, eu_or_us(game, "10 9 10", "8")).bet((0, "main", 99), (1, "main", 1000)).deal()
    (closed,) = table.all(BettingClosed)
    assert [staked.spot for staked in closed.spots] == [1]
    assert table.round.balance(ADA) == 99_000


# MAJ-40 to MAJ-42: who follows a double

#: 8 3 against 9: the double takes 8, 19 against 9 + 8.
DOUBLE = ("8 9 3", "8", "8")


@pytest.mark.rule("MAJ-40")
@STYLES
def test_with_consent_and_money_the_double_is_taken_at_once(game: str) -> None:
    table = Table(game, "8 10 9 3 9 8 8").do(ALL).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 double")
    assert table.round.balance(ADA) == 97_000  # while box 2 still plays
    assert [(e.player, e.why, e.stake.own) for e in table.all(StakeAdded)] == [(ADA, "double", 1000)]


@pytest.mark.rule("MAJ-40", "MAJ-41")
@STYLES
def test_each_player_doubles_by_the_own_consent(game: str) -> None:
    table = crowd(game, eu_or_us(game, *DOUBLE), "0.0 double", players="ada+ds bob+d cleo+s dan")
    assert [table.net(player) for player in (ADA, BOB, CLEO, "dan")] == [2000, 2000, 1000, 1000]


@pytest.mark.rule("MAJ-40", "MAJ-41")
@pytest.mark.parametrize(("left_over", "won"), [(1000, 2000), (999, 1000), (0, 1000)])
@STYLES
def test_a_double_beyond_the_balance_is_not_followed(game: str, left_over: int, won: int) -> None:
    table = crowd(game, eu_or_us(game, *DOUBLE), "0.0 double", players="ada+d", purse=1000 + left_over)
    assert table.net(brought=1000 + left_over) == won


@pytest.mark.rule("MAJ-41", "MAJ-44")
@STYLES
@pytest.mark.parametrize(
    ("second", "draws", "net"),
    [
        ("8", "8", 1000),
        ("10", "8", 0),
        ("8", "2", -1000),  # 13 stands all the same
    ],
)
def test_a_double_nobody_pays_gives_one_card_and_all_stand(
    game: str, second: str, draws: str, net: int
) -> None:
    table = crowd(game, eu_or_us(game, "8 9 3", second, draws), "0.0 double", players="ada bob")
    assert table.round.over
    assert not table.all(StakeAdded)
    assert len(table.round.play.spots[0][0].cards) == 3
    assert (table.net(), table.net(BOB)) == (net, net)


@pytest.mark.rule("MAJ-41")
@STYLES
def test_under_a_late_blackjack_one_who_did_not_double_loses_the_single_stake(game: str) -> None:
    table = crowd(game, eu_or_us(game, "8 10 3", "A", "8"), "0.0 double", players="ada+d bob")
    assert (table.net(), table.net(BOB)) == (-1000, -1000)


@pytest.mark.rule("MAJ-42")
@STYLES
@pytest.mark.parametrize(("vote", "won"), [("double", 2000), ("hit", 1000), ("stand", 1000), (None, 1000)])
def test_a_vote_for_the_double_counts_as_consent(game: str, vote: str | None, won: int) -> None:
    votes = [f"0.0 vote {vote} @ada"] if vote else []
    cards = eu_or_us(game, *DOUBLE)
    table = crowd(game, cards, *votes, "0.0 vote double @bob", "0.0 double", players="ada bob cleo")
    assert [table.net(player) for player in (ADA, BOB, CLEO)] == [won, 2000, 1000]


@pytest.mark.rule("MAJ-42")
@pytest.mark.parametrize(("left_over", "won"), [(1000, 2000), (999, 1000)])
@STYLES
def test_a_vote_counts_as_consent_only_if_the_balance_covers_it(game: str, left_over: int, won: int) -> None:
    cards, purse = eu_or_us(game, *DOUBLE), 1000 + left_over
    table = crowd(game, cards, "0.0 vote double @ada", "0.0 double", players="ada bob cleo", purse=purse)
    assert table.net(brought=purse) == won


@pytest.mark.rule("MAJ-42")
@STYLES
def test_a_vote_against_takes_no_consent_away(game: str) -> None:
    cards = eu_or_us(game, *DOUBLE)
    table = crowd(game, cards, "0.0 vote stand @ada", "0.0 double", players="ada+d bob cleo")
    assert table.net() == 2000


@pytest.mark.rule("MAJ-42")
@STYLES
def test_a_vote_for_a_split_is_no_consent_to_a_later_double(game: str) -> None:
    # right 8 3 8 = 19, left 8 10 = 18 against 17: Ada has two hands and one double less than Bob
    cards = eu_or_us(game, "8 9 8", "8", "3 10 8")
    votes = ("0.0 vote split @ada", "0.0 split", "0.0 double", "0.1 stand")
    table = crowd(game, cards, *votes, players="ada bob+ds cleo")
    assert [table.net(player) for player in (ADA, BOB, CLEO)] == [2000, 3000, 1000]


# MAJ-40 to MAJ-44: who follows a split

#: Eights against 9: right 18, left 8 9 = 17 against 9 + 8 = 17.
SPLIT = ("8 9 8", "8", "10 9")
SPLIT_STOOD = ("0.0 split", "0.0 stand", "0.1 stand")


@pytest.mark.rule("MAJ-40", "MAJ-41", "MAJ-43")
@STYLES
def test_each_player_splits_by_the_own_consent(game: str) -> None:
    # right wins, left pushes: followers have two stakes out and one win
    table = crowd(game, eu_or_us(game, *SPLIT), *SPLIT_STOOD, players="ada+ds bob+d cleo+s dan")
    assert [e.player for e in table.all(StakeAdded)] == [ADA, CLEO]
    hands = {(e.player, e.hand): e.paid for e in table.all(BetSettled)}
    assert hands == {
        (ADA, 0): 2000,
        (ADA, 1): 1000,
        (BOB, 0): 2000,
        (CLEO, 0): 2000,
        (CLEO, 1): 1000,
        ("dan", 0): 2000,
    }


@pytest.mark.rule("MAJ-41", "MAJ-43")
@STYLES
@pytest.mark.parametrize(
    ("draws", "follower", "other"),
    [
        ("10 9", 1000, 1000),  # 18 and 17 against 17
        ("9 10", 1000, 0),  # 17 and 18: who follows has the left win
        ("8 10", 0, -1000),  # 16 and 18
        ("10 8", 0, 1000),
    ],
)
def test_one_who_does_not_follow_has_the_right_hand_only(
    game: str, draws: str, follower: int, other: int
) -> None:
    table = crowd(game, eu_or_us(game, "8 9 8", "8", draws), *SPLIT_STOOD, players="ada+s bob")
    assert (table.net(), table.net(BOB)) == (follower, other)


@pytest.mark.rule("MAJ-41", "MAJ-43")
@pytest.mark.parametrize(
    ("second", "net"),
    [
        ("8", 1000),  # against 17: 1:1, not 3:2
        ("A", -1000),  # against a blackjack: lost
    ],
)
@STYLES
def test_on_the_right_hand_of_split_aces_a_21_is_no_blackjack(game: str, second: str, net: int) -> None:
    cards = eu_or_us(game, "A 10 A", second, "K 9")
    table = crowd(game, cards, "0.0 split", players="ada bob+s")
    assert table.net() == net


@pytest.mark.rule("MAJ-42")
@STYLES
def test_a_vote_for_the_split_counts_as_consent(game: str) -> None:
    cards = eu_or_us(game, "8 9 8", "8", "9 10")
    votes = ("0.0 vote split @ada", "0.0 vote hit @bob")
    table = crowd(game, cards, *votes, *SPLIT_STOOD, players="ada bob cleo")
    # right pushes, left wins
    assert [table.net(player) for player in (ADA, BOB, CLEO)] == [1000, 0, 0]


@pytest.mark.rule("MAJ-40", "MAJ-41")
@pytest.mark.parametrize(("left_over", "hands"), [(1000, 2), (999, 1)])
@STYLES
def test_a_split_beyond_the_balance_is_not_followed(game: str, left_over: int, hands: int) -> None:
    purse = 1000 + left_over
    table = crowd(game, eu_or_us(game, *SPLIT), "0.0 split", players="ada+s bob", purse=purse)
    assert len([line for line in table.round.book.lines if line[0] == ADA]) == hands


@pytest.mark.rule("MAJ-40")
@STYLES
def test_the_doubles_of_split_hands_are_taken_while_the_money_lasts(game: str) -> None:
    # stake, split, one double: 3000; the second double is not covered
    cards = eu_or_us(game, "8 9 8", "8", "3 2 8 8")
    commands = ("0.0 split", "0.0 double", "0.1 double")
    table = crowd(game, cards, *commands, players="ada+ds", purse=3999)
    # right 19 wins 2000, left 18 wins 1000
    assert table.net(brought=3999) == 3000


@pytest.mark.rule("MAJ-43")
@STYLES
def test_one_who_does_not_follow_doubles_the_right_hand_and_not_the_left(game: str) -> None:
    cards = eu_or_us(game, "8 9 8", "8", "3 2 8 8")
    commands = ("0.0 split", "0.0 double", "0.1 double")
    table = crowd(game, cards, *commands, players="ada+ds bob+d")
    assert (table.net(), table.net(BOB)) == (4000, 2000)


@pytest.mark.rule("MAJ-44")
@STYLES
def test_a_left_hand_nobody_staked_gets_no_card_and_no_turn(game: str) -> None:
    cards = eu_or_us(game, "8 9 8", "8", "3 7")
    table = crowd(game, cards, "0.0 split", players="ada bob")
    right, left = table.round.play.spots[0]
    assert (len(right.cards), len(left.cards)) == (2, 1)
    # the seven goes to the right hand: 8 3 7 = 18 against 17, and its end is the box's
    table.do("0.0 hit", "0.0 stand")
    assert (table.net(), table.net(BOB)) == (1000, 1000)
    assert table.hand(0, 1) == "unstaked"


@pytest.mark.rule("MAJ-44")
def test_eu_a_bust_right_hand_beside_an_unstaked_left_draws_no_dealer_card() -> None:
    table = crowd(EU, "8 9 8 7 K", "0.0 split", "0.0 hit", players="ada bob")
    assert len(table.round.play.dealer.cards) == 1
    assert table.net() == -1000


@pytest.mark.rule("MAJ-44")
@STYLES
def test_split_aces_with_an_unstaked_left(game: str) -> None:
    table = crowd(game, eu_or_us(game, "A 9 A", "8", "6"), "0.0 split", players="ada")
    # A 6 = 17 stands and pushes
    assert table.round.over
    assert table.net() == 0


@pytest.mark.rule("MAJ-44")
@STYLES
def test_one_follower_is_enough_for_a_left_hand(game: str) -> None:
    table = crowd(game, eu_or_us(game, *SPLIT), "0.0 split", players="ada bob cleo+s")
    assert len(table.round.play.spots[0][1].cards) == 2


@pytest.mark.rule("MAJ-40", "MAJ-41")
@STYLES
def test_a_player_on_both_boxes_pays_until_the_money_is_gone(game: str) -> None:
    # both boxes double; 3000 cover the first only
    table = Table(game, "8 8 9 3 3 8 8 8", purse=3000).do(ALL).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 double", "1.0 double")
    # 19 and 19 against 17
    assert table.net(brought=3000) == 3000
