"""Blackjack Surrender Multihand (SUR). One hand is dealt as: hand, up card, hand, hole card; a stake is 10.00."""

from __future__ import annotations

import pytest

from sabot.engine.events import BetSettled, InsuranceOffered, Option, Peeked, SideBetDecided
from sabot.errors import Refusal
from sabot.games import find
from tests.support.table import Table, refused, solo

RESA = "0.0 surrender"


# SUR-01: what it shares


@pytest.mark.rule("SUR-01")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 9 9 8", "stand", 1000),  # 19 beats 17, 1:1
        ("10 9 9 10", "stand", 0),  # 19 and 19 push
        ("A 9 K 8", "", 1500),  # a blackjack pays 3:2
        ("10 6 8 A", "stand", 1000),  # the dealer stands on soft 17 and loses to 18
        ("5 9 6 8 10", "double", 2000),  # double on the first two cards
        ("10 6 2 10 9", "stand", 1000),  # 12 wins: the dealer draws on 16 and busts
        ("10 6 6 5 K 10", "hit", -1000),  # a bust loses
    ],
)
def test_the_common_game(cards: str, commands: str, net: int) -> None:
    played = [f"0.0 {word}" for word in commands.split()]
    assert solo("surrender", cards, *played).net() == net


@pytest.mark.rule("SUR-01")
def test_split_hands_double_but_do_not_split_again() -> None:
    # 8-8 against a 6 becomes 8-3 and 8-8: the first doubles to 21, the second may not split again and stands on 16;
    # the dealer's 16 draws a king and is bust: each of the three stakes wins.
    table = solo("surrender", "8 6 8 10 3 8 10 K", "0.0 split", "0.0 double")
    assert table.legal() == {"0.1 stand", "0.1 hit", "0.1 double"}
    table.do("0.1 stand")
    assert (table.paid(), table.paid("double"), table.paid("split", hand=1)) == (2000, 2000, 2000)
    assert table.net() == 3000


@pytest.mark.rule("SUR-01")
def test_five_hands_from_the_rightmost() -> None:
    """COM-10: five first cards, the up card, five second cards, the hole card; spot 0 decides first."""
    table = Table("surrender", "10 9 8 7 6 9 10 10 10 10 10 10")
    table.bet(*((spot, "main", 1000) for spot in (4, 3, 2, 1, 0))).deal()
    assert table.round.turn == (0, 0)
    table.do("0.0 stand", "1.0 stand", "2.0 stand", "3.0 stand", "4.0 stand")
    # 20 19 18 17 16 against 19
    assert [table.paid(spot=spot) for spot in range(5)] == [2000, 1000, 0, 0, 0]


# SUR-02: the check


@pytest.mark.rule("SUR-02", "SUR-07")
@pytest.mark.parametrize("up", ["10", "J", "Q", "K"])
def test_a_ten_with_an_ace_below_ends_the_round_before_any_decision(up: str) -> None:
    # Spot 0 has 20 and loses, spot 1 has a blackjack and pushes; nobody is asked about insurance.
    table = Table("surrender", f"9s As {up}h 9d Kd Ac")
    table.bet((0, "main", 1000), (1, "main", 600)).deal()
    assert table.round.phase == "settled"
    assert table.all(InsuranceOffered) == []
    assert [event.blackjack for event in table.all(Peeked)] == [True]
    assert (table.paid(spot=0), table.paid(spot=1), table.net()) == (0, 600, -1000)
    refused(table, RESA, "round/over")


@pytest.mark.rule("SUR-02")
@pytest.mark.parametrize(
    ("cards", "blackjack_at_the_check"),
    [
        ("10 A 6 9", False),
        ("10 K 6 9", False),
        ("10 9 6 A", None),  # no check under anything else
        ("10 2 6 K", None),
    ],
)
def test_the_check_is_under_ace_and_ten_only(cards: str, blackjack_at_the_check: bool | None) -> None:
    table = Table("surrender", cards).bet((0, "main", 1000)).deal()
    if cards.split()[1] == "A":
        assert table.all(Peeked) == []  # insurance comes first
        table.do("0 insure no @ada")
    assert [event.blackjack for event in table.all(Peeked)] == (
        [] if blackjack_at_the_check is None else [blackjack_at_the_check]
    )
    assert RESA in table.legal()


