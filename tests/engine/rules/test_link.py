"""Blackjack Link, the main game and how the bonus meets it (LNK-01..09, 20, 35..37). The bonus itself: test_bonus.

One hand is dealt as: hand, up card, hand, hole card; a stake is 10.00. The wheel takes a number below 1000; up to 349
it is X5, to 609 X10, to 769 X15, to 849 X25, to 874 X50, to 964 LINK, then MEGA LINK (RET-09).
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.engine import Bet
from sabot.engine.events import (
    BetSettled,
    BonusEnded,
    BonusStarted,
    CardDealt,
    EvenMoneyOffered,
    HandEnded,
    HoleShown,
    InsuranceOffered,
    Insured,
    MoneyAdded,
    Peeked,
    PlayerPaid,
    TurnStarted,
    WheelStopped,
    WinCapped,
)
from sabot.errors import Refusal
from sabot.games import TableOptions, find
from tests.support.table import Table, refused, solo

X5, X10, X15, X25, X50, LINK = 0, 350, 610, 770, 850, 875
MAIN_AND_LINK = ((0, "main", 1000), (0, "link", 200))


def hands(game_cards: str, *stakes: int, **parts: object) -> Table:
    """Main bets on the first spots, dealt."""
    table = Table("link", game_cards, **parts)  # type: ignore[arg-type]  # handed through
    return table.bet(*((spot, "main", stake) for spot, stake in enumerate(stakes))).deal()


# LNK-01: the bets


@pytest.mark.rule("LNK-01")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 9 9 8", "stand", 1000),
        ("10 9 9 10", "stand", 0),
        ("A 9 K 8", "", 1500),
        ("10 6 8 A", "stand", 1000),  # the dealer stands on soft 17
        ("5 9 6 8 10", "double", 2000),
        ("10 6 6 5 K", "hit", -1000),
    ],
)
def test_the_common_game(cards: str, commands: str, net: int) -> None:
    played = [f"0.0 {word}" for word in commands.split()]
    assert solo("link", cards, *played).net() == net


@pytest.mark.rule("LNK-01")
def test_one_of_each_side_bet_for_each_hand_and_one_dealer_pair() -> None:
    # Spot 0: 7h 7h and 7d up: three of a kind 30:1 (not suited), perfect pair 25:1, no blackjack: LINK loses.
    # Spot 1: 2s 5c: nothing pays. Dealer 7d 7s: mixed 6:1. The hands: 14 and 7 lose to 7 7 6 = 20.
    table = Table("link", "7h 2s 7d 7h 5c 7s 6d")
    sides = ("player-pair", "21+3", "link")
    table.bet(
        *((spot, kind, 100) for spot in (0, 1) for kind in ("main", *sides)),
        (-1, "dealer-pair", 100),
    )
    table.deal("0.0 stand", "1.0 stand")
    assert [table.paid(kind) for kind in sides] == [2600, 3100, 0]
    assert [table.paid(kind, spot=1) for kind in sides] == [0, 0, 0]
    assert table.paid("dealer-pair", spot=-1) == 700
    assert table.net() == 2600 + 3100 + 700 - 900


@pytest.mark.rule("LNK-01")
@pytest.mark.parametrize(
    ("bets", "code"),
    [
        ([(0, "main", 1000), (0, "link", 100), (0, "link", 100)], "bet/twice"),
        ([(0, "main", 1000), (-1, "dealer-pair", 100), (-1, "dealer-pair", 100)], "bet/twice"),
        ([(0, "main", 1000), (0, "dealer-pair", 100)], "bet/beside-dealer"),
        ([(0, "main", 1000), (1, "link", 100)], "bet/no-main-bet"),
        ([(0, "link", 100)], "bet/no-main-bet"),
        ([(-1, "dealer-pair", 100)], "bet/needs-any-main-bet"),
        ([(5, "main", 1000)], "bet/no-such-spot"),
        ([(0, "main", 1000), (0, "buster", 100)], "bet/no-such-bet"),
    ],
)
def test_bets_the_table_does_not_take(bets: list[tuple[int, str, int]], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Table("link", "").bet(*bets)
    assert refusal.value.code == code


@pytest.mark.rule("LNK-01")
def test_five_hands_with_a_link_bet_each() -> None:
    table = Table("link", "10 9 8 7 6 9 10 10 10 10 10 10")
    table.bet(*((spot, kind, 100) for spot in range(5) for kind in ("main", "link"))).deal()
    table.do(*(f"{spot}.0 stand" for spot in range(5)))
    # 20 19 18 17 16 against 19; no blackjack among them
    assert [table.paid(spot=spot) for spot in range(5)] == [200, 100, 0, 0, 0]
    assert [table.paid("link", spot=spot) for spot in range(5)] == [0] * 5


# LNK-02, LNK-03: no check


@pytest.mark.rule("LNK-02")
@pytest.mark.parametrize(("up", "hole"), [("A", "K"), ("K", "A")])
def test_a_blackjack_is_found_after_the_last_decision(up: str, hole: str) -> None:
    table = Table("link", f"10 9 {up} 6 9 {hole} 2").bet((0, "main", 1000), (1, "main", 1000))
    table.do("deal no-insurance", "0.0 hit", "0.0 stand")
    assert table.all(HoleShown) == []
    assert table.round.turn == (1, 0)
    table.do("1.0 stand")
    assert table.all(Peeked) == []
    assert len(table.all(HoleShown)) == 1
    assert table.net() == -2000


@pytest.mark.rule("LNK-02")
def test_insurance_waits_for_the_hole_card() -> None:
    """COM-33: no check, so it is not settled before the decisions, and a bust hand's insurance still pays."""
    table = solo("link", "10 A 6 K 9", "0 insure yes @ada")
    assert [event.why for event in table.all(BetSettled)] == []
    table.do("0.0 hit")
    assert (table.hand(), table.paid(), table.paid("insurance"), table.net()) == ("bust", 0, 1500, 0)