@pytest.mark.rule("SUR-02")
def test_under_an_ace_insurance_comes_before_the_check() -> None:
    # Spot 0: 18, insured: 500 x 3 = 1500 back, the stake lost. Spot 1: blackjack, not insured: push.
    # Spot 2: 20, not insured: lost. The player pair of spot 2 (mixed, 6:1 on 100) is paid all the same.
    table = Table("surrender", "10s As 10d Ah 8s Kc 10c Kh")
    table.bet((0, "main", 1000), (1, "main", 1000), (2, "main", 1000), (2, "player-pair", 100)).deal()
    refused(table, RESA, "round/offers-open")
    table.do("0 insure yes @ada", "1 insure no @ada")
    assert table.all(Peeked) == []
    table.do("2 insure no @ada")
    refused(table, RESA, "round/over")
    assert (table.paid(), table.paid("insurance")) == (0, 1500)
    assert (table.paid(spot=1), table.paid(spot=2), table.paid("player-pair", spot=2)) == (1000, 0, 700)
    # -1000 - 500 + 1500, 0, -1000, +600
    assert table.net() == -400


@pytest.mark.rule("SUR-02")
def test_an_insured_blackjack_against_a_blackjack() -> None:
    table = solo("surrender", "A A K Q", "0 insure yes @ada")
    assert (table.paid(), table.paid("insurance"), table.net()) == (1000, 1500, 1000)


@pytest.mark.rule("SUR-02")
def test_side_bets_are_settled_when_the_check_ends_the_round() -> None:
    # Kh Kd with Ks up: three of a kind 30:1, the player's pair is coloured, 12:1; the dealer's K-A is no pair.
    table = Table("surrender", "Kh Ks Kd Ac")
    table.bet((0, "main", 1000), (0, "21+3", 100), (0, "player-pair", 100), (-1, "dealer-pair", 100)).deal()
    paid = [table.paid(kind) for kind in ("21+3", "player-pair")]
    assert (*paid, table.paid("dealer-pair", spot=-1), table.paid()) == (3100, 1300, 0, 0)


@pytest.mark.rule("SUR-02")
@pytest.mark.parametrize("command", ["0.0 double", "0.0 split"])
def test_extra_stakes_are_never_at_risk_from_a_blackjack(command: str) -> None:
    """The check comes first, so a double or split meets no dealer blackjack under a ten."""
    table = solo("surrender", "8 K 8 A")
    assert table.net() == -1000
    refused(table, command, "round/over")


# SUR-03: RESA


@pytest.mark.rule("SUR-03")
@pytest.mark.parametrize(("stake", "back"), [(1000, 500), (101, 50), (50_000, 25_000), (999, 499), (100, 50)])
def test_resa_returns_half_rounded_down(stake: int, back: int) -> None:
    # 16 against 9 + 10: whatever the dealer has.
    table = solo("surrender", "10 9 6 10", stake=stake)
    assert table.round.options_now["surrender"] == Option("surrender", pays=back)
    table.do(RESA)
    assert (table.paid(), table.net()) == (back, back - stake)
    assert table.round.book.house == stake - back
    assert table.hand() == "surrendered"
    assert [event.result for event in table.all(BetSettled)] == ["half"]


@pytest.mark.rule("SUR-03")
@pytest.mark.parametrize("cards", ["10 6 6 10 K", "10 7 8 10", "9 A 9 9", "A 2 9 10 10", "8 9 8 10"])
def test_half_is_all_whatever_the_dealer_has(cards: str) -> None:
    """A dealer who would bust, a hand that would win, a soft hand, a pair: half, and no card more is drawn."""
    table = Table("surrender", cards).bet((0, "main", 1000)).do("deal no-insurance", RESA)
    assert (table.paid(), table.net()) == (500, -500)
    assert table.shoe.dealt == 4