@pytest.mark.rule("LNK-03")
@pytest.mark.parametrize(
    ("up", "hole", "back"), [("A", "K", 0), ("10", "A", 1000), ("J", "A", 1000), ("K", "A", 1000)]
)
def test_only_the_added_stake_comes_back_and_only_under_a_ten(up: str, hole: str, back: int) -> None:
    table = Table("link", f"5 {up} 6 {hole} 10").bet((0, "main", 1000)).do("deal no-insurance", "0.0 double")
    assert (table.paid(), table.paid("double"), table.net()) == (0, back, back - 2000)
    results = {event.why: event.result for event in table.all(BetSettled)}
    assert results == {"initial": "lose", "double": "returned" if back else "lose"}


@pytest.mark.rule("LNK-03")
@pytest.mark.parametrize(
    ("commands", "cards", "net"),
    [
        (["0.0 split", "0.0 stand", "0.1 stand"], "3 2", -2000),  # both split stakes are lost
        (["0.0 split", "0.0 double", "0.1 stand"], "3 2 9", -2000),  # 3000 staked, the double's 1000 back
        (["0.0 split", "0.0 double", "0.1 double"], "3 2 9 9", -2000),  # 4000 staked, 2000 back
        (["0.0 double"], "K", -2000),  # 26: bust, both stakes are lost
        (["0.0 hit"], "5", -1000),  # 21 in three cards loses
    ],
)
def test_a_ten_up_blackjack_takes_everything_else(commands: list[str], cards: str, net: int) -> None:
    assert solo("link", f"8 K 8 A {cards}", *commands).net() == net


@pytest.mark.rule("LNK-03")
def test_a_split_21_loses_to_a_blackjack_and_wins_1_to_1() -> None:
    # Aces split to A-K and A-9: against K-A both lose; against K-9 = 19 the 21 wins 1:1 and 20 wins.
    assert solo("link", "A K A A K 9", "0.0 split").net() == -2000
    table = solo("link", "A K A 9 K 9", "0.0 split")
    assert (table.paid(), table.paid("split", hand=1)) == (2000, 2000)


# LNK-04: ALLA PARI


@pytest.mark.rule("LNK-04")
@pytest.mark.parametrize(
    ("answer", "hole", "paid", "result"),
    [
        ("yes", "K", 2000, "even-money"),  # against a blackjack
        ("yes", "9", 2000, "even-money"),  # and without one: 1:1, not 3:2
        ("no", "K", 1000, "push"),
        ("no", "9", 2500, "blackjack"),
    ],
)
def test_even_money_fixes_one_to_one(answer: str, hole: str, paid: int, result: str) -> None:
    table = solo("link", f"A A K {hole}")
    assert table.round.phase == "offers"
    assert [event.spot for event in table.all(EvenMoneyOffered)] == [0]
    assert table.all(InsuranceOffered) == []
    assert table.legal() == {"0 even-money yes", "0 even-money no"}
    refused(table, "0 insure yes @ada", "offer/none")
    refused(table, "all insure yes @ada", "offer/none")
    table.do(f"0 even-money {answer}")
    assert (table.paid(), table.net()) == (paid, paid - 1000)
    assert [event.result for event in table.all(BetSettled)] == [result]
    # No live hand: the hole card is turned and nothing drawn.
    assert table.shoe.dealt == 4


@pytest.mark.rule("LNK-04")
def test_even_money_on_an_odd_stake_is_whole() -> None:
    assert solo("link", "A A K 9", "0 even-money yes", stake=101).paid() == 202
    assert solo("link", "A A K 9", "0 even-money no", stake=101).paid() == 252  # 3:2 of 1.01 is 1.51


@pytest.mark.rule("LNK-04")
@pytest.mark.parametrize("up", ["K", "10", "9"])
def test_no_even_money_without_an_ace(up: str) -> None:
    table = hands(f"A 9 {up} Q 9 8", 1000, 1000)
    assert table.all(EvenMoneyOffered) == []
    refused(table, "0 even-money yes", "offer/none")


@pytest.mark.rule("LNK-04")
def test_no_even_money_on_another_hand() -> None:
    table = solo("link", "10 A 9 K")
    refused(table, "0 even-money yes", "offer/none")


@pytest.mark.rule("LNK-04")
@pytest.mark.parametrize("game", ["surrender", "cashback", "classic-6"])
def test_no_other_solo_game_has_it(game: str) -> None:
    """There a blackjack is asked about insurance (COM-32)."""
    table = solo(game, "A A K 9")
    assert table.all(EvenMoneyOffered) == []
    assert [event.spot for event in table.all(InsuranceOffered)] == [0]
    refused(table, "0 even-money yes", "offer/none")


@pytest.mark.rule("LNK-04")
def test_even_money_is_offered_though_insurance_is_switched_off() -> None:
    """The switches are for insurance; a blackjack against an ace is offered ALLA PARI."""
    table = Table("link", "10 A A 8 K Q").bet((0, "main", 1000), (1, "main", 1000)).do("deal no-insurance")
    assert table.all(InsuranceOffered) == []
    table.do("1 even-money yes", "0.0 stand")
    assert (table.paid(spot=0), table.paid(spot=1)) == (0, 2000)
    options = replace(find("link").options, insurance=False)
    assert solo("link", "A A K Q", "0 even-money yes", options=options).net() == 1000


@pytest.mark.rule("LNK-04")
def test_even_money_on_one_of_several_blackjacks() -> None:
    # Spots 0 and 2 are blackjacks: 0 takes even money, 2 does not and pushes against the blackjack.
    table = hands("A 10 A A K 8 K Q", 1000, 1000, 600)
    table.do("0 even-money yes", "1 insure no @ada", "2 even-money no", "1.0 stand")
    assert [table.paid(spot=spot) for spot in range(3)] == [2000, 0, 600]


@pytest.mark.rule("LNK-04")
def test_the_offers_come_before_any_decision() -> None:
    table = hands("10 A A 8 K 9", 1000, 1000)
    refused(table, "1 even-money yes", "offer/not-now")  # the rightmost is asked first
    refused(table, "0.0 stand", "round/offers-open")
    table.do("0 insure no @ada")
    refused(table, "0.0 stand", "round/offers-open")
    table.do("1 even-money yes")
    assert table.round.turn == (0, 0)
    refused(table, "1 even-money yes", "offer/none")


@pytest.mark.rule("LNK-04")
def test_even_money_is_paid_at_settlement() -> None:
    """COM-27: the win cannot be staked in the same round."""
    table = hands("A 5 A K 6 9", 1000, 1000, purse=2000)
    table.do("0 even-money yes")
    assert table.round.balance("ada") == 0
    # The other hand's insurance cannot be paid from it …
    refused(table, "1 insure yes @ada", "funds/insufficient")
    table.do("1 insure no @ada")
    # … nor its double.
    refused(table, "1.0 double", "funds/insufficient")


# LNK-05: insurance for all


@pytest.mark.rule("LNK-05")
def test_accepting_for_all_leaves_every_blackjack_to_be_asked() -> None:
    # Spots 0 2 4 have 18, spots 1 3 are blackjacks; the dealer has a blackjack.
    table = hands("10 A 10 A 10 A 8 K 8 K 8 K", 1000, 1000, 1000, 1000, 1000)
    assert table.legal() == {
        f"{who} insure {answer} @ada" for who in ("0", "all") for answer in ("yes", "no")
    }
    table.do("all insure yes @ada")
    assert [(event.spot, event.accepted, event.cost) for event in table.all(Insured)] == [
        (0, True, 500),
        (2, True, 500),
        (4, True, 500),
    ]
    assert table.round.phase == "offers"
    assert table.legal() == {"1 even-money yes", "1 even-money no"}
    table.do("1 even-money yes")
    assert table.legal() == {"3 even-money yes", "3 even-money no"}
    table.do("3 even-money no", "0.0 stand", "2.0 stand", "4.0 stand")
    assert [table.paid(spot=spot) for spot in range(5)] == [0, 2000, 0, 1000, 0]
    assert [table.paid("insurance", spot=spot) for spot in (0, 2, 4)] == [1500] * 3


@pytest.mark.rule("LNK-05")
def test_refusing_for_all_leaves_the_blackjacks_too() -> None:
    table = hands("10 A 10 A 8 K 8 9 10", 1000, 1000, 1000)
    table.do("all insure no @ada")
    assert table.round.phase == "offers"
    refused(table, "all insure yes @ada", "offer/none")
    table.do("1 even-money yes", "0.0 stand", "2.0 stand")
    assert [event.why for event in table.all(BetSettled)] == ["initial"] * 3