@pytest.mark.rule("SUR-03")
@pytest.mark.parametrize(
    ("cards", "commands", "turn"),
    [
        ("5 9 2 10 3", ["0.0 hit"], "0.0"),  # after a card
        ("8 9 8 10 2 3", ["0.0 split"], "0.0"),  # on the first split hand
        ("8 9 8 10 2 3", ["0.0 split", "0.0 stand"], "0.1"),  # on the second
    ],
)
def test_resa_is_the_first_action_or_none(cards: str, commands: list[str], turn: str) -> None:
    table = solo("surrender", cards, *commands)
    assert f"{turn} hit" in table.legal()
    assert f"{turn} surrender" not in table.legal()
    refused(table, f"{turn} surrender", "action/not-legal")


@pytest.mark.rule("SUR-03")
def test_no_resa_after_a_double() -> None:
    # Spot 0 doubles 11 to 15; the turn is spot 1's, and 0.0 is not to be given up any more.
    table = Table("surrender", "5 10 9 6 6 10 4").bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 double")
    refused(table, RESA, "turn/not-yours")
    assert "1.0 surrender" in table.legal()


@pytest.mark.rule("SUR-03")
def test_resa_at_the_hands_own_turn() -> None:
    table = Table("surrender", "10 9 9 6 7 10").bet((0, "main", 1000), (1, "main", 2000)).deal()
    refused(table, "1.0 surrender", "turn/not-yours")
    table.do(RESA)
    assert "1.0 surrender" in table.legal()
    table.do("1.0 surrender")
    assert (table.paid(spot=0), table.paid(spot=1), table.shoe.dealt) == (500, 1000, 6)


@pytest.mark.rule("SUR-03")
def test_no_resa_on_a_blackjack() -> None:
    """A blackjack has no decision: the turn goes on to the next hand."""
    table = Table("surrender", "A 10 9 K 6 10").bet((0, "main", 1000), (1, "main", 1000)).deal()
    assert table.round.turn == (1, 0)
    refused(table, RESA, "turn/not-yours")
    table.do("1.0 surrender")
    assert (table.paid(spot=0), table.paid(spot=1)) == (2500, 500)


@pytest.mark.rule("SUR-03")
def test_a_surrendered_hand_leaves_the_others_alone() -> None:
    # Spot 0 given up; spot 1 stands on 13 and the dealer's 16 draws a ten: spot 1 wins, spot 0 keeps its half.
    table = Table("surrender", "10 10 6 6 3 10 K").bet((0, "main", 1000), (1, "main", 1000))
    table.deal(RESA, "1.0 stand")
    assert (table.paid(spot=0), table.paid(spot=1), table.dealer) == (500, 2000, 26)


@pytest.mark.rule("SUR-03")
@pytest.mark.parametrize(
    "game", ["cashback", "link", "freebet", "majority-eu", "majority-us", "classic-6", "classic-8"]
)
def test_no_other_game_has_resa(game: str) -> None:
    table = solo(game, "10 9 6 10")
    assert RESA not in table.legal()
    refused(table, RESA, "action/not-legal")


# SUR-04: Charlie 7


@pytest.mark.rule("SUR-04")
def test_seven_cards_win_against_a_dealer_21() -> None:
    # 2 2 2 3 3 3 and a 3: 18 with seven cards; the dealer holds 9 2 and would draw the ten behind.
    table = solo("surrender", "2 9 2 2 2 3 3 3 3 10", *["0.0 hit"] * 5)
    assert (table.hand(), table.paid(), table.shoe.dealt) == ("charlie", 2000, 9)


@pytest.mark.rule("SUR-04")
def test_a_charlie_beats_the_dealers_21_drawn_for_another_hand() -> None:
    # Spot 0: 2 2 2 3 3 3 3 = 18; spot 1 stands on 20; the dealer's 9 2 draws a ten: 21.
    table = Table("surrender", "2 10 9 2 K 2 2 3 3 3 3 J").bet((0, "main", 1000), (1, "main", 1000))
    table.deal(*["0.0 hit"] * 5, "1.0 stand")
    assert (table.dealer, table.paid(spot=0), table.paid(spot=1)) == (21, 2000, 0)