@pytest.mark.rule("LNK-05")
def test_a_blackjack_first_is_asked_first() -> None:
    # Spot 0 is the blackjack: it is asked ALLA PARI before the buttons for all come up for spots 1 and 2.
    table = hands("A 10 10 A K 8 8 9", 1000, 1000, 1000)
    assert table.legal() == {"0 even-money yes", "0 even-money no"}
    refused(table, "all insure yes @ada", "offer/not-now")
    table.do("0 even-money no", "all insure yes @ada")
    assert table.round.turn == (1, 0)
    assert table.net() == -4000


@pytest.mark.rule("LNK-05")
def test_after_one_answer_all_is_for_the_rest() -> None:
    table = hands("10 10 10 A 8 8 8 K", 1000, 1000, 1000).do("0 insure no @ada", "all insure yes @ada")
    table.do("0.0 stand", "1.0 stand", "2.0 stand")
    assert [event.spot for event in table.all(BetSettled) if event.why == "insurance"] == [1, 2]
    assert table.net() == -3000 - 1000 + 3000


@pytest.mark.rule("LNK-05")
def test_accepting_for_all_needs_the_money_for_all() -> None:
    # 20.00 staked on two hands, 9.99 left: one insurance of 5.00 is affordable, two are not.
    table = hands("10 10 A 8 8 9", 1000, 1000, purse=2999)
    assert "all insure yes @ada" not in table.legal()
    refused(table, "all insure yes @ada", "funds/insufficient")
    table.do("0 insure yes @ada")
    refused(table, "1 insure yes @ada", "funds/insufficient")
    assert "1 insure no @ada" in table.legal()


@pytest.mark.rule("LNK-05")
def test_insurance_costs_half_and_covers_the_initial_stake_only() -> None:
    # 10.01 costs 5.00; split, 20.02 on the table: a blackjack pays 10.00 on the 5.00 and no more.
    table = solo(
        "link", "8 A 8 K 10 10", "0 insure yes @ada", "0.0 split", "0.0 stand", "0.1 stand", stake=1001
    )
    assert (table.paid("insurance"), table.net()) == (1500, -2002 - 500 + 1500)


# LNK-06, LNK-07: Charlie 10, double after a split

#: 2 2 with these is 2 2 2 2 2 2 2 2 A A = 18 in ten cards.
LONG = "2 2 2 2 2 2 A A"


@pytest.mark.rule("LNK-06")
@pytest.mark.parametrize(
    ("up", "hole", "net"),
    [("9", "2", 1000), ("K", "9", 1000), ("K", "A", -1000), ("A", "K", -1000), ("A", "9", 1000)],
)
def test_ten_cards_win_unless_the_dealer_has_blackjack(up: str, hole: str, net: int) -> None:
    table = Table("link", f"2 {up} 2 {hole} {LONG} 10").bet((0, "main", 1000))
    table.do("deal no-insurance", *["0.0 hit"] * 8)
    assert (table.hand(), table.net(), table.shoe.dealt) == ("charlie", net, 12)


@pytest.mark.rule("LNK-06")
def test_nine_cards_and_a_tenth_that_busts() -> None:
    table = solo("link", f"2 K 2 9 {LONG}", *["0.0 hit"] * 7)
    assert "0.0 hit" in table.legal()
    assert table.do("0.0 stand").net() == -1000
    # 2 2 2 2 2 2 2 2 A = 17, then a five: 22
    table = solo("link", "2 K 2 9 2 2 2 2 2 2 A 5", *["0.0 hit"] * 8)
    assert (table.hand(), table.net()) == ("bust", -1000)


@pytest.mark.rule("LNK-06")
def test_a_split_hand_can_be_a_charlie() -> None:
    # The second split hand: 2 10 stands | 2 2 and eight more; the dealer's 9 2 draws a ten: 21.
    table = solo("link", f"2 9 2 2 10 2 {LONG} J", "0.0 split", "0.0 stand", *["0.1 hit"] * 8)
    assert (table.hand(hand=1), table.dealer) == ("charlie", 21)
    assert (table.paid(), table.paid("split", hand=1)) == (0, 2000)


@pytest.mark.rule("LNK-07")
def test_each_split_hand_may_be_doubled_once() -> None:
    # 8-8 to 8-3 and 8-2, both doubled: 21 and 20 against 6-10-K: four stakes win.
    table = solo("link", "8 6 8 10 3 2 10 J K", "0.0 split")
    assert "0.0 double" in table.legal()
    table.do("0.0 double")
    assert "0.1 double" in table.legal()
    table.do("0.1 double")
    assert table.net() == 4000


@pytest.mark.rule("LNK-07")
@pytest.mark.parametrize(
    ("cards", "commands"),
    [("A 6 A 10 5 9 K", []), ("8 6 8 10 2 3 4", ["0.0 hit"])],  # split aces; a third card
)
def test_no_double_on_split_aces_nor_after_a_card(cards: str, commands: list[str]) -> None:
    table = solo("link", cards, "0.0 split", *commands)
    assert not any("double" in move for move in table.legal() if move.startswith("0.0"))
    with pytest.raises(Refusal):
        table.do("0.0 double")


# LNK-08: the maximum win


def at_most(maximum: int | None) -> TableOptions:
    return replace(find("link").options, max_win=maximum)


@pytest.mark.rule("LNK-08")
@pytest.mark.parametrize(
    ("maximum", "net", "cut"), [(1001, 1000, 0), (1000, 1000, 0), (999, 999, 1), (1, 1, 999)]
)
def test_a_win_beyond_the_maximum_is_cut_and_the_stake_never(maximum: int, net: int, cut: int) -> None:
    table = solo("link", "10 9 9 8", "0.0 stand", options=at_most(maximum))
    assert (table.net(), table.capped()) == (net, cut)
    assert [(event.player, event.amount, event.max_win) for event in table.all(WinCapped)] == (
        [("ada", cut, maximum)] if cut else []
    )
    paid = table.all(PlayerPaid)[0]
    assert (paid.staked, paid.paid, paid.balance) == (1000, 1000 + net, 100_000 + net)


@pytest.mark.rule("LNK-08")
def test_the_sum_over_hands_is_cut_in_order_of_crediting() -> None:
    # Three hands of 10.00 win 1:1, the maximum is 15.00: the first is whole, the second loses 5.00, the third all 10.00.
    table = hands("10 10 10 9 9 9 9 8", 1000, 1000, 1000, options=at_most(1500))
    table.do("0.0 stand", "1.0 stand", "2.0 stand")
    assert [event.amount for event in table.all(WinCapped)] == [500, 1000]
    cut_after = [
        sum(isinstance(event, BetSettled) for event in table.round.log[:at])
        for at, event in enumerate(table.round.log)
        if isinstance(event, WinCapped)
    ]
    assert cut_after == [2, 3]  # told right after the bet it cuts
    assert table.net() == 1500


@pytest.mark.rule("LNK-08")
def test_lost_bets_do_not_make_room_and_pushed_ones_take_none() -> None:
    # Spot 0 loses (17), spot 1 pushes (19), spot 2 wins (20): only the win counts, against 6.00.
    table = hands("10 10 10 9 7 9 10 10", 5000, 5000, 1000, options=at_most(600))
    table.do("0.0 stand", "1.0 stand", "2.0 stand")
    assert (table.net(), table.capped()) == (-5000 + 600, 400)


@pytest.mark.rule("LNK-08")
def test_side_bets_and_insurance_count() -> None:
    # 7h 7d with Ah up: a coloured pair, 12:1 on 1.00 = 12.00. Insurance 5.00 pays 10.00. The dealer has blackjack: the
    # main stake is lost. The maximum of 15.00 lets 12.00 and 3.00 through in the order of crediting.
    table = Table("link", "7h Ah 7d Kc", options=at_most(1500))
    table.bet((0, "main", 1000), (0, "player-pair", 100)).deal("0 insure yes @ada", "0.0 stand")
    assert table.capped() == 1200 + 1000 - 1500
    assert table.net() == -1000 + 1500


@pytest.mark.rule("LNK-08")
def test_a_returned_double_is_a_stake() -> None:
    # Spot 0 doubled against a ten-up blackjack: 1000 comes back and is no win. Nothing is cut even at a maximum of 0.01.
    table = solo("link", "5 K 6 A 10", "0.0 double", options=at_most(1))
    assert (table.net(), table.capped()) == (-1000, 0)


@pytest.mark.rule("LNK-08", "LNK-36")
def test_the_bonus_is_credited_first_and_takes_the_room() -> None:
    # X50 on 2.00 is 100.00; the blackjack's 3:2 is 15.00 and a pair on spot 1 12.00. Maximum 110.00: the bonus is whole,
    # the blackjack is cut to 10.00, the pair to nothing; all stakes come back.
    table = Table("link", "A 7h 9 K 7d 8", draws=[X50], options=at_most(11_000))
    table.bet(*MAIN_AND_LINK, (1, "main", 1000), (1, "player-pair", 100)).deal("0 spin")
    assert (table.capped(), table.net()) == (0, -2300 + 200 + 10_000)
    table.do("1.0 stand")
    # The 14 of spot 1 loses to 17; the blackjack 1000 + 1500, the pair 100 + 1200; cut 500 and 1200.
    assert [event.amount for event in table.all(WinCapped)] == [500, 1200]
    assert table.net() == 11_000 - 1000


@pytest.mark.rule("LNK-08")
def test_a_bonus_beyond_the_maximum_is_cut_at_once() -> None:
    table = Table("link", "A 9 K 8", draws=[X50], options=at_most(9_999))
    table.bet(*MAIN_AND_LINK).deal("0 spin")
    # 100.00 cut by 0.01, then the blackjack's 15.00 whole: the stakes of both come back.
    assert [event.amount for event in table.all(WinCapped)] == [1, 1500]
    assert table.net() == 9_999
    assert table.round.book.house == -9_999