@pytest.mark.rule("SUR-04")
def test_six_cards_are_no_charlie() -> None:
    # 2 2 2 3 3 3 = 15 has a decision still; standing it loses to the dealer's 21.
    table = solo("surrender", "2 9 2 2 2 3 3 3 10", *["0.0 hit"] * 4)
    assert "0.0 hit" in table.legal()
    table.do("0.0 stand")
    assert (table.hand(), table.dealer, table.paid()) == ("stood", 21, 0)


@pytest.mark.rule("SUR-04")
def test_a_seventh_card_that_busts_is_a_bust() -> None:
    table = solo("surrender", "2 9 2 2 2 3 3 3 10", *["0.0 hit"] * 5)
    assert (table.hand(), table.paid()) == ("bust", 0)


@pytest.mark.rule("SUR-04")
def test_seven_cards_of_21_and_soft_ones_are_charlies() -> None:
    # 2 2 2 3 3 3 6 = 21; A A A A 2 2 A = soft 19.
    assert solo("surrender", "2 9 2 2 2 3 3 3 6", *["0.0 hit"] * 5).hand() == "charlie"
    table = solo("surrender", "A 9 A 2 A A 2 2 A", *["0.0 hit"] * 5)
    assert (table.hand(), table.paid()) == ("charlie", 2000)


@pytest.mark.rule("SUR-04")
def test_a_split_hand_can_be_a_charlie() -> None:
    # 2-2 split: 2 2 | 2 10; the first draws 2 3 3 3 3: 2 2 2 3 3 3 3 = 18 with seven cards. The second, 12, stands;
    # the dealer has 9 2 10 = 21.
    cards = "2 9 2 2 2 10 2 3 3 3 3 J"
    table = solo("surrender", cards, "0.0 split", *["0.0 hit"] * 5, "0.1 stand")
    assert (table.hand(), table.hand(hand=1), table.dealer) == ("charlie", "stood", 21)
    assert (table.paid(), table.paid("split", hand=1)) == (2000, 0)


# SUR-05: the side bets

SIDE_BETS = ("player-pair", "21+3", "dealer-pair")


@pytest.mark.rule("SUR-05")
def test_the_side_bets_of_the_game() -> None:
    bets = find("surrender").rules.side_bets
    assert {bet.name for bet in bets} == set(SIDE_BETS)
    assert [bet.name for bet in bets if bet.once] == ["dealer-pair"]


@pytest.mark.rule("SUR-05")
def test_all_side_bets_together_on_several_hands() -> None:
    # Spot 0: 7h 7d, up 7h: three of a kind 30:1, coloured pair 12:1. Spot 1: 2c 3c: nothing.
    # Dealer 7h 7h: a perfect pair, 25:1. Main: 14 and 5 stand against 7 7 5 = 19: both lose.
    table = Table("surrender", "7h 2c 7h 7d 3c 7h 5s")
    table.bet(
        (0, "main", 1000),
        (0, "player-pair", 100),
        (0, "21+3", 200),
        (1, "main", 1000),
        (1, "player-pair", 300),
        (1, "21+3", 400),
        (-1, "dealer-pair", 500),
    )
    table.deal("0.0 stand", "1.0 stand")
    assert (table.paid("player-pair"), table.paid("21+3")) == (1300, 6200)
    assert (table.paid("player-pair", spot=1), table.paid("21+3", spot=1)) == (0, 0)
    assert table.paid("dealer-pair", spot=-1) == 13_000
    assert table.net() == 1200 + 6000 - 300 - 400 + 12_500 - 2000


@pytest.mark.rule("SUR-05")
@pytest.mark.parametrize(
    ("bet", "code"),
    [
        ((0, "player-pair", 100), "bet/no-main-bet"),
        ((0, "21+3", 100), "bet/no-main-bet"),
        ((1, "21+3", 100), "bet/no-main-bet"),
        ((-1, "dealer-pair", 100), "bet/needs-any-main-bet"),
        ((0, "link", 100), "bet/no-such-bet"),
        ((0, "top-3", 100), "bet/no-such-bet"),
        ((0, "buster", 100), "bet/no-such-bet"),
        ((0, "lucky-lucky", 100), "bet/no-such-bet"),
    ],
)
def test_no_side_bet_without_a_main_stake_and_none_of_other_games(
    bet: tuple[int, str, int], code: str
) -> None:
    table = Table("surrender", "")
    with pytest.raises(Refusal) as refusal:
        table.bet(bet)
    assert refusal.value.code == code
    assert table.round.book.bets == {}