@pytest.mark.rule("LNK-08")
def test_the_maximum_is_for_a_round_and_set_by_the_operator() -> None:
    assert find("link").options.max_win is not None
    for _ in range(2):  # the next round starts from nothing
        assert solo("link", "10 9 9 8", "0.0 stand", options=at_most(1000)).capped() == 0
    free = solo("link", "10 9 9 8", "0.0 stand", options=at_most(None))
    assert free.net() == 1000


# LNK-09: AGGIUNGI DENARO


@pytest.mark.rule("LNK-09")
def test_added_money_makes_a_double_affordable() -> None:
    table = solo("link", "5 9 6 8 10", purse=1500)
    assert table.round.options_now["double"].unavailable == "funds/insufficient"
    refused(table, "0.0 double", "funds/insufficient")
    table.do("add-money 499 @ada")
    refused(table, "0.0 double", "funds/insufficient")
    table.do("add-money 1 @ada")
    # The buttons are shown anew, with the double.
    started = table.all(TurnStarted)[-1]
    assert [option.unavailable for option in started.options if option.action == "double"] == [None]
    table.do("0.0 double")
    assert [(event.amount, event.balance) for event in table.all(MoneyAdded)] == [(499, 999), (1, 1000)]
    assert table.round.balance("ada") == 2000 + 2000


@pytest.mark.rule("LNK-09")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], ["deal", "0 even-money no", "0 spin"]),
        (["deal"], ["0 even-money no", "0 spin"]),
        (["deal", "0 even-money no"], ["0 spin"]),
    ],
)
def test_money_may_be_added_at_any_time_of_the_round(before: list[str], after: list[str]) -> None:
    # Blackjack with X5 on 2.00: 10.00; 3:2 on 10.00: 15.00.
    table = Table("link", "A A K 9", purse=1200, draws=[X5]).bet(*MAIN_AND_LINK)
    table.do(*before, "add-money 5000 @ada", *after)
    assert table.round.balance("ada") == 1200 + 5000 + 1000 + 1500


@pytest.mark.rule("LNK-09")
def test_added_money_makes_insurance_affordable() -> None:
    table = solo("link", "10 A 8 K", purse=1000)
    assert "0 insure yes @ada" not in table.legal()
    table.do("add-money 500 @ada")
    assert "0 insure yes @ada" in table.legal()
    table.do("0 insure yes @ada", "0.0 stand")
    assert table.round.balance("ada") == 1500


@pytest.mark.rule("LNK-09")
@pytest.mark.parametrize(
    ("command", "code"),
    [("add-money 0 @ada", "funds/not-positive"), ("add-money 100 @bob", "player/unknown")],
)
def test_money_that_cannot_be_added(command: str, code: str) -> None:
    refused(solo("link", "10 9 8 10"), command, code)


@pytest.mark.rule("LNK-09")
def test_no_money_is_added_to_a_round_that_is_over() -> None:
    refused(solo("link", "10 9 8 10", "0.0 stand"), "add-money 100 @ada", "round/over")


# LNK-20: when the bonus is played


@pytest.mark.rule("LNK-20")
def test_the_bonus_comes_at_its_hands_turn_before_the_hole_card() -> None:
    # Spot 0 18, spot 1 blackjack with LINK, spot 2 17; the dealer has 9-8 = 17.
    table = Table("link", "10 A 10 9 8 K 7 8", draws=[X10])
    table.bet((0, "main", 1000), (1, "main", 1000), (1, "link", 200), (2, "main", 1000)).deal()
    assert "0.0 stand" in table.legal()
    refused(table, "1 spin", "bonus/none")
    table.do("0.0 stand")
    assert table.legal() == {"1 spin"}
    refused(table, "2.0 stand", "round/bonus-open")
    refused(table, "2 spin", "bonus/none")
    table.do("1 spin")
    assert table.round.turn == (2, 0)
    assert table.all(HoleShown) == []
    table.do("2.0 stand")
    assert [table.paid(spot=spot) for spot in range(3)] == [2000, 2500, 1000]
    assert table.paid("link", spot=1) == 200 + 2000


@pytest.mark.rule("LNK-20")
@pytest.mark.parametrize("spot", [0, 1, 2])
def test_the_first_and_the_last_hand_too(spot: int) -> None:
    first, second = ["10", "10", "10"], ["8", "8", "8"]
    first[spot], second[spot] = "A", "K"
    table = Table("link", " ".join([*first, "9", *second, "8"]), draws=[X5])
    table.bet(*((s, "main", 1000) for s in range(3)), (spot, "link", 200)).deal()
    order = []
    while not table.round.over:
        move = "0.0" if table.round.turn is None else f"{table.round.turn[0]}.{table.round.turn[1]}"
        order.append(f"{spot} spin" if table.round.phase == "bonus" else f"{move} stand")
        assert table.all(HoleShown) == []
        table.do(order[-1])
    assert order == [f"{s} spin" if s == spot else f"{s}.0 stand" for s in range(3)]


@pytest.mark.rule("LNK-20")
def test_the_bonus_waits_for_both_hands_of_a_split_before_it() -> None:
    table = Table("link", "8 A 9 8 K 8 10 10", draws=[X5]).bet(
        (0, "main", 1000), (1, "main", 1000), (1, "link", 200)
    )
    table.deal("0.0 split", "0.0 stand")
    assert table.round.turn == (0, 1)
    table.do("0.1 stand")
    assert table.round.phase == "bonus"


@pytest.mark.rule("LNK-20")
def test_all_offers_come_before_the_bonus() -> None:
    # Spot 0 a blackjack with LINK, spot 1 eighteen: even money, insurance, then the wheel.
    table = Table("link", "A 10 A K 8 9 2", draws=[X5]).bet(*MAIN_AND_LINK, (1, "main", 1000)).deal()
    refused(table, "0 spin", "bonus/none")
    table.do("0 even-money no")
    refused(table, "0 spin", "bonus/none")
    table.do("1 insure no @ada")
    assert table.legal() == {"0 spin"}


@pytest.mark.rule("LNK-20")
@pytest.mark.parametrize("link_stake", [100, 200, 10_000])
def test_the_bonus_stake_is_the_link_bet(link_stake: int) -> None:
    table = (
        Table("link", "A 9 K 8", draws=[X15]).bet((0, "main", 1000), (0, "link", link_stake)).deal("0 spin")
    )
    assert table.paid("link") == 16 * link_stake
    assert table.paid() == 2500


# LNK-35: which hands count


@pytest.mark.rule("LNK-35")
@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize(
    ("hole", "main"), [("K", {"yes": 2000, "no": 1000}), ("9", {"yes": 2000, "no": 2500})]
)
def test_the_bonus_is_played_at_even_money_and_whatever_the_dealer_shows(
    answer: str, hole: str, main: dict[str, int]
) -> None:
    table = Table("link", f"A A K {hole}", draws=[X25]).bet(*MAIN_AND_LINK)
    table.deal(f"0 even-money {answer}")
    assert table.legal() == {"0 spin"}
    table.do("0 spin")
    assert (table.paid("link"), table.paid()) == (200 * 26, main[answer])


@pytest.mark.rule("LNK-35")
@pytest.mark.parametrize(
    ("cards", "commands"),
    [
        ("10 9 9 8", ["0.0 stand"]),  # 19
        ("10 9 10 8", ["0.0 stand"]),  # 20
        ("9 9 2 8 10", ["0.0 hit"]),  # 21 in three cards
        ("5 9 6 8 10", ["0.0 double"]),  # 21 by a double
        ("A 9 A 8 K Q", ["0.0 split"]),  # two 21s after a split
        ("K 9 10 8 A A", ["0.0 split"]),
    ],
)
def test_other_hands_lose_the_link_bet(cards: str, commands: list[str]) -> None:
    table = Table("link", cards).bet(*MAIN_AND_LINK).deal(*commands)
    assert table.round.phase == "settled"
    assert table.all(BonusStarted) == []
    assert table.paid("link") == 0


@pytest.mark.rule("LNK-35")
def test_a_blackjack_without_a_link_bet_has_no_bonus() -> None:
    # The LINK bet of spot 1 is not the one of spot 0's blackjack.
    table = Table("link", "A 10 9 K 9 8").bet((0, "main", 1000), (1, "main", 1000), (1, "link", 200)).deal()
    assert table.round.turn == (1, 0)
    table.do("1.0 stand")
    assert table.all(BonusStarted) == []
    assert (table.paid(spot=0), table.paid("link", spot=1)) == (2500, 0)


# LNK-36: when it is credited


@pytest.mark.rule("LNK-36")
def test_a_bonus_win_is_credited_when_the_bonus_ends_and_may_be_staked() -> None:
    # 22.00 brought and staked; X5 on 2.00 brings 12.00 at once, which pays the double of spot 1.
    table = Table("link", "A 5 9 K 6 8 10", purse=2200, draws=[X5])
    table.bet(*MAIN_AND_LINK, (1, "main", 1000)).deal()
    assert table.round.balance("ada") == 0
    table.do("0 spin")
    assert table.round.balance("ada") == 1200
    assert [event.why for event in table.all(BetSettled)] == ["link"]
    table.do("1.0 double")
    assert table.round.balance("ada") == 200 + 2500 + 4000


@pytest.mark.rule("LNK-36")
def test_a_void_takes_the_bonus_back() -> None:
    table = Table("link", "A 5 9 K 6 8", draws=[X50]).bet(*MAIN_AND_LINK, (1, "main", 1000)).deal("0 spin")
    assert table.net() == -2200 + 10_200
    table.do("void lightning")
    assert (table.net(), table.round.phase, table.round.book.house) == (0, "voided", 0)
    assert table.round.book.escrow == 0