@pytest.mark.rule("SUR-05")
def test_a_main_stake_elsewhere_does_not_carry_a_hands_side_bet() -> None:
    with pytest.raises(Refusal, match="needs a main bet there"):
        Table("surrender", "").bet((0, "main", 1000), (1, "21+3", 100))


@pytest.mark.rule("SUR-05")
def test_one_dealer_pair_for_the_round() -> None:
    with pytest.raises(Refusal, match="for the whole round: place it beside the dealer"):
        Table("surrender", "").bet((0, "main", 1000), (0, "dealer-pair", 100))


@pytest.mark.rule("SUR-03", "SUR-05")
def test_resa_leaves_the_side_bets_in_play() -> None:
    # 5s 6s with 7s up: straight flush 40:1; the dealer's 7s 7h is mixed, 6:1, and is turned though nobody stands.
    table = Table("surrender", "5s 7s 6s 7h")
    table.bet((0, "main", 1000), (0, "21+3", 100), (-1, "dealer-pair", 100)).deal()
    assert [event.kind for event in table.all(SideBetDecided)] == ["21+3"]
    table.do(RESA)
    assert (table.paid(), table.paid("21+3"), table.paid("dealer-pair", spot=-1)) == (500, 4100, 700)


# SUR-06: insurance switched off


@pytest.mark.rule("SUR-06")
def test_switched_off_there_is_no_offer_but_still_the_check() -> None:
    table = Table("surrender", "10 A 8 K").bet((0, "main", 1000)).do("deal no-insurance")
    assert table.all(InsuranceOffered) == []
    assert [event.blackjack for event in table.all(Peeked)] == [True]
    assert table.net() == -1000


@pytest.mark.rule("SUR-06")
@pytest.mark.parametrize(("deal", "asked"), [("deal", 1), ("deal no-insurance", 0)])
def test_the_switch_is_asked_at_every_deal(deal: str, asked: int) -> None:
    """The switch comes with each deal, so it can be put back on for the next round."""
    table = Table("surrender", "10 A 8 9").bet((0, "main", 1000)).do(deal)
    assert len(table.all(InsuranceOffered)) == asked


@pytest.mark.rule("SUR-06")
def test_refusing_all_is_for_this_round() -> None:
    """RIFIUTA TUTTI answers for every hand and ends the offers; the next round asks again."""
    for _ in range(2):
        table = Table("surrender", "10 10 10 A 8 8 8 9").bet(*((spot, "main", 1000) for spot in range(3)))
        table.deal()
        assert [event.spot for event in table.all(InsuranceOffered)] == [0]
        table.do("all insure no @ada")
        assert table.round.turn == (0, 0)
        assert table.net() == -3000


# SUR-07: nothing under a ten


@pytest.mark.rule("SUR-07")
@pytest.mark.parametrize("up", ["10", "J", "Q", "K", "9", "2"])
def test_insurance_is_for_an_ace_alone(up: str) -> None:
    table = solo("surrender", f"9 {up} 8 7")
    assert table.all(InsuranceOffered) == []
    refused(table, "0 insure yes @ada", "offer/none")
    refused(table, "all insure yes @ada", "offer/none")


# SUR-08: insured and given up


@pytest.mark.rule("SUR-08")
def test_an_insured_hand_may_be_surrendered() -> None:
    # Insurance 500 is lost at the check; RESA returns 500 of the 1000 and nothing of the insurance.
    table = solo("surrender", "10 A 6 9", "0 insure yes @ada")
    assert table.paid("insurance") == 0  # settled before the decision
    assert table.net() == -1500
    table.do(RESA)
    assert (table.paid(), table.net()) == (500, -1000)


@pytest.mark.rule("SUR-08")
def test_half_of_an_odd_insured_stake() -> None:
    # 10.01: insurance costs 5.00, RESA returns 5.00.
    table = solo("surrender", "10 A 6 9", "0 insure yes @ada", RESA, stake=1001)
    assert (table.paid("insurance"), table.paid(), table.net()) == (0, 500, -1001)