@pytest.mark.rule("LNK-36")
def test_a_void_takes_a_bonus_back_that_was_staked_again() -> None:
    # 22.00 brought; the bonus' 12.00 pays a double of 10.00; the shoe is empty for its card: all is as before.
    table = Table("link", "A 5 9 K 6 8", purse=2200, draws=[X5], short_shoe=True)
    table.bet(*MAIN_AND_LINK, (1, "main", 1000)).deal("0 spin", "1.0 double")
    assert table.round.phase == "voided"
    assert table.round.balance("ada") == 2200


@pytest.mark.rule("LNK-36")
@pytest.mark.parametrize(
    "commands", [[], ["0 spin"], ["0 spin", "0 continue"], ["0 spin", "0 continue", "0 spin"]]
)
def test_a_void_during_a_bonus_returns_the_stakes(commands: list[str]) -> None:
    draws = [LINK, 0, 0, 0, *[0, 0] * 3, *[0] * 15]
    table = Table("link", "A 9 K 8", draws=draws).bet(*MAIN_AND_LINK).deal(*commands)
    assert table.round.phase == "bonus"
    table.do("void lightning")
    assert (table.net(), table.round.phase, table.legal()) == (0, "voided", set())


@pytest.mark.rule("LNK-36")
def test_a_void_takes_a_capped_bonus_back_exactly() -> None:
    table = Table("link", "A 5 9 K 6 8", draws=[X50], options=at_most(500))
    table.bet(*MAIN_AND_LINK, (1, "main", 1000)).deal("0 spin")
    assert table.net() == -2200 + 200 + 500
    table.do("add-money 77 @ada", "void lightning")
    assert (table.net(), table.round.book.house) == (77, 0)


# LNK-37: several blackjacks


@pytest.mark.rule("LNK-37")
def test_each_blackjack_plays_its_own_bonus() -> None:
    # Three blackjacks: X5 on 1.00, X10 on 2.00 and X50 on 4.00, each from a spin of its own.
    table = Table("link", "A A A 9 K Q J 8", draws=[X5, X10, X50])
    table.bet(*((s, "main", 1000) for s in range(3)), *((s, "link", 100 << s) for s in range(3))).deal()
    for spot in range(3):
        assert table.legal() == {f"{spot} spin"}
        table.do(f"{spot} spin")
    assert [(event.spot, event.section) for event in table.all(WheelStopped)] == [(0, 5), (1, 10), (2, 50)]
    assert [table.paid("link", spot=spot) for spot in range(3)] == [600, 2200, 20_400]
    assert table.draws.values == []


@pytest.mark.rule("LNK-37")
def test_a_table_of_one_leaves_nothing_for_the_next() -> None:
    # Both blackjacks open the Link table; the first locks cells 0 1 2, the second 15 16 17 with other tiles.
    first = [LINK, 0, 0, 0, *[0, 0] * 3, *[0] * 15 * 3]
    second = [LINK, 50, 75, 85, 17, 299, 16, 299, 15, 299, *[0] * 15 * 3]
    table = Table("link", "A A 9 K Q 8", draws=first + second)
    table.bet(*((s, kind, 1000) for s in range(2) for kind in ("main", "link"))).deal()
    table.do("0 spin", "0 continue", "0 spin", "0 spin", "0 spin")
    assert table.all(BonusEnded) == [BonusEnded(0, 3)]
    table.do("1 spin")
    bonus = table.round.bonus
    assert bonus is not None
    assert (bonus.tiles, bonus.cells, bonus.spins) == ((3, 5, "diamond"), {15: 50, 16: 50, 17: 50}, 3)
    table.do("1 continue", "1 spin", "1 spin", "1 spin")
    assert [table.paid("link", spot=spot) for spot in (0, 1)] == [4000, 151_000]


@pytest.mark.rule("LNK-34")
def test_the_bonus_is_in_the_rounds_sum() -> None:
    # 1000 + 200 staked; the link line pays 200 x 11, the blackjack 2500.
    table = Table("link", "A 9 K 8", draws=[X10]).bet(*MAIN_AND_LINK).deal("0 spin")
    assert table.all(PlayerPaid) == [PlayerPaid("ada", 1200, 2200 + 2500, 100_000 + 3500, golden=False)]
    assert [event.how for event in table.all(HandEnded)] == ["blackjack"]


@pytest.mark.rule("LNK-20")
def test_the_deal_tells_no_hole_card() -> None:
    """While a bonus is played no event carries the hole card."""
    table = Table("link", "As 9h Kd 8c", draws=[X5]).bet(Bet(0, "main", 1000), Bet(0, "link", 200)).deal()
    assert [event.card for event in table.all(CardDealt)] == [0, 21, 38]
